"""`rewrite`, `audit --fix` and `migrate` do their work on a whole site, with nothing but their defaults."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from invariants import rewritten

from . import generated
from .commands import differences, tree
from .sidebyside import once, side_by_side, status_of
from .sites import on_sites
from .test_reading import lines_of_json

if TYPE_CHECKING:
    from pathlib import Path

    from .commands import Run

pytestmark = pytest.mark.acceptance

#: The options of migrations: the defaults, everything in URIs, everything else.
_MIGRATIONS = (
    (),
    ("--to", "uri", "--base", "http://www.old.example/site/", "--fix-case", "--unescape"),
    (
        *("--to", "iri", "--rename", ".htm=.html", "--root-relative", "--report", "report.jsonl"),
        *("--redirects", "moved.map", "--rename-charset", "/cyr/=windows-1251"),
    ),
)


def by_the_library(site: Path, new: Path) -> int:
    """Compare some of the rewritten documents with what the library makes of the old ones.

    `invariants.rewritten` says which spans have changed, and the bytes between them must be the old ones.

    """
    paths = sorted(path for path in site.rglob("*") if path.suffix in (".html", ".htm", ".svg"))
    count = 0
    for path in paths[:: max(1, len(paths) // 60)]:
        source, there = path.read_bytes(), new / path.relative_to(site)
        if path.is_symlink() or not source or str(path.relative_to(site)) in generated.REFUSED:
            continue
        made, outcomes = rewritten(source, "uri", name=path.name)
        pieces, position = [], 0
        for outcome in outcomes:
            if outcome.new is not None:
                pieces += [source[position : outcome.link.start], outcome.new]
                position = outcome.link.end
        assert b"".join([*pieces, source[position:]]) == made, path
        assert there.read_bytes() == made, path
        count += 1
    return count


def changed(site: Path, run: Run) -> list[str]:
    """Return which files of its own copy of the site a run has changed."""
    old, new = tree(site), tree(run.folder / "site")
    assert new.keys() == old.keys(), "a run leaves a file of its own, or loses one"
    return [name for name in old if new[name] != old[name]]


def enough(site: Path) -> int:
    """Return how many documents of a site have links to be changed, at least: real ones have few."""
    return 50 if site.parent.name.startswith("generated") else 5


def patched(run: Run) -> None:
    """Apply the diff that a run has written to its copy of the site."""
    if shutil.which("patch") is None:
        pytest.skip("not on the PATH: patch")
    command = ["patch", "-s", "-p0", "-i", str(run.out)]
    done = subprocess.run(command, cwd=run.folder, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-1000:]


@on_sites("options", ())
def test_rewrite_in_place_and_again(site: Path, work: Path, options: tuple[str, ...]) -> None:
    run, *_ = side_by_side(site, work, "rewrite", "-i", *options, "{site}", copied=True)
    assert run.status == status_of(run, site)
    assert len(changed(site, run)) > enough(site)
    new = run.folder / "site"
    assert by_the_library(site, new) > 40
    before = tree(new)
    once("rewrite", "-i", "site", folder=run.folder, name="again")
    assert tree(new) == before, "a second run changes what the first has written"


def test_rewrite_into_a_folder(site: Path, work: Path) -> None:
    """Each document is written as in place; a refused one is not written."""
    run, *_ = side_by_side(site, work / "o", "rewrite", "-o", "new", "{site}")
    assert run.status == status_of(run, site)
    shutil.copytree(site, work / "i" / "site", symlinks=True)
    once("rewrite", "-i", "site", folder=work / "i")
    new, old = tree(run.folder / "new"), tree(work / "i" / "site")
    unlike = [name for name, digest in new.items() if digest != old.get(name)]
    assert not unlike, unlike[:5]
    files = sum(digest != "folder" for digest in new.values())
    assert b"linkfix: %b documents: " % f"{files:,}".encode() in run.said, run.said[-500:]


def test_rewrite_as_a_patch(site: Path, work: Path) -> None:
    """`patch` makes of the old documents what a rewrite in place makes of them."""
    run, *_ = side_by_side(site, work, "rewrite", "--diff", "{site}", copied=True)
    assert run.status == status_of(run, site)
    assert not changed(site, run)
    shutil.copytree(site, work / "i" / "site", symlinks=True)
    once("rewrite", "-i", "site", folder=work / "i")
    patched(run)
    unlike = differences(run.folder / "site", work / "i" / "site")
    assert not unlike, unlike


@on_sites("options", ())
def test_audit_that_fixes(site: Path, work: Path, options: tuple[str, ...]) -> None:
    """`patch` makes of the diff what a fix changes."""
    run, *_ = side_by_side(site, work / "f", "audit", "--fix", *options, "{site}", copied=True)
    assert run.status == status_of(run, site, findings=True)
    assert len(changed(site, run)) > enough(site)
    assert run.out.stat().st_size > 100_000
    shown, *_ = side_by_side(site, work / "d", "audit", "--diff", *options, "{site}", copied=True)
    assert shown.status == status_of(shown, site, findings=True)
    assert not changed(site, shown)
    patched(shown)
    unlike = differences(run.folder / "site", shown.folder / "site")
    assert not unlike, unlike


@on_sites("options", *_MIGRATIONS)
def test_migrate(site: Path, work: Path, options: tuple[str, ...]) -> None:
    run, *_ = side_by_side(site, work, "migrate", "{site}", "new", *options)
    assert run.status == status_of(run, site, findings=True)
    new = [path for path in (run.folder / "new").rglob("*") if path.is_file()]
    assert len(new) > 300
    assert not list((run.folder / "new").rglob(".linkfix*")), "a file of its own is left"
    if "--report" in options:
        records = lines_of_json((run.folder / "report.jsonl").read_text("utf-8"))
        assert {"document", "moved", "broken"} <= {record["record"] for record in records}
