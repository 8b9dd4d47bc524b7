"""The settings of ``linkfix rewrite``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkfix.cli.options.documents import (
    DocumentOptions,
    PathOptions,
    TreeOptions,
    quiet_option,
    verify_option,
)
from linkfix.cli.options.links import LinkOptions, MapOptions, normalize_option, to_option
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.table import Where, file_option, flag, group, option


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteOptions:
    """The settings of the command."""

    inputs: PathOptions = group(PathOptions)
    to: Literal["uri", "iri"] = to_option()
    in_place: bool = flag(
        "Replace each file, whole or not at all, if it changes.",
        *("-i", "--in-place"),
        where=Where.LINE,
    )
    output: str | None = option(
        "Write the new documents to a folder, in which the folders of the old ones are mirrored.",
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        metavar="DIR",
    )
    backup: str | None = option(
        "With --in-place: keep the old bytes under the name with SUFFIX, if they change.",
        where=Where.LINE,
        metavar="SUFFIX",
    )
    dry_run: bool = flag("Write nothing; list the files that would change.", where=Where.LINE)
    diff: bool = flag("Write nothing but a diff for `patch`.", where=Where.LINE)
    resume: bool = flag("Go on with a run over files that was stopped or killed.", where=Where.LINE)
    journal: str | None = file_option(
        "Where what is done is noted, for --resume.  [default: beside the documents]",
        dir_okay=False,
    )
    report_path: str | None = file_option(
        "Write one line of JSON for each link that was changed.", "--report"
    )
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    quiet: bool = quiet_option("Say nothing about what was done.")
    verify: bool = verify_option()
    tree: TreeOptions = group(TreeOptions)
    map: MapOptions = group(MapOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)
