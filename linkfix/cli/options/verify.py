"""The settings of ``linkfix verify``."""

from __future__ import annotations

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, MapOptions
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.table import Where, argument, bounded, flag, group, option, settings


@settings
class VerifyOptions:
    """The settings of ``linkfix verify``.

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
    rate: int = bounded("N", 0, 0, where=Where.LINE)
    serving: ServingOptions = group(ServingOptions)
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    map: MapOptions = group(MapOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)
