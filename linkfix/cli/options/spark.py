"""The settings of ``linkfix spark``."""

from __future__ import annotations

from typing import Literal

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, normalize_option, to_option
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.rules import RuleChoice
from linkfix.cli.options.table import (
    Where,
    argument,
    base_option,
    bounded,
    choice,
    group,
    option,
    settings,
)

#: For each work, the options that it has and others have not.
OWN = {
    "extract": {"form", "by", "largest", "split"},
    "audit": {"form", "by", "largest", "split", "select", "ignore", "fail_on"},
    "rewrite": {"to", "normalize"},
    "targets": {"fail_on"},
}


@settings
class SparkOptions:
    """The settings of ``linkfix spark``.

    Attributes:
        output: The folder for new files, which every machine of the cluster must have, or its URL.
        master: Where Spark runs, as local[4] or spark://host:7077.  [default: all cores of this machine]
        form: How links and findings are written.
        by: Parquet files in one folder for each host, or one for each WARC file.
        largest: The largest document whose links or findings are listed, since it is in memory as a whole.
        split: Divide larger WARC files between several tasks.
        base: The address of documents whose record has none.
        quiet: Say nothing but errors.

    """

    work: Literal["extract", "audit", "rewrite", "targets"] = argument(
        type=click.Choice([*OWN]), metavar=f"[{'|'.join(OWN)}]"
    )
    paths: tuple[str, ...] = argument(metavar="PATH...", nargs=-1, required=True, type=click.Path())
    output: str = option(
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        required=True,
        metavar="DIR",
    )
    master: str | None = option(where=Where.LINE, metavar="URL")
    form: Literal["parquet", "jsonl"] = choice("parquet", "--format")
    by: Literal["host", "file"] = choice("host")
    largest: int = bounded("MIB", 256, 1, 2047)
    split: int = bounded("MIB", 2048, 1, where=Where.FILE)
    rules: RuleChoice = group(RuleChoice)
    to: Literal["uri", "iri"] = to_option()
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    charset: str | None = documents.charset_option()
    base: str | None = base_option()
    quiet: bool = documents.quiet_option()
    links: LinkOptions = group(LinkOptions)
