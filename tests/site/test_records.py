"""Whatever lies in the place of a journal removes and writes nothing but a run's own temporary files."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.errors import JournalError, LinkfixError
from linkfix.files.journal import NAME, Journal
from linkfix.files.records import fits, lines

TEMPORARY = ".linkfix-0123456789abcdef.tmp"
HEADER = {"linkfix-journal": 2, "asked": {}, "started": "2026-11-21T07:00:00Z", "process": 1}


def write(folder: Path, *records: object) -> None:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in records]
    (folder / NAME).write_bytes(b"\n" + b"\n".join(lines) + b"\n")


def begin(target: Path | str, temporary: object = TEMPORARY, **more: object) -> dict[str, object]:
    return {"begin": "/a", "target": str(target), "temporary": temporary, **more}


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of the run, and one beside it with files of somebody else."""
    site, home = tmp_path / "site", tmp_path / "home"
    for folder in (site, home):
        (folder / "sub").mkdir(parents=True)
        for name in ("thesis.txt", TEMPORARY):
            (folder / name).write_text("the work of years")
    (site / "out").symlink_to(home)
    return site, home


def test_a_temporary_file_lies_beside_its_target_and_has_such_a_name(
    places: tuple[Path, Path],
) -> None:
    site, home = places
    refused = [
        begin(home / "a.html"),
        begin(site / "out" / "a.html"),  # the folder is a symbolic link
        begin(site / "sub" / ".." / ".." / "home" / "a.html"),
        begin("a.html"),
        begin(f"{site}/"),
        begin(f"{site}/.."),
        begin(f"{site}2/a.html"),
        begin(f"{site}/\0"),
        begin(f"{site}/\ud800/a"),
        begin(site / "a.html", "thesis.txt"),
        begin(site / "a.html", "../home/" + TEMPORARY),
        begin(site / "a.html", str(home / TEMPORARY)),
        begin(site / "a.html", TEMPORARY + "\n"),
        begin(site / "a.html", NAME),
        begin(site / "a.html", ".linkfix-0123456789ABCDEF.tmp"),
        begin(site / "a.html", None),
        begin(site / "a.html", more=1),
        {"begin": "/a", "temporary": str(home / "thesis.txt")},
    ]
    for record in refused:
        write(site, HEADER, record)
        with pytest.raises(JournalError, match="did not write this journal for these folders"):
            Journal(site / NAME, {}, resume=True)
        for folder in places:
            assert (folder / "thesis.txt").exists()
            assert (folder / TEMPORARY).exists()
    write(site, HEADER, begin(site / "a.html"))
    Journal(site / NAME, {}, resume=True).close(whole=True)
    assert not (site / TEMPORARY).exists()
    assert (home / TEMPORARY).exists()


def test_what_has_the_name_of_a_temporary_file_and_is_no_file_stays(tmp_path: Path) -> None:
    (tmp_path / TEMPORARY).mkdir()
    write(tmp_path, HEADER, begin(tmp_path / "a"))
    Journal(tmp_path / NAME, {}, resume=True).close(whole=True)
    assert (tmp_path / TEMPORARY).is_dir()


@pytest.mark.parametrize(
    "line",
    [
        b"null",
        b"1",
        b"[]",
        b'"done"',
        b"{}",
        b'{"done": 1}',
        b'{"done": "/a", "undo": "/a"}',
        b'{"done": "/a", "result": []}',
        b'{"done": "/a", "result": {"size": "x"}}',
        b'{"done": ["/a"]}',
        b'{"intend": "/a", "target": "/a", "old": null, "new": [1, 2, 3], "result": {}}',
        b'{"linkfix-journal": 2, "asked": {"to": "iri"}, "started": ""}',
        b"[" * 100_000,
        b'{"done": "/a", "result": ' + b'{"size":' * 100_000,
    ],
)
def test_a_line_that_is_no_record_is_an_error(tmp_path: Path, line: bytes) -> None:
    write(tmp_path, HEADER, line)
    with pytest.raises(JournalError, match=r"no record of such a run.*byte offset \d+.*remove"):
        Journal(tmp_path / NAME, {}, resume=True, result={"size?": int})


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"linkfix-journal": 2},
        {"linkfix-journal": 2, "asked": [], "started": ""},
        {"linkfix-journal": "2", "asked": {}, "started": ""},
        {"linkfix-journal": 2, "asked": {}, "started": 1},
        {"linkfix-journal": 2, "asked": {}, "started": "", "process": "1"},
        b"[" * 100_000,
    ],
)
def test_a_first_line_that_is_no_header_is_no_journal(tmp_path: Path, header: object) -> None:
    write(tmp_path, header)
    before = (tmp_path / NAME).read_bytes()
    for resume in (False, True):
        with pytest.raises(JournalError, match="this is no journal"):
            Journal(tmp_path / NAME, {}, resume=resume)
    assert (tmp_path / NAME).read_bytes() == before


