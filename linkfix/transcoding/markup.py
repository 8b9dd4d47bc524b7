"""Edit the tags and the text of a document that is in UTF-8 already: charsets in start tags, references in text.

A ``meta`` element declares the charset of the document; ``charset`` on ``script``, ``link`` and ``a`` declares the
charset of another file. A classic script or a style sheet without a declaration is read in the charset of its document
(HTML Standard, 8.1.4.2; CSS Syntax 3, 3.2), and a form is submitted in it (4.10.21.5). So that these stay the same,
the tag must name the old charset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from linkfix.charset import named
from linkfix.links.batch import LAYERS
from linkfix.links.html.embedded import TEXTS, Embedding
from linkfix.links.scope import Scope
from linkfix.links.settings import XMLSettings
from linkfix.markup.html.elements_data import HTML, TEXT_STATES
from linkfix.markup.html.feedback import TURNING, TreeFeedback
from linkfix.markup.html.skip import Wanted
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import RawText, StartTag, Token
from linkfix.markup.layers import MAX_REFERENCE, XML_DOUBLE, XML_SINGLE, Layer, references_in_html
from linkfix.markup.xml.elements import Interest as XMLInterest
from linkfix.markup.xml.events import XMLElement, XMLInstruction, pseudo_attributes
from linkfix.markup.xml.scanner import XMLScanner
from linkfix.transcoding.declaring import CONTENT_LABEL, Declared, Edit, TranscodingReport, is_utf8
from linkfix.transcoding.references import XMLCharacters, unescaped

_LAYERS = {'"': XML_DOUBLE, "'": XML_SINGLE, "": XML_SINGLE}
#: The elements that `TagEditor` has something to say about.
ELEMENTS = frozenset({"meta", "script", "link", "a", "form"})
#: The element that says in which encoding a file is included as text (XInclude 1.0, 3.1).
INCLUDE = "include"
#: The instruction that names a style sheet, as an element.
SHEET = "?xml-stylesheet"
#: The elements by their namespaces.
_NAMES = {
    HTML: ELEMENTS,
    "http://www.w3.org/2001/XInclude": frozenset({INCLUDE}),
    "http://www.w3.org/2003/XInclude": frozenset({INCLUDE}),
}
#: MIME Sniffing, 4.6: what makes a script a classic one, besides no type at all.
_JAVASCRIPT = frozenset(
    [f"{head}{name}script" for head in ("application/", "application/x-", "text/", "text/x-") for name in ("ecma", "java")]
    + [f"text/javascript1.{n}" for n in range(6)]
    + ["text/jscript", "text/livescript"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an attribute.

    Attributes:
        text: its characters.
        start: where its spelling begins, as a byte offset.
        end: where it ends.
        layer: in which it is spelled.
        bare: whether there is no value, so that an equals sign has to go before a new one.
        raw: the spelling.

    """

    text: str
    start: int
    end: int
    layer: Layer
    raw: bytes
    bare: bool = False

    @classmethod
    def of(cls, raw: bytes, start: int, layer: Layer, *, bare: bool = False) -> Value:
        """Return the value that is spelled by some octets."""
        text = layer.read(raw.decode("utf-8", "replace")).value
        return cls(text, start, start + len(raw), layer, raw, bare)


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag of HTML, wherever it was found.

    Attributes:
        name: of the element, without prefix.
        values: of its attributes.
        after_name: byte offset just after the name.

    """

    name: str
    values: Mapping[str, Value]
    after_name: int


@dataclass
class TagEditor:
    """Find the edits of the start tags of one document.

    Attributes:
        old: label of the document's old charset for browsers; "" for UTF-8.
        submitted: label of the charset that forms name, in which they were submitted; "" for none.
        transcoded: returns whether the file at the address of a ``src`` or ``href`` is in UTF-8 now.
        report: records the changes.

    """

    old: str
    submitted: str
    transcoded: Callable[[str], bool]
    report: TranscodingReport

    def edits(self, tag: Tag) -> Iterator[Edit]:
        """Return the edits of a tag."""
        values = tag.values
        if tag.name == "meta":
            yield from self._meta(values)
        elif tag.name == "form":
            if self.submitted and "accept-charset" not in values:
                self.report.forms += 1
                yield self._added(tag, "accept-charset", self.submitted)
        elif (address := values.get("src" if tag.name == "script" else "href")) is not None:
            yield from self._other(tag, address)

    def _meta(self, values: Mapping[str, Value]) -> Iterator[Edit]:
        if "charset" in values:
            value = values["charset"]
            if not is_utf8(value.text):
                yield self._replaced("meta", value, 0, len(value.text))
        kind, content = values.get("http-equiv"), values.get("content")
        if kind is not None and content is not None and kind.text.lower() == "content-type":
            found = CONTENT_LABEL.search(content.text)
            if found is not None:
                first, last = found.span(found.lastindex or 1)
                if not is_utf8(content.text[first:last]):
                    yield self._replaced("meta", content, first, last)

    def _other(self, tag: Tag, address: Value) -> Iterator[Edit]:
        """Look at an element that names another file."""
        label = "encoding" if tag.name == INCLUDE else "charset"
        charset = tag.values.get(label)
        if charset is not None:
            if not is_utf8(charset.text) and self.transcoded(address.text):
                yield self._replaced(f"{tag.name}@{label}", charset, 0, len(charset.text))
        elif self.old and _inherits(tag) and not self.transcoded(address.text):
            yield self._added(tag, "charset", self.old)

    def _added(self, tag: Tag, attribute: str, label: str) -> Edit:
        self.report.declarations.append(Declared(f"{tag.name}@{attribute}", "", label))
        return tag.after_name, tag.after_name, f' {attribute}="{label}"'.encode()

    def _replaced(self, place: str, value: Value, first: int, last: int) -> Edit:
        """Put the label of UTF-8 in the place of another, which is a part of a value."""
        self.report.declarations.append(Declared(place, value.text[first:last], "utf-8"))
        if value.bare:
            return value.start, value.end, b'="utf-8"'
        utf_8 = named("UTF-8")
        if utf_8.decode(value.raw) == value.text:
            starts = utf_8.offsets(value.raw)  # malformed bytes too are some code point
            return value.start + starts[first], value.start + starts[last], b"utf-8"
        new = value.text[:first] + "utf-8" + value.text[last:]
        return value.start, value.end, value.layer.write(new).encode()


def _inherits(tag: Tag) -> bool:
    """Return whether a file without a declaration is read in the charset of the document: classic scripts, style sheets."""
    kind, rel = (tag.values[name].text if name in tag.values else "" for name in ("type", "rel"))
    if tag.name == "script":  # HTML Standard, 4.12.1.1
        return not kind or kind.strip("\t\n\f\r ").lower() in _JAVASCRIPT
    if tag.name == SHEET:
        return kind.strip().lower() in {"", "text/css"}
    return tag.name == "link" and "stylesheet" in rel.lower().split()


#: The elements after whose start tags the markup is read differently.
_CHANGING = TURNING | {name.decode() for name in TEXT_STATES} | {"noscript"}
#: An ``a`` is wanted for its charset only.
_WANTED = Wanted(ELEMENTS - {"a"} | _CHANGING, frozenset({"charset"}), comments=True)
_SPACE = b"\t\n\f\r "


#: Returns the octets between two offsets in the document.
Octets: TypeAlias = Callable[[int, int], bytes]


class Editor:
    """Splice the edits of one or more sources into a document.

    Args:
        sources: find what is to be changed, in any order; what begins first, or else ends first, counts.

    """

    def __init__(self, *sources: HTMLEditor | XMLEditor | XMLCharacters) -> None:
        self._sources = sources
        self._held = b""
        self._base = 0
        self._edits: list[Edit] = []

    def __call__(self, data: bytes, final: bool) -> bytes:
        """Read the next bytes, with `final` the last ones; return the finished ones."""
        self._held += data
        for source in self._sources:
            self._edits += source(data, final, self._octets)
        ends = [source.offset for source in self._sources]
        return self._splice(self._base + len(self._held) if final else min(ends))

    def _octets(self, start: int, end: int) -> bytes:
        """Return the octets between two offsets in the document that are not finished."""
        return self._held[start - self._base : end - self._base]

    def _splice(self, end: int) -> bytes:
        held, base = self._held, self._base
        pieces: list[bytes] = []
        position = base
        later: list[Edit] = []
        for edit in sorted(self._edits):
            first, last, new = edit
            if last > end:
                later.append(edit)
            elif first >= position:  # what is replaced whole needs no other edit
                pieces += (held[position - base : first - base], new)
                position = last
        pieces.append(held[position - base : end - base])
        self._held, self._base, self._edits = held[end - base :], end, later
        return b"".join(pieces)


@dataclass(eq=False)
class HTMLEditor:
    """Find the edits of HTML.

    Args:
        tags: decides about start tags.
        scope: how markup is read.
        unescape: whether character references become characters.
        report: records those.
        around: the kinds of text that the document is in (`linkfix.links.html.embedded.Inside.texts`).

    """

    tags: TagEditor
    scope: Scope
    report: TranscodingReport
    unescape: bool
    around: tuple[Embedding, ...] = ()
    _texts: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        is_inside = bool(self.around)
        scripting = self.scope.scripting and all(kind.scripting for kind in self.around)
        self._tokenizer = HTMLTokenizer(
            TreeFeedback(scripting=scripting, is_srcdoc=is_inside, is_body=is_inside),
            wanted=None if self.unescape else _WANTED,
            on_text=(lambda *span: self._texts.append(span)) if self.unescape else None,
            wants_text=lambda tag: "" if tag.namespace == HTML and self._kind(tag) else None,
            wants_comments=True,
        )

    @property
    def offset(self) -> int:
        """The byte offset before which all edits have been returned."""
        return self._tokenizer.offset

    def __call__(self, data: bytes, final: bool, octets: Octets) -> list[Edit]:
        """Read the next bytes, with `final` the last ones; return the edits that they complete."""
        return self._edits(self._tokenizer.feed(data, final=final), octets)

    def _edits(self, tokens: list[Token], octets: Octets) -> list[Edit]:
        edits: list[Edit] = []
        for token in tokens:
            if isinstance(token, StartTag):
                edits += self._of_tag(token)
            elif isinstance(token, RawText):
                edits += self._of_document(token, octets(token.start, token.end))
        for start, end in self._texts:
            source, after = octets(start, end), octets(end, end + MAX_REFERENCE + 3)
            edits += self._characters(source, start, attribute=False, after=after)
        self._texts.clear()
        return edits

    def _kind(self, token: StartTag | RawText) -> Embedding | None:
        """Return the kind of the document in the text of an element, or in a comment; None if it is not followed."""
        kind = TEXTS.get(token.name)
        is_followed = kind is not None and self.scope.how(kind.name) == "on"
        return kind if is_followed and kind not in self.around else None

    def _of_document(self, token: RawText, source: bytes) -> Iterator[Edit]:
        """Yield the edits of an embedded document whose readers agree on its end; `source` is its text."""
        kind = self._kind(token)
        if kind is None:
            return
        source = source[: kind.end(source.decode("latin-1"))]
        editor = HTMLEditor(self.tags, self.scope, self.report, self.unescape, (*self.around, kind))
        for first, last, new in editor.whole(source):
            yield token.start + first, token.start + last, new

    def whole(self, source: bytes) -> list[Edit]:
        """Return the edits of a document that is all there; none if it does not end between two tokens."""
        tokens = self._tokenizer.feed(source, final=True)
        if not self._tokenizer.is_whole:
            return []
        return self._edits(tokens, lambda start, end: source[start:end])

    def _of_tag(self, token: StartTag) -> Iterator[Edit]:
        name = token.name.decode("utf-8", "replace")
        taken: list[tuple[int, int]] = []
        if name in ELEMENTS and token.namespace == HTML:
            after_name = token.start + 1 + len(token.name)
            for edit in self.tags.edits(Tag(name, _values(token), after_name)):
                taken.append(edit[:2])
                yield edit
        if not self.unescape or b"&" not in token.raw:
            return
        for attribute in token.attributes():
            start, end = attribute.start, attribute.end
            if not any(start <= first and last <= end for first, last in taken):
                source = token.raw[start - token.start : end - token.start]
                yield from self._characters(source, start, attribute=True)

    def _characters(
        self, source: bytes, start: int, *, attribute: bool, after: bytes = b""
    ) -> Iterator[Edit]:
        for edit in unescaped(
            source, start, lambda text: references_in_html(text, attribute=attribute), after
        ):
            self.report.references += 1
            yield edit


def _values(token: StartTag) -> dict[str, Value]:
    """Return the values of a tag's attributes by name."""
    values = {}
    for attribute in token.attributes():
        start, end = attribute.start - token.start, attribute.end - token.start
        bare = attribute.quote is None and not token.raw[:start].rstrip(_SPACE).endswith(b"=")
        name, layer = attribute.name.decode("utf-8", "replace"), LAYERS[attribute.quote]
        values[name] = Value.of(token.raw[start:end], attribute.start, layer, bare=bare)
    return values


