"""Several files are committed together, each whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from linkfix.files.access import creating, replacing
from linkfix.files.commit import Group
from linkfix.files.journal import NAME, Journal

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [f"{number}.html" for number in range(6)]


def pages(folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / name for name in PAGES]
    for path in paths:
        path.write_bytes(b"x")
    return paths


def push(group: Group, paths: list[Path], backup: str = "") -> None:
    for path in paths:
        with replacing(path, group=group, backup=backup) as (source, sink):
            sink.write(source.read() + b"+")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_of_a_group_are_replaced_by_its_commit(tmp_path: Path) -> None:
    group = Group()
    paths = pages(tmp_path / "a") + pages(tmp_path / "b")
    push(group, paths)
    with creating(tmp_path / "new.html", mode=0o640, group=group) as sink:
        sink.write(b"new")
    assert {path.read_bytes() for path in paths} == {b"x"}
    assert not (tmp_path / "new.html").exists()
    assert len(group) == 13
    assert group.commit() == [None] * 13
    assert {path.read_bytes() for path in paths} == {b"x+"}
    assert (tmp_path / "new.html").read_bytes() == b"new"
    assert names(tmp_path / "a") == PAGES
    assert group.commit() == []


def test_one_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    group = Group()
    paths = pages(tmp_path)
    (tmp_path / "2.html.orig").write_bytes(b"an earlier backup")
    push(group, paths, ".orig")
    paths[1].write_bytes(b"somebody else's")
    paths[4].unlink()
    errors = [str(error or "") for error in group.commit()]
    assert "the file changed while it was being read" in errors[1]
    assert "an earlier backup is in the way" in errors[2]
    assert "cannot write it: No such file or directory" in errors[4]
    assert [errors[n] for n in (0, 3, 5)] == [""] * 3
    new = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".html"}
    assert new == {"0.html": b"x+", "1.html": b"somebody else's", "2.html": b"x", "3.html": b"x+", "5.html": b"x+"}  # fmt: skip
    assert [name for name in names(tmp_path) if name.startswith(".")] == []


def test_what_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    group = Group()
    paths = pages(tmp_path)
    push(group, paths)
    assert len(names(tmp_path)) == 12
    group.discard()
    assert names(tmp_path) == PAGES
    assert {path.read_bytes() for path in paths} == {b"x"}


def test_a_document_that_does_not_change_is_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file is made, and nothing is synchronized, however large the document is."""
    (tmp_path / "site").mkdir()
    for size in (1, 3_000_000):
        path = tmp_path / "site" / f"{size}.html"
        path.write_bytes(b"x" * size)
        journal = Journal(tmp_path / NAME, {})
        synchronized: list[int] = []
        monkeypatch.setattr(os, "fsync", synchronized.append)
        group = Group()
        with replacing(path, steps=journal.pen.task(str(path)), group=group) as (source, sink):
            sink.write(source.read())
            sink.seek(0)
            sink.truncate()
        assert group.commit() == []
        assert synchronized == []
        assert b"intend" not in (tmp_path / NAME).read_bytes()
        journal.close(whole=True)
        monkeypatch.undo()
    assert names(tmp_path / "site") == ["1.html", "3000000.html"]


#: The call after which a commit is cut off, and the number of such calls before.
MOMENTS = [
    ("NewFile", "synchronize", 3),
    ("NewFile", "intend", 3),
    ("Task", "synchronize", 0),
    ("NewFile", "replace", 0),
    ("NewFile", "replace", 3),
    ("NewFile", "replace", 5),
    ("Task", "done", 2),
]


@pytest.mark.parametrize(("holder", "name", "before"), MOMENTS)
def test_killed_in_the_middle_of_a_group(
    tmp_path: Path, holder: str, name: str, before: int
) -> None:
    paths = pages(tmp_path)
    script = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
import works
from linkfix.files.journal import Journal, Task
from linkfix.files.commit import NewFile
calls = []
real = getattr({holder}, {name!r})
def cut(*arguments):
    real(*arguments)
    calls.append(1)
    if len(calls) > {before}:
        os.kill(os.getpid(), signal.SIGKILL)
{holder}.{name} = cut
log = Journal({str(tmp_path / NAME)!r}, {{}})
work = works.PushTogether(log.pen)
for path in {[str(path) for path in paths]!r}:
    list(work(path))
work.group.finish()
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    count = {"replace": before + 1, "done": 6}.get(name, 0)
    assert [path.read_bytes() for path in paths] == [b"x+"] * count + [b"x"] * (6 - count)
    journal = Journal(tmp_path / NAME, {}, resume=True)
    assert [journal.is_done(str(path)) for path in paths] == [True] * count + [False] * (6 - count)
    assert all(journal.result(str(path)) == {"size": 2} for path in paths[:count])
    assert names(tmp_path) == [NAME, *PAGES]
    journal.close(whole=True)
