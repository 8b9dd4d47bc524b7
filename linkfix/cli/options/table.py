"""The table of settings: what declares a setting also makes its option, and its key in settings files.

The settings of a command are a class with `settings`, whose docstring has the help of each option. Each of its fields is declared by a function of this module, or is a
group: another such class, which several commands share. `command` makes a command of click from a table and a
function, which gets the settings as one typed object. `keys` returns what files can set. A misspelt name of a setting is
an error of mypy.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from enum import Enum
from inspect import signature
from typing import Any, Literal, NamedTuple, TypeVar, dataclass_transform

import click

from linkfix.cli.options.operands import Parsed, label, pattern
from linkfix.errors import ArgumentError, JournalError, MigrationError, MoveError

T = TypeVar("T")
#: The keys of a declaration in the metadata of a field.
_PARAMETERS, _GROUP = "parameters", "group"
#: The table of the site in settings files.
SITE = "site"


class Where(Enum):
    """Where a setting can be set besides the command line."""

    #: In a settings file: how links are read, compared and written, and what is reported.
    FILE = "file"
    #: There too, but a file that was found can only lower it: it bounds what a document may cost. 0 is no limit.
    LIMIT = "limit"
    #: In the table of the site in a settings file, under the name of the field.
    SITE = "site"
    #: Nowhere: whether and where something is written, and what needs consent.
    LINE = "line"


class Setting(click.Option):
    """An option that knows where else it can be set, and the title of its group."""

    where: Where
    title: str

    @property
    def keys(self) -> list[str]:
        """The keys of settings files that set it."""
        if self.where is Where.SITE:
            return [f"{SITE}.{str(self.name).replace('_', '-')}"]
        every = (*self.opts, *self.secondary_opts)
        return [each[2:] for each in every if each.startswith("--")]


class Command(click.Command):
    """A command whose ``--help`` shows the options in `first`, and ``--help-all`` all of them in groups."""

    first: Sequence[str] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help."""
        shown = [] if ctx.meta.get(_ALL) else self.first
        sections: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if not shown or not {*shown, "--help", "--help-all"}.isdisjoint(each.opts):
                title = "" if shown else getattr(each, "title", "")
                record = each.get_help_record(ctx)
                # The usage and the text above name the arguments; click 8.5 has a row for each of them too.
                if record is not None and not isinstance(each, click.Argument):
                    sections.setdefault(title or "Options", []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _help_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


#: Whether all options are shown, in the `meta` of a context.
_ALL = "linkfix.help-all"


def _color(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value not in {None, "auto"}:
        ctx.color = value == "always"


def apart(*names: str, **attributes: Any) -> click.Option:
    """Return an option that sets none of the settings; it is processed before others."""
    return click.Option(names, is_eager=True, **attributes)


_COLOR = apart(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    callback=_color,
    help="Write colours; auto: on a terminal, unless NO_COLOR or FORCE_COLOR is set.  [default: auto]",
)
_VERBOSE = apart(
    *("-v", "--verbose"),
    is_flag=True,
    help="Say which settings are in force, and each document that is done.",
)
_HELP_ALL = apart(
    "--help-all", is_flag=True, callback=_help_all, help="Show all options, in groups."
)


class Parameter(NamedTuple):
    """The declaration of one parameter of click.

    Attributes:
        names: of the option; without any, that of the field.
        attributes: of the option or argument.
        where: where it can be set besides; None for an argument.

    """

    names: tuple[str, ...]
    attributes: Mapping[str, Any]
    where: Where | None = Where.FILE

    def made(self, name: str, kind: str, text: str, title: str) -> click.Parameter:
        """Return the parameter for the field of this name.

        Args:
            name: of the field.
            kind: its type, as it is annotated.
            text: the help.
            title: of the group.

        """
        if self.where is None:
            return click.Argument([name], **self.attributes)
        attributes = {"help": text, **self.attributes}
        if attributes.get("type") is Literal:
            words = kind.removesuffix(" | None").removeprefix("Literal")
            attributes["type"] = click.Choice(ast.literal_eval(words))
        names = self.names or (f"--{name.replace('_', '-')}",)
        setting = Setting([*names, name], **attributes)
        setting.where, setting.title = self.where, title
        return setting


def declared(*parameters: Parameter, default: Any = None) -> Any:
    """Declare a setting.

    Args:
        parameters: the parameters of click that set it.
        default: its value if none of them does, or a function that returns it.

    """
    kind = "default_factory" if callable(default) else "default"
    return field(**{kind: default}, metadata={_PARAMETERS: parameters})


def option(
    *names: str, text: str | None = None, where: Where = Where.FILE, **attributes: Any
) -> Any:
    """Declare a setting that is one option.

    Args:
        names: of the option; without any, that of the field.
        text: the help; None for what the docstring of the table says of the field.
        where: where it can be set besides.
        attributes: of `click.Option`.

    """
    default = attributes.get("default", () if attributes.get("multiple") else None)
    if text is not None:
        attributes["help"] = text
    parameter = Parameter(names, attributes, where)
    return declared(parameter, default=default)


def flag(*names: str, text: str | None = None, where: Where = Where.FILE) -> bool:
    """Declare a setting that is on or off; the arguments are those of `option`."""
    on: bool = option(*names, text=text, where=where, is_flag=True, default=False)
    return on


def choice(default: str | None, *names: str, text: str | None = None) -> Any:
    """Declare a setting that is one of the words of its type, which is a Literal; the arguments are those of `option`."""
    return option(
        *names, text=text, type=Literal, default=default, show_default=default is not None
    )


def bounded(
    metavar: str,
    default: float,
    least: int,
    most: int | None = None,
    *,
    where: Where = Where.LIMIT,
    type: type[click.IntRange | click.FloatRange] = click.IntRange,
) -> Any:
    """Declare a setting that is a number.

    Args:
        metavar: the unit.
        default: the number if none is set.
        least: the least number.
        most: the greatest one; None for none.
        where: where it can be set besides.
        type: whether it is an integer.

    """
    kind: Any = type(least, most)
    return option(where=where, type=kind, default=default, show_default=True, metavar=metavar)


def label_option(*also: str, text: str | None = None, metavar: str = "LABEL") -> Any:
    """Declare a charset; `also` are words that are no label of one."""
    return option(text=text, type=label(*also), metavar=metavar)


def _base(value: str) -> str:
    from linkfix.policy.bases import hierarchical_base

    return hierarchical_base(value)


def base_option(parse: Callable[[str], str] = _base, *, required: bool = False) -> Any:
    """Declare an address, an absolute IRI that relative references can be resolved against."""
    return option(where=Where.SITE, metavar="IRI", type=Parsed(parse), required=required)


def local_names_option() -> Any:
    """Declare the hosts that are looked up elsewhere than in DNS."""
    return option(
        "--local-name",
        text="A host without DNS, or with a dot in front the end of such names (.local): it stays in Unicode.",
        multiple=True,
        metavar="NAME",
    )


def idna_option() -> Any:
    """Declare the profile for host names."""
    return choice("uts46", text="The profile for host names.")


def patterns_option(*names: str, where: Where = Where.FILE) -> Any:
    """Declare patterns as in ``.gitignore``; the arguments are those of `option`."""
    return option(*names, where=where, multiple=True, type=Parsed(pattern), metavar="PATTERN")


def file_option(*names: str, text: str | None = None, **path: Any) -> Any:
    """Declare a file that is written."""
    return option(*names, text=text, where=Where.LINE, type=click.Path(**path), metavar="FILE")


def argument(**attributes: Any) -> Any:
    """Declare a setting that is an argument; `attributes` are those of `click.Argument`."""
    default = () if attributes.get("nargs") == -1 else None
    return declared(Parameter((), attributes, None), default=default)


def _set(self: Any, **values: Any) -> None:
    for each in fields(self):
        if each.name in values:
            value = values[each.name]
        elif _GROUP in each.metadata:
            value = each.metadata[_GROUP](**values)
        else:
            value = each.default if each.default_factory is MISSING else each.default_factory()
        object.__setattr__(self, each.name, value)


def _refuse(self: Any, name: str, value: object = None) -> None:
    del value
    raise FrozenInstanceError(f"{name} of {type(self).__name__} cannot be changed")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def settings(table: type[T]) -> type[T]:
    """Make a class a table of settings: a frozen dataclass. All have the same methods, since it takes time to compile some.

    The arguments are the settings, and those of groups by their own names, as the parameters of click have them.
    """
    table.__init__ = _set  # type: ignore[method-assign]
    above = getattr(table, "__dataclass_params__", None)
    is_frozen = above is not None and above.frozen  # it extends another frozen dataclass
    if not is_frozen:
        table.__setattr__ = table.__delattr__ = _refuse  # type: ignore[method-assign]
    return dataclass(init=False, repr=False, eq=False, frozen=is_frozen)(table)


def group(table: type[T]) -> T:
    """Declare settings that are a group of their own."""
    made: T = field(default_factory=table, metadata={_GROUP: table})
    return made


def parameters(table: type[Any], title: str = "") -> list[click.Parameter]:
    """Return the parameters of click for a table, in the order of the help."""
    found: list[click.Parameter] = []
    texts = _texts("".join(str(each.__doc__) for each in reversed(table.__mro__)))
    for each in fields(table):
        if (inner := each.metadata.get(_GROUP)) is not None:
            first_line = str(inner.__doc__).partition("\n")[0]
            found += parameters(inner, first_line.partition(":")[0].rstrip("."))
        declared = each.metadata.get(_PARAMETERS, ())
        text = texts.get(each.name, "")
        found += [parameter.made(each.name, str(each.type), text, title) for parameter in declared]
    return found


def _texts(doc: str) -> dict[str, str]:
    """Return what the docstring of a table says of its fields, by their names."""
    entries = re.findall(r"^ {8}(\w+): (.*(?:\n {12}.*)*)", doc, re.MULTILINE)
    return {name: re.sub(r"\n *", " ", text) for name, text in entries}


def keys(table: type[Any]) -> dict[str, Where]:
    """Return the keys of settings files for a table, each with where it can be set."""
    settings = [each for each in parameters(table) if isinstance(each, Setting)]
    return {key: each.where for each in settings for key in each.keys}


def settings_of(kind: type[T], options: Any, **others: Any) -> T:
    """Return the settings of a job: those options that have the names of its fields, and others.

    Args:
        kind: the class of the settings.
        options: of the command.
        others: the fields that are no option of the same name, or have another value.

    """
    names = vars(options).keys() & signature(kind).parameters.keys() - others.keys()
    return kind(**{name: getattr(options, name) for name in names}, **others)


def flat(settings: Any) -> dict[str, object]:
    """Return settings, and those in their groups, by name."""
    found: dict[str, object] = {}
    for each in fields(settings):
        value = getattr(settings, each.name)
        found |= flat(value) if _GROUP in each.metadata else {each.name: value}
    return found


def command_of(
    name: str,
    table: type[T],
    work: Callable[[click.Context, T], int],
    *more: click.Parameter,
    cls: type[Command] = Command,
    first: str = "",
) -> click.Command:
    """Return the command of a function, whose docstring is its help.

    Args:
        name: of the command.
        table: its settings.
        work: gets the context and the settings, and returns the exit status.
        more: parameters that set none of them.
        cls: of the command.
        first: the options that ``--help`` shows; without any it shows all.

    """

    def callback(**values: Any) -> None:
        context = click.get_current_context()
        try:
            context.exit(work(context, table(**values)))
        except (ArgumentError, JournalError, MigrationError, MoveError) as error:
            raise click.UsageError(str(error)) from None

    params = [*parameters(table), _COLOR, _VERBOSE, *more, *([_HELP_ALL] if first else [])]
    made_command = cls(name, callback=callback, params=params, help=work.__doc__)
    made_command.first = first.split()
    return made_command
