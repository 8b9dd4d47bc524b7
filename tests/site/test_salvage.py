"""A damaged document has the same rows for every reader: those before the damage, whatever the pieces of its bytes are."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from archives import Archive
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sources import with_source
from tiers import examples

import linkfix
from linkfix.auditing import Auditor, select
from linkfix.cli.group import cli
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.extracting import Extractor
from linkfix.extracting.extractor import fields_of
from linkfix.jobs.failures import salvaged
from linkfix.policy import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LATE = "<!-- " + "x" * 1100 + " -->"
#: Documents whose charset or type is known late, that are ill-formed, or that end within a link.
TEXTS = {
    "html": [
        "<base href='/b/'><a href='x y'>1</a><a href='z é?q=é'>2</a><img srcset='a 1x, b\u00a0c 2x'>",
        f"<a href=first>{LATE}<meta charset=iso-8859-5><a href='/Ы?q=Ы'>",
        f"<meta charset=shift_jis>{LATE}<a href='/検索?q=検索'>検索</a><style>a{{background:url(x y)}}</style><a href=z",
        "<a href='x y'>" * 40,
    ],
    "xhtml": [
        "<html xmlns='http://www.w3.org/1999/xhtml'><a href='a b'/><a href='c\u00a0d'/><br></html>",
    ],
    "xml": [
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href='a b'/><id>c d</id><link href='/é'/></feed>",
        "<r xmlns:l='http://www.w3.org/1999/xlink'><a l:href='a b'/><a l:href='c d'/></x><a l:href='e'/>",
        f"<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><link>a b</link>{LATE}<link>é</link>&none;</channel></rss>",
    ],
    "css": ["@charset 'iso-8859-1'; a { background: url('x y') } @import 'é';", LATE + "a{b:url(a\\ b)}"],
}  # fmt: skip
DOCUMENTS = st.sampled_from([(kind, text) for kind, texts in TEXTS.items() for text in texts])
CHARSETS = st.sampled_from(["utf-8", "iso-8859-1", "shift_jis", "utf-16-le"])
TYPES = {"html": "text/html", "xhtml": "application/xhtml+xml", "xml": "text/xml", "css": "text/css"}  # fmt: skip
BASE = "http://a.example/d/"
WHY = "the chunked body ends early"


def breaking(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of bytes that end with an error."""
    yield from pieces
    raise UnreadableError(WHY)


def pieces_of(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(edges)]


def rows(stream: Any, pieces: Iterable[bytes], end: Any) -> tuple[list[Any], str]:
    found: list[Any] = []
    try:
        for each in salvaged(stream, pieces, end):
            found += each
    except LinkfixError as error:
        return found, str(error)
    return found, ""


