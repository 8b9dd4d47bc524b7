"""Convert a column of references in DuckDB, some of which are missing or wrong.

Prints:

    http://xn--r8jz45g.jp/%E6%A4%9C%E7%B4%A2?q=%E7%A9%BA
    None
    http://[
    /a%20b
"""

import duckdb
import pyarrow as pa
from duckdb.func import FunctionNullHandling, PythonUDFType

from linkfix import iri


def as_uri(column: pa.ChunkedArray) -> pa.Array:
    return pa.array([each and each.text for each in iri.convert_many(column, to="uri")])


database = duckdb.connect()
kind, nulls = PythonUDFType.ARROW, FunctionNullHandling.SPECIAL
database.create_function("as_uri", as_uri, ["VARCHAR"], "VARCHAR", type=kind, null_handling=nulls)
links = ["http://例え.jp/検索?q=空", None, "http://[", "/a b"]
for (uri,) in database.execute("SELECT as_uri(unnest(?::VARCHAR[]))", [links]).fetchall():
    print(uri)
