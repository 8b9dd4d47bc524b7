"""A crawl that is made from a folder, and what ``linkfix audit`` says of the links in that folder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from crawls import record

from linkfix.files.tree import documents

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

__all__ = ["BASE", "findings_of_command", "findings_of_spark", "write_site"]

BASE = "http://site.example/"
_TYPES = {".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".css": "text/css",
          ".xml": "text/xml", ".svg": "image/svg+xml"}  # fmt: skip
#: The rules of the audit that say which file is near; in a crawl the target is missing.
_MISSING = {"TGT002": "TGT001", "TGT003": "TGT001", "TGT004": "TGT001"}
_RULES = ("TGT001", "TGT002", "TGT003", "TGT004", "TGT005", "SIT001", "SIT004")

#: The URL of a document, the line and the column of a link, and the code of the rule.
Findings = Counter[tuple[str, int, int, str]]


def write_site(folder: Path, archive: Path) -> None:
    """Write a WARC file with all files of a folder, and with its index files at the URLs of their folders besides."""
    ordered = [found.relative for found in documents([str(folder)])]
    others = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    with archive.open("wb") as file:
        for path in [*ordered, *sorted(others.difference(ordered))]:
            place = folder / path
            kind = _TYPES.get(place.suffix.lower(), "application/octet-stream")
            file.write(record(BASE + quote(path), place.read_bytes(), kind))
        for path in sorted(others):
            if path.rpartition("/")[2] == "index.html":
                url = BASE + quote(path.removesuffix("index.html"))
                file.write(record(url, (folder / path).read_bytes()))


def findings_of_command(folder: Path) -> Findings:
    """Return the findings of the command line about targets."""
    command = [
        sys.executable,
        "-m",
        "linkfix",
        "audit",
        "-q",
        "--exit-zero",
        "--format",
        "jsonl",
        "--base",
        BASE,
    ]
    done = subprocess.run(
        [*command, "--select", ",".join(_RULES), str(folder)], capture_output=True, check=False
    )  # fmt: skip
    found: Findings = Counter()
    for row in map(json.loads, done.stdout.splitlines()):
        url = BASE + quote(row["file"].removeprefix(f"{folder}/"))
        found[url, row["line"], row["column"], _MISSING.get(row["rule"], row["rule"])] += 1
    return found


def findings_of_spark(frame: DataFrame) -> Findings:
    """Return the findings of `linkfix.spark.targets` in the same form.

    Those of a folder's own URL are left out, and links with ``//`` in the path: files have no empty segments.
    """
    rows = frame.select("url", "line", "column", "rule", "value").collect()
    return Counter(
        tuple(row[:4])
        for row in rows
        if not row["url"].endswith("/")
        and (row["rule"] != "TGT001" or "//" not in row["value"].removeprefix(BASE))
    )
