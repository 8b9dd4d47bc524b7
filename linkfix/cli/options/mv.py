"""The settings of ``linkfix mv``."""

from __future__ import annotations

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, base_option
from linkfix.cli.options.serving import RedirectOptions, ServingOptions
from linkfix.cli.options.table import Where, argument, file_option, flag, group, option, settings


@settings
class MvOptions:
    """The settings of ``linkfix mv``.

    Attributes:
        root: The root of the site, in which OLD and NEW are.  [default: the current folder]
        base: The address of the root.
        dry_run: Change nothing; list the files that would change.
        diff: Change nothing; write a diff of the documents.
        after: OLD has become NEW already: rewrite the links, move nothing.
        resume: Go on with a move that was stopped or killed.
        report_path: Write one line of JSON for each link that was changed.
        quiet: Say nothing but what is wrong.

    """

    old: str = argument(type=click.Path())
    new: str = argument(type=click.Path())
    root: str | None = option(where=Where.SITE, metavar="DIR")
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    default_charset: str | None = documents.default_charset_option()
    redirect: RedirectOptions = group(RedirectOptions)
    dry_run: bool = flag(where=Where.LINE)
    diff: bool = flag(where=Where.LINE)
    after: bool = flag(where=Where.LINE)
    resume: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report")
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)
