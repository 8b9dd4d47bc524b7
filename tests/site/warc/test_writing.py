"""WARC files with their links rewritten: warcio reads them, and the rest is unchanged."""

from __future__ import annotations

import base64
import gzip
import hashlib
import random
import re
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Literal

import pytest
from archives import (
    PAGE,
    PAGE_AS_URI,
    SHIFT_JIS,
    URI,
    Archive,
    chunked,
    deflated,
    full,
    read,
    rewritten,
    sound,
)
from invariants import check
from warcio.checker import Checker

import linkfix
from linkfix.warc import records, rewrite_warc

ODD = '<base href="/ä/"><a href="a b">x</a><img srcset="ü.png 2x, \\b 3x"> \xff & <a href=\'?q=ß\'>'


def pieces(archive: Archive, new: bytes) -> list[tuple[bytes, bytes]]:
    """Each record as it was and as it is now."""
    taken = read(new)
    after = Archive()
    after.offsets, after.file = [record.offset for record in taken], BytesIO(new)
    return list(zip(archive.pieces(), after.pieces(), strict=True))


CHANGED = {1, 6, 7}


@pytest.mark.parametrize("compressed", [True, False])
def test_other_records_keep_their_bytes(compressed: bool) -> None:
    archive = full(compressed=compressed)
    new, report, errors = rewritten(archive.data)
    assert not errors
    assert (report.records, report.documents, report.rewritten) == (8, 4, 3)
    for number, (old, now) in enumerate(pieces(archive, new)):
        assert (old != now) == (number in CHANGED)


@pytest.mark.parametrize("compressed", [True, False])
def test_changed_records_are_sound(compressed: bool) -> None:
    archive = full(compressed=compressed)
    before, after = (
        sound(archive.data),
        sound(rewritten(archive.data)[0]),
    )
    for number, (old, now) in enumerate(zip(before, after, strict=True)):
        if number not in CHANGED:
            continue
        assert now.content == PAGE_AS_URI
        differ = {name for name in old.fields if old.fields[name] != now.fields[name]}
        # The digest of the block of a resource is that of its payload too.
        assert differ == {"WARC-Payload-Digest", "WARC-Block-Digest", "Content-Length"}
        assert list(old.fields) == list(now.fields)
        assert {**old.http, "Content-Length": ""} == {**now.http, "Content-Length": ""}


def test_warcio_finds_nothing_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(rewritten(full().data)[0])

    class Command:
        inputs = (str(path),)
        verbose = False

    assert Checker(Command()).process_all() == 0


@pytest.mark.parametrize("made", ["gzip", "deflate", "raw", "br", "", "identity"])
@pytest.mark.parametrize("transfer", [True, False])
def test_codings_are_done_again(made: str, transfer: bool) -> None:
    coding = "deflate" if made == "raw" else made
    headers = [("Content-Encoding", coding)] if made else []
    body = deflated(PAGE * 9, made) if made not in ("", "identity") else PAGE * 9
    if transfer:
        body = chunked(body)
        headers.append(("Transfer-Encoding", "chunked"))
    archive = Archive()
    archive.add(URI, body, SHIFT_JIS, http=tuple(headers))
    new, report, errors = rewritten(archive.data)
    assert not errors
    assert report.changed == 9
    [record] = sound(new)
    assert record.content == PAGE_AS_URI * 9
    assert [*record.http] == [*read(archive.data)[0].http]
    assert b"".join(next(records(BytesIO(new))).chunks()) == PAGE_AS_URI * 9


def test_codings_that_are_not_there_are_not_done() -> None:
    headers = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    archive = Archive(compressed=False)
    archive.add(URI, PAGE, SHIFT_JIS, http=headers)
    assert rewritten(archive.data)[0].endswith(b"\r\n\r\n" + PAGE_AS_URI + b"\r\n\r\n")


def test_a_trailer_stays() -> None:
    body = chunked(PAGE)[:-2] + b"Server-Timing: 7\r\n\r\n"
    archive = Archive(compressed=False)
    archive.add(URI, body, SHIFT_JIS, http=(("Transfer-Encoding", "chunked"),))
    new = rewritten(archive.data)[0]
    size = b"%x\r\n" % len(PAGE_AS_URI)
    assert new.endswith(size + PAGE_AS_URI + b"\r\n0\r\nServer-Timing: 7\r\n\r\n\r\n\r\n")


def _labelled(algorithm: str, digest: bytes, base: str) -> str:
    value = {
        "16": digest.hex(),
        "32": base64.b32encode(digest).decode(),
        "32 bare": base64.b32encode(digest).decode().rstrip("="),
        "64": base64.b64encode(digest).decode(),
    }[base]
    return f"{algorithm}:{value}"


