"""linkfix over Apache Spark: the links of crawls of any size.

Every function is little code over `linkfix.arrow` and ``mapInArrow``: Spark distributes, linkfix reads. A WARC file is the
work of one task, which reads it as a stream; a large one is divided at records where rows are made of it.

>>> import linkfix.spark                                                  # doctest: +SKIP
>>> with linkfix.spark.session() as spark:                                # doctest: +SKIP
...     links = linkfix.spark.extract_warc(spark, ["crawl/*.warc.gz"])
...     links.groupBy("resolved").count().show()
"""

try:
    import pyspark
except ImportError as _error:
    raise ImportError(
        "linkfix.spark needs the package pyspark: pip install 'linkfix[spark]'"
    ) from _error

from linkfix.spark.crosschecks import read_facts, targets, write_targets
from linkfix.spark.files import Reading
from linkfix.spark.frames import audit, audit_warc, extract, extract_warc, read_warc, rewrite
from linkfix.spark.functions import register
from linkfix.spark.jobs import Done, rewrite_warc
from linkfix.spark.sessions import session
from linkfix.spark.tables import Form, write_findings, write_links

__all__ = [
    "Done", "Form", "Reading", "audit", "audit_warc", "extract", "extract_warc", "read_facts", "read_warc", "register", "rewrite",
    "rewrite_warc", "session", "targets", "write_findings", "write_links", "write_targets",
]  # fmt: skip

del pyspark
