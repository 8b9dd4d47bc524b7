"""``linkfix audit``: check the options, run the audit, write the findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

import click

from linkfix.auditing import Finding
from linkfix.cli.audit.changed import AuditCommand, changes_of, of_documents
from linkfix.cli.audit.run import AuditRun
from linkfix.cli.audit.worker import AuditJob
from linkfix.cli.batch import STOPPED, embedded_lines, gather
from linkfix.cli.formats import GROUPED, make
from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.reading import AuditOptions
from linkfix.cli.options.rules import known_rules
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import coloured, complain, destination, has_colours
from linkfix.errors import LinkfixError
from linkfix.files.access import given_content
from linkfix.files.local import unreadable
from linkfix.files.tree import as_folder

if TYPE_CHECKING:
    from linkfix.auditing.baseline import Baseline

_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE


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
    paths, fix, diff = options.inputs.paths, options.fix, options.diff
    document = options.document.settled(ctx, paths, options.inputs.stdin_filename, alone=True)
    options = replace(options, document=document)
    # One process compares the documents, and each process checks again the links that a site repeats.
    batch = gather(paths, options.tree, archives=not (fix or diff), cost=0)
    whole = () if options.tree.include else tuple(filter(None, map(as_folder, paths)))
    roots = tuple(dict.fromkeys(each.root for each in batch.documents if each.root))
    changes = changes_of(paths, batch, options, roots)

    from linkfix.auditing import Severity
    from linkfix.auditing import select as selected

    policy = options.links.policy(document.default_charset)
    policy = replace(policy, normalize=options.normalize)
    chosen, writes_baseline = options.rules, options.write_baseline
    baseline = _read_baseline(None if writes_baseline else options.baseline_path)
    never = options.exit_zero or chosen.fail_on == "never"
    failing = None if never else Severity(chosen.fail_on)
    settings = ctx.find_object(Settings) or Settings()
    for selectors in settings.per_file_ignores("audit").values():
        known_rules(selectors, "per-file-ignores")
    charset = None if options.output == "text" else "utf-8"
    with destination(options.output_path, charset=charset) as out:
        writer: BaseWriter = _Changes(out) if diff else make(options.output, out)
        by = options.grouping
        is_brief = by is None and options.output == "text" and not diff and out.isatty()
        if is_brief or by not in {None, "none"}:
            from linkfix.cli.formats.groups import Writer as Groups

            writer = Groups(out, options.output, by or "cause", is_brief=is_brief)
        if writes_baseline:
            writer = _Known(out, baseline)
        rules = of_documents(selected(chosen.select, chosen.ignore), changes)
        try:
            job = AuditJob(
                options, rules, policy, settings, baseline, writer, whole, roots, changes
            )
            run = AuditRun(job, failing)
        except LinkfixError as error:
            raise click.BadParameter(str(error), param_hint="--cache") from None
        status = run.over(batch)
        if status == STOPPED:  # with no output but what is on its way
            return status
    if writes_baseline:
        with destination(options.baseline_path) as file:
            file.write(baseline.text())
    if not options.quiet:
        complain(str(run.summary) + run.pace())
        for line in embedded_lines(run.summary.embedded):
            complain(line)
    return status if writes_baseline else status or int(run.has_failed)


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
            and (xml.schema or xml.catalog or options.own.rules),
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


def _read_baseline(path: str | None) -> Baseline:
    from linkfix.auditing.baseline import Baseline

    if path is None:
        return Baseline()
    try:
        return Baseline.read(given_content(path))
    except OSError as error:
        message = str(unreadable(path, "cannot read it", error))
    except LinkfixError as error:
        message = f"{path}: {error}"
    raise click.BadParameter(message, param_hint="--baseline")


class _Changes(BaseWriter):
    """Write diffs, and no findings."""

    def rendered(self, file: str, findings: Iterable[Finding]) -> bytes:
        return b""

    def put(self, piece: bytes) -> None:
        self.out.flush()
        self.out.buffer.write(coloured(piece) if has_colours(self.out) else piece)


class _Known(BaseWriter):
    """Add findings to a baseline, and write none."""

    def __init__(self, out: TextIO, baseline: Baseline) -> None:
        super().__init__(out)
        self._baseline = baseline

    def render(self, file: str, finding: Finding) -> str:
        from linkfix.auditing.baseline import fingerprint

        return fingerprint(file, finding) + "\n"

    def put(self, piece: bytes) -> None:
        self._baseline.add(piece.decode("ascii").split())
