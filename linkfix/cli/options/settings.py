"""Settings from the nearest ``linkfix.toml``, or ``pyproject.toml`` with a table ``[tool.linkfix]``, or from ``--config FILE``.

Options of a command are set in the table of its name, options that several commands have at the top level (of
``linkfix.toml``) or in ``[tool.linkfix]`` itself (of ``pyproject.toml``); the command line goes before both::

    [tool.linkfix]
    exclude = ["/drafts/"]

    [tool.linkfix.audit]
    ignore = ["SCH003"]
    fail-on = "warning"

    [tool.linkfix.audit.per-file-ignores]
    "archive/*" = ["ENC", "outer-whitespace"]

Each command's table in `linkfix.cli.options` says where an option can be set (`Where`). Without ``--config`` linkfix finds
the file; the user does not name it, and another person may have written it. So it sets how
documents are read and what is reported, and never whether or where anything is written. A path
in it is relative to the file's folder and must stay inside of it. A file that the user names follows the same rules. Of a file
that is found, limits can only be lower than the defaults, and lists have a greatest length; a file of another
user, or in the folder of another user, is passed over.

``[tool.linkfix.site]`` says how the server maps URLs to files, for every command::

    [tool.linkfix.site]
    base = "https://www.example.org/"
    root = "public"
    clean-urls = true
    aliases = { "/img/" = "static/images" }
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import click

from linkfix.cli.options.table import SITE, Command, Setting, Where, apart, command_of, keys
from linkfix.cli.output import complain, is_verbose
from linkfix.errors import LinkfixError
from linkfix.files.globs import wildcards
from linkfix.files.local import found_content
from linkfix.files.paths import is_remote, split

T = TypeVar("T")

#: The names of the files, the one that goes before the other in the same folder first.
_OWN, _SHARED = "linkfix.toml", "pyproject.toml"
_PER_FILE = "per-file-ignores"
#: Where a key is that a file can have in the table of a command, or at its top.
_FOUND = (Where.FILE, Where.LIMIT)
#: The commands without settings.
_UNSETTABLE = {"demo", "iri"}
#: The modules with the tables of commands whose tables are in no module of their own.
_MODULES = dict.fromkeys(("graph", "migrate", "mv", "verify"), "sites")
#: The largest file in bytes.
_LARGEST = 4 * 1024 * 1024
#: The most values of one option, and the longest in characters, in a file that was found.
_MOST, _LONGEST = 1000, 4096


class Settings(NamedTuple):
    """The content of the file.

    Attributes:
        file: the file.
        tables: the whole of ``linkfix.toml``, or of ``[tool.linkfix]``.
        is_found: whether the user did not name the file.

    """

    file: Path = Path(_SHARED)
    tables: Mapping[str, Any] = {}
    is_found: bool = True

    @property
    def folder(self) -> Path:
        """The folder of the file; patterns match paths relative to it."""
        return self.file.parent

    def wrong(self, key: str, what: str) -> click.UsageError:
        """Return the error of a setting."""
        names = [*(["tool.linkfix"] if self.file.name == _SHARED else []), *([key] if key else [])]
        return click.UsageError(f"{self.file}: {'.'.join(names)} {what}")

    def table(self, command: str) -> Mapping[str, Any]:
        """Return the table of a command; an empty one where there is none.

        Raises:
            UsageError: this is no table.

        """
        table: Any = self.tables.get(command, {})
        if not isinstance(table, dict):
            raise self.wrong(command, "is no table")
        return table

    def check_size(self, key: str, values: Iterable[str]) -> None:
        """Refuse more or longer values than a file that was found may have.

        Raises:
            UsageError: they are too many or too long.

        """
        lengths = [*map(len, values)] if self.is_found else []
        if len(lengths) > _MOST or max(lengths, default=0) > _LONGEST:
            raise self.wrong(
                key,
                f"has more than {_MOST:,} values or {_LONGEST:,} characters in one; name the file with --config if you trust it",
            )

    def per_file_ignores(self) -> Mapping[str, list[str]]:
        """Return the rules of the audit that some files ignore, by the patterns of their names.

        Raises:
            UsageError: this is not a table of lists of strings.

        """
        patterns: Any = self.table("audit").get(_PER_FILE, {})
        lists = patterns.values() if isinstance(patterns, dict) else [None]
        if not all(isinstance(x, list) and all(isinstance(s, str) for s in x) for x in lists):
            raise self.wrong(f"audit.{_PER_FILE}", "is no table of lists of rules")
        self.check_size(f"audit.{_PER_FILE}", [*patterns])
        return cast("Mapping[str, list[str]]", patterns)

    def ignored_in(self, patterns: Mapping[str, list[str]], path: str) -> list[str]:
        """Return the rules that a file ignores.

        Args:
            patterns: as `per_file_ignores` returns them.
            path: of the file. A pattern is matched against the path from the folder of the settings, with slashes;
                against the URL of a remote file, and that without its scheme and archive. ``*`` matches any characters, slashes included.

        """
        if not patterns:
            return []
        names = [path, split(path)[0].partition("://")[2]]
        if not is_remote(path):
            names = [Path(os.path.relpath(path, self.folder)).as_posix()]
        return [
            selector
            for pattern, selectors in patterns.items()
            if any(wildcards(pattern).fullmatch(name) for name in names)
            for selector in selectors
        ]


def find(folder: Path | None = None) -> Settings:
    """Read the settings for a folder: from the nearest file of this user or of root, in it or above, that has any.

    Raises:
        UsageError: as `read`.

    """
    start = Path.cwd() if folder is None else folder
    for parent in (start, *start.parents):
        for name in (_OWN, _SHARED):
            file = parent / name
            if not os.path.isfile(file):  # noqa: PTH113 - False in a folder that this user may not enter
                continue
            why, hint = (
                "Permission denied",
                "check its permissions, or name another file with --config",
            )
            if os.access(file, os.R_OK):
                data = found_content(file, _LARGEST + 1)
                settings = Settings()
                if name == _OWN or b"linkfix" in data:
                    settings = _parsed(file, data)
                if not settings.tables:
                    continue
                if not _is_foreign(file):
                    return settings
                why = "another user owns the file or its folder"
                hint = "--config names a file that you trust"
            complain(LinkfixError(f"these settings are not used: {why}", hint=hint, file=str(file)))
    return Settings()


def read(file: Path) -> Settings:
    """Read the settings in a file that the user names.

    Args:
        file: ``[tool.linkfix]`` counts if its name is ``pyproject.toml``, else all of it.

    Raises:
        UsageError: the file cannot be read, is not TOML, is too large, or the table is none.

    """
    if not file.is_file():
        raise click.UsageError(f"--config: {file} is no file")
    try:
        file.open("rb").close()
    except OSError as error:
        raise click.UsageError(f"--config: {file}: {error.strerror}") from None
    return _parsed(file.absolute(), found_content(file, _LARGEST + 1))._replace(is_found=False)


def _is_foreign(file: Path) -> bool:
    """Return whether a file, or its folder, belongs to another user than this one and root, as ``safe.directory`` of git does."""
    if not hasattr(os, "geteuid"):
        return False
    user = os.geteuid()
    trusted = {0, user}
    if not user and (before := os.environ.get("SUDO_UID", "")).isdecimal():  # who has become root
        trusted.add(int(before))
    try:
        return not {file.stat().st_uid, file.parent.stat().st_uid} <= trusted
    except OSError:
        return True


def _parsed(file: Path, data: bytes) -> Settings:
    """Return the settings in the bytes of a file."""
    if len(data) > _LARGEST:
        raise click.UsageError(
            f"{file}: it has more than {_LARGEST >> 20} MiB; work in another folder"
        )
    from linkfix.policy.linkmap_syntax import parse_toml

    try:
        tables: Any = parse_toml(data.decode("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except RecursionError:
        raise click.UsageError(f"{file}: it is nested too deeply") from None
    if file.name == _SHARED:
        tool = tables.get("tool", {})
        tables = tool.get("linkfix", {}) if isinstance(tool, dict) else {}
        if not isinstance(tables, dict):
            raise click.UsageError(f"{file}: tool.linkfix is no table")
    return Settings(file, tables)


def _apply(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Find or read the settings, and make them the defaults of the command."""
    settings = find() if value is None else read(Path(value))
    if settings.tables and is_verbose():
        complain(f"settings: {settings.file}")
    if settings.tables:
        ctx.default_map = defaults_of(ctx.command, settings)
    ctx.obj = settings


