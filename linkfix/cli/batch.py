"""How a command runs a job: it writes what the job says, draws the progress, and stops it at Ctrl-C."""

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

import click

from linkfix.cli.output import complain, has_colours, is_verbose, number, styled
from linkfix.jobs.stopping import Stop
from linkfix.sites.events import Began, Done, Failed, Problem, Stopped

#: The exit status of a stopped run: the same as of a program ended by SIGINT.
STOPPED = 130
#: The nouns for what is passed over, by the reason.
_PASSED = {
    "no document": "other file",
    "excluded": "excluded path",
    "hidden": "hidden path",
    "symbolic link": "symbolic link",
    "special file": "special file",
    "temporary": "temporary file of a run that was killed",
}


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
                    advance = int
                    if _shows_progress(event.remaining, data=data):
                        line = bar(event.remaining, event.phase or _name())
                        advance = bars.enter_context(line)
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


def _shows_progress(count: int, *, data: bool) -> bool:
    """Return whether the progress of so many documents is shown: on a terminal without data of the run."""
    return count >= _FEW and sys.stderr.isatty() and not (data and sys.stdout.isatty())


@contextlib.contextmanager
def bar(count: int, phase: str) -> Iterator[Callable[[], None]]:
    """Show the progress on standard error; the block gets a function to call after each document.

    Args:
        count: how many documents there are.
        phase: what is done with them.

    """
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
