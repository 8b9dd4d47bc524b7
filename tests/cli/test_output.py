"""What is written is harmless to whoever reads it: terminals, CI runners, strict readers of JSON."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import processes
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.cli.output import csv_cell, disarm, escape
from linkfix.sites.lines import json_line, json_text

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

# GitHub Actions trims a line and executes "::", or "##[" anywhere (actions/runner, ActionCommand.cs); Azure Pipelines
# executes "##vso[" anywhere, and "##[" at the start of a line.
COMMAND = re.compile(r"(?m)^\s*::|##[A-Za-z]*\[")
#: 表紙 in Shift_JIS, whose octets are not UTF-8.
HYOSHI = b"\x95\x5c\x8e\x86.html"
FORMATS = ["text", "jsonl", "sarif", "github", "junit", "csv", "html"]


def run(*arguments: str | bytes | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, cwd=cwd)


def strict(data: bytes) -> list[dict[str, Any]]:
    """Read JSON Lines as a reader that refuses lone surrogates."""
    records = [json.loads(line) for line in data.decode("ascii").splitlines()]
    assert records
    for record in records:
        json.dumps(record, ensure_ascii=False).encode("utf-8")
    if find_spec("orjson") is not None:
        orjson = import_module("orjson")
        assert [orjson.loads(line) for line in data.splitlines()] == records
    return records


pieces = st.lists(st.text(alphabet="::##[vs o\n", max_size=6), min_size=1, max_size=4)


@given(pieces)
def test_no_line_is_a_command(texts: list[str]) -> None:
    joined = "".join(disarm(*texts))
    assert not COMMAND.search(joined)
    assert joined.replace(r"\x3a", ":").replace(r"\x23", "#") == "".join(texts)


@given(st.text(alphabet=st.sampled_from("::##[v \t\x1b\u3000\udc93x")))
def test_no_text_json_or_cell_is_a_command(text: str) -> None:
    assert not COMMAND.search(escape(text))
    assert not COMMAND.search(csv_cell(text))
    assert not COMMAND.search(json_line({"value": text}))
    expected = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert json.loads(json_text({"value": text})) == {"value": expected}


@pytest.mark.parametrize(
    ("command", "form"),
    [*(("extract", form) for form in ("text", "jsonl", "csv")), *(("audit", f) for f in FORMATS)],
)
def test_no_document_emits_a_command(command: str, form: str, tmp_path: Path) -> None:
    hostile = ["::error file=app.js::boo|", ":\t:x", "http://[/##[stop-commands]t", "##vso[x]|"]
    links = "".join(f'<a href="{value}\n ::error::x">' for value in hostile)
    page = "::stop-commands::x.html"
    (tmp_path / page).write_text(f"<meta charset=utf-8>{links}")
    (tmp_path / "##[group]y.html").write_text("<base href=x><a href=y z><base href=z>")
    done = run(command, "--format", form, page, "##[group]y.html", cwd=tmp_path)
    assert done.returncode in {0, 1}
    assert done.stdout
    assert not COMMAND.search(done.stderr.decode())
    if form == "github":  # every line is a command of ours, and read as nothing else
        lines = done.stdout.decode().splitlines()
        assert all(re.match("::(error|warning|notice) file=", line) for line in lines)
    else:
        assert not COMMAND.search(done.stdout.decode())


def test_names_in_other_charsets_are_well_formed_json(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/" + HYOSHI, "wb") as file:  # noqa: PTH123 - bytes
        file.write(b"<meta charset=utf-8><a href='x y'><a href=missing.html>")
    name, octets = "%95\\%8E%86.html", HYOSHI.hex()
    for command in (["extract"], ["audit"]):
        done = run(*command, "--format", "jsonl", HYOSHI, cwd=tmp_path)
        for record in strict(done.stdout):
            assert (record["file"], record["file_octets"]) == (name, octets)
    run("rewrite", "--report", "r.jsonl", HYOSHI, cwd=tmp_path)
    (record,) = strict((tmp_path / "r.jsonl").read_bytes())
    assert (record["file"], record["file_octets"], record["new"]) == (name, octets, "x%20y")
    site = tmp_path / "site"
    site.mkdir()
    os.rename(os.fsencode(tmp_path) + b"/" + HYOSHI, os.fsencode(site) + b"/" + HYOSHI)  # noqa: PTH104
    run("migrate", "site", "new", "--report", "m.jsonl", cwd=tmp_path)
    records = strict((tmp_path / "m.jsonl").read_bytes())
    (document,) = [each for each in records if each["record"] == "document"]
    assert (document["file"], document["new_octets"]) == (name, octets)
    (tmp_path / "rules.csv").write_text("http://e.example/a,http://e.example/b\n")
    arguments = ["--map", "rules.csv", "--unmatched", "u.jsonl", "--base", "http://e.example/x"]
    with open(os.fsencode(tmp_path) + b"/" + HYOSHI, "wb") as file:  # noqa: PTH123 - bytes
        file.write(b"<meta charset=utf-8><a href='x y'>")
    run("rewrite", *arguments, HYOSHI, cwd=tmp_path)
    (record,) = strict((tmp_path / "u.jsonl").read_bytes())
    assert (record["file"], record["file_octets"]) == (name, octets)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_strict_utf_8(form: str, tmp_path: Path) -> None:
    data = '<script type="application/ld+json">{"url": "http://a.example/\\ud800 \\udc93"}</script>'
    with open(os.fsencode(tmp_path) + b"/" + HYOSHI, "wb") as file:  # noqa: PTH123 - bytes
        file.write(f"<meta charset=utf-8><a href='x y'>{data}".encode())
    done = run("audit", "--format", form, HYOSHI, cwd=tmp_path)
    text = done.stdout.decode("utf-8")
    assert "DEL002" in text
    if form == "jsonl":
        values = [record["value"] for record in strict(done.stdout)]
        assert "http://a.example/\ufffd \ufffd" in values
    if form == "sarif":
        json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8")
    if form == "html":
        for block in re.findall(
            r'(?s)<script type="application/json" id="\w+">(.*?)</script>', text
        ):
            json.dumps(json.loads(block), ensure_ascii=False).encode("utf-8")


def test_a_quiet_extract_writes_only_links(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href=x><base href=/y/>")
    assert b"the base element comes after" in run("extract", "a.html", cwd=tmp_path).stderr
    done = run("extract", "-q", "a.html", cwd=tmp_path)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.count(b"\n") == 2


def test_a_value_is_whole_in_csv(tmp_path: Path) -> None:
    """Escape sequences of terminals are data where no terminal reads them."""
    value = "x\x1b[31my\x1b[0mz"
    (tmp_path / "a.html").write_text(f"<meta charset=utf-8><a href='{value}'>")
    done = run("extract", "--format", "csv", "a.html", cwd=tmp_path)
    (row,) = csv.DictReader(io.StringIO(done.stdout.decode()))
    assert row["value"] == value


# --- what is written replaces no document ---------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "s", "-o", "s/a.html"),
        ("audit", "s", "--format", "html", "-o", "s/a.html"),
        ("audit", "s", "--baseline", "s/a.html", "--write-baseline"),
        ("graph", "s", "-o", "s/a.html"),
        ("rewrite", "-i", "s", "--report", "s/a.html"),
        ("rewrite", "-i", "s", "--map", "map.csv", "--unmatched", "s/a.html"),
        ("mv", "--root", "s", "b.html", "c.html", "--report", "s/a.html"),
        ("mv", "--root", "s", "a.html", "c.html", "--redirects", "s", "--redirect-format", "html"),
        ("migrate", "s", "new", "--report", "s/a.html"),
        ("migrate", "s", "new", "--rename", ".html=.htm", "--redirects", "s/a.html"),
    ],
)
def test_no_report_replaces_a_document(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    old = {"a.html": b'<meta charset=utf-8><a href="b c">', "b.html": b"<a href=a.html>"}
    (tmp_path / "s").mkdir()
    for name, content in old.items():
        (tmp_path / "s" / name).write_bytes(content)
    (tmp_path / "map.csv").write_text("http://a.example/,http://b.example/\n")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode in {2, 3}, done.stderr
    assert b"a.html: this is " in done.stderr
    assert {each.name: each.read_bytes() for each in (tmp_path / "s").iterdir()} == old
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("command", "form"),
    [("audit", form) for form in ("html", "junit")] + [("graph", "graphml")],
)
def test_a_report_replaces_an_earlier_one(tmp_path: Path, command: str, form: str) -> None:
    (tmp_path / "s").mkdir()
    for content in (b"<a href='b c'>", b""):
        (tmp_path / "s" / "a.html").write_bytes(content)
        done = run(command, "s", "--format", form, "-o", "report.html", cwd=tmp_path)
        assert done.returncode < 2, done.stderr
    assert b"b c" not in (tmp_path / "report.html").read_bytes()


def test_only_a_baseline_is_replaced_by_one(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<a href='b c'>")
    write = ("audit", "a.html", "--write-baseline", "--baseline", "known")
    for text in ("notes", '{"findings": 1}'):
        (tmp_path / "known").write_text(text)
        assert b"this is no baseline" in run(*write, cwd=tmp_path).stderr
        assert (tmp_path / "known").read_text() == text
    for text in ("", '{"linkfix-baseline": 9, "findings"'):
        (tmp_path / "known").write_text(text)
        assert run(*write, cwd=tmp_path).returncode == 0
    assert run(*write, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("mv", "--root", "s", "a.html", "c.html", "--report", "none/x"),
        ("rewrite", "-i", "s", "--report", "none/x"),
        ("migrate", "s", "new", "--report", "none/x"),
        ("audit", "s", "--write-baseline", "--baseline", "none/x"),
        ("graph", "s", "-o", "none/x"),
    ],
)
def test_nothing_is_done_where_a_report_has_no_folder(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    page = tmp_path / "s" / "a.html"
    page.parent.mkdir()
    page.write_bytes(b"<meta charset=utf-8><a href='b c'>")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == b"linkfix: none/x: cannot write it: No such file or directory; check the name\n"  # fmt: skip
    assert page.read_bytes() == b"<meta charset=utf-8><a href='b c'>"
    assert {each.name for each in tmp_path.iterdir()} == {"s"}
