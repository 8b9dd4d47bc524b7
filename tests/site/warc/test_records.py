"""WARC records as documents."""

from __future__ import annotations

import gzip
import random
import sys
import tracemalloc
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any

import pytest
from archives import PAGE, SHIFT_JIS, Archive, chunked, deflated, read

import linkfix
from linkfix.errors import LinkfixError, UnreadableError, UnsupportedCharsetError
from linkfix.warc import Record, is_archive, records

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "https://a.example/dir/page"
CODED = [
    ("gzip", "gzip"),
    ("x-gzip", "x-gzip"),
    ("deflate", "deflate"),
    ("deflate", "raw"),
    ("br", "br"),
]


def documents(data: bytes) -> dict[str, bytes]:
    return {r.uri: b"".join(r.chunks()) for r in records(BytesIO(data), "a.warc")}


def errors(data: bytes) -> tuple[list[str], list[LinkfixError]]:
    """The URIs of the readable records, and the errors of the others."""
    whole, failed = [], []
    for record in records(BytesIO(data), "a.warc"):
        try:
            b"".join(record.chunks())
        except LinkfixError as error:
            failed.append(error)
        else:
            whole.append(record.uri)
    return whole, failed


def one(data: bytes) -> Record:
    return next(iter(records(BytesIO(data), "a.warc")))


@pytest.mark.parametrize("compressed", [True, False])
def test_what_is_a_document(compressed: bool) -> None:
    archive = Archive(compressed=compressed)
    archive.info()
    archive.request(URI)
    wanted = []
    for content_type, kind, type in [
        ("text/html", "response", "html"),
        ("TEXT/HTML ; charset=utf-8", "response", "html"),
        ("application/xhtml+xml", "response", "xhtml"),
        ("text/xml", "response", "xml"),
        ("application/xml", "resource", "xml"),
        ("image/svg+xml", "conversion", "xml"),
        ("application/rss+xml", "response", "xml"),
        ("text/css", "response", "css"),
        ("text/plain", "response", None),
        ("image/png", "response", None),
        ("text/html", "metadata", None),
        ("", "response", None),
    ]:
        uri = f"{URI}?{len(archive.offsets)}"
        archive.add(uri, PAGE, content_type, kind)
        if type is not None:
            wanted.append((uri, kind, type, archive.offsets[-1]))
    found = [(r.uri, r.kind, r.type, r.offset) for r in records(BytesIO(archive.data), "a.warc")]
    assert found == wanted
    assert {(r.uri, r.offset) for r in read(archive.data)} >= {(u, at) for u, _, _, at in wanted}


def test_parts_of_documents_are_none() -> None:
    archive = Archive()
    archive.add(URI, PAGE, status="206 Partial Content")
    archive.add(URI, PAGE, Segment_Number="1")
    assert not documents(archive.data)


def test_names_and_offsets() -> None:
    archive = Archive()
    archive.info()
    archive.add(URI, PAGE, SHIFT_JIS)
    record = one(archive.data)
    assert record.name == f"a.warc@{archive.offsets[1]}#{URI}"
    assert (record.base, record.charset) == (URI, "Shift_JIS")


@pytest.mark.parametrize(
    ("content_type", "label"),
    [
        ("text/html", None),
        ('text/html; charset="Shift_JIS"', "Shift_JIS"),
        ("text/html; a=b; CHARSET = x-sjis", "x-sjis"),
        ("text/html; charset=", None),
        ("text/html; charset=no-such-charset", None),
    ],
)
def test_charset_of_the_header(content_type: str, label: str | None) -> None:
    archive = Archive()
    archive.add(URI, PAGE, content_type)
    assert one(archive.data).charset == label


def test_a_charset_that_is_refused_is_said() -> None:
    archive = Archive()
    archive.add(URI, PAGE, "text/html; charset=iso-2022-kr")
    record = one(archive.data)
    extractor = linkfix.Extractor(
        source=linkfix.Source(type=record.type, charset=record.charset, name=record.name)
    )
    with pytest.raises(UnsupportedCharsetError, match=URI):
        extractor.feed(PAGE)
        extractor.close()


