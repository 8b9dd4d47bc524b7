"""Functions of SQL for columns of references."""

from typing import Any

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import pandas_udf

from linkfix.iri import convert_many, normalize_many, resolve


def _uri(texts: pd.Series) -> pd.Series:
    return pd.Series([each and each.text for each in convert_many(texts, to="uri")])


def _iri(texts: pd.Series) -> pd.Series:
    return pd.Series([each and each.text for each in convert_many(texts, to="iri")])


def _normal(texts: pd.Series) -> pd.Series:
    return pd.Series(normalize_many(texts, "scheme", to="uri"))


def _resolved(bases: pd.Series, references: pd.Series) -> pd.Series:
    return pd.Series([*map(_target, bases, references)])


def _target(base: str | None, reference: str | None) -> str | None:
    try:
        return (
            resolve(base or "", reference or "", syntax="web")
            if base and reference is not None
            else None
        )
    except ValueError:
        return None


def register(spark: SparkSession) -> None:
    """Register ``linkfix_uri``, ``linkfix_iri``, ``linkfix_normal`` and ``linkfix_resolve(base, reference)`` for SQL; null gives null."""
    column: Any = pandas_udf
    for name, work in {"uri": _uri, "iri": _iri, "normal": _normal, "resolve": _resolved}.items():
        spark.udf.register(f"linkfix_{name}", column(work, "string"))
