"""Files are replaced whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import linkfix
from linkfix.errors import UnreadableError
from linkfix.files import access
from linkfix.files.access import creating, open_document, replacing
from linkfix.files.commit import Group
from linkfix.files.verification import confirm
from linkfix.sites.audit_job import AuditSettings
from linkfix.sites.events import Failed
from linkfix.sites.writing import RewriteSettings

if TYPE_CHECKING:
    from pathlib import Path


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".linkfix")]


def test_a_failure_in_the_middle_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), replacing(path) as (source, sink):
        sink.write(source.read() + b"new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"old")
    with pytest.raises(UnreadableError, match="changed while"), replacing(path) as (_, sink):
        sink.write(b"new")
        path.write_bytes(b"somebody else's")
    assert path.read_bytes() == b"somebody else's"
    assert leftovers(tmp_path) == []


def test_an_edit_that_keeps_size_and_time_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    before = path.stat()
    with pytest.raises(UnreadableError, match="changed while"), replacing(path) as (_, sink):
        sink.write(b"new")
        time.sleep(0.02)  # longer than a tick of the file system's clock
        path.write_bytes(b"mid")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.read_bytes() == b"mid"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_names_of_one_file_are_replaced_each(tmp_path: Path) -> None:
    """The first replacement changes the inode of the others, and nothing in them."""
    paths = [tmp_path / name for name in ("a", "b")]
    paths[0].write_bytes(b"x")
    paths[1].hardlink_to(paths[0])
    group = Group()
    for path in paths:
        with replacing(path, backup=".orig", group=group) as (source, sink):
            sink.write(source.read() + b"+")
    assert group.commit() == [None, None]
    assert [path.read_bytes() for path in paths] == [b"x+", b"x+"]


def test_a_file_that_vanished_meanwhile_is_not_restored(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"old")
    with pytest.raises(UnreadableError), replacing(path) as (_, sink):
        sink.write(b"new")
        path.unlink()
    assert list(tmp_path.iterdir()) == []


def test_extended_attributes_and_mode_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<a href='a b'>")
    path.chmod(0o604)
    try:
        os.setxattr(path, "user.origin", b"somewhere")
    except OSError:
        kept = None
    else:
        kept = b"somewhere"
    with replacing(path) as (_, sink):
        sink.write(b"new")
    assert path.stat().st_mode & 0o777 == 0o604
    if kept is not None:
        assert os.getxattr(path, "user.origin") == kept


def test_creating_writes_whole_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    with pytest.raises(linkfix.NotWellFormedError):
        linkfix.rewrite(b"<?xml version='1.0'?><a>", path)
    assert list(tmp_path.iterdir()) == []
    linkfix.rewrite(b"<a href='a b'>", path)
    assert path.read_bytes() == b"<a href='a%20b'>"
    with pytest.raises(UnreadableError), creating(tmp_path / "no" / "folder"):
        pass


def test_what_cannot_be_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(UnreadableError, match="not a regular file"), replacing(fifo):
        pass
    with pytest.raises(UnreadableError):
        open_document("a\0b")


def test_special_files_are_never_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "link").symlink_to(fifo)
    for path in (fifo, tmp_path / "link"):
        with pytest.raises(UnreadableError, match="must not be replaced"), creating(path) as sink:
            sink.write(b"x")
    assert fifo.is_fifo()
    with creating(tmp_path / "link", follow=False) as sink:
        sink.write(b"x")
    assert (tmp_path / "link").read_bytes() == b"x"
    assert fifo.is_fifo()
    assert leftovers(tmp_path) == []


DIRTY = b"<meta charset=utf-8>" + b"<a href='/a b'>x</a>\n" * 60_000
CLEAN = DIRTY.replace(b"a b", b"a%20b")


def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(DIRTY)

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(DIRTY) // 2, len(DIRTY) // 2))

    done = subprocess.run(
        [sys.executable, "-m", "linkfix", "rewrite", "-i", str(path)],
        capture_output=True,
        check=False,
        preexec_fn=small_disk,
        timeout=60,
    )
    assert done.returncode == 3
    assert b"cannot write it: File too large" in done.stderr
    assert path.read_bytes() == DIRTY
    assert leftovers(tmp_path) == []


@pytest.mark.nightly
def test_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    chance = random.Random(2)
    for _ in range(12):
        path.write_bytes(DIRTY)
        process = subprocess.Popen(
            [sys.executable, "-m", "linkfix", "rewrite", "-q", "-i", str(path)]
        )
        time.sleep(chance.uniform(0.05, 0.8))
        process.kill()
        process.wait()
        assert path.read_bytes() in (DIRTY, CLEAN)
    path.write_bytes(DIRTY)
    subprocess.run([sys.executable, "-m", "linkfix", "rewrite", "-q", "-i", str(path)], check=True)
    assert path.read_bytes() == CLEAN


@pytest.mark.parametrize("is_folder", [False, True])
@pytest.mark.parametrize("is_fix", [False, True])
def test_a_document_that_becomes_a_symbolic_link_meanwhile_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_fix: bool, is_folder: bool
) -> None:
    old = b"<meta charset=utf-8><a href='a b'>"
    page, outside = tmp_path / "s" / "t" / "u" / "a.html", tmp_path / "o" / "u" / "a.html"
    for each in (page, outside):
        each.parent.mkdir(parents=True)
        each.write_bytes(old)
    check = access.check_replaceable
    link, target = (page.parents[1], tmp_path / "o") if is_folder else (page, outside)

    def swapped(path: str) -> None:
        link.rename(tmp_path / "away")
        link.symlink_to(target)
        check(path)

    monkeypatch.setattr(access, "check_replaceable", swapped)
    (tmp_path / "reached").symlink_to("s")
    paths = [str(tmp_path / "reached")]
    events = [
        *(
            linkfix.audit_site(paths, AuditSettings(mode="fix"))
            if is_fix
            else linkfix.rewrite_site(paths, RewriteSettings(mode="in-place"))
        )
    ]
    (failed,) = [each for each in events if isinstance(each, Failed)]
    named = f"the folder {tmp_path / 'reached' / 't'}" if is_folder else "it"
    assert f": {named} has become a symbolic link" in str(failed.error)
    assert link.is_symlink()
    assert outside.read_bytes() == old


def test_a_document_that_changed_before_its_verification_is_said_to_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("selectolax", reason="the extra verify is not installed")
    path = tmp_path / "a.html"

    def changed(*arguments: object) -> None:
        path.write_bytes(path.read_bytes() + b"<a href=c>")
        confirm(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("linkfix.sites.writing.confirm", changed)
    for mode in ("dry-run", "in-place"):
        path.write_bytes(b"<meta charset=utf-8><a href='a b'>")
        settings = RewriteSettings(mode=mode, verify=True)
        (failed,) = [x for x in linkfix.rewrite_site([path], settings) if isinstance(x, Failed)]
        assert "changed while it was being read" in str(failed.error)
        assert path.read_bytes().endswith(b"<a href=c>")
