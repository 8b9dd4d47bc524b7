"""How a command runs a job: it writes what the job says, draws the progress, and stops it at Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TextIO

import click

from linkfix.cli.output import complain, has_colours, is_verbose, number, styled
from linkfix.errors import LinkfixError
from linkfix.files.entries import EntryKind
from linkfix.jobs.failures import contained
from linkfix.jobs.stopping import Stop
from linkfix.sites import batch as sites
from linkfix.sites.documents import Document, Sources, documents
from linkfix.sites.events import Began, Done, Failed, Output, Problem, Stopped

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from linkfix.cli.options.documents import TreeOptions
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
    began, done = Began(0, 0, many=False), 0
    advance: Callable[[], object] = int  # draws no progress
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


# --- progress --------------------------------------------------------------------------------------

#: The fewest documents with a line.
_FEW = 20
#: The least time in seconds between two updates.
_BETWEEN = 0.1


class _Line:
    """Standard error with a line at its end that stays the last one.

    Args:
        out: the terminal.

    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._width = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a message in place of the line."""
        self.show("")
        return self._out.write(text)

    def show(self, text: str) -> None:
        """Replace the line."""
        if text or self._width:
            shown = styled(text, "cyan") if text and has_colours(self._out) else text
            self._out.write(f"\r{' ' * self._width}\r{shown}")
            self._out.flush()
        self._width = len(text)


@contextlib.contextmanager
def bar(count: int, phase: str, *, data: bool) -> Iterator[Callable[[], None]]:
    """Show the progress on standard error; the block gets a function to call after each document.

    Nothing is shown if standard error is no terminal, or for few documents.

    Args:
        count: how many documents there are.
        phase: what is done with them.
        data: whether the run writes to standard output; if that is a terminal, nothing is shown.

    """
    if count < _FEW or not sys.stderr.isatty() or (data and sys.stdout.isatty()):
        yield lambda: None
        return
    line, done, start, drawn = _Line(sys.stderr), 0, time.monotonic(), 0.0

    def advance() -> None:
        nonlocal done, drawn
        done += 1
        now = time.monotonic()
        if now - drawn > _BETWEEN or done == count:
            drawn = now
            rate = done / max(now - start, 1e-3)
            left = round((count - done) / rate)
            line.show(
                f"{phase}: {done:,}/{count:,} documents, {rate:,.0f} a second, {left // 60}:{left % 60:02} left"
            )

    with contextlib.redirect_stderr(line):
        try:
            yield advance
        finally:
            line.show("")


# --- documents -------------------------------------------------------------------------------------


def each_document(
    path: str, options: Sources, work: Callable[[Document], Iterator[Event]]
) -> Generator[Event, None, int]:
    """Do the work for the document of a path, or for the documents of an archive; yield the events.

    An exception of one document, of any type, does not stop the others of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: what is known about documents.
        work: processes a document; yields events.

    Returns:
        The exit status: 0, or 3 if a document failed.

    Raises:
        LinkfixError: the file cannot be read.

    """
    status = 0
    for document in documents(path, options):
        try:
            with contained():
                yield from work(document)
        except LinkfixError as error:
            error.file = error.file or document.name
            complain(error)
            status = 3
    return status
