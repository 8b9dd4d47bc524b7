"""Charsets in start tags, and their corrections for a document in UTF-8.

A ``meta`` element declares the charset of the document; ``charset`` on ``script``, ``link`` and ``a`` declares the
charset of another file. A classic script or a style sheet without a declaration is read in the charset of its document
(HTML Standard, 8.1.4.2; CSS Syntax 3, 3.2), and a form is submitted in it (4.10.21.5). So that these stay the same,
the tag must name the old charset.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from linkfix.charset import named
from linkfix.markup.layers import Layer
from linkfix.transcoding.declaring import CONTENT_LABEL, is_utf8
from linkfix.transcoding.report import Declared, TranscodingReport

#: The elements that `TagEditor` has something to say about.
ELEMENTS = frozenset({"meta", "script", "link", "a", "form"})
#: MIME Sniffing, 4.6: what makes a script a classic one, besides no type at all.
_JAVASCRIPT = frozenset(
    [f"{head}{name}script" for head in ("application/", "application/x-", "text/", "text/x-") for name in ("ecma", "java")]
    + [f"text/javascript1.{n}" for n in range(6)]
    + ["text/jscript", "text/livescript"]
)  # fmt: skip

#: A span of the document as two byte offsets, and its replacement.
Edit: TypeAlias = tuple[int, int, bytes]


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
        elif tag.name == "script":
            yield from self._other(tag, values.get("src"), inherits=_is_classic(values))
        elif tag.name == "link":
            rel = values["rel"].text.lower().split() if "rel" in values else []
            yield from self._other(tag, values.get("href"), inherits="stylesheet" in rel)
        elif tag.name == "a" and "charset" in values:
            yield from self._other(tag, values.get("href"), inherits=False)

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

    def _other(self, tag: Tag, address: Value | None, *, inherits: bool) -> Iterator[Edit]:
        """Look at an element that names another file."""
        if address is None:
            return
        charset = tag.values.get("charset")
        if charset is not None:
            if not is_utf8(charset.text) and self.transcoded(address.text):
                yield self._replaced(f"{tag.name}@charset", charset, 0, len(charset.text))
        elif inherits and self.old and not self.transcoded(address.text):
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


def _is_classic(values: Mapping[str, Value]) -> bool:
    """Return whether a script is a classic one (HTML Standard, 4.12.1.1)."""
    kind = values["type"].text if "type" in values else ""
    return not kind or kind.strip("\t\n\f\r ").lower() in _JAVASCRIPT
