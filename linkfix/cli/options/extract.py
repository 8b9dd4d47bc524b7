"""The settings of ``linkfix extract``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkfix.cli.options.documents import DocumentOptions, PathOptions, TreeOptions, quiet_option
from linkfix.cli.options.links import LinkOptions
from linkfix.cli.options.table import choice, flag, group


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """The settings of the command.

    Attributes:
        output: How links are listed.
        unknown: List instead the values of XML that look like links in attributes that no table has.
        readable: Show values and URIs for people: with as little percent-encoding as links in text allow.
        quiet: Say nothing but links and errors.

    """

    inputs: PathOptions = group(PathOptions)
    output: Literal["text", "jsonl", "csv"] = choice("text", "--format")
    unknown: bool = flag()
    readable: bool = flag()
    quiet: bool = quiet_option()
    tree: TreeOptions = group(TreeOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)