def test_uri_in_angle_brackets() -> None:
    archive = Archive(compressed=False)
    archive.add(URI, PAGE)
    archive.file = BytesIO(archive.data.replace(URI.encode(), b"<%b>" % URI.encode()))
    assert one(archive.data).uri == URI


def test_links_are_those_of_the_payload() -> None:
    archive = Archive()
    archive.add(URI, chunked(PAGE), SHIFT_JIS, http=(("Transfer-Encoding", "chunked"),))
    record = one(archive.data)
    extractor = linkfix.Extractor(
        source=linkfix.Source(
            type=record.type, charset=record.charset, base=record.base, name=record.name
        )
    )
    found = [link for data in record.chunks() for link in extractor.feed(data)] + extractor.close()
    assert found == list(linkfix.extract(PAGE, type="html", charset="shift_jis", base=URI))
    assert found[0].resolved == "https://a.example/%E6%A4%9C%E7%B4%A2?q=%8B%F3"


@pytest.mark.parametrize(("coding", "made"), CODED)
@pytest.mark.parametrize("transfer", [True, False])
def test_codings_are_undone(coding: str, made: str, transfer: bool) -> None:
    body = deflated(PAGE * 500, made)
    headers = [("Content-Encoding", coding)]
    if transfer:
        body = chunked(body)
        headers.append(("Transfer-Encoding", "chunked"))
    archive = Archive()
    archive.add(URI, body, http=tuple(headers))
    assert documents(archive.data) == {URI: PAGE * 500}


def test_codings_on_codings() -> None:
    archive = Archive()
    body = deflated(deflated(PAGE, "gzip"), "deflate")
    archive.add(URI, body, http=(("Content-Encoding", "gzip, deflate"),))
    archive.add(f"{URI}2", gzip.compress(PAGE, mtime=0) * 2, http=(("Content-Encoding", "gzip"),))
    assert documents(archive.data) == {URI: PAGE, f"{URI}2": PAGE * 2}


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "identity", "utf-8", ""])
@pytest.mark.parametrize("body", [PAGE, b""])
def test_codings_that_are_not_there(coding: str, body: bytes) -> None:
    archive = Archive()
    headers = (("Content-Encoding", coding), ("Transfer-Encoding", "chunked"))
    archive.add(URI, body, http=headers)
    assert documents(archive.data) == {URI: body}


def test_a_coding_that_cannot_be_undone() -> None:
    archive = Archive()
    archive.add(URI, PAGE, http=(("Content-Encoding", "zstd"),))
    archive.add(f"{URI}2", PAGE)
    whole, [error] = errors(archive.data)
    assert whole == [f"{URI}2"]
    assert str(error) == f"a.warc@0#{URI}: the content is coded in zstd, which linkfix cannot undo"


@pytest.mark.parametrize(
    ("body", "headers", "message"),
    [
        (
            gzip.compress(PAGE, mtime=0)[:-20],
            {"Content-Encoding": "gzip"},
            "compressed data ends early",
        ),
        (
            gzip.compress(PAGE, mtime=0)[:-8] + b"\0" * 8,
            {"Content-Encoding": "gzip"},
            "compressed data is damaged",
        ),
        (deflated(PAGE, "br")[:-9], {"Content-Encoding": "br"}, "compressed data ends early"),
        (chunked(PAGE)[:-30], {"Transfer-Encoding": "chunked"}, "chunked body ends early"),
        (chunked(PAGE)[:-5], {"Transfer-Encoding": "chunked"}, "chunked body ends early"),
        (b"3\r\nabcde\r\n0\r\n\r\n", {"Transfer-Encoding": "chunked"}, "where its size says"),
        (b"3\r\nabc\r\nxyz\r\n", {"Transfer-Encoding": "chunked"}, "has no size"),
    ],
)
def test_damaged_bodies(body: bytes, headers: dict[str, str], message: str) -> None:
    archive = Archive()
    archive.add(URI, body, http=tuple(headers.items()))
    archive.add(f"{URI}2", PAGE)
    whole, [error] = errors(archive.data)
    assert whole == [f"{URI}2"]
    assert message in error.message
    assert error.file == f"a.warc@0#{URI}"


