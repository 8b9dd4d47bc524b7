"""The WARC files of a job, each the work of one task, and large ones that are divided between several."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from linkfix.arrow.archives import LARGEST
from linkfix.errors import LinkfixError
from linkfix.files.access import open_document
from linkfix.files.entries import Tally
from linkfix.files.paths import absolute
from linkfix.files.tree import Selection, documents
from linkfix.jobs.failures import contained
from linkfix.policy import Policy
from linkfix.warc import WHOLE, Span, borders, is_archive

#: WARC files of more bytes are divided. Crawlers begin another file after 1 GB, so that most files are not.
SPLIT = 2 * 1024**3
_BORDERS = pa.schema([("path", pa.string()), ("borders", pa.list_(pa.int64()))])

#: What is another in each process, in the text for a function.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Archive(NamedTuple):
    """A WARC file, or the records in a part of it.

    Attributes:
        name: as the caller named it: the name in results.
        path: absolute, since an executor runs in another folder; or the URL of a remote file.
        relative: its path from the folder that was named, with slashes; the last segment for a file.
        size: of the file in bytes; 0 if unknown.
        span: which records.

    """

    name: str
    path: str
    relative: str
    size: int = 0
    span: Span = WHOLE


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of WARC files are read.

    Attributes:
        policy: how links are read, and what they become.
        charset: the label of the charset of documents whose record has none; None for none.
        base: the base of documents whose record has no URI; None for none.
        largest: the largest document in bytes whose links or findings are made into rows; a larger one is an error.
        split: WARC files of more bytes are divided between several tasks, where rows are made of them.

    """

    policy: Policy = field(default_factory=Policy)
    charset: str | None = None
    base: str | None = None
    largest: int = LARGEST
    split: int = SPLIT

    def asked(self) -> str:
        """Return a text that is the same for the same settings.

        Raises:
            LinkfixError: the settings have files, or a function, whose content the text would not have.

        """
        xml = self.policy.xml
        if any(x is not None for x in (xml.schema, xml.catalog, self.policy.target)):
            raise LinkfixError(
                "a job that goes on later cannot follow schemas, catalogs and new targets",
                hint="leave them out",
            )
        return _ADDRESS.sub("", repr(self))


def archives(paths: Sequence[str]) -> list[Archive]:
    """Return WARC files: files as they are, those in folders, and those that match patterns.

    Raises:
        UnreadableError: a folder cannot be read, or nothing matches a pattern.

    """
    tally = Tally()
    found = [
        Archive(each.path, absolute(each.path), each.relative, each.size)
        for each in documents(paths, Selection(archives=True), tally)
        if not each.root or is_archive(b"", each.path)
    ]
    for error in tally.errors:
        raise error
    return found


def divided(spark: SparkSession, files: Sequence[Archive], split: int) -> list[Archive]:
    """Return files as they are, and large ones in parts of about the same size, at borders between records.

    Args:
        spark: the session. Where there are large files, a task for each reads over its records (`borders`).
        files: the WARC files.
        split: files of more bytes are large.

    """

    def work(file: Archive) -> Iterator[pa.RecordBatch]:
        found: list[int] = []
        try:
            with contained(), open_document(file.path) as source:
                found = [*borders(source, file.size, -(-file.size // split))]
        except LinkfixError:
            found = []  # a file that cannot be read is not divided; its task says why
        row = {"path": file.path, "borders": found}
        yield pa.RecordBatch.from_pylist([row], schema=_BORDERS)

    large = [file for file in files if file.size > split]
    if not large:
        return [*files]
    places = {row["path"]: row["borders"] for row in mapped(spark, large, work, _BORDERS).collect()}
    parts: list[Archive] = []
    for file in files:
        within = places.get(file.path, [])
        spans = zip([0, *within], [*within, None], strict=True)
        parts += (file._replace(span=Span(*span)) for span in spans)
    return parts


def mapped(
    spark: SparkSession,
    files: Sequence[Archive],
    work: Callable[[Archive], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> DataFrame:
    """Return the rows that the work on each file yields; each file is a task of its own.

    Args:
        spark: the session.
        files: the WARC files.
        work: called on an executor.
        schema: of the batches that it yields.

    """
    files = [*files]

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from work(files[number])

    count = len(files)
    return spark.range(0, count, 1, max(count, 1)).mapInArrow(run, from_arrow_schema(schema))
