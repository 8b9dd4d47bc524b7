"""The stream of links: bytes of a document in, its links out, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from linkfix.charset import lookup, sniff
from linkfix.errors import LinkfixError, NoDocumentError
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.css import StyleSheet
from linkfix.links.header import Header
from linkfix.links.html import HTMLFinder
from linkfix.links.scope import EVERYTHING
from linkfix.links.templates import Blocks, Marker
from linkfix.links.text import PlainText
from linkfix.markup.detect import detect_type
from linkfix.markup.filetypes import no_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.charset import Sniffed
    from linkfix.links.link import Link, Markup
    from linkfix.links.scope import Scope
    from linkfix.links.settings import XMLSettings
    from linkfix.markup.detect import DocumentType
    from linkfix.markup.filetypes import Other

__all__ = ["Found", "LinkStream", "flattened"]

#: What a stream yields: single links, and batches of them.
Found: TypeAlias = "Link | Batch"

#: How many bytes tell the type of a document: always as many, so that chunks make no difference.
_TYPE_PREFIX = 1024
#: What each type of document is written in.
_MARKUP: dict[DocumentType, Markup] = {
    "html": "html",
    "xhtml": "xml",
    "xml": "xml",
    "css": "css",
    "text": "text",
    "http": "http",
}


class LinkStream:
    """Find the links of one document, chunk by chunk. No input or output of its own.

    Args:
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, in which it is
            read where it declares none; None where that is not known.
        default_charset: label of the charset of HTML that declares none; None to guess it.
        name: file name of the document, for its extension and for errors.
        scope: what counts as a link.
        xml: how XML is read.
        names: the set to which the names that fragments can lead to are added: the values of
            ``id`` and ``xml:id``, and of ``name`` on ``a`` elements; None where nobody asks.
        declarations: whether the names of namespaces are given where XML declares them.

    Attributes:
        type: see above; once it is known.
        sniffed: the charset, once it is known.
        view: the piece of the ASCII view that was read last; its links have not been read before.

    Raises:
        NoDocumentError: no type is given, and the file is of another kind (from `read`).
        UnknownCharsetError: `charset` is no label of any encoding (likewise).
        UnsupportedCharsetError: the charset is one that is refused (likewise).

    """

    def __init__(
        self,
        *,
        type: DocumentType | None = None,
        charset: str | None = None,
        environment: str | None = None,
        default_charset: str | None = None,
        name: str = "",
        scope: Scope = EVERYTHING,
        xml: XMLSettings | None = None,
        names: set[str] | None = None,
        declarations: bool = False,
    ) -> None:
        self.type = type
        self.sniffed: Sniffed | None = None
        self.view = b""
        self._label = charset
        self._environment = environment
        self._default_charset = default_charset
        self._name = name
        self._scope = scope
        self._xml = xml
        self._is_lenient = False
        self._names = names
        self._declarations = declarations
        self._prefix = b""
        self._needed = 0
        self._document: _Document | None = None

    @property
    def offset(self) -> int:
        """Byte offset before which everything has been dealt with."""
        return self._document.offset if self._document is not None else 0

    @property
    def signature(self) -> tuple[int, int, int] | None:
        """Byte offset, line and column of the first XML Signature; None for none so far."""
        return None if self._document is None else self._document.signature

    def feed(self, data: bytes) -> list[Link]:
        """Read the next bytes and return the links that they complete; see `read` for errors."""
        return flattened(self.read(data))

    def close(self) -> list[Link]:
        """End the document and return the links that were still waiting; see `read` for errors."""
        return flattened(self.read(b"", final=True))

    def whole(self, document: bytes) -> list[Link]:
        """Return the links of a document that is all there, instead of feeding it."""
        return flattened(self.read(document, final=True))

    def read(self, data: bytes, *, final: bool = False) -> Iterator[Found]:
        """Read the next bytes.

        Args:
            data: the bytes.
            final: whether the document ends with them.

        Returns:
            The links that they complete, in the order of the document. They have to be taken before more is read.

        Raises:
            NotWellFormedError: XML that is not well-formed.
            LimitExceededError: a token is too long to wait for, or XML needs more than the limits allow.

        """
        try:
            if self._document is None:
                self._prefix += data
                self.view = b""
                if len(self._prefix) < self._needed and not final:
                    return iter(())
                self._document = self._begin(final=final)
                if self._document is None:
                    self._needed = len(self._prefix) * 3 // 2
                    return iter(())
                data, self._prefix = self._prefix, b""
            found = self._document.read(data, final=final)
            self.view = self._document.view
        except LinkfixError as error:
            raise self._located(error) from None
        return self._guarded(found)

    def _guarded(self, found: Iterable[Found]) -> Iterator[Found]:
        """Yield links, and locate what is wrong with them."""
        try:
            yield from found
        except LinkfixError as error:
            raise self._located(error) from None
        self._say_if_lenient()
        self._say_if_without_schema()

    def _located(self, error: LinkfixError) -> LinkfixError:
        """Return an error with its file, line and column."""
        error.file = error.file or self._name or None
        if error.offset is not None and self._document is not None:
            error.offset += self._document.origin
            error.line, error.column = self._document.builder.move(error.offset)
        return error

    def _say_if_lenient(self) -> None:
        error = None if self._document is None else self._document.error
        if error is None or self._xml is None or self._xml.on_recover is None or self._is_lenient:
            return
        self._is_lenient = True
        error.file = error.file or self._name or None
        if error.offset is not None and self._document is not None:
            error.offset += self._document.origin
        self._xml.on_recover(error)

    def _say_if_without_schema(self) -> None:
        error = None if self._document is None else self._document.take_schema_problem()
        if error is not None and self._xml is not None and self._xml.on_schema is not None:
            error.file = self._name or None
            self._xml.on_schema(error)

    def _begin(self, *, final: bool) -> _Document | None:
        """Find out what the document is; return None where that takes more bytes."""
        sniffed = self._find_out(self._prefix, final=final)
        if sniffed is None or self.type is None:
            return None
        self._prefix = self._prefix[sniffed.bom :]
        builder = Builder(
            sniffed.charset, sniffed.charset.view(), sniffed.bom, guessed=sniffed.guessed
        )
        if self.type == "html":
            return _HTMLDocument(builder, self._scope, self._names)
        if self.type == "css":
            return _CSSDocument(builder, self._scope)
        if self.type == "text":
            return _TextDocument(builder, self._scope, PlainText)
        if self.type == "http":
            return _TextDocument(builder, self._scope, Header)
        return _XMLDocument(
            builder, self._scope, self._names, self._xml, declarations=self._declarations
        )

    def _find_out(self, prefix: bytes, *, final: bool) -> Sniffed | None:
        """Find out type and charset from the first bytes; None where that takes more of them."""
        if self.type is None:
            if not final and len(prefix) < _TYPE_PREFIX:
                return None
            first = prefix[:_TYPE_PREFIX]
            self._refuse(no_document(first, self._name, is_wide=self._has_wide_label))
            self.type = detect_type(first, self._name)
        if self.sniffed is None:
            self.sniffed = sniff(
                prefix,
                type=_MARKUP[self.type],
                label=self._label,
                environment=self._environment,
                final=final,
                default=self._default_charset,
            )
        return self.sniffed

    @property
    def _has_wide_label(self) -> bool:
        return self._label is not None and lookup(self._label, xml=True).unit > 1

    def _refuse(self, other: Other | None) -> None:
        """Refuse a file that is no document."""
        if other is not None:
            raise NoDocumentError(f"this file is {other.what}", hint=other.hint)


class _Document:
    """A document whose type and charset are known: what reads its view, and finds links in that.

    Args:
        builder: of the document.
        scope: what counts as a link.
        blocks: the blocks of server code in it; None where there can be none.

    Attributes:
        origin: length of the byte order mark.
        view: the piece of the ASCII view that was read last.

    """

    def __init__(self, builder: Builder, scope: Scope, blocks: Blocks | None = None) -> None:
        self.builder = builder
        self.origin = builder.byte_offset(0)
        self.view = b""
        self._blocks = blocks
        self._marker = Marker(scope.templates, builder, blocks)

    @property
    def offset(self) -> int:
        """Byte offset before which everything has been dealt with."""
        return self.builder.byte_offset(self._offset)

    def read(self, data: bytes, *, final: bool) -> Iterator[Found]:
        """Read the next bytes; see `LinkStream.read`."""
        builder, blocks = self.builder, self._blocks
        # No earlier: lines need not be counted up to the end of what came last.
        builder.release(self._offset)
        builder.add(data)
        view = builder.view.feed(data)
        if final and (rest := builder.view.close()):
            view += rest
        self.view = view
        if blocks is not None:
            blocks.release(self._offset)
            blocks.feed(view)
        return self._marked(self._links(data, view, final=final))

    def _marked(self, found: Iterable[Found]) -> Iterator[Found]:
        """Yield links, those marked that are templates or stand in server code."""
        for one in found:
            if isinstance(one, Batch):
                one.marker = self._marker
                yield one
            else:
                yield from self._marker.marked([one])

    @property
    def _offset(self) -> int:
        """The offset in the view before which everything has been dealt with."""
        raise NotImplementedError

    def _links(self, data: bytes, view: bytes, *, final: bool) -> Iterable[Found]:
        raise NotImplementedError

    @property
    def signature(self) -> tuple[int, int, int] | None:
        """See `LinkStream.signature`."""
        return None

    @property
    def error(self) -> LinkfixError | None:
        """What was not well-formed, in XML that is read leniently since."""
        return None

    def take_schema_problem(self) -> LinkfixError | None:
        """Return why the schema that the document names cannot be used, once; None for no reason."""
        return None


class _HTMLDocument(_Document):
    def __init__(self, builder: Builder, scope: Scope, names: set[str] | None) -> None:
        super().__init__(builder, scope, Blocks())
        self._finder = HTMLFinder(builder, names, scope)
        self._tokenizer = self._finder.tokenizer()

    @property
    def _offset(self) -> int:
        return self._tokenizer.offset

    def _links(self, _data: bytes, view: bytes, *, final: bool) -> Iterable[Found]:
        return self._finder.links(self._tokenizer.feed(view, final=final))


class _CSSDocument(_Document):
    def __init__(self, builder: Builder, scope: Scope) -> None:
        super().__init__(builder, scope)
        self._sheet = StyleSheet(builder, scope)

    @property
    def _offset(self) -> int:
        return self._sheet.offset

    def _links(self, _data: bytes, view: bytes, *, final: bool) -> Iterable[Found]:
        self._sheet.feed(view)
        return self._sheet.close() if final else ()


class _TextDocument(_Document):
    def __init__(
        self, builder: Builder, scope: Scope, reader: type[PlainText] | type[Header]
    ) -> None:
        super().__init__(builder, scope)
        self._text = reader(builder, scope)

    @property
    def _offset(self) -> int:
        return self._text.offset

    def _links(self, _data: bytes, view: bytes, *, final: bool) -> Iterable[Found]:
        return self._text.links(view, final=final)


class _XMLDocument(_Document):
    def __init__(
        self,
        builder: Builder,
        scope: Scope,
        names: set[str] | None,
        settings: XMLSettings | None,
        *,
        declarations: bool,
    ) -> None:
        from linkfix.links.settings import XMLSettings
        from linkfix.links.xml import XMLFinder
        from linkfix.markup.xml import XMLScanner

        super().__init__(builder, scope)
        settings = settings or XMLSettings()
        self._finder = XMLFinder(builder, names, scope, settings, declarations=declarations)
        self._scanner = XMLScanner(
            builder.charset,
            self._finder.interest,
            limits=settings.limits,
            recover=settings.recover,
        )

    @property
    def _offset(self) -> int:
        return self._scanner.offset

    def _links(self, data: bytes, view: bytes, *, final: bool) -> Iterable[Found]:
        try:
            return self._finder.links(self._scanner.feed(data, view, final=final))
        except LinkfixError:
            for _ in self._finder.links(self._scanner.rest()):
                pass  # a signature among it comes before the error
            raise

    @property
    def signature(self) -> tuple[int, int, int] | None:
        return self._finder.signature

    @property
    def error(self) -> LinkfixError | None:
        return self._scanner.error

    def take_schema_problem(self) -> LinkfixError | None:
        return self._finder.take_schema_problem()


def flattened(found: Iterable[Found]) -> list[Link]:
    """Return single links and those of batches, in their order."""
    links: list[Link] = []
    for one in found:
        if isinstance(one, Batch):
            links += one.links()
        else:
            links.append(one)
    return links
