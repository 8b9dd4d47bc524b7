"""The WARC files of a job, each the work of one task."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql.pandas.types import from_arrow_schema

from linkfix.errors import LinkfixError
from linkfix.policy import Policy
from linkfix.site.paths import absolute
from linkfix.site.tree import Selection, Tally, documents
from linkfix.site.warc import is_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Archive", "Reading", "archives", "mapped"]

#: What is another in each process, in the text for a function.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Archive(NamedTuple):
    """A WARC file.

    Attributes:
        name: as the caller named it: the name in results.
        path: absolute, since an executor runs in another folder; or the URL of a remote file.
        relative: its path from the folder that was named, with slashes; the last segment for a file.

    """

    name: str
    path: str
    relative: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of WARC files are read.

    Attributes:
        policy: how links are read, and what they become.
        charset: the label of the charset of documents whose record has none; None for none.
        base: the base of documents whose record has no URI; None for none.

    """

    policy: Policy = field(default_factory=Policy)
    charset: str | None = None
    base: str | None = None

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
        Archive(each.path, absolute(each.path), each.relative)
        for each in documents(paths, Selection(archives=True), tally)
        if not each.root or is_archive(b"", each.path)
    ]
    for error in tally.errors:
        raise error
    return found


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
