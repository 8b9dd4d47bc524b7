"""How a command runs a job: it writes what the job says, draws the progress, and stops it at Ctrl-C."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.output import complain, is_verbose, number
from linkfix.cli.progress import bar
from linkfix.files.entries import EntryKind
from linkfix.jobs.stopping import Stop
from linkfix.sites import batch as sites
from linkfix.sites.events import Began, Done, Failed, Output, Problem, Stopped

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from linkfix.cli.options.documents import TreeOptions
    from linkfix.errors import LinkfixError
    from linkfix.jobs.wire import Event

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


class Batch(sites.Batch):
    """The documents of a command whose work yields bytes and plain data."""

    def follow(
        self,
        work: Callable[[Any], Iterator[Event]],
        take: Callable[[Any, Any], int],
        *,
        fail: Callable[[Any, LinkfixError], None] | None = None,
        only: Sequence[Any] | None = None,
        data: bool = False,
    ) -> int:
        """Do the work for the documents, here or in workers.

        Args:
            work: processes a document; yields events (`linkfix.jobs.wire.Event`).
            take: called with each event, in the order of the documents; returns an exit status.
            fail: called with each document that could not be processed, after the message.
            only: the documents to process, or what else there is to do for some of them; None for all documents.
            data: whether the work writes to standard output.

        Returns:
            The worst exit status: 0, 3 where a document failed, 130 where it was stopped.

        """
        chosen = self.documents if only is None else only
        by_path = {} if fail is None else {found.path: found for found in chosen}

        def taken(event: object) -> int:
            if isinstance(event, Output):
                return take(event.found, event.value)
            if isinstance(event, Failed) and fail is not None:
                fail(by_path[event.path], event.error)
            return 0

        return follow(lambda stop: self.events(work, stop, only=only), taken, data=data)


def follow(
    job: Callable[[Stop], Iterator[object]],
    take: Callable[[Any], int | None],
    *,
    data: bool = False,
    noun: str = "document",
) -> int:
    """Run a job: write messages, draw the progress, stop it at Ctrl-C.

    Args:
        job: returns its events; it ends early when it is asked to.
        take: called with every event but `Done`, after the message; may return an exit status.
        data: whether the command writes to standard output.
        noun: what the job works on.

    Returns:
        The worst exit status: 0, 3 where a document failed, 130 where it was stopped.

    """
    stop, status = Stop(_say_stopping), 0
    began, done, advance = Began(0, 0, many=False), 0, _nothing
    with (
        contextlib.ExitStack() as signals,
        contextlib.closing(job(stop)) as events,  # type: ignore[type-var]
        contextlib.ExitStack() as bars,
    ):
        try:
            for event in events:
                if isinstance(event, Done):
                    done += 1
                    if is_verbose():
                        complain(f"{event.path}: done")
                    advance()
                elif isinstance(event, Began):
                    # A stream, or a single document, is stopped at once.
                    if event.many and not began.many:
                        signals.enter_context(stop)
                    began, done = event, event.documents - event.remaining
                    bars.close()
                    advance = bars.enter_context(
                        bar(event.remaining, event.phase or _name(), data=data)
                    )
                elif isinstance(event, Problem):
                    complain(event.error)
                    status = max(status, 3 * event.is_failure)
                elif isinstance(event, Stopped):
                    status = _stopped(event, began, noun)
                elif isinstance(event, Failed):
                    complain(event.error)
                    status, done = 3, done - 1
                if not isinstance(event, Done):
                    status = max(status, take(event) or 0)
        except KeyboardInterrupt:
            if not stop.asked:
                raise
            return _stopped(Stopped(done, began.documents), began, noun)
    return status


def _name() -> str:
    """Return the name of the command that runs."""
    context = click.get_current_context(silent=True)
    return "" if context is None else context.info_name or ""


def _nothing() -> None:
    """Draw no progress."""


def _stopped(event: Stopped, began: Began, noun: str) -> int:
    """Say that a job was stopped; return the exit status."""
    text = f"stopped after {event.done:,} of {number(event.documents, noun)}"
    if not event.documents:
        text = "stopped before anything was written"
    complain(f"{text}; go on with --resume" if began.resumes else text)
    return STOPPED


def _say_stopping() -> None:
    text = "\nlinkfix: stopping after the present documents; once more to stop at once\n"
    with contextlib.suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode())


def gather(
    paths: Sequence[str], options: TreeOptions, *, archives: bool = True, cost: int = 1
) -> Batch:
    """Find the documents of paths (`linkfix.sites.batch.gather`)."""
    if (options.work.jobs or 1) > 1 and not hasattr(os, "fork"):
        complain(
            "this system cannot fork: one process does the work, without --timeout and --memory"
        )
    selection = options.selection(archives=archives)
    found = sites.gather(paths, selection, options.work.workers(), cost=cost)
    return Batch(*(getattr(found, name) for name in found.__slots__))


def passed_over(passed: Counter[str]) -> str:
    """Return a text about what was passed over, "" for nothing."""
    parts = [number(passed[why], noun) for why, noun in _PASSED.items() if passed[why]]
    return f"passed over: {', '.join(parts)}" if parts else ""


def embedded_lines(counts: Mapping[str, int]) -> list[str]:
    """Return lines about the links in embedded documents.

    Args:
        counts: their numbers (`linkfix.links.html.embedded.counted_as`).

    """
    return [f"{number(count, 'link')} in {how}" for how, count in sorted(counts.items())]


@contextlib.contextmanager
def collected() -> Iterator[io.StringIO]:
    """Collect what is written to standard error."""
    text = io.StringIO()
    with contextlib.redirect_stderr(text):
        yield text
