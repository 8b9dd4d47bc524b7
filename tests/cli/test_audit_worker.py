"""An audit by several processes finds what one process finds, in the same order."""

from __future__ import annotations

import copy
import io
import json
import random
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import patch

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.auditing import finding, site
from linkfix.cli.audit import command
from linkfix.cli.formats import BaseWriter, line
from linkfix.cli.formats import record as fields
from linkfix.cli.group import cli
from linkfix.cli.options.audit import AuditOptions
from linkfix.cli.output import complain
from linkfix.facts import join
from linkfix.files import access, store
from linkfix.files.entries import Tally
from linkfix.files.tree import Found
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Decoder, framed, value
from linkfix.sites import audit_work
from linkfix.sites import documents as reading
from linkfix.sites.audit_job import AuditJob, AuditSettings
from linkfix.sites.auditing import Audited, AuditTotals, Rendered, _Run
from linkfix.sites.events import Done, Failed, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linkfix.auditing import Finding
    from linkfix.errors import LinkfixError
    from linkfix.jobs.wire import Event
    from linkfix.sites.batch import Batch
    from linkfix.sites.documents import Document

#: Links that are equal under one of the comparisons of documents, and others.
VALUES = [
    *("a", "A", "a/", "A/", "./a", "../d1/a", "../d2/a", "../D1/a", "/a", "/A", "a#x", "A#x", "a?q", "a?Q", "?q"),
    *("a b", "a%20b", "%61", "#x", "#y", "", "http://x.example", "http://x.example/", "https://x.example/"),
    *("http://X.example/", "HTTP://x.example/", "http://x.example:80/", "http://x.example/a", "https://x.example/a"),
    *("http://x.example/A", "http://x.example/a/", "http://x.example/%61", "http://x.example/a?b", "mailto:a@x.example"),
]  # fmt: skip
TAGS = [
    *["<a href='%s'>.</a>"] * 12,
    *("<img src='%s' alt=x>", "<p id=x>%s", "<p id=y>%s", "<p itemscope itemtype='%s'>", "<base href='%s'>"),
    *("<!-- linkfix: ignore SIT --><a href='%s'>.</a>", "<style>a { background: url('%s') }</style>"),
]  # fmt: skip
NAMES = ["d1/one.html", "d1/two.html", "d2/three.html", "d2/four.html", "D1/five.html"]
PAGE = st.lists(
    st.tuples(st.sampled_from(TAGS), st.sampled_from(VALUES)).map(lambda pair: pair[0] % pair[1]),
    max_size=8,
).map("".join)


