"""Settings from ``[tool.linkfix]`` in the nearest ``pyproject.toml`` that has such a table.

Options of a command are set in the table of its name, options that several commands have in
``[tool.linkfix]`` itself; the command line goes before both::

    [tool.linkfix]
    base = "https://www.example.org/"

    [tool.linkfix.audit]
    ignore = ["SCH003"]
    fail-on = "warning"

    [tool.linkfix.audit.per-file-ignores]
    "archive/*" = ["ENC", "outer-whitespace"]
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Settings", "defaults_of", "find"]

_FILE = "pyproject.toml"
_PER_FILE = "per-file-ignores"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says.

    Attributes:
        folder: that the file is in, against which its patterns are matched.
        tables: the whole of ``[tool.linkfix]``.

    """

    folder: Path = field(default_factory=Path)
    tables: Mapping[str, Any] = field(default_factory=dict)

    def per_file_ignores(self, command: str) -> Mapping[str, list[str]]:
        """Give the rules that are not in force in some files, by the patterns of their names.

        Raises:
            UsageError: this is not a table of lists of strings.

        """
        patterns: Any = self.tables.get(command, {}).get(_PER_FILE, {})
        lists = patterns.values() if isinstance(patterns, dict) else [None]
        if not all(isinstance(x, list) and all(isinstance(s, str) for s in x) for x in lists):
            place = f"{self.folder / _FILE}: tool.linkfix.{command}.{_PER_FILE}"
            raise click.UsageError(f"{place} is no table of lists of rules")
        return cast("Mapping[str, list[str]]", patterns)

    def ignored_in(self, command: str, path: str) -> list[str]:
        """Give the rules that are not in force in a file.

        Args:
            command: whose table is asked.
            path: of the file. A pattern is matched against the path from the folder of the
                settings, with slashes; ``*`` stands for any characters, slashes included.

        """
        patterns = self.per_file_ignores(command)
        if not patterns:
            return []
        name = Path(os.path.relpath(path, self.folder)).as_posix()
        return [
            selector
            for pattern, selectors in patterns.items()
            if fnmatchcase(name, pattern)
            for selector in selectors
        ]


def find(folder: Path | None = None) -> Settings:
    """Read the settings that hold in a folder: of the nearest file in it or above that has any.

    Raises:
        UsageError: the file is not TOML, or the table is none.

    """
    start = Path.cwd() if folder is None else folder
    for parent in (start, *start.parents):
        try:
            text = (parent / _FILE).read_bytes()
        except OSError:
            continue
        if b"linkfix" not in text:
            continue
        try:
            tables = tomllib.loads(text.decode("utf-8")).get("tool", {}).get("linkfix", {})
        except ValueError as error:
            raise click.UsageError(f"{parent / _FILE}: {error}") from None
        if not isinstance(tables, dict):
            raise click.UsageError(f"{parent / _FILE}: tool.linkfix is no table")
        if tables:
            return Settings(parent, tables)
    return Settings()


def defaults_of(command: click.Command, settings: Settings, commands: set[str]) -> dict[str, Any]:
    """Give the defaults of a command's options, by the names of its parameters.

    Args:
        command: whose options are set.
        settings: what the file says.
        commands: the names of all commands.

    Raises:
        UsageError: a setting that no option has the name of.

    """
    options = {
        name.lstrip("-"): option
        for option in command.params
        if isinstance(option, click.Option)
        for name in option.opts
    }
    own = settings.tables.get(command.name or "", {})
    if not isinstance(own, dict):
        raise click.UsageError(
            f"{settings.folder / _FILE}: tool.linkfix.{command.name} is no table"
        )
    shared = {key: value for key, value in settings.tables.items() if key not in commands}
    for key in own:
        if key not in options and key != _PER_FILE:
            place = f"{settings.folder / _FILE}: tool.linkfix.{command.name}.{key}"
            raise click.UsageError(f"{place} is no option of this command")
    defaults: dict[str, Any] = {}
    for key, value in (shared | own).items():
        if (option := options.get(key)) is not None and option.name is not None:
            several = option.multiple and not isinstance(value, list)
            defaults[option.name] = [value] if several else value
    return defaults
