"""What is loaded, or compiled, when it is first used, so that a command starts quickly.

Most commands need a small part of the package, and most documents a small part of its patterns. A package whose names
have `members` loads the module of a name with the name; a `pattern` is compiled by its first call. Both cost one more
look-up at the first use, and nothing that can be measured later. A pattern that every document needs is compiled
where it is defined.
"""

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, AnyStr, cast


def members(package: str, homes: Mapping[str, str], *modules: str) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: it imports the module of a name.

    Args:
        package: its name.
        homes: its modules, each with the names from there, separated by spaces.
        modules: those that programs use by their names.

    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def load(name: str) -> object:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


class _Pattern:
    """A regular expression that gets each attribute of the compiled one when it is first asked for."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when one of its methods is first called."""
    return cast("re.Pattern[AnyStr]", _Pattern(source, flags))
