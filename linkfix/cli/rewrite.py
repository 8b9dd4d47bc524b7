"""``linkfix rewrite``: check the options; rewrite one document to standard output, or run the job over files."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from linkfix.cli.batch import embedded_lines, follow, passed_over
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.rewrite import RewriteOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.table import flat, settings_of
from linkfix.cli.output import complain, escape, log, number, say, write, write_diff
from linkfix.errors import NothingToResumeError, place_of
from linkfix.files.paths import absolute, is_remote
from linkfix.files.tree import stands_for_many
from linkfix.markup.detect import container_kind, type_of_name
from linkfix.sites.events import Began, Diff
from linkfix.sites.results import Rewritten, Sums
from linkfix.sites.rewriting import Totals, rewrite_site
from linkfix.sites.writing import Mode, RewriteSettings

if TYPE_CHECKING:
    from linkfix.cli.options.sites import MvOptions
    from linkfix.policy import LinkMap
    from linkfix.warc import ArchiveReport

#: Options that do not change what a document becomes.
_ASIDE = frozenset({
    "paths", "files_from", "old", "new", "jobs", "timeout", "memory", "resume", "journal", "quiet", "in_place", "dry_run", "diff",
    "include", "exclude", "hidden",
})  # fmt: skip
#: Options with names of files: output, logs of links, input.
_PATHS = ("output",)
_LOGS = ("report_path", "unmatched_path")
_READ = ("map_path", "schema", "catalog")

#: How many rules that were never used are named.
_NAMED = 20


@made_command(
    "rewrite",
    RewriteOptions,
    first="--to -i -o --backup --diff --dry-run --map --base --charset --only --exclude --verify -j -q",
)
def command(ctx: click.Context, options: RewriteOptions) -> int:
    """Rewrite the links of documents; every other byte stays as it is.

    One document goes to standard output; any number, and the documents of folders and of patterns
    like 'site/**/*.html', are replaced with --in-place or written to another folder with --output. With no
    PATH, or -, standard input is read. A file that cannot be processed has no output at all; standard
    input, which is a stream, then goes on unchanged from where it failed. Either way a message
    says why and the exit status is 3.

    Ctrl-C stops a run over files when the present ones are done; what was stopped or killed goes on with
    --resume, and no document is done twice. The exit status is then 130.
    """
    paths, mode = options.inputs.paths, _mode(options)
    document = options.document.settled(ctx, paths)
    options = replace(options, document=document)
    if mode == "stream" and (len(paths) > 1 or any(map(stands_for_many, paths))):
        raise click.UsageError(
            "Only one document goes to standard output, no folder and no pattern; "
            "use --in-place or --output DIR for these."
        )
    settings = _settings(options, mode)
    try:
        with log(options.report_path) as report, log(options.map.unmatched_path) as unmatched:
            sinks = {"changed": report, "unmatched": unmatched}
            writer = Writer(settings, sinks, map_path=options.map.map_path)
            return follow(
                lambda stop: rewrite_site(paths, settings, stop=stop),
                writer.take,
                data=mode in {"dry-run", "diff"},
            )
    except NothingToResumeError as error:
        complain(error)
        return 0


def _mode(options: RewriteOptions) -> Mode:
    """Return the destination of the new documents; a stream is one document on standard output."""
    paths, in_place, output = options.inputs.paths, options.in_place, options.output
    from_stream = not paths or "-" in paths
    suffix, writes = options.backup, in_place or output is not None
    shows, resumes = options.diff or options.dry_run, options.resume or options.journal
    check(
        {
            "--in-place needs files; standard input cannot be replaced.": in_place and from_stream,
            "--output needs files, whose names the new ones have.": output is not None
            and from_stream,
            f"--output names a folder, and {output} is called like a file; write one document with > {output}, "
            "or make the folder first.": output is not None
            and (type_of_name(output) or container_kind(output))
            and not is_remote(output)
            and not Path(output).exists(),
            "--in-place and --output exclude each other.": in_place and output is not None,
            "--backup goes with --in-place.": suffix is not None and not in_place,
            "--resume and --journal go with --in-place or --output.": resumes
            and (shows or not writes),
        }
    )
    if in_place:
        refuse_remote("--in-place", paths, "; write new documents with --output")
    if suffix is not None and (not suffix or "/" in suffix or "\0" in suffix):
        raise click.BadParameter("it is put behind the name of a file.", param_hint="--backup")
    if shows:
        return "diff" if options.diff else "dry-run"
    if writes:
        return "in-place" if in_place else "folder"
    return "stream"


def _settings(options: RewriteOptions, mode: Mode) -> RewriteSettings:
    """Return what the options ask for.

    Raises:
        click.UsageError: an option names a schema or a catalog that cannot be read.

    """
    link_map = options.map.target(options.document.site)
    policy = options.links.policy(
        to=options.to,
        normalize=options.normalize,
        style=options.map.style,
    )
    return settings_of(
        RewriteSettings,
        options,
        policy=policy,
        mode=mode,
        sink=sys.stdout.buffer if mode == "stream" else None,
        output=options.output if mode == "folder" else None,
        backup=options.backup or "" if mode == "in-place" else "",
        sources=options.document,
        selection=options.tree.selection(archives=True),
        workers=options.tree.work.workers(),
        link_map=link_map,
        lists_changed=options.report_path is not None,
        lists_unmatched=options.map.unmatched_path is not None,
        identity=identity(options) if mode in {"in-place", "folder"} else {},
    )


def identity(options: RewriteOptions | MvOptions) -> dict[str, object]:
    """Return the options of a command that decide what a document becomes."""
    values = flat(options)
    deciding: dict[str, object] = {
        name: value if isinstance(value, str | int | None) else repr(value)
        for name, value in values.items()
        if name not in _ASIDE
    }
    for name in _LOGS:  # the journal has their lines
        deciding[name] = values.get(name) is not None
    for name in (*_PATHS, *_READ):
        path = values.get(name)
        if isinstance(path, str):
            deciding[name] = absolute(path) if name in _PATHS else _digest(path)
    return deciding


def _digest(path: str) -> str:
    import hashlib

    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass
class Writer:
    """Writes what a run says of its documents, and sums up.

    Args:
        settings: of the run.
        sinks: for lines about links that changed, and about those without a rule in the map, by their names; None for none.
        map_path: the file of the link map; None for none.

    """

    settings: RewriteSettings
    sinks: dict[str, TextIO | None]
    map_path: str | None = None
    _many: bool = field(default=True, init=False)

    def take(self, event: object) -> int:
        """Write what an event says; return the exit status."""
        if isinstance(event, Began):
            self._many = event.many
        elif isinstance(event, Diff):
            write_diff(event.data, sys.stdout)
        elif isinstance(event, Rewritten):
            self._write(event)
        elif isinstance(event, Totals):
            self._sum_up(event)
        return 0

    def _write(self, event: Rewritten) -> None:
        for name, sink in self.sinks.items():
            if sink is not None:
                sink.write(getattr(event, name))
        for name, links in event.would:
            write(escape(f"{name}: {number(links, 'link')} to be rewritten"))
        if not (self._many or self.settings.mode == "dry-run"):
            say(summary(event, self._verb))

    @property
    def _verb(self) -> str:
        return "to be rewritten" if self.settings.mode in {"dry-run", "diff"} else "rewritten"

    def _sum_up(self, totals: Totals) -> None:
        if self.settings.link_map is not None:
            _say_what_was_mapped(self.settings.link_map, self.map_path or "", totals.sums)
        if self._many:
            say(_total(totals, self._verb))
            for line in embedded_lines(totals.embedded):
                say(line)


def _say_what_was_mapped(link_map: LinkMap, name: str, sums: Sums) -> None:
    """Report how many links a map changed, and the rules that matched none."""
    unused = link_map.unused()
    for rule in unused[:_NAMED]:
        say(f"{place_of(name, rule.line)}: this rule was never used: {rule.old} ({rule.kind})")
    if len(unused) > _NAMED:
        say(f"{name}: {len(unused) - _NAMED} more rules were never used")
    say(
        f"{name}: {number(sums.mapped, 'link')} mapped, {sums.unmatched:,} matched no rule; "
        f"{len(unused)} of {len(link_map.rules)} rules were never used; documents: {sums.documents:,}"
    )


def _total(totals: Totals, verb: str) -> str:
    """Return the totals as one line."""
    sums, documents = totals.sums, number(totals.sums.documents, "document")
    parts = [f"{documents}, nothing to rewrite"]
    if sums.changed:
        links, touched = number(sums.changed, "link"), number(sums.touched, "document")
        parts = [f"{documents}: {links} {verb} in {touched}"]
    if sums.kept:
        parts.append(f"{sums.kept:,} left that cannot be rewritten (see linkfix audit)")
    if sums.guessed:
        documents = number(sums.guessed, "document")
        parts.append(f"{documents} declared no charset (see linkfix audit)")
    if totals.failed:
        parts.append(f"besides, {number(totals.failed, 'document')} could not be processed")
    if passed := passed_over(totals.passed):
        parts.append(passed)
    return f"{'; '.join(parts)}; {totals.seconds:.1f} s"


def summary(result: Rewritten, verb: str = "rewritten") -> str:
    """Return what became of one document or archive as text."""
    sums, archive = result.sums, result.archive
    if archive is not None:
        return f"{result.path}: {_records(archive)}"
    text = f"{result.path}: "
    text += f"{number(sums.changed, 'link')} {verb}" if sums.changed else "nothing to rewrite"
    if sums.kept:
        text += f", {sums.kept:,} left that cannot be rewritten (see linkfix audit)"
    if sums.mapped:
        text += f", {sums.mapped:,} mapped"
    if sums.guessed:
        text += f"; no charset is declared, read as {result.charset}"
    return "; ".join([text, *embedded_lines(result.embedded)])


def _records(report: ArchiveReport) -> str:
    """Return what was done with the records of an archive as text."""
    text = (
        f"{number(report.records, 'record')}, {number(report.documents, 'document')}, "
        f"{report.rewritten:,} of them rewritten; {number(report.links, 'link')}, {report.changed:,} rewritten"
    )
    if report.headers:
        verb = "has" if report.headers == 1 else "have"
        text += f"; {number(report.headers, 'HTTP header')} {verb} new links"
    if report.kept:
        text += f", {report.kept} left as they were because they cannot be made valid (see linkfix audit)"
    if report.failed:
        text += f"; {number(report.failed, 'record')} could not be processed, copied unchanged"
    if report.revisits:
        text += f"; {report.revisits} revisit records have the new digests"
    if report.stale:
        text += (
            f"; {report.stale} revisit records come before what they repeat and have its old digest"
        )
    return text
