"""Read one document of a site, and render its links."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from linkfix.cli.documents import document_in, opened
from linkfix.cli.graph.formats import FORMATS
from linkfix.cli.options.documents import DocumentOptions
from linkfix.jobs.failures import salvaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.cli.options.graph import GraphOptions
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.links import Link
    from linkfix.policy import Policy
    from linkfix.server.addresses import SiteAddress
    from linkfix.server.graph import Edge, Node, SiteGraph


class Site:
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
        return self._address.document(path)

    def show(self, uri: str) -> str:
        """Return a URI as it is written: without an address that is made up."""
        root = self._address.root
        return self._shown + uri.removeprefix(root) if uri.startswith(root) else uri


class Worker:
    """The work on one document, in this process or a worker.

    Args:
        sites: by folder.
        options: of the command.
        policy: how links are read.

    """

    def __init__(self, sites: dict[str, Site], options: GraphOptions, policy: Policy) -> None:
        self._sites = sites
        self._options = options
        self._policy = policy
        self._format = FORMATS[options.output]()

    def __call__(self, found: Found) -> Iterator[Event]:
        """Yield for each piece of a document a dictionary, and its links as bytes.

        The dictionary has the `nodes` of the piece, the document itself first, each with the number of links; how
        often each target that is not there is linked (`broken`); and the number of `links`.

        Raises:
            LinkfixError: it cannot be read or processed.

        """
        from linkfix import Extractor

        site = self._sites[found.root]
        options = DocumentOptions(
            charset=self._options.charset, base=site.uri(found.relative), index=self._options.index
        )
        with opened(found.path) as source:
            document = document_in(source, found.path, options)
            extractor = Extractor(self._policy, source=document.source)
            for links in salvaged(extractor, document.chunks(), extractor.close):
                yield from self._piece(found, site, links)

    def _piece(self, found: Found, site: Site, links: list[Link]) -> Iterator[Event]:
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
            if edge.is_broken or not self._options.broken:
                lines.append(self._format.edge(_record(found, site, source, edge)))
        if self._options.broken and not lines:
            nodes = {}
        rows = [[site.show(node.id), *node[1:], links] for node, links in nodes.items()]
        yield {"nodes": rows, "broken": broken, "links": count}
        if lines and not self._options.orphans:
            yield "".join(lines).encode("utf-8", "surrogatepass")


def _record(found: Found, site: Site, source: Node, edge: Edge) -> dict[str, Any]:
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
