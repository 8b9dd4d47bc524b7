"""The group of commands, each loaded only when it is called."""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

import linkfix

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["cli"]

#: Every command and the line that the list of commands says about it.
COMMANDS = {
    "extract": "List every link of documents and where it leads.",
    "rewrite": "Rewrite links to canonical URIs or readable IRIs.",
    "migrate": "Bring a site into UTF-8 without moving a link.",
    "verify": "Compare documents before and after a change of their links.",
    "audit": "Report what is wrong with links.",
    "rules": "Explain the rules of the audit.",
    "iri": "Inspect, convert, resolve and compare single references.",
}


_HELP = ["-h", "--help"]
#: The key of whether any argument asks for help, in the `meta` of the context.
_ASKS_HELP = "linkfix.asks_help"


@contextlib.contextmanager
def _harmless() -> Iterator[None]:
    """Escape the message of a usage error: names of files and settings can have any character."""
    from linkfix.cli.output import escape_lines

    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = escape_lines(error.message)
        raise


class _LazyGroup(click.Group):
    """A group whose commands live in modules of their names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        ctx.meta[_ASKS_HELP] = any(name in options for name in _HELP)
        return super().parse_args(ctx, args)

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        with _harmless():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _harmless():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"linkfix.cli.{cmd_name}"), "command")  # noqa: B009
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": _HELP})
@click.version_option(linkfix.__version__, message="linkfix %(version)s")
@click.option(
    "--debug", is_flag=True, help="Print the traceback of an exception that linkfix did not expect."
)
@click.pass_context
def cli(ctx: click.Context, *, debug: bool) -> None:
    """Find, audit and rewrite the links of HTML and XML documents, byte for byte.

    Documents are read in their own charset, and every byte that is no link stays as it is.

    Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong usage,
    3 a document could not be processed (the others were).
    """
    del debug  # `linkfix.cli.output.complain` asks the context for it
    from linkfix.cli.settings import Settings, defaults_of, find

    name = ctx.invoked_subcommand
    invoked = None if name is None else cli.get_command(ctx, name)
    try:
        settings = find()
        if name is not None and invoked is not None and settings.tables:
            ctx.default_map = {name: defaults_of(invoked, settings, [*COMMANDS])}
        ctx.obj = settings
    except click.UsageError:
        if not ctx.meta[_ASKS_HELP]:
            raise
        ctx.obj = Settings()
