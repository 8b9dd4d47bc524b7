"""linkfix over Apache Arrow: record batches with documents in, record batches with results out.

Every engine that has Arrow can call these functions: DuckDB, Polars, Dask, Ray, Spark. A row of the input is a document. Each
function yields batches while it reads, so that its memory depends on the largest document and on nothing else. A
document that cannot be processed is a row with the reason in ``error``; the others are not affected.

>>> import pyarrow as pa
>>> import linkfix.arrow
>>> batch = pa.record_batch({"content": [b"<a href='/x y'>"], "url": ["http://example.org/"]})
>>> links = pa.Table.from_batches(linkfix.arrow.extract([batch]))
>>> links.column("resolved").to_pylist()
['http://example.org/x%20y']
"""

try:
    import pyarrow as pa
except ImportError as _error:
    raise ImportError(
        "linkfix.arrow needs the package pyarrow: pip install 'linkfix[arrow]'"
    ) from _error

from linkfix.arrow.documents import Columns, read_warc
from linkfix.arrow.operations import audit, extract, rewrite, transcode
from linkfix.arrow.schemas import DOCUMENTS, FINDINGS, LINKS, REWRITTEN, TRANSCODED, with_kept

__all__ = [
    "DOCUMENTS", "FINDINGS", "LINKS", "REWRITTEN", "TRANSCODED", "Columns", "audit", "extract", "read_warc", "rewrite",
    "transcode", "with_kept",
]  # fmt: skip

del pa
