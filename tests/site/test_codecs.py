"""A compressed document is read through its codec and written through it; what does not change keeps its octets."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import TYPE_CHECKING, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.errors import LimitExceededError, LinkfixError
from linkfix.files import gzipped
from linkfix.files.access import chunks, creating, open_document, open_file, replacing
from linkfix.files.local import decoded, discard, encoded, finish

if TYPE_CHECKING:
    from pathlib import Path

OCTETS = st.binary(max_size=2000) | st.binary(max_size=20).map(lambda some: some * 500)


def member(octets: bytes, flags: int = 0) -> bytes:
    """A gzip member whose header has the fields that the flags say, as another program writes it."""
    fields = (b"\x05\0extra" if flags & 4 else b"") + (b"name\0" if flags & 8 else b"")
    head = b"\x1f\x8b\x08" + bytes([flags]) + b"\x01\x02\x03\x04\0\x03" + fields
    head += b"comment\0" if flags & 16 else b""
    head += (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little") if flags & 2 else b""
    deflater = zlib.compressobj(1, zlib.DEFLATED, -15)
    ends = (zlib.crc32(octets), len(octets))
    tail = b"".join(number.to_bytes(4, "little") for number in ends)
    return head + deflater.compress(octets) + deflater.flush() + tail


def through(packed: bytes, new: bytes | None, cut: int = 300) -> bytes:
    """What is written after a compressed file was read: the octets that were read, or others."""
    sink = io.BytesIO()
    source = decoded(io.BytesIO(packed), "a.svgz")
    old = b"".join(chunks(source))
    file = encoded(sink, source)
    octets = old if new is None else new
    for at in range(0, len(octets), cut):
        file.write(octets[at : at + cut])
    finish(file)
    return sink.getvalue()


@given(OCTETS, OCTETS, st.integers(0, 15).map(lambda bits: bits * 2), st.integers(1, 999))
def test_what_is_written_is_what_is_read_back(old: bytes, new: bytes, flags: int, cut: int) -> None:
    packed = member(old, flags)
    assert gzip.decompress(packed) == old
    assert through(packed, None, cut) == packed
    changed = through(packed, new, cut)
    if new != old:
        assert gzip.decompress(changed) == new
        assert changed.startswith(packed[: packed.index(zlib_data(packed, flags))])
    assert through(packed + b"\0" * 7, None, cut) == packed + b"\0" * 7
    both = packed + gzip.compress(new, mtime=0)
    assert b"".join(chunks(decoded(io.BytesIO(both), "a.svgz"))) == old + new


def zlib_data(packed: bytes, flags: int) -> bytes:
    """The octets after the header."""
    return packed[len(member(b"", flags)) - len(member(b"", 0)) + 10 :]


@pytest.mark.parametrize(
    "name", ["a.svgz", "A.SVGZ", "a.html.gz", "a.xml.GZ", "http://h/a.svgz?x", ""]
)
def test_the_name_and_the_first_octets_say_what_is_compressed(name: str) -> None:
    packed = gzip.compress(b"<svg/>", mtime=0)
    assert b"".join(chunks(decoded(io.BytesIO(packed), name))) == b"<svg/>"
    plain = io.BytesIO(b"<svg/>")
    assert decoded(plain, name) is plain
    assert encoded(plain, plain) is plain


@pytest.mark.parametrize("name", ["a.gz", "a.html", "a.warc.gz", "a.js.gz", "gz", "svgz"])
def test_other_names_are_none_of_compressed_documents(name: str) -> None:
    file = io.BytesIO(gzip.compress(b"<svg/>", mtime=0))
    assert decoded(file, name) is file


def test_an_archive_without_a_name_has_codings_of_its_own() -> None:
    file = io.BytesIO(gzip.compress(b"WARC/1.0\r\n", mtime=0))
    assert decoded(file) is file


def test_damage_comes_after_the_readable_octets(tmp_path: Path) -> None:
    path = tmp_path / "a.svgz"
    text = bytes(range(256)) * 4000
    packed = gzip.compress(text, mtime=0)
    for damaged in (packed[:-20], packed[:-8] + b"\0" * 8):
        path.write_bytes(damaged)
        read = b""
        with (
            open_document(path) as file,
            pytest.raises(LinkfixError, match="damaged") as raised,
        ):
            for piece in chunks(file):
                read += piece
        assert raised.value.file == str(path)
        assert len(read) > 100_000
        assert text.startswith(read)


def test_a_small_file_with_too_many_octets_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gzipped, "MOST_DECODED", 1_000_000)
    path = tmp_path / "a.svgz"
    path.write_bytes(gzip.compress(b" " * 1_000_000, mtime=0))
    with open_document(path) as file:
        assert len(b"".join(chunks(file))) == 1_000_000
    path.write_bytes(gzip.compress(b" " * 1_000_001, mtime=0))
    for read in (lambda file: [*chunks(file)], lambda file: file.read()):
        with (
            open_document(path) as file,
            pytest.raises(LimitExceededError, match="more than 0 MiB"),
        ):
            read(file)
    with open_file(path) as file:
        assert file.read() == path.read_bytes()


def test_a_replaced_file_is_compressed_as_before_and_its_status_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.svgz"
    path.write_bytes(member(b"<svg/>", 8))
    path.chmod(0o640)
    with replacing(path) as (source, sink):
        sink.write(source.read().replace(b"/", b"></svg"))
    assert gzip.decompress(path.read_bytes()) == b"<svg></svg>"
    assert path.read_bytes()[10:15] == b"name\0"
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.stat()
    with replacing(path) as (source, sink):
        sink.write(source.read())
        discard(sink)
    assert path.stat() == before


def test_the_bytes_before_the_document_in_a_sink_stay() -> None:
    sink = io.BytesIO(b"before")
    sink.seek(6)
    source = decoded(io.BytesIO(packed := gzip.compress(b"<svg/>", mtime=0)))
    file = encoded(sink, source)
    file.write(source.read())
    finish(file)
    assert sink.getvalue() == b"before" + packed


def test_what_cannot_be_read_again_is_compressed_anew() -> None:
    class Pipe(io.BufferedReader):
        def seekable(self) -> bool:
            return False

    sink = io.BytesIO()
    source = decoded(cast("BinaryIO", Pipe(io.BytesIO(member(b"<svg/>")))))
    file = encoded(sink, source)
    file.write(source.read())
    file.flush()
    assert zlib.decompressobj(31).decompress(sink.getvalue()) == b"<svg/>"
    finish(file)
    assert gzip.decompress(sink.getvalue()) == b"<svg/>"


def test_a_new_file_is_coded_as_the_one_that_was_read(tmp_path: Path) -> None:
    old, new = tmp_path / "a.svgz", tmp_path / "b.svgz"
    for octets in (b"", b"<svg/>"):
        old.write_bytes(gzip.compress(octets, mtime=0))
        with open_document(old) as source, creating(new, like=source) as sink:
            sink.write(source.read())
        assert new.read_bytes() == old.read_bytes()
