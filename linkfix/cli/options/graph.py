"""The settings of ``linkfix graph``."""

from __future__ import annotations

from typing import Literal

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, base_option
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.table import argument, choice, flag, group, settings


@settings
class GraphOptions:
    """The settings of ``linkfix graph``.

    Attributes:
        output: How the graph is written; csv has the links only.
        broken: Write only links that lead nowhere.
        orphans: Write only the documents that no other document links to.
        base: The address of the folder.
        quiet: Say nothing but errors.

    """

    paths: tuple[str, ...] = argument(
        metavar="PATH...", nargs=-1, required=True, type=PathOrURL(exists=True, file_okay=False)
    )
    output: Literal["jsonl", "csv", "graphml", "dot"] = choice("jsonl", "--format")
    output_path: str | None = documents.output_option()
    broken: bool = flag()
    orphans: bool = flag()
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    default_charset: str | None = documents.default_charset_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)
