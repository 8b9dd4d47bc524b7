"""The catalogue: every rule by its code, each in a module of its own."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from linkfix.auditing.rule import Rule

if TYPE_CHECKING:
    from types import ModuleType

#: How many letters of a code name the concern of the rule.
CONCERN = 3

#: The module of each code; codes are assigned only here. A code is never used again.
MODULES = {
    "SYN001": "invalid_reference",
    "SYN002": "second_fragment",
    "SYN003": "bracket",
    "SYN004": "delimiter",
    "SYN005": "unwise_character",
    "SYN006": "colon_in_first_segment",
    "SYN007": "template",
    "SYN008": "unwritable_value",
    "SYN009": "disputed_reference",
    "ENC001": "stray_percent",
    "ENC002": "non_utf8_percent",
    "ENC003": "query_unencodable",
    "ENC004": "malformed_bytes",
    "ENC005": "percent_u",
    "ENC006": "overlong_percent",
    "ENC007": "double_encoded",
    "ENC008": "lower_case_hex",
    "ENC009": "needless_percent",
    "ENC010": "query_charset",
    "ENC011": "encoded_control",
    "ENC012": "encoded_slash",
    "ENC013": "unterminated_reference",
    "ENC014": "guessed_charset",
    "ENC015": "moves_declaration",
    "ENC016": "disputed_octets",
    "DEL001": "outer_whitespace",
    "DEL002": "inner_whitespace",
    "DEL003": "backslash",
    "DEL004": "missing_slashes",
    "DEL005": "quoted_link",
    "HST001": "invalid_host",
    "HST002": "deviation_character",
    "HST003": "odd_a_label",
    "HST004": "mixed_script_host",
    "HST005": "lookalike_host",
    "HST006": "percent_encoded_host",
    "HST007": "upper_case_host",
    "HST008": "trailing_dot_host",
    "HST009": "odd_ipv4",
    "HST010": "long_host",
    "HST011": "odd_ipv6",
    "HST012": "mapped_host",
    "HST013": "local_host",
    "HST014": "lookalike_delimiter",
    "HST015": "latin_lookalike_host",
    "UNI001": "control_character",
    "UNI002": "not_nfc",
    "UNI003": "compatibility_character",
    "UNI004": "private_use",
    "UNI005": "private_use_query",
    "UNI006": "non_character",
    "UNI007": "special_character",
    "UNI008": "tag_character",
    "UNI009": "unassigned",
    "UNI010": "invisible_character",
    "UNI011": "encoded_replacement",
    "UNI012": "mojibake",
    "UNI013": "mixed_script_word",
    "BID001": "bidi_formatting",
    "BID002": "bidi_mixed_direction",
    "BID003": "bidi_edge",
    "BID004": "bidi_number_edge",
    "BID005": "encoded_bidi_formatting",
    "SCH001": "default_port",
    "SCH002": "empty_port",
    "SCH003": "empty_path",
    "SCH004": "password",
    "SCH005": "user_name",
    "SCH006": "script_link",
    "SCH007": "mixed_content",
    "SCH008": "unknown_scheme",
    "SCH009": "upper_case_scheme",
    "SCH010": "retired_scheme",
    "SCH011": "local_file",
    "SCH012": "invalid_for_scheme",
    "PTH001": "dot_segment",
    "PTH002": "empty_segment",
    "PTH003": "above_root",
    "PTH004": "encoded_dots",
    "REF001": "empty_link",
    "REF002": "missing_target",
    "REF003": "second_base",
    "REF004": "late_base",
    "REF005": "unusable_base",
    "REF006": "missing_scheme",
    "REF007": "bare_mail_address",
    "REF008": "ignored_xml_base",
    "REF009": "disputed_codebase",
    "SIT001": "alias",
    "SIT002": "identity_variants",
    "SIT003": "case_variants",
    "SIT004": "scheme_variants",
    "SIT005": "lookalike_targets",
    "SIT006": "unknown_attribute",
    "TGT001": "missing_file",
    "TGT002": "file_case",
    "TGT003": "file_spelling",
    "TGT004": "missing_index",
    "TGT005": "missing_fragment",
    "TGT006": "outside_site",
    "TGT007": "redirected",
    "TGT008": "redirect_loop",
    "TGT009": "canonical_chain",
    "TGT010": "canonical_disagreement",
    "TGT011": "entry_not_canonical",
    "TGT012": "one_way_alternate",
    "TGT013": "refresh_chain",
    "TGT014": "orphan",
    "DOC001": "undeclared_charset",
    "DOC002": "charset_disagreement",
    "DOC003": "late_meta",
    "DOC004": "legacy_charset",
}


#: What the module of a rule may declare, with the field of `Rule`.
_DECLARATIONS = {
    "SEVERITY": "severity",
    "SECTION": "section",
    "NEEDS": "needs",
    "SCRIPT": "script",
    "TEMPLATE": "template",
    "NAMES": "names",
    "UNKNOWN": "unknown",
    "FATAL": "fatal",
}
#: Its functions.
_FUNCTIONS = {
    "check": "check",
    "check_document": "document",
    "watch": "watch",
    "watch_site": "watch_site",
    "check_pages": "pages",
}


@cache
def _load(code: str) -> Rule:
    """Return the rule of a module.

    Raises:
        ValueError: the module declares what no rule has, or does not declare what each has.

    """
    module = import_module(f"linkfix.auditing.rules.{MODULES[code]}")
    names = vars(module)
    for name in names:
        is_private = name.startswith("_") or not name.isupper()
        if not (is_private or name in _DECLARATIONS or _is_imported(name, module)):
            near = get_close_matches(name, _DECLARATIONS, 1)
            raise _wrong(module, f"declares {name}, which no rule has", *near)
    missing = [name for name in ("SEVERITY", "SECTION", "__doc__") if not names.get(name)]
    if missing:
        raise _wrong(module, f"has no {missing[0]}")
    if not names.keys() & _FUNCTIONS.keys():
        raise _wrong(module, "has none of the functions of a rule", *_FUNCTIONS)
    if "NEEDS" in names and not names.keys() & {"check", "watch"}:
        raise _wrong(module, "has NEEDS, and no function that is asked about links")
    fields = _DECLARATIONS | _FUNCTIONS
    return Rule(
        code=code,
        name=MODULES[code].replace("_", "-"),
        page=str(module.__doc__).strip(),
        **{field: names[name] for name, field in fields.items() if name in names},
    )


def _is_imported(name: str, module: ModuleType) -> bool:
    """Return whether a name of a module is the same in another one."""
    value = vars(module)[name]
    return any(
        getattr(other, "__dict__", {}).get(name) is value
        for other in [*sys.modules.values()]
        if other is not module
    )


def _wrong(module: ModuleType, what: str, *names: str) -> ValueError:
    hint = f"; is it {' or '.join(names)}?" if names else ""
    return ValueError(f"the rule {module.__name__} {what}{hint}")


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(_load(code) for code in MODULES)


def rules() -> list[Rule]:
    """Return every rule, in the order of the catalogue."""
    return [*_rules()]


def rule(name: str) -> Rule | None:
    """Return the rule of a code or a name, in any letter case; None if there is none."""
    wanted = name.strip()
    for code, module in MODULES.items():
        if wanted.upper() == code or wanted.lower().replace("-", "_") == module:
            return _load(code)
    return None