class Collected(BaseWriter):
    """Keeps what is found."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self.said: list[tuple[str, dict[str, Any] | str]] = []
        self._begun = 0

    def render(self, file: str, finding: Finding) -> str:
        edits = ", ".join(map(str, finding.edits))
        return json.dumps([file, fields(file, finding) | {"edits": edits}]) + "\n"

    def put(self, file: str, piece: bytes) -> None:
        for each in piece.splitlines():
            name, finding = json.loads(each)
            assert name == file
            self.said.append((file, finding))

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        assert counts == Counter(
            said["rule"] for _, said in self.said[self._begun :] if not isinstance(said, str)
        )
        self.said.append((file, str(error)))
        self._begun = len(self.said)


class Split:
    """Documents for several processes, or for this process alone."""

    def __init__(self, documents: Sequence[Found], workers: Sequence[int] = ()) -> None:
        self.jobs = 2 if workers else 0
        self.documents = documents
        self.tally = Tally()
        self._workers = workers

    def events(
        self,
        work: Callable[[Any], Iterator[Event]],
        _: Stop,
        *,
        only: Sequence[Found],
    ) -> Iterator[object]:
        there = {number: copy.copy(work) for number in self._workers}
        for n, found in enumerate(only):
            if self._workers:
                frames = b"".join(map(framed, there[self._workers[n]](found)))
                events: Iterator[Event] = (value(*each) for each in Decoder().feed(frames))
            else:
                events = work(found)
            yield from (Output(found, event) for event in events)
            yield Done(found.path)


def over(batch: Split, *arguments: str) -> tuple[int, list[tuple[str, dict[str, Any] | str]], str]:
    """Everything that is said about documents."""
    above = click.Context(cli, **cli.context_settings)
    with command.make_context("audit", [*arguments, "."], parent=above) as context:
        options = AuditOptions(**context.params)
    writer, totals, status = Collected(), AuditTotals(), 0
    policy = replace(options.links.policy(), normalize=options.normalize)
    settings = AuditSettings(policy=policy, sources=options.document, render=writer.rendered)
    job = AuditJob(settings, ["."], batch.documents)
    for event in _Run(job, cast("Batch", batch), totals).events(Stop()):
        if isinstance(event, Rendered):
            writer.put(event.path, event.data)
        elif isinstance(event, Audited):
            writer.done(event.path, event.tally.counts, event.error)
        elif isinstance(event, Failed):
            complain(event.error)
            status = 3
    return status, writer.said, line(totals)


def written(folder: str, pages: Sequence[tuple[str, str]]) -> list[Found]:
    """Documents with these names; the last bytes apply to all further ones."""
    documents = []
    for name, page in pages:
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        data = f"<meta charset=utf-8>{page}".encode()
        path.write_bytes(data)
        documents.append(Found(str(path), "", name, None, len(data)))
    return documents


@pytest.mark.parametrize("arguments", [(), ("--base", "https://x.example/d1/a")])
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), PAGE), unique_by=lambda page: page[0], max_size=5),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
    st.sampled_from([{"many": 0}, {"many": 3}, {"most": 0}, {"most": 900}, {"most": 2500}, {}]),
    st.booleans(),
)
@settings(max_examples=examples(200), deadline=None)
def test_any_sites(
    arguments: tuple[str, ...],
    pages: list[tuple[str, str]],
    workers: list[int],
    limits: dict[str, int],
    has_files: bool,
) -> None:
    """Also where facts are in many pieces, or what is remembered is on the disk, or no place of an ordinary link is kept."""
    with tempfile.TemporaryDirectory() as folder:
        documents = written(folder, pages)
        if has_files:
            documents = [each._replace(root=folder) for each in documents]
        whole = over(Split(documents), *arguments)
        with patch.object(finding.Suspects, "among", lambda *_: set()):
            assert over(Split(documents), *arguments) == whole
        with (
            patch.object(finding, "MANY", limits.get("many", finding.MANY)),
            patch.object(site, "MOST", limits.get("most", site.MOST)),
            patch.object(store, "MOST_KEPT", limits.get("most", store.MOST_KEPT)),
            patch.object(join, "MOST_SOUND", limits.get("most", join.MOST_SOUND)),
        ):
            assert over(Split(documents, workers), *arguments) == whole
            assert over(Split(documents), *arguments) == whole


@pytest.mark.parametrize("most", [site.MOST, 20_000])
def test_a_large_site(tmp_path: Path, most: int) -> None:
    chance = random.Random(1)
    pages = [
        (
            f"d{number % 4}/{number}.html",
            "".join(chance.choice(TAGS) % chance.choice(VALUES) for _ in range(40))
            + "".join(f"<a href='{chance.randrange(10**6)}.html'>" for _ in range(40)),
        )
        for number in range(60)
    ]
    documents = written(str(tmp_path), pages)
    alone = over(Split(documents))
    with patch.object(site, "MOST", most), patch.object(store, "MOST_KEPT", most):
        assert over(Split(documents)) == alone
        assert over(Split(documents, [number // 7 % 3 for number in range(60)])) == alone
    assert sum(not isinstance(said, str) for _, said in alone[1]) > 500


def test_links_that_repeat_among_very_many_findings_are_reported_once(tmp_path: Path) -> None:
    """Also where what is wrong with a target is in several parts of the findings about a document."""
    links = [f"<a href='{number}.html'>" for number in range(20)]
    odd = ["<a href='%31.html'>", "<a href=' 2.html'>", "<img srcset='3.html, 4.html'>"]
    again = [*links, "<!-- linkfix: ignore -->", *links[:5], *odd]
    hidden = ["<!-- linkfix: off -->", *links[:5], *odd, "<!-- linkfix: on -->"]
    page = "".join([" " * 2000, *links, *odd, *again, *hidden])
    (found,) = written(str(tmp_path), [("d1/page.html", page)])
    documents = [found._replace(root=str(tmp_path))]
    _, alone, totals = over(Split(documents))
    with (
        patch.object(finding, "MANY", 3),
        patch.object(join, "_MANY", 3),
        patch.object(site, "MOST_FINISHED", 3),
        patch.object(access, "SMALL", 0),
        patch.object(access, "CHUNK", 64),
    ):
        _, parts, in_parts = over(Split(documents))
    assert "12 suppressed" in totals
    assert in_parts == totals
    assert sorted(map(repr, parts)) == sorted(map(repr, alone))
    assert sum(said["rule"] == "TGT001" for _, said in alone if not isinstance(said, str)) == 52


def test_a_document_is_read_again_only_for_the_places_of_findings(tmp_path: Path) -> None:
    pages = [
        ("d1/one.html", "<a href='b'><a href='c'>"),
        ("d1/two.html", "<a href='b'><a href='d'><a href='a b'><a href='%62'>"),
        ("d1/three.html", "<a href='B'><a href='c'>"),
    ]
    documents = written(str(tmp_path), pages)
    seen: list[str] = []
    real = reading.document_in

    def document_in(*arguments: Any) -> Document:
        document = real(*arguments)
        seen.append(Path(document.name).name)
        return document

    with patch.object(audit_work, "document_in", document_in):
        _, said, _ = over(Split(documents))
    # The place of an odd link is known, as that of %62.
    assert seen == ["three.html"]
    rules = [each["rule"] for _, each in said if not isinstance(each, str)]
    assert rules == ["DEL002", "ENC009", "SIT001", "SIT003"]


def test_no_document_is_read_again_for_what_is_broken_on_many_pages(tmp_path: Path) -> None:
    menu = "<a href='gone.html'><a href='a b.html'><a href='gone.html#x'>"
    pages = [(f"d1/{number}.html", menu + "<a href='0.html'>") for number in range(5)]
    documents = [each._replace(root=str(tmp_path)) for each in written(str(tmp_path), pages)]
    read: list[str] = []
    real = reading.document_in

    def document_in(*arguments: Any) -> Document:
        read.append(real(*arguments).name)
        return real(*arguments)

    with patch.object(audit_work, "document_in", document_in):
        _, said, _ = over(Split(documents))
    assert [Path(name).name for name in read] == ["0.html"]
    found = Counter(each["rule"] for _, each in said if not isinstance(each, str))
    assert found["TGT001"] == 15


def test_errors_are_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = written(str(tmp_path), [("d1/one.html", "<a href='b'>")])
    bad = tmp_path / "d1" / "two.svg"
    bad.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'><a href='B'/>" + b" " * 500_000)
    documents.append(Found(str(bad), "", "d1/two.svg", None, 500_000))
    alone = over(Split(documents))
    assert capsys.readouterr().err.count("two.svg") == 1
    assert alone[0] == 3
    assert "SIT003" in {said["rule"] for _, said in alone[1] if not isinstance(said, str)}
    # What the other process wrote, this one writes for it: here both write to the same place.
    assert over(Split(documents, [0, 1])) == alone
    assert capsys.readouterr().err.count("two.svg") == 1
