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
    """The settings of the command.

    Attributes:
        in_place: Replace each file, whole or not at all, if it changes.
        output: Write the new documents to a folder, in which the folders of the old ones are mirrored.
        backup: With --in-place: keep the old bytes under the name with SUFFIX, if they change.
        dry_run: Write nothing; list the files that would change.
        diff: Write nothing but a diff for `patch`.
        resume: Go on with a run over files that was stopped or killed.
        journal: Where what is done is noted, for --resume.  [default: beside the documents]
        report_path: Write one line of JSON for each link that was changed.
        quiet: Say nothing about what was done.

    """

    inputs: PathOptions = group(PathOptions)
    to: Literal["uri", "iri"] = to_option()
    in_place: bool = flag(*("-i", "--in-place"), where=Where.LINE)
    output: str | None = option(
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        metavar="DIR",
    )
    backup: str | None = option(where=Where.LINE, metavar="SUFFIX")
    dry_run: bool = flag(where=Where.LINE)
    diff: bool = flag(where=Where.LINE)
    resume: bool = flag(where=Where.LINE)
    journal: str | None = file_option(dir_okay=False)
    report_path: str | None = file_option("--report")
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    quiet: bool = quiet_option()
    verify: bool = verify_option()
    tree: TreeOptions = group(TreeOptions)
    map: MapOptions = group(MapOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)