def test_a_line_without_an_end_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkfix.files.records.LONGEST", 1000)
    for bulk in (b"x" * 5000, b"\0" * 5000, b'{"done": "' + b"x" * 5000 + b'"}'):
        write(tmp_path, HEADER, bulk)
        with pytest.raises(JournalError, match="no record of such a run"):
            Journal(tmp_path / NAME, {}, resume=True)


def test_an_option_of_another_run_is_reported_in_any_form(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    for asked in ({"to": deep}, {"to": "x" * 10_000}, {"\x1b[2J": 1}, {"to": {"\x1b[2J": 1}}):
        write(tmp_path, HEADER | {"asked": asked})
        with pytest.raises(JournalError, match="asked for something else") as caught:
            Journal(tmp_path / NAME, {"to": "uri"}, resume=True)
        assert len(str(caught.value)) < 1000
        assert "\x1b" not in str(caught.value)


def test_forms() -> None:
    form = {"a": int, "b": str | None, "c?": [(int, str)]}
    good = [{"a": 1, "b": None}, {"a": -1, "b": "x", "c": [[1, "x"], [2, "y"]]}]
    bad = [[], {}, {"a": 1}, {"a": 1, "b": 1}, {"a": 1, "b": None, "d": 1}, {"a": True, "b": None},
           {"a": 2**64, "b": None}, {"a": 1.0, "b": None}, {"a": 1, "b": None, "c": [[1]]},
           {"a": 1, "b": None, "c": [[1, "x", 2]]}, {"a": 1, "b": None, "c": {}}, {"a": 1, "b": None, "c?": []}]  # fmt: skip
    assert all(fits(each, form) for each in good)
    assert not any(fits(each, form) for each in bad)
    assert lines("")
    assert lines("a\n{}\n")
    assert not any(map(lines, ["a", "\x1b\n", "é\n", "\r\n", 1]))
    assert fits({"x": 1}, {str: int})
    assert not fits({"x": "1"}, {str: int})
    assert not fits([], {str: int})
    assert fits(None, object)


# --- any content whatsoever -----------------------------------------------------------------------

SITE = "@site"  # replaced by the folder of the run
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from([f"{SITE}/a.html", f"{SITE}/../home/a.html", "/etc/passwd", TEMPORARY, "thesis.txt", "../home/thesis.txt"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
names = ("begin", "intend", "undo", "done", "target", "temporary", "old", "new", "result")
records = st.dictionaries(st.sampled_from(names), values, max_size=5).map(json.dumps) | st.builds(
    lambda target, name: json.dumps(begin(target, name)),
    st.sampled_from([f"{SITE}/a", f"{SITE}/sub/a", f"{SITE}/out/a", "/a", f"{SITE}/../home/a"]),
    st.sampled_from([TEMPORARY, "thesis.txt", "../home/thesis.txt", "/home/thesis.txt"]),
)
headers = st.just(json.dumps(HEADER)) | st.dictionaries(
    st.sampled_from(sorted(HEADER)), values
).map(json.dumps)
journals = st.binary(max_size=60) | st.builds(
    lambda header, rest: "\n".join([header, *rest]).encode(),
    headers,
    st.lists(records | st.text(max_size=20), max_size=4),
)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@given(journals, st.booleans())
def test_no_journal_whatsoever_changes_other_files(content: bytes, resume: bool) -> None:
    with tempfile.TemporaryDirectory() as made:
        site, home = Path(made, "site"), Path(made, "home")
        for folder in (site, home):
            (folder / "sub").mkdir(parents=True)
            for name in ("thesis.txt", TEMPORARY, "a.html"):
                (folder / name).write_text("the work of years")
        (site / "out").symlink_to(home)
        (site / NAME).write_bytes(content.replace(SITE.encode(), os.fsencode(site)))
        before = everything(home)
        try:
            journal = Journal(site / NAME, {}, resume=resume, result={"n?": int})
        except LinkfixError as error:
            assert error.hint  # noqa: PT017 - any of several
        else:
            journal.is_done(str(site / "a.html"))
            journal.close(whole=True)
        assert everything(home) == before
        assert (site / "thesis.txt").exists()
        assert (site / "a.html").exists()
