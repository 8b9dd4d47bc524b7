"""Documents in DataFrames: extract, audit and rewrite them by ``mapInArrow``."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

import linkfix.arrow
from linkfix.arrow import FINDINGS, LINKS, REWRITTEN, Columns, with_kept
from linkfix.policy import Policy

_COLUMNS = Columns()
#: The number of a row in its batches, which says nothing of a distributed table.
_NUMBER = "document"


def extract(
    frame: DataFrame,
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
) -> DataFrame:
    """Return the links of documents: the columns to keep, and those of `linkfix.arrow.LINKS` without ``document``.

    Args:
        frame: its rows are documents.
        columns: the names of their columns.
        keep: columns that each link has as well, such as a key.
        policy: how links are read.

    Raises:
        ValueError: the frame has no such columns.

    """
    work = partial(linkfix.arrow.extract, columns=columns, keep=keep, policy=policy)
    return _mapped(frame, work, LINKS, keep)


def audit(
    frame: DataFrame,
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> DataFrame:
    """Return findings: the columns to keep, and those of `linkfix.arrow.FINDINGS` without ``document``.

    Each document is audited by itself; `linkfix.spark.targets` compares them.

    Args:
        frame: its rows are documents.
        columns: the names of their columns.
        keep: columns that each finding has as well, such as a key.
        policy: how links are read, and what a suggestion looks like.
        select: rules by their codes, beginnings of codes or names; all if empty.
        ignore: rules that are not in force although they are selected.

    Raises:
        ValueError: the frame has no such columns.

    """

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rules = chosen(select, ignore)
        return linkfix.arrow.audit(batches, columns=columns, keep=keep, policy=policy, rules=rules)

    return _mapped(frame, work, FINDINGS, keep)


def rewrite(
    frame: DataFrame,
    *,
    to: Literal["uri", "iri"] = "uri",
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
) -> DataFrame:
    """Return rewritten documents: the columns to keep, and those of `linkfix.arrow.REWRITTEN` without ``document``.

    Args:
        frame: its rows are documents.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        columns: the names of their columns.
        keep: columns that each row of the result has as well, such as a key.
        policy: every other setting; its `to` precedes the argument.

    Raises:
        ValueError: the frame has no such columns.

    """
    work = partial(linkfix.arrow.rewrite, to=to, columns=columns, keep=keep, policy=policy)
    return _mapped(frame, work, REWRITTEN, keep)


def chosen(select: Sequence[str], ignore: Sequence[str]) -> list[Any]:
    """Return the selected rules."""
    from linkfix.auditing import select as selected

    return selected([*select], [*ignore])


def without_number(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches without the column ``document``."""
    for batch in batches:
        yield batch.drop_columns([_NUMBER])


def _mapped(
    frame: DataFrame,
    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
    keep: Sequence[str],
) -> DataFrame:
    """Return what the work makes of the rows of a frame."""
    whole = with_kept(schema, to_arrow_schema(frame.schema), keep)
    result = whole.remove(whole.get_field_index(_NUMBER))

    def mapped(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return without_number(work(batches))

    return frame.mapInArrow(mapped, from_arrow_schema(result))
