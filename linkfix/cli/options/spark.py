"""The settings of ``linkfix spark``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import click

from linkfix.cli.options.documents import (
    charset_option,
    default_charset_option,
    quiet_option,
)
from linkfix.cli.options.links import LinkOptions, base_option, normalize_option, to_option
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.rules import RuleChoice
from linkfix.cli.options.table import Where, argument, choice, group, number, option

#: For each work, the options that it has and others have not.
OWN = {
    "extract": {"form", "by", "largest", "split"},
    "audit": {"form", "by", "largest", "split", "select", "ignore", "fail_on"},
    "rewrite": {"to", "normalize"},
    "targets": {"fail_on"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkOptions:
    """The settings of the command."""

    work: Literal["extract", "audit", "rewrite", "targets"] = argument(
        type=click.Choice([*OWN]), metavar=f"[{'|'.join(OWN)}]"
    )
    paths: tuple[str, ...] = argument(metavar="PATH...", nargs=-1, required=True, type=click.Path())
    output: str = option(
        "The folder for new files, which every machine of the cluster must have, or its URL.",
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        required=True,
        metavar="DIR",
    )
    master: str | None = option(
        "Where Spark runs, as local[4] or spark://host:7077.  [default: all cores of this machine]",
        where=Where.LINE,
        metavar="URL",
    )
    form: Literal["parquet", "jsonl"] = choice(
        "How links and findings are written.", "parquet", "--format"
    )
    by: Literal["host", "file"] = choice(
        "Parquet files in one folder for each host, or one for each WARC file.", "host"
    )
    largest: int = number(
        "The largest document whose links or findings are listed, since it is in memory as a whole.",
        "MIB",
        256,
        1,
        2047,
    )
    split: int = number(
        "Divide larger WARC files between several tasks.", "MIB", 2048, 1, where=Where.FILE
    )
    rules: RuleChoice = group(RuleChoice)
    to: Literal["uri", "iri"] = to_option()
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    default_charset: str | None = default_charset_option()
    charset: str | None = charset_option()
    base: str | None = base_option("The address of documents whose record has none.")
    quiet: bool = quiet_option("Say nothing but errors.")
    links: LinkOptions = group(LinkOptions)
