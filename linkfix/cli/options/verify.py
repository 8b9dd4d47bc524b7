"""The settings of ``linkfix verify``."""

from __future__ import annotations

from dataclasses import dataclass

import click

from linkfix.cli.options.documents import DocumentOptions, TreeOptions, quiet_option
from linkfix.cli.options.links import LinkOptions, MapOptions
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.table import Where, argument, flag, group, number, option


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """The settings of the command.

    Attributes:
        transcoded: The new documents are in UTF-8, and name it where the old ones named another charset.
        urls: Compare no documents; ask NEW for the old addresses in a sitemap, an access log, a list, or
            the folder OLD.
        ask: Ask the server at this address over HTTP, instead of the model of NEW: http://127.0.0.1:8000
        rate: Ask at most so often in a second; another machine is asked only if this is said.
        quiet: Write no summary.

    """

    old: str = argument(type=PathOrURL())
    new: str = argument(type=PathOrURL())
    transcoded: bool = flag()
    urls: str | None = option(where=Where.LINE, type=click.Path(exists=True), metavar="FILE")
    ask: str | None = option(where=Where.LINE, metavar="URL")
    rate: int = number("N", 0, 0, where=Where.LINE)
    serving: ServingOptions = group(ServingOptions)
    quiet: bool = quiet_option()
    tree: TreeOptions = group(TreeOptions)
    map: MapOptions = group(MapOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)
