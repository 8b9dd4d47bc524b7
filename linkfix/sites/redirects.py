"""The table of redirects that a migration and a move write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal

from linkfix.errors import LinkfixError
from linkfix.files.access import creating
from linkfix.server.redirects.tables import RULES_HEAD, apache_rules, table
from linkfix.sites.events import Problem


@dataclass(frozen=True, slots=True)
class RedirectTable:
    """The table of redirects that is written.

    Attributes:
        path: of the file.
        format: which server reads it.

    """

    path: str
    format: Literal["nginx", "apache", "netlify", "csv"] = "nginx"


def write_redirects(
    moved: list[tuple[str, str]], standing: Iterable[str], base: str, wanted: RedirectTable
) -> Iterator[Problem]:
    """Write a table of redirects, whole or not at all; for Apache a second file with the redirects that are too long for it.

    Args:
        moved: old and new URIs.
        standing: the URIs of files that must not be redirected.
        base: the URI of the old site.
        wanted: the table.

    Yields:
        What the user has to do with the second file.

    Raises:
        UnreadableError: a file cannot be written.

    """
    path, form = wanted.path, wanted.format
    with creating(path) as sink:
        sink.write(table(moved, form, base=base, standing=standing))
    head, *rules = apache_rules(moved, base=base) if form == "apache" else [RULES_HEAD]
    if not rules and not _begins(f"{path}.conf", RULES_HEAD):
        return
    with creating(f"{path}.conf") as sink:  # an old one would redirect too
        sink.writelines([head, *rules])
    if rules:
        long = f"{len(rules):,} redirect" + "s" * (len(rules) > 1)
        text = f"has {long} too long for a map of Apache; include this file too"
        yield Problem(LinkfixError(text, file=f"{path}.conf"))


def _begins(path: str, head: bytes) -> bool:
    """Return whether a regular file begins with some bytes."""
    try:
        with Path(path).open("rb") if Path(path).is_file() else BytesIO() as file:
            return file.read(len(head)) == head
    except OSError:
        return False
