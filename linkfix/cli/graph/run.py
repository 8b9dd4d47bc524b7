"""Write the graph of all documents, each node once, and sum up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from linkfix.cli.batch import STOPPED, Batch
from linkfix.cli.graph.formats import FORMATS
from linkfix.cli.graph.worker import Site, Worker
from linkfix.cli.options.graph import GraphOptions
from linkfix.cli.output import complain, number
from linkfix.files.tree import Found
from linkfix.policy import Policy

if TYPE_CHECKING:
    from linkfix.server.graph import Node

#: How many broken targets, orphans and hosts the summary names.
_NAMED = 10


@dataclass
class Run:
    """A run of the command: writes each node once, and sums up.

    Args:
        batch: the documents.
        sites: by folder.
        options: of the command.
        policy: how links are read.
        out: sink of the graph.

    """

    batch: Batch
    sites: dict[str, Site]
    options: GraphOptions
    policy: Policy
    out: TextIO
    _written: set[str] = field(default_factory=set)
    #: The documents that another one links to.
    _linked: set[str] = field(default_factory=set)
    _documents: list[tuple[Found, Node]] = field(default_factory=list)
    _links: int = 0
    _broken: Counter[str] = field(default_factory=Counter)
    _hosts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._format = FORMATS[self.options.output]()

    def run(self) -> int:
        """Write the graph; return the exit status."""
        self.out.write(self._format.head)
        work = Worker(self.sites, self.options, self.policy)
        status = self.batch.follow(work, self._take, data=True)
        if status != STOPPED:
            if self.options.orphans:
                for _, node in self.orphans():
                    self._put(*node)
            self.out.write(self._format.tail)
        return status

    def _take(self, found: Found, event: Any) -> int:
        if isinstance(event, bytes):
            self.out.write(event.decode("utf-8", "surrogatepass"))
            return 0
        if not self._documents or self._documents[-1][0] is not found:
            self._documents.append((found, self.sites[found.root].graph.document(found.relative)))
        self._links += event["links"]
        self._broken.update(event["broken"])
        for name, kind, path, host, links in event["nodes"]:
            if links and kind == "document":
                self._linked.add(name)
            if host:
                self._hosts[host] += links
            if not self.options.orphans:
                self._put(name, kind, path, host)
        return 0

    def _put(self, name: str, kind: str, path: str, host: str) -> None:
        """Write a node, once."""
        if name not in self._written:
            self._written.add(name)
            record = {"id": name, "kind": kind, "path": path, "host": host}
            self.out.write(self._format.node(record))

    def orphans(self) -> Iterator[tuple[Found, Node]]:
        """Yield the documents that no other one links to, but for the start of each site."""
        for found, node in self._documents:
            site = self.sites[found.root]
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
        _name("broken", _top(self._broken))
        _name("no links to", orphans)
        _name("host", _top(self._hosts, "//"))


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
