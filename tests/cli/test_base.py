"""A site has one base: the base of a document is that of its folder plus its path, in every command."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import processes
import pytest

if TYPE_CHECKING:
    import subprocess

BASE = "http://old.example/"
PAGE = '<meta charset=utf-8><a href="a.html">'


def run(
    *arguments: str | Path, cwd: Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, cwd=cwd, input=stdin)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("m/page.html", "m/sub/page.html", "m/sub/index.html"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGE)
    return tmp_path


def resolved(site: Path, *arguments: str) -> dict[str, str | None]:
    """The targets of the links of documents, by their files."""
    done = run("extract", "--format", "jsonl", *arguments, cwd=site)
    assert done.returncode == 0, done.stderr
    records = map(json.loads, done.stdout.splitlines())
    return {record["file"]: record["resolved"] for record in records}


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("--root-relative", "/sub/a.html"),
        ("--absolute", "http://old.example/sub/a.html"),
        ("--relative", "a.html"),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_styles_of_a_folder(style: str, expected: str, jobs: str, site: Path) -> None:
    done = run("rewrite", "-o", "o", "-j", jobs, style, "--base", BASE, "m", cwd=site)
    assert done.returncode == 0
    assert (site / "o/sub/page.html").read_text() == PAGE.replace("a.html", expected)


def test_a_map_for_a_folder(site: Path) -> None:
    (site / "map.csv").write_text("/a.html,/top.html\n/sub/a.html,http://new.example/inner.html\n")
    done = run("rewrite", "-o", "o", "--map", "map.csv", "--base", BASE, "m", cwd=site)
    assert done.returncode == 0
    assert 'href="top.html"' in (site / "o/page.html").read_text()
    assert 'href="http://new.example/inner.html"' in (site / "o/sub/page.html").read_text()


def test_the_rules_of_the_site(site: Path) -> None:
    (site / "m/sub/page.html").write_text(PAGE + '<a href="Index.html">')
    (site / "m/page.html").write_text(PAGE + '<a href="index.html">')
    # The first is http://old.example/sub/Index.html, the second is not in that folder.
    audit = ("audit", "--select", "SIT", "--format", "jsonl", "--base", BASE, "m")
    assert run(*audit, cwd=site).stdout == b""
    (site / "m/page.html").write_text(PAGE + '<a href="sub/index.html">')
    for jobs in "1", "2":
        (line,) = run(*audit, "-j", jobs, cwd=site).stdout.splitlines()
        record = json.loads(line)
        assert record["name"] == "case-variants"
        assert "http://old.example/sub/" in record["message"]


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        (["m"], "m"),
        (["m/**/*.html"], "m"),
        (["m/sub"], "m/sub"),
        (["m/page.html", "m/sub/page.html"], "m"),
        (["m/sub/page.html", "m/sub/index.html"], "m/sub"),
        (["--root", ".", "m"], "."),
        (["--root", "m", "m/sub/page.html"], "m"),
        ([f"--root={'{}'}/m", "m/sub"], "m"),
    ],
)
def test_the_folder_of_a_base(paths: list[str], folder: str, site: Path) -> None:
    given = [path.replace("{}", str(site)) for path in paths]
    for path, uri in resolved(site, "--base", "http://old.example/docs", *given).items():
        inside = Path(path).parent.relative_to(folder).as_posix()
        assert uri == f"http://old.example/docs/{inside}/a.html".replace("/./", "/")


def test_a_single_document_has_the_base_itself(site: Path) -> None:
    base = "http://old.example/x/y"
    assert resolved(site, "--base", base, "m/sub/page.html") == {
        "m/sub/page.html": "http://old.example/x/a.html"
    }
    done = run("rewrite", "--absolute", "--base", base, cwd=site, stdin=PAGE.encode())
    assert b'href="http://old.example/x/a.html"' in done.stdout


def test_settings(site: Path) -> None:
    (site / "pyproject.toml").write_text(f'[tool.linkfix.site]\nbase = "{BASE}"\n')
    done = run("rewrite", "-o", "o", "--root-relative", "m", cwd=site)
    assert done.returncode == 0
    assert 'href="/sub/a.html"' in (site / "o/sub/page.html").read_text()
    # The address of a file argument follows from its path below the settings.
    named = resolved(site / "m", "sub/page.html")
    assert named == {"sub/page.html": "http://old.example/m/sub/a.html"}
    (site / "pyproject.toml").write_text(f'[tool.linkfix.site]\nbase = "{BASE}"\nroot = "m"\n')
    assert resolved(site / "m/sub", "page.html") == {"page.html": "http://old.example/sub/a.html"}
    assert set(resolved(site, "m/sub").values()) == {"http://old.example/sub/a.html"}
    for base in ('"example.org"', '""'):
        (site / "pyproject.toml").write_text(f"[tool.linkfix.site]\nbase = {base}\n")
        done = run("rewrite", "m/page.html", cwd=site)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"is no absolute IRI" in done.stderr


def test_index_files_have_the_address_of_their_folder(site: Path) -> None:
    (site / "map.csv").write_text("/sub/,http://new.example/dir/\n")
    arguments = ("--map", "map.csv", "--base", BASE, "--index", "index.html")
    assert run("rewrite", "-o", "o", *arguments, "m", cwd=site).returncode == 0
    # The folder moved with its index file, whose links keep their targets.
    moved = (site / "o/sub/index.html").read_text()
    assert moved == PAGE.replace("a.html", "http://old.example/sub/a.html")
    assert (site / "o/sub/page.html").read_text() == PAGE


def test_names_are_percent_encoded(tmp_path: Path) -> None:
    for name in (b"\x95\x5c", "é ?#%".encode()):
        folder = os.fsencode(tmp_path) + b"/m/" + name
        os.makedirs(folder)  # noqa: PTH103 - bytes
        with open(folder + b"/p.html", "w") as file:  # noqa: PTH123 - bytes
            file.write(PAGE)
    found = resolved(tmp_path, "--base", BASE, "m")
    assert set(found.values()) == {
        "http://old.example/%95%5C/a.html",
        "http://old.example/%C3%A9%20%3F%23%25/a.html",
    }


def test_what_is_not_below_the_root_is_refused(site: Path) -> None:
    done = run(
        "extract", "--base", BASE, "--root", "m/sub", "m/page.html", "m/sub/page.html", cwd=site
    )
    assert done.returncode == 3
    assert b"m/page.html: it is not below" in done.stderr
    assert b"m/sub/page.html" in done.stdout


@pytest.mark.parametrize("base", ["example.org", ""])
@pytest.mark.parametrize(
    "command",
    [
        ("extract",), ("audit",), ("rewrite",), ("migrate", "m", "new"), ("iri", "convert", "x"),
        ("iri", "inspect", "x"), ("iri", "resolve", "x"),
    ],
)  # fmt: skip
def test_a_base_that_is_not_absolute_is_refused(
    command: tuple[str, ...], base: str, site: Path
) -> None:
    done = run(*command, "--base", base, cwd=site, stdin=PAGE.encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert (
        b"Invalid value for '--base'" in done.stderr or b"Invalid value for --base" in done.stderr
    )


def test_a_root_needs_a_base(site: Path) -> None:
    assert b"--root needs --base" in run("extract", "--root", "m", "m", cwd=site).stderr
    done = run("extract", "--root", "none", "--base", BASE, "m", cwd=site)
    assert (done.returncode, b"none is no folder" in done.stderr) == (2, True)
    done = run("extract", "--base", "urn:x", "m", cwd=site)
    assert (done.returncode, b"urn:x" in done.stderr) == (2, True)


def test_a_part_has_the_base_of_the_pages_that_include_it(tmp_path: Path) -> None:
    """What is included is read in their place (mod_include)."""
    part, head = "<a href='a.html'>x</a><a href='/b c'>", "<meta charset=utf-8>"
    for name, data in {
        "index.shtml": f"{head}<!--#include virtual='/inc/one.inc' --><!--#include virtual='/inc/two.inc' -->",
        "d/page.shtml": f"{head}<!--#include virtual='/inc/two.inc' -->",
        "inc/one.inc": part, "inc/two.inc": part, "a.html": head, "b c": "", "d/a.html": head, "map.csv": "old,new\n/a.html,/z.html\n",
    }.items():  # fmt: skip
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data)

    def new(*options: str) -> list[str]:
        done = run("rewrite", "-o", "new", "--base", BASE, *options, "site", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        found = [(tmp_path / "new" / "inc" / name).read_text() for name in ("one.inc", "two.inc")]
        assert (b"1 left that cannot be rewritten" in done.stderr) == ("--map" in options)
        shutil.rmtree(tmp_path / "new")
        return found

    b = "<a href='/b%20c'>"
    assert new("--root-relative") == [f"<a href='/a.html'>x</a>{b}", f"<a href='a.html'>x</a>{b}"]
    assert new("--map", "site/map.csv") == [f"<a href='z.html'>x</a>{b}", f"<a href='a.html'>x</a>{b}"]  # fmt: skip
    audited = run("audit", "--base", BASE, "--select", "TGT001", "--quiet", "site", cwd=tmp_path)
    assert audited.stdout.decode().splitlines() == []


def test_the_charset_of_a_part_is_not_declared_by_a_page_whose_charset_is_a_guess(
    tmp_path: Path,
) -> None:
    part = "<a href='/?q=あ'><a href='b.html'>".encode("shift_jis")
    for name, data in {
        "index.shtml": "<!--#include virtual='/inc/m.inc' --><p>日本語の表".encode("shift_jis"),
        "inc/m.inc": part,
    }.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    done = run("rewrite", "-i", "--root-relative", "--base", BASE, "site", cwd=tmp_path)
    assert b"1 left that cannot be rewritten" in done.stderr
    assert (tmp_path / "site/inc/m.inc").read_bytes() == part.replace(b"'b.html'", b"'/b.html'")
