"""The command line as its users meet it: real processes, real pipes, exit status."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import processes
import pytest

import linkfix

if TYPE_CHECKING:
    from pathlib import Path


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, input=stdin, cwd=cwd)


PAGE = '<meta charset="shift_jis">\r\n<a href="/検索?q=空&amp;r=1">表</a>\x00'.encode("shift_jis")
REWRITTEN = '<meta charset="shift_jis">\r\n<a href="/%E6%A4%9C%E7%B4%A2?q=%8B%F3&amp;r=1">表</a>\x00'.encode("shift_jis")  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    return path


def test_version() -> None:
    assert run("--version").stdout == f"linkfix {linkfix.__version__} (Unicode 17.0.0)\n".encode()


def test_rewrite_standard_input_to_standard_output() -> None:
    done = run("rewrite", "--to", "uri", stdin=PAGE)
    assert (done.stdout, done.returncode) == (REWRITTEN, 0)
    assert b"<stdin>: 1 link rewritten" in done.stderr


def test_rewrite_a_file_to_standard_output(page: Path) -> None:
    done = run("rewrite", page)
    assert (done.stdout, done.returncode) == (REWRITTEN, 0)
    assert page.read_bytes() == PAGE


def test_rewrite_in_place_keeps_the_mode_and_reports(page: Path, tmp_path: Path) -> None:
    page.chmod(0o640)
    report = tmp_path / "report.jsonl"
    done = run("rewrite", "-i", page, "--report", report)
    assert (done.stdout, done.returncode, page.read_bytes()) == (b"", 0, REWRITTEN)
    assert page.stat().st_mode & 0o777 == 0o640
    (line,) = report.read_text().splitlines()
    record = json.loads(line)
    assert record == {
        "file": str(page),
        "line": 2,
        "column": 10,
        "start": 37,
        "end": 55,
        "element": "a",
        "attribute": "href",
        "old": "/検索?q=空&r=1",
        "new": "/%E6%A4%9C%E7%B4%A2?q=%8B%F3&r=1",
    }
    assert PAGE[record["start"] : record["end"]].decode("shift_jis") == "/検索?q=空&amp;r=1"
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "report.jsonl"}


def test_rewrite_in_place_leaves_an_unchanged_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "clean.html"
    path.write_bytes(b"<a href=x>")
    before = path.stat()
    assert run("rewrite", "-i", path).returncode == 0
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_rewrite_in_place_follows_a_symbolic_link(page: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.html"
    link.symlink_to(page)
    assert run("rewrite", "-i", link).returncode == 0
    assert link.is_symlink()
    assert page.read_bytes() == REWRITTEN


def test_one_bad_document_does_not_stop_the_others(page: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"<rss>\n <link>http://a/\\b</link>\n</rs>")
    done = run("rewrite", "-i", bad, page)
    assert done.returncode == 3
    assert b"bad.xml:3:3: not well-formed XML: mismatched tag (byte offset" in done.stderr
    assert bad.read_bytes() == b"<rss>\n <link>http://a/\\b</link>\n</rs>"
    assert page.read_bytes() == REWRITTEN


def test_a_file_that_is_not_well_formed_gives_no_output(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"<rss><link>http://a/\\b</link>" + b"<x/>" * 100000)
    done = run("rewrite", bad)
    assert (done.stdout, done.returncode) == (b"", 3)


def test_standard_input_goes_on_unchanged_where_it_fails() -> None:
    source = b"<rss><link>http://a/\\b</link></rs>" + b"<x/>" * 100000
    done = run("rewrite", "--type", "xml", stdin=source)
    assert done.returncode == 3
    assert done.stdout in (source, source.replace(b"\\b", b"%5Cb"))


@pytest.mark.parametrize("command", [["extract"], ["audit"], ["rewrite"], ["rewrite", "-i"]])
def test_what_is_no_file(tmp_path: Path, command: list[str]) -> None:
    done = run(*command, tmp_path / "thing")
    assert done.returncode == 3
    assert b"cannot read it: No such file or directory" in done.stderr
    assert done.stdout == b""


def test_an_unknown_charset_is_wrong_usage(page: Path) -> None:
    done = run("extract", "--charset", "klingon", page)
    assert done.returncode == 2
    assert b"klingon" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (["rewirte", "x"], "Did you mean 'rewrite'?"),
        (["audit", "--select", "missing-fle", "x"], "did you mean missing-file?"),
        (["audit", "--ignore", "ENC1", "x"], "did you mean ENC"),
        (["rules", "stray_precent"], "did you mean stray-percent?"),
        (["rules", "enc017x"], "did you mean ENC"),
        (["rules", "klingon"], "`linkfix rules` lists them all"),
        (["klingon"], "No such command 'klingon'."),
    ],
)
def test_what_a_command_or_rule_resembles_is_said(wrong: list[str], meant: str) -> None:
    done = run(*wrong)
    assert done.returncode == 2
    assert meant in done.stderr.decode()


def test_two_documents_do_not_fit_on_standard_output(page: Path) -> None:
    assert run("rewrite", page, page).returncode == 2
    assert run("rewrite", "-i").returncode == 2


ODD = {
    "empty": b"",
    "binary": b"<p>" + bytes(range(256)) * 64,
    "truncated tag": b"<a href='x'><a href='y",
    "lead byte before the quote": b'<meta charset=shift_jis><a href="x\x83"><a href="y">',
    "NUL": b"<a\0 href=x\0y><a href='\0'>\0",
    "lone surrogates": b"\xff\xfe" + "<a href='x\ud800y'>".encode("utf-16-le", "surrogatepass"),
    "odd UTF-16": b"\xff\xfe" + "<a href='x'>".encode("utf-16-le") + b"<",
}


@pytest.mark.parametrize("source", ODD.values(), ids=ODD.keys())
def test_odd_documents_simply_work(source: bytes) -> None:
    assert run("extract", stdin=source).returncode == 0
    assert run("audit", "--fail-on", "never", stdin=source).returncode == 0
    for to in ("uri", "iri"):
        done = run("rewrite", "--to", to, stdin=source)
        assert done.returncode == 0
        assert run("rewrite", "--to", to, stdin=done.stdout).stdout == done.stdout


def test_a_long_line(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_bytes(b"<p>" + b"x" * 50_000_000 + b"<a href='a b'>")
    done = run("extract", "--format", "jsonl", path)
    assert json.loads(done.stdout)["column"] == 50_000_013
    assert run("rewrite", path).stdout.endswith(b"x<a href='a%20b'>")


def test_extract_formats(page: Path) -> None:
    (record,) = (
        json.loads(x)
        for x in run(
            "extract", "--format", "jsonl", "--base", "http://e.example/", page
        ).stdout.splitlines()
    )
    assert list(record) == ["file", "line", "column", "start", "end", "element", "namespace", "attribute", "kind", "value", "resolved", "charset", "embedded"]  # fmt: skip
    assert record["resolved"] == "http://e.example/%E6%A4%9C%E7%B4%A2?q=%8B%F3&r=1"
    assert record["charset"] == "Shift_JIS"
    table = run("extract", "--format", "csv", page).stdout.decode("utf-8")
    (row,) = csv.DictReader(io.StringIO(table, newline=""))
    assert row["value"] == "/検索?q=空&r=1"
    assert b"page.html:2:10: a@href  /" in run("extract", page).stdout


def test_hostile_values_are_inert() -> None:
    page = "<meta charset=utf-8><a href='\x1b[31m\u202egnp'><a href='=cmd()'>".encode()
    text = run("extract", stdin=page).stdout
    assert b"\x1b" not in text
    assert "\u202e".encode() not in text
    assert rb"\x1b[31m\u{202E}gnp" in text
    assert b"'=cmd()" in run("extract", "--format", "csv", stdin=page).stdout
    assert b"\x1b" not in run("audit", stdin=page).stdout


def test_audit_status_and_formats() -> None:
    dirty = b"<meta charset=utf-8><a href='/a b'>"
    done = run("audit", stdin=dirty)
    assert done.returncode == 1
    assert b"<stdin>:1:30: error DEL002 inner-whitespace" in done.stdout
    assert b"rewrite: /a%20b" in done.stdout
    assert run("audit", "--fail-on", "never", stdin=dirty).returncode == 0
    assert run("audit", "--fail-on", "error", stdin=b"<a href=x>").returncode == 0
    assert run("audit", "--fail-on", "warning", stdin=b"<a href=x>").returncode == 1
    (record,) = (
        json.loads(x) for x in run("audit", "--format", "jsonl", stdin=dirty).stdout.splitlines()
    )
    assert (record["rule"], record["first"], record["last"]) == ("DEL002", 2, 3)


def test_rules_have_pages() -> None:
    listed = run("rules").stdout.decode().splitlines()
    assert any(line.startswith("ENC001  error   stray-percent") for line in listed)
    page = run("rules", "stray-percent").stdout.decode()
    assert "Why it is bad" in page
    assert run("rules", "nonsense").returncode == 2


def test_a_closed_pipe_is_no_error() -> None:
    source = b"<a href=x>" * 200000
    command = f"{sys.executable} -m linkfix extract | head -1"
    done = subprocess.run(
        command, input=source, shell=True, capture_output=True, check=False, timeout=120
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_scope_options_and_settings(tmp_path: Path) -> None:
    source = b"<meta charset=utf-8><a href=1><img src=2 data-src=3><noscript><a href=4></noscript>"
    (tmp_path / "page.html").write_bytes(source)

    def values(*options: str) -> list[str]:
        done = run("extract", "--format", "jsonl", *options, "page.html", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return [json.loads(line)["value"] for line in done.stdout.splitlines()]

    assert values() == ["1", "2", "4"]
    assert values("--link", "*@data-src", "--skip", "a") == ["2", "3"]
    assert values("--only", "img@src") == ["2"]
    assert values("--no-scripting") == ["1", "2", "4"]
    assert values("--embedded", "noscript=off") == ["1", "2"]
    wrong = run("extract", "--embedded", "noscripts=off", "page.html", cwd=tmp_path)
    assert (wrong.returncode, b"'noscripts' is no kind" in wrong.stderr) == (2, True)
    assert run("extract", "--skip", "a b", stdin=source).returncode == 2
    (tmp_path / "pyproject.toml").write_text(
        '[tool.linkfix]\nlink = ["*@data-src"]\nskip = ["a"]\n'
    )
    assert values() == ["2", "3"]


def test_extract_says_that_a_base_came_late() -> None:
    done = run("extract", "--type", "html", stdin=b"<a href=x><base href=http://e.example/>")
    assert b"<stdin>:1:22: the base element comes after links that it rules" in done.stderr
    early = run("extract", "--type", "html", stdin=b"<base href=http://e.example/><a href=x>")
    assert early.stderr == b""


def test_extract_for_people() -> None:
    source = b'<meta charset=utf-8><a href="/%C3%A9%20b.">'
    found = run("extract", "--readable", "--base", "http://h/", "--type", "html", stdin=source)
    assert found.stdout.decode() == "<stdin>:1:30: a@href  /é%20b%2E  ->  http://h/é%20b%2E\n"
