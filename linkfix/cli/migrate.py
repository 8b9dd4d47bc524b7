"""``linkfix migrate``: bring a whole site into UTF-8; only a map or new names move a link."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.batch import STOPPED, jobs_options, limits_from, stopping
from linkfix.cli.linkmap import map_options, target_from
from linkfix.cli.options.decorators import PATTERN
from linkfix.cli.options.operands import PathOrURL, ask_about, refuse_remote
from linkfix.cli.options.policy import (
    Label,
    default_charset_option,
    policy_from,
    policy_options,
    verify_option,
)
from linkfix.cli.options.serving import index_option, serving_from, serving_options
from linkfix.cli.options.settings import settings_option
from linkfix.cli.output import complain, log, number
from linkfix.cli.redirects import redirect_options, write_redirects
from linkfix.cli.rewrite.run import BEGINS
from linkfix.errors import JournalError, LinkfixError, MigrationError, NothingToResumeError

if TYPE_CHECKING:
    from linkfix.cli.migration_report import Reporter
    from linkfix.migration.migration import Settings
    from linkfix.server.labels import Labels


def _labels(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Labels:
    from linkfix.server.labels import Labels

    try:
        return Labels.parse(values)
    except (LinkfixError, ValueError) as error:
        raise click.BadParameter(str(error), param=option) from None


def _extensions(
    _: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    found = {}
    for value in values:
        old, equals, new = value.partition("=")
        good = equals and all(len(each) > 1 and each[0] == "." for each in (old, new))
        if not good or "/" in value or "\0" in value:
            raise click.BadParameter(f"{value!r} is not like .htm=.html", param=option)
        if old.lower() in found:
            raise click.BadParameter(f"{old} is renamed twice", param=option)
        found[old.lower()] = new
    return found


def _utf_8(_: click.Context, option: click.Parameter, value: str) -> str:
    from linkfix.charset import lookup

    if lookup(value).name != "UTF-8":
        raise click.BadParameter(
            f"{value} is no charset to migrate to; HTML has to be in UTF-8 (HTML Standard, 4.2.5.4)",
            param=option,
        )
    return value


def _base(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    from linkfix.server.addresses import SiteAddress

    try:
        return None if value is None else SiteAddress.at(value).root
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from None


@click.command("migrate")
@click.argument("source", metavar="SRC", type=PathOrURL(exists=True, file_okay=False))
@click.argument("target", metavar="DST", type=PathOrURL(writes=True, file_okay=False))
@click.option(
    "--charset",
    type=Label(),
    default="utf-8",
    show_default=True,
    callback=_utf_8,
    metavar="utf-8",
    help="The charset of the new documents.",
)
@click.option(
    "--to",
    type=click.Choice(["uri", "iri"]),
    help="Rewrite all links to canonical URIs or readable IRIs; otherwise only those that have to.",
)
@click.option("--base", metavar="IRI", callback=_base, help="The address of the folder SRC.")
@map_options
@click.option(
    "--rename",
    "extensions",
    multiple=True,
    callback=_extensions,
    metavar=".OLD=.NEW",
    help="Give files another extension, as .htm=.html.",
)
@click.option(
    "--rename-charset",
    "names",
    multiple=True,
    callback=_labels,
    metavar="[PATTERN=]LABEL",
    help="The charset that names on disk are in; they become UTF-8.",
)
@click.option(
    "--source-charset",
    "headers",
    multiple=True,
    callback=_labels,
    metavar="[PATTERN=]LABEL",
    help="The charset in the Content-Type headers of the old server.",
)
@default_charset_option
@click.option("--fix-case", is_flag=True, help="Correct links that reach a file by other case.")
@click.option(
    "--unescape", is_flag=True, help="Write characters as themselves that were references."
)
@click.option(
    "--forms",
    type=click.Choice(["pin", "leave"]),
    default="pin",
    show_default=True,
    help="Let forms go on being submitted in the old charset, or leave them as they are.",
)
@redirect_options
@click.option(
    "--exclude",
    multiple=True,
    type=PATTERN,
    help="Leave files and folders behind, by patterns as in .gitignore.",
)
@index_option
@click.option(
    "--copy",
    multiple=True,
    type=PATTERN,
    help="Copy these files as they are, although they look like documents: *.inc, templates/.",
)
@serving_options
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=PATTERN,
    help="Files that pages include: they get no declaration, and are in the charset of the pages.  "
    "[default: *.inc, *.ssi, and what <!--#include --> names]",
)
@click.option("--accept", is_flag=True, help="Go on although something needs a decision.")
@click.option(
    "--accept-guesses",
    is_flag=True,
    help="Write pages in UTF-8 whose charset was guessed; otherwise they are copied.",
)
@click.option(
    "--accept-losses",
    is_flag=True,
    help="Write files with octets that are malformed in their charset, which become U+FFFD; otherwise "
    "they are copied.",
)
@click.option("--hard-link", is_flag=True, help="Make hard links of files that do not change.")
@jobs_options
@click.option("--resume", is_flag=True, help="Go on with a migration that was stopped or killed.")
@click.option("--dry-run", is_flag=True, help="Do everything but write the new tree.")
@click.option(
    "--report",
    "report_path",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write what was done and found as lines of JSON.",
)
@verify_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@policy_options
@settings_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Bring the site in the folder SRC into the folder DST, in UTF-8.

    HTML, XML and style sheets are written in UTF-8, and say so; links whose meaning depends on the
    old charset are pinned first. Everything else is copied. Where --base is not given, SRC is taken
    for the root of its site. SRC stays as it is.

    Exit status: 1 if there are links into the site that lead nowhere, or that may lead elsewhere in
    the new one, or pages that were copied because converting them would lose octets; 130 if it was stopped.
    """
    from linkfix.cli.migration_report import Reporter
    from linkfix.migration.migration import NOWHERE, Settings

    if options["hard_link"]:
        refuse_remote("--hard-link", (options["source"], options["target"]))
    ask_about((options["source"], options["target"]))
    if options["style"] == "absolute" and options["base"] is None:
        raise click.UsageError("--absolute needs --base, the address of the folder SRC.")
    links = target_from(options, options["base"] or NOWHERE)
    settings = Settings(
        source=options["source"],
        target=options["target"],
        policy=policy_from(options, style=options["style"]),
        base=options["base"],
        to=options["to"],
        links=links,
        extensions=options["extensions"],
        names=options["names"],
        headers=options["headers"],
        accept_guesses=options["accept_guesses"],
        exclude=options["exclude"],
        copy=options["copy"],
        serving=serving_from(options),
        fix_case=options["fix_case"],
        unescape=options["unescape"],
        forms=options["forms"],
        accept_losses=options["accept_losses"],
        hard_link=options["hard_link"],
        writes=not options["dry_run"],
        wants_unmatched=options["unmatched_path"] is not None,
        verify=options["verify"],
    )
    if options["parts"]:
        settings = replace(settings, parts=options["parts"])
    try:
        with log(options["report_path"]) as report, log(options["unmatched_path"]) as unmatched:
            reporter = Reporter(settings, report, unmatched, quiet=options["quiet"])
            status = _migrate(settings, options, reporter)
    except (MigrationError, JournalError) as error:
        raise click.UsageError(str(error)) from None
    ctx.exit(status)


def _migrate(settings: Settings, options: dict[str, Any], reporter: Reporter) -> int:
    """Migrate; return the exit status."""
    from linkfix.cli.progress import watched
    from linkfix.migration.migration import Migration

    with stopping() as stop:
        jobs, resume = options["jobs"], options["resume"]
        limits = limits_from(options)
        migration = Migration(settings, jobs=jobs, limits=limits, resume=resume, stop=stop)
        for _ in watched(migration.examine(), len(migration.types), data=False):
            pass
        tasks = [] if stop.asked else migration.tasks()
        reporter.decisions(migration, tasks)
        if reporter.undecided and settings.writes and not options["accept"]:
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
    if options["redirects_path"] is not None and settings.writes:
        moved, standing = migration.moves.redirects()
        write_redirects(moved, standing, migration.moves.old.root, options)
    reporter.summary()
    migration.finish()
    return reporter.status
