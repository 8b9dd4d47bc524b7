"""``linkfix lsp``: serve an editor."""

from __future__ import annotations

import click

import linkfix
from linkfix.cli.options import documents
from linkfix.cli.options.links import base_option
from linkfix.cli.options.rules import OwnRules, rules_option
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.table import group, settings
from linkfix.errors import ArgumentError


@settings
class LspOptions:
    """The settings of ``linkfix lsp``.

    Attributes:
        base: The address of the first folder of the editor.

    """

    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    select: list[str] = rules_option("--select", "The rules in force.  [default: ALL]")
    ignore: list[str] = rules_option("--ignore", "Rules that are not in force.")
    own: OwnRules = group(OwnRules)
    serving: ServingOptions = group(ServingOptions)


@made_command("lsp", LspOptions, first="--base --index --select --ignore")
def command(ctx: click.Context, options: LspOptions) -> int:
    """Serve an editor over standard input and output (Language Server Protocol).

    Documents are audited while they are typed, in the charset of their files. Links say where they lead; they are completed, corrected,
    followed and found, and follow files that the editor renames. The editor starts this command itself.
    """
    del ctx
    try:
        from linkfix.lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise ArgumentError("linkfix lsp needs pygls", hint="pip install 'linkfix[lsp]'") from None
    from linkfix.auditing import select

    rules = select(options.select, options.ignore)
    serve(linkfix.__version__, options.base, rules, options.serving.serving(options.index))
    return 0
