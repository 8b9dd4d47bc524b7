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
from typing import TYPE_CHECKING, Literal

import pytest
from archives import PAGE, PAGE_AS_URI, SHIFT_JIS, Archive, chunked, deflated, read, sound
from invariants import check
from tiers import examples
from warcio.checker import Checker

import linkfix
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.warc import ArchiveReport, records, rewrite_warc

if TYPE_CHECKING:
    from linkfix.warc import Head, Record

URI = "https://a.example/dir/page"
ODD = '<base href="/ä/"><a href="a b">x</a><img srcset="ü.png 2x, \\b 3x"> \xff & <a href=\'?q=ß\'>'


def rewritten(
    data: bytes, to: Literal["uri", "iri"] = "uri"
) -> tuple[bytes, ArchiveReport, list[LinkfixError]]:
    sink, errors = BytesIO(), list[LinkfixError]()
    report = rewrite_warc(BytesIO(data), sink, to=to, name="a.warc", on_error=errors.append)
    return sink.getvalue(), report, errors


def pieces(archive: Archive, new: bytes) -> list[tuple[bytes, bytes]]:
    """Each record as it was and as it is now."""
    taken = read(new)
    after = Archive()
    after.offsets, after.file = [record.offset for record in taken], BytesIO(new)
    return list(zip(archive.pieces(), after.pieces(), strict=True))


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
    archive.add(URI, gzip.compress(PAGE)[:-9], SHIFT_JIS, http=(("Content-Encoding", "gzip"),))
    archive.add(f"{URI}2", PAGE, SHIFT_JIS)
    new, report, errors = rewritten(archive.data)
    assert [error.file for error in errors] == [
        f"a.warc@{offset}#{URI}" for offset in archive.offsets[:3]
    ]
    assert report.rewritten == 1
    assert new.startswith(archive.data[: archive.offsets[3]])


def test_an_archive_compressed_as_a_whole_is_written_record_by_record() -> None:
    archive = full(compressed=False)
    new, report, errors = rewritten(gzip.compress(archive.data))
    assert not errors
    assert report.rewritten == 3
    assert gzip.decompress(new) == rewritten(archive.data)[0]
    assert len(sound(new)) == 8  # which warcio reads only if each has its own member


def test_damage_in_an_archive_compressed_as_a_whole_is_not_passed_on() -> None:
    data = gzip.compress(full(compressed=False).data)
    with pytest.raises(UnreadableError, match="decompress it first"):
        rewritten(data[:-20])


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
        one.add(URI, gzip.compress(page), SHIFT_JIS, http=(("Content-Encoding", "gzip"),))
        return [one.data]

    # Both are longer than what is kept of a stream (linkfix/markup/html/past.py).
    few = _peak(archive(400_000), tmp_path)
    assert _peak(archive(1_200_000), tmp_path) < 1.1 * few
