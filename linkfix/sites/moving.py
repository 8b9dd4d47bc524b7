"""Move a file or folder inside a site, with the links to it and in it.

The first pass examines every document and writes nothing; it yields what links would have to stay. The second one
rewrites the documents that change, under a journal, and renames the file or folder at the end. Nothing is changed unless
every document can be processed.
"""

import contextlib
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from linkfix.charset.sniff import PREFIX
from linkfix.errors import LinkfixError, MoveError, UnreadableError
from linkfix.files.access import chunks, exists, open_document
from linkfix.files.journal import NAME, Journal, Pen
from linkfix.files.packed import check_changeable, container_at
from linkfix.files.paths import split_packed
from linkfix.files.tree import Found, Selection, documents
from linkfix.jobs.pool import WRITING
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.library import extract
from linkfix.links import Link
from linkfix.markup.detect import is_work
from linkfix.migration.moving import SiteMove, plan_links, plan_move
from linkfix.migration.settings import NOWHERE
from linkfix.policy import Source, gate
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.server import Server, server_of
from linkfix.server.targets import TargetFiles
from linkfix.sites.batch import Batch, Common, gather, stop_of
from linkfix.sites.documents import Sources
from linkfix.sites.events import Diff, Failed, Problem, Stopped
from linkfix.sites.redirects import RedirectTable, check_redirects, write_redirects
from linkfix.sites.results import RESULT, Rewritten
from linkfix.sites.rewriting import Totals, identity, rewritten
from linkfix.sites.writing import RewriteSettings, RewriteWorker, replaced

#: Why a document in a container is named.
_PACKED = "links in it will lead elsewhere: files in containers are not rewritten"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSettings(RewriteSettings):
    """How a file or folder moves: ``in-place``, or what is shown instead (``dry-run``, ``diff``).

    Attributes:
        serving: how the server maps URLs to files.
        after: whether the file has moved already, so that only links are rewritten.
        redirects: the table of redirects that is written before the file or folder is renamed; None for none.

    """

    selection: Selection = field(default_factory=Selection)
    serving: Serving = field(default_factory=Serving)
    after: bool = False
    redirects: RedirectTable | None = None
    KINDS: ClassVar[dict[str, gate.Kind]] = {
        **RewriteSettings.KINDS,
        "serving": gate.Instance(Serving, "Serving", required=True),
        "redirects": gate.Instance(RedirectTable, "RedirectTable"),
    }


