"""``linkfix migrate``: bring a whole site into UTF-8; only a map or new names move a link."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from linkfix.cli.batch import STOPPED, stopping
from linkfix.cli.linkmap import target_from
from linkfix.cli.options.migrate import MigrateOptions
from linkfix.cli.options.operands import ask_about, check, refuse_remote
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import complain, log, number
from linkfix.errors import JournalError, MigrationError, NothingToResumeError
from linkfix.sites.redirects import write_redirects
from linkfix.sites.rewriting import BEGINS

if TYPE_CHECKING:
    from linkfix.cli.migration_report import Reporter
    from linkfix.migration.settings import Settings


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
    from linkfix.migration.settings import NOWHERE, Settings

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
    settings = Settings(
        source=options.source,
        target=options.target,
        links=target_from(options.map, options.base or NOWHERE),
        policy=replace(options.links.policy(options.default_charset), style=style),
        base=options.base,
        to=options.to,
        extensions=options.extensions,
        names=options.names,
        headers=options.headers,
        accept_guesses=options.accept_guesses,
        exclude=options.exclude,
        copy=options.copy,
        serving=options.serving.serving(options.index),
        fix_case=options.fix_case,
        unescape=options.unescape,
        forms=options.forms,
        accept_losses=options.accept_losses,
        hard_link=options.hard_link,
        writes=not options.dry_run,
        wants_unmatched=unmatched_path is not None,
        verify=options.verify,
    )
    if options.parts:
        settings = replace(settings, parts=options.parts)
    try:
        with log(options.report_path) as report, log(unmatched_path) as unmatched:
            reporter = Reporter(settings, report, unmatched, quiet=options.quiet)
            return _migrate(settings, options, reporter)
    except (MigrationError, JournalError) as error:
        raise click.UsageError(str(error)) from None


def _migrate(settings: Settings, options: MigrateOptions, reporter: Reporter) -> int:
    """Migrate; return the exit status."""
    from linkfix.cli.progress import watched
    from linkfix.migration.migration import Migration

    with stopping() as stop:
        work, resume = options.work, options.resume
        migration = Migration(
            settings, jobs=work.jobs, limits=work.workers().limits, resume=resume, stop=stop
        )
        for _ in watched(migration.examine(), len(migration.types), data=False):
            pass
        tasks = [] if stop.asked else migration.tasks()
        reporter.decisions(migration, tasks)
        if reporter.undecided and settings.writes and not options.accept:
            raise MigrationError(
                f"{number(reporter.undecided, 'decision')} to make; nothing was written",
                hint="correct these files, or go on with --accept and correct them in the new tree",
            )
        if resume and settings.writes and not stop.asked and migration.is_new():
            complain(f"{settings.target}: {BEGINS}")
        try:
            for task, result in watched(
                migration.transfer(tasks, finish=False), len(tasks), data=False
            ):
                reporter.file(task, result)
        except NothingToResumeError:
            if not migration.is_whole(tasks):
                raise
            complain(f"{settings.target}: an earlier run has written it; nothing is left to do")
            return 0
        if stop.asked:
            complain(
                f"stopped after {reporter.files:,} of {number(len(tasks), 'file')}; "
                "go on with --resume"
                if reporter.files
                else "stopped before anything was written"
            )
            return STOPPED
    reporter.site(migration)
    redirects = options.redirect.table()
    if redirects is not None and settings.writes:
        moved, standing = migration.moves.redirects()
        for note in write_redirects(moved, standing, migration.moves.old.root, redirects):
            complain(note.error)
    reporter.summary()
    migration.finish()
    return reporter.status
