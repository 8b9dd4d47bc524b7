"""A run that was killed goes on where it stopped, and does nothing twice."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import works

from linkfix.cli.group import cli
from linkfix.errors import JournalError, LimitExceededError, UnreadableError
from linkfix.files.access import replacing
from linkfix.files.journal import NAME, Journal

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = {"to": "uri", "paths": ["/site"], "more": ("a", 1)}


def start(path: Path, *, resume: bool = False, **asked: object) -> Journal:
    return Journal(path / NAME, ASKED | asked, resume=resume)


def pages(folder: Path, count: int = 5) -> list[str]:
    paths = [str(folder / f"{number}.html") for number in range(count)]
    for path in paths:
        Path(path).write_bytes(b"x")
    return paths


def contents(paths: list[str]) -> list[bytes]:
    return [Path(path).read_bytes() for path in paths]


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".linkfix")]


@pytest.mark.parametrize("push", [works.Push, works.PushTogether])
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_done_is_known_when_a_run_goes_on(
    tmp_path: Path, jobs: int, push: type[works.Push | works.PushTogether]
) -> None:
    paths = pages(tmp_path)
    journal = start(tmp_path)
    works.results(push(journal.pen), paths[:3], jobs=jobs)
    journal.close(whole=False)
    journal = start(tmp_path, resume=True)
    assert len(journal) == 3
    assert [journal.is_done(path) for path in paths] == [True, True, True, False, False]
    assert journal.result(paths[1]) == {"size": 2}
    works.results(push(journal.pen), paths[3:], jobs=jobs)
    journal.close(whole=True)
    assert contents(paths) == [b"x+"] * 5
    assert leftovers(tmp_path) == []


def test_a_run_that_cannot_begin_or_go_on(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no unfinished run is recorded here"):
        start(tmp_path, resume=True)
    assert leftovers(tmp_path) == []
    journal = start(tmp_path)
    with pytest.raises(JournalError, match="another run of linkfix is at work here"):
        start(tmp_path)
    journal.pen.task("/a").done()
    journal.close(whole=False)
    with pytest.raises(
        JournalError, match="not finished; documents that are done: 1; go on with it"
    ):
        start(tmp_path)
    with pytest.raises(JournalError, match=r"something else: to .*was 'uri', is now 'iri'"):
        start(tmp_path, resume=True, to="iri")
    with pytest.raises(JournalError, match="something else: map"):
        start(tmp_path, resume=True, map="new.csv")
    start(tmp_path, resume=True).close(whole=True)
    assert leftovers(tmp_path) == []
    (tmp_path / NAME).write_bytes(b"the work of years")
    with pytest.raises(JournalError, match="this is no journal"):
        start(tmp_path)
    assert (tmp_path / NAME).read_bytes() == b"the work of years"
    with pytest.raises(UnreadableError, match="cannot write the journal"):
        start(tmp_path / "none")


def test_lines_that_were_cut_off_are_passed_over(tmp_path: Path) -> None:
    journal = start(tmp_path)
    journal.pen.task("/a").done()
    journal.close(whole=False)
    for torn in (b'\n{"done": "/', b'\n{"done": "/c"', b"\0\0\0\n", b'\n["done"\n', b"\xff\n"):
        with (tmp_path / NAME).open("ab") as file:
            file.write(torn)
        journal = start(tmp_path, resume=True)
        assert len(journal) == 1
        journal.close(whole=False)
    journal = start(tmp_path, resume=True)
    journal.pen.task("/b").done()
    journal.close(whole=False)
    journal = start(tmp_path, resume=True)
    assert (journal.is_done("/a"), journal.is_done("/b")) == (True, True)
    journal.close(whole=True)


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("header", [b"", b"\n", b'\n{"linkfix', b'\n{"linkfix-journal": 1, "asked'])
def test_a_run_that_was_killed_at_its_first_line_begins_anew(
    tmp_path: Path, header: bytes, resume: bool
) -> None:
    (tmp_path / NAME).write_bytes(header)
    journal = start(tmp_path, resume=resume)
    assert len(journal) == 0
    journal.close(whole=True)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_journal_whose_header_cannot_be_written_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(UnreadableError, match="cannot write the journal: No space left"):
            start(tmp_path)
    assert leftovers(tmp_path) == []
    start(tmp_path).close(whole=True)


class Killed(BaseException):
    """The stand-in for kill -9: nothing that runs afterwards counts."""


#: Where the steps of a replacement can be cut off, by the function after which it happens.
MOMENTS = ["begin", "open", "fsync", "intend", "synchronize", "link", "rename", "sync", "done"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("later", ["", "edited", "exchanged", "vanished"])
def test_killed_between_any_two_steps(tmp_path: Path, moment: str, later: str) -> None:
    (path,) = pages(tmp_path, 1)
    script = f"""
