"""Compare `linkfix.spark.targets` on a crawl that is made from a folder with ``linkfix audit`` of the folder.

    python tools/differential/spark_targets.py FOLDER... [--master local[2]]

The rules TGT001 to TGT005, SIT001 and SIT004, by the document, the line and the column of each link. In a crawl, what the
audit calls a near miss (TGT002 to TGT004) is missing. The exit status is 1 for a difference.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from crawl_targets import findings_of_command, findings_of_spark, write_site

import linkfix.spark

__all__ = ["main"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--master", default="local[2]")
    arguments = parser.parse_args()
    wrong = 0
    with linkfix.spark.session(arguments.master) as spark:
        for folder in arguments.folders:
            with tempfile.TemporaryDirectory() as scratch:
                archive = Path(scratch, "site.warc")
                write_site(folder, archive)
                facts = linkfix.spark.read_facts(spark, [str(archive)]).persist()
                found = findings_of_spark(linkfix.spark.targets(facts))
                facts.unpersist()
            expected = findings_of_command(folder)
            for title, rows in (("audit", expected - found), ("Spark", found - expected)):
                codes = Counter(code for *_, code in rows.elements())
                print(f"  only {title}: {dict(codes)}", *islice(rows, 8), sep="\n    ")
                wrong += rows.total()
            codes = Counter(code for *_, code in expected.elements())
            print(
                f"{folder}: {dict(codes)} by the audit, {found.total()} findings of Spark",
                flush=True,
            )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
