"""The XML scanner: elements with namespaces, and the spans of their attributes and content.

expat decides what is well-formed and says where each tag begins, as a byte index that is exact. The
spans inside a tag are then read from the tag itself, which by that time is known to be well-formed.
What expat reads is `ExpatInput`'s.

Prefixes that are not bound are no error: a document that XML 1.0 allows is read, whatever
Namespaces in XML says of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from linkfix.errors import LimitExceededError, NotWellFormedError
from linkfix.markup.xmlevents import (
    Limits,
    XMLAttribute,
    XMLContent,
    XMLDoctype,
    XMLElement,
    XMLInstruction,
)
from linkfix.markup.xmlinput import ExpatInput, is_name
from linkfix.markup.xmllenient import LenientXMLScanner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.charset import Charset
    from linkfix.markup.xmlevents import XMLEvent

__all__ = ["XMLNS_NAMESPACE", "XML_NAMESPACE", "XMLScanner"]

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/"

_TAG = re.compile(rb"""<([^\t\n\r />]+)(?:[^"'>]++|"[^"]*"|'[^']*')*+>""")
_ATTRIBUTE = re.compile(
    rb"""[\t\n\r ]+([^\t\n\r =]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"]*)"|'([^']*)')"""
)
_DOCTYPE = b"<!DOCTYPE"
_EXTERNAL_ID = re.compile(
    rb"""<!DOCTYPE[\t\n\r ]+[^\t\n\r >\[]+[\t\n\r ]+(?:SYSTEM|PUBLIC[\t\n\r ]+(?:"[^"]*"|'[^']*'))"""
    rb"""[\t\n\r ]+(?:"([^"]*)"|'([^']*)')"""
)
_INSTRUCTION = re.compile(rb"<\?[^\t\n\r ?]+[\t\n\r ]*(.*?)\?>", re.DOTALL)
#: How many names of elements are remembered with what they mean.
_REMEMBERED = 1024


#: Of an element's name: namespace, local name, whether its text is wanted, and the names of
#: attributes without which it is not given; None where it always is.
_Known = tuple[str, str, bool, frozenset[str] | None]


@dataclass(slots=True)
class _Scope:
    """The namespaces that hold from an element on.

    Attributes:
        depth: of the element that declares them.
        bindings: namespace name by prefix.
        bases: the values of ``xml:base``, the outermost first.
        names: names of elements, with what is known of each.

    """

    depth: int
    bindings: dict[str, str]
    bases: tuple[str, ...] = ()
    names: dict[str, _Known] = field(default_factory=dict)


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
        charset: of the document.
        wants_text: tells by namespace and local name whether an element's text is wanted.
        wanted_attributes: gives by namespace, local name and the namespaces by prefix the names of
            attributes without one of which an element need not be given; None for no such names.
        typed: called with each element, in order, to tell whether its text is wanted; then every
            element is given, with attributes or without. None where names tell enough.
        limits: what the document may need.
        recover: whether a document that is not well-formed is read leniently from there on.

    Attributes:
        error: what was not well-formed, in a document that is read leniently since.

    """

    def __init__(
        self,
        charset: Charset,
        *,
        wants_text: Callable[[str, str], bool] = lambda _namespace, _local: False,
        wanted_attributes: Callable[[str, str, dict[str, str]], frozenset[str] | None]
        | None = None,
        typed: Callable[[XMLElement], bool] | None = None,
        limits: Limits | None = None,
        recover: bool = False,
    ) -> None:
        self.error: NotWellFormedError | None = None
        self._recover = recover
        self._lenient: LenientXMLScanner | None = None
        self._charset = charset
        self._unit = charset.unit
        self._wants_text = wants_text
        self._wanted_attributes = wanted_attributes
        self._typed = typed
        self._limits = limits or Limits()
        self._input = ExpatInput(charset)
        parser = self._parser = expat.ParserCreate(self._input.encoding)
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.StartDoctypeDeclHandler = self._start_doctype
        parser.EndDoctypeDeclHandler = self._end_doctype
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        self._held: list[tuple[bytes, bytes]] = []
        self._size = 0
        self._wanted = 0
        self._view = b""
        self._base = 0
        self._depth = 0
        self._scopes = [_Scope(-1, {"xml": XML_NAMESPACE, "": ""})]
        self._collecting: _Open | None = None
        self._doctype: tuple[str, str, str] | None = None
        self._external: tuple[int | None, int | None, str] = (None, None, "")
        self._entities = False
        self._in_prolog = True
        #: What has been given of the prolog ends here.
        self._given = 0
        self._last_tag = -1
        self._events: list[XMLEvent] = []

    @property
    def offset(self) -> int:
        """All that stands before this offset in the view has been dealt with."""
        return self._base if self._lenient is None else self._lenient.offset

    def feed(self, source: bytes, view: bytes) -> list[XMLEvent]:
        """Take the next bytes of the document, and the same of its view; give what they complete.

        Raises:
            NotWellFormedError: with the byte offset after the byte order mark.
            LimitExceededError: the document needs more than the limits allow.

        """
        if self._lenient is not None:
            return self._lenient.feed(view)
        self._held.append((source, view))
        self._size += len(source)
        if self._size < self._wanted:
            return []
        return self._parse(final=False)

    def close(self) -> list[XMLEvent]:
        """Say that the document has ended and give what was still waiting.

        Raises:
            NotWellFormedError: with the byte offset after the byte order mark.
            LimitExceededError: the document needs more than the limits allow.

        """
        if self._lenient is not None:
            return self._lenient.feed(b"", final=True)
        return self._parse(final=True)

    def _parse(self, *, final: bool) -> list[XMLEvent]:
        try:
            self._run(final=final)
        except NotWellFormedError as error:
            if not self._recover or error.offset is None:
                raise
            self.error = error
            lenient = self._lenient = self._go_on(error.offset // self._unit)
            self._events += lenient.feed(b"", final=final)
        events, self._events = self._events, []
        return events

    def _go_on(self, offset: int) -> LenientXMLScanner:
        """Hand over to the lenient scanner, from the token that is not well-formed."""
        at = self._base + self._view.rfind(b"<", 0, max(offset - self._base, 0) + 1)
        start = at if self._base <= at and at > self._last_tag else max(offset, self._base)
        opened = self._collecting
        literal = opened is not None and opened.literal
        return LenientXMLScanner(
            self._charset,
            self._wants_text,
            self._typed,
            self._limits,
            depth=self._depth,
            bindings=self._scopes[-1].bindings,
            bases=self._scopes[-1].bases,
            opened=(opened.element, opened.start) if opened is not None and literal else None,
            view=self._view[start - self._base :],
            base=start,
        )

    def _run(self, *, final: bool) -> None:
        source = b"".join(chunk for chunk, _ in self._held)
        view = b"".join(chunk for _, chunk in self._held)
        self._held = []
        self._view += view
        data, malformed = self._input.feed(source, view, final=final)
        try:
            self._parser.Parse(data, final and malformed is None)
        except expat.ExpatError as error:
            units = max(self._parser.ErrorByteIndex, 0) // self._input.scale
            raise self._refusal(expat.ErrorString(error.code), units) from None
        if malformed is not None:
            raise self._refusal("these bytes are no characters that XML allows", malformed)
        self._let_go()

    def _refusal(self, message: str, offset: int) -> NotWellFormedError:
        return NotWellFormedError(
            f"not well-formed XML: {message}",
            hint="correct it there, read it leniently with --recover, or say --type html if it is HTML",
            offset=offset * self._unit,
        )

    def _let_go(self) -> None:
        """Keep only what an unfinished token or collected text still needs."""
        keep = self._index()
        if self._collecting is not None and self._collecting.literal:
            keep = min(keep, self._collecting.start)
        if self._in_prolog:
            at = self._base + self._view.rfind(_DOCTYPE)
            keep = min(keep, at) if at >= max(self._given, self._base) else keep
        rest = self._view[keep - self._base :]
        if len(rest) * self._unit > self._limits.token:
            raise self._over("a tag, a comment or the text of an element", "token", keep)
        self._view = rest
        self._base = keep
        self._size = 0
        self._wanted = len(rest) * self._unit // 2

    def _over(self, what: str, limit: str, offset: int) -> LimitExceededError:
        allowed = getattr(self._limits, limit)
        return LimitExceededError(
            f"{what} goes over the limit of {allowed}",
            hint=f"allow more with --max-{limit}",
            offset=offset * self._unit,
        )

    def _index(self) -> int:
        """Where expat stands, as an offset in the view."""
        return max(self._parser.CurrentByteIndex, 0) // self._input.scale

    # --- what expat calls -----------------------------------------------------------------------

    def _start_doctype(self, name: str, system: str | None, public: str | None, _: int) -> None:
        self._doctype = (name, public or "", system or "")
        if system is not None:
            at = self._view.rfind(_DOCTYPE, 0, self._index() - self._base + len(_DOCTYPE))
            match = _EXTERNAL_ID.match(self._view, max(at, 0))
            if match is not None:
                group = match.lastindex or 1
                start, end = (self._base + offset for offset in match.span(group))
                self._external = (start, end, '"' if group == 1 else "'")

    def _entity(self, _name: str, is_parameter: int, *_: object) -> None:
        self._entities |= not is_parameter

    def _end_doctype(self) -> None:
        if self._doctype is not None:
            name, public, system = map(self._input.text, self._doctype)
            self._events.append(
                XMLDoctype(name, public, system, *self._external, entities=self._entities)
            )

    def _instruction(self, target: str, _data: str) -> None:
        if not target.isascii() and not is_name(self._input.text(target)):
            raise self._refusal("this is no name", self._index())
        match = _INSTRUCTION.match(self._view, self._index() - self._base)
        if self._in_prolog and match is not None:
            start, end = (self._base + offset for offset in match.span(1))
            self._events.append(XMLInstruction(self._input.text(target), start, end))
            self._given = end

    def _start_element(self, name: str, pairs: list[str]) -> None:
        if self._collecting is not None:  # a child element: not a link's text
            self._stop_collecting()
        depth = self._depth
        self._depth += 1
        index = self._last_tag = self._index()
        if not depth:
            self._in_prolog = False
        elif depth >= self._limits.depth:
            raise self._over("the depth of elements", "depth", index)
        tag = b""
        if pairs:
            if len(pairs) > 2 * self._limits.attributes:
                raise self._over("the number of attributes of an element", "attributes", index)
            tag = self._tag_at(index)
            self._declare(pairs, depth, tag)
        names = self._scopes[-1].names
        known = names.get(name)
        if known is None:
            known = self._expand(name, index)
            if len(names) < _REMEMBERED:  # documents can invent names without end
                names[name] = known
        namespace, local, wants_text, wanted = known
        if not wants_text and depth and self._typed is None:
            if not pairs:
                return
            if wanted is not None and wanted.isdisjoint(pairs[::2]):
                self._check_names(pairs, index)
                return
        tag = tag or self._tag_at(index)
        element = XMLElement(
            self._input.text(name, _raw_name(tag)),
            namespace,
            local,
            tuple(self._attributes(pairs, index, tag)) if pairs else (),
            depth,
            index,
            self._scopes[-1].bindings,
            self._scopes[-1].bases,
        )
        self._events.append(element)
        if self._typed is not None:
            wants_text = self._typed(element)
        if wants_text:
            self._collecting = _Open(element, index + len(tag), [], bool(tag))
            self._parser.CharacterDataHandler = self._collecting.text.append

    def _end_element(self, _name: str) -> None:
        self._depth -= 1
        if self._scopes[-1].depth == self._depth:
            self._scopes.pop()
        opened = self._collecting
        if opened is not None:
            self._stop_collecting()
            index = self._last_tag = self._index()
            literal = opened.literal and self._view[index - self._base :][:2] == b"</"
            self._events.append(
                XMLContent(
                    opened.element,
                    opened.start,
                    index if literal else opened.start,
                    self._input.text("".join(opened.text)),
                    literal,
                )
            )

    def _stop_collecting(self) -> None:
        self._collecting = None
        self._parser.CharacterDataHandler = None

    # --- names --------------------------------------------------------------------------------

    def _declare(self, pairs: list[str], depth: int, tag: bytes) -> None:
        """Take note of the namespaces and the base that a tag declares (Namespaces in XML, 3)."""
        declared = {}
        outer = self._scopes[-1]
        bases = outer.bases
        for position in range(0, len(pairs), 2):
            name = pairs[position]
            if name.startswith("xmlns") and (name == "xmlns" or name[5] == ":"):
                raw = None
                if not pairs[position + 1].isascii():
                    raw = _raw_value(tag, position // 2)
                declared[name[6:]] = self._input.text(pairs[position + 1], raw)
            elif name == "xml:base":
                raw = _raw_value(tag, position // 2)
                bases = (*bases, self._input.text(pairs[position + 1], raw))
        if declared or bases is not outer.bases:
            self._scopes.append(_Scope(depth, outer.bindings | declared, bases))

    def _check_names(self, pairs: list[str], index: int) -> None:
        for name in pairs[::2]:
            if len(name) > self._limits.name or not name.isascii():
                self._check_name(name, index)

    def _expand(self, name: str, index: int) -> _Known:
        """Find out all that the name of an element tells."""
        self._check_name(name, index)
        prefix, colon, local = name.partition(":")
        bindings = self._scopes[-1].bindings
        namespace = bindings.get(prefix, "") if colon else bindings[""]
        local = self._input.text(local if colon else name)
        wants_text = self._wants_text(namespace, local)
        wanted = None
        if self._wanted_attributes is not None:
            wanted = self._wanted_attributes(namespace, local, bindings)
        return namespace, local, wants_text, wanted

    def _check_name(self, name: str, index: int) -> None:
        if len(name) > self._limits.name:
            raise self._over("the length of a name", "name", index)
        if not name.isascii() and not is_name(self._input.text(name)):
            raise self._refusal("this is no name", index)

    # --- spans --------------------------------------------------------------------------------

    def _tag_at(self, index: int) -> bytes:
        """Give the tag that begins at an offset, or nothing where it is in an entity."""
        at = index - self._base
        if self._view[at : at + 1] != b"<":
            return b""
        match = _TAG.match(self._view, at)
        return match[0] if match is not None else b""

    def _attributes(self, pairs: list[str], index: int, tag: bytes) -> Iterator[XMLAttribute]:
        self._check_names(pairs, index)
        spans = _ATTRIBUTE.finditer(tag)
        bindings = self._scopes[-1].bindings
        text = self._input.text
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            # expat gives the attributes of the tag first and in order, then the defaults.
            match = next(spans, None)
            start = end = raw_name = raw_value = None
            quote = ""
            if match is not None:
                group = match.lastindex or 2
                first, last = match.span(group)
                start, end = index + first, index + last
                quote = '"' if group == 2 else "'"
                raw_name, raw_value = match[1], match[group]
            namespace, local = "", name
            if ":" in name:
                prefix, _, local = name.partition(":")
                namespace = XMLNS_NAMESPACE if prefix == "xmlns" else bindings.get(prefix, "")
            elif name == "xmlns":
                namespace = XMLNS_NAMESPACE
            if not name.isascii():
                name, local = text(name, raw_name), text(local)
            if not value.isascii():
                value = text(value, raw_value)
            yield XMLAttribute(name, namespace, local, start, end, quote, value)


def _raw_name(tag: bytes) -> bytes | None:
    match = _TAG.match(tag)
    return match[1] if match is not None else None


def _raw_value(tag: bytes, number: int) -> bytes | None:
    """Give the octets of the value of an attribute, counted from 0."""
    for position, match in enumerate(_ATTRIBUTE.finditer(tag)):
        if position == number:
            return match[match.lastindex or 2]
    return None
