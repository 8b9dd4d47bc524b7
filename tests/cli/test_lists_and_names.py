"""Paths from a file, the name of standard input, and totals instead of findings."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import processes
import pytest

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

PAGE = b"<!doctype html><meta charset=utf-8><a href='/a b'>"


def run(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, input=stdin, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.html", "b c.html", "-", "sub/d.html"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(PAGE)
    return tmp_path


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\0"])
@pytest.mark.parametrize("source", ["list", "-"])
def test_paths_come_from_a_file(folder: Path, separator: str, source: str) -> None:
    names = separator.join(["b c.html", "", "-", "sub", ""]).encode()
    (folder / "list").write_bytes(names)
    done = run("extract", "--files-from", source, "a.html", cwd=folder, stdin=names)
    files = [line.partition(b":")[0] for line in done.stdout.splitlines()]
    assert files == [b"a.html", b"b c.html", b"./-", b"sub/d.html"]


def test_a_list_without_names_is_no_document(folder: Path) -> None:
    (folder / "list").write_bytes(b"\n")
    done = run("audit", "--files-from", "list", cwd=folder, stdin=PAGE)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"names no document" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--files-from", "nowhere"], b"nowhere: No such file"),
        (["--files-from", "sub"], b"sub: Is a directory"),
        (["--files-from", "-", "-"], b"cannot be a document and the list"),
    ],
)
def test_a_wrong_list_is_a_usage_error(folder: Path, arguments: list[str], said: bytes) -> None:
    done = run("rewrite", *arguments, cwd=folder, stdin=b"a.html")
    assert done.returncode == 2
    assert said in b" ".join(done.stderr.split())


def test_a_listed_file_that_is_missing_does_not_stop_the_others(folder: Path) -> None:
    (folder / "list").write_bytes(b"gone.html\na.html\n")
    done = run("audit", "--files-from", "list", cwd=folder)
    assert done.returncode == 3
    assert b"a.html:1:45: error DEL002" in done.stdout
    assert b"gone.html" in done.stderr


def test_standard_input_has_a_name(folder: Path) -> None:
    """Its extension says what it is, and settings apply to it by its name."""
    (folder / "linkfix.toml").write_text('[audit.per-file-ignores]\n"old/*" = ["DEL"]\n')
    for name, status in (("new/x.html", 1), ("old/x.html", 0)):
        done = run("audit", "--stdin-filename", name, cwd=folder, stdin=PAGE)
        assert (done.returncode, name.encode() in done.stdout) == (status, status == 1)
    sheet = b"a { background: url('x y.png') }"
    done = run("rewrite", "--stdin-filename", "x.css", cwd=folder, stdin=sheet)
    assert done.stdout == sheet.replace(b"x y", b"x%20y")
    assert b"x.css: 1 link rewritten" in done.stderr
    base = ["--base", "http://h.example/", "--root", "."]
    done = run("extract", "--stdin-filename", "sub/x.html", *base, cwd=folder, stdin=b"<a href=y>")
    assert b"http://h.example/sub/y" in done.stdout


def test_exit_zero(folder: Path) -> None:
    assert run("audit", "a.html", cwd=folder).returncode == 1
    assert run("audit", "--exit-zero", "a.html", cwd=folder).returncode == 0
    assert run("audit", "--exit-zero", "gone.html", cwd=folder).returncode == 3


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_statistics(folder: Path, jobs: str) -> None:
    (folder / "bad.html").write_bytes(PAGE + b"<a href='x y'><a href='%zz'>")
    command = ["audit", "--select", "DEL,ENC001", "--statistics", "-j", jobs, "."]
    done = run(*command, cwd=folder)
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    assert [row[:3] for row in rows] == [["6", "DEL002", "error"], ["1", "ENC001", "error"]]
    expected = [("DEL002", "6", "5"), ("ENC001", "1", "1")]
    lines = [json.loads(x) for x in run(*command, "--format=jsonl", cwd=folder).stdout.splitlines()]
    assert [(x["rule"], str(x["findings"]), str(x["documents"])) for x in lines] == expected
    table = csv.DictReader(io.StringIO(run(*command, "--format=csv", cwd=folder).stdout.decode()))
    assert [(x["rule"], x["findings"], x["documents"]) for x in table] == expected
    for wrong in ("--format=sarif", "--diff"):
        assert run(*command, wrong, cwd=folder).returncode == 2
