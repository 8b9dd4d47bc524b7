"""The stream of links: bytes of a document in, its links out, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.charset import lookup, sniff
from linkfix.errors import LinkfixError, NoDocumentError
from linkfix.links.builder import Builder
from linkfix.links.css import StyleSheet
from linkfix.links.html import HTMLFinder
from linkfix.links.interest import worth
from linkfix.links.scope import EVERYTHING
from linkfix.links.templates import Blocks
from linkfix.markup.detect import detect_type
from linkfix.markup.filetypes import no_document
from linkfix.markup.glance import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from linkfix.charset import Sniffed
    from linkfix.links.link import Link, Markup
    from linkfix.links.scope import Scope
    from linkfix.links.settings import XMLSettings
    from linkfix.markup.detect import DocumentType
    from linkfix.markup.filetypes import Other
    from linkfix.markup.html import HTMLTokenizer
    from linkfix.markup.skipping import Clean
    from linkfix.markup.xml import XMLScanner

__all__ = ["LinkStream"]

#: How many bytes tell the type of a document: always as many, so that chunks make no difference.
_TYPE_PREFIX = 1024
#: What each type of document is written in.
_MARKUP: dict[DocumentType, Markup] = {"html": "html", "xhtml": "xml", "xml": "xml", "css": "css"}


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
        on_view: called with each piece of the ASCII view before the links in it are given.
        on_names: called with the names that fragments can lead to, some at a time: the values of
            ``id`` and ``xml:id``, and of ``name`` on ``a`` elements.
        clean: the values that nobody needs to see (`passed` counts links with them, those that
            the scanner could pass over at least); None to give every link.
        count: whether links with these values are to be counted; more can be passed over where they
            are not, and `passed` then says nothing.
        on_link: called with each link as soon as it is found, in the order of the document;
            `feed` and `close` then give none. None to have them given by these.
        pick: picks those of several links that somebody needs to see, the others being counted by
            `passed`. It is given values without NUL or CR, each the whole value
            of an attribute that is one link, and neither a base nor ruled by one inside the document,
            with their quotes as they stand in the ASCII view (`simple_values` reads them), in the
            order of the document; and gives indices in that order, some at a time. These links go to
            `on_link`, which it needs, before more are asked for. It is asked about the more common
            links at least. None to give every link.
        declarations: whether the names of namespaces are given where XML declares them.

    Raises:
        NoDocumentError: no type is given, and the file is of another kind (from `feed` and `close`).
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
        on_view: Callable[[bytes], None] | None = None,
        on_names: Callable[[Iterable[str]], object] | None = None,
        clean: Clean | None = None,
        count: bool = True,
        on_link: Callable[[Link], None] | None = None,
        pick: Callable[[list[bytes]], Iterable[list[int]]] | None = None,
        declarations: bool = False,
    ) -> None:
        self.type = type
        self.sniffed: Sniffed | None = None
        self._label = charset
        self._environment = environment
        self._default_charset = default_charset
        self._name = name
        self._scope = scope
        self._xml = xml
        self._told = False
        self._on_view = on_view
        self._on_names = on_names
        self._clean = clean
        self._count = count
        self._on_link = on_link
        self._pick = pick
        self._declarations = declarations
        self._prefix = b""
        self._wanted = 0
        #: Where in the whole document something is worth a look, once `has_nothing` has been asked.
        self._places: list[int] | None = None
        self._document: _Document | None = None

    def has_nothing(self, document: bytes) -> bool:
        """Tell at a glance that a whole document has no link that anybody needs to see.

        To be asked before anything is fed, with `clean`; `type` and `sniffed` are then known.

        Args:
            document: all of its bytes.

        Returns:
            Whether that is certain; else it takes `whole`, or `feed` and `close`, to know.

        """
        if self._clean is None or self._scope.data_blocks:
            return False
        try:
            sniffed = self._find_out(document, final=True)
        except LinkfixError:
            return False
        # The view of most charsets is the document itself.
        if sniffed is None or not sniffed.charset.is_own_view:
            return False
        document = document[sniffed.bom :]
        if self.type == "html":
            self._places = [*places(worth(self._clean), document)]
            return not self._places
        return False

    @property
    def offset(self) -> int:
        """Byte offset before which everything has been dealt with."""
        return self._document.offset if self._document is not None else 0

    @property
    def passed(self) -> int:
        """How many links were passed over because their values are clean."""
        return self._document.passed() if self._document is not None else 0

    @property
    def signature(self) -> tuple[int, int, int] | None:
        """Byte offset, line and column of the first XML Signature; None for none so far."""
        return None if self._document is None else self._document.signature()

    def feed(self, data: bytes) -> list[Link]:
        """Take the next bytes and give the links that they complete.

        Raises:
            NotWellFormedError: XML that is not well-formed.
            LimitExceededError: a token is too long to wait for.

        """
        return self._run(data, final=False)

    def close(self) -> list[Link]:
        """Say that the document has ended and give the links that were still waiting.

        Raises:
            NotWellFormedError: XML that is not well-formed.

        """
        return self._run(b"", final=True)

    def whole(self, document: bytes) -> list[Link]:
        """Give the links of a document that is all there, instead of feeding it.

        Where `has_nothing` has been asked, and it has something, no more is looked at than that.

        Raises:
            NotWellFormedError: XML that is not well-formed.
            LimitExceededError: XML that needs more than the limits allow.

        """
        return self._run(document, final=True)

    def _run(self, data: bytes, *, final: bool) -> list[Link]:
        try:
            if self._document is None:
                self._prefix += data
                if len(self._prefix) < self._wanted and not final:
                    return []
                if not self._begin(final=final) or self._document is None:
                    self._wanted = len(self._prefix) * 3 // 2
                    return []
                data, self._prefix = self._prefix, b""
            if data and final:
                links = self._document.whole(data, self._places)
            else:
                links = self._document.close() if final else self._document.feed(data)
            self._say_if_lenient()
            self._say_if_without_schema()
            return links
        except LinkfixError as error:
            error.file = error.file or self._name or None
            if error.offset is not None and self._document is not None:
                error.offset += self._document.origin
                error.line, error.column = self._document.builder.move(error.offset)
            raise

    def _say_if_lenient(self) -> None:
        error = None if self._document is None else self._document.error()
        if error is None or self._xml is None or self._xml.on_recover is None or self._told:
            return
        self._told = True
        error.file = error.file or self._name or None
        if error.offset is not None and self._document is not None:
            error.offset += self._document.origin
        self._xml.on_recover(error)

    def _say_if_without_schema(self) -> None:
        error = None if self._document is None else self._document.take_schema_problem()
        if error is not None and self._xml is not None and self._xml.on_schema is not None:
            error.file = self._name or None
            self._xml.on_schema(error)

    def _begin(self, *, final: bool) -> bool:
        """Find out what the document is; False where that takes more bytes."""
        sniffed = self._find_out(self._prefix, final=final)
        if sniffed is None or self.type is None:
            return False
        self._document = _Document(
            sniffed,
            self.type,
            self._scope,
            self._xml,
            self._on_view,
            self._on_names,
            self._clean,
            self._on_link,
            self._pick,
            count=self._count,
            declarations=self._declarations,
        )
        self._prefix = self._prefix[sniffed.bom :]
        return True

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
    """What is known once type and charset are: the scanner and the finder at work."""

    def __init__(
        self,
        sniffed: Sniffed,
        type: DocumentType,
        scope: Scope,
        xml: XMLSettings | None,
        on_view: Callable[[bytes], None] | None,
        on_names: Callable[[Iterable[str]], object] | None,
        clean: Clean | None,
        on_link: Callable[[Link], None] | None,
        pick: Callable[[list[bytes]], Iterable[list[int]]] | None,
        *,
        count: bool,
        declarations: bool,
    ) -> None:
        charset = sniffed.charset
        self._view = charset.view()
        self._scope = scope
        self._xml = xml
        self._on_view = on_view
        self._on_names = on_names
        self._clean = clean
        self._count = count
        self._on_link = None if on_link is None else self._marking(on_link)
        self._blocks = Blocks() if type == "html" else None
        self._pick = pick
        self._declarations = declarations
        self.passed: Callable[[], int] = lambda: 0
        self.signature: Callable[[], tuple[int, int, int] | None] = lambda: None
        self.error: Callable[[], LinkfixError | None] = lambda: None
        self.take_schema_problem: Callable[[], LinkfixError | None] = lambda: None
        self.origin = sniffed.bom
        self.builder = Builder(charset, self._view, sniffed.bom, guessed=sniffed.guessed)
        self._feed: Callable[[bytes, bytes], list[Link]]
        self._close: Callable[[], list[Link]]
        #: Does both at once, where there is a view of all bytes at once.
        self._whole: Callable[[bytes, bytes, list[int] | None], list[Link]] | None = None
        if type == "html":
            self._begin_html()
        elif type == "css":
            self._begin_css()
        else:
            self._begin_xml()

    def _begin_html(self) -> None:
        finder = HTMLFinder(
            self.builder, self._on_names, self._scope, self._clean, count=self._count
        )
        tokenizer = finder.tokenizer(self._on_link, self._pick)
        self._scanner: HTMLTokenizer | XMLScanner | StyleSheet = tokenizer

        def feed(_source: bytes, view: bytes) -> list[Link]:
            return finder.links(tokenizer.feed(view))

        def close() -> list[Link]:
            return finder.links(tokenizer.close())

        def whole(_source: bytes, view: bytes, places: list[int] | None) -> list[Link]:
            return finder.links(tokenizer.whole(view, places))

        self._whole = whole if self.builder.charset.is_own_view else None
        self._feed, self._close = feed, close
        self.passed = lambda: tokenizer.passed + finder.passed_inside

    def _begin_css(self) -> None:
        sheet = StyleSheet(self.builder, self._scope)
        self._scanner = sheet

        def feed(_source: bytes, view: bytes) -> list[Link]:
            sheet.feed(view)
            return []

        self._feed, self._close = feed, lambda: list(sheet.close())

    def _begin_xml(self) -> None:
        from linkfix.links.settings import XMLSettings
        from linkfix.links.xml import XMLFinder
        from linkfix.markup.xml import XMLScanner

        settings = self._xml or XMLSettings()
        finder = XMLFinder(
            self.builder,
            self._on_names,
            self._scope,
            settings,
            self._clean,
            count=self._count,
            declarations=self._declarations,
        )
        scanner = XMLScanner(
            self.builder.charset,
            finder.interest,
            limits=settings.limits,
            recover=settings.recover,
        )
        self._scanner = scanner
        self.signature = lambda: finder.signature
        self.error = lambda: scanner.error
        self.take_schema_problem = finder.take_schema_problem
        self.passed = lambda: scanner.passed + finder.passed_inside

        def feed(source: bytes, view: bytes, *, final: bool = False) -> list[Link]:
            try:
                return finder.links(scanner.feed(source, view, final=final))
            except LinkfixError:
                finder.links(scanner.rest())  # a signature among it comes before the error
                raise

        def close() -> list[Link]:
            return feed(b"", b"", final=True)

        def whole(source: bytes, view: bytes, _places: list[int] | None) -> list[Link]:
            return feed(source, view, final=True)

        self._whole = whole if self.builder.charset.is_own_view else None
        self._feed, self._close = feed, close

    @property
    def offset(self) -> int:
        return self.builder.byte_offset(self._scanner.offset)

    def whole(self, data: bytes, places: list[int] | None) -> list[Link]:
        if self._whole is None:
            return self.feed(data) + self.close()
        self.builder.add(data)
        view = self._view.feed(data)
        if self._on_view is not None:
            self._on_view(view)
        if self._blocks is not None:
            self._blocks.feed(view)
        links = self._handed_over(self._whole(data, view, places))
        self.builder.clear()
        return links

    def feed(self, data: bytes) -> list[Link]:
        # No earlier: lines need not be counted up to the end of what comes last.
        self.builder.release(self._scanner.offset)
        self.builder.add(data)
        view = self._view.feed(data)
        if self._on_view is not None:
            self._on_view(view)
        if self._blocks is not None:
            self._blocks.release(self._scanner.offset)
            self._blocks.feed(view)
        return self._handed_over(self._feed(data, view))

    def close(self) -> list[Link]:
        rest = self._view.close()
        if self._on_view is not None:
            self._on_view(rest)
        if self._blocks is not None:
            self._blocks.feed(rest)
        links = self._feed(b"", rest) if rest else []
        links = self._handed_over(links + self._close())
        self.builder.clear()
        return links

    def _handed_over(self, links: list[Link]) -> list[Link]:
        if self._on_link is None:
            return self._marked(links)
        for link in links:
            self._on_link(link)
        return []

    def _marked(self, links: list[Link]) -> list[Link]:
        """Return links with those marked that are templates or stand in server code."""
        links = self._scope.templates.marked(links)
        blocks = self._blocks
        if blocks is None or not blocks.any:
            return links
        start, unit = self.builder.byte_offset(0), self.builder.charset.unit
        return [
            blocks.marked(link, (link.start - start) // unit, (link.end - start) // unit)
            for link in links
        ]

    def _marking(self, on_link: Callable[[Link], None]) -> Callable[[Link], None]:
        return lambda link: on_link(self._marked([link])[0])
