"""A job over many documents: find them, and do the work for each, here or in worker processes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from linkfix.errors import LinkfixError
from linkfix.files.entries import Tally
from linkfix.files.paths import is_remote, join
from linkfix.files.tree import Found, Selection, documents, size_at
from linkfix.jobs.failures import contained
from linkfix.jobs.pool import run, worthwhile
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.jobs.worker import Limits
from linkfix.policy import Policy, gate
from linkfix.sites.documents import STANDARD_INPUT, Sources
from linkfix.sites.events import Began, Done, Failed, Output, Problem, Stopped

if TYPE_CHECKING:
    from linkfix.files.journal import Journal
    from linkfix.server.addresses import SiteAddress
    from linkfix.server.includes import Part
    from linkfix.server.server import Server
    from linkfix.server.targets import TargetFiles

_NONE = Limits()
_size = attrgetter("size")
#: What every job says of its documents.
Common: TypeAlias = Began | Problem | Failed | Done | Stopped


@dataclass(frozen=True, slots=True)
class Workers:
    """Worker processes.

    Attributes:
        jobs: how many there are; None for all cores where that pays.
        limits: of one of many documents.

    """

    jobs: int | None = None
    limits: Limits = _NONE

    def __post_init__(self) -> None:
        gate.check(_PROCESSES, self)


_PROCESSES = {
    "jobs": gate.Instance(int, "number of processes"),
    "limits": gate.Instance(Limits, "Limits", required=True),
}
_PATTERNS = dict.fromkeys(("include", "exclude"), gate.PATTERNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """What every job needs.

    Attributes:
        policy: how links are read, and what they become.
        sources: what is known about the documents.
        selection: which documents of folders are read.
        workers: the processes that do the work.

    """

    policy: Policy = field(default_factory=Policy)
    sources: Sources = field(default_factory=Sources)
    selection: Selection = field(default_factory=Selection)
    workers: Workers = field(default_factory=Workers)

    #: What each setting may be.
    KINDS: ClassVar[dict[str, gate.Kind]] = {
        "policy": gate.Instance(Policy, "Policy", required=True),
        "sources": gate.Instance(Sources, "Sources", required=True),
        "selection": gate.Instance(Selection, "Selection", required=True),
        "workers": gate.Instance(Workers, "Workers", required=True),
    }

    def __post_init__(self) -> None:
        gate.check(self.KINDS, self)
        gate.check(_PATTERNS, self.selection)


@dataclass(slots=True)
class Batch:
    """The documents of a run.

    Attributes:
        documents: in order; the path of standard input is ``-``.
        jobs: the number of worker processes; 0 if this process does the work.
        limits: of one document in a worker.
        tally: whether there are folders, the files in them that were passed over, and folders and files that could not be read.
        selection: which documents of folders are read.
        folders: the paths that are folders of this machine.

    """

    documents: list[Found]
    jobs: int
    limits: Limits
    tally: Tally
    selection: Selection
    folders: frozenset[str]

    @property
    def many(self) -> bool:
        """Whether the paths stand for more than one document, or could."""
        return self.tally.is_tree or len(self.documents) > 1

    def included(self, sources: Sources, files: Callable[[str], TargetFiles]) -> Sources:
        """Return `sources` that know the parts that pages of folders include, and the charsets in which they read style sheets.

        The parts become documents, those that programs include too.

        Args:
            sources: what is known about the documents.
            files: returns the files of a site by its root.

        """
        sites: dict[str, dict[str, Found]] = {}
        named: dict[str, str] = {}
        for each in self.documents:
            root, path = sources.place(each)
            if each.root in self.folders and each.relative == path:
                sites.setdefault(root, {})[path] = each
                named[root] = each.root
        known: dict[str, Part] = {}
        pages_with: set[str] = set()
        sheets: dict[str, str] = {}
        for root, there in sites.items():
            pages = [path for path, each in there.items() if each.type in {"html", None}]
            site = files(root)
            for path, part in site.parts([*pages, *site.server.listing.programs()]).items():
                found, including = there.get(path), [page for page in part.pages if page in there]
                if found is None and including and self.selection.takes(path):
                    found = Found("", named[root], path, "html", size_at(join(root, path)))
                    self.documents.append(found)
                    self.tally.passed["no document"] -= 1
                if found is not None:
                    known[found.path] = part
                    pages_with |= {there[page].path for page in including}
            if sources.charset is None and sources.environment is None:
                sheets |= _environments(there, site)
        if not known and not sheets:
            return sources
        return replace(sources, parts=known, including=frozenset(pages_with), sheets=sheets)

    def placed(self, settings: SiteSettings) -> Sources:
        """Return what is known about the documents, with the parts that pages of their sites include."""
        from linkfix.server.targets import TargetFiles

        sources = settings.sources

        def files(root: str) -> TargetFiles:
            return TargetFiles(bare_server(root, sources.base), settings.policy, sources.charset)

        return self.included(sources, files)

    def named(self, sources: Sources, address: Callable[[str], SiteAddress]) -> Sources:
        """Add the JSON files that pages name as their manifests; return `sources` that know them.

        Args:
            sources: what is known about the documents.
            address: returns the address of a site by its root.

        """
        if not self.tally.json:
            return sources
        from linkfix.server.targets import manifests

        sites: dict[str, tuple[dict[str, Found], dict[str, Found]]] = {}
        for number, files in enumerate((self.documents, self.tally.json)):
            for each in files:
                root, path = sources.place(each)
                sites.setdefault(root, ({}, {}))[number][path] = each
        found = [
            each
            for root, site in sites.items()
            if site[1]
            for each in manifests(*site, address(root))
        ]
        self.documents += found
        self.tally.passed["no document"] -= len(found)
        return replace(sources, manifests=frozenset(each.path for each in found))

    def events(
        self,
        work: Callable[[Any], Iterator[Event]],
        stop: Stop,
        *,
        only: Sequence[Any] | None = None,
        journal: Journal | None = None,
    ) -> Iterator[Common | Output]:
        """Do the work for the documents, here or in workers; yield what happens, in their order.

        What the journal has of an earlier run is yielded as if it happened now, and not done again.

        Args:
            work: processes a document; yields bytes and plain data (`linkfix.jobs.wire.Event`).
            stop: asks to end early.
            only: the documents to process, or what else there is to do for some of them; None for all documents.
            journal: of this run, which can be resumed where it is stopped; None for none.

        """
        chosen = self.documents if only is None else only
        earlier: dict[str, LinkfixError | None] = {}
        if journal is not None:
            doubts = {each.path: journal.doubt(each.path) for each in chosen}
            earlier = {x: why for x, why in doubts.items() if why or journal.is_done(x)}
        waiting = [each for each in chosen if each.path not in earlier] if earlier else chosen
        done = len(self.documents) - len(waiting)
        yield Began(len(self.documents), len(waiting), self.many, journal is not None)
        for problem in self.tally.errors:
            yield Problem(problem, is_failure=True)
        results = run(work, waiting, jobs=self.jobs, weigh=_size, stop=stop, limits=self.limits)
        with contextlib.closing(results):  # type: ignore[type-var]
            for each in chosen:
                if journal is not None and each.path in earlier:
                    doubt = earlier[each.path]
                    if doubt is None:
                        yield Output(each, journal.result(each.path))
                    else:
                        yield Failed(each.path, doubt)
                    continue
                given = next(results, None)
                if given is None:
                    break
                found, values = given
                try:
                    for value in values:
                        yield Output(found, value)
                    done += 1
                except LinkfixError as error:
                    error.file = error.file or (STANDARD_INPUT if found.path == "-" else found.path)
                    yield Failed(found.path, error)
                yield Done(found.path)
        if stop.asked:
            yield Stopped(done, len(self.documents))


def _environments(documents: Mapping[str, Found], files: TargetFiles) -> dict[str, str]:
    """Return the charsets of style sheets by the names of their files (CSS Syntax 3, 3.2, "environment encoding").

    Pages are read only for sheets with links that are malformed. A sheet on whose charset its pages disagree, or that only pages
    of an unknown charset use, has none.

    Args:
        documents: of a site, by their paths in it.
        files: of the site.

    """
    sheets = {path for path, each in documents.items() if each.type == "css"}
    doubtful = {path for path in sheets if _is_malformed(documents[path].path, files.policy)}
    if not doubtful:
        return {}
    from linkfix.migration.index import Facts, Index, examined
    from linkfix.migration.settings import Task

    index, ready = Index(), documents.keys() - sheets
    while ready:
        for path in sorted(ready):
            task = Task(path, path, "document", documents[path].type, index.environment(path))
            with contextlib.suppress(LinkfixError), contained():  # who reads it reports that
                for facts in examined(files.policy, files.server, task):
                    index.add(path, Facts(*facts))
        ready = sheets & index.asked.keys()
        sheets -= ready
    known = sorted(doubtful - index.unsure() - {path for path, _ in index.ambiguous()})
    return {documents[path].path: x for path in known if (x := index.environment(path))}


def _is_malformed(sheet: str, policy: Policy) -> bool:
    """Return whether links of a style sheet are malformed in the charset that it has by itself."""
    from linkfix.library import extract
    from linkfix.server.headers import is_in

    with contextlib.suppress(LinkfixError), contained():  # who reads it reports that
        if not is_in(sheet, "utf-8"):
            return any(link.malformed for link in extract(sheet, policy=policy, type="css"))
    return False


def gather(paths: Sequence[str], selection: Selection, workers: Workers, *, cost: int = 1) -> Batch:
    """Find the documents of paths.

    Args:
        paths: files, folders and patterns; ``-``, or no path, is standard input.
        selection: which documents of folders are read.
        workers: what reads them.
        cost: how many times as long as reading the work takes, for `worthwhile`.

    """
    tally = Tally()
    found = [*documents(paths or ("-",), selection, tally)]
    jobs = 0
    if len(found) > 1 and not any(each.path == "-" for each in found):
        jobs = workers.jobs or worthwhile(sum(map(_size, found)), cost)
    folders = frozenset(filter(os.path.isdir, filterfalse(is_remote, paths)))
    return Batch(found, jobs, workers.limits, tally, selection, folders)


def bare_server(root: str, base: str | None = None) -> Server:
    """Return the server of a folder as its own files describe it; what is wrong with these is not reported.

    Args:
        root: the folder.
        base: its address; None if it is not known.

    """
    from linkfix.migration.settings import NOWHERE
    from linkfix.server.addresses import Serving, SiteAddress
    from linkfix.server.server import server_of

    return server_of(root, SiteAddress.at(base or NOWHERE), Serving(), lambda _: None)


def stop_of(settings: object, kind: type, stop: Stop | None) -> Stop:
    """Return what asks a job to end; refuse settings that are not of its class.

    Args:
        settings: of the job.
        kind: their class.
        stop: that argument of the job.

    Raises:
        ArgumentError: the settings or the stop are something else.

    """
    kinds = {
        "settings": gate.Instance(kind, kind.__name__, required=True),
        "stop": gate.Instance(Stop, "Stop"),
    }
    gate.check(kinds, settings=settings, stop=stop)
    return Stop() if stop is None else stop
