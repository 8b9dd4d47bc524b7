"""``linkfix spark``: extract, audit and rewrite the WARC files of a crawl with Apache Spark."""

from linkfix.cli.spark.command import command

__all__ = ["command"]