#: The option of every command that has settings; it sets the defaults of all others.
_CONFIG = apart(
    "--config",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    callback=_apply,
    help="Read the settings in this file.  [default: the nearest linkfix.toml or pyproject.toml]",
)


def command(
    name: str, table: type[T], first: str = "", cls: type[Command] = Command
) -> Callable[[Callable[[click.Context, T], int]], click.Command]:
    """Make a command of a function as `command_of` does; files can set its settings."""
    return lambda work: command_of(name, table, work, _CONFIG, cls=cls, first=first)


@cache
def known_keys() -> dict[str, Where]:
    """Return the keys in the tables of all commands, each with where it can be set."""
    from linkfix.cli.group import COMMANDS

    found = {"config": Where.LINE}
    for name in COMMANDS.keys() - _UNSETTABLE:
        found |= keys(table_of(name))
    return found


def table_of(command: str) -> type[Any]:
    """Return the table of the settings of a command."""
    module = import_module(f"linkfix.cli.options.{_MODULES.get(command, command)}")
    table: type[Any] = getattr(module, f"{command.capitalize()}Options")
    return table


def _where(options: Mapping[str, Setting], key: str) -> Where | None:
    """Return where a key of any command can be set, by the options of the one that runs; None for no such key."""
    return options[key].where if key in options else known_keys().get(key)


