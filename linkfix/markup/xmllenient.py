"""The lenient XML scanner: what there is of tags in a document that is not well-formed.

It goes on where the strict scanner had to stop. No standard says how such a document is to be read;
the aim is to find the links that its author meant, and only where their bytes are plain to see.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from linkfix.markup.xmlevents import XMLAttribute, XMLContent, XMLElement
from linkfix.markup.xmlscopes import InForce, check_bases, named_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.charset import Charset
    from linkfix.markup.xmlevents import Limits, XMLEvent
    from linkfix.markup.xmlscopes import Before

__all__ = ["LenientXMLScanner"]

_NAME = rb"[^\t\n\r />!?=<\"'][^\t\n\r />=<]*+"
_WHOLE = re.compile(
    rb"<(?:(?P<skipped>![^-\[<>][^<>]*>)"
    rb"|/(?P<end>[^\t\n\r <>]*)[^<>]*>"
    rb"|(?P<start>" + _NAME + rb")(?:[^\"'<>]|\"[^\"<]*\"|'[^'<]*')*+>)"
)
#: A start tag in which quotes are missing.
_BROKEN = re.compile(rb"<(?P<skipped>!)?(?P<end>/)?(?P<start>" + _NAME + rb")[^<>]*>")
#: What can hold a "<" of its own, and so is waited for, and how it ends.
_LONG = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_STARTS = tuple(_LONG)
_LONGEST_START = max(map(len, _STARTS))
_ATTRIBUTE = re.compile(
    rb"""([^\t\n\r =/"'<>]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"<>]*)"|'([^'<>]*)'|([^\t\n\r "'<>]+))"""
)
_QUOTES = {2: '"', 3: "'", 4: ""}


class _Open(NamedTuple):
    """An element that is open; `before` as `InForce` has it."""

    name: bytes
    bases: tuple[str, ...]
    before: Before


