"""The graph of the links of folders, each the root of a site.

The nodes are documents, other files, paths without a file, and URLs of other sites; the edges are links. Each node is
yielded once, before the first edge to it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import quote_from_bytes

from linkfix.auditing.base import made_up
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.extracting import Extractor
from linkfix.jobs.failures import salvaged
from linkfix.jobs.stopping import Stop
from linkfix.server.addresses import SiteAddress
from linkfix.server.graph import Node, SiteGraph
from linkfix.server.server import server_of
from linkfix.server.serving import Serving
from linkfix.server.targets import TargetFiles
from linkfix.sites.batch import Batch, Common, SiteSettings, gather, named
from linkfix.sites.documents import document_in, opened
from linkfix.sites.events import Output, Problem, Stopped

if TYPE_CHECKING:
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.links import Link
    from linkfix.server.graph import Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSettings(SiteSettings):
    """What the graph has.

    Attributes:
        serving: how the server maps URLs to files.
        only: ``broken`` for broken links only, ``orphans`` for documents only to which no other one links; None for all.

    """

    serving: Serving = field(default_factory=Serving)
    only: Literal["broken", "orphans"] | None = None


@dataclass(frozen=True, slots=True)
class GraphLink:
    """A link of a document.

    Attributes:
        source: the identifier of the document.
        target: the identifier of what the link leads to.
        document: path of the file.
        line: of the link, from 1.
        column: of the link in code points, from 1.
        element: that has the link.
        attribute: that has the link; "" for none.
        kind: of the link.
        value: as it is written, decoded.
        uri: that the link resolves to, with its fragment.
        path: of the target, from the root of the site; "" for none.
        fragment: of the URI; "" for none.
        found: whether the target is there; None if that is unknown.
        problem: what is wrong with the target; "" for nothing.

    """

    source: str
    target: str
    document: str
    line: int
    column: int
    element: str
    attribute: str
    kind: str
    value: str
    uri: str
    path: str
    fragment: str
    found: bool | None
    problem: str


@dataclass(slots=True)
class GraphTotals:
    """The totals of a graph, its last event.

    Attributes:
        documents: how many were read.
        links: how many there are.
        broken: how many links each target has that is not there.
        hosts: how many links lead to each other host.
        orphans: the paths of the documents that no other one links to.

    """

    documents: int = 0
    links: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    orphans: list[str] = field(default_factory=list)


GraphEvent: TypeAlias = Common | Node | GraphLink | GraphTotals


def graph(
    paths: Sequence[str | os.PathLike[str]], settings: GraphSettings, *, stop: Stop | None = None
) -> Iterator[GraphEvent]:
    """Yield the nodes and links of folders, document by document, and at the end the totals.

    Args:
        paths: the folders.
        settings: of the graph.
        stop: asks to end after the present documents; None for no such request.

    Raises:
        ArgumentError: the base is no address of a folder, or there are several folders for it.

    """
    names = named(paths)
    batch = gather(names, settings.selection, settings.workers)
    problems: list[LinkfixError] = []
    sites = _sites(names, batch, settings, problems)
    yield from map(Problem, problems)
    totals, written, linked = GraphTotals(), set[str](), set[str]()
    documents: dict[Found, None] = {}
    for event in batch.events(partial(_pieces, sites, settings), Stop() if stop is None else stop):
        if not isinstance(event, Output):
            yield event
            if isinstance(event, Stopped):
                return
            continue
        documents[event.found] = None
        totals.links += event.value["count"]
        totals.broken.update(event.value["broken"])
        for row, links in event.value["nodes"]:
            node = Node(*row)
            if links and node.kind == "document":
                linked.add(node.id)
            if node.host:
                totals.hosts[node.host] += links
            if settings.only != "orphans" and node.id not in written:
                written.add(node.id)
                yield node
        yield from (GraphLink(*row) for row in event.value["links"])
    totals.documents = len(documents)
    for found in documents:
        site = sites[found.root]
        node = site.node(site.graph.document(found.relative))
        if node.id not in linked and found.relative != site.graph.start:
            totals.orphans.append(found.path)
            if settings.only == "orphans":
                yield node
    yield totals


@dataclass(frozen=True, slots=True)
class _Site:
    """One folder.

    Attributes:
        graph: of its links.
        address: of its root.
        shown: what stands for that address in the output.

    """

    graph: SiteGraph
    address: SiteAddress
    shown: str

    def show(self, uri: str) -> str:
        """Return a URI as it is written: without an address that is made up."""
        root = self.address.root
        return self.shown + uri.removeprefix(root) if uri.startswith(root) else uri

    def node(self, node: Node) -> Node:
        """Return a node as it is written."""
        return node._replace(id=self.show(node.id))


def _sites(
    paths: Sequence[str], batch: Batch, settings: GraphSettings, problems: list[LinkfixError]
) -> dict[str, _Site]:
    """Return the site of each folder; its documents are those of the batch."""
    base, policy = settings.sources.base, settings.policy
    if base is not None and len(paths) > 1:
        raise ArgumentError("base is the address of one folder; name one")
    documents: dict[str, set[str]] = {}
    for found in batch.documents:
        documents.setdefault(found.root, set()).add(found.relative)
    sites = {}
    for place, path in enumerate(dict.fromkeys(paths)):
        try:
            address = SiteAddress.at(base or made_up(place)).of(path)
        except ValueError as error:
            raise ArgumentError(f"base={base!r}: {error}") from None
        shown = address.root if base else "/"
        if len(paths) > 1:
            shown = quote_from_bytes(os.fsencode(path.rstrip("/"))) + "/"
        server = server_of(path, address, settings.serving, problems.append)
        files = TargetFiles(server, policy, settings.sources.charset)
        graph = SiteGraph(server, files, documents.get(path, frozenset()), policy)
        sites[path] = _Site(graph, address, shown)
    return sites


def _pieces(sites: dict[str, _Site], settings: GraphSettings, found: Found) -> Iterator[Event]:
    """Yield a dictionary for each piece of a document.

    It has the `nodes` of the piece, the document itself first, each with the number of links; its `links`; how
    often each target that is not there is linked (`broken`); and the number of all links (`count`).

    Args:
        sites: by folder.
        settings: of the graph.
        found: the document.

    Raises:
        LinkfixError: it cannot be read or processed.

    """
    site = sites[found.root]
    sources = replace(settings.sources, base=site.address.document(found.relative))
    with opened(found.path) as source:
        document = document_in(source, found.path, sources)
        extractor = Extractor(settings.policy, source=document.source)
        for links in salvaged(extractor, document.chunks(), extractor.close):
            yield _piece(found, site, links, settings.only)


def _piece(
    found: Found, site: _Site, links: list[Link], only: Literal["broken", "orphans"] | None
) -> Event:
    source = site.graph.document(found.relative)
    nodes: dict[Node, int] = {source: 0}
    broken: Counter[str] = Counter()
    rows = []
    count = 0
    for edge in site.graph.edges(links):
        count += 1
        if edge.target != source:
            nodes[edge.target] = nodes.get(edge.target, 0) + 1
        if edge.is_broken:
            broken[site.show(edge.uri)] += 1
        if only is None or (only == "broken" and edge.is_broken):
            rows.append(_row(found, site, source, edge))
    if only == "broken" and not rows:
        nodes = {}
    found_nodes = [[[*site.node(node)], links] for node, links in nodes.items()]
    return {"nodes": found_nodes, "links": rows, "broken": broken, "count": count}


def _row(found: Found, site: _Site, source: Node, edge: Edge) -> list[object]:
    """Return the fields of a `GraphLink`."""
    link, target = edge.link, edge.target
    is_there = True if target.kind in {"document", "file"} else None
    ends, place = [site.show(source.id), site.show(target.id)], [found.path, link.line, link.column]
    spelled = [link.element, link.attribute, str(link.kind), link.value, site.show(edge.uri)]
    is_found = False if edge.is_broken else is_there
    return [*ends, *place, *spelled, target.path, edge.fragment, is_found, edge.problem]
