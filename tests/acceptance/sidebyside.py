"""One command in each of the ways of `JOBS` at once, and the checks of the runs.

Input: a site and the arguments of a command. Output: the runs, which have ended as they must: no traceback, little
memory, nothing imported from the current folder, the same bytes written and the same said in each way.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

import pytest

from . import generated
from .commands import JOBS, Run, differences, finish, start

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["once", "problems", "refused", "side_by_side", "status_of"]

_REFUSED = re.compile(r"^linkfix: (.+?):\d+:\d+: not well-formed XML", re.MULTILINE)
#: What commands write into their folder.
_WRITTEN = ("site", "new", "report.jsonl", "moved.map")


def side_by_side(site: Path, work: Path, *arguments: str, copied: bool = False) -> list[Run]:
    """Run a command in each of the ways of `JOBS` at once, and compare what they write and say.

    Args:
        site: that is read; with `copied`, each run has a copy of it as ``site`` in its own folder.
        work: in which each run has a folder of its own.
        arguments: of the command but its PATH; ``{site}`` is replaced by the PATH.
        copied: whether the command changes the documents in place.

    """
    runs = []
    for jobs in JOBS:
        folder = work / (jobs[-1] if jobs else "default")
        if copied:
            shutil.copytree(site, folder / "site", symlinks=True)
        path = "site" if copied else str(site)
        runs.append(start([a.replace("{site}", path) for a in (*arguments, *jobs)], folder))
    finish(*runs)
    failures = problems(site, work, runs)
    assert not failures, "\n".join(failures)
    default, *others = runs
    for other in others:
        title = f"{site.parent.name}: {default.command} | {other.command}"
        assert not differences(default.out, other.out), (title, differences(default.out, other.out))
        assert default.said == other.said, (title, default.said[-999:], other.said[-999:])
        assert default.status == other.status, title
        for name in _WRITTEN:
            if (default.folder / name).exists():
                unlike = differences(default.folder / name, other.folder / name)
                assert not unlike, (title, name, unlike)
    return runs


def once(*arguments: str, folder: Path, name: str = "run") -> Run:
    """Run a command with its defaults in a folder; it must end without a problem."""
    run = start(arguments, folder, name)
    finish(run)
    assert not run.problems, run.problems
    return run


def problems(site: Path, work: Path, runs: Sequence[Run]) -> list[str]:
    """Return the forbidden effects of a run, with the packages of the site that have them themselves."""
    for run in runs:
        if run.problems:
            found = [f"{site.parent.name}: {each}" for each in run.problems]
            return found + _culprits(site, work, run)
    return []


def _culprits(site: Path, work: Path, run: Run) -> list[str]:
    """Run the same command for one package after the other, and name up to three with its problems."""
    found: list[str] = []
    for package in sorted(path for path in site.iterdir() if path.is_dir()):
        if len(found) == 3:
            break
        place = work / f"culprit-{package.name}"
        arguments = list(run.arguments)
        if "site" in arguments:
            shutil.copytree(package, place / "site", symlinks=True)
        else:
            arguments[arguments.index(str(site))] = str(package)
        alone = start(arguments, place)
        finish(alone)
        if alone.problems:
            found.append(f"alone as well: {package.name}: {alone.problems[0].splitlines()[0]}")
    return found or ["no package does so alone"]


def refused(run: Run) -> set[str]:
    """Return the documents that a run says are not well-formed."""
    return set(_REFUSED.findall(run.err.read_text("utf-8", "surrogateescape")))


def status_of(run: Run, site: Path, *, findings: bool = False) -> int:
    """Return the documented exit status for the messages of a run; expat judges refused documents."""
    names = refused(run)
    for name in names:
        parser = expat.ParserCreate()
        there = (Path(name), run.folder / name, site / name)
        with pytest.raises(expat.ExpatError):
            parser.Parse(next(path for path in there if path.is_file()).read_bytes(), True)
    if site.parent.name.startswith("generated"):
        documents = {name.partition("/site/")[2] or name.removeprefix("site/") for name in names}
        assert documents == generated.REFUSED, run.command
    return 3 if names else int(findings)