def defaults_of(command: click.Command, settings: Settings) -> dict[str, Any]:
    """Return the defaults of a command's options, by the names of its parameters.

    Args:
        command: whose options are set.
        settings: what the file says.

    Raises:
        UsageError: a setting is no option, belongs to the command line only, or has a wrong type.

    """
    from linkfix.cli.group import COMMANDS

    params = [each for each in command.params if isinstance(each, Setting)]
    options = {key: option for option in params for key in option.keys}
    own = command.name or ""
    ours = [key for key, option in options.items() if option.where in _FOUND]
    for table in COMMANDS:
        for key in settings.table(table):
            if not (key == _PER_FILE and table == "audit"):
                known = ours if table == own else None
                _check(settings, options, f"{table}.{key}", f"linkfix {table}", known)
    tables = [*COMMANDS, SITE]
    shared = {key: value for key, value in settings.tables.items() if key not in tables}
    for key, value in shared.items():
        _check(settings, options, key, "linkfix", tables if isinstance(value, dict) else None)
    defaults: dict[str, Any] = {}
    for key, value in settings.table(SITE).items():
        place = f"{SITE}.{key}"
        if _where(options, place) is None:
            known = [each.removeprefix(f"{SITE}.") for each in _keys_of(Where.SITE)]
            raise _unknown(settings, place, known, "the site")
        if (option := options.get(place)) is not None and option.name is not None:
            defaults[option.name] = _of_site(settings, option, key, place, value)
    for prefix, values in (("", shared), (f"{own}.", settings.table(own))):
        for key, value in values.items():
            if (option := options.get(key)) is not None and option.name is not None:
                defaults[option.name] = _value(settings, option, key, prefix + key, value)
    return defaults


def _check(
    settings: Settings,
    options: Mapping[str, Setting],
    place: str,
    whose: str,
    known: Sequence[str] | None,
) -> None:
    """Refuse a key that is no option, or belongs to the command line or to the site only.

    Args:
        settings: what the file says.
        options: of the command that runs.
        place: of the key in the file.
        whose: who has no such option, for the message.
        known: the keys that there are; None for those of all commands.

    """
    key = place.rpartition(".")[2]
    where = _where(options, key)
    if where in _FOUND and (known is None or key in known):
        return
    if where is Where.LINE:
        raise settings.wrong(
            place,
            "would say what is written or executed, which a file that was found cannot; "
            f"remove it, and use --{key} on the command line",
        )
    if _where(options, f"{SITE}.{key}"):
        raise settings.wrong(place, f"belongs into the table {SITE}; move it there")
    raise _unknown(settings, place, _keys_of(*_FOUND) if known is None else known, whose)


def _keys_of(*places: Where) -> list[str]:
    """Return the keys of all commands that can be set at any of these places."""
    return [key for key, where in known_keys().items() if where in places]


