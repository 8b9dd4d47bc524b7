"""Bring a whole site into UTF-8 (`linkfix.migration`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from linkfix.errors import LinkfixError, MigrationError, NothingToResumeError
from linkfix.jobs.stopping import Stop
from linkfix.migration.charsets import CharsetDecision
from linkfix.migration.charsets import decisions as charset_decisions
from linkfix.migration.index import Broken, Task
from linkfix.migration.migration import Decision, Migration
from linkfix.migration.settings import Settings
from linkfix.migration.transfer import TransferResult
from linkfix.policy.linkmap import Rule
from linkfix.sites.batch import Common, Workers
from linkfix.sites.events import Began, Done, Failed, Problem, Stopped
from linkfix.sites.redirects import RedirectTable, write_redirects
from linkfix.sites.rewriting import BEGINS


@dataclass(frozen=True, slots=True)
class Guessed:
    """A page declares no charset.

    Attributes:
        file: its path.
        charset: that was guessed.
        evidence: for the guess.
        folder: the charsets that pages beside it declare, each with their number.
        written: whether the page is written in UTF-8; otherwise it is copied.

    """

    file: str
    charset: str
    evidence: str
    folder: Mapping[str, int]
    written: bool


@dataclass(frozen=True, slots=True)
class Transferred:
    """A file is in the new tree.

    Attributes:
        task: its old and new path, and what was to be done.
        result: what was done.

    """

    task: Task
    result: TransferResult


@dataclass(frozen=True, slots=True)
class Note:
    """A file was passed over, or something about it was kept.

    Attributes:
        file: its path.
        why: the reason.

    """

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Disputed:
    """Documents read a script or style sheet in several charsets.

    Attributes:
        file: its path.
        chosen: the charset that it was taken for.
        asked: the charsets, each with the number of documents.

    """

    file: str
    chosen: str | None
    asked: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Renamed:
    """A file or folder has a new address.

    Attributes:
        old: URI.
        new: URI.

    """

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class StaleLine:
    """A line of a file of the server has old names, and is not written anew.

    Attributes:
        file: its path.
        line: its number, from 1.
        text: its words, and what is wrong with them.

    """

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class UnusedRule:
    """A rule of the link map matched no link.

    Attributes:
        rule: the rule.

    """

    rule: Rule


@dataclass(frozen=True, slots=True)
class Migrated:
    """The end of a migration.

    Attributes:
        earlier: whether an earlier run had written everything.

    """

    earlier: bool = False


MigrateEvent: TypeAlias = (
    Common
    | Decision
    | Guessed
    | CharsetDecision
    | Transferred
    | Note
    | Disputed
    | StaleLine
    | Renamed
    | Broken
    | UnusedRule
    | Migrated
)


def migrate(
    settings: Settings,
    *,
    workers: Workers | None = None,
    accept: bool = False,
    resume: bool = False,
    redirects: RedirectTable | None = None,
    stop: Stop | None = None,
) -> Iterator[MigrateEvent]:
    """Bring a site into UTF-8; yield what is to be decided, the result of each file, and what was found.

    Args:
        settings: of the migration.
        workers: the processes that do the work.
        accept: whether to go on although something needs a decision.
        resume: whether to resume a migration that was stopped or killed.
        redirects: the table of redirects that is written; None for none.
        stop: asks to end after the present files; None for no such request.

    Raises:
        MigrationError: it would lose files, or something needs a decision; nothing was written.
        JournalError: the run cannot begin, or not go on.
        UnreadableError: the old tree cannot be read, or the new one not written.

    """
    stop = Stop() if stop is None else stop
    workers = Workers() if workers is None else workers
    migration = Migration(
        settings, jobs=workers.jobs, limits=workers.limits, resume=resume, stop=stop
    )
    yield Began(len(migration.types), len(migration.types), many=True, phase="examining")
    yield from map(Done, migration.examine())
    tasks = [] if stop.asked else migration.tasks()
    decisions = [*migration.decisions(tasks)]
    yield from decisions
    yield from _guessed(migration, written=settings.accept_guesses)
    if settings.decides and not stop.asked:
        yield from charset_decisions(migration.index, settings.source)
    if decisions and settings.writes and not accept:
        number = f"{len(decisions):,} decision" + "s" * (len(decisions) > 1)
        raise MigrationError(
            f"{number} to make; nothing was written",
            hint="correct these files, or go on with --accept and correct them in the new tree",
        )
    if resume and settings.writes and not stop.asked and migration.is_new():
        yield Problem(LinkfixError(BEGINS, file=settings.target))
    yield Began(len(tasks), len(tasks), many=True, resumes=True, phase="writing")
    done, has_characters = 0, set[str]()
    try:
        for task, result in migration.transfer(tasks, finish=False):
            done += 1
            if isinstance(result, LinkfixError):
                yield Failed(task.path, result)
            else:
                if task.kind not in {"copy", "directives"} and not (
                    result.ascii or result.error or result.lost
                ):
                    has_characters.add(task.path)
                yield Transferred(task, result)
            yield Done(task.path)
    except NothingToResumeError:
        if not migration.is_whole(tasks):
            raise
        yield Migrated(earlier=True)
        return
    if stop.asked:
        yield Stopped(done, len(tasks))
        return
    yield from _found(migration, has_characters)
    if redirects is not None and settings.writes:
        moved, standing = migration.moves.redirects()
        yield from write_redirects(moved, standing, migration.moves.old.root, redirects)
    yield Migrated()
    migration.finish()


def _guessed(migration: Migration, *, written: bool) -> Iterator[Guessed]:
    for path, reading, folder in migration.index.guessed():
        yield Guessed(path, reading.charset, reading.guess, dict(folder), written)


def _found(migration: Migration, has_characters: set[str]) -> Iterator[MigrateEvent]:
    """Yield what concerns the site as a whole.

    Args:
        migration: that is done.
        has_characters: the paths of the converted files with characters beyond ASCII.

    """
    for failure in migration.failures:
        yield Problem(failure, is_failure=True)
    for path, why in migration.notes.items():
        yield Note(path, why)
    for path, line, words in migration.stale():
        yield StaleLine(path, line, words)
    index = migration.index
    for path, asked in index.asked.items():
        reading = index.documents.get(path)
        if len(asked) > 1 and path in has_characters and not (reading and reading.declared):
            yield Disputed(path, index.environment(path), dict(asked))
    for old, new in migration.moves.places():
        if old != new:
            yield Renamed(old, new)
    yield from index.broken(migration.moves)
    links = migration.moves.links
    yield from map(UnusedRule, () if links is None else links.unused())
