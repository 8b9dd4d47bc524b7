"""The group of commands, each loaded only when it is called."""

from importlib import import_module

import click

import linkfix
from linkfix.errors import LinkfixError

#: Every command and the line that the list of commands says about it.
COMMANDS = {
    "extract": "List every link of documents with its URI.",
    "rewrite": "Rewrite links to canonical URIs or readable IRIs.",
    "mv": "Move a file or folder inside a site, with the links to it and in it.",
    "migrate": "Bring a site into UTF-8 without moving a link.",
    "verify": "Compare documents before and after a change of their links.",
    "audit": "Report what is wrong with links.",
    "graph": "Write the graph of the links of sites.",
    "spark": "Do the same with the WARC files of a crawl, on Apache Spark.",
    "rules": "Explain the rules of the audit.",
    "demo": "Write a sample site to try the commands on.",
    "lsp": "Serve an editor: findings, targets and corrections while one types.",
    "iri": "Inspect, convert, resolve and compare single references.",
}


class _LazyGroup(click.Group):
    """A group whose commands live in modules of their names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"linkfix.cli.{cmd_name}"), "command")  # noqa: B009
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and name[:1].isalnum() and not ctx.resilient_parsing:
            raise click.exceptions.NoSuchCommand(name, possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param
    if value and not ctx.resilient_parsing:
        from linkfix.iri.unicode import ucd

        click.echo(f"linkfix {linkfix.__version__} (Unicode {ucd.VERSION})")
        ctx.exit()


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the versions of linkfix and of Unicode.",
)
@click.option(
    "--debug", is_flag=True, help="Print the traceback of an exception that linkfix did not expect."
)
def cli(*, debug: bool) -> None:
    """Find, audit and rewrite the links of HTML and XML documents, byte for byte.

    Documents are read in their own charset, and every byte that is no link stays as it is.

    Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong usage,
    3 a document could not be processed (the others were).
    """
    del debug  # `linkfix.cli.output.complain` asks the context for it
    LinkfixError.names_options = True
