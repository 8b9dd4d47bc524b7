"""The settings of ``linkfix migrate``."""

from __future__ import annotations

from typing import Any, Literal

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, MapOptions, base_option
from linkfix.cli.options.operands import Parsed, PathOrURL
from linkfix.cli.options.serving import RedirectOptions, ServingOptions
from linkfix.cli.options.table import (
    Where,
    argument,
    choice,
    file_option,
    flag,
    group,
    option,
    patterns_option,
    settings,
)


def _row(value: str) -> tuple[str, str]:
    from linkfix.server.headers import row

    return row(value)


def _labels_option(name: str) -> Any:
    return option(name, multiple=True, type=Parsed(_row), metavar="[PATTERN=]LABEL")


def _extension(value: str) -> tuple[str, str]:
    old, equals, new = value.partition("=")
    good = equals and all(len(each) > 1 and each[0] == "." for each in (old, new))
    if not good or "/" in value or "\0" in value:
        raise ValueError(f"{value!r} is not like .htm=.html")
    return old, new


def _utf_8(value: str) -> str:
    from linkfix.charset import lookup

    if lookup(value).name != "UTF-8":
        raise ValueError(
            f"{value} is no charset to migrate to; HTML has to be in UTF-8 (HTML Standard, 4.2.5.4)"
        )
    return value


def _root(value: str) -> str:
    from linkfix.server.addresses import SiteAddress

    return SiteAddress.at(value).root


@settings
class MigrateOptions:
    """The settings of ``linkfix migrate``.

    Attributes:
        charset: The charset of the new documents.
        to: Rewrite all links to canonical URIs or readable IRIs; otherwise only those that have to.
        base: The address of the folder SRC.
        extensions: Give files another extension, as .htm=.html.
        names: The charset that names on disk are in; they become UTF-8.
        headers: The charset in the Content-Type headers of the old server.
        fix_case: Correct links that reach a file by other case.
        unescape: Write characters as themselves that were references.
        forms: Let forms go on being submitted in the old charset, or leave them as they are.
        exclude: Leave files and folders behind, by patterns as in .gitignore.
        copy: Copy these files as they are, although they look like documents: *.inc, templates/.
        parts: Files that pages include: they get no declaration, and are in the charset of the
            pages.  [default: *.inc, *.ssi, and what <!--#include --> names]
        pages: Migrate these files too, although a server runs code in them, as *.php: markup and text; the code
            stays, in the new charset.
        decisions_path: Take the charsets of pages that declare none from this file; write into it what is to be
            decided, with the evidence.
        accept: Go on although something needs a decision.
        accept_guesses: Write pages in UTF-8 whose charset was guessed; otherwise they are copied.
        accept_losses: Write files with octets that are malformed in their charset, which become U+FFFD;
            otherwise they are copied.
        hard_link: Make hard links of files that do not change.
        resume: Go on with a migration that was stopped or killed.
        dry_run: Do everything but write the new tree.
        report_path: Write what was done and found as lines of JSON.
        quiet: Say nothing but errors.

    """

    source: str = argument(metavar="SRC", type=PathOrURL(exists=True, file_okay=False))
    target: str = argument(metavar="DST", type=PathOrURL(writes=True))
    charset: str = option(type=Parsed(_utf_8), default="utf-8", show_default=True, metavar="utf-8")
    to: Literal["uri", "iri"] | None = choice(None)
    base: str | None = base_option(_root)
    map: MapOptions = group(MapOptions)
    extensions: tuple[tuple[str, str], ...] = option(
        "--rename", multiple=True, type=Parsed(_extension), metavar=".OLD=.NEW"
    )
    names: tuple[tuple[str, str], ...] = _labels_option("--rename-charset")
    headers: tuple[tuple[str, str], ...] = _labels_option("--source-charset")
    default_charset: str | None = documents.default_charset_option()
    fix_case: bool = flag()
    unescape: bool = flag()
    forms: Literal["pin", "leave"] = choice("pin")
    redirect: RedirectOptions = group(RedirectOptions)
    exclude: tuple[str, ...] = patterns_option()
    index: tuple[str, ...] = documents.index_option()
    copy: tuple[str, ...] = patterns_option()
    serving: ServingOptions = group(ServingOptions)
    parts: tuple[str, ...] = patterns_option("--part")
    pages: tuple[str, ...] = patterns_option("--page")
    decisions_path: str | None = file_option("--decisions", dir_okay=False)
    accept: bool = flag(where=Where.LINE)
    accept_guesses: bool = flag(where=Where.LINE)
    accept_losses: bool = flag(where=Where.LINE)
    hard_link: bool = flag(where=Where.LINE)
    work: documents.JobOptions = group(documents.JobOptions)
    resume: bool = flag(where=Where.LINE)
    dry_run: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report", dir_okay=False)
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    links: LinkOptions = group(LinkOptions)
