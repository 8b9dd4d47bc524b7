"""The stream of links of one document.

Input: the bytes of a document, in chunks of any size. Output: its links in their order, single or in batches. The
stream finds out type and charset from the first bytes, makes the ASCII view, and passes both to the reader of that type
(`_Document`). It adds line and column to errors, and marks links that a program fills in. Type and charset need up to
1,024 bytes, so the first links may be returned late, unless both are known at once (`at_once`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from reprlib import repr as short
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from linkfix.charset import Sniffed, lookup, sniff
from linkfix.errors import ArgumentError, LinkfixError, NoDocumentError
from linkfix.iri.model import refusal
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.link import Link, Markup
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.templates import Blocks, marked
from linkfix.markup.detect import DocumentType, detect_type, no_document
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag

if TYPE_CHECKING:
    from linkfix.links.documents import Whole
    from linkfix.links.settings import XMLSettings
    from linkfix.links.text import PlainText
    from linkfix.markup.xml.scanner import XMLScanner

#: What a stream yields: single links, and batches of them.
Found: TypeAlias = "Link | Batch"

#: The number of bytes that the type is detected from: always the same, so that chunks make no difference.
_TYPE_PREFIX = 1024
#: The markup of each type of document.
MARKUP: dict[DocumentType, Markup] = {
    "html": "html",
    "xhtml": "xml",
    "xml": "xml",
    "css": "css",
    "json": "json",
    "text": "text",
    "http": "http",
}
#: Documents that meet every part of the package that is loaded when it is first needed. Work reads them before it is
#: distributed to processes, which then share these parts.
SAMPLES: dict[DocumentType, bytes] = {
    "html": b"<meta charset=utf-8><a href='a b/%C3%A9' style='a: url(b c)'><svg><p></svg><a href=//A/\xc3\xa9?b%C3>",
    "xml": b"<a xmlns:l='http://www.w3.org/1999/xlink' l:href='a b'><![CDATA[]]></a>",
}


@dataclass(kw_only=True, eq=False)
class LinkStream:
    """Find the links of one document, chunk by chunk, without input or output.

    Args:
        type: type of the document; None to detect it from its name and first bytes.
        charset: label of the charset that the transport declares; None for none.
        environment: label of the charset of the page that a style sheet belongs to, for a style sheet that
            declares none; None if it is unknown.
        default_charset: label of the charset for HTML that declares none; None to guess it.
        name: file name of the document, for its extension and for errors.
        scope: which values count as links.
        xml: how XML is read.
        names: the set to which the targets of fragments are added: the values of ``id`` and ``xml:id``, and of
            ``name`` on ``a`` elements; None to add none.

    Attributes:
        at_once: whether to read on as soon as a byte order mark or `charset` decides about the charset, and not to
            look for declarations that disagree; set it before the first bytes.
        counts_lines: whether links get their lines and columns; else these are 0; set it before the first bytes.
        unknown: whether HTML returns values that look like links in attributes of no row that applies too, with the kind
            ``unknown``; set it before the first bytes.
        on_tag: as `HTMLFinder.on_tag`; set it before the first bytes.
        type: type of the document; None until it is known.
        sniffed: charset of the document; None until it is known.
        view: the piece of the ASCII view that the last call has read.
        embedded: the numbers of links in embedded documents so far (`linkfix.links.html.embedded.counted_as`).
        signature: byte offset, line and column of the first XML Signature; None for none so far.

    Raises:
        NoDocumentError: `read` detects the type, and the file is no document.
        UnknownCharsetError: `read` is called, and `charset` is no label of any encoding.
        UnsupportedCharsetError: `read` is called, and linkfix refuses the charset.

    """

    type: DocumentType | None = None
    charset: str | None = None
    environment: str | None = None
    default_charset: str | None = None
    name: str = ""
    scope: Scope = EVERYTHING
    xml: XMLSettings | None = None
    names: set[str] | None = None
    at_once: bool = field(default=False, init=False)
    counts_lines: bool = field(default=True, init=False)
    unknown: bool = field(default=False, init=False)
    on_tag: Callable[[StartTag], None] | None = field(default=None, init=False)
    sniffed: Sniffed | None = field(default=None, init=False)
    view: bytes = field(default=b"", init=False)
    embedded: Counter[str] = field(default_factory=Counter, init=False)
    signature: tuple[int, int, int] | None = field(default=None, init=False)
    _ended: bool = field(default=False, init=False)
    _prefix: bytes = field(default=b"", init=False)
    #: How many bytes of the prefix are needed before the next attempt to begin.
    _needed: int = field(default=0, init=False)
    _document: _Document | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.type is not None and self.type not in MARKUP:
            raise ArgumentError(refusal("type", self.type, (*MARKUP, None)))

    @property
    def offset(self) -> int:
        """Byte offset before which every byte has been read."""
        document = self._document
        return 0 if document is None else document.builder.byte_offset(document.reader.offset)

    def feed(self, data: bytes) -> list[Link]:
        """Read the next bytes, and return the links that they complete; the errors are those of `read`."""
        return flattened(self.read(data))

    def close(self) -> list[Link]:
        """End the document, and return its last links; the errors are those of `read`."""
        return flattened(self.read(b"", final=True))

    def whole(self, document: bytes) -> list[Link]:
        """Return the links of a whole document; not together with `feed`."""
        return flattened(self.read(document, final=True))

    def read(self, data: bytes, *, final: bool = False) -> Iterator[Found]:
        """Read the next bytes.

        Args:
            data: the bytes.
            final: whether the document ends with them.

        Returns:
            The links that they complete, in the order of the document; an error comes after the links before it. Exhaust
            the iterator before the next call.

        Raises:
            NotWellFormedError: XML is not well-formed.
            LimitExceededError: a token is too long to be buffered, or XML needs more than the limits allow.
            ArgumentError: the document has ended before, or `data` is no bytes.

        """
        if self._ended:
            raise ArgumentError("the document has ended", hint="read each document by a new stream")
        if not isinstance(data, bytes):
            raise ArgumentError(
                f"data={short(data)} is no bytes", hint="encode text: text.encode()"
            )
        self._ended = final
        document = self._document
        try:
            if document is None:
                self._prefix += data
                self.view = b""
                if len(self._prefix) < self._needed and not final:
                    return iter(())
                document = self._document = self._begin(final=final)
                if document is None:
                    self._needed = len(self._prefix) * 3 // 2
                    return iter(())
                data, self._prefix = self._prefix, b""
            else:  # not after the last chunk: lines after its last link need no count
                document.builder.release(document.reader.offset)
            builder = document.builder
            view = self.view = builder.add(data, final=final)
            if document.blocks is not None:
                document.blocks.feed(view, document.reader.offset)
            found = document.read(view, final=final)
        except LinkfixError as error:
            raise self._located(error) from None
        marker = partial(marked, self.scope.templates, builder, document.blocks)
        return self._marked(found, marker)

    def _marked(
        self, found: Iterable[Found], marker: Callable[[list[Link]], list[Link]]
    ) -> Iterator[Found]:
        """Yield links, and locate errors in them. Templates and links in server code are marked."""
        try:
            for one in found:
                if isinstance(one, Batch):
                    one.marker = marker
                    yield one
                else:
                    yield from marker([one])
        except LinkfixError as error:
            raise self._located(error) from None

    def _located(self, error: LinkfixError) -> LinkfixError:
        """Return an error with its file, line and column."""
        error.file = error.file or self.name or None
        if error.offset is not None and self._document is not None:
            error.offset += self._document.builder.origin
            error.line, error.column = self._document.builder.move(error.offset)
        return error

    def _begin(self, *, final: bool) -> _Document | None:
        """Return how the document is read; None if its type or charset needs more bytes."""
        prefix = self._prefix
        if self.type is None:
            if not final and len(prefix) < _TYPE_PREFIX:
                return None
            first = prefix[:_TYPE_PREFIX]
            labels = filter(None, (self.charset, self.environment))
            is_wide = any(lookup(label, xml=True).unit > 1 for label in labels)
            other = no_document(first, self.name, is_wide=is_wide)
            if other is not None:
                raise NoDocumentError(f"this file is {other.what}", hint=other.hint)
            self.type = detect_type(first, self.name)
        type, markup = self.type, MARKUP[self.type]
        sniffed = self.sniffed = sniff(
            prefix,
            type=markup,
            label="utf-8" if type == "json" else self.charset,
            environment=self.environment,
            final=final,
            default=self.default_charset,
            at_once=self.at_once,
        )
        if sniffed is None:
            return None
        self._prefix = prefix[sniffed.bom :]
        builder = Builder(
            sniffed.charset,
            sniffed.charset.view(),
            sniffed.bom,
            guessed=sniffed.guessed,
            counts_lines=self.counts_lines,
        )
        if markup == "html":
            finder = HTMLFinder(builder, self.names, self.scope)
            finder.unknown, finder.on_tag = self.unknown, self.on_tag
            tokenizer, self.embedded = finder.tokenizer(), finder.embedded
            blocks = Blocks() if self.scope.links else None
            return _Document(builder, tokenizer, partial(finder.links, tokenizer), blocks)
        if markup == "xml":
            document = _XMLDocument(self, builder)
            return _Document(builder, document.scanner, document.links)
        reader = self._text_reader(type, builder)
        return _Document(builder, reader, reader.links)

    def _text_reader(self, type: DocumentType, builder: Builder) -> Whole | PlainText:
        """Return the reader of a type that is neither HTML nor XML."""
        from linkfix.links import documents
        from linkfix.links.text import PlainText

        if type == "text":
            return PlainText(builder, self.scope)
        if type == "json":
            finder = HTMLFinder(builder, None, self.scope)
            self.embedded = finder.embedded
            return documents.Whole(builder, finder.json)
        found = documents.links_of_sheet if type == "css" else documents.links_of_header
        return documents.Whole(builder, partial(found, self.scope))


class _Document(NamedTuple):
    """How a document is read whose type and charset are known.

    Attributes:
        builder: source and lines of the document.
        reader: reads the view.
        read: returns the links that the next bytes of the view complete, without marks.
        blocks: the blocks of server code in the document; None for a type without such blocks.

    """

    builder: Builder
    reader: HTMLTokenizer | XMLScanner | PlainText | Whole
    read: Callable[..., Iterable[Found]]
    blocks: Blocks | None = None


class _XMLDocument:
    """Read an XML document, and report how it is read.

    Args:
        stream: the settings; it gets the signature and the numbers of embedded links.
        builder: source and lines of the document.

    """

    def __init__(self, stream: LinkStream, builder: Builder) -> None:
        from linkfix.links.settings import XMLSettings
        from linkfix.links.xml.finder import XMLFinder
        from linkfix.markup.xml.scanner import XMLScanner

        self._stream, self._builder = stream, builder
        self._settings = settings = stream.xml or XMLSettings()
        self._finder = XMLFinder(builder, stream.names, stream.scope, settings)
        if stream.unknown:
            self._finder.html.unknown = True
        stream.embedded = self._finder.embedded
        self.scanner = XMLScanner(
            builder.charset, self._finder.interest, limits=settings.limits, recover=settings.recover
        )

    def links(self, view: bytes, *, final: bool) -> Iterator[Found]:
        """Yield the links that the next bytes of the document, and their view, complete.

        An error comes after the links before it. How the document is read from here on is reported then.
        """
        error = None
        try:
            events = self.scanner.feed(self._builder.newest, view, final=final)
        except LinkfixError as caught:
            events, error = self.scanner.rest(), caught
        try:
            yield from self._finder.links(events)
        finally:
            self._stream.signature = self._finder.signature
        if error is not None:
            raise error
        settings, name = self._settings, self._stream.name or None
        lenient, self.scanner.error = self.scanner.error, None
        if lenient is not None and settings.on_recover is not None:
            lenient.file, lenient.hint = name, "it was read leniently from there on"
            lenient.offset = self._builder.origin + (lenient.offset or 0)
            settings.on_recover(lenient)
        problem, self._finder.problem = self._finder.problem, None
        if problem is not None and settings.on_schema is not None:
            problem.file = name
            settings.on_schema(problem)


def flattened(found: Iterable[Found]) -> list[Link]:
    """Return single links and the links of batches, in their order."""
    links: list[Link] = []
    for one in found:
        if isinstance(one, Batch):
            links += one.links()
        else:
            links.append(one)
    return links
