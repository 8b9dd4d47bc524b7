"""One session of Spark for all tests; they are skipped where Spark or Java is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


def missing() -> str:
    """Why Spark cannot run here; "" if it can."""
    try:
        from linkfix.spark.sessions import java_home
    except ImportError as error:
        return str(error)
    from linkfix.errors import LinkfixError

    try:
        java_home()
    except LinkfixError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session", autouse=True)
def _available() -> None:
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session with two cores."""
    from linkfix.spark import session

    with session("local[2]", spark_sql_shuffle_partitions="4") as found:
        yield found
