"""The settings of ``linkfix verify``."""

from __future__ import annotations

from dataclasses import dataclass

from linkfix.cli.options.documents import DocumentOptions, TreeOptions, quiet_option
from linkfix.cli.options.links import LinkOptions, MapOptions
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.table import argument, flag, group


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """The settings of the command."""

    old: str = argument(type=PathOrURL())
    new: str = argument(type=PathOrURL())
    transcoded: bool = flag(
        "The new documents are in UTF-8, and name it where the old ones named another charset."
    )
    quiet: bool = quiet_option("Write no summary.")
    tree: TreeOptions = group(TreeOptions)
    map: MapOptions = group(MapOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)