class Broken(io.RawIOBase):
    """A file whose bytes end with an error."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)

    def read(self, _: int = -1, /) -> bytes:
        for piece in self._pieces:
            return piece
        raise OSError(5, "Input/output error")


@settings(deadline=None, max_examples=examples(150))
@given(DOCUMENTS, CHARSETS, st.integers(0), st.lists(st.integers(0), max_size=8), st.booleans())
@example(("html", TEXTS["html"][1]), "iso-8859-5", 0, list(range(0, 1300, 100)), True)
@example(("xml", TEXTS["xml"][1]), "utf-8", 0, list(range(200)), False)
def test_the_pieces_make_no_difference(
    document: tuple[str, str], charset: str, cut: int, cuts: list[int], breaks: bool
) -> None:
    kind, text = document
    data = text.encode(charset, "replace")
    data = data[: len(data) - cut % 40]

    def settings_of() -> dict[str, Any]:
        return {"type": kind, "base": BASE}

    ending = breaking if breaks else iter
    whole, single = [data], [data[n : n + 1] for n in range(len(data))]
    found = []
    for pieces in (whole, single, pieces_of(data, cuts)):
        extractor, auditor = (
            Extractor(**with_source(settings_of())),
            Auditor(**with_source(settings_of())),
        )
        links = rows(extractor, ending(pieces), extractor.close)
        findings = rows(auditor, ending(pieces), auditor.end)
        found.append((links[0], findings[0]))
        if breaks:
            # Which of two errors is seen first depends on the buffers of the reader.
            assert all(WHY in each or "not well-formed" in each for each in (links[1], findings[1]))
            given_back = iter(linkfix.extract(Broken(pieces), **settings_of()))  # type: ignore[arg-type]
            assert [next(given_back) for _ in links[0]] == links[0]
            with pytest.raises(LinkfixError, match=r"Input/output error|not well-formed"):
                next(given_back)
    assert found[1] == found[0]
    assert found[2] == found[0]


def chunked(pieces: Iterable[bytes]) -> bytes:
    """A chunked body without its last chunk."""
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece)


@settings(deadline=None, max_examples=examples(25))
@given(DOCUMENTS, st.integers(1, 400), st.lists(st.integers(0), max_size=4))
@example(("html", TEXTS["html"][1]), 100, [])
@example(("xml", TEXTS["xml"][1]), 7, [])
def test_every_front_end_has_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, document: tuple[str, str], step: int, cuts: list[int]
) -> None:
    pytest.importorskip("pyarrow", reason="linkfix.arrow needs pyarrow")
    import linkfix.arrow

    kind, text = document
    data = text.encode("shift_jis" if "shift_jis" in text else "utf-8")
    data = data[: len(data) - sum(cuts) % 30]
    archive = Archive(compressed=False)
    body = chunked(data[n : n + step] for n in range(0, len(data), step))
    archive.add(BASE, body, TYPES[kind], http=(("Transfer-Encoding", "chunked"),))
    path = tmp_path_factory.mktemp("crawl") / "a.warc"
    path.write_bytes(archive.file.getvalue())
    extractor = Extractor(source=Source(type=kind, base=BASE))  # type: ignore[arg-type]
    links, _ = rows(extractor, breaking([data]), extractor.close)
    expected = [json.loads(json.dumps(fields_of(link))) for link in links]
    auditor = Auditor(source=Source(type=kind, base=BASE))  # type: ignore[arg-type]
    findings, _ = rows(auditor, breaking([data]), auditor.end)

    listed = CliRunner().invoke(cli, ["extract", "--format", "jsonl", str(path)])
    assert listed.exit_code == 3
    assert [{**row, "file": None} for row in map(json.loads, listed.stdout.splitlines())] == [
        {**row, "file": None} for row in expected
    ]
    audited = CliRunner().invoke(cli, ["audit", "--format", "jsonl", str(path)])
    told = [json.loads(line) for line in audited.stdout.splitlines()]
    assert [(row["start"], row["rule"], row["message"]) for row in told] == [
        (finding.start, finding.code, finding.message) for finding in findings
    ]

    def table(found: Iterable[Any]) -> list[Any]:
        whole = [row for each in found for row in each.to_pylist()]
        assert len([row for row in whole if row["error"]]) == 1
        return [(row["start"], row.get("rule", row["value"])) for row in whole if not row["error"]]

    def warc() -> Any:
        return linkfix.arrow.read_warc(io.BytesIO(path.read_bytes()), "a.warc")

    of_links = [(link.start, link.value) for link in links]
    of_findings = [(finding.start, finding.code) for finding in findings]
    assert table(linkfix.arrow.extract(warc())) == of_links
    assert table(linkfix.arrow.audit(warc())) == of_findings
    pytest.importorskip("pyspark", reason="linkfix.spark needs pyspark")
    from linkfix.spark import files
    from linkfix.spark import frames as tasks

    file = files.Archive(str(path), str(path), path.name, 0)
    assert table(tasks.links_of(files.Reading(), file)) == of_links
    assert table(tasks.findings_of(files.Reading(), select(), file)) == of_findings