import os, signal, sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
import works
from linkfix.files import access as files, commit, journal

def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
def after(holder, name):
    real = getattr(holder, name)
    setattr(holder, name, lambda *a, **k: (real(*a, **k), die()))
holders = {{"begin": (journal.Task, "begin"), "open": (os, "fchmod"), "fsync": (os, "fsync"),
    "intend": (journal.Task, "intend"), "synchronize": (journal.Task, "synchronize"), "link": (files, "_back_up"), "rename": (Path, "replace"),
    "sync": (commit, "sync_folder"), "done": (journal.Task, "done")}}
log = journal.Journal({str(tmp_path / NAME)!r}, {{}})
task = log.pen.task({path!r})
after(*holders[{moment!r}])
with files.replacing({path!r}, backup=".orig", steps=task) as (source, sink):
    sink.write(source.read() + b"+")
    task.result = {{"n": 1}}
task.done()
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    happened = MOMENTS.index(moment) >= MOMENTS.index("rename")
    assert Path(path).read_bytes() == (b"x+" if happened else b"x")
    if later == "edited":
        with Path(path).open("ab") as file:
            file.write(b"!")
    elif later == "exchanged":
        (tmp_path / "new").write_bytes(b"?")
        (tmp_path / "new").replace(path)
    elif later == "vanished":
        Path(path).unlink()
    journal = Journal(tmp_path / NAME, {}, resume=True)
    assert set(leftovers(tmp_path)) == {NAME}
    if later == "exchanged" and moment in {"rename", "sync"}:
        doubt = journal.doubt(path)
        assert doubt is not None
        assert "it cannot be told whether its links were rewritten" in str(doubt)
    elif later == "vanished" and moment != "done":
        assert not journal.is_done(path)
    else:
        assert journal.is_done(path) == happened
        assert journal.doubt(path) is None
        if happened:
            assert journal.result(path) == {"n": 1}
    journal.close(whole=True)


def test_a_replacement_that_fails_is_taken_back(tmp_path: Path) -> None:
    (path,) = pages(tmp_path, 1)
    (tmp_path / "0.html.orig").write_bytes(b"an earlier backup")
    journal = start(tmp_path)
    with (
        pytest.raises(UnreadableError, match="an earlier backup is in the way"),
        replacing(path, backup=".orig", steps=journal.pen.task(path)) as (_, sink),
    ):
        sink.write(b"y")
    journal.close(whole=False)
    # Somebody saves the file again: the journal must not make its state unknown.
    (tmp_path / "new").write_bytes(b"z")
    (tmp_path / "new").replace(path)
    journal = start(tmp_path, resume=True)
    assert journal.doubt(path) is None
    assert not journal.is_done(path)
    journal.close(whole=True)


@pytest.mark.parametrize("whole", [True, False])
def test_what_a_worker_that_died_has_left_goes_with_the_run(tmp_path: Path, whole: bool) -> None:
    journal = start(tmp_path)
    left = tmp_path / ".linkfix-0123456789abcdef.tmp"
    journal.pen.task("/a").begin(str(tmp_path / "a"), str(left))
    left.touch()
    journal.close(whole=whole)
    assert leftovers(tmp_path) == ([] if whole else [NAME])


@pytest.mark.nightly
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """Every file gets its byte once, however often the run is killed."""
    paths = pages(tmp_path, 400)
    script = f"""
import os, sys
sys.path[:0] = {sys.path!r}
import works
from pathlib import Path
from linkfix.files.journal import Journal
if __name__ == "__main__":
    name = {str(tmp_path / NAME)!r}
    paths = {paths!r}
    log = Journal(name, {{}}, resume=os.path.exists(name))
    todo = [path for path in paths if not log.is_done(path)]
    for path, result in works.results(works.PushTogether(log.pen), todo, jobs=2):
        assert result == 2, result
    print("whole", flush=True)
    log.close(whole=True)
"""
    file = tmp_path / "main.py"
    file.write_text(script)
    chance = random.Random(8)
    kills = 0
    said = b""
    while not said:
        before = contents(paths).count(b"x+")
        process = subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE)
        while process.poll() is None and contents(paths).count(b"x+") == before < len(paths):
            time.sleep(0.01)
        # Longer each time, so that a busy machine reaches its end too.
        with contextlib.suppress(subprocess.TimeoutExpired):
            assert process.wait(chance.uniform(0, 0.1) * (1 + kills / 5)) == 0
        process.kill()
        said, _ = process.communicate()
        kills += process.returncode != 0
        assert set(contents(paths)) <= {b"x", b"x+"}
    assert kills > 0
    assert contents(paths) == [b"x+"] * 400
    assert set(leftovers(tmp_path)) <= {NAME}


