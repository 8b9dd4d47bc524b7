"""Bring a whole site into UTF-8 (`linkfix.migration`)."""

import os
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, TypeAlias

from linkfix.errors import LinkfixError, MigrationError, NothingToResumeError, UnreadableError
from linkfix.files.access import chunks, creating, exists, is_folder, open_document, open_file
from linkfix.files.journal import BEGINS
from linkfix.files.packed import check_changeable, container_at, repacked
from linkfix.files.paths import (
    MARK,
    OWN_PREFIX,
    has_status,
    is_container,
    join,
    relative,
    split_packed,
)
from linkfix.files.tree import NO_PART, Selection
from linkfix.jobs.stopping import Stop
from linkfix.library import extract
from linkfix.markup.detect import container_kind
from linkfix.migration.charsets import CharsetDecision
from linkfix.migration.charsets import decisions as charset_decisions
from linkfix.migration.destination import journal_place
from linkfix.migration.index import Broken
from linkfix.migration.migration import Decision, Migration
from linkfix.migration.renames import Moves
from linkfix.migration.settings import Settings, Task
from linkfix.migration.transfer import TransferResult
from linkfix.policy import gate
from linkfix.policy.linkmap import Rule
from linkfix.server.writing import STALE
from linkfix.sites.batch import Common, Workers, stop_of
from linkfix.sites.events import Began, Done, Failed, Problem, Stopped
from linkfix.sites.moving import check_named, in_containers
from linkfix.sites.redirects import RedirectTable, check_redirects, write_redirects


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
        settings: of the migration; a container is migrated into one of its kind, or into a folder.
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
    stop = stop_of(settings, Settings, stop)
    gate.check({"workers": gate.Instance(Workers, "Workers")}, workers=workers)
    workers = Workers() if workers is None else workers
    new = settings.target
    settings = _unpacked(settings)
    packs = settings.target != new and settings.writes
    is_there = packs and exists(new)
    if is_there and not resume:
        raise _taken(new)
    if is_there and not journal_place(settings.target).exists():
        _remove(settings.target)
        yield Migrated(earlier=True)
        return
    migration = Migration(
        settings, jobs=workers.jobs, limits=workers.limits, resume=resume, stop=stop
    )
    with closing(migration):
        yield Began(len(migration.types), len(migration.types), many=True, phase="examining")
        yield from map(Done, migration.examine())
        tasks = [] if stop.asked else migration.tasks()
        if settings.target != new:
            names = {task.path: task.new for task in tasks}
            check_named(settings.source, lambda path: names.get(path, path))
        if redirects is not None and not stop.asked:
            check_redirects(migration.moves.redirects()[0], migration.moves.old.root, redirects)
        yield from _decisions(migration, settings, tasks, accept=accept, stop=stop)
        if resume and settings.writes and not stop.asked and migration.is_new():
            yield Problem(LinkfixError(BEGINS, file=settings.target))
        yield Began(len(tasks), len(tasks), many=True, resumes=True, phase="writing")
        has_characters = set[str]()
        try:
            done = yield from _transferred(migration, tasks, has_characters)
        except NothingToResumeError:
            if packs or not migration.is_whole(tasks):
                raise
            yield Migrated(earlier=True)
            return
        if stop.asked:
            yield Stopped(done, len(tasks))
            return
        yield from _found(migration, settings, has_characters)
        if redirects is not None and settings.writes:
            moved, standing = migration.moves.redirects()
            yield from write_redirects(moved, standing, migration.moves.old.root, redirects)
        if migration.is_unfinished:
            what = "was not written: files" if packs else "is not whole: files or folders"
            hint = "correct that, and run linkfix again with --resume"
            why = UnreadableError(f"it {what} failed", hint=hint, file=new)
            yield Problem(why, is_failure=packs)
            if packs:
                return
        if packs and not is_there:
            _pack(settings, new, tasks)
        elif is_there and not _is_packed(settings, new, tasks):
            raise _taken(new)
        yield Migrated()
        if packs:
            _remove(settings.target, tasks)
        migration.close(whole=True)
        if packs:
            _remove(settings.target)


def _decisions(
    migration: Migration, settings: Settings, tasks: list[Task], *, accept: bool, stop: Stop
) -> Iterator[MigrateEvent]:
    """Yield what is to be decided, and what was guessed.

    Raises:
        MigrationError: something is to be decided, and `accept` is false.

    """
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


def _transferred(
    migration: Migration, tasks: list[Task], has_characters: set[str]
) -> Generator[MigrateEvent, None, int]:
    """Transfer files, and add the paths of converted ones with characters beyond ASCII; return how many are done."""
    done = 0
    for task, result in migration.transfer(tasks):
        done += 1
        if isinstance(result, LinkfixError):
            yield Failed(task.path, result)
        else:
            is_converted = task.kind not in {"copy", "directives"}
            if is_converted and not (result.ascii or result.error or result.lost):
                has_characters.add(task.path)
            yield Transferred(task, result)
            if task.path in migration.unread and not result.error:
                error = migration.unread[task.path]
                error.file = error.file or task.path
                yield Problem(error, is_failure=True)
        yield Done(task.path)
    return done


