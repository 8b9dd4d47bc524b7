"""Paths from a file, the name of standard input, and totals instead of findings."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import processes
import pytest
from terminals import on_a_terminal

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


def test_each_document_is_read_once_beside_standard_input(folder: Path) -> None:
    paths = ["a.html", "-", "./-", "sub", "a.html", "sub/d.html", "-"]
    done = run("extract", "--type", "html", *paths, cwd=folder, stdin=PAGE)
    files = [line.partition(b":")[0] for line in done.stdout.splitlines()]
    assert files == [b"a.html", b"<stdin>", b"./-", b"sub/d.html"]


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


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("cache", [False, True])
def test_groups(tmp_path: Path, jobs: str, cache: bool) -> None:
    head = b"<meta charset=utf-8>"
    (tmp_path / "a.html").write_bytes(
        head + b"<a href='x y'>a</a><a href='gone.html'>b</a><a href=gone.html>"
    )
    (tmp_path / "b.html").write_bytes(head + b"<a href='x y'>a</a><a href='gone.html'>b</a>")
    command = ["audit", "--select", "DEL002,TGT001", "-j", jobs, "."]
    command += ["--cache", "cache"] if cache else []

    def groups(by: str) -> list[list[object]]:
        done = run(*command, "--group-by", by, "--format", "jsonl", cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        return [[*json.loads(line).values()] for line in done.stdout.splitlines()]

    space = "DEL002 inner-whitespace: white space inside the link (U+0020)"
    for _ in range(2):  # the second time from the cache
        assert groups("cause") == [
            [
                "TGT001 missing-file: /gone.html: there is no such file",
                "error",
                3,
                2,
                "TGT001",
                "./a.html:1:49",
            ],
            [space, "error", 2, 2, "DEL002", "./a.html:1:30"],
            [
                "TGT001 missing-file: /x%20y: there is no such file",
                "error",
                2,
                2,
                "TGT001",
                "./a.html:1:30",
            ],
        ]
    assert groups("rule") == [
        ["TGT001", "missing-file", "error", 5, 2],
        ["DEL002", "inner-whitespace", "error", 2, 2],
    ]
    assert [row[:4] for row in groups("file")] == [
        ["./a.html", "error", 4, 1],
        ["./b.html", "error", 3, 1],
    ]
    assert [row[:4] for row in groups("target")] == [
        ["/gone.html", "error", 3, 2], ["x y", "error", 2, 2], ["/x%20y", "error", 2, 2],
    ]  # fmt: skip


def test_findings_about_pages_are_in_groups(folder: Path) -> None:
    done = run("audit", "--select", "TGT014", "--statistics", ".", cwd=folder)
    assert b"TGT014  advice   orphan" in done.stdout


def test_a_terminal_shows_the_worst_causes(tmp_path: Path) -> None:
    links = "".join(f"<a href='gone{n}.html'>" for n in range(14)) + "<a href='gone3.html'>"
    (tmp_path / "a.html").write_text(f"<meta charset=utf-8>{links}<a href='100%'>")
    shown = on_a_terminal("audit", ".", stream="stdout", cwd=tmp_path)
    # Of causes that are as bad and as frequent, those of single documents come first.
    assert (shown.count("stray-percent"), shown.count("missing-file")) == (1, 9)
    assert "/gone3.html: there is no such file; 2 findings in 1 document" in shown.splitlines()[0]
    assert "  7 other causes: --group-by cause" in shown
    assert "every finding: --group-by none" in shown
    every = on_a_terminal("audit", "--group-by=none", ".", stream="stdout", cwd=tmp_path)
    assert every.count("missing-file") == 16
