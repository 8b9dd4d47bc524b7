"""``linkfix rewrite --map`` and the style of references, as their users meet them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import processes
import pytest

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

BASE = "http://old.example/d/p.html"
#: The address of the folder that it is in.
SITE = BASE.rpartition("/")[0] + "/"
PAGE = b'<meta charset=utf-8><a href="x"><a href="http://other.example/"><a href="#t"><a href="http://old.example/q?\xc3\xa9">'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.html").write_bytes(PAGE)
    (tmp_path / "map.csv").write_text(
        "http://old.example/,https://new.example/,prefix\nhttp://old.example/never,/n\n"
    )
    return tmp_path


def rewrite(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return processes.run("rewrite", *arguments, cwd=folder)


def test_a_map_with_its_summary_and_what_it_did_not_match(folder: Path) -> None:
    options = ("--map", "map.csv", "--unmatched", "unmatched.jsonl", "--base", BASE)
    done = rewrite(folder, "p.html", *options)
    assert (done.stdout, done.returncode) == (
        b'<meta charset=utf-8><a href="x"><a href="http://other.example/"><a href="#t"><a href="https://new.example/q?%C3%A9">',
        0,
    )
    assert done.stderr.decode().splitlines() == [
        "linkfix: p.html: 1 link rewritten, 3 mapped",
        "linkfix: map.csv:2: this rule was never used: http://old.example/never (exact)",
        "linkfix: map.csv: 3 links mapped, 1 matched no rule; 1 of 2 rules were never used; documents: 1",
    ]
    (line,) = (folder / "unmatched.jsonl").read_text().splitlines()
    record = json.loads(line)
    assert PAGE[record["start"] : record["end"]] == b"http://other.example/"
    assert record["resolved"] == record["value"] == "http://other.example/"


def test_one_summary_for_many_documents_in_place(folder: Path) -> None:
    (folder / "q.html").write_bytes(PAGE)
    done = rewrite(folder, "-i", "p.html", "q.html", "--map", "map.csv", "--base", BASE)
    mapped, rewritten = done.stderr.splitlines()[-2:]
    assert b"6 links mapped, 2 matched no rule" in mapped
    assert b"2 documents: 2 links rewritten in 2 documents" in rewritten
    assert done.stderr.count(b"never used: ") == 1
    assert (folder / "p.html").read_bytes() == (folder / "q.html").read_bytes() != PAGE


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("--absolute", ["http://old.example/d/x", "http://old.example/q?%C3%A9"]),
        ("--relative", ["x", "../q?%C3%A9"]),
        ("--root-relative", ["/d/x", "/q?%C3%A9"]),
    ],
)
def test_styles(folder: Path, style: str, expected: list[str]) -> None:
    done = rewrite(folder, "p.html", style, "--base", BASE)
    first, second = (value.encode() for value in expected)
    assert done.stdout == PAGE.replace(b'"x"', b'"%s"' % first).replace(
        b"http://old.example/q?\xc3\xa9", second
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--relative"], "--relative needs --base"),
        (["--unmatched", "x.jsonl"], "--unmatched needs --map"),
        (["--map", "missing.csv"], "missing.csv: No such file or directory"),
        (["--map", "map.csv"], "map.csv:2:26: '/n' is no absolute IRI"),
        (["--map", "latin1.csv"], "latin1.csv:2: the map is not in UTF-8 (byte offset 13)"),
        (["--map", "p.toml"], "p.toml:1:"),
        (["--map", "empty.csv"], "empty.csv: this map has no rules; write one rule a line"),
        (["--map", "empty.toml"], "empty.toml: this map has no rules"),
        (
            ["--absolute", "--relative", "--base", SITE],
            "--absolute and --relative exclude each other",
        ),
        (["--base", "mailto:x"], "nothing can be resolved against 'mailto:x'"),
    ],
)
def test_wrong_use_does_nothing(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "latin1.csv").write_bytes(b"old,new\nhttp:\xff")
    (folder / "p.toml").write_bytes(PAGE)
    (folder / "empty.csv").write_text("old,new\n")
    (folder / "empty.toml").write_text("[prefix]\n")
    done = rewrite(folder, "-i", "p.html", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert (folder / "p.html").read_bytes() == PAGE


def test_all_wrong_rules_are_named(folder: Path) -> None:
    (folder / "bad.csv").write_text("a,b\nhttp://a.example/,data:x\nhttp://b.example/,c\n")
    done = rewrite(folder, "p.html", "--map", "bad.csv")
    assert [line.split(b" ")[1] for line in done.stderr.splitlines()] == [
        b"bad.csv:1:1:",
        b"bad.csv:2:19:",
        b"bad.csv:3:19:",
    ]


def test_settings_may_name_the_map_and_the_style(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        f'[tool.linkfix.rewrite]\nmap = "map.csv"\nroot-relative = true\n[tool.linkfix.site]\nbase = "{SITE}"\n'
    )
    done = rewrite(folder, "p.html")
    assert b'<a href="/d/x">' in done.stdout
    assert b"links mapped" in done.stderr
