"""One session of Spark for all tests; they are skipped where Spark or Java is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from objectstore import ObjectStore, serving

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


#: A Java that starts soon and compiles little, in the processes that the tests start too.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
#: Spark compiles no Java for each query.
SETTINGS = {
    "spark_sql_shuffle_partitions": "2",
    "spark_sql_codegen_wholeStage": "false",
    "spark_sql_codegen_factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="session")
def spark(java: None) -> Iterator[SparkSession]:  # noqa: ARG001 - for the environment
    """A session with two cores."""
    from linkfix.spark import session

    with session("local[2]", **SETTINGS) as found:
        yield found


@pytest.fixture(scope="session")
def java() -> Iterator[None]:
    """Have every Java start soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", JAVA)
        yield


@pytest.fixture(scope="session")
def store() -> Iterator[ObjectStore]:
    with serving() as found:
        yield found
