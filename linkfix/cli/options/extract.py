"""The settings of ``linkfix extract``."""

from __future__ import annotations

from typing import Literal

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions
from linkfix.cli.options.table import choice, flag, group, settings


@settings
class ExtractOptions:
    """The settings of ``linkfix extract``.

    Attributes:
        output: How links are listed.
        unknown: List instead the values that look like links in attributes that no table has.
        readable: Show values and URIs for people: with as little percent-encoding as links in text allow.
        quiet: Say nothing but links and errors.

    """

    inputs: documents.PathOptions = group(documents.PathOptions)
    output: Literal["text", "jsonl", "csv"] = choice("text", "--format")
    unknown: bool = flag()
    readable: bool = flag()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)
