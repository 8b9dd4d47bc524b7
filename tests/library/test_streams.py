"""Streams that the functions of the library read."""

from __future__ import annotations

import gzip
import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

import linkfix
from linkfix.sites.writing import RewriteSettings
from linkfix.warc import rewrite_warc

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINK = b"<a href='/a b'>x</a>"
each_kind = pytest.mark.parametrize(
    "opened", [io.FileIO, lambda fd: io.BufferedReader(io.FileIO(fd))]
)


@pytest.fixture
def pipe() -> tuple[int, int]:
    """Return both ends of a pipe whose reader does not wait."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    return reader, writer


@each_kind
def test_a_stream_that_does_not_wait_never_ends_early(
    pipe: tuple[int, int], opened: Callable[[int], BinaryIO]
) -> None:
    reader, writer = pipe
    os.write(writer, LINK)
    out = io.BytesIO()
    with opened(reader) as source, pytest.raises(linkfix.UnreadableError, match="does not wait"):
        linkfix.rewrite(source, out)
    os.close(writer)
    assert out.getvalue() == b""


@each_kind
def test_a_stream_that_does_not_wait_is_read_to_its_end(
    pipe: tuple[int, int], opened: Callable[[int], BinaryIO]
) -> None:
    reader, writer = pipe
    os.write(writer, LINK)
    os.close(writer)
    out = io.BytesIO()
    with opened(reader) as source:
        linkfix.rewrite(source, out)
    assert out.getvalue() == b"<a href='/a%20b'>x</a>"


BROKEN = b"<r>\n<a x='1' x='2'/></r>"
CALLS: dict[str, Callable[[Any], object]] = {
    "extract": lambda source: [*linkfix.extract(source, type="xml")],
    "audit": lambda source: [*linkfix.audit(source, type="xml")],
    "rewrite": lambda source: linkfix.rewrite(source, type="xml"),
    "transcode": lambda source: linkfix.transcode(source, type="xml"),
    "edits": lambda source: linkfix.edits(source, type="xml"),
    "verify": lambda source: linkfix.verify(source, b"<r/>", type="xml"),
    "verify, the new one": lambda source: linkfix.verify(b"<r/>", source, type="xml"),
}


@pytest.mark.parametrize("call", CALLS)
def test_an_error_begins_with_the_place(call: str, tmp_path: Path) -> None:
    """It is in words where the document has no name."""
    path = tmp_path / "a.xml"
    path.write_bytes(BROKEN)
    for source, place in ((BROKEN, "line 2, column 10: "), (path, f"{path}:2:10: ")):
        with pytest.raises(linkfix.LinkfixError, match="duplicate attribute") as raised:
            CALLS[call](source)
        assert str(raised.value).startswith(place)


def test_edits_know_a_document_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_bytes(b"@import 'a b';")
    (edit,) = linkfix.edits(tmp_path / "a.css")
    assert edit.new == b"a%20b"


WARC = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://e.example/\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"  # fmt: skip


class Slow(io.RawIOBase):
    """A raw file that takes at most three bytes at a time, as a disk that is nearly full may."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.taken += bytes(data[:3])
        return len(data[:3])


def slow() -> Any:
    return Slow()


def test_a_sink_that_takes_less_than_it_is_given_loses_nothing(tmp_path: Path) -> None:
    expected = b"<a href='/a%20b'>x</a>"
    calls: list[Any] = [linkfix.rewrite, linkfix.transcode]
    for call in calls:
        for source, read in ((LINK, bytes), (gzip.compress(LINK), gzip.decompress)):
            sink = slow()
            call(source, sink, to="uri")
            assert read(sink.taken).endswith(expected)
            assert not sink.closed
    (tmp_path / "a.html").write_bytes(LINK)
    sink = slow()
    settings = RewriteSettings(policy=linkfix.Policy(to="uri"), mode="stream", sink=sink)
    [*linkfix.rewrite_site([str(tmp_path / "a.html")], settings)]
    assert sink.taken == expected
    sink = slow()
    rewrite_warc(io.BytesIO(WARC % (len(LINK), LINK)), sink)
    assert expected in sink.taken
    assert sink.taken.endswith(b"\r\n\r\n")
