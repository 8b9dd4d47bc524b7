"""The documents in a WARC file: its records with HTML, XML or style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from linkfix.charset import label_of
from linkfix.errors import UnreadableError
from linkfix.links.documents import has_links
from linkfix.markup.detect import DocumentType, type_of_content
from linkfix.policy.bases import resolvable
from linkfix.policy.policy import Source
from linkfix.warc.codings import Body
from linkfix.warc.frames import WHOLE, Frame, Span, frames, head_of

#: The types of record whose payload is a document as it was found or made (WARC 1.1, 6).
_DOCUMENTS = frozenset(["response", "resource", "conversion"])
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Record:
    """One record of a WARC file, as a document.

    It can be read until the next one is requested.

    Attributes:
        offset: of the record, or of its gzip member, in bytes from the start of the file.
        kind: its ``WARC-Type``, such as ``response``; "" for a damaged record.
        uri: its ``WARC-Target-URI``; "" if it has none.
        name: of the file, ``@``, the offset, ``#`` and the URI.
        header_name: the name of its HTTP header: with ``:header`` after the offset.
        type: of the document in it; None for anything else, and for parts of documents: segments,
            and answers to a request for a range.
        http_head: the status line and the fields of the HTTP message in it, with the empty line.
        content_type: of the HTTP message, of the record without one; "" if it has none.
        charset: the label in its Content-Type; None without a known one.
        address: its `uri`, if that is absolute; None otherwise.
        base: its base URL; None if nothing can be resolved against its address, as against ``urn:a:b``.

    """

    def __init__(self, frame: Frame, archive: str) -> None:
        self.frame = frame
        self.offset: int = frame.offset
        self._fields = parsed(frame.head)
        self.kind: str = self.field("WARC-Type").lower()
        # Some versions of Wget write angle brackets around it.
        self.uri: str = self.field("WARC-Target-URI").strip("<>")
        self.address: str | None = self.uri if _ABSOLUTE.match(self.uri) else None
        self.base: str | None = resolvable(self.address)
        place, fragment = f"{archive}@{frame.offset}", f"#{self.uri}" if self.uri else ""
        self.name: str = place + fragment
        self.header_name: str = f"{place}:header{fragment}"
        self.http_head: bytes = self._read_http_head()
        self._http = parsed(self.http_head)
        self.content_type: str = (
            self.http("Content-Type") if self.http_head else self.field("Content-Type")
        )
        self.type = self._type(self.content_type)
        self.charset: str | None = label_of(self.content_type)

    def field(self, name: str) -> str:
        """Return a field of the record, "" if it has none."""
        return str(self._fields.get_header(name, ""))

    def http(self, name: str) -> str:
        """Return a field of the HTTP message, "" if there is none."""
        return str(self._http.get_header(name, ""))

    @property
    def status(self) -> int:
        """The status code of the HTTP message; 0 if there is none."""
        code = str(self._http.get_statuscode()) if self.http_head else ""
        return int(code) if code.isascii() and code.isdigit() else 0

    @property
    def head(self) -> Head | None:
        """The HTTP header as a document; None where it has no field with links."""
        return Head(self) if has_links(self.http_head) else None

    def _read_http_head(self) -> bytes:
        """Read the status line and the fields of an HTTP message, if the block is one."""
        content_type = self.field("Content-Type").partition(";")[0].strip().lower()
        if not content_type and self.kind == "response":
            content_type = "application/http"
        if self.kind not in _DOCUMENTS | {"revisit"} or content_type != "application/http":
            return b""
        if self.frame.peek(5) != b"HTTP/":
            return b""
        size = len(head_of(self.frame))
        head = b""
        while len(head) < size:
            head += self.frame.take(size - len(head))
        return head

    def _type(self, content_type: str) -> DocumentType | None:
        is_part = self.status == 206
        if self.kind not in _DOCUMENTS or is_part or self.field("WARC-Segment-Number"):
            return None
        return type_of_content(content_type)

    def body(self) -> Body:
        """Return the codings of the body.

        Raises:
            UnreadableError: one of them cannot be decoded.

        """
        return Body(self.http("Transfer-Encoding"), self.http("Content-Encoding"))

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the document, without the codings of HTTP.

        Raises:
            UnreadableError: the record is damaged, after the readable bytes.

        """
        try:
            yield from self.body().decode(self.frame.block())
            self.check()
        except UnreadableError as error:
            error.file = self.name
            raise

    def check(self) -> None:
        """Read what is left of the record.

        Raises:
            UnreadableError: it is damaged.

        """
        self.frame.finish()
        if self.frame.error is not None:
            raise self.frame.error


