"""Damaged WARC records, and those of which linkfix fails: they keep their bytes, and all others are rewritten."""

from __future__ import annotations

import base64
import gzip
import hashlib
import random
import re
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from archives import (
    PAGE,
    SHIFT_JIS,
    URI,
    Archive,
    chunked,
    deflated,
    full,
    rewritten,
)
from tiers import examples

import linkfix
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.warc import records, rewrite_warc

if TYPE_CHECKING:
    from linkfix.warc import Head, Record


@pytest.mark.parametrize("compressed", [True, False])
def test_damaged_records_keep_their_bytes(compressed: bool) -> None:
    archive = Archive(compressed=compressed)
    for number in range(5):
        archive.add(f"{URI}{number}", PAGE * 30, SHIFT_JIS)
    old = archive.pieces()
    old[1] = old[1][:90] if compressed else old[1].replace(b"WARC/1.0", b"WARC/one")
    old[3] = old[3].replace(b"Length: 2", b"Length: two")
    if compressed:
        old[3] = b"\r\n\0\0" + archive.pieces()[3][50:]
    new, report, errors = rewritten(b"".join(old))
    assert report.failed == len(errors) == 2
    assert old[1] in new
    assert old[3] in new
    assert [r.uri for r in records(BytesIO(new)) if r.type] == [f"{URI}{n}" for n in (0, 2, 4)]


@pytest.mark.parametrize("behind", [b"", b"\r\n\r\n", b"\n\0"])
def test_a_damage_that_hides_others_costs_one_record(behind: bytes) -> None:
    """Also where what stands for the end of the record is, by chance, a line end."""
    archive = Archive(compressed=True)
    uris = [f"{URI}{number}" for number in range(5)]
    for uri in uris:
        archive.add(uri, PAGE * 30, SHIFT_JIS)
    old = archive.pieces()
    deflater = zlib.compressobj(wbits=zlib.MAX_WBITS + 16)
    begins = deflater.compress(gzip.decompress(old[1])[:-200]) + deflater.flush(zlib.Z_SYNC_FLUSH)
    # A stored block of 65,535 bytes: the rest of the record, and all that follows.
    old[1] = begins + b"\0\xff\xff\0\0" + (bytes(196) + behind if behind else b"")
    new, report, errors = rewritten(b"".join(old))
    assert report.failed == len(errors) == 1
    assert old[1] in new
    assert [r.uri for r in records(BytesIO(new)) if r.type] == uris


#: Ways to damage a record: what is hit, and the seeded change of its octets.
PARTS = {
    "version": rb"WARC/1\.\d",
    "fields": rb"(?s)WARC-.*?(?=\r\n\r\n)",
    "length": rb"(?<=Content-Length: )\d+(?=\r\n\r\nHTTP)",
    "payload digest": rb"(?<=WARC-Payload-Digest: ).*(?=\r\n)",
    "block digest": rb"(?<=WARC-Block-Digest: ).*(?=\r\n)",
    "uri": rb"(?<=WARC-Target-URI: ).*(?=\r\n)",
    "kind": rb"(?<=WARC-Type: ).*(?=\r\n)",
    "status line": rb"HTTP/1\.1 200 OK",
    "http fields": rb"(?s)(?<=200 OK\r\n).*?(?=\r\n\r\n)",
    "http length": rb"(?<=Content-Length: )\d+(?=\r\n(?!\r))",
    "charset": rb"charset=\w+",
    "location": rb"(?<=Location: ).*(?=\r\n)",
    "codings": rb"(?<=-Encoding: )\w+",
    "body": rb"(?s)(?<=gzip\r\n\r\n).+(?=\r\n\r\n)|(?<=chunked\r\n\r\n).+(?=\r\n\r\n)|<title>.*</a>",
    "chunk sizes": rb"(?<=\r\n)[0-9A-F]+(?=;x=y)",
    "member": rb"(?s).+",
}  # fmt: skip


def _record_of(number: int) -> bytes:
    """A record that is rewritten; the number decides how its body is coded."""
    archive = Archive(compressed=False)
    body = f"<title>{number}</title><a href='/検索 {number}'>t</a>".encode("shift_jis") * 9
    http: tuple[tuple[str, str], ...] = (("Location", f"/a b{number}"),)
    if number % 3 == 1:
        body, http = deflated(body, "gzip"), (*http, ("Content-Encoding", "gzip"))
    elif number % 3 == 2:
        body, http = chunked(body), (*http, ("Transfer-Encoding", "chunked"))
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    archive.add(f"{URI}{number}", body, SHIFT_JIS, http=http, Payload_Digest=f"sha1:{digest}", Record_ID=f"<urn:x:{number}>", Date="2026-01-01T00:00:00Z")  # fmt: skip
    return archive.data


def _damaged(data: bytes, part: bytes, dice: random.Random) -> bytes:
    """Overwrite, remove or add octets in a part of a record, or in all of it."""
    found = dice.choice([*re.finditer(part, data)] or [*re.finditer(rb"(?s).+(?=\r\n\r\n)", data)])
    whole = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(found.start(), found.end())
        size = dice.choice((1, 1, 1, 4))
        octets = dice.randbytes(size) if dice.random() < 0.7 else dice.choice([b"9", b"0", b"\x96", b"\r\n", b"", b":"]) * size  # fmt: skip
        whole[at : at + dice.choice((0, size))] = octets
    return bytes(whole)


