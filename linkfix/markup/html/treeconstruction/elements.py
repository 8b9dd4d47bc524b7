"""Tags, the stack of open elements, the active formatting elements (HTML standard, 13.2.4.2, 13.2.4.3, 13.2.6).

Both are chains of links with increasing *ranks*: sorted lists, one for each name and group. So each walk in the standard ("has an
element in scope", "loop down the stack") is here a comparison of two ranks, in the same time at every depth. Without a
tree an element has no children, and a clone of it is the element itself.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Iterator
from operator import attrgetter
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from linkfix.errors import LimitExceededError
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.html.tokens import parts
from linkfix.markup.html.treeconstruction import groups_data as groups


class Tag(NamedTuple):
    """A start tag.

    Attributes:
        name: name of the tag in lower case.
        raw: the whole tag.
        self_closing: whether it ends in ``/>``.

    """

    name: bytes
    raw: bytes = b""
    self_closing: bool = False

    @property
    def is_hidden(self) -> bool:
        """Whether its type is "hidden"."""
        return (self.attributes().get(b"type") or b"").lower() == b"hidden"

    def attributes(self) -> dict[bytes, bytes | None]:
        """Return the values by names in lower case, as they are spelled."""
        found: dict[bytes, bytes | None] = {}
        for match in parts(self.raw, 1 + len(self.name)):
            if match[1] is not None:
                group = match.lastindex or 1
                found.setdefault(match[1].lower(), match[group] if group > 1 else None)
        return found

    @property
    def key(self) -> Hashable:
        """A value that is equal for tags with the same name and attributes."""
        return self.name, frozenset(
            (name, value or b"") for name, value in self.attributes().items()
        )


def breaks_out(name: bytes, raw: bytes) -> bool:
    """Return whether a start tag leaves foreign content (13.2.6.5)."""
    if name == b"font":
        return not groups.FONT_BREAKOUT.isdisjoint(Tag(name, raw).attributes())
    return name in groups.BREAKOUT


#: The keys of elements: the name of an HTML element, a foreign name with a mark, or a group.
Kind: TypeAlias = "bytes | tuple[str, bytes] | str"

#: The difference between the ranks of new links, so that others fit between them.
_GAP = 1 << 16
#: Formatting elements that are opened again at once are counted beyond the first number; a document may have the second
#: number of them. Real pages open a few at once.
_MANY, _MAX_REOPENED = 32, 1_000_000

_rank = attrgetter("rank")
#: A kind of all links.
_ANY = None


class _Link:
    """A link of a chain, with the kinds that it is indexed by; its rank is -1 while it is in no chain."""

    __slots__ = ("kinds", "rank")

    def __init__(self, *kinds: Hashable) -> None:
        self.kinds: tuple[Hashable, ...] = (_ANY, *kinds)
        self.rank: int = -1


_AnyLink = TypeVar("_AnyLink", bound=_Link)


class _Chain(Generic[_AnyLink]):
    """Links in order, the outermost first, with an index of their kinds."""

    __slots__ = ("_by_kind", "_links")

    def __init__(self) -> None:
        self._links: list[_AnyLink] = []
        #: The links of each kind, in order.
        self._by_kind: dict[Hashable, list[_AnyLink]] = {_ANY: self._links}

    def __iter__(self) -> Iterator[_AnyLink]:
        return iter(self._links)

    @property
    def current(self) -> _AnyLink | None:
        """The last link, which of the open elements is the current node."""
        return self._links[-1] if self._links else None

    def append(self, link: _AnyLink) -> None:
        """Add a link at the end."""
        link.rank = self._links[-1].rank + _GAP if self._links else 0
        for kind in link.kinds:
            self._by_kind.setdefault(kind, []).append(link)

    def insert_after(self, outer: _AnyLink, link: _AnyLink) -> None:
        """Add a link just after another one."""
        links = self._links
        if outer is links[-1]:
            self.append(link)
            return
        inner = links[bisect_right(links, outer.rank, key=_rank)]
        if inner.rank - outer.rank < 2:
            for number, each in enumerate(links):
                each.rank = number * _GAP
        link.rank = (outer.rank + inner.rank) // 2
        for kind in link.kinds:
            insort(self._by_kind.setdefault(kind, []), link, key=_rank)

    def remove(self, link: _AnyLink) -> None:
        """Remove a link, wherever it is."""
        for kind in link.kinds:
            others = self._by_kind[kind]
            if others[-1] is link:
                others.pop()
            else:
                del others[bisect_left(others, link.rank, key=_rank)]
            if not others and kind is not _ANY:  # documents can invent unlimited names
                del self._by_kind[kind]
        link.rank = -1

    def between(self, outer: _AnyLink, inner: _AnyLink) -> list[_AnyLink]:
        """Return the links between two."""
        first, last = (bisect_left(self._links, x.rank, key=_rank) for x in (outer, inner))
        return self._links[first + 1 : last]

    def innermost(self, kind: Hashable) -> _AnyLink | None:
        """Return the last link of a kind."""
        found = self._by_kind.get(kind)
        return found[-1] if found else None

    def rank(self, kind: Hashable) -> int:
        """Return the rank of the last link of a kind, -1 for none."""
        found = self._by_kind.get(kind)
        return found[-1].rank if found else -1


class Element(_Link):
    """An element that is or was open.

    Args:
        namespace: the namespace name.
        name: name of the element in lower case.
        is_html_annotation: whether it is an ``annotation-xml`` whose encoding makes it an HTML integration point.

    """

    __slots__ = ("entry", "html_integration", "name", "namespace", "text_integration")

    def __init__(self, namespace: str, name: bytes, *, is_html_annotation: bool = False) -> None:
        self.namespace: str = namespace
        self.name: bytes = name
        #: Its entry in the list of active formatting elements.
        self.entry: Entry | None = None
        self.html_integration: bool = is_html_annotation
        self.text_integration: bool = False
        if namespace == HTML:
            super().__init__(*(_HTML_KINDS.get(name) or (name, "html")))
            return
        kinds: tuple[Hashable, ...] = (("foreign", name), "foreign")
        if namespace == SVG and name in groups.SVG_INTEGRATION:
            self.html_integration = True
        elif namespace == MATHML and name in groups.MATHML_TEXT_INTEGRATION:
            self.text_integration = True
        is_annotation = namespace != SVG and name == groups.ANNOTATION_XML
        if self.html_integration or self.text_integration or is_annotation:
            kinds += ("scope", "special", "blocking")
        super().__init__(*kinds)

    @property
    def is_left_for_html(self) -> bool:
        """Whether start tags that break out of foreign content stop at it (13.2.6.5)."""
        return self.namespace == HTML or self.html_integration or self.text_integration

    def takes_as_foreign(self, name: bytes) -> bool:
        """Whether a start tag in it follows the rules for foreign content (13.2.6)."""
        if self.namespace == HTML or self.html_integration:
            return False
        if self.text_integration:
            return name in {b"mglyph", b"malignmark"}
        return not (
            name == b"svg" and self.namespace == MATHML and self.name == groups.ANNOTATION_XML
        )


def foreign_element(namespace: str, name: bytes, raw: bytes) -> Element:
    """Return the element of a start tag in foreign content.

    Args:
        namespace: the namespace name.
        name: name of the tag in lower case.
        raw: the whole tag.

    """
    is_annotation = False
    if name == groups.ANNOTATION_XML and namespace == MATHML:
        encoding = Tag(name, raw).attributes().get(b"encoding")
        is_annotation = encoding is not None and encoding.lower() in groups.HTML_ENCODINGS
    return Element(namespace, name, is_html_annotation=is_annotation)


def _html_kinds(name: bytes) -> tuple[Kind, ...]:
    kinds = {
        "special": name in groups.SPECIAL,
        "blocking": name in groups.SPECIAL - {b"address", b"div", b"p"},
        "scope": name in groups.SCOPE,
        "modes": name in groups.RESETTING,
    }
    return (name, "html", *(kind for kind, is_of_it in kinds.items() if is_of_it))


_HTML_KINDS = {name: _html_kinds(name) for name in groups.SPECIAL | groups.FORMATTING}


class OpenElements(_Chain[Element]):
    """The stack of open elements; the current node is its last link."""

    __slots__ = ()

    def pop(self) -> Element | None:
        """Remove the current node, and return it."""
        element = self.current
        if element is not None:
            self.remove(element)
        return element

    def pop_until(self, element: Element) -> None:
        """Pop elements up to a certain one, and that one as well."""
        while self.pop() is not element:
            pass

    def pop_to(self, *kinds: Kind) -> None:
        """Pop elements until the current node is of one of these kinds."""
        rank = max(self.rank(kind) for kind in kinds)
        while (current := self.current) is not None and current.rank > rank:
            self.pop()

    def is_in_foreign_content(self, element: Element) -> bool:
        """Return whether an element and all those open inside it are foreign."""
        return element.rank > self.rank("html")

    def outermost_special_inside(self, element: Element) -> Element | None:
        """Return the furthest block of the adoption agency algorithm."""
        special = self._by_kind.get("special", [])
        index = bisect_right(special, element.rank, key=_rank)
        return special[index] if index < len(special) else None

    def in_scope(self, name: bytes, *barriers: Kind) -> Element | None:
        """Return the innermost HTML element of a name that is in scope; barriers end the scope too."""
        found = self.innermost(name)
        if found is None or found.rank < self.rank("scope"):
            return None
        return None if any(self.rank(barrier) > found.rank for barrier in barriers) else found

    def in_table_scope(self, name: bytes) -> Element | None:
        """Return the innermost HTML element of a name that is in table scope."""
        found = self.innermost(name)
        if found is None or any(self.rank(kind) > found.rank for kind in _TABLE_SCOPE):
            return None
        return found


_TABLE_SCOPE = (b"html", b"table", b"template")


class Entry(_Link):
    """An entry in the list of active formatting elements; a marker where there is no element.

    Its kinds are the number of markers before it, with the name of the element, and with its name and attributes.
    """

    __slots__ = ("element",)

    def __init__(self, element: Element | None, markers: int = 0, *keys: Hashable) -> None:
        super().__init__(*((markers, key) for key in keys))
        self.element: Element | None = element


class ActiveFormatting(_Chain[Entry]):
    """The list of active formatting elements."""

    __slots__ = ("_markers", "_reopened")

    def __init__(self) -> None:
        super().__init__()
        self._markers = 0
        self._reopened = 0

    def add_marker(self) -> None:
        """Insert a marker at the end."""
        self._markers += 1
        self.append(Entry(None))

    def clear_to_marker(self) -> None:
        """Remove the entries up to the last marker, and that marker."""
        while (entry := self.current) is not None:
            self.remove(entry)
            if entry.element is None:
                self._markers -= 1
                break
            entry.element.entry = None

    def push(self, element: Element, key: Hashable) -> None:
        """Add an element; if three equal ones are there since the last marker, remove the earliest.

        Args:
            element: a formatting element.
            key: the name and attributes of the element.

        """
        alike = self._by_kind.get((self._markers, key), [])
        if len(alike) >= 3:
            self.discard(alike[0].element)
        element.entry = Entry(element, self._markers, element.name, key)
        self.append(element.entry)

    def find(self, name: bytes) -> Element | None:
        """Return the last element of a name since the last marker."""
        entry = self.innermost((self._markers, name))
        return None if entry is None else entry.element

    def discard(self, element: Element | None) -> None:
        """Remove an element, if it is in the list."""
        if element is not None and element.entry is not None:
            self.remove(element.entry)
            element.entry = None

    def move_after(self, element: Element, other: Element) -> None:
        """Move an element to just after another one; both are in the list, between the same markers."""
        if element.entry is not None and other.entry is not None:
            self.remove(element.entry)
            self.insert_after(other.entry, element.entry)

    def reconstruct(self, stack: OpenElements) -> None:
        """Open those elements again that the ends of others have closed (13.2.4.3).

        Raises:
            LimitExceededError: a million of elements have been opened again, many at once.

        """
        entries, first = self._links, len(self._links)
        while first and (element := entries[first - 1].element) and element.rank < 0:
            first -= 1
        for entry in entries[first:]:
            if entry.element is not None:
                stack.append(entry.element)
        self._reopened += max(0, len(entries) - first - _MANY)
        if self._reopened > _MAX_REOPENED:
            raise LimitExceededError(
                f"more than {_MAX_REOPENED:,} formatting elements that are not closed are opened again",
                hint="close elements such as font and b inside the paragraph that they begin in",
            )
