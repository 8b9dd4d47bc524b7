"""``linkfix audit``: check the options, run the job, write the findings."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from itertools import chain
from typing import TextIO

import click

from linkfix.auditing import Finding, select
from linkfix.auditing.baseline import Baseline, fingerprint
from linkfix.cli.batch import embedded_lines, follow, passed_over
from linkfix.cli.formats import GROUPED, BaseWriter, fails, line, make
from linkfix.cli.options.audit import AuditOptions
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.rules import known_rules
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.table import Command, settings_of
from linkfix.cli.output import check_destination, destination, has_colours, say, write_diff
from linkfix.errors import LinkfixError
from linkfix.files.local import found_content, given_content, unreadable
from linkfix.sites.audit_job import AuditSettings
from linkfix.sites.auditing import Audited, AuditTotals, Renamed, Rendered, audit_site
from linkfix.sites.events import Began, Diff, Problem

_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE
_OPTION, _HEAD = "--changed", "HEAD"
#: How many bytes show that a file is a baseline.
_BEGIN = 256
#: How many renamed files and folders are named.
_NAMED = 10


class AuditCommand(Command):
    """A command in which ``--changed`` alone means ``--changed=HEAD``: it never takes a path for its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        end = args.index("--") if "--" in args else len(args)
        options = [f"{_OPTION}={_HEAD}" if each == _OPTION else each for each in args[:end]]
        return super().parse_args(ctx, options + args[end:])


@made_command(
    "audit",
    AuditOptions,
    first="--format -o --select --ignore --fail-on --group-by --fix --diff --served --base --charset --exclude -j -q",
    cls=AuditCommand,
)
def command(ctx: click.Context, options: AuditOptions) -> int:
    """Report what is wrong with the links of documents, and what a rewrite would make of them.

    A PATH is a file, a folder, or a pattern like 'site/**/*.html'. With no PATH, or -, standard input is
    read. `linkfix rules ID` explains a finding. A comment
    `<!-- linkfix: ignore ENC001 -->` suppresses findings about the next element, and
    `<!-- linkfix: off -->` all findings up to `<!-- linkfix: on -->`.
    """
    _check(ctx, options)
    paths, diff, writes = options.inputs.paths, options.diff, options.write_baseline
    document = options.document.settled(ctx, paths, alone=True)
    baseline = _read_baseline(options.baseline_path, writes=writes)
    found = ctx.find_object(Settings) or Settings()
    ignores = found.per_file_ignores()
    known_rules(chain(*ignores.values()), "per-file-ignores")
    totals = AuditTotals()
    charset = None if options.output == "text" else "utf-8"
    with destination(options.output_path, charset=charset) as out:
        writer = _writer(options, out, baseline)
        settings = settings_of(
            AuditSettings,
            options,
            policy=options.links.policy(by_convention=True, normalize=options.normalize),
            sources=document,
            selection=options.tree.selection(archives=True)._replace(
                warc=not (options.fix or diff)
            ),
            workers=options.tree.work.workers(),
            mode="fix" if options.fix else "diff" if diff else "report",
            rules=select(options.rules.select, options.rules.ignore),
            ignored=partial(found.ignored_in, ignores),
            serving=options.serving.serving(document.index),
            baseline=baseline,
            render=None if diff else writer.rendered,
            form=f"{type(writer)} {options.grouping} {has_colours(out)}",
        )

        def take(event: object) -> None:
            nonlocal totals
            if isinstance(event, Began) and not writer.has_begun:
                writer.has_begun = True
                writer.begin()
            elif isinstance(event, Rendered):
                writer.put(event.path, event.data)
            elif isinstance(event, Audited):
                writer.done(event.path, event.tally.counts, event.error)
            elif isinstance(event, Problem) and event.is_failure:
                writer.done(event.error.file or "", Counter(), event.error)
            elif isinstance(event, Diff):
                write_diff(event.data, out)
            elif isinstance(event, Renamed):
                _say_renamed(event)
            elif isinstance(event, AuditTotals):
                totals = event
                writer.end(totals)

        status = follow(
            lambda stop: audit_site(paths, settings, stop=stop), take, data=out.isatty()
        )
        if not totals.seconds:  # it was stopped: a file of --output stays as it was
            raise click.exceptions.Exit(status)
    if writes and options.baseline_path is not None:
        with destination(options.baseline_path) as file:
            file.write(baseline.text())
    pace = totals.documents / totals.seconds
    say(line(totals) + f" ({pace:.0f} documents per second)" * sys.stderr.isatty())
    for text in embedded_lines(totals.embedded):
        say(text)
    if not totals.documents and (passed := passed_over(totals.passed)):
        say(passed)
    if writes or options.exit_zero:
        return status
    return status or int(fails(totals.counts, options.rules.fail_on))