def test_brotli_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive()
    archive.add(URI, deflated(PAGE, "br"), http=(("Content-Encoding", "br"),))
    monkeypatch.setitem(sys.modules, "brotli", None)
    with pytest.raises(UnreadableError, match=r"pip install 'linkfix\[warc\]'"):
        b"".join(one(archive.data).chunks())


def test_warcio_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive()
    archive.add(URI, PAGE)
    monkeypatch.setitem(sys.modules, "warcio.statusandheaders", None)
    with pytest.raises(UnreadableError, match=r"pip install 'linkfix\[warc\]'"):
        one(archive.data)


def test_garbage_for_http_is_passed_over() -> None:
    archive = Archive(compressed=False)
    archive.add(URI, PAGE)
    garbage = archive.data.replace(b"HTTP/1.1 200 OK\r\n", b"<a href=/x>here</a>\r\n")
    length = int(read(archive.data)[0].fields["Content-Length"])
    more = len(garbage) - len(archive.data)
    archive.file = BytesIO(garbage.replace(b" %d\r\n" % length, b" %d\r\n" % (length + more)))
    assert errors(archive.data) == ([], [])


@pytest.mark.parametrize("compressed", [True, False])
def test_a_record_that_is_damaged_costs_no_other(compressed: bool) -> None:
    archive = Archive(compressed=compressed)
    uris = [f"https://a.example/{number}" for number in range(7)]
    for uri in uris:
        archive.add(uri, PAGE * 30, SHIFT_JIS)
    pieces = archive.pieces()
    pieces[1] = b"\n".join(pieces[1].split(b"\n")[1:]) if not compressed else pieces[1][:40]
    pieces[3] = (
        pieces[3][:-60] + bytes(60) if compressed else pieces[3].replace(b"Length: 2", b"Length: ")
    )
    pieces[5] = pieces[5].replace(b"Content-Length", b"Content-Lenght")
    if compressed:
        pieces[5] = b"this is no record\r\n" + pieces[5]
    whole, failed = errors(b"".join(pieces))
    assert set(whole) >= {uris[0], uris[2], uris[4], uris[6]}
    assert len(failed) == 3
    offsets = [sum(map(len, pieces[:number])) for number in (1, 3, 5)]
    for error, offset in zip(failed, offsets, strict=True):
        assert (error.file or "").startswith(f"a.warc@{offset}")


def test_an_archive_that_ends_early() -> None:
    for compressed in (True, False):
        archive = Archive(compressed=compressed)
        archive.add(URI, PAGE)
        archive.add(f"{URI}2", PAGE * 50)
        whole, [error] = errors(archive.data[:-30])
        assert whole == [URI]
        assert "early" in error.message


def test_an_archive_compressed_as_a_whole() -> None:
    archive = Archive(compressed=False)
    for number in range(3):
        archive.add(f"{URI}{number}", PAGE * 1000, SHIFT_JIS)
    data = gzip.compress(archive.data, mtime=0)
    assert documents(data) == {f"{URI}{number}": PAGE * 1000 for number in range(3)}


class Slow(BytesIO):
    """A pipe that returns a few bytes at a time, and cannot seek."""

    def __init__(self, data: bytes, seed: int) -> None:
        super().__init__(data)
        self._random = random.Random(seed)

    def read1(self, size: int | None = 0, /) -> bytes:
        return super().read(min(size or 0, self._random.choice([1, 2, 3, 100, 5000])))

    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize("seed", range(5))
def test_chunks_make_no_difference(seed: int) -> None:
    for compressed in (True, False):
        archive = Archive(compressed=compressed)
        for coding, made in CODED:
            headers = (("Content-Encoding", coding), ("Transfer-Encoding", "chunked"))
            archive.add(f"{URI}{made}", chunked(deflated(PAGE * 20, made)), http=headers)
        found = {r.uri: b"".join(r.chunks()) for r in records(Slow(archive.data, seed), "a.warc")}
        assert found == {f"{URI}{made}": PAGE * 20 for _, made in CODED}


