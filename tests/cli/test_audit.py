"""What ``linkfix audit`` does with its options, and that no format lets a hostile value act."""

from __future__ import annotations

import base64
import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import etree

from linkfix.auditing import Severity, rules
from linkfix.cli.formats import FORMATS


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "linkfix", *map(str, arguments)]
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=cwd, check=False, timeout=120
    )


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


def test_shared_settings_hold_for_every_command(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.linkfix]\nbase = "https://e.example/x/"\n')
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


def test_fix_settles_what_the_chosen_rules_find(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(DIRTY + b"<!-- linkfix: ignore DEL002 --><a href='/c d'>")
    done = run("audit", "--fix", "--select", "DEL002", page)
    assert (done.returncode, done.stdout) == (0, b"")
    fixed = DIRTY.replace(b"/a b", b"/a%20b") + b"<!-- linkfix: ignore DEL002 --><a href='/c d'>"
    assert page.read_bytes() == fixed
    assert b"1 fixed" in done.stderr


def test_fix_reports_what_it_cannot_settle_and_leaves_clean_files_alone(tmp_path: Path) -> None:
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


def test_fix_climbs_the_ladder_if_told_to(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<meta charset=utf-8><a href='HTTP://E.example:80/%7Ea%c3%a9'>")
    assert run("audit", "--fix", "--normalize", "scheme", "--fail-on", "advice", page).returncode == 0  # fmt: skip
    assert page.read_bytes() == b"<meta charset=utf-8><a href='http://e.example/~a%C3%A9'>"


@pytest.mark.parametrize("arguments", [["--fix"], ["--fix", "-"], ["--fix", "--diff", "x.html"]])
def test_what_cannot_be_fixed_is_wrong_usage(arguments: list[str]) -> None:
    assert run("audit", *arguments, stdin=DIRTY).returncode == 2


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


# --- output ---------------------------------------------------------------------------------------


def test_output_goes_to_a_file_whole_or_not_at_all(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    done = run("audit", "--format", "jsonl", "-o", report, stdin=DIRTY)
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(report.read_bytes().splitlines()) == 3
    assert run("audit", "-o", tmp_path / "no" / "x", stdin=DIRTY).returncode == 3
    assert [path.name for path in tmp_path.iterdir()] == ["report.jsonl"]


def test_a_document_that_fails_is_told_in_every_format(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"<rss><link>http://a/</rss>")
    for name in FORMATS:
        done = run("audit", "--format", name, bad, tmp_path / "missing.html")
        assert done.returncode == 3
        assert b"mismatched tag" in done.stderr
        if name in ("sarif", "junit", "html"):
            assert b"mismatched tag" in done.stdout


HOSTILE = (
    "/</script><img src=x onerror=alert(1)>",
    "/\u202egnp.exe\u2066",
    "/\x1b]0;title\x07\x1b[31m\x9b31m",
    "=cmd|' /C calc'!A0",
    "+1\t@SUM(1)",
    "/a\r\n::error::b%0A::set-output name=x::y",
    "/]]>&<!--\0-->\u2028\ud800\ufffe",
    "/\U000e0041\u200b\xad",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "a\x1b[31m\u202e<b>\n::error::,x=1.html"
    links = "".join(
        "<a href='" + "".join(f"&#{ord(char)};" for char in value) + "'>" for value in HOSTILE
    )
    path.write_bytes(f"<meta charset=utf-8>{links}".encode())
    return path


#: Controls, bidirectional formatting and other characters that act on what shows them.
ACTING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufffe\ufeff\U000e0000-\U000e0fff]"
)


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_values_are_inert(hostile: Path, name: str) -> None:
    done = run("audit", "--format", name, "--fail-on", "never", hostile)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("utf-8")
    assert len(text) > 1000
    assert not ACTING.search(text)
    assert not ACTING.search(done.stderr.decode("utf-8"))
    if name == "text":
        assert not any(line.startswith("::") for line in text.splitlines())
    if name == "github":
        lines = text.splitlines()
        assert all(re.match(r"::(error|warning|notice) file=[^,:]+,line=\d+,", x) for x in lines)
    if name == "html":
        assert text.count("<script") == 3
        assert text.count("</script>") == 3
        assert "<img" not in text
        assert "onerror=" not in re.sub(
            r'(?s)<script type="application/json".*?</script>', "", text
        )
    if name == "csv":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        assert not any(
            cell.startswith(("=", "+", "-", "@", "\t", "\r")) for r in rows for cell in r
        )
    if name == "junit":
        root = etree.fromstring(done.stdout)
        assert int(root[0].get("failures", "")) == len(root.findall(".//failure")) > 5


# --- machine-readable formats ---------------------------------------------------------------------

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-used.schema.json").read_text("utf-8"))


def sarif(*arguments: str | Path, stdin: bytes = b"") -> dict[str, Any]:
    done = run("audit", "--format", "sarif", "--fail-on", "never", *arguments, stdin=stdin)
    log: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_sarif_is_valid_and_points_at_the_bytes(hostile: Path, tmp_path: Path) -> None:
    sarif(hostile)
    sarif(stdin=b"<a href=x>")
    page = tmp_path / "a page.html"
    page.write_bytes("<meta charset=utf-8>é\n<a href='/ä b'>".encode())
    (run_,) = sarif(page)["runs"]
    (result,) = run_["results"]
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    start = region["byteOffset"]
    assert page.read_bytes()[start : start + region["byteLength"]] == "/ä b".encode()
    assert (region["startLine"], region["startColumn"]) == (2, 10)
    assert place["artifactLocation"]["uri"] == page.as_uri()
    assert (
        run_["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "DEL002"
    )
    assert len(run_["tool"]["driver"]["rules"]) == len(rules())


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("utf-8", "<meta charset=utf-8>é\n<a href='/ä b'><a href=\"/c\r\n\r\nd\">"),
        ("cp932", "<meta charset=shift_jis>\r<p>表<a href=/表&amp;\\x?空|>"),
        ("utf-16-le", "\ufeff<a href='/a b'>\n\n<a href='/ü|'>"),
        ("iso-2022-jp", "<meta charset=iso-2022-jp><p>空<a href='/空 x'>"),
    ],
)
def test_the_fixes_of_sarif_are_those_of_fix(tmp_path: Path, codec: str, text: str) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(text.encode(codec))
    (run_,) = sarif(page)["runs"]
    fixes = [fix for result in run_["results"] for fix in result.get("fixes", ())]
    replacements: dict[int, dict[str, Any]] = {}
    for fix in fixes:
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"]["uri"] == page.as_uri()
        (replacement,) = change["replacements"]
        offset = replacement["deletedRegion"]["byteOffset"]
        assert replacements.setdefault(offset, replacement) == replacement
    octets = page.read_bytes()
    lines = [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", text))]
    mark = text.startswith("\ufeff")
    for offset, replacement in sorted(replacements.items(), reverse=True):
        region, new = replacement["deletedRegion"], replacement["insertedContent"]
        last = offset + region["byteLength"]
        octets = octets[:offset] + base64.b64decode(new["binary"]) + octets[last:]
        first, last = (
            lines[region[f"{end}Line"] - 1] + region[f"{end}Column"] - 1 for end in ("start", "end")
        )
        if mark and region["startLine"] == 1:  # no column is the mark's
            first, last = first + 1, last + 1
        text = text[:first] + new["text"] + text[last:]
    run("audit", "--fix", "--fail-on", "never", page)
    assert replacements
    assert octets == page.read_bytes()
    assert text == octets.decode(codec)


def test_the_sarif_schema_refuses_what_is_wrong() -> None:
    log = sarif(stdin=DIRTY)
    log["runs"][0]["results"][0]["level"] = "advice"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(log)


def test_junit_counts() -> None:
    root = etree.fromstring(run("audit", "--format", "junit", stdin=DIRTY).stdout)
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "3", "0")
    (suite,) = etree.fromstring(run("audit", "--format", "junit", stdin=b"<meta charset=utf-8>").stdout)  # fmt: skip
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_text_marks_what_is_wrong() -> None:
    source = "<meta charset=utf-8><a href='/検索 x'>".encode()
    lines = run("audit", "--select", "DEL", stdin=source).stdout.decode("utf-8").splitlines()
    assert lines[1:] == ["    /検索 x", "         ^", "    rewrite: /%E6%A4%9C%E7%B4%A2%20x"]


# --- terminals ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose findings are megabytes, in characters of three bytes, and a page without links."""
    folder = tmp_path_factory.mktemp("large")
    links = "".join(f"<a href='/検 {number}'>" for number in range(7000))
    page = f"<meta charset=utf-8><a href='/{'検 ' * 30_000}'>{links}"
    (folder / "a.html").write_text(page, "utf-8")
    (folder / "b.html").write_text("<meta charset=utf-8>")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        *(f"audit --format {form}" for form in FORMATS if form not in ("junit", "html")),
        *("audit --diff", "extract", "extract --format csv", "extract --format jsonl"),
    ],
)
def test_a_worker_hands_over_long_outputs_as_they_are(large: Path, arguments: str) -> None:
    """A document alone is processed in this process."""
    alone = run(*arguments.split(), "a.html", cwd=large)
    by_workers = run(*arguments.split(), "-j", "1", "a.html", "b.html", cwd=large)
    assert len(alone.stdout) > 262_144
    same = by_workers.stdout == alone.stdout  # pytest would compare megabytes line by line
    assert same
    assert by_workers.returncode == alone.returncode


