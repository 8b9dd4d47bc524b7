"""The migration of a site: read an old tree twice, and write a new one beside it.

1. *Survey* and *plan*: list the files, and decide the new path of each. A plan that would lose a file is refused here,
   before anything is written.
2. *Examine*: each document is read, for the charsets of style sheets and scripts and for broken links.
3. *Transfer*: each file is written, whole or not at all.
   Symbolic links, and the modes and times of folders, are written last.

The old tree is never written to. Both trees may be remote; files of a remote one have neither modes nor times. If the address of the site is unknown, a reserved one (`NOWHERE`) is used to resolve
links; it is never written.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, NamedTuple

from linkfix.errors import LinkfixError, place_of
from linkfix.files.access import exists, listed_at, make_folder
from linkfix.files.entries import Tally
from linkfix.files.globs import Patterns
from linkfix.files.journal import Journal
from linkfix.files.paths import is_remote, join, real, relative
from linkfix.files.tree import NO_PART, Selection, documents
from linkfix.jobs.pool import WRITING, run, worthwhile
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.jobs.worker import Limits
from linkfix.markup.detect import DocumentType
from linkfix.migration import destination
from linkfix.migration.index import Facts, Index, examined, is_script
from linkfix.migration.renames import Moves, Names, plan
from linkfix.migration.settings import NOWHERE, Settings, Task, TaskKind
from linkfix.migration.transfer import RESULT, Transfer, TransferResult
from linkfix.server.addresses import SiteAddress
from linkfix.server.headers import Directive, Headers, is_in
from linkfix.server.includes import included, pages_of
from linkfix.server.listing import survey
from linkfix.server.redirects.files import configured
from linkfix.server.server import Server
from linkfix.server.targets import manifests
from linkfix.server.writing import Renaming, is_written, stale_lines


class Decision(NamedTuple):
    """What the user has to decide before anything is written.

    Attributes:
        file: the path of the file that it is about.
        why: the reason.
        line: the line in the file; None for the whole file.
        text: the directive; "" for the whole file.

    """

    file: str
    why: str
    line: int | None = None
    text: str = ""


class Migration:
    """A migration, step by step: `examine`, then `transfer` the result of `tasks`.

    Args:
        settings: of the migration.
        jobs: the number of worker processes; None for the best number, 0 for none.
        limits: of one document; None for none.
        resume: whether to resume a migration that was killed or stopped.
        stop: asks to end early; None for no such request.

    Attributes:
        moves: the new URIs of everything.
        types: of the documents, by path; None if it depends on the content.
        index: the facts about the documents, once they are examined.
        notes: the files that are passed over or kept, by path, with the reason.
        failures: the errors of reading and writing, besides those from `transfer`.
        unread: why documents could not be examined, by their paths; `transfer` mostly says the same.

    Raises:
        MigrationError: it would lose files, or the folders are not suitable.
        UnreadableError: the old tree cannot be read.

    """

    def __init__(
        self,
        settings: Settings,
        *,
        jobs: int | None = None,
        limits: Limits | None = None,
        resume: bool = False,
        stop: Stop | None = None,
    ) -> None:
        self._limits = limits
        self._settings = settings
        self._resume = resume
        self._journal: Journal | None = None
        self._stop = Stop() if stop is None else stop
        destination.check_folders(settings.source, settings.target, resume=resume)
        #: What is known of files without a status, and the folder of the old tree there.
        self._listed = listed_at(settings.source)
        listing = survey(settings.source, settings.exclude)
        if not listing.entries and listing.failures:
            raise listing.failures[0]
        listing.index_names = (*settings.serving.index, *listing.index_names)
        names = Names(settings.names, settings.extensions)
        listing.text = names.text
        place = SiteAddress.at(settings.base or NOWHERE)
        folds = partial(destination.folds_names, settings.target) if settings.writes else bool
        self.moves: Moves = plan(listing, place, names, settings.links, folds=folds)
        self.moves.fix_case = settings.fix_case
        self.index: Index = Index()
        self.failures: list[LinkfixError] = [*listing.failures]
        self.unread: dict[str, LinkfixError] = {}
        self.notes: dict[str, str] = dict(names.kept) | {
            path: "it is no regular file, and was passed over"
            for path, entry in listing.entries.items()
            if entry.kind == "special file"
        }
        self.notes |= {
            path: "a symbolic link out of the tree, or to nothing; it was left behind"
            for path, entry in listing.entries.items()
            if entry.kind == "symbolic link" and entry.target is None
        }
        exclude = (*NO_PART, *settings.exclude, *settings.copy)
        tally = Tally()
        pages = documents([settings.source], Selection((), exclude, hidden=True), tally)
        found = {each.relative: each for each in pages}
        named = manifests(found, {each.relative: each for each in tally.json}, place)
        self.types: dict[str, DocumentType | None] = {
            each.relative: each.type
            for each in (*found.values(), *named)
            if each.relative in listing.entries
        }
        redirects, serving = configured(listing, place.root, settings.serving, self._record)
        self._server = self.moves.server = Server(
            listing, place, serving, redirects, settings.headers, settings.undeclared
        )
        for failure in listing.folders.failures:  # the charsets of pages are not known
            raise failure
        self.headers: Headers = self._server.headers
        self._copied = Patterns(settings.copy)
        _, self._parts = (set(self._named(each)) for each in (settings.pages, settings.parts))
        if jobs is None:
            jobs = worthwhile(sum(self._identity(path)[0] for path in self.types), WRITING)
        self._jobs = jobs

    def _record(self, error: LinkfixError) -> None:
        """Note what of the server's files cannot be read."""
        file = error.file or ""
        name = relative(file, self.moves.listing.root) or file
        self.notes[place_of(name, error.line)] = error.message

    def _named(self, patterns: tuple[str, ...]) -> Iterator[str]:
        """Yield the paths of files that are pages or parts by their names."""
        named = Patterns(patterns)
        for path in self.moves.listing.files():
            if named.matches(path) and not self._copied.matches(path):
                self.types.setdefault(path, "html")
                yield path

    def examine(self) -> Iterator[str]:
        """Read every document, and yield the path of each one afterwards.

        Style sheets and parts are read after the documents that use them, since they may be in their charset. A
        document that another one includes is a part; it is read again as one, and so is a page in the charset of its frame.
        """
        work = partial(examined, self._settings.policy, self._server)
        sheets = {path for path, type in self.types.items() if type == "css"} | self._parts
        ready = [path for path in self.types if path not in sheets]
        framed: set[str] = set()
        while ready and not self._stop.asked:
            tasks = [
                self._task(path, "part" if path in self._parts else "document") for path in ready
            ]
            for item, result in self._results(work, tasks):
                self.unread.pop(item.path, None)
                if isinstance(result, LinkfixError):
                    self.unread[item.path] = result
                else:
                    self.index.add(item.path, Facts(*result))
                yield item.path
            included = {
                path for path in self.index.includers if self._can_be_part(path)
            } - self._parts
            for path in included:
                self.types.setdefault(path, "html")
            self._parts |= included
            sheets |= included
            asked = sorted(path for path in sheets if path in self.index.asked)
            ready = [path for path in self.index.framed() if path not in framed]
            framed.update(ready)
            ready = ready or asked or sorted(sheets)
            sheets -= set(ready)

    def _can_be_part(self, path: str) -> bool:
        """Return whether a file that a document includes is text, by its name; what a program prints is not known."""
        if path in self.types:
            return True
        return not self.moves.listing.folders.is_program(path) and not self._copied.matches(path)

    def tasks(self) -> list[Task]:
        """Return a task for every file, in the order of the old tree."""
        tasks = []
        accepts = self._settings.accept_guesses
        guessed = () if accepts else {path for path, _, _ in self.index.guessed()}
        for path in self.moves.listing.files():
            kind: TaskKind = "copy"
            environment = self.index.environment(path)
            if path in guessed or self.unsure.get(path) is False:
                pass
            elif path in self._parts:
                # The charset of a part that nothing includes is not known.
                kind = "part" if environment is not None else "copy"
            elif path in self.types:
                kind = "document"
            elif (
                is_script(path)
                and not self._copied.matches(path)
                and (environment or self.headers.header(path, "text"))
            ):
                kind = "script"
            elif is_written(path):
                kind = "directives"
            task = self._task(path, kind)
            tasks.append(replace(task, environment="UTF-8") if self.unsure.get(path) else task)
        return tasks

    @cached_property
    def unsure(self) -> dict[str, bool]:
        """Whether they are in UTF-8, of the paths of the scripts, style sheets and parts whose charset would be a guess.

        Those that are not are copied.
        """
        root, headers = self.moves.listing.root, self.headers
        return {
            path: is_in(join(root, path), "utf-8")
            for path in sorted(() if self._settings.accept_guesses else self.index.unsure())
            if (path in self.types or (is_script(path) and not headers.header(path, "text")))
            and not is_in(join(root, path), "ascii")
        }

    def _task(self, path: str, kind: TaskKind) -> Task:
        new, environment = self.moves.path(path), self.index.environment(path)
        place = self.index.place(path) if kind == "part" else None
        return Task(path, new, kind, self.types.get(path), environment, self._identity(path), place)

    def decisions(self, tasks: list[Task]) -> Iterator[Decision]:
        """Yield what the user has to decide: directives of the server, and parts of pages in several charsets.

        Args:
            tasks: as `tasks` returns them.

        """
        for path, pages in self.index.ambiguous():
            yield Decision(
                path,
                f"{' and '.join(pages)} use it, and its links or forms mean something else in each charset; "
                f"it would be taken for {self.index.environment(path)}",
            )
        converted = {task.path for task in tasks if task.kind != "copy"}
        for part, in_utf_8 in self.unsure.items():
            for page in sorted(converted.intersection(pages_of(part, self.index.includers)))[:1]:
                if not in_utf_8:
                    yield Decision(
                        part,
                        f"its charset is a guess, but {page} includes it, and would be in UTF-8",
                    )
        for part, program in self._included(tasks):
            yield Decision(part, f"it would be in UTF-8, but {program} includes it, and is copied")
        spoiled: dict[Directive, list[str]] = {}
        for task in tasks:
            if task.kind == "copy" and self.headers.directives:
                found = self.headers.spoiled(self.moves.listing.root, task.path)
                if found is not None:
                    spoiled.setdefault(found, []).append(task.path)
        for directive in self.headers.directives:
            why = (
                directive.problem if any(map(directive.applies, self.moves.listing.files())) else ""
            )
            if files := spoiled.get(directive, []):
                more = f" and {len(files) - 1:,} more" if len(files) > 1 else ""
                why = why or f"{files[0]}{more} would be sent as UTF-8, and is copied"
            if why:
                yield Decision(directive.file, why, directive.line, str(directive))

    def _included(self, tasks: list[Task]) -> Iterator[tuple[str, str]]:
        """Yield the parts that change, with a program that includes them and is copied."""
        listing = self.moves.listing
        parts = {task.path for task in tasks if task.kind == "part"}
        programs = (task.path for task in tasks if task.kind == "copy" and listing.folders.is_program(task.path))  # fmt: skip
        for path in programs if parts else ():
            for part in sorted(parts.intersection(included(path, listing))):
                if self.index.environment(part) != "UTF-8" and not is_in(join(listing.root, part), "ascii"):  # fmt: skip
                    yield part, path

    def transfer(self, tasks: list[Task]) -> Iterator[tuple[Task, TransferResult | LinkfixError]]:
        """Transfer files, and yield the result of each, those of style sheets and scripts first; `close` completes the migration then.

        A file that the resumed run has transferred is not transferred again; its result is yielded too.

        Args:
            tasks: from `tasks`.

        Raises:
            NothingToResumeError: there is no run to resume, and the new tree is not empty.
            JournalError: another run is at work, or the run to resume has other options.
            UnreadableError: the new tree cannot be written at all.

        """
        if not self._settings.writes or self._stop.asked:
            yield from self._run(tasks, None)
            return
        target = self._settings.target
        make_folder(target)
        journal = Journal(
            destination.journal_place(target),
            self._asked(),
            resume=self._resume and not self.is_new(),
            roots=[] if is_remote(target) else None,
            result=RESULT,
        )
        whole = False
        try:
            destination.check_done(journal, [join(target, task.new) for task in tasks])
            destination.make_folders(self.moves, target)
            failed = bool(self.moves.listing.failures)
            for task, result in self._run(tasks, journal):
                failed = failed or isinstance(result, LinkfixError)
                yield task, result
            if not self._stop.asked:
                self.failures += destination.finish_folders(self.moves, target)
                whole = not failed
        finally:
            if whole:
                self._journal = journal
            else:
                journal.close(whole=False)

    def _renaming(self) -> Renaming:
        """Return the new names for files of the server."""
        moves, extensions = self.moves, self._settings.extensions
        return Renaming(moves.listing, moves.old, moves.new, moves.target, moves.path, extensions, in_utf8=True)  # fmt: skip

    def stale(self) -> Iterator[tuple[str, int, str]]:
        """Yield the lines that have to change in the files of the server that were named: file, line and words."""
        for path in self._settings.serving.configuration:
            for line, words in stale_lines(path, self._renaming()):
                yield path, line, words

    def is_new(self) -> bool:
        """Return whether nothing is in the new tree, not even the journal of a migration."""
        target = self._settings.target
        if not exists(target):
            return True
        return destination.is_empty(target) and not destination.journal_place(target).exists()

    def is_whole(self, tasks: list[Task]) -> bool:
        """Return whether there is a file in the new tree for every task."""
        return all(exists(join(self._settings.target, task.new)) for task in tasks)

    @property
    def is_unfinished(self) -> bool:
        """Whether something could not be read or written, so that the run can be resumed."""
        return self._settings.writes and self._journal is None

    def close(self, *, whole: bool = False) -> None:
        """End the run, which can be resumed unless it is `whole`: all files and all reports are written."""
        if self._journal is not None:
            self._journal.close(whole=whole)
            self._journal = None

    def _run(
        self, tasks: list[Task], journal: Journal | None
    ) -> Iterator[tuple[Task, TransferResult | LinkfixError]]:
        """Transfer the files that the journal does not have; yield the results of all, style sheets and scripts first.

        A page names the charset of those that could not be converted.
        """
        settings, moves = self._settings, self.moves
        policy = replace(settings.policy.again, target=moves.target if moves.moves_any else None)
        plan = self._plan(tasks)
        known = {} if journal is None else _known(journal, settings.target, tasks, plan)
        pen = None if journal is None else journal.pen
        settings, renaming = replace(settings, policy=policy), self._renaming()
        copied = {task.path for task in tasks if task.kind == "copy"}
        of_pages = [task for task in tasks if task.is_of_pages]
        for some in filter(None, (of_pages, [task for task in tasks if not task.is_of_pages])):
            transfer = Transfer(
                settings, moves, self.headers, renaming, frozenset(copied), pen, plan
            )
            results = self._results(transfer, [task for task in some if task.path not in known])
            for task in some:
                result = known.get(task.path) or next(results, (task, None))[1]
                if result is not None and not isinstance(result, LinkfixError):
                    result = TransferResult(**result)
                    if result.lost or result.error:
                        copied.add(task.path)
                    if moves.links is not None:  # how often its rules were applied
                        moves.links.merge({number: count for number, count in result.used})  # noqa: C416 - lists, from the journal
                if result is not None:  # the run was not stopped before
                    yield task, result

    def _results(
        self, work: Callable[[Task], Iterator[Event]], tasks: list[Task]
    ) -> Iterator[tuple[Task, Any]]:
        """Do the work for files, and yield the result of each: one event, or a LinkfixError."""
        jobs, stop, limits = self._jobs, self._stop, self._limits
        for task, events in run(work, tasks, jobs=jobs, weigh=_weight, stop=stop, limits=limits):
            try:
                (result,) = events
            except LinkfixError as error:
                yield task, error
            else:
                yield task, result

    def _identity(self, path: str) -> tuple[int, int]:
        """Return the size of a file in bytes, and a number that differs if its bytes do."""
        source = self._settings.source
        if self._listed is not None:
            found, folder = self._listed
            return (found and found.find(f"{folder}/{path}".lstrip("/"))) or (0, 0)
        try:
            status = os.lstat(join(source, path))
        except OSError:  # whoever opens it will say what is wrong
            return 0, 0
        return status.st_size, status.st_mtime_ns

    def _plan(self, tasks: list[Task]) -> int:
        """Return a number that differs if what the old tree says about the results of all files does."""
        names = ((task.path, task.new, task.kind, task.environment, task.place) for task in tasks)
        return int(_digest((*self.headers.directives, *names)), 16)

    def _asked(self) -> dict[str, Any]:
        """Return the settings that decide the result of each file, for the journal."""
        settings = self._settings
        rules = () if settings.links is None else settings.links.rules
        return {
            "old tree": real(settings.source),
            "base": settings.base,
            "to": settings.to,
            "style": settings.policy.style,
            "unescape": settings.unescape,
            "forms": settings.forms,
            "accept-losses": settings.accept_losses,
            "fix-case": settings.fix_case,
            "source-charset": settings.headers.rows,
            "decisions": settings.undeclared.rows,
            "default-charset": settings.policy.default_charset,
            "link map": _digest(rules),
        }


def _weight(task: Task) -> int:
    return task.identity[0]


def _known(
    journal: Journal, target: str, tasks: list[Task], plan: int
) -> dict[str, dict[str, Any]]:
    """Return the journal's results of the files that were transferred and would be the same now, by their paths."""
    done = ((task, join(target, task.new)) for task in tasks)
    results = ((task, journal.result(place)) for task, place in done if journal.is_done(place))
    return {
        task.path: each
        for task, each in results
        if tuple(each["identity"]) == (*task.identity, plan)
    }


def _digest(things: Iterable[object]) -> str:
    digest = blake2b(digest_size=7)
    for thing in things:
        digest.update(repr(thing).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
