"""The settings of ``linkfix rewrite``."""

from __future__ import annotations

from typing import Literal

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, MapOptions, normalize_option, to_option
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.table import Where, file_option, flag, group, option, settings


@settings
class RewriteOptions:
    """The settings of ``linkfix rewrite``.

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

    inputs: documents.PathOptions = group(documents.PathOptions)
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
    quiet: bool = documents.quiet_option()
    verify: bool = documents.verify_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    map: MapOptions = group(MapOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)
