"""The labels of charsets in declarations, what is written instead of them, and declarations where there are none."""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from linkfix.charset import known
from linkfix.charset.prescan import CHARSET_RULE
from linkfix.links.batch import LAYERS
from linkfix.links.link import Markup
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import Attribute, StartTag, Token
from linkfix.rewriting import Outcome, Report

#: A span of the document as two byte offsets, and its replacement.
Edit: TypeAlias = tuple[int, int, bytes]


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of a charset that was changed or added.

    Attributes:
        place: ``bom``, ``xml-declaration``, ``meta``, ``@charset``, or the element and attribute, as
            ``script@charset`` and ``form@accept-charset``.
        old: the label before, "" for none.
        new: the label now, "" for a byte order mark that was removed.

    """

    place: str
    old: str
    new: str


@dataclass(slots=True)
class TranscodingReport(Report):
    """The changes to one document.

    Attributes:
        charset: name of its old charset.
        to_utf8: whether that was another charset than UTF-8.
        replaced: how many malformed sequences became U+FFFD.
        disputed: how many characters readers of XML decode otherwise than browsers; in XHTML they are as browsers decode
            them, in other XML as its readers do.
        declarations: the declarations of charsets that were changed or added, in the order of the document.
        pinned: how many links were rewritten so that they no longer depend on the charset.
        unpinned: the outcomes of links whose target may change.
        forms: how many forms now name the charset in which they were submitted before.
        references: how many character references became characters.

    """

    to_utf8: bool = False
    replaced: int = 0
    disputed: int = 0
    declarations: list[Declared] = field(default_factory=list)
    pinned: int = 0
    unpinned: list[Outcome] = field(default_factory=list)
    forms: int = 0
    references: int = 0


#: What happens to forms without a charset of their own.
Forms = Literal["pin", "leave"]


#: HTML standard, 2.5.4 "extracting a character encoding from a meta element": the label alone.
CONTENT_LABEL = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))",
    re.IGNORECASE | re.ASCII,
)
#: XML 1.0, 4.3.3 [80]; HTML standard, 13.2.3.2 "get an XML encoding".
_XML_ENCODING = re.compile(
    rb"<\?xml[\t\n\r ][^>]*?[\t\n\r \"']encoding[\x00-\x20]*=[\x00-\x20]*(?:\"([^\">]*)\"|'([^'>]*)')"
)
#: The longest XML declaration in bytes that is waited for.
_LIMIT = 1024
_RULE = b'@charset "utf-8";'


def is_utf8(label: str) -> bool:
    """Return whether a label names UTF-8."""
    charset = known(label, xml=True)
    return charset is not None and charset.name == "UTF-8"


class Prolog:
    """Correct the beginning of a document in UTF-8: its XML declaration, or its ``@charset``.

    Args:
        markup: the kind of document.
        report: records the changes.
        marked: whether a byte order mark precedes the document.

    """

    def __init__(self, markup: Markup, report: TranscodingReport, *, marked: bool) -> None:
        self._markup = markup
        self._marked = marked
        self._report = report
        self._held: bytes | None = b""

    def __call__(self, data: bytes, final: bool) -> bytes:
        """Read the next bytes, with `final` the last ones; return those whose declaration is known."""
        if self._held is None:
            return data
        self._held += data
        begins = self._held[:_LIMIT]
        waits = len(begins) < _LIMIT and b">" not in begins and b"<?xml".startswith(begins[:5])
        # Whether a style sheet needs a declaration shows only at its end.
        if (waits or self._markup == "css") and not final:
            return b""
        held, self._held = self._held, None
        if self._markup == "css":
            return self._style_sheet(held)
        found = _XML_ENCODING.match(held, 0, _LIMIT)
        if found is None:
            return held
        start, end = found.span(found.lastindex or 1)
        label = held[start:end].decode("latin-1")
        if is_utf8(label):
            return held
        self._report.declarations.append(Declared("xml-declaration", label, "UTF-8"))
        return held[:start] + b"UTF-8" + held[end:]

    def _style_sheet(self, sheet: bytes) -> bytes:
        found = CHARSET_RULE.match(sheet)
        if found is not None:
            label = found[1].decode("latin-1")
            if is_utf8(label):
                return sheet
            self._report.declarations.append(Declared("@charset", label, "utf-8"))
            return _RULE + sheet[found.end() :]
        if sheet.isascii() or self._marked:
            return sheet
        self._report.declarations.append(Declared("@charset", "", "utf-8"))
        line_end = b"\r\n" if b"\r\n" in sheet else b"\n"
        return _RULE + line_end + sheet


# --- The head of a page -----------------------------------------------------------------------------
# Declare UTF-8 in an HTML document where every browser looks: in its first 1,024 bytes. (HTML Standard, 4.2.5.4.) A
# declaration there is enough. Otherwise a ``meta`` element is added at the beginning of the head. If the head begins
# later, or a late declaration follows that a browser would find, a byte order mark is added instead: it is at the start
# of the document, which everybody reads first, and the head keeps its one ``meta``.

BOM = b"\xef\xbb\xbf"
#: HTML standard, 13.2.3.2: where the prescan ends.
_PRESCAN = 1024
#: A declaration beyond is not found either: sniffing looks no further.
_HEAD_LIMIT = 65536
#: The content before the head: white space, comments, the document type, processing instructions.
_BEFORE = re.compile(rb"(?:[\t\n\f\r ]++|<!--.*?-->|<[!?](?!--)[^>]*+>)*+", re.DOTALL)
_INDENT = re.compile(rb"(?:\r\n|\n|\r)[\t ]*+(?=[^\t\r\n ])")
_LINE = re.compile(rb"(?:\r\n|\n|\r)[\t ]*\Z")
_XHTML = re.compile(rb"<\?xml[\t\n\r ]|<!DOCTYPE[^>]*//DTD XHTML", re.IGNORECASE)


class Head:
    """Buffer the beginning of a document until it is known whether it declares its charset.

    Args:
        report: records the addition.
        scripting: whether the content of ``noscript`` is text.

    """

    def __init__(self, report: TranscodingReport, *, scripting: bool) -> None:
        self._report = report
        self._held: bytes | None = b""
        self._tokenizer = HTMLTokenizer(TreeFeedback(scripting=scripting))
        #: Where the content of the html and the head element begins.
        self._html = 0
        self._head: int | None = None
        self._in_body = False
        #: The value of a content attribute that could declare the charset, and does not.
        self._content: Attribute | None = None

    def __call__(self, data: bytes, final: bool) -> bytes:
        """Read the next bytes, with `final` the last ones; return them once it is known where the declaration is."""
        if self._held is None:
            return data
        self._held += data
        # Step by step, since only tags before the end of the head matter.
        for start in range(0, len(data), _PRESCAN):
            done = self._look(self._tokenizer.feed(data[start : start + _PRESCAN]))
            if done is not None:
                return self._give(done)
        if not self._held or not (final or len(self._held) >= _HEAD_LIMIT):
            return b""
        done = self._look(self._tokenizer.feed(b"", final=True))
        return self._give(self._undeclared(self._held) if done is None else done)

    def _give(self, data: bytes) -> bytes:
        self._held = None
        return data

    def _look(self, tokens: list[Token]) -> bytes | None:
        """Read tags; return the buffered bytes once a tag decides about the declaration."""
        tags = (each for each in tokens if isinstance(each, StartTag) and each.namespace == HTML)
        return next((done for tag in tags if (done := self._observe(tag)) is not None), None)

    def _observe(self, tag: StartTag) -> bytes | None:
        held = self._held or b""
        self._in_body |= tag.name in {b"body", b"frameset"}
        if tag.end > (_PRESCAN if self._in_body else _HEAD_LIMIT):
            return self._undeclared(held)
        if tag.name in {b"html", b"head"}:
            # Behind other content the tag is ignored: there is no head (HTML Standard, 13.2.6.4.7).
            if self._head is None and _BEFORE.fullmatch(held, self._html, tag.start):
                if tag.name == b"html":
                    self._html = tag.end
                else:
                    self._head = tag.end
        elif tag.name == b"meta" and self._declares(tag):
            return held if tag.end <= _PRESCAN else self._marked(held)
        return None

    def _declares(self, tag: StartTag) -> bool:
        attributes = {attribute.name: attribute for attribute in tag.attributes()}
        if b"charset" in attributes:
            return True
        kind, content = attributes.get(b"http-equiv"), attributes.get(b"content")
        if kind is None or content is None or self._text(kind).lower() != "content-type":
            return False
        if CONTENT_LABEL.search(self._text(content)):
            return True
        if self._content is None and content.quote and content.end <= _PRESCAN - len(_PARAMETER):
            self._content = content
        return False

    def _text(self, attribute: Attribute) -> str:
        source = (self._held or b"")[attribute.start : attribute.end]
        return LAYERS[attribute.quote].read(source.decode("utf-8", "replace")).value

    def _undeclared(self, held: bytes) -> bytes:
        """Add a declaration."""
        if self._content is not None:
            self._report.declarations.append(Declared("meta", "", "utf-8"))
            end = self._content.start + len(
                held[self._content.start : self._content.end].rstrip(b"\t\n\f\r ;")
            )
            return held[:end] + _PARAMETER + held[end:]
        meta = (
            b'<meta charset="utf-8"/>'
            if _XHTML.search(held, 0, _PRESCAN)
            else b'<meta charset="utf-8">'
        )
        if self._head is not None:
            at = self._head
            indent = _INDENT.match(held, at)
            meta = (indent[0] if indent else b"") + meta
        else:
            before = _BEFORE.match(held, self._html, _HEAD_LIMIT)
            at = before.end() if before else self._html
            line = _LINE.search(held, 0, at)
            meta += line[0] if line else b""
        if at + len(meta) > _PRESCAN:
            return self._marked(held)
        self._report.declarations.append(Declared("meta", "", "utf-8"))
        return held[:at] + meta + held[at:]

    def _marked(self, held: bytes) -> bytes:
        self._report.declarations.append(Declared("bom", "", "utf-8"))
        return BOM + held


_PARAMETER = b"; charset=utf-8"
