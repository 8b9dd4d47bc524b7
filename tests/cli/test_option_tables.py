"""The tables of settings: the types of their fields, which mypy checks every use against, are what click makes."""

from __future__ import annotations

import sys
import typing
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from typing import Any, Literal, get_args

import click
import pytest
from click.testing import CliRunner

from linkfix.cli import iri
from linkfix.cli.group import COMMANDS, cli
from linkfix.cli.options.rewrite import RewriteOptions
from linkfix.cli.options.settings import table_of
from linkfix.cli.options.sites import MigrateOptions, MvOptions
from linkfix.cli.options.table import Command, Setting, flat, parameters
from linkfix.files.cache import Cache
from linkfix.files.revisions import Changes
from linkfix.links import Addition, Pattern
from linkfix.links.html.embedded import How
from linkfix.links.templates import Mark
from linkfix.migration.settings import Settings as MigrationSettings
from linkfix.server.includes import Part
from linkfix.server.redirects.tables import RedirectFormat
from linkfix.sites.moving import MoveSettings
from linkfix.sites.writing import RewriteSettings

TABLES: list[type[Any]] = [
    *iri.Values.__subclasses__(),
    *(table_of(name) for name in COMMANDS if name not in {"demo", "iri"}),
]
#: What the tables import for types only.
TYPES: dict[str, Any] = {each.__name__: each for each in (Addition, Cache, Changes, Mark, Pattern)}
TYPES |= {"How": How, "RedirectFormat": RedirectFormat, "Mapping": Mapping, "Part": Part}


def hints(table: type[Any]) -> dict[str, Any]:
    """The types of all declared fields, those of groups included, by name."""
    own = typing.get_type_hints(table, localns=TYPES)
    found: dict[str, Any] = {}
    for field in fields(table):
        group = field.metadata.get("group")
        found |= hints(group) if group else {field.name: own[field.name]} if field.metadata else {}
    return found


def made_by(parameter: click.Parameter) -> object:
    """The type of what click makes of a parameter, without None."""
    kind: Any = str
    if isinstance(parameter.type, click.Choice):
        kind = Literal[tuple(parameter.type.choices)]
    elif parse := getattr(parameter.type, "parse", None):
        kind = typing.get_type_hints(parse, localns=TYPES)["return"]
    elif isinstance(parameter.type, click.types.BoolParamType):
        kind = bool
    elif isinstance(parameter.type, click.types.IntParamType):
        kind = int
    elif isinstance(parameter.type, click.types.FloatParamType):
        kind = float
    if parameter.nargs == 2:
        kind = tuple[kind, kind]
    return tuple[kind, ...] if parameter.multiple or parameter.nargs == -1 else kind


@pytest.mark.parametrize("table", TABLES)
def test_the_type_of_a_field_is_what_click_makes(table: type[Any]) -> None:
    found = hints(table)
    for parameter in parameters(table):
        assert parameter.name is not None
        if parameter.callback is None and parameter.expose_value:
            hint = found[parameter.name]
            parts = [each for each in get_args(hint) if each is not type(None)]
            bare = parts[0] if type(None) in get_args(hint) else hint
            assert bare == made_by(parameter), parameter.name


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_the_defaults_of_its_options(table: type[Any]) -> None:
    required = {"paths": "a", "source": ".", "target": "b"} | dict.fromkeys(
        ["old", "new", "one", "other", "work", "output", "base"], "extract"
    )
    values = {}
    for parameter in parameters(table):
        if parameter.required:
            values[parameter.name] = required[parameter.name or ""]
    command = click.Command("command", params=[p for p in parameters(table) if not p.required])
    with command.make_context("command", []) as context:
        click_made = table(**context.params | values)
    assert flat(click_made) | values == flat(table()) | values


@pytest.mark.parametrize(
    "name", ["audit", "extract", "graph", "migrate", "mv", "rewrite", "verify"]
)
def test_help_shows_the_first_options_and_all_in_groups(name: str) -> None:
    made_command = cli.get_command(click.Context(cli, **cli.context_settings), name)
    assert isinstance(made_command, Command)
    options = [each for each in made_command.params if isinstance(each, click.Option)]
    assert {*made_command.first} <= {word for each in options for word in each.opts}

    def helped(option: str) -> str:
        return (
            CliRunner().invoke(cli, [name, option], prog_name="linkfix", terminal_width=80).output
        )

    short, whole = helped("--help"), helped("--help-all")
    assert len(short.splitlines()) <= 60
    assert "--help-all" in short
    assert [each.opts for each in options if each.opts[0] not in whole] == []
    assert len({each.title for each in options if isinstance(each, Setting)} - {""}) >= 3
    assert "How links are read:\n" in whole
    assert "--exclude PATTERN" in whole
    assert "Options:\n  -" in whole


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (MigrateOptions, MigrationSettings),
        (MvOptions, MoveSettings),
        (RewriteOptions, RewriteSettings),
    ],
)
def test_options_and_settings_of_the_same_name_have_the_same_type(
    table: type[Any], kind: type[Any]
) -> None:
    """`settings_of` takes them over as they are."""
    other = {"output", "backup", "parts", "links", "serving", "extensions", "names", "headers"}
    shared = {each.name for each in fields(table)} & {each.name for each in fields(kind)} - other

    def types(of: type[Any]) -> dict[str, Any]:
        known = {**vars(sys.modules[of.__module__]), **TYPES}
        return {
            each.name: eval(each.type, known) if isinstance(each.type, str) else each.type
            for each in fields(of)
            if each.name in shared
        }

    assert shared
    assert types(table) == types(kind)


@pytest.mark.parametrize("table", TABLES)
def test_a_setting_cannot_be_changed(table: type[Any]) -> None:
    options = table()
    name = fields(table)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(options, name, None)
    with pytest.raises(FrozenInstanceError):
        delattr(options, name)
