"""A command over many documents: find them, distribute them to workers, report what was passed over."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkfix.cli.documents import STANDARD_INPUT
from linkfix.cli.output import complain, number
from linkfix.cli.progress import watched
from linkfix.errors import LinkfixError
from linkfix.files.tree import EntryKind, Found, Tally, documents, stands_for_many
from linkfix.jobs.pool import run, worthwhile
from linkfix.jobs.stopping import Stop

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from linkfix.cli.options.documents import TreeOptions
    from linkfix.jobs.wire import Event
    from linkfix.jobs.worker import Limits

#: The exit status of a stopped run: the same as of a program ended by SIGINT.
STOPPED = 130
#: The nouns for what is passed over, by the reason.
_PASSED = {
    "no document": "other file",
    "excluded": "excluded path",
    "hidden": "hidden path",
    EntryKind.LINK: "symbolic link",
    EntryKind.SPECIAL: "special file",
    "temporary": "temporary file of a run that was killed",
}


@dataclass(slots=True)
class Batch:
    """The documents of a run.

    Attributes:
        documents: in order; the path of standard input is ``-``.
        jobs: the number of worker processes; 0 if this process does the work.
        limits: of one document in a worker.
        is_tree: whether any of the paths is a folder or a pattern.
        unreadable: how many folders and files could not be read.
        passed: how many files of folders were passed over, by the reason.

    """

    documents: list[Found]
    jobs: int
    limits: Limits
    is_tree: bool
    unreadable: int
    passed: Counter[str]

    @property
    def many(self) -> bool:
        """Whether the paths stand for more than one document, or could."""
        return self.is_tree or len(self.documents) > 1

    def follow(
        self,
        work: Callable[[Found], Iterator[Event]],
        take: Callable[[Found, Any], int],
        *,
        fail: Callable[[Found, LinkfixError], None] | None = None,
        only: Sequence[Found] | None = None,
        data: bool = False,
        hint: str = "",
    ) -> int:
        """Do the work for the documents, here or in workers.

        Args:
            work: processes a document; yields events (`linkfix.jobs.wire.Event`).
            take: called with each event, in the order of the documents; returns an exit status.
            fail: called with each document that could not be processed, after the message.
            only: the documents to process; None for all.
            data: whether the work writes to standard output.
            hint: the advice in the message of a stopped run.

        Returns:
            The worst exit status: 0, 3 where a document failed, 130 where it was stopped.

        """
        chosen = self.documents if only is None else only
        done = len(self.documents) - len(chosen)
        status = 3 if self.unreadable else 0
        # A stream, or a single document, is stopped at once.
        with stopping() if self.many else contextlib.nullcontext(Stop()) as stop:
            limits = self.limits
            results = run(work, chosen, jobs=self.jobs, weigh=_size, stop=stop, limits=limits)
            try:
                with contextlib.closing(results):  # type: ignore[type-var]
                    for found, events in watched(results, len(chosen), data=data):
                        error = None
                        while error is None:
                            try:
                                event = next(events)
                            except StopIteration:
                                done += 1
                                break
                            except LinkfixError as failure:
                                error = failure
                                break
                            status = max(status, take(found, event))
                        if error is not None:
                            status = 3
                            report_failure(found, error)
                            if fail is not None:
                                fail(found, error)
            except KeyboardInterrupt:
                if not self.many:
                    raise
            if stop.asked:
                text = f"stopped after {done:,} of {number(len(self.documents), 'document')}"
                complain(f"{text}; {hint}" if hint else text)
                return STOPPED
        return status

    def passed_over(self) -> str:
        """Return a text about what was passed over, "" for nothing."""
        parts = [
            number(self.passed[why], noun) for why, noun in _PASSED.items() if self.passed[why]
        ]
        return f"passed over: {', '.join(parts)}" if parts else ""


def report_failure(found: Found, error: LinkfixError) -> None:
    """Report why a document could not be processed."""
    error.file = error.file or (STANDARD_INPUT if found.path == "-" else found.path)
    complain(error)


def gather(
    paths: Sequence[str], options: TreeOptions, *, archives: bool = True, cost: int = 1
) -> Batch:
    """Find the documents of paths; report what cannot be read.

    Args:
        paths: the arguments of the command; ``-``, or no path, is standard input.
        options: which documents of folders are read, and how.
        archives: whether WARC files in folders count as documents.
        cost: how many times as long as reading the command's work takes, for `worthwhile`; 0 for work that several
            processes are not much faster at.

    """
    selection = options.selection(archives=archives)
    tally = Tally()
    if "-" in paths or not paths:
        stdin = Found("-", "", "-", None)
        found = [
            each
            for path in paths or ("-",)
            for each in ([stdin] if path == "-" else documents([path], selection, tally))
        ]
    else:
        found = list(documents(paths, selection, tally))
    for problem in tally.errors:
        complain(problem)
    is_tree = any(path != "-" and stands_for_many(path) for path in paths)
    if (options.work.jobs or 1) > 1 and not hasattr(os, "fork"):
        complain(
            "this system cannot fork: one process does the work, without --timeout and --memory"
        )
    jobs = options.work.jobs or worthwhile(sum(map(_size, found)), cost)
    if len(found) < 2 or any(each.path == "-" for each in found):
        jobs = 0
    return Batch(found, jobs, options.work.limits(), is_tree, len(tally.errors), tally.passed)


def _size(found: Found) -> int:
    return found.size


def embedded_lines(counts: Mapping[str, int]) -> list[str]:
    """Return lines about the links in embedded documents.

    Args:
        counts: their numbers (`linkfix.links.html.embedded.counted_as`).

    """
    return [f"{number(count, 'link')} in {how}" for how, count in sorted(counts.items())]


@contextlib.contextmanager
def stopping() -> Iterator[Stop]:
    """Make Ctrl-C stop the run after the present documents, and report that, while the context lasts."""

    def say() -> None:
        text = "\nlinkfix: stopping after the present documents; once more to stop at once\n"
        with contextlib.suppress(OSError):
            os.write(sys.stderr.fileno(), text.encode())

    with Stop(say) as stop:
        yield stop


@contextlib.contextmanager
def collected() -> Iterator[io.StringIO]:
    """Collect what is written to standard error."""
    text = io.StringIO()
    with contextlib.redirect_stderr(text):
        yield text
