"""Audit whole sites: report what is wrong with the links of documents, fix it in place, or show that as a diff.

Input: paths. Output: events, in the order of the documents: first what each document has by itself, then what the join over the
facts of all documents has found. Only this process joins (`linkfix.facts.join`); what is read and yielded where is in
`linkfix.sites.audit_work`.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from linkfix.auditing import Finding
from linkfix.auditing.finding import finding_of
from linkfix.auditing.pages import Pages
from linkfix.auditing.rule import FileProblem
from linkfix.charset import Charset
from linkfix.errors import (
    ArgumentError,
    LimitExceededError,
    LinkfixError,
    MoveError,
    UnreadableError,
    WorkerError,
)
from linkfix.facts.join import Join, Known, Origin, SiteFiles
from linkfix.files.paths import real, relative
from linkfix.files.tree import Found
from linkfix.jobs.failures import from_plain
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.policy import gate
from linkfix.sites.audit_job import AuditJob, AuditSettings, Tally
from linkfix.sites.audit_work import AuditWorker
from linkfix.sites.batch import Batch, Common, gather, stop_of
from linkfix.sites.events import Diff, Done, Failed, Output, Problem, Stopped
from linkfix.sites.rereading import AuditAgain, Reread, Rereads

if TYPE_CHECKING:
    from linkfix.files.revisions import Changes
    from linkfix.migration.moving import SiteMove
    from linkfix.server.targets import TargetFiles


@dataclass(frozen=True, slots=True)
class Findings:
    """Some findings about a document, in the order of its links.

    Attributes:
        path: of the document.
        findings: the findings; their links have places and spellings, and no layers.

    """

    path: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """Some findings about a document, in the order of its links, as bytes.

    Attributes:
        path: of the document.
        data: what `AuditSettings.render` has made of them.

    """

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Audited:
    """A document was read to its end, or failed; once more where it is read again for the findings of the join.

    Attributes:
        path: of the document.
        tally: of its links and of the findings of this reading.
        error: why it could not be read to its end; None where it was.

    """

    path: str
    tally: Tally
    error: LinkfixError | None = None


@dataclass(frozen=True, slots=True)
class Renamed:
    """What was renamed in a folder since a revision; links to it may have the old paths.

    Attributes:
        folder: its path.
        paths: the old path of each file or folder from there, and the new one.

    """

    folder: str
    paths: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class AuditTotals:
    """The totals of an audit, its last event.

    Attributes:
        documents: how many documents were audited whole.
        failed: how many documents failed.
        links: the number of their links.
        embedded: how many of these are in embedded documents.
        suppressed: how many findings comments in the documents suppress.
        known: how many findings are in the baseline.
        fixed: how many findings a fix has removed.
        counts: the numbers of the remaining findings, by severity.
        passed: how many files of folders were passed over, by the reason.
        seconds: the elapsed time.

    """

    documents: int = 0
    failed: int = 0
    links: int = 0
    embedded: Counter[str] = field(default_factory=Counter)
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


AuditEvent: TypeAlias = Common | Renamed | Findings | Rendered | Diff | Audited | AuditTotals


def audit_site(
    paths: Sequence[str | os.PathLike[str]], settings: AuditSettings, *, stop: Stop | None = None
) -> Iterator[AuditEvent]:
    """Audit documents; yield what happens, in their order, and then what was found across them.

    Args:
        paths: files, folders, patterns like ``site/**/*.html``, and URLs of remote ones; ``-``, or no path, is standard input.
        settings: what is audited, and how.
        stop: asks to end after the present documents; None for no such request.

    Raises:
        ArgumentError: the paths have no revision as it is asked for.
        LinkfixError: the cache cannot be written, or the repository not be read.

    """
    started, names, stop = (
        time.monotonic(),
        gate.paths_of(paths),
        stop_of(settings, AuditSettings, stop),
    )
    batch = gather(names, settings.selection, settings.workers)
    changes = None
    if settings.changed is not None:
        roots = dict.fromkeys(each.root for each in batch.documents if each.root)
        folders = [settings.sources.root] if settings.sources.root else [*roots]
        changes = _changes(names, batch, folders, settings.changed)
        yield from (Problem(LinkfixError(message)) for message in changes.messages)
        yield from (renamed_in(folder, changes) for folder in folders)
    job = AuditJob(settings, names, batch.documents, changes)
    sources = batch.named(settings.sources, job.address)
    if job.knows_files:
        sources = batch.included(sources, job.files)
    if sources is not settings.sources:
        job.settings = replace(settings, sources=sources)
    if changes is not None and not changes.gone:
        batch.documents = [*filter(job.differs, batch.documents)]
    totals = AuditTotals(passed=batch.tally.passed)
    try:
        is_whole = yield from _Run(job, batch, totals).events(stop)
    finally:
        if settings.cache is not None:
            settings.cache.commit()
    if is_whole:
        totals.seconds = time.monotonic() - started
        yield totals


def _changes(paths: Sequence[str], batch: Batch, folders: Sequence[str], revision: str) -> Changes:
    """Return what differs from a revision."""
    if not paths or "-" in paths:
        raise ArgumentError(
            "what has changed is known of files; standard input is in no repository"
        )
    from linkfix.files.revisions import changes_since

    sizes = {found.path: found.size for found in batch.documents}
    try:
        return changes_since(revision, folders, sizes, batch.limits)
    except (LimitExceededError, UnreadableError, WorkerError):
        raise
    except LinkfixError as error:
        raise ArgumentError(str(error)) from None


class _Run:
    """Collect the events of all documents, and compare the documents with each other.

    Args:
        job: what is done.
        batch: the documents.
        totals: takes the numbers.

    """

    def __init__(self, job: AuditJob, batch: Batch, totals: AuditTotals) -> None:
        self._job, self._batch, self._totals = job, batch, totals
        self._severities = {rule.code: str(rule.severity) for rule in job.rules}
        self._join = Join(job.rules, self._known)
        #: The name of the present document, and the numbers of the files that could not be processed.
        self._name = ""
        self._damaged: set[int] = set()
        #: By the root of a site: its pages; and, by whether only files that are gone matter, its files.
        self._pages: dict[str, Pages] = {}
        self._changed: dict[tuple[str, bool], ChangedFiles] = {}
        #: Whether documents count that are read now.
        self._counts = True

    def events(self, stop: Stop) -> Generator[AuditEvent, None, bool]:
        """Audit every document; return whether none was left out since the run was stopped."""
        job, documents = self._job, self._batch.documents
        mode, join = job.settings.mode, self._join
        work = AuditWorker(job)
        if not (yield from self._over(work, documents, stop)):
            return False
        join.run()
        yield from self._problems()
        yield from self._addresses()
        numbers = [*dict.fromkeys(sorted(join.numbers))]
        if mode != "report":
            left = (n for n, each in enumerate(documents) if work.is_left(each))
            numbers = [n for n in left if n not in self._damaged]
        damaged = {documents[n].path for n in self._damaged}
        self._counts, self._batch.tally.errors = mode != "report", []  # they are known
        again = Rereads(documents, numbers, join.numbers, together=mode == "fix")
        return (yield from self._over(AuditAgain(work, join.found, damaged), again, stop))

    def _over(
        self, work: Callable[[Any], Iterator[Event]], chosen: Sequence[Found | Reread], stop: Stop
    ) -> Generator[AuditEvent, None, bool]:
        """Do the work for files, and record the numbers of damaged ones; return whether it was not stopped."""
        number = 0
        for event in self._batch.events(work, stop, only=chosen):
            if isinstance(event, Output):
                if isinstance(event.value, list) and event.value[0] == "done" and event.value[3]:
                    self._damaged.add(number)
                yield from self._taken(event.value, number)
                yield from self._problems()
                continue
            yield event
            if isinstance(event, Failed):  # its process died
                self._damaged.add(number)
                yield self._ended(event.path, Tally(), event.error)
            elif isinstance(event, Stopped):
                return False
            number += isinstance(event, Done)
        return True

    def _problems(self) -> Iterator[Problem]:
        while self._job.problems:
            yield Problem.of_server(self._job.problems.pop(0))

    def _addresses(self) -> Iterator[Problem]:
        """Yield the address that most pages of a site name as their own where the user names none; forget the pages."""
        for root in [*self._pages]:
            pages, own = self._pages.pop(root), self._job.address(root).root
            for address, count in pages.addresses.most_common(1):
                if self._job.settings.sources.base is None and address != own:
                    who = "a page says" if count == 1 else f"{count:,} pages say"
                    why = f"{who} by a canonical link that its address is {address}"
                    hint = f"--base {address} checks links to that address too"
                    yield Problem(LinkfixError(why, hint=hint, file=root))

    def _taken(self, event: Any, number: int) -> Iterator[AuditEvent]:
        """Yield what an event of the work on the file of a number says (`linkfix.sites.audit_work`)."""
        if isinstance(event, bytes):
            kind = Rendered if self._job.settings.mode != "diff" else Diff
            yield kind(self._name, event)
            return
        what, *about = event
        if what == "document":
            (self._name,) = about
        elif what == "findings":
            yield Findings(self._name, tuple(map(finding_of, about)))
        elif what == "problem":
            yield Problem(from_plain(*about))
        elif what == "cached" and self._job.settings.cache is not None:
            self._job.settings.cache.store(about)
        elif what == "facts":
            (origin, names, piece), job = about, self._job
            place = Origin(number, *origin)
            if names is not None and place.name not in job.settings.sources.including:
                job.files(place.root).add_names(place.path, names)
            self._join.add(place, piece.encode("utf-8", "surrogatepass"))
        elif what == "done":
            name, tally, plain = about
            error = None if plain is None else from_plain(plain)
            if error is not None:
                error.file = error.file or name
                yield Failed(name, error)
            yield self._ended(name, Tally.of(tally), error)

    def _ended(self, name: str, tally: Tally, error: LinkfixError | None) -> Audited:
        """Add a document to the totals."""
        totals = self._totals
        totals.known += tally.known
        totals.fixed += tally.fixed
        totals.suppressed += tally.suppressed
        for code, count in tally.counts.items():
            totals.counts[self._severities[code]] += count
        if error is not None:
            totals.failed += 1
        elif self._counts:
            totals.documents += 1
            totals.links += tally.links
            totals.embedded += tally.embedded
        return Audited(name, tally, error)

    def _known(self, origin: Origin) -> Known:
        """Return what is known of the site of a document."""
        job, root, found = self._job, origin.root, self._batch.documents[origin.number]
        rules = job.rules_for(origin.name, found)
        if not root:
            return Known(rules, None, None)
        files: SiteFiles = job.files(root)
        if job.changes is not None:
            key = root, not job.differs(found)
            if key not in self._changed:
                self._changed[key] = ChangedFiles(job.files(root), job.changes, only=key[1])
            files = self._changed[key]
        return Known(rules, files, self._pages_of(root))

    def _pages_of(self, root: str) -> Pages | None:
        """Return the pages of a site; None if no rule is about them."""
        job = self._job
        if root not in self._pages and any(rule.pages for rule in job.rules):
            sources = job.settings.sources
            documents = self._batch.documents
            lost = {sources.place(documents[number])[0] for number in self._damaged}
            # Nothing has to lead to the parts of a message.
            is_site = root not in lost and job.address(root).parts is None
            is_whole = is_site and any(
                relative(real(root), real(each)) is not None for each in job.whole
            )
            pages = (each for each in documents if each.path not in sources.parts)
            paths = (path for own, path in map(sources.place, pages) if own == root)
            files = job.files(root)
            self._pages[root] = Pages(
                paths, is_whole=is_whole, shown=files.server.shown(), digest=files.digest
            )
        return self._pages.get(root)


# --- Changes since a revision ------------------------------------------------------------------------
# An audit of changes looks at documents that differ from a revision, and at links to files that are gone. Input: the files of a site, and
# what differs. Output: a view of these files in which, for documents that do not differ, only those are missing that the revision had.

#: How many renamed files and folders there may be whose links a fix rewrites: a plan has a list of all files.
_PLANNED = 50


def renamed_in(folder: str, changes: Changes) -> Renamed:
    """Return what was renamed in a folder."""
    root = os.path.realpath(folder)
    pairs = [
        (os.path.relpath(old, root), os.path.relpath(new, root)) for old, new in changes.renamed()
    ]
    inside = (pair for pair in pairs if not any(path.startswith("../") for path in pair))
    return Renamed(folder, tuple(inside))


class ChangedFiles:
    """The files of a site, of which some are gone (`linkfix.facts.join.SiteFiles`).

    Args:
        files: of the site as it is.
        changes: what differs from the revision.
        only: whether a link has a problem only if it leads to a file that is gone.

    """

    def __init__(self, files: TargetFiles, changes: Changes, *, only: bool) -> None:
        self._files, self._server = files, files.server
        self._gone, self._only = changes.gone, only
        self._root = os.path.realpath(self._server.listing.root)
        pairs = renamed_in(self._root, changes).paths
        self._pairs = pairs if len(pairs) <= _PLANNED else ()
        self._plans: dict[tuple[str, str], SiteMove | None] = {}
        self.file: Callable[[str, Iterable[str], str], str] = files.file
        self.path: Callable[[str, Charset], str] = files.path
        self.newly_linked: Callable[[], list[str]] = files.newly_linked

    def problem(self, uri: str, charset: Charset, path: str = "") -> FileProblem | None:
        """Return what is wrong with a target; its new path is the near miss of a file that was renamed."""
        problem = self._files.problem(uri, charset, path)
        if problem is None or problem.what in {"fragment", "redirected", "own"}:
            return None if self._only else problem
        for old in self._paths(uri):
            new = self._gone.get(os.path.join(self._root, old))  # noqa: PTH118 - bytes in names
            if new is not None:
                if not new:
                    return problem
                near = os.path.relpath(new, self._root)
                return problem._replace(near=(near,), new_target=self._target(uri, old, near))
        return None if self._only else problem

    def _paths(self, uri: str) -> Iterator[str]:
        """Yield the paths of the files that the server may have had for a URI."""
        server = self._server
        located = server.address.locate(server.at_home(uri.partition("#")[0]))
        if located is not None:
            yield located.path
            for name in server.listing.indices(located.path):
                yield f"{located.path}/{name}".lstrip("/")
            yield f"{located.path}.html"

    def _target(self, uri: str, old: str, new: str) -> str:
        """Return the URI under which the server has a file now, as `linkfix mv --after` finds it; "" for none.

        Args:
            uri: absolute, of a link to the file at its old path.
            old: that path.
            new: the path that the file has now.

        """
        from linkfix.iri.resolution import without_dots

        whole = without_dots(uri)
        for pair in self._pairs:
            if old == pair[0] or old.startswith(f"{pair[0]}/"):
                plan = self._plan(pair)
                target = None if plan is None else plan.target(whole)
                answer = None if target is None else self._server.answer(target)
                if target is not None and answer is not None and answer.path == new:
                    return target
        return ""

    def _plan(self, pair: tuple[str, str]) -> SiteMove | None:
        from linkfix.migration.moving import plan_links

        if pair not in self._plans:
            try:
                self._plans[pair] = plan_links(self._server, *pair)
            except MoveError:  # the old path has another file now, say
                self._plans[pair] = None
        return self._plans[pair]
