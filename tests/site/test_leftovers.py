"""What killed runs have left is removed, and nothing else."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from linkfix.files import commit
from linkfix.files.access import creating
from linkfix.files.system import lock

if TYPE_CHECKING:
    from pathlib import Path

NAME = ".linkfix-0123456789abcdef.tmp"
LONG_AGO = time.time() - 2 * 3600


@pytest.fixture(autouse=True)
def nothing_is_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "_swept", set())


def leave(path: Path) -> Path:
    path.write_bytes(b"left")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def test_a_leftover_goes_when_a_file_is_written_beside_it(tmp_path: Path) -> None:
    leave(tmp_path / NAME)
    with creating(tmp_path / "a.html") as sink:
        sink.write(b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_one_that_was_written_lately_stays(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"of a run that has not locked it yet")
    commit.sweep(tmp_path)
    assert (tmp_path / NAME).exists()


def test_one_that_is_locked_stays(tmp_path: Path) -> None:
    path = leave(tmp_path / NAME)
    with path.open("rb") as file:
        lock(file.fileno())
        commit.sweep(tmp_path)
    assert path.exists()


def test_the_lock_lasts_until_the_file_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    with creating(path) as sink:
        sink.write(b"x" * 2_000_000)
        (temporary,) = tmp_path.iterdir()
        with temporary.open("rb") as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize(
    "name",
    [
        ".linkfix-journal",
        ".linkfix-0123456789abcde.tmp",
        ".linkfix-0123456789abcdefg.tmp",
        ".linkfix-0123456789ABCDEF.tmp",
        "x.linkfix-0123456789abcdef.tmp",
        f"{NAME}.html",
    ],
)
def test_another_name_stays(tmp_path: Path, name: str) -> None:
    path = leave(tmp_path / name)
    commit.sweep(tmp_path)
    assert path.exists()


def test_what_is_no_file_stays(tmp_path: Path) -> None:
    thesis = leave(tmp_path / "thesis.txt")
    folders = [tmp_path / kind for kind in ("link", "pipe", "folder")]
    for folder in folders:
        folder.mkdir()
    (tmp_path / "link" / NAME).symlink_to(thesis)
    os.mkfifo(tmp_path / "pipe" / NAME)
    os.utime(tmp_path / "pipe" / NAME, (LONG_AGO, LONG_AGO))
    (tmp_path / "folder" / NAME).mkdir()
    for folder in folders:
        commit.sweep(folder)
        assert os.path.lexists(folder / NAME)
    assert thesis.exists()


def test_the_file_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = leave(tmp_path / NAME)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    commit.sweep(tmp_path)
    assert path.exists()


def test_nothing_goes_where_locks_do_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError

    path = leave(tmp_path / NAME)
    monkeypatch.setattr(fcntl, "flock", unsupported)
    commit.sweep(tmp_path)
    with creating(tmp_path / "a.html") as sink:
        sink.write(b"new")
    assert path.exists()


def test_what_kill_leaves_goes_with_the_next_run(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom linkfix.files.access import creating\n"
        "with creating(sys.argv[1]) as sink:\n"
        "    sink.write(b'x' * 2_000_000); print(flush=True); time.sleep(60)"
    )
    target = tmp_path / "a.warc"
    with subprocess.Popen([sys.executable, "-c", code, target], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    (left,) = tmp_path.iterdir()
    os.utime(left, (LONG_AGO, LONG_AGO))
    with creating(target) as sink:
        sink.write(b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.warc"]
