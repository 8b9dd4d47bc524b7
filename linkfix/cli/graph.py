"""``linkfix graph``: list the documents of sites, what they link to, and each link between."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_from_bytes

import click

from linkfix.cli.batch import STOPPED, gather, number, tree_options
from linkfix.cli.documents import document_in, opened
from linkfix.cli.graphs import FORMATS
from linkfix.cli.options import (
    absolute,
    charset_option,
    default_charset_option,
    output_option,
    policy_from,
    policy_options,
)
from linkfix.cli.output import complain, destination
from linkfix.cli.serving import index_option, serving_from, serving_options
from linkfix.cli.settings import settings_option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from linkfix.cli.batch import Batch
    from linkfix.links import Link
    from linkfix.policy import Policy
    from linkfix.site.addresses import SiteAddress
    from linkfix.site.graph import Edge, Node, SiteGraph
    from linkfix.site.tree import Found
    from linkfix.site.wire import Event

__all__ = ["command"]

#: How many broken targets, orphans and hosts the summary names.
_NAMED = 10


@click.command("graph")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False),
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
    batch = gather(paths, options, archives=False)
    sites = _sites(paths, base, batch, options)
    with destination(output_path, charset="utf-8") as out:
        run = _Run(batch, sites, options, output, out)
        status = run.run()
    if status != STOPPED and not options["quiet"]:
        run.say()
    ctx.exit(status)


class _Site:
    """One folder of the run.

    Args:
        graph: of its links.
        address: of its root.
        shown: what stands for that address in the output.

    """

    def __init__(self, graph: SiteGraph, address: SiteAddress, shown: str) -> None:
        self.graph = graph
        self._address = address
        self._shown = shown

    def uri(self, path: str) -> str:
        """Return the URI of a document."""
        return self._address.uri(path)

    def show(self, uri: str) -> str:
        """Return a URI as it is written: without an address that is made up."""
        root = self._address.root
        return self._shown + uri.removeprefix(root) if uri.startswith(root) else uri


def _sites(
    paths: tuple[str, ...], base: str | None, batch: Batch, options: dict[str, Any]
) -> dict[str, _Site]:
    """Return the site of each folder; its documents are those of the batch."""
    import os

    from linkfix.auditing.base import made_up
    from linkfix.site.addresses import SiteAddress
    from linkfix.site.graph import SiteGraph
    from linkfix.site.server import server_of
    from linkfix.site.targets import TargetFiles

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
        sites[path] = _Site(graph, address, shown)
    return sites


class _Worker:
    """The work on one document, in this process or a worker.

    Args:
        sites: by folder.
        options: of the command.
        output: the name of the format.

    """

    def __init__(self, sites: dict[str, _Site], options: dict[str, Any], output: str) -> None:
        self._sites = sites
        self._options = options
        self._policy: Policy = policy_from(options)
        self._format = FORMATS[output]()

    def __call__(self, found: Found) -> Iterator[Event]:
        """Yield for each piece of a document a dictionary, and its links as bytes.

        The dictionary has the `nodes` of the piece, the document itself first, each with the number of links; how
        often each target that is not there is linked (`broken`); and the number of `links`.

        Raises:
            LinkfixError: it cannot be read or processed.

        """
        from linkfix import Extractor

        site = self._sites[found.root]
        options = self._options | {"base": site.uri(found.relative)}
        with opened(found.path) as source:
            document = document_in(source, found.path, options)
            extractor = Extractor(self._policy, **document.reading)
            for data in document.chunks():
                yield from self._piece(found, site, extractor.feed(data))
            yield from self._piece(found, site, extractor.close())

    def _piece(self, found: Found, site: _Site, links: list[Link]) -> Iterator[Event]:
        source = site.graph.document(found.relative)
        nodes: dict[Node, int] = {source: 0}
        broken: Counter[str] = Counter()
        lines = []
        count = 0
        for edge in site.graph.edges(links):
            count += 1
            if edge.target != source:
                nodes[edge.target] = nodes.get(edge.target, 0) + 1
            if edge.is_broken:
                broken[site.show(edge.uri)] += 1
            if edge.is_broken or not self._options["broken"]:
                lines.append(self._format.edge(_record(found, site, source, edge)))
        if self._options["broken"] and not lines:
            nodes = {}
        rows = [[site.show(node.id), *node[1:], links] for node, links in nodes.items()]
        yield {"nodes": rows, "broken": broken, "links": count}
        if lines and not self._options["orphans"]:
            yield "".join(lines).encode("utf-8", "surrogatepass")


def _record(found: Found, site: _Site, source: Node, edge: Edge) -> dict[str, Any]:
    """Return the fields of an edge."""
    link, target = edge.link, edge.target
    is_there = True if target.kind in {"document", "file"} else None
    return {
        "source": site.show(source.id),
        "target": site.show(target.id),
        "document": found.path,
        "line": link.line,
        "column": link.column,
        "element": link.element,
        "attribute": link.attribute,
        "kind": str(link.kind),
        "value": link.value,
        "uri": site.show(edge.uri),
        "path": target.path,
        "fragment": edge.fragment,
        "found": False if edge.is_broken else is_there,
        "problem": edge.problem,
    }


class _Run:
    """A run of the command: writes each node once, and sums up.

    Args:
        batch: the documents.
        sites: by folder.
        options: of the command.
        output: the name of the format.
        out: sink of the graph.

    """

    def __init__(
        self,
        batch: Batch,
        sites: dict[str, _Site],
        options: dict[str, Any],
        output: str,
        out: TextIO,
    ) -> None:
        self._batch = batch
        self._sites = sites
        self._options = options
        self._output = output
        self._format = FORMATS[output]()
        self._out = out
        self._written: set[str] = set()
        #: The documents that another one links to.
        self._linked: set[str] = set()
        self._documents: list[tuple[Found, Node]] = []
        self._links = 0
        self._broken: Counter[str] = Counter()
        self._hosts: Counter[str] = Counter()

    def run(self) -> int:
        """Write the graph; return the exit status."""
        self._out.write(self._format.head)
        work = _Worker(self._sites, self._options, self._output)
        status = self._batch.follow(work, self._take, data=True)
        if status != STOPPED:
            if self._options["orphans"]:
                for _, node in self.orphans():
                    self._put(*node)
            self._out.write(self._format.tail)
        return status

    def _take(self, found: Found, event: Any) -> int:
        if isinstance(event, bytes):
            self._out.write(event.decode("utf-8", "surrogatepass"))
            return 0
        if not self._documents or self._documents[-1][0] is not found:
            self._documents.append((found, self._sites[found.root].graph.document(found.relative)))
        self._links += event["links"]
        self._broken.update(event["broken"])
        for name, kind, path, host, links in event["nodes"]:
            if links and kind == "document":
                self._linked.add(name)
            if host:
                self._hosts[host] += links
            if not self._options["orphans"]:
                self._put(name, kind, path, host)
        return 0

    def _put(self, name: str, kind: str, path: str, host: str) -> None:
        """Write a node, once."""
        if name not in self._written:
            self._written.add(name)
            record = {"id": name, "kind": kind, "path": path, "host": host}
            self._out.write(self._format.node(record))

    def orphans(self) -> Iterator[tuple[Found, Node]]:
        """Yield the documents that no other one links to, but for the start of each site."""
        for found, node in self._documents:
            site = self._sites[found.root]
            node = node._replace(id=site.show(node.id))
            if node.id not in self._linked and found.relative != site.graph.start:
                yield found, node

    def say(self) -> None:
        """Sum up, in a few lines."""
        orphans = [found.path for found, _ in self.orphans()]
        broken = sum(self._broken.values())
        complain(
            f"{number(len(self._documents), 'document')}, {number(self._links, 'link')}: "
            f"{broken:,} broken, to {number(len(self._broken), 'target')}; "
            f"{number(len(orphans), 'document')} without links to them; "
            f"{sum(self._hosts.values()):,} to {number(len(self._hosts), 'other host')}"
        )
        _name("broken", [f"{uri} ({number(n, 'link')})" for uri, n in _top(self._broken)])
        _name("no links to", orphans)
        _name("host", [f"{host} ({number(n, 'link')})" for host, n in _top(self._hosts)])


def _top(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return what was counted, most first, and in the order of the names."""
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _name(what: str, names: list[str]) -> None:
    for name in names[:_NAMED]:
        complain(f"{what}: {name}")
    if len(names) > _NAMED:
        complain(f"{what}: … and {len(names) - _NAMED:,} more, which the graph has")