@pytest.mark.parametrize("base", ["16", "32", "32 bare", "64"])
@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "SHA-512", "md5"])
def test_digests_are_written_as_they_were(algorithm: str, base: str) -> None:
    def label(data: bytes) -> str:
        name = algorithm.lower().replace("-", "")
        return _labelled(algorithm, hashlib.new(name, data).digest(), base)

    archive = Archive(compressed=False)
    archive.add(URI, PAGE, SHIFT_JIS)
    data = re.sub(
        rb"(WARC-Payload-Digest: )\S+", lambda m: m[1] + label(PAGE).encode(), archive.data
    )
    [record] = records_of(rewritten(data)[0])
    assert record["WARC-Payload-Digest"] == label(PAGE_AS_URI)


def records_of(data: bytes) -> list[dict[str, str]]:
    return [
        {name: r.field(name) for name in ("WARC-Payload-Digest", "WARC-Block-Digest")}
        for r in records(BytesIO(data))
    ]


@pytest.mark.parametrize("of_entity", [True, False])
def test_digest_of_a_chunked_body(of_entity: bool) -> None:
    def label(data: bytes) -> str:
        return _labelled("sha1", hashlib.sha1(data).digest(), "32")

    archive = Archive(compressed=False)
    archive.add(URI, chunked(PAGE), SHIFT_JIS, http=(("Transfer-Encoding", "chunked"),))
    old = label(PAGE if of_entity else chunked(PAGE)).encode()
    data = re.sub(rb"(WARC-Payload-Digest: )\S+", lambda m: m[1] + old, archive.data)
    body = chunked(PAGE_AS_URI, 1 << 16).replace(b";x=y", b"").replace(b"5B\r", b"5b\r")
    [record] = records_of(rewritten(data)[0])
    assert record["WARC-Payload-Digest"] == label(PAGE_AS_URI if of_entity else body)


def test_records_without_digests_get_none() -> None:
    archive = Archive(compressed=False)
    archive.add(URI, PAGE, SHIFT_JIS)
    data = re.sub(rb"WARC-\w+-Digest: \S+\r\n", b"", archive.data)
    new = rewritten(data)[0]
    assert b"Digest" not in new
    assert PAGE_AS_URI in new


def test_an_unknown_digest_leaves_the_record() -> None:
    archive = Archive(compressed=False)
    archive.add(URI, PAGE, SHIFT_JIS)
    data = archive.data.replace(b"sha1:", b"sha9:")
    new, report, [error] = rewritten(data)
    assert new == data
    assert report.failed == 1
    assert error.file == f"a.warc@0#{URI}"
    assert "sha9" in error.message


def test_header_spelling_stays() -> None:
    archive = Archive(compressed=False)
    archive.add(URI, PAGE, SHIFT_JIS, http=(("X-Odd", "a"),))
    data = archive.data.replace(b"X-Odd: a\r\n", b"x-ODD :\tb\xff\r\n c\r\n")
    more = len(data) - len(archive.data)
    length = int(read(archive.data)[0].fields["Content-Length"])
    data = data.replace(b" %d\r\n" % length, b" %d\r\n" % (length + more))
    assert b"x-ODD :\tb\xff\r\n c\r\n" in rewritten(data)[0]


def test_revisits_follow() -> None:
    archive = Archive()
    archive.add(URI, PAGE, SHIFT_JIS)
    archive.add(f"{URI}2", b"<a href=/same>")
    first, second = read(archive.data)
    archive.revisit("https://b.example/", first.fields["WARC-Payload-Digest"], URI)
    archive.revisit("https://b.example/", second.fields["WARC-Payload-Digest"], f"{URI}2")
    new, report, _ = rewritten(archive.data)
    assert (report.revisits, report.stale) == (1, 0)
    page, _, repeat, _ = after = sound(new)
    assert repeat.fields["WARC-Payload-Digest"] == page.fields["WARC-Payload-Digest"]
    assert repeat.http["Content-Length"] == str(len(PAGE_AS_URI))
    assert pieces(archive, new)[3][0] == pieces(archive, new)[3][1]
    assert after[3].fields["WARC-Payload-Digest"] == second.fields["WARC-Payload-Digest"]