def _unknown(settings: Settings, place: str, known: Iterable[str], whose: str) -> click.UsageError:
    """Return the error of a key that nothing knows."""
    from difflib import get_close_matches

    near = get_close_matches(place.rpartition(".")[2], known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    if place == "tool":
        hint = "; only pyproject.toml has [tool.linkfix.audit], another file [audit]"
    return settings.wrong(place, f"is no option of {whose}{hint}")


def _of_site(settings: Settings, option: Setting, key: str, place: str, value: Any) -> Any:
    """Return the value of an option of the site as the command line would have it."""
    if key == "root":
        return _folder(settings, place, _value(settings, option, key, place, value))
    if key == "aliases":
        if not isinstance(value, dict) or not all(isinstance(x, str) for x in value.values()):
            raise settings.wrong(place, "is no table of paths of the server, each with a folder")
        value = [f"{path}={_folder(settings, place, each)}" for path, each in value.items()]
    return _value(settings, option, key, place, value)


def _value(settings: Settings, option: Setting, key: str, place: str, value: Any) -> Any:
    """Return the value of an option as the command line would have it."""
    kind = "true or false" if option.is_flag else "a string"
    right = isinstance(value, bool) if option.is_flag else isinstance(value, str)
    if option.multiple and not option.is_flag:
        kind = "a string, or a list of them"
        if option.name == "severity":
            kind = "a table of rules, each with a severity"
            is_table = isinstance(value, dict) and all(isinstance(x, str) for x in value.values())
            value = [f"{name}={level}" for name, level in value.items()] if is_table else None
        value = [value] if isinstance(value, str) else value
        right = isinstance(value, list) and all(isinstance(each, str) for each in value)
    elif isinstance(option.type, click.types.IntParamType):
        kind, right = "a whole number", type(value) is int
    elif isinstance(option.type, click.types.FloatParamType):
        kind, right = "a number", type(value) in {int, float}
    if not right:
        raise settings.wrong(place, f"is not {kind}")
    if isinstance(value, str | list):
        settings.check_size(place, [value] if isinstance(value, str) else value)
    if option.is_flag:
        if f"--{key}" in option.secondary_opts:
            return not value
        if isinstance(option.flag_value, str):
            return [option.flag_value] * value  # one of several, which exclude each other
        return value
    if isinstance(option.type, click.Path):
        use = f"use {option.opts[0]}"
        if option.multiple:
            return [_inside(settings, place, each, "file", use) for each in value]
        return _inside(settings, place, value, "file", use)
    try:
        option.type_cast_value(click.Context(click.Command(None)), value)
    except click.BadParameter as error:
        raise settings.wrong(place, f"is wrong: {error.message}") from None
    if option.where is Where.LIMIT and settings.is_found:
        return _limit(settings, option, key, place, value)
    return value


def _limit(settings: Settings, option: Setting, key: str, place: str, value: float) -> float:
    """Return a limit, which a file that was found cannot lift."""
    if key == "jobs":
        from linkfix.jobs.pool import cores

        return min(value, cores())
    default: Any = option.default
    if not value or value > default:
        raise settings.wrong(
            place,
            f"is more than {default:,}, which a file that was found cannot allow; use --{key} on the command line, "
            "or name the file with --config",
        )
    return value


def _inside(settings: Settings, place: str, value: str, kind: str, use: str) -> str:
    """Return the absolute path of a file or folder in the folder of the settings.

    Args:
        settings: what the file says.
        place: of the key in the file.
        value: the path, relative to that folder.
        kind: ``file`` or ``folder``, which can be that folder itself.
        use: what else one can do, for the message.

    """
    try:
        path = Path(os.path.realpath(settings.folder / value))
        is_there = path.is_dir() if kind == "folder" else path.is_file()
    except (OSError, ValueError):  # a name that is too long; a NUL
        is_there = False
    if not is_there or not path.is_relative_to(os.path.realpath(settings.folder)):
        raise settings.wrong(
            place,
            f"names {value!r}, which is no {kind} in the folder of the settings; correct it, or {use} on the command line",
        )
    return str(path)


def _folder(settings: Settings, place: str, value: str) -> str:
    return _inside(settings, place, value, "folder", "name that folder")