@dataclass(frozen=True, slots=True)
class LinksStay:
    """Links to an address stay, although something moves that they may mean.

    Attributes:
        path: the path of the URI, from the root of the site.
        why: the reason.

    """

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed: some documents cannot be processed or replaced."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a move.

    Attributes:
        old: path of the file or folder, from the root of the site.
        new: its new path.
        state: ``moved``; ``shown``, if nothing was to be changed; ``earlier``, if an earlier run has moved it;
            ``unfinished``, if it can be resumed.
        documents: how many documents were read.
        totals: of those that changed.
        has_left: whether links stay that will lead elsewhere.

    """

    old: str
    new: str
    state: Literal["moved", "shown", "earlier", "unfinished"]
    documents: int = 0
    totals: Totals = field(default_factory=Totals)
    has_left: bool = False


MoveEvent: TypeAlias = Common | LinksStay | Rewritten | Diff | Refused | Moved


def move(
    old: str, new: str, settings: MoveSettings, *, stop: Stop | None = None
) -> Iterator[MoveEvent]:
    """Move a file or folder of a site, and rewrite the links to it and in it; yield what happens.

    Args:
        old: path of the file or folder, from the root of the site.
        new: its new path.
        settings: of the move.
        stop: asks to end after the present documents; None for no such request.

    Raises:
        MoveError: it is impossible, or would lose a file.
        JournalError: another run is at work, or the run to resume had other options.
        ArgumentError: the base is no address of a folder.

    """
    started = time.monotonic()
    stop = stop_of(settings, MoveSettings, stop)
    root = os.path.abspath(settings.sources.root or os.curdir)  # noqa: PTH100 - links stay
    old, new = gate.path_of("old", old), gate.path_of("new", new)
    names_folder = new.endswith("/")
    old, new = path_in(root, old), path_in(root, new)
    base = settings.sources.base or NOWHERE
    settings = replace(settings, sources=replace(settings.sources, root=root, base=base))
    problems = list[LinkfixError]()
    server = server_of(root, SiteAddress.at(base), settings.serving, problems.append)
    for failure in server.listing.failures:
        raise failure
    journal = _journal(old, new, settings)
    begun = None if journal is None else journal.begun
    is_whole = begun is not None or not settings.resume  # nothing was done
    try:
        yield from map(Problem.of_server, problems)
        planned = _planned(server, old, new, settings, names_folder=names_folder)
        if planned.is_done and not settings.after:
            is_whole = True
            yield Moved(old, new, "earlier")
            return
        planned.check_programs()
        if settings.redirects is not None:
            check_redirects(planned.redirects()[0], server.address.root, settings.redirects)
        if begun is not None:
            yield Problem(begun)
        batch = gather([root], settings.selection, settings.workers, cost=WRITING)
        settings = replace(settings, sources=_sources(batch, settings, planned))
        every = batch.documents
        if journal is not None:
            batch.documents = [each for each in every if not journal.is_done(each.path)]
        shows = settings.mode != "in-place"
        job = replace(settings, policy=planned.policy(settings.policy), mode="dry-run")
        job = replace(job, mode="diff") if settings.mode == "diff" else job
        examined, changed = Totals(passed=batch.tally.passed), set[str]()
        events = rewritten(batch, _Worker(job, None, planned), None, examined, stop)
        yield from _examined(events, planned, changed, shows=shows)
        if stop.asked:
            return
        inside = Totals()
        packed = replace(batch, documents=in_containers(root, settings.selection))
        xml = job.policy.xml._replace(signed=True)  # nothing of it is written
        reading = replace(job, policy=replace(job.policy, xml=xml))
        unknown = dict[str, LinkfixError]()
        for each in rewritten(packed, _Reader(reading, None, planned), None, inside, stop):
            if isinstance(each, Rewritten) and each.sums.changed:
                yield Problem(LinkfixError(_PACKED, file=each.path))
            elif isinstance(each, Failed) and (error := _unchangeable(each.path)):
                unknown.setdefault(error.file or "", error)
            elif isinstance(each, Stopped):
                yield each
        yield from map(Problem, unknown.values())
        if stop.asked:
            return
        read, has_left = examined.sums.documents, bool(examined.sums.kept or inside.sums.changed)
        if shows:
            yield from _renewed(planned, writes=False)
            examined.seconds = time.monotonic() - started
            yield Moved(old, new, "shown", read, examined, has_left)
            return
        batch.documents = [each for each in every if each.path in changed]
        container = split_packed(root)
        replaces = [each.path for each in batch.documents] if container is None else container[:1]
        locked = [*filter(None, map(_unwritable, replaces))]
        yield from locked
        if examined.failed or batch.tally.errors or locked:
            yield Refused()
            return
        if journal is not None:
            is_done = journal.is_done
            batch.documents = [x for x in every if x.path in changed or is_done(x.path)]
        is_whole, started, totals = False, time.monotonic(), Totals()
        is_whole = yield from _written(batch, job, journal, planned, totals, stop)
        if stop.asked:
            return
        state: Literal["moved", "unfinished"] = "moved" if is_whole else "unfinished"
        totals.seconds = time.monotonic() - started
        yield Moved(old, new, state, read, totals, has_left)
    finally:
        if journal is not None:
            journal.close(whole=is_whole)


def path_in(root: str, path: str) -> str:
    """Return a path from the root of a site, with slashes.

    Args:
        root: a folder.
        path: from there, or absolute.

    Raises:
        MoveError: it is the root itself, or is not in it.

    """
    top = os.path.abspath(root)  # noqa: PTH100 - links stay
    relative = os.path.relpath(os.path.normpath(os.path.join(top, path)), top)  # noqa: PTH118 - bytes in names
    if relative == os.curdir:
        raise MoveError("this is the root of the site, which cannot move", file=path)
    if relative == os.pardir or relative.startswith("../"):
        raise MoveError(
            f"it is not in {root}, the root of the site",
            hint="name that folder with --root",
            file=path,
        )
    return relative


def _journal(old: str, new: str, settings: MoveSettings) -> Journal | None:
    """Return the journal of a move; None for one that is only shown, and in a container, which is replaced at once."""
    root = settings.sources.root or ""
    if settings.mode != "in-place" or split_packed(root) is not None:
        return None
    places = (os.path.join(root, path) for path in (old, new))  # noqa: PTH118 - bytes in names
    deciding = {"base": settings.sources.base, "root": root, **settings.identity}
    asked = identity("mv", [root, *places], deciding)
    return Journal(Path(root, NAME), asked, resume=settings.resume, result=RESULT, begins=True)


def _planned(
    server: Server, old: str, new: str, settings: MoveSettings, *, names_folder: bool
) -> SiteMove:
    """Return the move of what is at a path to another one.

    Args:
        server: of the site.
        old: the path, from the root of the site.
        new: the other one.
        settings: of the move.
        names_folder: whether the user has written the new path as that of a folder.

    Raises:
        MoveError: it is impossible, or would lose a file.

    """
    if settings.after:
        planned = plan_links(server, old, new)
    else:
        planned = plan_move(server, old, new, resume=settings.resume)
    if names_folder and server.listing.entries[new if planned.is_done else old].kind == "file":
        hint = f"say {new}/{old.rpartition('/')[2]} to move it in there"
        raise MoveError("a file has no slash at its end", hint=hint, file=f"{new}/")
    check_named(server.listing.root, planned.renamed)
    return planned


def _sources(batch: Batch, settings: MoveSettings, planned: SiteMove) -> Sources:
    """Return what is known of the documents, with the parts that pages include, at the places that they had before."""
    server = planned.before
    sources = batch.named(settings.sources, lambda _: server.address)
    files = TargetFiles(server, settings.policy, sources.charset)
    sources = batch.included(sources, lambda _: files)
    parts = {
        path: part._replace(pages=tuple(map(planned.before_at, part.pages)))
        for path, part in sources.parts.items()
    }
    return replace(sources, parts=parts)


def _written(
    batch: Batch,
    job: MoveSettings,
    journal: Journal | None,
    planned: SiteMove,
    totals: Totals,
    stop: Stop,
) -> Generator[MoveEvent, None, bool]:
    """Rewrite documents, and rename the file or folder; return whether all was done."""
    packed = split_packed(planned.root)
    # The examination has verified what is written now.
    writing = replace(job, mode="in-place", verify=False)
    with contextlib.ExitStack() as stack:
        changes = None
        if packed is not None:
            changes = stack.enter_context(replaced(packed[0], signed=job.policy.xml.signed))
            batch.jobs = 0  # only this process knows of it
        work = _Worker(writing, None if journal is None else journal.pen, planned)
        yield from rewritten(batch, work, journal, totals, stop)
        if stop.asked or totals.failed:
            if changes is not None:
                changes.clear()
            return False
        if job.redirects is not None:
            moved, standing = planned.redirects()
            yield from write_redirects(moved, standing, planned.before.address.root, job.redirects)
        if journal is not None:
            journal.sweep()  # the names in it are those before the renaming
        yield from _renewed(planned, writes=True)
        planned.finish()
        return True


def _renewed(planned: SiteMove, *, writes: bool) -> Iterator[Problem]:
    """Write the files of the server anew, or yield those that would change; yield the lines that are to be corrected by hand."""
    for path, changes, stale in planned.renew(writes=writes):
        if changes and not writes:
            yield Problem(LinkfixError("it would be written anew", file=path))
        for line, words in stale:
            yield Problem(LinkfixError(words, file=path, line=line))


def _examined(
    events: Iterable[Common | Rewritten | Diff],
    planned: SiteMove,
    changed: set[str],
    *,
    shows: bool,
) -> Iterator[MoveEvent]:
    """Yield what the first pass says; add the paths of the documents that change."""
    known = set[str]()
    for event in events:
        if isinstance(event, Rewritten):
            for uri, why in event.stays.items():
                if uri not in known:
                    yield LinksStay(uri.removeprefix(planned.before.address.root), why)
                known.add(uri)
            if event.sums.changed:
                changed.add(event.path)
            if shows:
                yield event
        else:
            yield event


def in_containers(root: str, selection: Selection) -> list[Found]:
    """Return the documents in the containers of a folder that are read without being named: books, office files and mail."""
    selection = selection._replace(archives=True, warc=False)
    return [each for each in documents([root], selection) if each.root != root]


def check_named(root: str, renamed: Callable[[str], str]) -> None:
    """Refuse new names for files of a container that something else than links names.

    Args:
        root: path of a folder; what is in no container may have any name.
        renamed: returns the new path of a file.

    Raises:
        MoveError: a file of an office program, a message, or what the table of an EPUB names (OCF 3.3, 4.2.6.3.1) would
            have a new name.

    """
    packed = split_packed(root)
    if packed is None:
        return
    container, folder = packed
    is_book = container.lower().endswith(".epub")
    if is_work(container) and not is_book:
        names = [name.removeprefix(f"{folder}/") for name in container_at(container).sizes]
        hint = "move them in its own program"
        if any(renamed(name) != name for name in names):
            raise MoveError("the parts of this file are named where no link is", hint=hint)
    table = f"{root}/META-INF/container.xml"
    for link in extract(table) if exists(table) else ():
        if link.kind == "identity" and renamed(link.value) != link.value:
            why = f"META-INF/container.xml names {link.value}, which has to stay"
            raise MoveError(why, file=link.value)


def _unwritable(name: str) -> Failed | None:
    """Return the failure of a file that cannot be replaced; None if it can."""
    path = Path(name)
    with contextlib.suppress(OSError):  # it is gone
        if path.stat().st_mode & 0o222 and os.access(path.parent, os.W_OK | os.X_OK):
            return None
    error = UnreadableError(
        "it cannot be replaced",
        hint="make it and its folder writable, for example with chmod u+w",
        file=name,
    )
    return Failed(name, error)


class _Worker(RewriteWorker):
    """The work on one document. A link that has to stay although it should change is reported before anything is written.

    Args:
        settings: of the rewriting.
        pen: of the journal; None where there is none.
        planned: what moves.

    """

    def __init__(self, settings: RewriteSettings, pen: Pen | None, planned: SiteMove) -> None:
        super().__init__(settings, pen)
        self._move = planned

    def __call__(self, found: Found) -> Iterator[Event]:
        if self.settings.mode == "in-place":
            yield from super().__call__(found)
            return
        with open_document(found.path) as source:
            path = os.path.relpath(found.path, self._move.root)
            self._move.check_includes(path, chunks(source), dtd=self.settings.policy.xml.dtd)
            source.seek(0)
            self._move.check_charset(path, source.read(PREFIX))
        for event in super().__call__(found):
            if isinstance(event, dict) and self._move.near:
                event["stays"] = {**self._move.near}
                self._move.near.clear()
            yield event

    def _source(self, name: str) -> Source:
        source = super()._source(name)
        path = os.path.relpath(name, self._move.root)
        before = self._move.before_at(path)
        if source.charset is None:
            source = replace(source, charset=self._move.before.label(before))
        if before != path and name not in self.settings.sources.parts:
            address = self._move.before.address
            source = replace(source, base=address.document(before, self.settings.sources.index))
        return source

    def _leave(self, name: str, link: Link, why: str) -> None:
        if self.settings.mode != "in-place":
            why = f"{link.value}: this link will lead elsewhere: {why}"
            self._problem(LinkfixError(why, file=name, line=link.line, column=link.column))


class _Reader(_Worker):
    """The work on a document in a container that is not written, whether or not it could be."""

    def _check_changeable(self, path: str) -> None:
        del path


def _unchangeable(path: str) -> LinkfixError | None:
    """Return why the container of a document that cannot be read could not be changed; None if it could."""
    try:
        check_changeable(path, signed=True)
    except LinkfixError as error:
        error.message = f"{error.message}; whether links in it will lead elsewhere is not known"
        return error
    return None