class Head:
    """The status line and the fields of the HTTP response in a record, as a document.

    Attributes:
        offset: that of the record.
        name: the record's `header_name`.
        type: ``http``.
        content_type: that of an HTTP message (RFC 9112, 10.1).
        charset: the label of UTF-8.
        address: that of the record.
        base: that of the record.

    """

    type: Final = "http"
    content_type: Final = "message/http"
    charset: Final = "utf-8"

    def __init__(self, record: Record) -> None:
        self.offset: int = record.offset
        self.name: str = record.header_name
        self.address: str | None = record.address
        self.base: str | None = record.base
        self._bytes = record.http_head

    def chunks(self) -> Iterator[bytes]:
        """Yield its bytes."""
        yield self._bytes


def source_of(
    document: Record | Head,
    *,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
) -> Source:
    """Return what is known about a document; the arguments apply where its record says nothing."""
    return Source(
        type=document.type,
        charset=document.charset or charset,
        environment=environment,
        base=document.base or base,
        name=document.name,
    )


def parsed(head: bytes) -> Any:
    """Read a version or status line and the fields after it, as replay tools do.

    Raises:
        UnreadableError: the package for it is not installed.

    """
    from io import BytesIO

    try:
        from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser
    except ImportError as error:
        raise UnreadableError(
            "reading WARC files takes the package warcio, which is not installed",
            hint="pip install 'linkfix[warc]'",
        ) from error
    if not head:
        return StatusAndHeaders("", [])
    return StatusAndHeadersParser([], verify=False).parse(BytesIO(head))


def all_records(
    source: BinaryIO, name: str = "", *, keep: bool = False, span: Span = WHOLE
) -> Iterator[Record]:
    """Yield every record of a WARC file, also those without a document and the damaged ones.

    Args:
        source: a binary file, at its beginning.
        name: of the file.
        keep: whether the bytes of each record are kept for a copy.
        span: which records.

    Raises:
        UnreadableError: the file cannot be read at all, or the package warcio is missing.

    """
    for frame in frames(source, keep=keep, span=span):
        yield Record(frame, name)


def documents(source: BinaryIO, name: str = "", *, span: Span = WHOLE) -> Iterator[Record | Head]:
    """Yield the records of `records`, and before each one its HTTP header if that has links.

    Args:
        source: a binary file, at its beginning.
        name: of the file, for the names of the records.
        span: which records.

    Raises:
        UnreadableError: the file cannot be read at all, or the package warcio is missing.

    """
    for record in all_records(source, name, span=span):
        if (head := record.head) is not None:
            yield head
        if record.type is None:
            record.frame.finish()
        if record.type is not None or record.frame.error is not None:
            yield record


def records(source: BinaryIO, name: str = "") -> Iterator[Record]:
    """Return the records of a WARC file that are documents or damaged, one after the other.

    Reading a damaged one raises; the next one can be read nevertheless.

    Args:
        source: a binary file, at its beginning.
        name: of the file, for the names of the records.

    Raises:
        UnreadableError: the file cannot be read at all, or the package warcio is missing.

    """
    return (each for each in documents(source, name) if isinstance(each, Record))
