"""The graph of the links of a site.

Input: the links of a document, resolved. Output: an edge for each link that somebody can follow, with the node that it
leads to. A node is a document or another file of the site, a path without a file, or a URL outside of the site. The files
are found, and fragments are judged, as the rules of the audit about files do it (`TargetFiles`). The cost is that of the
audit; of the answers a bounded number is remembered.
"""

from collections.abc import Container, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from linkfix.charset import Charset, lookup
from linkfix.iri import comparison_form
from linkfix.iri.reference import fragment_of, without_fragment
from linkfix.iri.resolution import without_dots
from linkfix.links import Link
from linkfix.policy import Policy
from linkfix.server.server import Server
from linkfix.server.targets import TargetFiles

#: ``document`` and ``file``: a file of the site, read for links or not; ``missing``: a path without a file; ``program``:
#: a path that a program answers; ``url``: outside of the site.
NodeKind = Literal["document", "file", "missing", "program", "url"]
#: URLs that have no place to lead to.
_NOWHERE = ("data:", "javascript:", "about:", "blob:")
#: How many nodes are remembered.
_MOST_NODES = 100_000
_UTF8 = lookup("utf-8")


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


class Edge(NamedTuple):
    """A link of a document.

    Attributes:
        link: the link.
        target: where it leads.
        uri: absolute, with its fragment.
        problem: what is wrong with the target (`linkfix.auditing.files.Problem`); "" for nothing.

    """

    link: Link
    target: Node
    uri: str
    problem: str

    @property
    def fragment(self) -> str:
        """The fragment of the URI; "" for none."""
        return fragment_of(self.uri)

    @property
    def is_broken(self) -> bool:
        """Whether the target is not there. A redirect is followed to its end."""
        return self.problem not in {"", "redirected"}


class SiteGraph:
    """The graph of one site.

    Args:
        server: finds the files.
        files: judges the targets.
        documents: the paths that are read for links, from the root of the site.
        policy: how links are read.

    """

    def __init__(
        self, server: Server, files: TargetFiles, documents: Container[str], policy: Policy
    ) -> None:
        self._server = server
        self._files = files
        self._documents = documents
        self._policy = policy
        self._node_of = lru_cache(_MOST_NODES)(self._found)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The paths of the documents that the server shows without a link."""
        return self._server.shown()

    def document(self, path: str) -> Node:
        """Return the node of a document."""
        return Node(self._server.address.uri(path), "document", path)

    def edges(self, links: Iterable[Link]) -> Iterator[Edge]:
        """Yield the edges for the links of a document (`Extractor`), in their order.

        Names that nobody follows, links that set a base, templates, and links that lead to no other place than
        themselves (``data:``, ``javascript:``) have none.
        """
        for link in links:
            sets_base = link.sets_base or link.sets_inner_base
            if link.resolved is None or link.fixed or sets_base or not self._policy.applies(link):
                continue
            if not link.resolved[:11].lower().startswith(_NOWHERE):
                uri = without_dots(link.resolved)
                problem = self._files.problem(uri, link.charset)
                yield Edge(
                    link, self._node(uri, link), uri, "" if problem is None else problem.what
                )

    def _node(self, uri: str, link: Link) -> Node:
        resource = without_fragment(uri)
        is_plain = resource.isascii() and "%" not in resource
        return self._node_of(resource, _UTF8 if is_plain else link.charset)

    def _found(self, uri: str, charset: Charset) -> Node:
        answer = self._server.answer(uri, charset)
        if answer is None or (answer.reason is None and answer.to[1:] and not answer.path):
            uri = uri if answer is None else without_fragment(answer.to)
            try:
                host = urlsplit(uri).hostname or ""
            except ValueError:  # an IP-literal that is none
                host = ""
            return Node(comparison_form(uri), "url", host=host)
        if answer.outside:  # in the folder of an alias
            return Node(comparison_form(uri), "file")
        if answer.path:
            kind: NodeKind = "document" if answer.path in self._documents else "file"
            return Node(self._server.address.uri(answer.path), kind, answer.path)
        return Node(comparison_form(uri), "program" if answer.reason is None else "missing")
