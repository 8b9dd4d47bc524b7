"""Make the table of the facts of all rules from their modules.

    python tools/make_rules.py

A module that declares what no rule has is refused. A test compares the table with the modules.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.auditing import catalogue
from linkfix.auditing import needs as common
from linkfix.auditing.code_data import MODULES
from linkfix.auditing.needs import ODD
from linkfix.auditing.rule import Needs, Rule

if TYPE_CHECKING:
    from types import ModuleType

PLACE = Path(catalogue.__file__).with_name("rule_data.py")
BANNER = '''"""The facts of the rules, as their modules declare them.

``tools/make_rules.py`` made this file: do not edit it.
"""

from __future__ import annotations

#: Of each code the severity, the section, what it needs, its flags, and its functions. A rule needs values that match
#: a pattern (``needs``), odd values that match one (``odd``), or what the named object says (``by``).
RULES = {
'''
#: What the module of a rule may declare, with the field of `Rule`.
DECLARATIONS = {
    "SEVERITY": "severity",
    "SECTION": "section",
    "NEEDS": "needs",
    "SCRIPT": "script",
    "TEMPLATE": "template",
    "NAMES": "names",
    "UNKNOWN": "unknown",
    "FATAL": "fatal",
}
#: The fields of `Rule` that are true or false.
FLAGS = ("script", "template", "names", "unknown", "fatal")


def load(code: str) -> Rule:
    """Return the rule of a module.

    Raises:
        ValueError: the module declares what no rule has, or does not declare what each has.

    """
    module = catalogue.module_of(code)
    names = vars(module)
    for name in names:
        is_private = name.startswith("_") or not name.isupper()
        if not (is_private or name in DECLARATIONS or _is_imported(name, module)):
            near = get_close_matches(name, DECLARATIONS, 1)
            raise _wrong(module, f"declares {name}, which no rule has", *near)
    missing = [name for name in ("SEVERITY", "SECTION", "__doc__") if not names.get(name)]
    if missing:
        raise _wrong(module, f"has no {missing[0]}")
    if not names.keys() & catalogue.FUNCTIONS.keys():
        raise _wrong(module, "has none of the functions of a rule", *catalogue.FUNCTIONS)
    if "NEEDS" in names and not names.keys() & {"check", "watch"}:
        raise _wrong(module, "has NEEDS, and no function that is asked about links")
    fields = DECLARATIONS | catalogue.FUNCTIONS
    return Rule(
        code=code,
        name=catalogue.name_of(code),
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


def demand(needs: Needs) -> str:
    """Return what a rule needs as one text."""
    for name, value in vars(common).items():
        if name.isupper() and name != "ODD" and value == needs:
            return f"by {common.__name__}.{name}"
    if callable(needs):
        return f"by {needs.__module__}.{needs.__name__}"
    if needs.startswith(ODD):
        return f"odd {needs.removeprefix(f'{ODD}(?:').removesuffix(')')}"
    return needs and f"needs {needs}"


def facts(rule: Rule) -> tuple[str, str, str, str, str]:
    """Return the row of a rule."""
    functions = catalogue.FUNCTIONS.items()
    return (
        str(rule.severity),
        rule.section,
        demand(rule.needs),
        " ".join(name for name in FLAGS if getattr(rule, name)),
        " ".join(name for name, field in functions if getattr(rule, field) is not None),
    )


def main() -> None:
    rows = ((code, facts(load(code))) for code in MODULES)
    lines = [f'    "{code}": {row!r},\n' for code, row in rows]
    PLACE.write_text(f"{BANNER}{''.join(lines)}}}\n", "utf-8")


if __name__ == "__main__":
    main()
