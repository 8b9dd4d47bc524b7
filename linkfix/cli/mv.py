"""``linkfix mv``: move a file or folder inside a site, with the links that lead to it and those that it has."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click
from click.core import ParameterSource

from linkfix.cli.batch import follow
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.sites import MvOptions
from linkfix.cli.options.table import settings_of
from linkfix.cli.output import complain, escape, log, number, say, write
from linkfix.cli.rewrite import Writer, identity
from linkfix.files.tree import as_folder
from linkfix.sites.documents import Sources
from linkfix.sites.moving import LinksStay, Moved, MoveSettings, Refused, move


@made_command(
    "mv", MvOptions, first="--root --base --redirects --dry-run --diff --after --resume --verify -q"
)
def command(ctx: click.Context, options: MvOptions) -> int:
    """Move the file or folder OLD of a site to NEW, and rewrite the links to it and in it.

    OLD and NEW are paths from the root of the site. In every document of the site, the links that lead to what moves are
    rewritten, and those links of the documents that move which would lead elsewhere. All other bytes stay. Nothing
    is changed unless every document can be processed.

    Exit status: 1 if links to what moved had to stay as they are; 130 if it was stopped.
    """
    table = None if options.resume else options.redirect.redirects_path
    if table is not None and Path(table).is_file() and Path(table).stat().st_size:
        # It has the redirects of earlier moves.
        text = f"{escape(table)} exists; name another file, and join them"
        raise click.BadParameter(text, param_hint="--redirects")
    shows = options.dry_run or options.diff
    check({"--resume changes documents; --dry-run and --diff do not.": options.resume and shows})
    refuse_remote("mv", (options.old, options.new, options.root))
    root = _root(ctx, options.root)
    with log(options.report_path) as report:
        settings = _settings(options, root)
        writer = _Writer(settings, options, report)
        return follow(
            lambda stop: move(options.old, options.new, settings, stop=stop),
            writer.take,
            data=shows,
        )


def _settings(options: MvOptions, root: str) -> MoveSettings:
    """Return what the options ask for."""
    policy = options.links.policy(by_convention=True)
    return settings_of(
        MoveSettings,
        options,
        sources=Sources(charset=options.charset, base=options.base, root=root, index=options.index),
        serving=options.serving.serving(options.index),
        policy=policy,
        selection=options.tree.selection(archives=False),
        workers=options.tree.work.workers(),
        mode="diff" if options.diff else "dry-run" if options.dry_run else "in-place",
        lists_changed=options.report_path is not None,
        redirects=options.redirect.table(),
        identity=identity(replace(options, base=None, root=None)),
    )


def _root(ctx: click.Context, root: str | None) -> str:
    """Return the root of the site: an option, else what the settings name, else the current folder."""
    settings = ctx.find_object(Settings) or Settings()
    if root is None:
        from_settings = ctx.get_parameter_source("base") is ParameterSource.DEFAULT_MAP
        root = os.fspath(settings.folder) if from_settings else os.curdir
    folder = as_folder(root)
    if folder is None:
        raise click.BadParameter(f"{escape(root)} is no folder", param_hint="--root")
    return os.path.abspath(folder)  # noqa: PTH100 - links stay


class _Writer(Writer):
    """Writes what the job says."""

    def __init__(self, settings: MoveSettings, options: MvOptions, report: TextIO | None) -> None:
        super().__init__(settings, {"changed": report})
        self._lists = options.dry_run

    def take(self, event: object) -> int:
        """Write what an event says; return the exit status."""
        if isinstance(event, LinksStay):
            say(f"/{event.path}: links to it stay: {event.why}")
        elif isinstance(event, Refused):
            complain(
                "nothing was changed; correct these documents, or leave them out with --exclude"
            )
            return 3
        elif isinstance(event, Moved):
            return self._end(event)
        return super().take(event)

    def _end(self, event: Moved) -> int:
        move, sums = f"{event.old} -> {event.new}", event.totals.sums
        if event.state == "earlier":
            complain(f"{event.new}: an earlier run has moved it; nothing is left to do")
        elif event.state == "unfinished":
            complain(f"{event.old} is not moved yet; go on with --resume")
        elif event.state == "shown":
            if self._lists:
                write(escape(move))
            super().take(event.totals)
        else:
            say(
                f"{move}; {number(event.documents, 'document')}: {number(sums.changed, 'link')} rewritten "
                f"in {number(sums.touched, 'document')}; {event.totals.seconds:.1f} s"
            )
        return int(event.has_left)
