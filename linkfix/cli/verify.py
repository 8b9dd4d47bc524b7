"""``linkfix verify``: compare documents before and after a change of their links."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linkfix.cli.batch import gather
from linkfix.cli.linkmap import target_from
from linkfix.cli.options.operands import ask_about, check
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.verify import VerifyOptions
from linkfix.cli.output import complain, escape, number, write
from linkfix.files.access import chunks, is_folder, open_document
from linkfix.files.paths import is_remote, join, relative

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.policy import LinkMap, Policy


class VerifyWorker:
    """The work on one document.

    Args:
        options: of the command.
        link_map: maps links to new targets; None if links must stay the same.

    """

    def __init__(self, options: VerifyOptions, link_map: LinkMap | None) -> None:
        self._new = options.new
        self._options = options
        self._link_map = link_map

    @cached_property
    def _is_folder(self) -> bool:
        return is_folder(self._new)

    def _exists(self, new: str) -> bool:
        """Return whether there is a new document."""
        if not is_remote(new):
            return Path(new).exists()
        from linkfix.files.remote.listings import listed

        folder = listed(self._new)
        return folder is not None and (
            not self._is_folder or folder.find(relative(new, self._new) or "") is not None
        )

    @cached_property
    def _policy(self) -> Policy:
        policy = self._options.links.policy(self._options.document.default_charset)
        target = None if self._link_map is None else self._link_map.follow
        return replace(policy, target=target, style=self._options.map.style)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Compare a document with the new one; yield a list of at most one line about it."""
        line = self._compared(found)
        yield [] if line is None else [line]

    def _compared(self, found: Found) -> str | None:
        from linkfix.verifying import Settings, verify

        options = self._options.document
        new = join(self._new, found.relative) if self._is_folder else self._new
        if not self._exists(new):
            return f"{found.path}: there is no {new}"
        settings = Settings(
            policy=self._policy,
            source=options.source(found.path),
            transcoded=self._options.transcoded,
        )
        difference = verify(_content(found.path), _content(new), settings)
        if difference is None:
            return None
        place = "" if difference.line is None else f":{difference.line}:{difference.column}"
        return f"{found.path}{place}: {difference}"


def _content(path: str) -> bytes:
    with open_document(path) as file:
        return b"".join(chunks(file))


@made_command(
    "verify",
    VerifyOptions,
    first="--transcoded --map --base --charset --include --exclude -j -q",
)
def command(ctx: click.Context, options: VerifyOptions) -> int:
    """Compare documents before and after a change of their links, whatever made it.

    OLD and NEW are two files, or two folders with the same names in them. The documents are read by
    independent parsers: lexbor for HTML, libxml2 for XML, ada-url for where links lead. Nothing but
    the values of links may differ, each link must lead where it led (with --map: where the map
    leads it), and the charset must be the same. The first difference of each document is written.

    The exit status is 1 for a difference, and 3 where a document cannot be read.
    """
    from linkfix.verifying import is_available

    if not is_available():
        raise click.UsageError("verify needs two packages: pip install 'linkfix[verify]'")
    old, new = options.old, options.new
    ask_about((old, new))
    check(
        {
            "verify does not read WARC files; leave out --type warc.": options.document.type
            == "warc",
            "OLD and NEW must be two files or two folders.": is_folder(old) != is_folder(new),
        }
    )
    options = replace(options, document=options.document.settled(ctx, (old,)))
    batch = gather([old], options.tree, archives=False)
    counts = {0: 0, 1: 0}

    def take(_: Found, lines: list[str]) -> int:
        for line in lines:
            write(escape(line))
        counts[len(lines)] += 1
        return len(lines)

    link_map = target_from(options.map, options.document.site)
    status = batch.follow(VerifyWorker(options, link_map), take, data=True)
    if not options.quiet:
        complain(
            f"{number(counts[0] + counts[1], 'document')} compared, {counts[1]:,} with a difference"
        )
    return status