def _writer(options: AuditOptions, out: TextIO, baseline: Baseline) -> BaseWriter:
    """Return what writes the findings."""
    by = options.grouping
    is_brief = by is None and options.output == "text" and not options.diff and out.isatty()
    if options.write_baseline:
        return _Known(out, baseline)
    if is_brief or by not in {None, "none"}:
        from linkfix.cli.formats.groups import Writer as Groups

        return Groups(out, options.output, by or "cause", is_brief=is_brief)
    return BaseWriter(out) if options.diff else make(options.output, out)


def _say_renamed(event: Renamed) -> None:
    """Name what was renamed in a folder, and the commands that rewrite the links to it."""
    for paths in event.paths[:_NAMED]:
        words = ["linkfix", "mv", "--after", "--root", event.folder, *paths]
        import shlex

        say(f"renamed; to rewrite the links: {shlex.join(words)}")
    if len(event.paths) > _NAMED:
        say(f"renamed: … and {len(event.paths) - _NAMED:,} more")


def _check(ctx: click.Context, options: AuditOptions) -> None:
    """Refuse options that exclude each other, and what they do not work on."""
    paths, fix, diff, xml = options.inputs.paths, options.fix, options.diff, options.links.xml
    writes, caches = options.write_baseline, options.cache is not None
    named = ctx.get_parameter_source("baseline_path") is _COMMAND_LINE
    grouped = options.grouping not in {None, "none"} and (
        "--statistics" if options.statistics else "--group-by"
    )
    check(
        {
            "--fix needs files; standard input cannot be replaced.": fix
            and (not paths or "-" in paths),
            "--diff shows what --fix would do; use one of them.": fix and diff,
            "--diff writes no findings for --write-baseline; use one of them.": writes and diff,
            "--write-baseline needs --baseline FILE.": writes and options.baseline_path is None,
            "--write-baseline writes no file that settings name; use --baseline FILE as well.": writes
            and not named,
            "--cache is for findings; leave it out with --fix and --diff.": caches
            and (fix or diff),
            "--cache is for whole sites; leave it out with --changed.": caches
            and options.changed is not None,
            "--cache cannot follow the files of --schema, --catalog and --rules; leave it out.": caches
            and (xml.schema or xml.catalog or options.own.added),
            f"{grouped} writes nothing else; leave out --diff, --write-baseline.": grouped
            and (diff or writes),
            f"{grouped} is written as {', '.join(GROUPED)}, not {options.output}.": grouped
            and options.output not in GROUPED,
        }
    )
    if fix:
        refuse_remote("--fix", paths, "; write new documents with linkfix rewrite -o")
    if caches:
        refuse_remote("--cache", paths)
    if options.changed is not None:
        refuse_remote("--changed", paths)


def _read_baseline(path: str | None, *, writes: bool) -> Baseline:
    """Return the known findings; where they are written, none, and only another baseline may be replaced by them."""
    if path is None:
        return Baseline()
    if writes:
        check_destination(path)
    try:
        if not writes:
            return Baseline.read(given_content(path))
        begin = found_content(path, _BEGIN).lstrip()
        if not begin or (begin.startswith(b"{") and b'"linkfix-baseline"' in begin):
            return Baseline()
        message = f"{path}: this is no baseline; name another file"
    except OSError as error:
        message = str(unreadable(path, "cannot read it", error))
    except LinkfixError as error:
        message = f"{path}: {error}"
    raise click.BadParameter(message, param_hint="--baseline")


class _Known(BaseWriter):
    """Add findings to a baseline, and write none."""

    def __init__(self, out: TextIO, baseline: Baseline) -> None:
        super().__init__(out)
        self._baseline = baseline

    def render(self, file: str, finding: Finding) -> str:
        return fingerprint(file, finding) + "\n"

    def put(self, file: str, piece: bytes) -> None:
        del file
        self._baseline.add(piece.decode("ascii").split())
