"""``linkfix migrate``: bring a whole site into UTF-8; only a map or new names move a link."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

import click

from linkfix.cli.batch import embedded_lines, follow
from linkfix.cli.options.operands import ask_about, check, refuse_remote
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.sites import MigrateOptions
from linkfix.cli.options.table import settings_of
from linkfix.cli.output import complain, log, number, say
from linkfix.errors import LinkfixError
from linkfix.migration.charsets import CharsetDecision, decided
from linkfix.migration.index import Broken
from linkfix.migration.migration import Decision
from linkfix.migration.settings import NOWHERE, PARTS, Settings, Task
from linkfix.migration.transfer import TransferResult
from linkfix.server.headers import Labels
from linkfix.sites import migrating
from linkfix.sites.events import Failed, Problem
from linkfix.sites.lines import json_line, name_text


@made_command(
    "migrate",
    MigrateOptions,
    first="--base --to --map --rename --source-charset --redirects --served --accept --dry-run --resume --report --verify -j -q",
)
def command(ctx: click.Context, options: MigrateOptions) -> int:
    """Bring the site in the folder SRC into the folder DST, in UTF-8; or a container (site.zip) into a new one.

    HTML, XML and style sheets are written in UTF-8, and say so; links whose meaning depends on the
    old charset are pinned first. Everything else is copied. Where --base is not given, SRC is taken
    for the root of its site. SRC stays as it is.

    Exit status: 1 if there are links into the site that lead nowhere, or that may lead elsewhere in
    the new one, or pages that were copied because converting them would lose octets; 130 if it was stopped.
    """
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
        links=options.map.target(options.base or NOWHERE),
        policy=options.links.policy(by_convention=True, style=style),
        extensions=_extensions(options.extensions),
        names=Labels(options.names),
        headers=Labels(options.headers),
        undeclared=_undeclared(options.decisions_path),
        decides=options.decisions_path is not None,
        serving=options.serving.serving(options.index),
        parts=options.parts or PARTS,
        writes=not options.dry_run,
        wants_unmatched=unmatched_path is not None,
    )
    with log(options.report_path) as report, log(unmatched_path) as unmatched:
        reporter = Reporter(settings, options.decisions_path, report, unmatched)
        status = follow(
            lambda stop: migrating.migrate(
                settings,
                workers=options.work.workers(),
                accept=options.accept,
                resume=options.resume,
                redirects=options.redirect.table(),
                stop=stop,
            ),
            reporter.take,
            noun="file",
        )
    if reporter.earlier:
        complain(f"{settings.target}: an earlier run has written it; nothing is left to do")
        return status
    return status or reporter.status


def _extensions(renames: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for old, new in renames:
        if old.lower() in found:
            raise click.BadParameter(f"{old} is renamed twice", param_hint="'--rename'")
        found[old.lower()] = new
    return found


def _undeclared(path: str | None) -> Labels:
    """Return the decisions in a file."""
    try:
        return Labels.parse([] if path is None else decided(path))
    except (OSError, LinkfixError, ValueError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--decisions") from None


def _counted(counts: Mapping[str, int], most: int | None = None) -> str:
    """Return names with their counts, the most frequent ones first."""
    return ", ".join(f"{name} ({n})" for name, n in Counter(counts).most_common(most))


# --- the report ------------------------------------------------------------------------------------

#: How many items of a kind go to standard error; the report lists all.
_NAMED = 10
_SAID = {
    "missing": "there is no such file",
    "case": "the name differs in case",
    "spelling": "the name of the file has other octets",
    "no-index": "the folder has no index file",
    "loop": "its redirects never end",
    "fragment": "there is no such place in the document",
}


@dataclass
class Reporter:
    """Collect the results of a migration, and report them.

    Args:
        settings: of the migration.
        decisions: the file that gets what is to be decided about charsets; None for none.
        report: sink for lines of JSON; None for none.
        unmatched: sink for lines of JSON about links without a rule in the map; None for none.

    Attributes:
        files: how many files were transferred, or failed.
        earlier: whether an earlier run has written everything.

    """

    settings: Settings
    decisions: str | None
    report: TextIO | None
    unmatched: TextIO | None
    files: int = 0
    earlier: bool = False
    _counts: Counter[str] = field(default_factory=Counter)
    _charsets: Counter[str] = field(default_factory=Counter)
    _broken: Counter[str] = field(default_factory=Counter)
    _embedded: Counter[str] = field(default_factory=Counter)

    @property
    def status(self) -> int:
        """The exit status of the migration."""
        if self._counts["errors"]:
            return 3
        found = ("stale", "unpinned", "left", "lost", "decisions")
        return int(bool(self._broken) or any(self._counts[kind] for kind in found))

    def take(self, event: object) -> None:
        """Report an event."""
        if isinstance(event, Decision):
            text = f"{event.text or event.file}: {event.why}"
            self._say("decisions", text, "decision", **event._asdict())
        elif isinstance(event, CharsetDecision) and self.decisions is not None:
            complain(f"{self.decisions}: read and correct this for the next run: {event}")
            with Path(self.decisions).open("a", encoding="utf-8", errors="surrogateescape") as file:
                file.write(f"{event}\n")
        elif isinstance(event, migrating.Migrated):
            self.earlier = event.earlier
            if not self.earlier:
                self.summary()
        elif isinstance(event, migrating.Guessed):
            self._guessed(event)
        elif isinstance(event, migrating.Transferred):
            self.file(event.task, event.result)
        elif isinstance(event, Failed):
            self.files += 1
            self._record_error(event.path, event.error)
        elif isinstance(event, Problem):
            if event.is_failure:
                self._record_error(event.error.file or "", event.error)
        elif isinstance(event, migrating.Note):
            text = f"{event.file}: {event.why}"
            self._say("notes", text, "note", file=event.file, message=event.why)
        elif isinstance(event, migrating.Disputed):
            charsets = _counted(event.asked)
            text = f"{event.file}: pages read it in {charsets}; it was taken for {event.chosen}"
            self._say("disputed", text, "disputed-charset", **asdict(event))
        elif isinstance(event, migrating.StaleLine):
            self._put_stale(event)
        elif isinstance(event, migrating.Renamed):
            self._counts["moved"] += 1
            self._put("moved", old=self._shown(event.old), new=self._shown(event.new))
        elif isinstance(event, Broken):
            self._put_broken(event)
        elif isinstance(event, migrating.UnusedRule):
            rule = event.rule
            what, instead = self._shown(rule.old), self._shown(rule.new)
            place = "" if rule.line is None else f"line {rule.line} of the map: "
            text = f"{place}this rule was never used: {what}"
            fields = {"line": rule.line, "kind": rule.kind, "old": what, "new": instead}
            self._say("unused", text, "unused-rule", **fields)

    def _guessed(self, event: migrating.Guessed) -> None:
        self._counts["left"] += not event.written
        text = (
            f"{event.file}: declares no charset; {event.charset} was guessed from {event.evidence}"
        )
        if also := _counted(event.folder, 3):
            text += f"; pages beside it declare {also}"
        text += "; copied as it is" * (not event.written)
        self._say("guesses", text, "guessed", **asdict(event))

    def file(self, task: Task, result: TransferResult) -> None:
        """Record the result of a file."""
        self.files += 1
        for stale in result.stale:
            self._put_stale(migrating.StaleLine(task.path, *stale))
        if task.kind in {"copy", "directives"}:
            self._counts["copied"] += 1
            return
        if result.error:
            error = f"{result.error}; it was copied as it is"
            self._record_error(task.path, error)
            complain(error, result.trace)
        record = asdict(result)
        for name in ("unpinned", "unmatched", "used", "stale", "identity", "error", "trace"):
            del record[name]
        self._put(task.kind, file=task.path, new=task.new, **record)
        for link in result.unpinned:
            place = f"{task.path}:{link['line']}:{link['column']}"
            text = f"{place}: {link['value']}: this link may lead elsewhere from now on"
            self._say("unpinned", text, "unpinned", file=task.path, **self._link(link))
        for link in result.unmatched:
            if self.unmatched is not None:
                line = json_line({"file": task.path, **self._link(link)})
                self.unmatched.write(line + "\n")
        if result.lost:
            self._say("lost", f"{task.path}: {result.lost}; it was copied as it is")
        if result.error or result.lost:
            self._counts["copied"] += 1
        else:
            self._count(result)

    def _count(self, done: TransferResult) -> None:
        if done.charset:
            self._charsets[done.charset] += 1
        self._counts["documents"] += 1
        self._counts["guessed"] += not (done.declared or done.ascii)
        self._counts["unmatched"] += len(done.unmatched)
        for name in ("links", "changed", "mapped", "pinned", "replaced", "disputed", "forms"):
            self._counts[name] += getattr(done, name)
        self._embedded.update(done.embedded)

    def _put_stale(self, stale: migrating.StaleLine) -> None:
        text = f"{stale.file}:{stale.line}: {stale.text}"
        self._say("stale", text, "stale", **asdict(stale))

    def _put_broken(self, broken: Broken) -> None:
        self._broken[broken.reason] += 1
        fields = broken.found._asdict()
        uri = self._shown(fields.pop("uri"))
        similar = [name_text(each) for each in broken.near]
        fields |= {"resolved": uri, "reason": broken.reason, "near": similar}
        near = f"; perhaps {', '.join(broken.near)}" if broken.near else ""
        place = f"{fields['file']}:{fields['line']}:{fields['column']}"
        text = f"{place}: {uri}: {_SAID[broken.reason]}{near}"
        self._say("broken", text, "broken", **fields)

    def _record_error(self, file: str, error: LinkfixError | str) -> None:
        self._counts["errors"] += 1
        self._put("error", file=file, message=name_text(str(error)))

    def _put(self, record: str, /, **fields: Any) -> None:
        if self.report is not None:
            self.report.write(json_line({"record": record, **fields}, names=("file", "new")) + "\n")

    def _say(self, kind: str, text: str, record: str = "", /, **fields: Any) -> None:
        """Say the first items of a kind, and put each into the report as a record, if it is one."""
        if record:
            self._put(record, **fields)
        self._counts[kind] += 1
        if self._counts[kind] <= _NAMED:
            say(text)
        elif self._counts[kind] == _NAMED + 1:
            say("… and more of these, which --report FILE names")

    def _link(self, link: dict[str, Any]) -> dict[str, Any]:
        return link | {"resolved": self._shown(link["resolved"])}

    def _shown(self, uri: str | None) -> str | None:
        """Return a URI, without the placeholder address of a site whose address is unknown."""
        if uri is None or self.settings.base is not None or not uri.startswith(NOWHERE):
            return uri
        return "/" + uri.removeprefix(NOWHERE)

    def summary(self) -> None:
        """Say what was done, in a few lines."""
        counts = self._counts
        charsets = ", ".join(f"{name} {n:,}" for name, n in self._charsets.most_common())
        would = "" if self.settings.writes else "would be "
        say(
            f"{number(self.files, 'file')}: {number(counts['documents'], 'document')} {would}"
            f"written in UTF-8" + (f" ({charsets})" if charsets else "") + f", "
            f"{counts['copied']:,} {would}copied, {counts['errors']:,} failed"
        )
        say(
            f"{number(counts['links'], 'link')}: {counts['changed']:,} rewritten, "
            f"{counts['pinned']:,} of them to mean the same in UTF-8; "
            f"{counts['mapped']:,} lead to new addresses, {counts['unpinned']:,} may lead elsewhere"
        )
        for line in embedded_lines(self._embedded):
            say(line)
        more = {
            "guessed": "documents in a charset that was guessed",
            "left": "pages that were copied since their charset was guessed (--source-charset names "
            "it, --accept-guesses takes the guess)",
            "lost": "files that were copied since octets would have been lost (--source-charset names their "
            "charset, --accept-losses takes the loss)",
            "replaced": "malformed sequences of octets that are U+FFFD now",
            "disputed": "characters of XML that its readers and browsers decoded differently",
            "forms": "forms that are submitted in the old charset as before",
            "moved": "new addresses of files and folders",
            "unmatched": "links for which there is no rule",
            "unused": "rules that were never used",
        }
        for name, text in more.items():
            if counts[name]:
                say(f"{text}: {counts[name]:,}")
        for reason, count in self._broken.most_common():
            say(f"links that lead nowhere, {_SAID[reason]}: {count:,}")
