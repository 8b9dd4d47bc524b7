"""What ``linkfix audit`` does with its options: rules, settings, baselines, fixes."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import processes
import pytest

from linkfix.auditing import Severity

if TYPE_CHECKING:
    from pathlib import Path


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, input=stdin, cwd=cwd)


def codes(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> list[str]:
    done = run("audit", "--format", "jsonl", *arguments, stdin=stdin, cwd=cwd)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line)["rule"] for line in done.stdout.splitlines()]


DIRTY = b"<meta charset=utf-8>\n<a href='/a b'>\n<a href='/%7Ea%zz'>\n"


# --- which rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["DEL002", "ENC009", "ENC001"]),
        (["--select", "ENC"], ["ENC009", "ENC001"]),
        (["--select", "stray-percent,DEL002"], ["DEL002", "ENC001"]),
        (["--ignore", "enc"], ["DEL002"]),
        (["--select", "ENC001", "--ignore", "ENC"], ["ENC001"]),
        (["--select", "ENC", "--ignore", "ENC001"], ["ENC009"]),
        (["--select", "ALL", "--ignore", "inner-whitespace"], ["ENC009", "ENC001"]),
    ],
)
def test_select_and_ignore(arguments: list[str], expected: list[str]) -> None:
    assert codes(*arguments, stdin=DIRTY) == expected


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("selector", ["ENC999", "E", "no-such-rule"])
def test_a_rule_that_does_not_exist_is_wrong_usage(option: str, selector: str) -> None:
    done = run("audit", option, selector, stdin=DIRTY)
    assert done.returncode == 2
    assert selector.encode() in done.stderr


@pytest.mark.parametrize("severity", Severity)
def test_fail_on(severity: Severity) -> None:
    worst = {"error": DIRTY, "warning": b"<meta charset=utf-8><a href='/%E4'>"}
    source = worst.get(severity, b"<meta charset=utf-8><a href='/%7E'>")
    assert run("audit", "--fail-on", severity, stdin=source).returncode == 1
    for other in Severity:
        status = run("audit", "--fail-on", other, stdin=source).returncode
        assert status == int(severity.at_least(other))
    assert run("audit", "--fail-on", "never", stdin=source).returncode == 0


def test_quiet_leaves_findings_and_errors(tmp_path: Path) -> None:
    page, bad = tmp_path / "page.html", tmp_path / "bad.xml"
    page.write_bytes(DIRTY)
    bad.write_bytes(b"<a>")
    said, quiet = (run("audit", *option, page, bad) for option in ([], ["-q"]))
    summary = b"linkfix: 1 document, 2 links: 2 errors, 0 warnings, 1 piece of advice"
    assert summary in said.stderr
    assert quiet.stderr.count(b"\n") == 1
    assert b"bad.xml" in quiet.stderr
    assert (quiet.stdout, quiet.returncode) == (said.stdout, said.returncode)


# --- settings -------------------------------------------------------------------------------------


def settings(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    (folder / "archive").mkdir()
    for name in ("page.html", "archive/page.html"):
        (folder / name).write_bytes(DIRTY)
    return folder


def test_settings_are_found_above_and_give_way_to_options(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.linkfix.audit]\nignore = ["ENC"]\nfail-on = "never"\n')
    assert codes("page.html", cwd=tmp_path) == ["DEL002"]
    assert codes("page.html", cwd=tmp_path / "archive") == ["DEL002"]
    assert run("audit", "page.html", cwd=tmp_path).returncode == 0
    assert run("audit", "--fail-on", "error", "page.html", cwd=tmp_path).returncode == 1
    assert "ENC001" in codes("--ignore", "DEL", "page.html", cwd=tmp_path)


def test_a_nearer_file_without_settings_does_not_hide_them(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.linkfix.audit]\nselect = "DEL"\n')
    (tmp_path / "archive" / "pyproject.toml").write_text('[project]\nname = "uses-linkfix"\n')
    assert codes("page.html", cwd=tmp_path / "archive") == ["DEL002"]


def test_shared_settings_apply_to_every_command(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.linkfix.site]\nbase = "https://e.example/x/"\n')
    done = run("extract", "--format", "jsonl", "page.html", cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[0])["resolved"] == "https://e.example/a%20b"
    assert codes("page.html", cwd=tmp_path)


def test_rules_are_ignored_by_path(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.linkfix.audit.per-file-ignores]\n"archive/*" = ["ENC", "DEL002"]\n')
    assert codes("page.html", cwd=tmp_path) == ["DEL002", "ENC009", "ENC001"]
    assert codes("archive/page.html", cwd=tmp_path) == []
    assert codes("page.html", cwd=tmp_path / "archive") == []


@pytest.mark.parametrize(
    "text",
    ["[tool.linkfix.audit]\nfail-upon = 1\n", "[tool.linkfix\n", "[tool]\nlinkfix = 3\n",
     '[tool.linkfix.audit]\nselect = ["ENC999"]\n', "[tool.linkfix]\naudit = 1\n",
     '[tool.linkfix.audit.per-file-ignores]\n"*" = ["ENC999"]\n',
     '[tool.linkfix.audit]\nper-file-ignores = ["ENC"]\n'],
)  # fmt: skip
def test_wrong_settings_are_wrong_usage(tmp_path: Path, text: str) -> None:
    settings(tmp_path, text)
    done = run("audit", "page.html", cwd=tmp_path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


# --- baseline -------------------------------------------------------------------------------------


def test_a_baseline_leaves_only_new_findings(tmp_path: Path) -> None:
    page, known = tmp_path / "page.html", tmp_path / "known.json"
    page.write_bytes(DIRTY)
    done = run("audit", "--baseline", known, "--write-baseline", page)
    assert (done.returncode, done.stdout) == (0, b"")
    assert codes("--baseline", known, page) == []
    page.write_bytes(b"\n\n<p>" + DIRTY + b"<a href='/a b'><a href='/new one'>")
    done = run("audit", "--format", "jsonl", "--baseline", known, page)
    assert done.returncode == 1
    assert [json.loads(line)["value"] for line in done.stdout.splitlines()] == ["/a b", "/new one"]
    assert b"3 in the baseline" in done.stderr


def test_what_is_no_baseline_is_wrong_usage(tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    assert run("audit", "--baseline", known, stdin=DIRTY).returncode == 2
    for text in ("", "[]", '{"linkfix-baseline": 9, "findings": {}}', '{"findings": 1}'):
        known.write_text(text)
        assert run("audit", "--baseline", known, stdin=DIRTY).returncode == 2
    assert run("audit", "--write-baseline", stdin=DIRTY).returncode == 2


# --- fix and diff ---------------------------------------------------------------------------------


def test_fix_removes_the_findings_of_the_chosen_rules(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(DIRTY + b"<!-- linkfix: ignore DEL002 --><a href='/c d'>")
    done = run("audit", "--fix", "--select", "DEL002", page)
    assert (done.returncode, done.stdout) == (0, b"")
    fixed = DIRTY.replace(b"/a b", b"/a%20b") + b"<!-- linkfix: ignore DEL002 --><a href='/c d'>"
    assert page.read_bytes() == fixed
    assert b"1 fixed" in done.stderr


def test_fix_reports_the_remaining_findings_and_leaves_other_files_alone(tmp_path: Path) -> None:
    page, clean = tmp_path / "page.html", tmp_path / "clean.html"
    page.write_bytes(b"<meta charset=utf-8><a href='/%E4 x'>")
    clean.write_bytes(b"<meta charset=utf-8><a href=x>")
    before = clean.stat()
    done = run("audit", "--fix", "--format", "jsonl", "--fail-on", "warning", page, clean)
    assert [json.loads(line)["rule"] for line in done.stdout.splitlines()] == ["ENC002"]
    assert done.returncode == 1
    assert page.read_bytes() == b"<meta charset=utf-8><a href='/%E4%20x'>"
    assert (clean.stat().st_ino, clean.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_a_fix_says_why_it_leaves_a_link(tmp_path: Path, option: str) -> None:
    page = tmp_path / "page.html"
    source = b"<p><a href='/a b'>x</a>" + b"y" * 981 + b"<meta charset=utf-8><a href='/c d'>"
    page.write_bytes(source)
    done = run("audit", option, "--select", "DEL002", "--fail-on", "warning", page)
    assert done.returncode == 1
    assert f"{page}:1:13: the link is left: ".encode() in done.stderr
    assert b"byte 1,024" in done.stderr
    if option == "--fix":
        assert page.read_bytes() == source.replace(b"c d", b"c%20d")
        assert done.stdout.count(b"DEL002") == 1


def test_fix_climbs_the_ladder_on_request(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<meta charset=utf-8><a href='HTTP://E.example:80/%7Ea%c3%a9'>")
    assert run("audit", "--fix", "--normalize", "scheme", "--fail-on", "advice", page).returncode == 0  # fmt: skip
    assert page.read_bytes() == b"<meta charset=utf-8><a href='http://e.example/~a%C3%A9'>"


@pytest.mark.parametrize("arguments", [["--fix"], ["--fix", "-"], ["--fix", "--diff", "x.html"]])
def test_what_cannot_be_fixed_is_wrong_usage(arguments: list[str]) -> None:
    assert run("audit", *arguments, stdin=DIRTY).returncode == 2


def test_a_diff_of_standard_input_counts_it_once() -> None:
    done = run("audit", "--diff", "-", stdin=b"<meta charset=utf-8><a href='/a b'>")
    assert b"+<meta charset=utf-8><a href='/a%20b'>" in done.stdout
    assert done.stderr.startswith(b"linkfix: 1 document, 1 link: 1 error, 0 warnings")


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch program")
@pytest.mark.parametrize("charset", ["utf-8", "shift_jis", "utf-16"])
def test_patch_applies_the_diff(tmp_path: Path, charset: str) -> None:
    source = "<meta charset=shift_jis>\n<a href='/検 索'>\n\n<a href='/x'>\n".encode(charset)
    for name in ("one.html", "two.html"):
        (tmp_path / name).write_bytes(source)
    label = [] if charset == "shift_jis" else ["--charset", charset]
    done = run("audit", "--diff", *label, "one.html", "two.html", cwd=tmp_path)
    assert done.returncode == 1
    assert (tmp_path / "one.html").read_bytes() == source
    subprocess.run(["patch", "-p0"], input=done.stdout, cwd=tmp_path, check=True, capture_output=True)  # fmt: skip
    patched = (tmp_path / "one.html").read_bytes()
    assert patched != source
    assert run("audit", "--fix", *label, "two.html", cwd=tmp_path).returncode == 0
    assert (tmp_path / "two.html").read_bytes() == source.replace(*_difference(source, patched))
    assert (b"NUL bytes" in done.stderr) == (charset == "utf-16")


def _difference(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """The line that differs, before and after; nothing else may."""
    pairs = zip(old.split(b"\n"), new.split(b"\n"), strict=True)
    ((before, after),) = [pair for pair in pairs if pair[0] != pair[1]]
    return before, after