class XMLEditor:
    """Find what is to be changed in the tags of XHTML and XInclude, and in ``<?xml-stylesheet?>``, in a document in XML.

    Args:
        tags: decides about start tags.
        xml: how XML is read.

    """

    def __init__(self, tags: TagEditor, xml: XMLSettings) -> None:
        self._tags = tags
        interest = _NamingElements()
        self._scanner = XMLScanner(named("UTF-8"), interest, limits=xml.limits, recover=xml.recover)

    @property
    def offset(self) -> int:
        """The byte offset before which all edits have been returned."""
        return self._scanner.offset

    def __call__(self, data: bytes, final: bool, octets: Octets) -> list[Edit]:
        """Read the next bytes, with `final` the last ones; return the edits that they complete."""
        edits: list[Edit] = []
        for event in self._scanner.feed(data, data, final=final):
            tag = None
            if isinstance(event, XMLElement):
                tag = _tag(event, octets)
            elif isinstance(event, XMLInstruction) and event.target == SHEET[1:]:
                tag = _tag_of_instruction(event, octets)
            edits += () if tag is None else self._tags.edits(tag)
        return edits


def _tag(element: XMLElement, octets: Octets) -> Tag | None:
    """Return a tag that may be changed; None for another one, and for one that is in an entity."""
    start = f"<{element.name}".encode()
    after_name, values = element.start + len(start), {}
    for attribute in element.attributes:
        if attribute.start is None or attribute.end is None or attribute.namespace:
            continue
        raw, layer = octets(attribute.start, attribute.end), _LAYERS[attribute.quote]
        values[attribute.local] = Value.of(raw, attribute.start, layer)
    is_known = element.local in _NAMES.get(element.namespace, ())
    is_written = octets(element.start, after_name) == start
    return Tag(element.local, values, after_name) if is_known and is_written else None


def _tag_of_instruction(instruction: XMLInstruction, octets: Octets) -> Tag:
    """Return an ``xml-stylesheet`` instruction as a tag; browsers honour its ``charset`` as that of ``link``."""
    data, utf_8, values = octets(instruction.start, instruction.end), named("UTF-8"), {}
    text, starts = utf_8.decode(data), utf_8.offsets(data)
    for name, (first, last, quote) in pseudo_attributes(text).items():
        start, end = starts[first], starts[last]
        values[name] = Value.of(data[start:end], instruction.start + start, _LAYERS[quote])
    return Tag(SHEET, values, instruction.after_target)


class _NamingElements(XMLInterest):
    """The elements of XHTML and XInclude that may be changed."""

    def of_element(self, vocabulary: str, local: str) -> tuple[bool, frozenset[str] | None]:
        return False, None if local in _NAMES.get(vocabulary, ()) else frozenset()
