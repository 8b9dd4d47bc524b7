"""Commands do their work on a whole site, with nothing but their defaults.

Each test runs one command three times side by side: as a user types it, with ``-j 1`` and with ``-j 2``. None may end
in a traceback, take much memory or import from the current folder; the three must write the same, byte for byte, and
say the same; the exit status must be the one that follows from what was found.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET
from xml.parsers import expat

import jsonschema
import pytest
from invariants import rewritten

from . import generated
from .commands import JOBS, Run, differences, finish, start, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.acceptance

_SCHEMA = Path(__file__).parents[1] / "cli" / "sarif-2.1.0-used.schema.json"
_REFUSED = re.compile(r"^linkfix: (.+?):\d+:\d+: not well-formed XML", re.MULTILINE)


# --- runs ---------------------------------------------------------------------------------------------


def problems(site: Path, work: Path, runs: Sequence[Run]) -> list[str]:
    """What no run may do, with the packages of the site that do it by themselves."""
    found: list[str] = []
    for run in runs:
        if run.problems:
            found += [f"{site.parent.name}: {each}" for each in run.problems]
            found += culprits(site, work, run)
            break
    return found


def culprits(site: Path, work: Path, run: Run) -> list[str]:
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


def side_by_side(site: Path, work: Path, *arguments: str, copied: bool = False) -> list[Run]:
    """Run a command in each of the ways of `JOBS` at once, and compare what they write and say.

    Args:
        site: that is read; with `copied`, each run has a copy of it as ``site`` in its own folder.
        work: in which each run has a folder of its own.
        arguments: of the command but its PATH; ``{site}`` stands for the PATH.
        copied: whether the command changes the documents where they are.

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
        for name in ("site", "new"):
            if (default.folder / name).exists():
                unlike = differences(default.folder / name, other.folder / name)
                assert not unlike, (title, name, unlike)
    return runs


def refused(run: Run) -> set[str]:
    """The documents that a run says are not well-formed."""
    return set(_REFUSED.findall(run.err.read_text("utf-8", "surrogateescape")))


def status_of(run: Run, site: Path, *, findings: bool = False) -> int:
    """The exit status that is documented for what a run said; what was refused is looked at by expat."""
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


# --- extract and audit ----------------------------------------------------------------------------------


def lines_of_json(text: str) -> list[dict[str, Any]]:
    """JSON Lines, which must be text of Unicode (RFC 7493, 2.1)."""
    lines = [json.loads(line) for line in text.splitlines()]
    json.dumps(lines, ensure_ascii=False).encode("utf-8")
    return lines


def rows(text: str) -> list[list[str]]:
    csv.field_size_limit(sys.maxsize)  # a data: link is one field
    table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in table}) == 1
    return table[1:]


def plain(text: str) -> list[str]:
    return re.findall(r"^\S.*:\d+:\d+: ", text, re.MULTILINE)


def sarif(text: str) -> list[Any]:
    """The results; each hundredth of them is valid in a log that is."""
    log = json.loads(text)
    results: list[Any] = log["runs"][0]["results"]
    log["runs"][0]["results"] = results[::100]
    schema = json.loads(_SCHEMA.read_text("utf-8"))
    jsonschema.Draft7Validator(schema).validate(log)
    return results


def github(text: str) -> list[str]:
    lines = text.splitlines()
    assert all(line.startswith("::") for line in lines)
    return lines


def junit(text: str) -> list[Any]:
    return ET.fromstring(text).findall(".//failure")


def report(text: str) -> list[Any]:
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    return [text]


_READERS: dict[str, Callable[[str], list[Any]]] = {
    "text": plain,
    "jsonl": lines_of_json,
    "csv": rows,
    "sarif": sarif,
    "github": github,
    "junit": junit,
    "html": report,
}


@pytest.mark.parametrize("form", ["text", "jsonl", "csv"])
def test_extract(site: Path, work: Path, form: str) -> None:
    run, *_ = side_by_side(site, work, "extract", "--format", form, "{site}")
    text = run.out.read_bytes().decode("utf-8")
    assert len(text) > 1_000_000
    assert len(_READERS[form](text)) > 10_000
    assert run.status == status_of(run, site), run.command


@pytest.mark.parametrize("form", ["text", "jsonl", "csv", "sarif", "github", "junit", "html"])
def test_audit(site: Path, work: Path, form: str) -> None:
    run, *_ = side_by_side(site, work, "audit", "--format", form, "{site}")
    text = run.out.read_bytes().decode("utf-8")
    found = _READERS[form](text)
    assert len(text) > 1_000_000
    assert len(found) > (0 if form == "html" else 5_000)
    assert run.status == status_of(run, site, findings=True), run.command


# --- rewrite --------------------------------------------------------------------------------------------


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


def test_rewrite_in_place_and_again(site: Path, work: Path) -> None:
    run, *_ = side_by_side(site, work, "rewrite", "-i", "{site}", copied=True)
    assert run.status == status_of(run, site)
    new = run.folder / "site"
    old, once = tree(site), tree(new)
    assert once.keys() == old.keys(), "a run leaves a file of its own, or loses one"
    assert sum(once[name] != old[name] for name in old) > 50
    assert by_the_library(site, new) > 40
    again = start(["rewrite", "-i", "site"], run.folder, "again")
    finish(again)
    assert not problems(site, work, [again])
    changed = [name for name, digest in tree(new).items() if digest != once[name]]
    assert not changed, f"{again.command} changes {changed[:5]}"


def test_rewrite_into_a_folder(site: Path, work: Path) -> None:
    """Each document comes out as in place; one that is refused does not come out."""
    run, *_ = side_by_side(site, work / "o", "rewrite", "-o", "new", "{site}")
    assert run.status == status_of(run, site)
    shutil.copytree(site, work / "i" / "site", symlinks=True)
    there = start(["rewrite", "-i", "site"], work / "i")
    finish(there)
    new, old = tree(run.folder / "new"), tree(work / "i" / "site")
    unlike = [name for name, digest in new.items() if digest != old.get(name)]
    assert not unlike, unlike[:5]
    files = sum(digest != "folder" for digest in new.values())
    assert b"linkfix: %b documents: " % f"{files:,}".encode() in run.said, run.said[-500:]


def test_rewrite_as_a_patch(site: Path, work: Path) -> None:
    """`patch` makes of the old documents what a rewrite in place makes of them."""
    if shutil.which("patch") is None:
        pytest.skip("not on the PATH: patch")
    run, *_ = side_by_side(site, work, "rewrite", "--diff", "{site}", copied=True)
    assert run.status == status_of(run, site)
    shutil.copytree(site, work / "i" / "site", symlinks=True)
    finish(start(["rewrite", "-i", "site"], work / "i"))
    command = ["patch", "-s", "-p0", "-i", str(run.out)]
    done = subprocess.run(command, cwd=run.folder, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-1000:]
    unlike = differences(run.folder / "site", work / "i" / "site")
    assert not unlike, unlike


@pytest.mark.parametrize("option", ["--fix"])
def test_audit_that_mends(site: Path, work: Path, option: str) -> None:
    run, *_ = side_by_side(site, work, "audit", option, "{site}", copied=True)
    findings = run.status == 1 or option == "--fix"
    assert run.status in (0, status_of(run, site, findings=findings))
    old, new = tree(site), tree(run.folder / "site")
    changed = [name for name, digest in new.items() if digest != old[name]]
    assert (len(changed) > 50) == (option == "--fix")
    assert run.out.stat().st_size > 100_000
