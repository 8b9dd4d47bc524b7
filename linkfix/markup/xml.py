"""The XML scanner: elements with namespaces, and the spans of their attributes and content.

expat decides what is well-formed and says where each tag begins, as a byte index that is exact. The
spans inside a tag are then read from the tag itself, which by that time is known to be well-formed.

expat reads UTF-8 and UTF-16 as they are. Every other charset is shown to it through its ASCII view
under an encoding of our own, ``linkfix-octets``, in which each octet from 0x80 is a letter of its
own: markup is found where it is, names compare as their octets do, and no offset ever shifts.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers import expat

from linkfix.errors import LimitExceededError, NotWellFormedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.charset import Charset

__all__ = ["XMLAttribute", "XMLContent", "XMLElement", "XMLScanner"]

#: The longest token (tag, comment, content of a link element) that is waited for, in bytes.
MAX_TOKEN = 64 * 1024 * 1024

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/"

# --- the encoding in which expat reads a view ---------------------------------------------------

_OCTETS = "linkfix-octets"
_FIRST_LETTER = 0x4E00
_OCTET_TABLE = "".join(chr(o if o < 0x80 else _FIRST_LETTER + o) for o in range(256))
_OCTET_BACK = {_FIRST_LETTER + o: o for o in range(0x80, 0x100)}


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != _OCTETS:
        return None
    return codecs.CodecInfo(
        encode=lambda text, errors="strict": codecs.charmap_encode(text, errors, _OCTET_BACK),
        decode=lambda data, errors="strict": codecs.charmap_decode(
            bytes(data), errors, _OCTET_TABLE
        ),
        name=_OCTETS,
    )


codecs.register(_find_codec)

# --- what comes out -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class XMLAttribute:
    """One attribute of an element, declarations of namespaces included.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none (or for a prefix that is not bound).
        local: the name without its prefix.
        start: where the value begins, without its quote, as an offset in the view; None for an
            attribute that is not in the document (a default, or part of an entity's replacement).
        end: where the value ends, likewise.
        quote: the quote around it.
        value: the value with entities expanded; what to use where the span is None or the
            spelling refers to an entity.

    """

    name: str
    namespace: str
    local: str
    start: int | None
    end: int | None
    quote: str
    value: str


@dataclass(frozen=True, slots=True)
class XMLElement:
    """A start tag or an empty-element tag.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none.
        local: the name without its prefix.
        attributes: in order of the document; defaults last.
        depth: 0 for the root element.
        start: where its ``<`` stands, as an offset in the view.

    """

    name: str
    namespace: str
    local: str
    attributes: tuple[XMLAttribute, ...]
    depth: int
    start: int


@dataclass(frozen=True, slots=True)
class XMLContent:
    """The text of an element that was asked for and that has no child elements.

    Attributes:
        element: the element.
        start: where its content begins, as an offset in the view.
        end: where its end tag begins.
        value: the character data, with entities expanded.
        literal: whether the content is in the document as it stands (not in an entity).

    """

    element: XMLElement
    start: int
    end: int
    value: str
    literal: bool


_TAG = re.compile(rb"""<[^\t\n\r />]+(?:[^"'>]++|"[^"]*"|'[^']*')*+>""")
_ATTRIBUTE = re.compile(
    rb"""[\t\n\r ]+([^\t\n\r =]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"]*)"|'([^']*)')"""
)


@dataclass(slots=True)
class _Open:
    """The element whose text is being collected."""

    element: XMLElement
    start: int
    text: list[str]
    literal: bool


class XMLScanner:
    """Find the elements of an XML document, chunk by chunk.

    Args:
        charset: of the document; decides what expat is given to read.
        wants_text: tells by namespace and local name whether an element's text is wanted.
        max_token: the longest token, in bytes, that is waited for.

    """

    def __init__(
        self,
        charset: Charset,
        *,
        wants_text: Callable[[str, str], bool] = lambda _namespace, _local: False,
        max_token: int = MAX_TOKEN,
    ) -> None:
        self._charset = charset
        self._wants_text = wants_text
        self._max_token = max_token
        self._native = charset.name == "UTF-8" or charset.unit == 2
        self._scale = charset.unit if self._native else 1
        self._parser = expat.ParserCreate(charset.name if self._native else _OCTETS)
        self._parser.ordered_attributes = True
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start_element
        self._parser.EndElementHandler = self._end_element
        self._held: list[tuple[bytes, bytes]] = []
        self._size = 0
        self._wanted = 0
        self._view = b""
        self._base = 0
        self._depth = 0
        self._scopes: list[tuple[int, dict[str, str]]] = [(-1, {"xml": XML_NAMESPACE, "": ""})]
        self._collecting: _Open | None = None
        self._events: list[XMLElement | XMLContent] = []

    @property
    def offset(self) -> int:
        """All that stands before this offset in the view has been dealt with."""
        return self._base

    def feed(self, source: bytes, view: bytes) -> list[XMLElement | XMLContent]:
        """Take the next bytes of the document, and the same of its view; give what they complete.

        Raises:
            NotWellFormedError: with the byte offset in the document.
            LimitExceededError: a token is longer than `max_token`.

        """
        self._held.append((source, view))
        self._size += len(source)
        if self._size < self._wanted:
            return []
        return self._parse(final=False)

    def close(self) -> list[XMLElement | XMLContent]:
        """Say that the document has ended and give what was still waiting.

        Raises:
            NotWellFormedError: with the byte offset in the document.

        """
        return self._parse(final=True)

    def _parse(self, *, final: bool) -> list[XMLElement | XMLContent]:
        source = b"".join(chunk for chunk, _ in self._held)
        view = b"".join(chunk for _, chunk in self._held)
        self._held = []
        self._view += view
        try:
            self._parser.Parse(source if self._native else view, final)
        except expat.ExpatError as error:
            raise self._not_well_formed(error) from None
        self._let_go()
        events, self._events = self._events, []
        return events

    def _let_go(self) -> None:
        """Keep only what an unfinished token or collected text still needs."""
        keep = self._index()
        if self._collecting is not None and self._collecting.literal:
            keep = min(keep, self._collecting.element.start)
        rest = self._view[keep - self._base :]
        if len(rest) * self._charset.unit > self._max_token:
            raise LimitExceededError(
                f"a tag, a comment or the text of an element is longer than {self._max_token} bytes",
                hint="allow longer tokens",
                offset=keep * self._charset.unit,
            )
        self._view = rest
        self._base = keep
        self._size = 0
        self._wanted = len(rest) * self._charset.unit // 2

    def _index(self) -> int:
        """Where expat stands, as an offset in the view."""
        return max(self._parser.CurrentByteIndex, 0) // self._scale

    def _not_well_formed(self, error: expat.ExpatError) -> NotWellFormedError:
        units = max(self._parser.ErrorByteIndex, 0) // self._scale
        return NotWellFormedError(
            f"not well-formed XML: {expat.ErrorString(error.code)}",
            hint="correct it there, or say --type html if it is HTML",
            offset=units * self._charset.unit,
        )

    # --- what expat calls -----------------------------------------------------------------------

    def _start_element(self, name: str, pairs: list[str]) -> None:
        if self._collecting is not None:  # a child element: not a link's text
            self._stop_collecting()
        depth = self._depth
        self._depth += 1
        if pairs:
            self._declare(pairs, depth)
        namespace, local = self._expand(name, default=True)
        index = self._index()
        wants_text = self._wants_text(namespace, local)
        if not pairs and not wants_text and depth:
            return
        tag = self._tag_at(index)
        element = XMLElement(
            self._text(name),
            namespace,
            local,
            tuple(self._attributes(pairs, index, tag)),
            depth,
            index,
        )
        self._events.append(element)
        if wants_text:
            self._collecting = _Open(element, index + len(tag), [], bool(tag))
            self._parser.CharacterDataHandler = self._collecting.text.append

    def _end_element(self, _name: str) -> None:
        self._depth -= 1
        if self._scopes[-1][0] == self._depth:
            self._scopes.pop()
        opened = self._collecting
        if opened is not None:
            self._stop_collecting()
            index = self._index()
            literal = opened.literal and self._view[index - self._base :][:2] == b"</"
            self._events.append(
                XMLContent(
                    opened.element,
                    opened.start,
                    index if literal else opened.start,
                    self._text("".join(opened.text)),
                    literal,
                )
            )

    def _stop_collecting(self) -> None:
        self._collecting = None
        self._parser.CharacterDataHandler = None

    # --- names --------------------------------------------------------------------------------

    def _declare(self, pairs: list[str], depth: int) -> None:
        """Take note of the namespaces that a tag declares (Namespaces in XML, 3)."""
        declared = {
            name[6:]: self._text(value)
            for name, value in zip(pairs[::2], pairs[1::2], strict=True)
            if name.startswith("xmlns") and (name == "xmlns" or name[5] == ":")
        }
        if declared:
            self._scopes.append((depth, self._scopes[-1][1] | declared))

    def _expand(self, name: str, *, default: bool = False) -> tuple[str, str]:
        """Give the namespace name and the local name of a qualified name."""
        prefix, colon, local = name.partition(":")
        scope = self._scopes[-1][1]
        if colon:
            return scope.get(prefix, ""), self._text(local)
        return scope[""] if default else "", self._text(name)

    def _text(self, text: str) -> str:
        """Characters that expat gave, with octets of the view decoded."""
        if self._native or text.isascii():
            return text
        octets = bytes(_OCTET_BACK.get(ord(c), 0x3F if ord(c) > 0x7F else ord(c)) for c in text)
        return self._charset.decode(octets)

    # --- spans --------------------------------------------------------------------------------

    def _tag_at(self, index: int) -> bytes:
        """Give the tag that begins at an offset, or nothing where it is in an entity."""
        at = index - self._base
        if self._view[at : at + 1] != b"<":
            return b""
        match = _TAG.match(self._view, at)
        return match[0] if match is not None else b""

    def _attributes(self, pairs: list[str], index: int, tag: bytes) -> Iterator[XMLAttribute]:
        spans = _ATTRIBUTE.finditer(tag)
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if name == "xmlns" or name.startswith("xmlns:"):
                namespace, local = XMLNS_NAMESPACE, self._text(name[6:] or name)
            else:
                namespace, local = self._expand(name)
            # expat gives the attributes of the tag first and in order, then the defaults.
            match = next(spans, None)
            start = end = None
            quote = ""
            if match is not None:
                group = match.lastindex or 2
                start, end = (index + offset for offset in match.span(group))
                quote = '"' if group == 2 else "'"
            yield XMLAttribute(
                self._text(name), namespace, local, start, end, quote, self._text(value)
            )
