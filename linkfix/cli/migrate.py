"""``linkfix migrate``: bring a whole site into UTF-8; only a map or new names move a link."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linkfix.cli.batch import follow
from linkfix.cli.linkmap import target_from
from linkfix.cli.options.operands import ask_about, check, refuse_remote
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.table import settings_of
from linkfix.cli.options.writing import MigrateOptions
from linkfix.cli.output import complain, log
from linkfix.errors import JournalError, LinkfixError, MigrationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.cli.migration_report import Reporter
    from linkfix.jobs.stopping import Stop
    from linkfix.migration.settings import Settings
    from linkfix.server.labels import Labels


@made_command(
    "migrate",
    MigrateOptions,
    first="--base --to --map --rename --source-charset --redirects --served --accept --dry-run --resume --report --verify -j -q",
)
def command(ctx: click.Context, options: MigrateOptions) -> int:
    """Bring the site in the folder SRC into the folder DST, in UTF-8.

    HTML, XML and style sheets are written in UTF-8, and say so; links whose meaning depends on the
    old charset are pinned first. Everything else is copied. Where --base is not given, SRC is taken
    for the root of its site. SRC stays as it is.

    Exit status: 1 if there are links into the site that lead nowhere, or that may lead elsewhere in
    the new one, or pages that were copied because converting them would lose octets; 130 if it was stopped.
    """
    from linkfix.cli.migration_report import Reporter
    from linkfix.migration.settings import NOWHERE, PARTS, Settings

    if options.hard_link:
        refuse_remote("--hard-link", (options.source, options.target))
    ask_about((options.source, options.target))
    style, unmatched_path = options.map.style, options.map.unmatched_path
    check(
        {
            "--absolute needs --base, the address of the folder SRC.": style == "absolute"
            and options.base is None
        }
    )
    settings = settings_of(
        Settings,
        options,
        links=target_from(options.map, options.base or NOWHERE),
        policy=replace(options.links.policy(options.default_charset), style=style),
        undeclared=_undeclared(options.decisions_path),
        decides=options.decisions_path is not None,
        serving=options.serving.serving(options.index),
        parts=options.parts or PARTS,
        writes=not options.dry_run,
        wants_unmatched=unmatched_path is not None,
    )
    try:
        with log(options.report_path) as report, log(unmatched_path) as unmatched:
            reporter = Reporter(settings, report, unmatched, quiet=options.quiet)
            return _migrate(settings, options, reporter)
    except (MigrationError, JournalError) as error:
        raise click.UsageError(str(error)) from None


def _undeclared(path: str | None) -> Labels:
    """Return the decisions in a file."""
    from linkfix.migration.charsets import decided
    from linkfix.server.labels import Labels

    try:
        return Labels.parse([] if path is None else decided(path))
    except (OSError, LinkfixError, ValueError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--decisions") from None


def _migrate(settings: Settings, options: MigrateOptions, reporter: Reporter) -> int:
    """Migrate; return the exit status."""
    from linkfix.migration.charsets import CharsetDecision
    from linkfix.sites.migrating import Migrated, migrate

    earlier = False

    def take(event: object) -> None:
        nonlocal earlier
        if isinstance(event, CharsetDecision) and options.decisions_path is not None:
            complain(f"{options.decisions_path}: read and correct this for the next run: {event}")
            with Path(options.decisions_path).open(
                "a", encoding="utf-8", errors="surrogateescape"
            ) as file:
                file.write(f"{event}\n")
        if isinstance(event, Migrated):
            earlier = event.earlier
            if not earlier:
                reporter.summary()
        reporter.take(event)

    def job(stop: Stop) -> Iterator[object]:
        return migrate(
            settings,
            workers=options.work.workers(),
            accept=options.accept,
            resume=options.resume,
            redirects=options.redirect.table(),
            stop=stop,
        )

    status = follow(job, take, noun="file")
    if earlier:
        complain(f"{settings.target}: an earlier run has written it; nothing is left to do")
    return status or (0 if earlier else reporter.status)
