"""The catalogue: every rule by its code, each in a module of its own."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from linkfix.auditing.rule import Rule

__all__ = ["MODULES", "rule", "rules"]

#: Code to module, the one place where codes are given out. A code is never used again.
MODULES = {
    "SYN001": "invalid_reference",
    "ENC001": "stray_percent",
    "ENC002": "non_utf8_percent",
    "ENC003": "query_unencodable",
    "ENC004": "malformed_bytes",
    "DEL001": "outer_whitespace",
    "DEL002": "inner_whitespace",
    "DEL003": "backslash",
    "HST001": "invalid_host",
    "UNI001": "control_character",
    "BID001": "bidi_formatting",
    "DOC001": "undeclared_charset",
    "DOC002": "charset_disagreement",
}


@cache
def _load(code: str) -> Rule:
    module = import_module(f"linkfix.auditing.rules.{MODULES[code]}")
    return Rule(
        code,
        MODULES[code].replace("_", "-"),
        module.SEVERITY,
        module.SECTION,
        (module.__doc__ or "").strip(),
        getattr(module, "check", None),
        getattr(module, "check_document", None),
    )


def rules() -> list[Rule]:
    """Give every rule, in the order of the catalogue."""
    return [_load(code) for code in MODULES]


def rule(name: str) -> Rule | None:
    """Give the rule of a code or a name, in any case; None where there is none."""
    wanted = name.strip()
    for code, module in MODULES.items():
        if wanted.upper() == code or wanted.lower().replace("-", "_") == module:
            return _load(code)
    return None
