"""The catalogue: every rule by its code, each in a module of its own."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from linkfix.auditing.code_data import MODULES
from linkfix.auditing.rule import Rule

if TYPE_CHECKING:
    from types import ModuleType

#: How many letters of a code name the concern of the rule.
CONCERN = 3


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
