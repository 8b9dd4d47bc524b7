"""A fragment that no element of the document has for its id.

What it does
    Reports links to a fragment of the same document for which there is no `id`, and no `name` of an
    `a` element. `#top` and an empty fragment lead to the top of any page; text fragments, routes that
    scripts read (`#/cart`, `#!cart`), and parts of media, drawings and books (`#t=10`, `#xywh=0,0,9,9`,
    `#svgView(…)`, `#epubcfi(…)`, `#xpointer(…)`) are left alone.

Why it is bad
    The link leads nowhere, unless a script makes the target later.

Example
    <a href="#introduction"> … <h2 id="intro">

Instead
    <a href="#intro">
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from linkfix.auditing.rule import Document, Hit, Hits, Subject, Watcher
from linkfix.iri.reference import has_fragment
from linkfix.links import Kind, Link
from linkfix.links.link import WEB_NAMESPACES
from linkfix.policy import Policy

if TYPE_CHECKING:
    #: A link, and what a `Subject` of it needs.
    _First: TypeAlias = tuple[Link, Policy, str | None, str | None]


def _needed(document: Document) -> Callable[[str], bool]:
    """Return a test for links to fragments that are not found yet."""
    names = document.names
    return lambda value: value[:1] == "#" and value[1:] not in names


class _Targets(Watcher):
    """Keep links to fragments until all names of the document are known."""

    def __init__(self) -> None:
        #: Of those that are alike, the first with its policy and bases, and byte offset, line and column of each.
        self._waiting: dict[tuple[object, ...], tuple[_First, array[int]]] = {}
        self._has_base = False

    def check(self, subject: Subject, document: Document) -> Hits:
        link = subject.link
        is_embedded = bool(link.place.embedded)
        self._has_base = self._has_base or link.sets_base or bool(link.bases and not is_embedded)
        value = subject.value
        local = value.startswith("#") and link.namespace in WEB_NAMESPACES and len(link.layers) == 1
        local = local and link.kind is not Kind.IDENTITY
        if local and value[1:] not in document.names:
            key = (link.raw, link.state, id(link.place))
            if key not in self._waiting:
                first = (link, subject.policy, subject.base, subject.site_base)
                self._waiting[key] = (first, array("Q"))
            self._waiting[key][1].extend((link.start, link.line, link.column))
        return iter(())

    def finish(self, document: Document) -> Iterator[tuple[Subject, Hit]]:
        if self._has_base:
            return  # "#x" then leads to another document
        for (first, policy, base, site_base), places in self._waiting.values():
            if has_fragment(first.value[1:], document.names):
                continue
            hit = Hit(0, len(first.value), "there is no such place in this document")
            for start, line, column in zip(*[iter(places)] * 3, strict=True):
                end = start + len(first.raw)
                link = first._replace(start=start, end=end, line=line, column=column)
                yield Subject(link, policy, base, site_base), hit


watch = _Targets
