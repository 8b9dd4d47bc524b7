"""Jobs that write files: a task for each WARC file, or for each part of one, and one result for the file."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Literal

import pyarrow as pa
from pyspark.sql import SparkSession

from linkfix.errors import LinkfixError
from linkfix.files.access import creating, exists, open_document, place_in
from linkfix.files.paths import is_remote, real, relative
from linkfix.jobs.failures import contained
from linkfix.rewriting import Rewriter
from linkfix.spark.files import Archive, Ledger, Reading, archives, mapped, measured
from linkfix.warc import Head, Record, source_of
from linkfix.warc import rewrite_warc as rewrite

#: How many errors of a file are returned; all are counted.
MOST_ERRORS = 100
_RESULTS = pa.schema([("result", pa.string())])


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a WARC file.

    Attributes:
        archive: its name.
        counts: numbers by their names, such as ``documents``, ``failed`` and ``links``.
        errors: the first errors, each with the name of its document.
        before: whether an earlier run had done it.

    """

    archive: str
    counts: dict[str, int] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    before: bool = False


def run(
    spark: SparkSession, files: Sequence[Archive], ledger: Ledger, work: Callable[[Archive], Done]
) -> list[Done]:
    """Do the work for each file that is not done; return a result for each one, in the order of the files.

    Args:
        spark: the session.
        files: the WARC files, or the parts of each one after the other.
        ledger: says what is done.
        work: called on an executor; writes the files, and the record of them.

    Raises:
        LinkfixError: the target cannot be used.

    """

    def task(archive: Archive) -> Iterator[pa.RecordBatch]:
        try:
            with contained():
                known = ledger.result(archive)
                if known is None:
                    done = work(archive)
                else:
                    done = Done(archive.name, known["counts"], tuple(known["errors"]), before=True)
        except LinkfixError as error:
            error.file = archive.name
            done = Done(archive.name, {"failed": 1}, (error.text,))
        yield pa.RecordBatch.from_pylist([{"result": json.dumps(asdict(done))}], schema=_RESULTS)

    ledger.begin()
    rows = mapped(spark, files, task, _RESULTS).collect()
    found: dict[str, list[Done]] = {archive.name: [] for archive in files}
    for row in rows:
        done = Done(**json.loads(row["result"]))
        found[done.archive].append(done)
    return [_whole(name, parts) for name, parts in found.items()]


def _whole(name: str, parts: list[Done]) -> Done:
    """Return the result of a file that was read in parts."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.counts)
    errors = tuple(error for part in parts for error in part.errors)
    return Done(name, dict(counts), errors[:MOST_ERRORS], all(part.before for part in parts))


def rewrite_warc(
    spark: SparkSession,
    paths: Sequence[str],
    target: str,
    *,
    to: Literal["uri", "iri"] = "uri",
    reading: Reading | None = None,
) -> list[Done]:
    """Rewrite the links in WARC files: one new file for each, as ``linkfix rewrite --output`` writes it.

    A new file is committed whole or not at all, and no file is replaced. A second run does only what is missing.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        target: the folder of the new files, for all executors, or its URL; the folders of the old ones are mirrored in it.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        reading: every other setting; `to` of its policy is not used.

    Returns:
        One result for each file: the counts of `linkfix.warc.ArchiveReport`.

    Raises:
        LinkfixError: two files would have the same name, the target has old files or the output of another run, or cannot
            be written.

    """
    reading = reading or Reading()
    reading = replace(reading, policy=replace(reading.policy, to=to))
    files = archives(paths)
    ledger = Ledger(target, {"work": "rewrite", "reading": reading.asked()})
    _check_names(files, ledger.target)
    return run(spark, files, ledger, partial(_rewrite, ledger, reading))


def _check_names(files: Sequence[Archive], target: str) -> None:
    """Refuse two files with the same new name, and old files in the target."""
    places: dict[str, str] = {}
    for archive in files:
        other = places.setdefault(archive.relative, archive.name)
        if other != archive.name:
            raise LinkfixError(
                f"it and {other} would have the same name in {target}",
                hint="name the folder that both are in",
                file=archive.name,
            )
        if relative(real(archive.path), real(target)) is not None:
            raise LinkfixError(
                f"it is in the folder of the new files, {target}",
                hint="name another folder",
                file=archive.name,
            )


def _rewrite(ledger: Ledger, reading: Reading, archive: Archive) -> Done:
    """Write the new file of an archive; the record of it precedes the commit."""

    def rewriter(record: Record | Head) -> Rewriter:
        source = source_of(record, charset=reading.charset, base=reading.base)
        return Rewriter(policy=reading.policy, source=source, moved_to=source.base)

    errors: list[str] = []

    def record(error: LinkfixError) -> None:
        if len(errors) < MOST_ERRORS:
            errors.append(error.text)

    target = place_in(ledger.target, archive.relative)
    if exists(os.fspath(target)):
        raise LinkfixError(
            f"another file is in the way, {target}",
            hint="move it away; nothing was written in its place",
        )
    with open_document(archive.path) as source:
        mode = None
        if not is_remote(archive.path):
            mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
        with creating(target, mode=mode, follow=False) as sink:
            report = rewrite(source, sink, name=archive.name, rewriter=rewriter, on_error=record)
            counts = {name: getattr(report, name) for name in report.__slots__}
            sink.seek(0)
            output = (archive.relative, *measured(sink))
            ledger.record(archive, [output], {"counts": counts, "errors": errors})
    return Done(archive.name, counts, tuple(errors))
