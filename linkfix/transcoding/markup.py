"""Edit the tags and the text of a document that is in UTF-8 already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from linkfix.charset import named
from linkfix.links.html.embedded import TEXTS, Embedding
from linkfix.links.html.inner import LAYERS
from linkfix.links.scope import Scope
from linkfix.links.settings import XMLSettings
from linkfix.markup.html.feedback import TURNING, TreeFeedback
from linkfix.markup.html.skip import Wanted
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import RawText, StartTag, Token
from linkfix.markup.html.treeconstruction.groups_data import HTML, TEXT_STATES
from linkfix.markup.layers import MAX_REFERENCE, XML_DOUBLE, XML_SINGLE, references_in_html
from linkfix.markup.xml.elements import Interest as XMLInterest
from linkfix.markup.xml.events import XMLElement, XMLEvent
from linkfix.markup.xml.scanner import XMLScanner
from linkfix.transcoding.references import XMLCharacters, unescaped
from linkfix.transcoding.report import TranscodingReport
from linkfix.transcoding.tags import ELEMENTS, Edit, Tag, TagEditor, Value

_NAME_END = re.compile(rb"[\t\n\f\r />]")
#: The elements after whose start tags the markup is read differently.
_CHANGING = TURNING | {name.decode() for name in TEXT_STATES} | {"noscript"}
#: An ``a`` is wanted for its charset only.
_WANTED = Wanted(ELEMENTS - {"a"} | _CHANGING, frozenset({"charset"}), comments=True)
_SPACE = b"\t\n\f\r "


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
            self._edits += source(data, final)
        ends = [source.offset for source in self._sources]
        return self._splice(self._base + len(self._held) if final else min(ends))

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
    _held: bytes = b""
    _base: int = 0

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

    def __call__(self, data: bytes, final: bool) -> list[Edit]:
        """Read the next bytes, with `final` the last ones; return the edits that they complete."""
        self._held += data
        return self._edits(self._tokenizer.feed(data, final=final))

    def _edits(self, tokens: list[Token]) -> list[Edit]:
        edits: list[Edit] = []
        for token in tokens:
            if isinstance(token, StartTag):
                edits += self._of_tag(token)
            elif isinstance(token, RawText):
                edits += self._of_document(token)
        for start, end in self._texts:
            first, last = start - self._base, end - self._base
            source, after = self._held[first:last], self._held[last : last + MAX_REFERENCE + 3]
            edits += self._characters(source, start, attribute=False, after=after)
        self._texts.clear()
        self._held = self._held[self.offset - self._base :]
        self._base = self.offset
        return edits

    def _kind(self, token: StartTag | RawText) -> Embedding | None:
        """Return the kind of the document in the text of an element, or in a comment; None if it is not followed."""
        kind = TEXTS.get(token.name)
        is_followed = kind is not None and self.scope.how(kind.name) == "on"
        return kind if is_followed and kind not in self.around else None

    def _of_document(self, token: RawText) -> Iterator[Edit]:
        """Yield the edits of an embedded document whose readers agree on its end."""
        kind = self._kind(token)
        if kind is None:
            return
        source = self._held[token.start - self._base : token.end - self._base]
        source = source[: kind.end(source.decode("latin-1"))]
        editor = HTMLEditor(self.tags, self.scope, self.report, self.unescape, (*self.around, kind))
        for first, last, new in editor.whole(source):
            yield token.start + first, token.start + last, new

    def whole(self, source: bytes) -> list[Edit]:
        """Return the edits of a document that is all there; none if it does not end between two tokens."""
        self._held = source
        tokens = self._tokenizer.feed(source, final=True)
        return self._edits(tokens) if self._tokenizer.is_whole else []

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
        raw, layer = token.raw[start:end], LAYERS[attribute.quote]
        bare = attribute.quote is None and not token.raw[:start].rstrip(_SPACE).endswith(b"=")
        text = layer.read(raw.decode("utf-8", "replace")).value
        values[attribute.name.decode("utf-8", "replace")] = Value(
            text, attribute.start, attribute.end, layer, raw, bare
        )
    return values


class XMLEditor:
    """Find what is to be changed in the tags of XHTML, in a document in XML.

    Args:
        tags: decides about start tags.
        xml: how XML is read.

    """

    def __init__(self, tags: TagEditor, xml: XMLSettings) -> None:
        self._tags = tags
        self._held = b""
        self._base = 0
        self._scanner = XMLScanner(
            named("UTF-8"),
            _XHTMLElements(),
            limits=xml.limits,
            recover=xml.recover,
        )

    @property
    def offset(self) -> int:
        """The byte offset before which all edits have been returned."""
        return self._scanner.offset

    def __call__(self, data: bytes, final: bool) -> list[Edit]:
        """Read the next bytes, with `final` the last ones; return the edits that they complete."""
        self._held += data
        return self._edits(self._scanner.feed(data, data, final=final))

    def _edits(self, events: list[XMLEvent]) -> list[Edit]:
        edits: list[Edit] = []
        for event in events:
            if (
                isinstance(event, XMLElement)
                and event.namespace == HTML
                and event.local in ELEMENTS
            ):
                edits += self._tags.edits(self._tag(event))
        self._held = self._held[self.offset - self._base :]
        self._base = self.offset
        return edits

    def _tag(self, element: XMLElement) -> Tag:
        values = {}
        for attribute in element.attributes:
            if attribute.start is None or attribute.end is None or attribute.namespace:
                continue
            raw = self._held[attribute.start - self._base : attribute.end - self._base]
            layer = XML_DOUBLE if attribute.quote == '"' else XML_SINGLE
            text = layer.read(raw.decode(errors="replace")).value
            values[attribute.local] = Value(text, attribute.start, attribute.end, layer, raw)
        end = _NAME_END.search(self._held, element.start - self._base)
        after_name = element.start if end is None else self._base + end.start()
        return Tag(element.local, values, after_name)


class _XHTMLElements(XMLInterest):
    """The elements of XHTML that may be changed."""

    def of_element(self, vocabulary: str, local: str) -> tuple[bool, frozenset[str] | None]:
        return False, None if vocabulary == HTML and local in ELEMENTS else frozenset()
