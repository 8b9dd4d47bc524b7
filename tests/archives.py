"""WARC files made and read by warcio, for the tests of `linkfix.warc`."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from typing import Any, Literal
from uuid import UUID

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from linkfix.errors import LinkfixError
from linkfix.warc import ArchiveReport, rewrite_warc

__all__ = [
    "PAGE",
    "PAGE_AS_URI",
    "SHIFT_JIS",
    "URI",
    "Archive",
    "Taken",
    "chunked",
    "deflated",
    "full",
    "read",
    "rewritten",
    "sound",
]

#: A page with one link that changes, in Shift_JIS and nowhere said to be.
PAGE = '<title>検索</title>\r\n<a href="/検索?q=空">空</a>\n<a href="/same">same</a>'.encode(
    "shift_jis"
)
PAGE_AS_URI = PAGE.replace("/検索?q=空".encode("shift_jis"), b"/%E6%A4%9C%E7%B4%A2?q=%8B%F3")
SHIFT_JIS = "text/html; charset=Shift_JIS"
#: The target of records, or its beginning.
URI = "https://a.example/dir/page"


class _Writer(WARCWriter):  # type: ignore[misc]
    """A writer that leaves no temporary file open, and writes the same bytes in every run."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._numbers = count(1)

    @classmethod
    def _create_temp_file(cls) -> BytesIO:
        return BytesIO()

    def _make_warc_id(self) -> str:
        return f"<{UUID(int=next(self._numbers)).urn}>"

    def curr_warc_date(self) -> str:
        return "2026-01-01T00:00:00Z"


class Archive:
    """A WARC file in the making."""

    def __init__(self, *, compressed: bool = True) -> None:
        self.file = BytesIO()
        self.writer = _Writer(self.file, gzip=compressed)
        self.offsets: list[int] = []

    def add(
        self,
        uri: str,
        payload: bytes,
        content_type: str = "text/html",
        kind: str = "response",
        *,
        http: tuple[tuple[str, str], ...] = (),
        status: str = "200 OK",
        **fields: str,
    ) -> None:
        """Add a record; `http` are more headers, `fields` are those of the record."""
        self.offsets.append(self.file.tell())
        headers: Any = None
        if kind in ("response", "revisit"):
            length = ("Content-Length", str(len(payload)))
            headers = StatusAndHeaders(
                status, [("Content-Type", content_type), length, *http], protocol="HTTP/1.1"
            )
        record = self.writer.create_warc_record(
            uri,
            kind,
            payload=BytesIO(payload),
            warc_content_type="" if headers else content_type,
            http_headers=headers,
            warc_headers_dict={"WARC-" + k.replace("_", "-"): v for k, v in fields.items()},
        )
        self.writer.write_record(record)

    def request(self, uri: str) -> None:
        self.offsets.append(self.file.tell())
        headers = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.example")], is_http_request=True)
        self.writer.write_record(
            self.writer.create_warc_record(uri, "request", http_headers=headers)
        )

    def info(self) -> None:
        self.offsets.append(self.file.tell())
        self.writer.write_record(self.writer.create_warcinfo_record("a.warc", {"software": "test"}))

    def revisit(self, uri: str, digest: str, refers_to: str) -> None:
        self.offsets.append(self.file.tell())
        headers = StatusAndHeaders(
            "200 OK", [("Content-Type", SHIFT_JIS), ("Content-Length", str(len(PAGE)))], "HTTP/1.1"
        )
        self.writer.write_record(
            self.writer.create_revisit_record(
                uri, digest, refers_to, "2026-01-01T00:00:00Z", http_headers=headers
            )
        )

    def raw(self, data: bytes) -> None:
        """Add bytes as they are."""
        self.offsets.append(self.file.tell())
        self.file.write(data)

    @property
    def data(self) -> bytes:
        return self.file.getvalue()

    def pieces(self) -> list[bytes]:
        """The records as they are in the file."""
        data = self.data
        ends = [*self.offsets[1:], len(data)]
        return [data[start:end] for start, end in zip(self.offsets, ends, strict=True)]


@dataclass(frozen=True)
class Taken:
    """A record as warcio reads it."""

    offset: int
    length: int
    kind: str
    uri: str | None
    fields: dict[str, str]
    http: dict[str, str]
    content: bytes


def read(data: bytes) -> list[Taken]:
    """All records of an archive, their digests checked.

    Raises:
        ArchiveLoadFailed: a digest is wrong.

    """
    taken = []
    archive = ArchiveIterator(BytesIO(data), check_digests="raise")
    for record in archive:
        content = _content(record)
        taken.append(
            Taken(
                archive.get_record_offset(),
                archive.get_record_length(),
                record.rec_type,
                record.rec_headers.get_header("WARC-Target-URI"),
                dict(record.rec_headers.headers),
                dict(record.http_headers.headers) if record.http_headers else {},
                content,
            )
        )
    assert not archive.err_count
    return taken


def _content(record: Any) -> bytes:
    """The content of a record; warcio reads the coding br by one of the packages for it alone."""
    http = record.http_headers
    if http is None or http.get_header("Content-Encoding") != "br":
        return bytes(record.content_stream().read())
    import brotli

    is_chunked = http.get_header("Transfer-Encoding") == "chunked"
    body = ChunkedDataReader(record.raw_stream) if is_chunked else record.raw_stream
    return bytes(brotli.decompress(body.read()))


def sound(data: bytes) -> list[Taken]:
    """The same, with the lengths of the bodies that are sent as they are checked too."""
    records = read(data)
    for record in records:
        if record.kind == "response" and not {*record.http} & {
            "Content-Encoding",
            "Transfer-Encoding",
        }:
            assert int(record.http["Content-Length"]) == len(record.content)
    return records


def chunked(data: bytes, size: int = 7) -> bytes:
    """A body as the transfer coding `chunked` has it, with extensions."""
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    body = b"".join(b"%X;x=y\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return body + b"0\r\n\r\n"


def deflated(data: bytes, coding: str) -> bytes:
    """A body in a content coding; ``raw`` is deflate without its frame, as some servers send it."""
    if coding == "br":
        import brotli

        return bytes(brotli.compress(data))
    if coding == "raw":
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return deflater.compress(data) + deflater.flush()
    return gzip.compress(data, mtime=0) if coding in ("gzip", "x-gzip") else zlib.compress(data)


def rewritten(
    data: bytes, to: Literal["uri", "iri"] = "uri"
) -> tuple[bytes, ArchiveReport, list[LinkfixError]]:
    sink, errors = BytesIO(), list[LinkfixError]()
    report = rewrite_warc(BytesIO(data), sink, to=to, name="a.warc", on_error=errors.append)
    return sink.getvalue(), report, errors


def full(*, compressed: bool = True) -> Archive:
    """An archive with a record of every type."""
    archive = Archive(compressed=compressed)
    archive.info()
    archive.add(URI, PAGE, SHIFT_JIS)
    archive.request(URI)
    archive.add(URI, b"fetchTimeMs: 7", "application/warc-fields", "metadata")
    archive.add(f"{URI}.png", b"\x89PNG\r\n\x1a\n<a href='/\xff b'>" * 50, "image/png")
    archive.add(f"{URI}/same", b"<a href=/same>", "text/html")
    archive.add(f"{URI}/resource", PAGE, SHIFT_JIS, "resource")
    archive.add(f"{URI}/conversion", PAGE, SHIFT_JIS, "conversion")
    return archive
