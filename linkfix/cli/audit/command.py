"""``linkfix audit``: parse the options, run the audit, write the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

import click

from linkfix.cli.audit.changed import AuditCommand, of_documents, settle_changes
from linkfix.cli.audit.run import AuditRun
from linkfix.cli.batch import STOPPED, embedded_lines, gather, tree_options
from linkfix.cli.formats import FORMATS, STATISTICS, Format, make
from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.options.operands import refuse_remote
from linkfix.cli.options.policy import (
    document_options,
    output_option,
    paths_argument,
    policy_from,
    policy_options,
    settle_base,
    verify_option,
)
from linkfix.cli.options.rule_options import known_rules, rule_options
from linkfix.cli.options.serving import redirect_file_option, serving_options
from linkfix.cli.options.settings import Settings, settings_option
from linkfix.cli.output import complain, destination
from linkfix.errors import LinkfixError
from linkfix.files.access import given_content, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.auditing import Finding
    from linkfix.auditing.baseline import Baseline

_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE


@click.command("audit", cls=AuditCommand)
@paths_argument
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How findings are written.",
)
@output_option
@rule_options
@click.option(
    "--exit-zero", is_flag=True, help="Exit with 0 whatever is found; the same as --fail-on never."
)
@click.option(
    "--statistics",
    is_flag=True,
    help="Write how many findings each rule has, instead of the findings: as text, jsonl or csv.",
)
@click.option(
    "--baseline",
    "baseline_path",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Leave out the findings that are in this file.",
)
@click.option(
    "--write-baseline", is_flag=True, help="Write the findings to the --baseline file instead."
)
@click.option(
    "--cache",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep results in this file, and audit only documents that have changed since.",
)
@click.option(
    "--fix", is_flag=True, help="Rewrite in place the links for which there is a suggestion."
)
@click.option(
    "--fix-temporary",
    is_flag=True,
    help="Follow temporary redirects too in suggestions, not only those for good.",
)
@click.option(
    "--diff", is_flag=True, help="Write what --fix would change as a diff for `patch`, no findings."
)
@click.option(
    "--normalize",
    type=click.Choice(["none", "syntax", "scheme"]),
    default="none",
    show_default=True,
    help="How far suggestions are normalized besides.",
)
@click.option(
    "--changed",
    metavar="[=REF]",
    help="Audit the documents that differ from a revision of git (HEAD), and the links to files that are gone.",
)
@serving_options
@redirect_file_option
@verify_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but findings and errors.")
@tree_options
@document_options
@policy_options
@settings_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output: str,
    output_path: str | None,
    fail_on: str,
    baseline_path: str | None,
    write_baseline: bool,
    **options: Any,
) -> None:
    """Report what is wrong with the links of documents, and what a rewrite would make of them.

    A PATH is a file, a folder, or a pattern like 'site/**/*.html'. With no PATH, or -, standard input is
    read. `linkfix rules ID` explains a finding. A comment
    `<!-- linkfix: ignore ENC001 -->` suppresses findings about the next element, and
    `<!-- linkfix: off -->` all findings up to `<!-- linkfix: on -->`.
    """
    fix, diff, statistics = options["fix"], options["diff"], options["statistics"]
    if fix and (not paths or "-" in paths):
        raise click.UsageError("--fix needs files; standard input cannot be replaced.")
    if fix and diff:
        raise click.UsageError("--diff shows what --fix would do; use one of them.")
    if write_baseline and diff:
        raise click.UsageError("--diff writes no findings for --write-baseline; use one of them.")
    if write_baseline and baseline_path is None:
        raise click.UsageError("--write-baseline needs --baseline FILE.")
    if write_baseline and ctx.get_parameter_source("baseline_path") is not _COMMAND_LINE:
        raise click.UsageError(
            "--write-baseline writes no file that settings name; use --baseline FILE as well."
        )
    if options["cache"] is not None and (fix or diff):
        raise click.UsageError("--cache is for findings; leave it out with --fix and --diff.")
    if options["cache"] is not None and options["changed"] is not None:
        raise click.UsageError("--cache is for whole sites; leave it out with --changed.")
    if options["cache"] is not None and (options["schema"] or options["catalog"]):
        raise click.UsageError(
            "--cache cannot follow the files of --schema and --catalog; leave it out."
        )
    if statistics and (diff or write_baseline):
        raise click.UsageError(
            "--statistics writes nothing else; leave out --diff, --write-baseline."
        )
    if statistics and output not in STATISTICS:
        raise click.UsageError(f"--statistics is written as {', '.join(STATISTICS)}, not {output}.")

    if fix:
        refuse_remote("--fix", paths, "; write new documents with linkfix rewrite -o")
    for option in ("cache", "changed"):
        if options[option] is not None:
            refuse_remote(f"--{option}", paths)
    settle_base(ctx, paths, options, alone=True)
    # One process compares the documents, and each process checks again the links that a site repeats.
    batch = gather(paths, options, archives=not (fix or diff), cost=0)
    options["whole"] = [] if options["include"] else [path for path in paths if is_folder(path)]
    options["roots"] = [*dict.fromkeys(each.root for each in batch.documents if each.root)]
    settle_changes(paths, batch, options)

    from linkfix.auditing import Severity
    from linkfix.auditing import select as selected

    policy = policy_from(options, normalize=options["normalize"])
    baseline = _read_baseline(None if write_baseline else baseline_path)
    failing = None if options["exit_zero"] or fail_on == "never" else Severity(fail_on)
    settings = ctx.find_object(Settings) or Settings()
    for selectors in settings.per_file_ignores("audit").values():
        known_rules(selectors, "per-file-ignores")
    charset = None if output == "text" else "utf-8"
    with destination(output_path, charset=charset) as out:
        writer: Format = _Changes(out) if diff else make(output, out)
        if statistics:
            from linkfix.cli.formats.statistics import Writer as Statistics

            writer = Statistics(out, output)
        if write_baseline:
            writer = _Known(out, baseline)
        rules = of_documents(selected(options["select"], options["ignore"]), options["changes"])
        try:
            run = AuditRun(rules, settings, options, policy, baseline, failing, writer)
        except LinkfixError as error:
            raise click.BadParameter(str(error), param_hint="--cache") from None
        status = run.over(batch)
        if status == STOPPED:  # with no output but what is on its way
            ctx.exit(status)
    if write_baseline:
        with destination(baseline_path) as file:
            file.write(baseline.text())
    if not options["quiet"]:
        complain(str(run.summary) + run.pace())
        for line in embedded_lines(run.summary.embedded):
            complain(line)
    ctx.exit(status if write_baseline else status or int(run.has_failed))


def _read_baseline(path: str | None) -> Baseline:
    from linkfix.auditing.baseline import Baseline

    if path is None:
        return Baseline()
    try:
        return Baseline.read(given_content(path))
    except (OSError, LinkfixError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--baseline") from None


class _Changes(BaseWriter):
    """Write diffs, and no findings."""

    def rendered(self, file: str, findings: Iterable[Finding]) -> bytes:
        return b""

    def put(self, piece: bytes) -> None:
        self.out.flush()
        self.out.buffer.write(piece)


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