@pytest.mark.property
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("compressed", [True, False])
def test_of_n_records_one_is_damaged_and_the_others_come_through(
    part: str, compressed: bool
) -> None:
    dice = random.Random(f"{part} {compressed}")
    frame = (lambda data: gzip.compress(data, mtime=0)) if compressed else bytes
    sources = [_record_of(number) for number in range(6)]
    expected = [rewritten(frame(data))[0] for data in sources]
    assert all(new != frame(old) for new, old in zip(expected, sources, strict=True))
    for _ in range(examples(60, 12)):
        hit = dice.randrange(6)
        if compressed and part == "member":
            bad = _damaged(frame(sources[hit]), PARTS[part], dice)
        else:
            bad = frame(_damaged(sources[hit], PARTS[part].replace(b".+", b".+(?=\r\n\r\n)") if part == "member" else PARTS[part], dice))  # fmt: skip
        data = b"".join([*map(frame, sources[:hit]), bad, *map(frame, sources[hit + 1 :])])
        new, report, errors = rewritten(data)
        at = new.find(b"".join(expected[:hit]))
        rest = b"".join(expected[hit + 1 :])
        assert at == 0, (part, errors)
        assert new.endswith(rest), (part, bad, errors)
        middle = new[len(b"".join(expected[:hit])) : len(new) - len(rest)]
        assert errors or middle, part
        assert report.failed == len(errors)
        if errors:
            # Where a length ends at a line end, a record and something else are there, not one damaged record.
            if "no WARC record begins here" not in str(errors[0]):
                assert middle == bad or gzip.decompress(middle) == gzip.decompress(bad)
            assert not any("fault of linkfix" in str(error) for error in errors)
            assert all(str(error).startswith("a.warc@") for error in errors)
        found = [record.uri for record in records(BytesIO(data)) if record.frame.error is None]
        others = {f"{URI}{number}" for number in range(6)} - {f"{URI}{hit}"}
        assert others <= {*found}


def test_an_exception_of_any_kind_costs_one_record() -> None:
    archive = full()
    calls: list[str] = []

    def rewriter(record: Record | Head) -> linkfix.Rewriter:
        calls.append(record.name)
        if len(calls) == 1:
            raise ZeroDivisionError
        return linkfix.Rewriter(
            source=linkfix.Source(type=record.type, charset=record.charset, name=record.name)
        )

    sink, errors = BytesIO(), list[LinkfixError]()
    report = rewrite_warc(BytesIO(archive.data), sink, rewriter=rewriter, on_error=errors.append)
    assert (report.rewritten, report.failed) == (2, 1)
    assert "<locals>.rewriter failed: ZeroDivisionError: , in" in str(errors[0])
    assert isinstance(errors[0].__cause__, ZeroDivisionError)
    expected = rewritten(archive.data)[0]
    assert sum(a in sink.getvalue() for a in archive.pieces()) == 6
    assert sink.getvalue() != expected


class Full(BytesIO):
    """A file that fails in the middle of a record."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        if len(self.getvalue()) > 600:
            raise ValueError("no more")
        return super().write(data)


def test_a_record_that_is_half_written_ends_the_archive() -> None:
    with pytest.raises(LinkfixError, match="no more"):
        rewrite_warc(BytesIO(full(compressed=False).data), Full())


def test_a_damaged_length_is_not_read_over_and_over() -> None:
    """Each record claims all that follows: the file is read twice, and not once for each record."""
    count = 400
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nContent-Length: 99999999\r\n\r\n"
    data = (head + b"<a href='x y'>\r\n\r\n") * count

    class Counting(BytesIO):
        read_bytes = 0

        def read1(self, size: int | None = -1, /) -> bytes:
            piece = super().read1(size)
            Counting.read_bytes += len(piece)
            return piece

    assert len([*records(Counting(data))]) >= 2
    assert Counting.read_bytes <= 3 * len(data)


def test_a_document_that_fails_keeps_its_bytes() -> None:
    archive = Archive()
    archive.add(URI, b"<a href='\xc3\xa4'><b></a>", "text/xml; charset=utf-8")
    archive.add(URI, PAGE[:-9], SHIFT_JIS, http=(("Content-Encoding", "zstd"),))
    archive.add(
        URI, gzip.compress(PAGE, mtime=0)[:-9], SHIFT_JIS, http=(("Content-Encoding", "gzip"),)
    )
    archive.add(f"{URI}2", PAGE, SHIFT_JIS)
    new, report, errors = rewritten(archive.data)
    assert [error.file for error in errors] == [
        f"a.warc@{offset}#{URI}" for offset in archive.offsets[:3]
    ]
    assert report.rewritten == 1
    assert new.startswith(archive.data[: archive.offsets[3]])


def test_damage_in_an_archive_compressed_as_a_whole_is_not_passed_on() -> None:
    data = gzip.compress(full(compressed=False).data, mtime=0)
    with pytest.raises(UnreadableError, match="decompress it first"):
        rewritten(data[:-20])