# --- containers: the files are migrated into a folder beside the new container, which is packed from it ----------------


def _unpacked(settings: Settings) -> Settings:
    """Return the settings by which the files of a container are migrated into a folder; others as they are.

    Raises:
        MigrationError: no such container can be written.
        LinkfixError: the container is damaged, signed or encrypted.

    """
    packed, target = split_packed(settings.source), settings.target
    source = packed[0] if packed and not packed[1] else settings.source
    if is_container(source) and container_kind(source) == "message":
        why = "the parts of a message are no site"
        raise MigrationError(why, hint="use linkfix rewrite", file=source)
    if not container_kind(target) or is_folder(target):
        return settings
    if not (has_status(source) and is_container(source) and _ending(source) == _ending(target)):
        raise MigrationError(
            "a file like this is made of one with the same extension only",
            hint="name a folder",
            file=target,
        )
    if settings.exclude:
        raise MigrationError(
            "it would have all files of the old one, and cannot leave any out",
            hint="name a folder",
            file=target,
        )
    check_changeable(settings.source, signed=False)
    folder = Path(target).with_name(f"{OWN_PREFIX}{Path(target).name}")
    return replace(settings, source=f"{source}{MARK[0]}", target=str(folder), hard_link=False)


def _ending(path: str) -> str:
    """Return the extension of a container in lower case."""
    return "".join(Path(path.lower()).suffixes[-1 - path.lower().endswith(".tar.gz") :])


def _taken(new: str) -> MigrationError:
    return MigrationError("there is such a file", hint="name a new one", file=new)


def _remove(folder: str, tasks: Iterable[Task] = ()) -> None:
    """Remove the files of a migration, and the folders that are empty then; what somebody else put there stays.

    The journal is removed last, so that a run that is killed before can be resumed.
    """
    for task in tasks:
        Path(folder, task.new).unlink(missing_ok=True)
    for place, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(place).rmdir()


def _pack(settings: Settings, new: str, tasks: Iterable[Task]) -> None:
    """Write a container of migrated files; what has not changed keeps its compressed octets.

    Args:
        settings: of the migration of the files.
        new: path of the container.
        tasks: the files.

    Raises:
        LinkfixError: it cannot be written.

    """
    old = settings.source.removesuffix(MARK[0])
    container = container_at(old)
    with (
        open_document(old) as like,
        creating(Path(new), like=like, follow=False) as sink,
        repacked(old, sink) as changes,
    ):
        for task in tasks:
            place = join(settings.target, task.new)
            with open_file(place) as file, container.open(task.path) as member:
                if not _is_same(file, member):
                    changes.add(task.path, file)
            if task.new != task.path:
                changes.names[task.path] = task.new


def _is_packed(settings: Settings, new: str, tasks: Iterable[Task]) -> bool:
    """Return whether a container has each migrated file that is not removed yet."""
    folder = settings.target
    for name in [each.new for each in tasks if exists(join(folder, each.new))]:
        try:
            with (
                open_file(join(folder, name)) as file,
                open_file(join(f"{new}{MARK[0]}", name)) as member,
            ):
                if not _is_same(file, member):
                    return False
        except LinkfixError:
            return False
    return True


def _is_same(one: BinaryIO, other: BinaryIO) -> bool:
    """Return whether two files have the same content."""
    return all(piece == its for piece, its in zip_longest(chunks(one), chunks(other)))


def _guessed(migration: Migration, *, written: bool) -> Iterator[Guessed]:
    for path, reading, folder in migration.index.guessed():
        yield Guessed(path, reading.charset, reading.guess, dict(folder), written)
    for path in [path for path, in_utf_8 in migration.unsure.items() if not in_utf_8]:
        charset = min(migration.index.asked[path])
        yield Guessed(path, charset, "the pages that read it", {}, written=False)


def _in_copies(moves: Moves, settings: Settings) -> Iterator[StaleLine]:
    """Yield the links to addresses that have changed of documents in containers, which are copied."""
    root = settings.source
    every = Selection(exclude=(*NO_PART, *settings.exclude), hidden=True)
    for path in (relative(each.path, root) or "" for each in in_containers(root, every)):
        with suppress(LinkfixError):  # it is copied, whatever it is
            for link in extract(join(root, path), policy=settings.policy, base=moves.old.uri(path)):
                if not link.fixed and link.resolved and moves.target(link.resolved):
                    yield StaleLine(path, link.line, f"{link.value}: {STALE}")


def _found(
    migration: Migration, settings: Settings, has_characters: set[str]
) -> Iterator[MigrateEvent]:
    """Yield what concerns the site as a whole.

    Args:
        migration: that is done.
        settings: of it.
        has_characters: the paths of the converted files with characters beyond ASCII.

    """
    for failure in migration.failures:
        yield Problem(failure, is_failure=True)
    for path, why in migration.notes.items():
        yield Note(path, why)
    for path, line, words in migration.stale():
        yield StaleLine(path, line, words)
    if migration.moves.moves_any:
        yield from _in_copies(migration.moves, settings)
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
