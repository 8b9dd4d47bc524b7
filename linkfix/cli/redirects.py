"""The table of redirects that `migrate` and `mv` write."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.cli.output import complain, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.cli.options.serving import RedirectOptions


def write_redirects(
    moved: list[tuple[str, str]], standing: Iterable[str], base: str, options: RedirectOptions
) -> None:
    """Write the table that the options ask for, if any, whole or not at all; for Apache a second file with the redirects that are too long for it.

    Args:
        moved: old and new URIs.
        standing: the URIs of files that must not be redirected.
        base: the URI of the old site.
        options: the table.

    Raises:
        UnreadableError: a file cannot be written.

    """
    from linkfix.files.access import creating
    from linkfix.server.redirects.tables import RULES_HEAD, apache_rules, table

    path, form = options.redirects_path, options.redirect_format
    if path is None:
        return
    with creating(path) as sink:
        sink.write(table(moved, form, base=base, standing=standing))
    head, *rules = apache_rules(moved, base=base) if form == "apache" else [RULES_HEAD]
    if not rules and not _begins(f"{path}.conf", RULES_HEAD):
        return
    with creating(f"{path}.conf") as sink:  # an old one would redirect too
        sink.writelines([head, *rules])
    if rules:
        long = number(len(rules), "redirect")
        complain(f"{path}.conf: has {long} too long for a map of Apache; include this file too")


def _begins(path: str, head: bytes) -> bool:
    """Return whether a regular file begins with some bytes."""
    try:
        with Path(path).open("rb") if Path(path).is_file() else BytesIO() as file:
            return file.read(len(head)) == head
    except OSError:
        return False