def test_the_lock_lasts_as_long_as_any_worker(tmp_path: Path) -> None:
    script = f"""
import sys
sys.path[:0] = {sys.path!r}
import works
from linkfix.files.journal import Journal
if __name__ == "__main__":
    log = Journal({str(tmp_path / NAME)!r}, {{}})
    works.results(works.Hold(log.pen), [2, 2], jobs=2)
"""
    file = tmp_path / "main.py"
    file.write_text(script)
    process = subprocess.Popen([sys.executable, str(file)])
    while not (tmp_path / NAME).exists() or b"done" not in (tmp_path / NAME).read_bytes():
        time.sleep(0.02)
    process.kill()
    process.wait()
    with pytest.raises(JournalError, match="another run"):
        Journal(tmp_path / NAME, {})
    begun = time.monotonic()
    Journal(tmp_path / NAME, {}, resume=True).close(whole=True)  # waits for the worker
    assert time.monotonic() - begun > 0.1


def test_records_are_plain_lines(tmp_path: Path) -> None:
    journal = start(tmp_path)
    task = journal.pen.task("/s/\udcff\n.html")
    task.result = {"n": 1}
    task.done()
    lines = (tmp_path / NAME).read_bytes().split(b"\n")
    journal.close(whole=False)
    header, done = (json.loads(line) for line in lines if line)
    assert header["asked"] == {"to": "uri", "paths": ["/site"], "more": ["a", 1]}
    assert header["process"] == os.getpid()
    assert done == {"done": "/s/\udcff\n.html", "result": {"n": 1}}


def test_a_journal_can_only_be_a_file_of_its_own(tmp_path: Path) -> None:
    """The target of a symbolic link is not written, a device or a pipe is not read."""
    outside = tmp_path / "outside"
    outside.touch()
    site = tmp_path / "site"
    site.mkdir()
    name = site / NAME
    ways: list[Callable[[], object]] = [
        lambda: name.symlink_to(outside),
        lambda: name.symlink_to(tmp_path / "none"),
        lambda: name.symlink_to("/dev/zero"),
        lambda: os.mkfifo(name),
        lambda: name.hardlink_to(outside),
        name.mkdir,
    ]
    for make in ways:
        make()
        for resume in (False, True):
            with pytest.raises(JournalError, match="no journal but a link, a device"):
                start(site, resume=resume)
        assert os.path.lexists(name)
        if name.is_dir():
            name.rmdir()
        else:
            name.unlink()
    assert outside.read_bytes() == b""
    assert not (tmp_path / "none").exists()


def test_a_record_that_is_too_long_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkfix.files.journal.LONGEST", 1000)
    journal = start(tmp_path)
    task = journal.pen.task("/a")
    task.result = {"changed": "x" * 1000}
    with pytest.raises(LimitExceededError, match="more than 0 MiB of the journal"):
        journal.pen.write({"done": "/a", "result": task.result})
    journal.close(whole=True)


def test_a_document_that_is_done_has_a_result(tmp_path: Path) -> None:
    journal = start(tmp_path)
    journal.pen.task("/site/a").done()
    journal.close(whole=False)
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes().replace(b', "result": {}', b""))
    with pytest.raises(JournalError, match="here is no record of such a run"):
        start(tmp_path, resume=True)


def test_a_command_names_only_an_option_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`mv` and `migrate` have no --journal."""

    def closed(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("<a href='a b'>")
    monkeypatch.setattr("linkfix.files.journal._locked", closed)
    for command, hint in (
        (["rewrite", "-i", "site"], "name another place with --journal"),
        (["mv", "--root", "site", "a.html", "b.html"], "check its permissions"),
        (["migrate", "site", "new"], "check its permissions"),
    ):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UnreadableError) as caught:
            cli.main(command, standalone_mode=False)
        assert caught.value.hint == hint
