"""The graph of the links of folders, each the root of a site.

Input: folders. Output: nodes, and an edge for each link that somebody can follow. The nodes are documents, other files, paths
without a file, and URLs of other sites; each is yielded once, before the first edge to it. The files are found, and fragments are
judged, as the rules of the audit about files do it (`TargetFiles`). The cost is that of the audit; of the answers a bounded number
is remembered.
"""

import os
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import ClassVar, Literal, NamedTuple, TypeAlias
from urllib.parse import quote_from_bytes, urlsplit

from linkfix.auditing.base import made_up
from linkfix.charset import Charset
from linkfix.errors import ArgumentError, LinkfixError, UnreadableError
from linkfix.extracting import Extractor
from linkfix.files.tree import Found, as_folder
from linkfix.iri import comparison_form
from linkfix.iri.reference import fragment_of, without_fragment
from linkfix.iri.resolution import without_dots
from linkfix.jobs.failures import salvaged
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.policy import gate
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.includes import entities_of
from linkfix.server.server import UTF8, server_of
from linkfix.server.targets import TargetFiles
from linkfix.sites.batch import Batch, Common, SiteSettings, gather, stop_of
from linkfix.sites.documents import Sources, document_in, opened
from linkfix.sites.events import Output, Problem, Stopped

#: ``document`` and ``file``: a file of the site, read for links or not; ``missing``: a path without a file; ``program``:
#: a path that a program answers; ``url``: outside of the site.
NodeKind = Literal["document", "file", "missing", "program", "url"]
#: URLs that have no place to lead to.
_NOWHERE = ("data:", "javascript:", "about:", "blob:")
#: How many nodes are remembered.
_MOST_NODES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSettings(SiteSettings):
    """What the graph has.

    Attributes:
        serving: how the server maps URLs to files.
        only: ``broken`` for broken links only, ``orphans`` for documents only to which no other one links; None for all.

    """

    serving: Serving = field(default_factory=Serving)
    only: Literal["broken", "orphans"] | None = None
    KINDS: ClassVar[dict[str, gate.Kind]] = {
        **SiteSettings.KINDS,
        "serving": gate.Instance(Serving, "Serving", required=True),
        "only": ("broken", "orphans", None),
    }


