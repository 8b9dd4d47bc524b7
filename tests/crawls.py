"""WARC files of many records for the tests and comparisons of `linkfix.spark`: of all framings, some records damaged."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from archives import chunked

from linkfix.cli.output import escape

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyspark.sql import DataFrame

__all__ = ["FRAMINGS", "Rows", "differences", "fields_of", "record", "rows_of", "rows_of_command", "rows_of_spark", "write_crawl"]  # fmt: skip

Rows = Counter[str]
#: How many differences of each kind are printed.
SHOWN = 5

#: How the files are framed: a gzip member for each record, no compression, one member for the whole file.
FRAMINGS = ("gzip", "plain", "whole")
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "text/xml",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".png": "image/png",
}


def record(
    uri: str, body: bytes, content_type: str = "text/html", *, status: int = 200, fields: str = ""
) -> bytes:
    """Return a response record; `fields` are more lines of the HTTP header, each with CR LF."""
    http = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\n{fields}\r\n".encode()
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: {uri}\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(http) + len(body)}\r\n\r\n"
    )
    return head.encode() + http + body + b"\r\n\r\n"


def write_crawl(
    folder: Path, documents: Iterable[tuple[str, bytes]], files: int = 6, *, damage: int = 50
) -> list[Path]:
    """Write WARC files in which the documents take turns; return their paths.

    The bodies are coded in different ways. Some records have a Location, or are no documents.

    Args:
        folder: where the files are written.
        documents: the path of each in the site, and its bytes.
        files: how many.
        damage: one record of so many is damaged, in one of three ways; 0 for none.

    """
    paths = [
        folder / f"crawl-{n}.warc{'' if FRAMINGS[n % 3] == 'plain' else '.gz'}"
        for n in range(files)
    ]
    sinks = [path.open("wb") for path in paths]
    whole = [zlib.compressobj(wbits=31) for _ in paths]
    for number, (path, body) in enumerate(documents):
        at = number // 7 % files
        data = _coded(number, path, body)
        is_damaged = bool(damage) and number % damage == damage // 2
        framing = FRAMINGS[at % 3]
        if is_damaged and framing != "gzip":
            data = _cut(data, number // damage % 3)
        if framing == "whole":
            data = whole[at].compress(data)
        elif framing == "gzip":
            data = gzip.compress(data, 1)
            if is_damaged:
                data = _cut(data, number // damage % 3)
        sinks[at].write(data)
    for at, sink in enumerate(sinks):
        if FRAMINGS[at % 3] == "whole":
            sink.write(whole[at].flush())
        sink.close()
    return paths


def _coded(number: int, path: str, body: bytes) -> bytes:
    """Return the record of a document; the number decides how its body is coded."""
    uri = f"http://host{number % 5}.example/{path}"
    suffix = path[path.rfind(".") :].lower()
    kind = _TYPES.get(suffix, "text/html")
    fields = "Location: /a b\r\n" if number % 11 == 0 else ""
    turn = number % 4
    if turn == 1:
        body, fields = gzip.compress(body, 1), fields + "Content-Encoding: gzip\r\n"
    elif turn == 2:
        body, fields = chunked(body, 4000), fields + "Transfer-Encoding: chunked\r\n"
    elif turn == 3 and number % 8 == 3:
        fields += "Content-Encoding: zstd\r\n" * (number % 200 == 3)
    return record(uri, body, kind, fields=fields, status=404 if number % 97 == 0 else 200)


def _cut(data: bytes, way: int) -> bytes:
    """Damage the bytes of a record: cut off its end, overwrite its middle, or its beginning."""
    middle = len(data) // 2
    if way == 0:
        return data[:middle]
    at = middle if way == 1 else 30
    return data[:at] + b"\xff\x00\xff" * 5 + data[at + 15 :]


def rows_of_command(work: str, files: list[Path]) -> Rows:
    """Return the rows of the command line; a complaint about a document is one more."""
    arguments = {
        "extract": ["extract", "-q"],
        "audit": ["audit", "-q", "--exit-zero", "--ignore", "SIT"],
    }
    command = [sys.executable, "-m", "linkfix", *arguments[work], "--format", "jsonl", "-j", "2"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        subprocess.run([*command, *map(str, files)], stdout=out, stderr=said, check=False)
        rows: Rows = Counter()
        out.seek(0)
        for line in out:
            rows[_key(json.loads(line))] += 1
        said.seek(0)
        for text in said.read().decode().splitlines():
            rows[text.removeprefix("linkfix: ")] += 1
    return rows


def rows_of_spark(frame: DataFrame, names: set[str], scratch: Path) -> Rows:
    """Return the rows of a DataFrame in the same form; `names` are the fields of the command line."""
    from pyarrow import dataset

    frame.write.mode("overwrite").parquet(str(scratch))
    batches = dataset.dataset(scratch).to_batches()
    rows: Rows = Counter()
    for values in (row for batch in batches for row in batch.to_pylist()):
        if values["error"] is None:
            rows[_key({name: values[name] for name in names})] += 1
        else:
            error = values["error"]
            place = re.sub("line ([0-9]+), column ([0-9]+): ", r"\1:\2: ", error)
            rows[escape(f"{values['file']}:{'' if place != error else ' '}{place}")] += 1
    return rows


def _key(values: dict[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)


def fields_of(rows: Rows) -> set[str]:
    """Return the fields of the command line's rows."""
    return set(json.loads(next(row for row in rows if row.startswith("{"))))


def differences(expected: Rows, found: Rows) -> int:
    """Print how two multisets of rows differ; return the number of rows that only one has."""
    missing, more = expected - found, found - expected
    for title, rows in (("only the command line", missing), ("only Spark", more)):
        for row, times in islice(rows.items(), SHOWN):
            print(f"  {title}: {times} x {row[:600]}")
    return missing.total() + more.total()


def rows_of(batches: Iterable[Any]) -> list[dict[str, Any]]:
    """The rows of record batches without the number of the document."""
    rows = [row for batch in batches for row in batch.to_pylist()]
    return sorted([row for row in rows if row.pop("document", 0) is not None], key=repr)
