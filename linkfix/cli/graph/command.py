"""``linkfix graph``: check the options, write the graph."""

from __future__ import annotations

import os
from urllib.parse import quote_from_bytes

import click

from linkfix.cli.batch import STOPPED, Batch, gather
from linkfix.cli.graph.run import Run
from linkfix.cli.graph.worker import Site
from linkfix.cli.options.graph import GraphOptions
from linkfix.cli.options.operands import ask_about, check
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import complain, destination
from linkfix.policy import Policy


@made_command(
    "graph",
    GraphOptions,
    first="--format -o --broken --orphans --base --index --include --exclude -j -q",
)
def command(ctx: click.Context, options: GraphOptions) -> int:
    """Write the graph of the links in folders, each the root of a site.

    The nodes are documents, other files, paths without a file, and URLs of other sites; the edges are links, each with
    its place and whether what it leads to is there, as the rules TGT of the audit find it.
    """
    paths = options.paths
    check(
        {
            "--broken and --orphans exclude each other.": options.broken and options.orphans,
            "--base is the address of one folder; name one.": options.base is not None
            and len(paths) > 1,
        }
    )
    ask_about(paths)
    batch = gather(paths, options.tree, archives=False)
    policy = options.links.policy(options.default_charset)
    sites = _sites(batch, options, policy)
    with destination(options.output_path, charset="utf-8") as out:
        run = Run(batch, sites, options, policy, out)
        status = run.run()
    if status != STOPPED and not options.quiet:
        run.say()
    return status


def _sites(batch: Batch, options: GraphOptions, policy: Policy) -> dict[str, Site]:
    """Return the site of each folder; its documents are those of the batch."""
    from linkfix.auditing.base import made_up
    from linkfix.server.addresses import SiteAddress
    from linkfix.server.graph import SiteGraph
    from linkfix.server.server import server_of
    from linkfix.server.targets import TargetFiles

    paths, base = options.paths, options.base
    serving = options.serving.serving(options.index)
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
        server = server_of(path, address, serving, complain)
        files = TargetFiles(server, policy, options.charset)
        graph = SiteGraph(server, files, documents.get(path, frozenset()), policy)
        sites[path] = Site(graph, address, shown)
    return sites
