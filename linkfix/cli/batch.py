"""A command over many documents: find them, distribute them to workers, report what was passed over."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.documents import STANDARD_INPUT
from linkfix.cli.options.decorators import PATTERN
from linkfix.cli.output import complain, number
from linkfix.cli.progress import watched
from linkfix.errors import LinkfixError
from linkfix.files.tree import EntryKind, Found, Selection, Tally, documents, stands_for_many
from linkfix.jobs.pool import run, worthwhile
from linkfix.jobs.stopping import Stop
from linkfix.jobs.worker import Limits

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

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


def jobs_options(function: Any) -> Any:
    """Add the options for worker processes: how many there are, and what one document may cost them."""
    function = click.option(
        "--memory",
        type=click.IntRange(min=0),
        default=1024,
        show_default=True,
        metavar="MIB",
        help="Memory that a process may need for one of many documents; 0 for no limit.",
    )(function)
    function = click.option(
        "--timeout",
        type=click.FloatRange(min=0),
        default=60,
        show_default=True,
        metavar="SECONDS",
        help="Processor time for one of many documents, for each MiB it begins; 0 for no limit.",
    )(function)
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes work at a time.  [default: all cores for a large site; one for audit]",
    )(function)


def limits_from(options: dict[str, Any]) -> Limits:
    """Return the limits that the options of `jobs_options` ask for."""
    return Limits(options["timeout"] or None, options["memory"] * 1024 * 1024 or None)


def tree_options(function: Any) -> Any:
    """Add the options that choose documents of folders, and the number of processes."""
    function = jobs_options(function)
    function = click.option(
        "--hidden",
        is_flag=True,
        help="Read hidden files and folders too: their names begin with a dot.",
    )(function)
    function = click.option(
        "--include",
        multiple=True,
        type=PATTERN,
        help="Read only these files of folders, as in .gitignore: *.php, docs/**/*.html.",
    )(function)
    return click.option(
        "--exclude",
        multiple=True,
        type=PATTERN,
        help="Leave out files and folders, as in .gitignore: /drafts/, *.old.html.",
    )(function)


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
    paths: Sequence[str], options: dict[str, Any], *, archives: bool = True, cost: int = 1
) -> Batch:
    """Find the documents of paths; report what cannot be read.

    Args:
        paths: the arguments of the command; ``-``, or no path, is standard input.
        options: those of `tree_options`.
        archives: whether WARC files in folders count as documents.
        cost: how many times as long as reading the command's work takes, for `worthwhile`; 0 for work that several
            processes are not much faster at.

    """
    selection = Selection(options["include"], options["exclude"], options["hidden"], archives)
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
    jobs = options["jobs"] or worthwhile(sum(map(_size, found)), cost)
    if len(found) < 2 or any(each.path == "-" for each in found):
        jobs = 0
    limits = limits_from(options)
    return Batch(found, jobs, limits, is_tree, len(tally.errors), tally.passed)


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