def test_of_payloads_with_the_same_digest_the_one_from_the_same_uri_counts() -> None:
    archive = Archive()
    archive.add("http://a.example/", PAGE, SHIFT_JIS)
    archive.add("http://b.example/", PAGE, "text/html; charset=windows-1252")
    digest = read(archive.data)[0].fields["WARC-Payload-Digest"]
    archive.revisit("http://b.example/again", digest, "http://b.example/")
    archive.revisit("http://a.example/again", digest, "http://a.example/")
    one, other, of_other, of_one = (
        r.fields["WARC-Payload-Digest"] for r in read(rewritten(archive.data)[0])
    )
    assert one != other
    assert (of_one, of_other) == (one, other)


def test_revisits_before_their_payload_are_counted() -> None:
    archive = Archive()
    archive.add(URI, PAGE, SHIFT_JIS)
    digest = read(archive.data)[0].fields["WARC-Payload-Digest"]
    early = Archive()
    early.revisit("https://b.example/", digest, URI)
    new, report, _ = rewritten(early.data + archive.data)
    assert (report.revisits, report.stale) == (0, 1)
    assert new.startswith(early.data)


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16le"])
def test_the_invariants_hold_for_each_record(to: Literal["uri", "iri"], charset: str) -> None:
    page = ODD.encode(charset)
    edges = [[3, 60, 61], list(range(1, len(page)))]
    assert check(page, to, type="html", charset=charset, cuts=tuple(edges))
    archive = Archive()
    archive.add("http://base.example/dir/", page, f"text/html; charset={charset}")
    new, _, _ = rewritten(archive.data, to)
    sink = BytesIO()
    linkfix.rewrite(page, sink, to=to, type="html", charset=charset)
    assert sound(new)[0].content == sink.getvalue()
    assert rewritten(new, to)[0] == new


def test_again_changes_nothing() -> None:
    archive = full()
    archive.revisit("https://b.example/", sound(archive.data)[1].fields["WARC-Payload-Digest"], URI)
    new, _, _ = rewritten(archive.data)
    assert rewritten(new)[0] == new


class Dribble(BytesIO):
    """A pipe that returns seven bytes at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 7))


@pytest.mark.parametrize("compressed", [True, False])
def test_chunks_make_no_difference(compressed: bool) -> None:
    archive = full(compressed=compressed)
    for made in ("gzip", "deflate", "br"):
        headers = (("Content-Encoding", made), ("Transfer-Encoding", "chunked"))
        archive.add(URI, chunked(deflated(PAGE * 999, made)), SHIFT_JIS, http=headers)
    sink = BytesIO()
    rewrite_warc(Dribble(archive.data), sink)
    assert sink.getvalue() == rewritten(archive.data)[0]


def test_an_archive_compressed_as_a_whole_is_written_record_by_record() -> None:
    archive = full(compressed=False)
    new, report, errors = rewritten(gzip.compress(archive.data, mtime=0))
    assert not errors
    assert report.rewritten == 3
    assert gzip.decompress(new) == rewritten(archive.data)[0]
    assert len(sound(new)) == 8  # which warcio reads only if each has its own member


def test_blank_lines_and_gaps_stay() -> None:
    archive = full(compressed=False)
    one, *_, same = archive.pieces()[:6]
    data = b"\r\n\r\n" + one + b"\n\n" + same + b"garbage\r\nmore" + b"\r\n\n" + one
    new, _, errors = rewritten(data)
    assert new == data
    assert len(errors) == 1


def _peak(pieces: list[bytes], folder: Path) -> int:
    path = folder / "a.warc.gz"
    with path.open("wb") as file:
        file.writelines(pieces)
    tracemalloc.start()
    try:
        with path.open("rb") as source, (folder / "new").open("wb") as sink:
            assert rewrite_warc(source, sink).changed
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow(tmp_path: Path) -> None:
    archive = Archive()
    noise = random.Random(7)
    for number in range(20):
        archive.add(f"{URI}{number}", PAGE, SHIFT_JIS)
        archive.add(f"{URI}{number}.png", noise.randbytes(20_000), "image/png")
    few, many = ([archive.data] * times for times in (10, 40))
    assert _peak(many, tmp_path) < 1.2 * max(_peak(few, tmp_path), 1_500_000)


def test_a_large_record_goes_to_disk(tmp_path: Path) -> None:
    def archive(times: int) -> list[bytes]:
        page = PAGE + b"<p>nothing to be seen here</p>\n" * times
        one = Archive()
        one.add(URI, gzip.compress(page, mtime=0), SHIFT_JIS, http=(("Content-Encoding", "gzip"),))
        return [one.data]

    # Both are longer than what is kept of a stream (linkfix/markup/html/past.py).
    few = _peak(archive(400_000), tmp_path)
    assert _peak(archive(1_200_000), tmp_path) < 1.1 * few
