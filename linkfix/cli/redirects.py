"""The table of redirects that `migrate` and `mv` write."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.output import complain, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.server.redirects.tables import RedirectFormat


def redirect_options(function: Any) -> Any:
    """Add the options for a table of redirects."""
    function = click.option(
        "--redirect-format",
        type=click.Choice(["nginx", "apache", "netlify", "csv"]),
        default="nginx",
        show_default=True,
        help="Which server reads the table.",
    )(function)
    return click.option(
        "--redirects",
        "redirects_path",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write a table of redirects from the old addresses of files to the new ones.",
    )(function)


def write_redirects(
    moved: list[tuple[str, str]], standing: Iterable[str], base: str, options: dict[str, Any]
) -> None:
    """Write the table, whole or not at all; for Apache a second file with the redirects that are too long for it.

    Args:
        moved: old and new URIs.
        standing: the URIs of files that must not be redirected.
        base: the URI of the old site.
        options: those of `redirect_options`, with a path.

    Raises:
        UnreadableError: a file cannot be written.

    """
    from linkfix.files.access import creating
    from linkfix.server.redirects.tables import RULES_HEAD, apache_rules, table

    path: str = options["redirects_path"]
    form: RedirectFormat = options["redirect_format"]
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
