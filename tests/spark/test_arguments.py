"""Wrong arguments are refused by name, before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")
import linkfix.spark

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession


@pytest.mark.nightly
def test_wrong_arguments_are_refused_by_name(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, b"<a href=x>")], "id long, content binary")
    wrong: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any], str]] = [
        (linkfix.spark.extract, (frame,), {"keep": ["nothing"]}, "no column 'nothing'"),
        (linkfix.spark.extract, (frame,), {"keep": "id"}, "keep='id' is no list"),
        (linkfix.spark.extract, (frame.toPandas(),), {}, "is no DataFrame of Spark"),
        (linkfix.spark.audit, (frame,), {"select": ["NONE"]}, "NONE"),
        (linkfix.spark.rewrite, (frame,), {"to": "url"}, "to='url' is none of"),
        (linkfix.spark.extract_warc, (spark, "a.warc"), {}, "put it into a list"),
        (linkfix.spark.extract_warc, (None, []), {}, "spark=None is no SparkSession"),
        (linkfix.spark.Reading, (), {"charset": "x-none"}, "charset: unknown charset"),
    ]
    for function, arguments, named, said in wrong:
        with pytest.raises(linkfix.LinkfixError, match=said):
            function(*arguments, **named)