@pytest.mark.parametrize("form", ["junit", "html"])
def test_long_outputs_of_workers_are_well_formed(large: Path, form: str) -> None:
    done = run("audit", "--format", form, "-j", "1", large)
    if form == "junit":
        assert len(etree.fromstring(done.stdout, etree.XMLParser(huge_tree=True))) == 2
    else:
        text = done.stdout.decode().partition('id="findings">')[2].partition("</script>")[0]
        assert len(json.loads(text)) > 7000


def test_a_worker_hands_over_a_long_baseline_as_it_is(large: Path, tmp_path: Path) -> None:
    for name, arguments in (("alone", ["a.html"]), ("workers", ["-j", "1", "a.html", "b.html"])):
        done = run(
            "audit", "--write-baseline", "--baseline", tmp_path / name, *arguments, cwd=large
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "alone").stat().st_size > 262_144
    same = (tmp_path / "alone").read_bytes() == (tmp_path / "workers").read_bytes()
    assert same


def on_a_terminal(*arguments: str | Path, stream: str, cwd: Path) -> str:
    """What a command writes to one of its streams while that is a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "linkfix", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: follower}
    environment = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    environment |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    process = subprocess.Popen(command, cwd=cwd, env=environment, **pipes)
    os.close(follower)
    text = b""
    with contextlib.suppress(OSError):  # Linux says EIO at the end
        while data := os.read(leader, 65536):
            text += data
    process.communicate(timeout=60)
    os.close(leader)
    return text.decode("utf-8")


def test_a_terminal_gets_colours_and_nothing_that_acts(hostile: Path, tmp_path: Path) -> None:
    shown = on_a_terminal("audit", hostile, stream="stdout", cwd=tmp_path)
    colours = re.compile(r"\x1b\[[0-9;]*m")
    assert len(colours.findall(shown)) > 20
    plain = colours.sub("", shown.replace("\r\n", "\n"))
    assert not ACTING.search(plain)
    assert plain == run("audit", hostile).stdout.decode("utf-8")


def test_a_terminal_shows_progress_over_many_documents(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(30)]
    for name in names:
        (tmp_path / name).write_bytes(DIRTY)
    shown = on_a_terminal("audit", *names, stream="stderr", cwd=tmp_path)
    assert "30/30" in shown
    assert "documents per second" in shown
    assert "per second" not in run("audit", *names, cwd=tmp_path).stderr.decode()
