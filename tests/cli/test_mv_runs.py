"""Runs of ``linkfix mv`` that were killed or stopped, journals that were found, and files that are removed meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from typing import TYPE_CHECKING

import pytest
from movable_site import links, make, make_site, mv, tree

import linkfix
from linkfix.files.journal import NAME
from linkfix.jobs.stopping import Stop
from linkfix.sites.documents import Sources
from linkfix.sites.events import Done, Failed, Problem, Stopped
from linkfix.sites.moving import Moved, MoveSettings, Refused

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make_site(tmp_path / "site")


def test_a_run_that_was_killed_goes_on(site: Path) -> None:
    for number in range(60):
        make(site, {f"more/{number}.html": links("../docs/a.html", "x.html")})
    wanted = site.with_name("wanted")
    shutil.copytree(site, wanted)
    assert mv(wanted, "docs", "help").exit_code == 0
    line = [sys.executable, "-m", "linkfix", "mv", "-q", "--root", str(site), "docs", "help"]
    process = subprocess.Popen(line, start_new_session=True)
    journal = site / NAME
    while process.poll() is None:
        if journal.exists() and journal.read_bytes().count(b'"intend"') > 10:
            os.killpg(process.pid, signal.SIGKILL)
            break
        time.sleep(0.001)
    process.wait()
    if journal.exists():
        again = subprocess.run(line, capture_output=True, check=False)
        assert again.returncode == 2
        assert b"go on with it with --resume" in again.stderr
        other = mv(site, "docs", "other", "--resume")
        assert other.exit_code == 2
        assert "asked for something else" in other.stderr
        assert mv(site, "docs", "help", "--resume").exit_code == 0
    assert tree(site) == tree(wanted)


def test_a_run_that_was_killed_after_the_renaming_goes_on(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from linkfix.migration.moving import SiteMove

    finish = SiteMove.finish

    def die(move: SiteMove) -> None:
        finish(move)
        raise KeyboardInterrupt

    monkeypatch.setattr(SiteMove, "finish", die)
    mv(site, "docs", "help")
    monkeypatch.undo()
    assert (site / NAME).exists()
    assert mv(site, "docs", "help").exit_code == 2
    done = mv(site, "docs", "help", "--resume")
    assert done.exit_code == 0
    assert "an earlier run has moved it" in done.stderr
    assert not (site / NAME).exists()
    assert b"../help" not in tree(site)["help/index.html"]


def test_a_script_that_resumes_until_nothing_is_left_ends(site: Path) -> None:
    begun = mv(site, "docs", "help", "--resume")
    assert begun.exit_code == 0
    assert "no unfinished run is recorded here; this one begins" in begun.stderr
    whole = tree(site)
    again = mv(site, "docs", "help", "--resume")  # it was killed after its last step
    assert again.exit_code == 0
    assert "an earlier run has moved it; nothing is left to do" in again.stderr
    assert tree(site) == whole
    assert mv(site, "docs", "other", "--resume").exit_code == 2


def test_a_journal_that_was_found_moves_nothing_outside(site: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "outside", {"x.html": "secret"})
    header = {"linkfix-journal": 2, "asked": {}, "started": "2026-01-01T00:00:00Z"}
    record = {"begin": str(outside / "x.html"), "target": str(outside / "x.html"), "temporary": ".linkfix-0123456789abcdef.tmp"}  # fmt: skip
    (site / NAME).write_text(f"{json.dumps(header)}\n{json.dumps(record)}\n")
    done = mv(site, "docs", "help", "--resume")
    assert done.exit_code == 2
    assert (site / "docs").exists()
    assert tree(outside) == {"x.html": b"secret"}


def test_a_move_that_is_stopped_among_containers_has_done_nothing(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"a.html": b'<a href="x.png">', "x.png": b""})
    for number in range(3):
        with zipfile.ZipFile(site / f"{number}.epub", "w") as file:
            file.writestr("b.html", b'<a href="../x.png">')
    settings, stop = MoveSettings(sources=Sources(root=str(site)), mode="in-place"), Stop()
    said = []
    for event in linkfix.move("x.png", "y.png", settings, stop=stop):
        said.append(type(event))
        if isinstance(event, Problem):
            stop.ask()
    assert said.count(Stopped) == 1
    assert {each.name for each in site.iterdir()} == {
        "a.html",
        "x.png",
        "0.epub",
        "1.epub",
        "2.epub",
    }
    *_, end = linkfix.move("x.png", "y.png", settings)
    assert isinstance(end, Moved)
    assert end.has_left


def test_a_move_is_refused_where_a_document_is_removed_meanwhile(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"a.html": b'<a href="x.png">', "x.png": b""})
    events = []
    for event in linkfix.move(
        "x.png", "y.png", MoveSettings(sources=Sources(root=str(site)), mode="in-place")
    ):
        events.append(event)
        if isinstance(event, Done):
            (site / "a.html").unlink(missing_ok=True)
    assert [x.path for x in events if isinstance(x, Failed)] == [str(site / "a.html")]
    assert isinstance(events[-1], Refused)
    assert [each.name for each in site.iterdir()] == ["x.png"]