class LenientXMLScanner:
    """Find tags and the text of elements, whatever else is wrong.

    Args:
        charset: of the document.
        wants_text: tells by namespace and local name whether an element's text is wanted.
        typed: called with each element, in order, to tell the same; None where names are enough.
        limits: what is waited for.
        depth: how many elements are open.
        bindings: the namespaces by prefix.
        bases: the values of ``xml:base`` in force.
        opened: the element whose text is wanted and has begun, with the offset where; None for none.
        view: what is left of the document's view.
        base: the offset of its first unit.

    """

    def __init__(
        self,
        charset: Charset,
        wants_text: Callable[[str, str], bool],
        typed: Callable[[XMLElement], bool] | None,
        limits: Limits,
        *,
        depth: int,
        bindings: dict[str, str],
        bases: tuple[str, ...],
        opened: tuple[XMLElement, int] | None,
        view: bytes,
        base: int,
    ) -> None:
        self._charset = charset
        self._wants_text = wants_text
        self._typed = typed
        self._limits = limits
        self._outer = depth
        #: The elements that are open: the name of each, and what holds inside it and held around it.
        self._open = [_Open(b"", bases, [])]
        self._in_force = InForce(bindings)
        #: Where in that list each name stands.
        self._places: dict[bytes, list[int]] = {}
        self._opened = opened
        self._view = view
        self._base = base
        #: What has come since `_view`, how much there is of both, and how much is waited for.
        self._chunks: list[bytes] = []
        self._size = len(view)
        self._wanted = 0
        #: What no end comes for in `_view`, from the place that is being looked at on.
        self._endless: set[bytes] = set()

    @property
    def offset(self) -> int:
        """All that stands before this offset in the view has been dealt with."""
        return self._base if self._opened is None else min(self._base, self._opened[1])

    def feed(self, view: bytes, *, final: bool = False) -> list[XMLEvent]:
        """Take the next units of the view and give what they complete."""
        self._chunks.append(view)
        self._size += len(view)
        if self._size < self._wanted and not final:
            return []
        self._view = b"".join((self._view, *self._chunks))
        self._chunks.clear()
        self._endless.clear()
        events: list[XMLEvent] = []
        position = 0
        while (position := self._view.find(b"<", position)) >= 0:
            end = self._end_of_long(position)
            if end >= 0:
                position = end
                continue
            match = self._token(position, final=final)
            if match is None:
                break
            events += self._of_token(match)
            position = match.end()
        keep = len(self._view) if position < 0 else position
        if self._opened is not None and self._base + keep - self._opened[1] > self._limits.token:
            self._opened = None
        self._base += keep
        self._view = self._view[keep:]
        self._size = len(self._view)
        self._wanted = min(2 * self._size, self._limits.token) + 1
        return events

    def _end_of_long(self, position: int) -> int:
        """Give where what can hold a "<" ends, if such a thing begins here and is whole; else -1."""
        view = self._view
        for start, end in _LONG.items():
            if view.startswith(start, position) and start not in self._endless:
                found = view.find(end, position + len(start))
                if found >= 0:
                    return found + len(end)
                self._endless.add(start)
        return -1

    def _token(self, position: int, *, final: bool) -> re.Match[bytes] | None:
        """Give the token at a "<", or just that where it is none; None to wait for more."""
        view = self._view
        match = _WHOLE.match(view, position)
        if match is not None:
            return match
        waits = len(view) - position <= self._limits.token and not final
        if waits and (
            view.startswith(_STARTS, position)
            or any(
                start.startswith(view[position : position + _LONGEST_START]) for start in _STARTS
            )
            or view.find(b"<", position + 1) < 0
        ):
            return None
        return _BROKEN.match(view, position) or _ONE.match(view, position)

    def _of_token(self, match: re.Match[bytes]) -> Iterator[XMLEvent]:
        groups = match.groupdict()
        if groups.get("skipped") is not None or match[0] == b"<":
            return
        start = self._base + match.start()
        if groups["end"] is not None:
            name = groups["end"] or groups.get("start") or b""
            yield from self._content(name, start)
            self._close(name)
            return
        self._opened = None
        element, before = self._element(match, start)
        yield element
        wanted = self._wants_text(element.namespace, element.local)
        if self._typed is not None:
            wanted = self._typed(element)
        if not match[0].endswith(b"/>"):
            self._places.setdefault(match["start"], []).append(len(self._open))
            self._open.append(_Open(match["start"], element.bases, before))
            if wanted:
                self._opened = (element, self._base + match.end())
        else:
            self._in_force.leave(before)

    def _close(self, name: bytes) -> None:
        """Close the last element of a name with all that is open in it; ignore a stray end tag."""
        places = self._places.get(name)
        if places:
            place = places[-1]
            while len(self._open) > place:
                last, _, before = self._open.pop()
                self._in_force.leave(before)
                self._places[last].pop()
                if not self._places[last]:  # documents can invent names without end
                    del self._places[last]
        elif len(self._open) == 1 and self._outer:
            self._outer -= 1

    def _content(self, name: bytes, end: int) -> Iterator[XMLEvent]:
        if self._opened is not None:
            element, start = self._opened
            self._opened = None
            if self._text(name) == element.name:
                yield XMLContent(element, start, end, literal=True, spelling="", expanded="")

    def _element(self, match: re.Match[bytes], start: int) -> tuple[XMLElement, Before]:
        """Return the element of a start tag, whose namespaces are in force from then on."""
        tag = match[0]
        found = [
            (self._text(item[1]), item, item.lastindex or 4)
            for item in _ATTRIBUTE.finditer(tag, len(match["start"]) + 1)
        ]
        bases = self._open[-1].bases
        own = tuple(self._text(item[group]) for name, item, group in found if name == "xml:base")
        if own:
            bases += own
            check_bases(len(bases), start * self._charset.unit)
        declared = {
            name[6:]: self._text(item[group])
            for name, item, group in found
            if name == "xmlns" or name.startswith("xmlns:")
        }
        before = self._in_force.enter(declared)
        bindings = self._in_force.bindings
        name = self._text(match["start"])
        prefix, colon, local = name.partition(":")
        attributes = []
        for full, item, group in found:
            outer, has_prefix, inner = full.partition(":")
            first, last = item.span(group)
            attributes.append(
                XMLAttribute(
                    full,
                    bindings.get(outer, "") if has_prefix else "",
                    inner if has_prefix else full,
                    start + first,
                    start + last,
                    _QUOTES[group],
                    "",
                    self._text(item[group]),
                )
            )
        element = XMLElement(
            name,
            bindings.get(prefix, "") if colon else bindings[""],
            local if colon else name,
            tuple(attributes),
            self._outer + len(self._open) - 1,
            start,
            bases,
            named_type(attributes, bindings) if self._typed is not None else None,
        )
        return element, before

    def _text(self, octets: bytes) -> str:
        if octets.isascii() or self._charset.unit > 1:
            return octets.decode("ascii", "replace")
        return self._charset.decode(octets)


_ONE = re.compile(rb"<")