class Node(NamedTuple):
    """What links lead to or from.

    Attributes:
        id: the URI without its fragment, in ASCII; of what is no file of the site in the form for comparison.
        kind: what it is.
        path: of a document or file, from the root of the site; else "", and for a file in the folder of an alias.
        host: of a URL; else "".

    """

    id: str
    kind: NodeKind
    path: str = ""
    host: str = ""


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
        UnreadableError: a path is no folder.

    """
    stop = stop_of(settings, GraphSettings, stop)
    folders = {path: as_folder(path) for path in gate.paths_of(paths)}
    for path, folder in folders.items():
        if path and folder is None:
            raise UnreadableError("this is no folder", hint="name the folder of a site", file=path)
    names = [folder or path for path, folder in folders.items()]
    batch = gather(names, settings.selection, settings.workers)
    problems: list[LinkfixError] = []
    sites, sources = _sites(names, batch, settings, problems)
    settings = replace(settings, sources=sources)
    yield from map(Problem.of_server, problems)
    totals, written, linked = GraphTotals(), set[str](), set[str]()
    documents: dict[Found, None] = {}
    for event in batch.events(partial(_pieces, sites, settings), stop):
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
            is_shown = settings.only is None or (settings.only == "broken" and event.value["links"])
            if is_shown and node.id not in written:
                written.add(node.id)
                yield node
        yield from (GraphLink(*row) for row in event.value["links"])
    totals.documents = len(documents)
    shown = {root: site.files.server.shown() for root, site in sites.items()}

    @cache
    def entities(root: str) -> set[str]:
        """Return the paths of the documents that are entities of others."""
        xml = (each.relative for each in documents if each.root == root and each.type != "html")
        return entities_of(xml, sites[root].files.server.listing)

    for found in documents:
        site = sites[found.root]
        node = site.document(found.relative)
        is_part = found.path in settings.sources.parts
        is_read = is_part or node.id in linked or found.relative in shown[found.root]
        if not is_read and (found.type == "html" or found.relative not in entities(found.root)):
            totals.orphans.append(found.path)
            if settings.only == "orphans":
                yield node
    yield totals


class _Site:
    """One folder.

    Args:
        files: judge the targets.
        documents: the paths that are read for links, from the root of the site.
        shown: what stands for the address of the root in the output.

    Attributes:
        files: that argument.

    """

    def __init__(self, files: TargetFiles, documents: Container[str], shown: str) -> None:
        self.files = files
        self._documents, self._shown = documents, shown
        self._node_of = lru_cache(_MOST_NODES)(self._found)

    def show(self, uri: str) -> str:
        """Return a URI as it is written: without an address that is made up."""
        root = self.files.server.address.root
        return self._shown + uri.removeprefix(root) if uri.startswith(root) else uri

    def document(self, path: str) -> Node:
        """Return the node of a document."""
        return Node(self.show(self.files.server.address.uri(path)), "document", path)

    def node(self, uri: str, charset: Charset) -> Node:
        """Return what a URI in a document of this charset leads to."""
        resource = without_fragment(uri)
        is_plain = resource.isascii() and "%" not in resource
        return self._node_of(resource, UTF8 if is_plain else charset)

    def _found(self, uri: str, charset: Charset) -> Node:
        server = self.files.server
        answer = server.answer(uri, charset)
        if answer is None or (answer.reason is None and answer.to[1:] and not answer.path):
            uri = uri if answer is None else without_fragment(answer.to)
            try:
                host = urlsplit(uri).hostname or ""
            except ValueError:  # an IP-literal that is none
                host = ""
            return self._other(uri, "url", host)
        if answer.outside:  # in the folder of an alias
            return self._other(uri, "file")
        if not answer.path:
            return self._other(uri, "program" if answer.reason is None else "missing")
        document = self.document(answer.path)
        is_read = answer.path in self._documents
        return document if is_read else document._replace(kind="file")

    def _other(self, uri: str, kind: NodeKind, host: str = "") -> Node:
        return Node(self.show(comparison_form(uri)), kind, host=host)


def _sites(
    paths: Sequence[str], batch: Batch, settings: GraphSettings, problems: list[LinkfixError]
) -> tuple[dict[str, _Site], Sources]:
    """Return the site of each folder, and what is known of its documents: those of the batch, and the parts of these."""
    base = settings.sources.base
    if base is not None and len(paths) > 1:
        raise ArgumentError("base is the address of one folder; name one")
    sites = {}
    documents: dict[str, set[str]] = {path: set() for path in paths}
    for place, path in enumerate(dict.fromkeys(paths)):
        address = SiteAddress.at(base or made_up(place)).of(path)
        shown = address.root if base else "/"
        if len(paths) > 1:
            shown = quote_from_bytes(os.fsencode(path.rstrip("/"))) + "/"
        server = server_of(path, address, settings.serving, problems.append)
        files = TargetFiles(server, settings.policy, settings.sources.charset)
        sites[path] = _Site(files, documents[path], shown)
    sources = batch.included(settings.sources, lambda root: sites[root].files)
    for found in batch.documents:
        documents.setdefault(found.root, set()).add(found.relative)
    return sites, sources


def _pieces(sites: dict[str, _Site], settings: GraphSettings, found: Found) -> Iterator[Event]:
    """Yield a dictionary for each piece of a document.

    It has the `nodes` of the piece, the document itself first, each with the number of links; its `links`, as the fields of
    `GraphLink`; how often each target that is not there is linked (`broken`); and the number of all links (`count`). Names that
    nobody follows, links that set a base, templates, and links that lead to no other place than themselves (``data:``,
    ``javascript:``) are none.

    Args:
        sites: by folder.
        settings: of the graph.
        found: the document.

    Raises:
        LinkfixError: it cannot be read or processed.

    """
    part, seen = settings.sources.parts.get(found.path), set[tuple[int, str]]()
    for place in [found.relative] if part is None else part.places:
        yield from _placed(sites[found.root], settings, found, place, seen)


def _placed(
    site: _Site, settings: GraphSettings, found: Found, place: str, seen: set[tuple[int, str]]
) -> Iterator[Event]:
    """Yield what `_pieces` yields for a document with the address of one at a path; a part is in several.

    Args:
        site: of the document.
        settings: of the graph.
        found: the document.
        place: the path.
        seen: of a part, the places and targets of the links that it has had elsewhere.

    """
    only, applies, is_part = settings.only, settings.policy.applies, place != found.relative
    base = site.files.server.address.document(place)
    source = site.document(found.relative)
    with opened(found.path) as file:
        charset = settings.sources.charset or site.files.server.label(found.relative)
        sources = replace(settings.sources, base=base, charset=charset)
        document = document_in(file, found.path, sources)
        # The file does not depend on the charset of the query, which readers disagree about.
        policy = replace(settings.policy, disputed="chromium")
        extractor = Extractor(policy, source=document.source)
        for links in salvaged(extractor, document.chunks(), extractor.close):
            nodes, broken, rows, count = {source: 0}, Counter[str](), list[object](), 0
            for link in links:
                sets_base = link.sets_base or link.sets_inner_base
                if link.resolved is None or link.fixed or sets_base or not applies(link):
                    continue
                if link.resolved[:11].lower().startswith(_NOWHERE):
                    continue
                uri = without_dots(link.resolved)
                if is_part:
                    if (link.start, uri) in seen:
                        continue
                    seen.add((link.start, uri))
                count += 1
                target = site.node(uri, link.charset)
                problem = site.files.problem(uri, link.charset)
                # A redirect is followed to its end.
                is_broken = problem is not None and problem.what != "redirected"
                if target != source:
                    nodes[target] = nodes.get(target, 0) + 1
                broken.update([site.show(uri)] * is_broken)
                if only is None or (only == "broken" and is_broken):
                    is_there = True if target.kind in {"document", "file"} else None
                    at = [found.path, link.line, link.column, link.element, link.attribute]
                    leads = [str(link.kind), link.value, site.show(uri), target.path]
                    said = [False if is_broken else is_there, problem.what if problem else ""]
                    rows.append([source.id, target.id, *at, *leads, fragment_of(uri), *said])
            known = [[[*node], linked] for node, linked in nodes.items()]
            yield {"nodes": known, "links": rows, "broken": broken, "count": count}
