"""``linkfix lsp``: serve an editor."""

import click

import linkfix
from linkfix.cli.options.lsp import LspOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.errors import ArgumentError


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