@pytest.mark.parametrize(
    ("prefix", "name", "wanted"),
    [
        (b"WARC/1.0\r\n", "", True),
        (gzip.compress(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n", mtime=0), "<stdin>", True),
        (gzip.compress(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n", mtime=0)[:24], "", True),
        (gzip.compress(b"<a href=/>", mtime=0), "page.html.gz", False),
        (b"<a href=/>", "page.html", False),
        (b"\x1f\x8b\x08 no gzip", "", False),
        (b"", "A.WARC.GZ", True),
        (b"", "", False),
    ],
)
def test_what_is_an_archive(prefix: bytes, name: str, wanted: bool) -> None:
    assert is_archive(prefix, name) is wanted


def _peak(pieces: Iterator[bytes], tmp_path_factory: pytest.TempPathFactory) -> int:
    path = tmp_path_factory.mktemp("warc") / "a.warc.gz"
    with path.open("wb") as file:
        file.writelines(pieces)
    tracemalloc.start()
    try:
        with path.open("rb") as file:
            for record in records(file, "a.warc.gz"):
                for _ in record.chunks():
                    pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow(tmp_path_factory: pytest.TempPathFactory) -> None:
    many, large = Archive(compressed=False), Archive()
    for number in range(20):
        many.add(f"{URI}{number}", PAGE * 100)
    large.add(URI, gzip.compress(PAGE * 200_000, mtime=0), http=(("Content-Encoding", "gzip"),))
    for pieces in ([many.data] * 20, [many.data] * 40, [large.data]):
        assert sum(map(len, pieces)) > 3_000_000 or pieces == [large.data]
        assert _peak(iter(pieces), tmp_path_factory) < 1_500_000


def test_the_name_of_a_record_does_not_depend_on_how_the_file_is_read() -> None:
    page = b"<a href=x>" + random.Random(7).randbytes(5000).hex().encode()
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"  # fmt: skip
    whole = (head % len(page) + page + b"\r\n\r\n") * 20
    data = gzip.compress(whole[: len(whole) // 2], mtime=0) + gzip.compress(
        whole[len(whole) // 2 :], mtime=0
    )
    second = len(gzip.compress(whole[: len(whole) // 2], mtime=0))
    for size in (1000, 8192, len(data)):
        source = BufferedReader(_Pieces(data, size))
        offsets = []
        for record in records(source, "a.warc.gz"):
            offsets.append(record.offset)
            assert b"".join(record.chunks()) == page
        assert offsets == [0] * 10 + [second] * 10


def test_what_is_read_of_a_damaged_file_does_not_depend_on_how_it_is_read() -> None:
    random.seed(7)
    members = []
    for number in range(120):
        page = b"<a href=%d>" % number + random.randbytes(random.choice([20, 900, 9000, 60_000]))
        head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/%d\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"  # fmt: skip
        member = bytearray(gzip.compress(head % (number, len(page)) + page + b"\r\n\r\n", mtime=0))
        if number % 3 == 1:
            at = random.randrange(20, len(member) - 20)
            member[at : at + 15] = random.randbytes(15)
        elif number % 7 == 1:
            del member[random.randrange(20, len(member)) :]
        members.append(bytes(member))
    data = b"".join(members)

    def read(size: int) -> list[tuple[str, bytes, str]]:
        found = []
        for record in records(BufferedReader(_Pieces(data, size)), "a.warc.gz"):
            content, error = b"", ""
            try:
                for piece in record.chunks():
                    content += piece
            except LinkfixError as failure:
                error = str(failure)
            found.append((record.name, content, error))
        return found

    expected = read(len(data))
    assert sum(bool(error) for _, _, error in expected) > 30
    assert len(expected) > 80
    for size in (997, 8192, 40_000):
        assert read(size) == expected


class _Pieces(RawIOBase):
    """A file that returns so many bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._rest, self._size = data, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._rest[: min(self._size, len(buffer))]
        self._rest = self._rest[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)
