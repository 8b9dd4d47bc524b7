"""Parse the options of ``linkfix graph``."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_from_bytes

import click

from linkfix.cli.batch import STOPPED, Batch, gather, tree_options
from linkfix.cli.graph.formats import FORMATS
from linkfix.cli.graph.run import Run
from linkfix.cli.graph.worker import Site
from linkfix.cli.options.operands import PathOrURL, ask_about
from linkfix.cli.options.policy import (
    absolute,
    charset_option,
    default_charset_option,
    output_option,
    policy_from,
    policy_options,
)
from linkfix.cli.options.serving import index_option, serving_from, serving_options
from linkfix.cli.options.settings import settings_option
from linkfix.cli.output import complain, destination


@click.command("graph")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=PathOrURL(exists=True, file_okay=False),
)
@click.option(
    "--format",
    "output",
    type=click.Choice([*FORMATS]),
    default="jsonl",
    show_default=True,
    help="How the graph is written; csv has the links only.",
)
@output_option
@click.option("--broken", is_flag=True, help="Write only links that lead nowhere.")
@click.option(
    "--orphans", is_flag=True, help="Write only the documents that no other document links to."
)
@click.option("--base", metavar="IRI", callback=absolute, help="The address of the folder.")
@index_option
@serving_options
@charset_option
@default_charset_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@tree_options
@policy_options
@settings_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output: str,
    output_path: str | None,
    **options: Any,
) -> None:
    """Write the graph of the links in folders, each the root of a site.

    The nodes are documents, other files, paths without a file, and URLs of other sites; the edges are links, each with
    its place and whether what it leads to is there, as the rules TGT of the audit find it.
    """
    if options["broken"] and options["orphans"]:
        raise click.UsageError("--broken and --orphans exclude each other.")
    options |= {"type": "auto", "environment": None, "root": None}
    base = options.pop("base")
    if base is not None and len(paths) > 1:
        raise click.UsageError("--base is the address of one folder; name one.")
    ask_about(paths)
    batch = gather(paths, options, archives=False)
    sites = _sites(paths, base, batch, options)
    with destination(output_path, charset="utf-8") as out:
        run = Run(batch, sites, options, output, out)
        status = run.run()
    if status != STOPPED and not options["quiet"]:
        run.say()
    ctx.exit(status)


def _sites(
    paths: tuple[str, ...], base: str | None, batch: Batch, options: dict[str, Any]
) -> dict[str, Site]:
    """Return the site of each folder; its documents are those of the batch."""
    import os

    from linkfix.auditing.base import made_up
    from linkfix.server.addresses import SiteAddress
    from linkfix.server.graph import SiteGraph
    from linkfix.server.server import server_of
    from linkfix.server.targets import TargetFiles

    policy = policy_from(options)
    documents: dict[str, set[str]] = {}
    for found in batch.documents:
        documents.setdefault(found.root, set()).add(found.relative)
    sites = {}
    for place, path in enumerate(dict.fromkeys(paths)):
        try:
            address = SiteAddress.at(base or made_up(place))
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--base") from None
        shown = address.root if base else "/"
        if len(paths) > 1:
            shown = quote_from_bytes(os.fsencode(path.rstrip("/"))) + "/"
        server = server_of(path, address, serving_from(options), complain)
        files = TargetFiles(server, policy, options["charset"])
        graph = SiteGraph(server, files, documents.get(path, frozenset()), policy)
        sites[path] = Site(graph, address, shown)
    return sites
