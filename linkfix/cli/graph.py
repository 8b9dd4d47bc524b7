"""``linkfix graph``: check the options, write the graph."""

from collections import Counter
from dataclasses import asdict

import click

from linkfix.cli.batch import follow
from linkfix.cli.graph_formats import FORMATS
from linkfix.cli.options.operands import ask_about, check
from linkfix.cli.options.reading import GraphOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import complain, destination, number
from linkfix.server.graph import Node
from linkfix.sites.documents import Sources
from linkfix.sites.graphs import GraphLink, GraphSettings, GraphTotals, graph

#: How many broken targets, orphans and hosts the summary names.
_NAMED = 10


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
    settings = GraphSettings(
        policy=options.links.policy(options.default_charset),
        sources=Sources(charset=options.charset, base=options.base),
        serving=options.serving.serving(options.index),
        selection=options.tree.selection(archives=False),
        workers=options.tree.work.workers(),
        only="broken" if options.broken else "orphans" if options.orphans else None,
    )
    form, totals = FORMATS[options.output](), None
    with destination(options.output_path, charset="utf-8") as out:

        def take(event: object) -> None:
            nonlocal totals
            if isinstance(event, Node):
                out.write(form.node(event._asdict()))
            elif isinstance(event, GraphLink):
                out.write(form.edge(asdict(event)))
            elif isinstance(event, GraphTotals):
                totals = event
                out.write(form.tail)

        out.write(form.head)
        status = follow(lambda stop: graph(paths, settings, stop=stop), take, data=True)
    if totals is not None and not options.quiet:
        _sum_up(totals)
    return status


def _sum_up(totals: GraphTotals) -> None:
    """Sum up, in a few lines."""
    broken = sum(totals.broken.values())
    complain(
        f"{number(totals.documents, 'document')}, {number(totals.links, 'link')}: "
        f"{broken:,} broken, to {number(len(totals.broken), 'target')}; "
        f"{number(len(totals.orphans), 'document')} without links to them; "
        f"{sum(totals.hosts.values()):,} to {number(len(totals.hosts), 'other host')}"
    )
    _name("broken", _top(totals.broken))
    _name("no links to", totals.orphans)
    _name("host", _top(totals.hosts, "//"))


def _top(counts: Counter[str], head: str = "") -> list[str]:
    """Return the readable IRIs of what was counted, most first, and in the order of the names.

    Args:
        counts: URIs without a beginning that they have in common, each with its number of links.
        head: that beginning.

    """
    from linkfix.iri.conversion import uri_to_iri

    ordered = sorted(counts, key=lambda uri: (-counts[uri], uri))
    shown = [uri_to_iri(head + uri).text.removeprefix(head) for uri in ordered[:_NAMED]]
    pairs = zip([*shown, *ordered[_NAMED:]], ordered, strict=True)
    return [f"{text} ({number(counts[uri], 'link')})" for text, uri in pairs]


def _name(what: str, names: list[str]) -> None:
    for name in names[:_NAMED]:
        complain(f"{what}: {name}")
    if len(names) > _NAMED:
        complain(f"{what}: … and {len(names) - _NAMED:,} more, which the graph has")
