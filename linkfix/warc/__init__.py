"""WARC files: their records and HTTP headers as documents, and the same files with the links rewritten.

::

    frames ─► records ─► writing
    codings ──┘
"""

from linkfix.warc.frames import WHOLE, Span, borders, is_archive
from linkfix.warc.records import Head, Record, documents, records, source_of
from linkfix.warc.writing import ArchiveReport, rewrite_warc

__all__ = [
    "WHOLE",
    "ArchiveReport",
    "Head",
    "Record",
    "Span",
    "borders",
    "documents",
    "is_archive",
    "records",
    "rewrite_warc",
    "source_of",
]
