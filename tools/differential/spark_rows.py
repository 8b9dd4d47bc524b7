"""Compare the rows of `linkfix.spark` with those of the command line on the same WARC files.

    python tools/differential/spark_rows.py FOLDER... [--records 20000] [--master MASTER]... [--parts 3]
        [--scratch DIR]

WARC files are made of the documents in the folders, each as often as it takes for so many records: one gzip member a record,
no compression, one member for the whole file; bodies plain, chunked and compressed; one record of fifty damaged. Links and
findings of ``linkfix extract`` and ``linkfix audit`` (without the rules SIT, which compare documents), and their complaints
about records, are compared with the rows of each master as multisets, where WARC files are divided into so many parts; 1 for
none. The exit status is 1 for a difference.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from crawls import differences, fields_of, rows_of_command, rows_of_spark, write_crawl

import linkfix.spark

if TYPE_CHECKING:
    from collections.abc import Iterator

MASTERS = ("local[1]", "local[2]", "local-cluster[2,1,1024]")
SUFFIXES = (".html", ".htm", ".xhtml", ".xml", ".svg", ".css", ".png")


def documents_in(folders: list[Path], count: int) -> Iterator[tuple[str, bytes]]:
    """Yield so many documents: the path and the bytes of each; again from the beginning if there are fewer."""
    paths = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.suffix.lower() in SUFFIXES
    ]
    if not paths:
        raise SystemExit("there is no document in these folders")
    for number, path in enumerate(islice(cycle(paths), count)):
        yield f"{number}/{path.name.replace(' ', '%20')}", path.read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=6)
    parser.add_argument("--master", action="append")
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--scratch", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
        folder = Path(scratch)
        files = write_crawl(
            folder, documents_in(arguments.folders, arguments.records), arguments.files
        )
        sizes = [path.stat().st_size for path in files]
        size = sum(sizes)
        reading = linkfix.spark.Reading(split=-(-max(sizes) // arguments.parts))
        print(f"{arguments.records:,} records in {len(files)} files of {size / 1e6:,.0f} MB")
        bad = 0
        expected = {work: rows_of_command(work, files) for work in ("extract", "audit")}
        for work, rows in expected.items():
            errors = sum(times for row, times in rows.items() if not row.startswith("{"))
            print(f"{work}: {rows.total():,} rows of the command line, {errors:,} of them errors")
        for master in arguments.master or MASTERS:
            spark = linkfix.spark.session(master)
            for work, rows in expected.items():
                began = time.monotonic()
                read = getattr(linkfix.spark, f"{work}_warc")
                settings = {"ignore": ["SIT"]} if work == "audit" else {}
                frame = read(spark, [*map(str, files)], reading=reading, **settings)
                parts = frame.rdd.getNumPartitions()
                different = differences(
                    rows, rows_of_spark(frame, fields_of(rows), folder / "rows")
                )
                bad += different
                print(
                    f"{master} {work}: {different} differences in {parts} parts, {time.monotonic() - began:.0f} s"
                )
            spark.stop()
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
