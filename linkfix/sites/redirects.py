"""The table of redirects that a migration and a move write."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal, get_args

from linkfix.errors import LinkfixError
from linkfix.files.access import creating, make_folder, place_in
from linkfix.files.local import check_output, found_content
from linkfix.files.paths import is_remote, join
from linkfix.markup.detect import type_of_name
from linkfix.migration.settings import NOWHERE
from linkfix.policy import gate
from linkfix.server.addresses import SiteAddress
from linkfix.server.redirects.heads_data import RULES_HEAD
from linkfix.server.redirects.tables import rules, shortened, table
from linkfix.sites.events import Problem

_Format = Literal["nginx", "apache", "caddy", "iis", "netlify", "csv", "html"]


@dataclass(frozen=True, slots=True)
class RedirectTable:
    """The table of redirects that is written.

    Attributes:
        path: of the file; of a folder for ``html``.
        format: which server reads it; ``html`` for a page at each old address that leads to the new one.

    """

    path: str
    format: _Format = "nginx"

    def __post_init__(self) -> None:
        gate.check({"path": gate.SOME_PATH, "format": get_args(_Format)}, self)
        object.__setattr__(self, "path", os.fspath(self.path))


def check_redirects(moved: Iterable[tuple[str, str]], base: str, wanted: RedirectTable) -> None:
    """Refuse a table of redirects that would replace a document; the arguments are those of `write_redirects`.

    Raises:
        UnreadableError: a document is there that linkfix did not write.

    """
    if wanted.format != "html":
        check_output(wanted.path)
        return
    for path, _ in _places(moved, base):
        if path and not is_remote(wanted.path):
            check_output(join(wanted.path, path))


def write_redirects(
    moved: list[tuple[str, str]], standing: Iterable[str], base: str, wanted: RedirectTable
) -> Iterator[Problem]:
    """Write a table of redirects, whole or not at all; for nginx and Apache a second file with those that no map can have.

    A redirect to a redirected address leads to the end at once.

    Args:
        moved: old and new URIs.
        standing: the URIs of files that must not be redirected.
        base: the URI of the old site.
        wanted: the table.

    Yields:
        What the user has to do with the second file, and what is left out.

    Raises:
        UnreadableError: a file cannot be written, or would replace a document.

    """
    path, form = wanted.path, wanted.format
    check_redirects(moved, base, wanted)
    moved, circles = shortened(moved)
    for old in circles:
        yield Problem(
            LinkfixError(f"{old} would be redirected in a circle; it is left out", file=path)
        )
    if form == "html":
        yield from _pages(moved, base, path)
        return
    make_folder(os.path.dirname(path) or os.curdir)  # noqa: PTH120 - of a URL too
    with creating(path) as sink:
        sink.write(table(moved, form, base=base, standing=standing))
    head, *more = rules(moved, form, base=base) if form in RULES_HEAD else [b""]
    if not more and not (head and found_content(f"{path}.conf", len(head)) == head):
        return
    with creating(f"{path}.conf") as sink:  # an old one would redirect too
        sink.writelines([head, *more])
    if more:
        count = f"{len(more):,} line" + "s" * (len(more) > 1)
        text = f"has {count} for redirects that no map can have; include this file too"
        yield Problem(LinkfixError(text, file=f"{path}.conf"))


def _places(moved: Iterable[tuple[str, str]], base: str) -> Iterator[tuple[str, str]]:
    """Yield for each redirect the path of the page that leads on, "" where there can be none, and the new URI."""
    for old, new in moved:
        located = SiteAddress(base).locate(old)
        path = "" if located is None or "?" in located.rest else located.path
        if located is not None and located.is_folder:
            path = f"{path}/index.html".lstrip("/")
        yield path if type_of_name(path) in {"html", "xhtml"} else "", new


def _pages(moved: Iterable[tuple[str, str]], base: str, folder: str) -> Iterator[Problem]:
    """Write a page at each old address of a page, which leads to the new one, for hosts without rules."""
    left = 0
    for path, new in _places(moved, base):
        if not path:
            left += 1
            continue
        there = escape(new.removeprefix(NOWHERE[:-1]))
        with creating(place_in(folder, path)) as sink:
            sink.write(
                f'<!DOCTYPE html><meta charset="utf-8"><title>{there}</title><link rel="canonical" href="{there}">'
                f'<meta http-equiv="refresh" content="0; url={there}"><a href="{there}">{there}</a>\n'.encode()
            )
    if left:
        what = f"{left:,} old addresses of other files, or with a query, can have no page"
        yield Problem(LinkfixError(what, file=folder))
