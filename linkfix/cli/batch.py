"""A command over many documents: which they are, how many at a time, what is said at the end."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar, cast

import click

from linkfix.cli.documents import STANDARD_INPUT
from linkfix.cli.output import complain
from linkfix.cli.progress import watched
from linkfix.errors import LinkfixError
from linkfix.site.jobs import cores, run
from linkfix.site.spool import Spool
from linkfix.site.stop import Stop
from linkfix.site.tree import EntryKind, Found, Selection, Tally, documents, stands_for_many

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "STOPPED",
    "Answer",
    "Batch",
    "Captured",
    "collected",
    "gather",
    "jobs_option",
    "number",
    "stopping",
    "tree_options",
]

Data = TypeVar("Data")

#: The exit status of a run that was stopped: that of a program that SIGINT ends.
STOPPED = 130
#: What several processes are worth: so many documents, or so many bytes in more than one.
_MANY = 24
_MUCH = 4 * 1024 * 1024
#: What is passed over, and what it is called.
_PASSED = {
    "no document": "other file",
    "excluded": "excluded path",
    "hidden": "hidden path",
    EntryKind.LINK: "symbolic link",
    EntryKind.SPECIAL: "special file",
    "temporary": "temporary file of a run that was killed",
}


def jobs_option(function: Any) -> Any:
    """Add the option that says how many documents are worked on at a time."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes work at a time.  [default: all cores where it is worth while]",
    )(function)


def tree_options(function: Any) -> Any:
    """Add the options that say which documents of folders are taken, and by how many processes."""
    function = jobs_option(function)
    function = click.option(
        "--hidden", is_flag=True, help="Take hidden files and folders too, those with a dot."
    )(function)
    function = click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Take only these files of folders, as in .gitignore: *.php, docs/**/*.html.",
    )(function)
    return click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave out files and folders, as in .gitignore: /drafts/, *.old.html.",
    )(function)


@dataclass(slots=True)
class Batch:
    """The documents of a run.

    Attributes:
        documents: in order; the path of standard input is ``-``.
        jobs: how many processes are to work.
        is_tree: whether any of the paths is a folder or a pattern.
        unreadable: how many folders and files could not be looked at.
        passed: what was passed over in folders, and why.

    """

    documents: list[Found]
    jobs: int
    is_tree: bool
    unreadable: int
    passed: Counter[str]

    @property
    def many(self) -> bool:
        """Whether this is more than one document, or could have been."""
        return self.is_tree or len(self.documents) > 1

    def follow(
        self,
        work: Callable[[Found], Data],
        take: Callable[[Found, Data], int],
        *,
        fail: Callable[[Found, LinkfixError], None] | None = None,
        only: Sequence[Found] | None = None,
        data: bool = False,
        captured: bool = True,
        hint: str = "",
    ) -> int:
        """Do the work for the documents, one after the other or several at a time.

        Args:
            work: what to do; can be pickled.
            take: gets each result, in the order of the documents, and gives an exit status.
            fail: called for each document that could not be processed, after a message said so.
            only: the documents to do it for; None for all.
            data: whether standard output is written.
            captured: whether `work` writes to the standard streams, which in another process are
                not to be written.
            hint: what to do if the run is stopped.

        Returns:
            The worst exit status: 0, 3 where a document failed, 130 where it was stopped.

        """
        chosen = self.documents if only is None else only
        before = len(self.documents) - len(chosen)
        status = 3 if self.unreadable else 0
        done = 0
        # Whoever stops a stream, or a single document, wants that at once.
        with stopping() if self.many else contextlib.nullcontext(Stop()) as stop:
            task = work if self.jobs == 1 or not captured else Captured(work)
            results = run(task, chosen, jobs=self.jobs, weigh=_size, stop=stop)
            try:
                with contextlib.closing(results):  # type: ignore[type-var]
                    for found, result in watched(results, len(chosen), data=data):
                        error = result if isinstance(result, LinkfixError) else None
                        if error is not None:
                            report_failure(found, error)
                        elif isinstance(result, Answer):
                            result.replay()
                            error, result = result.error, result.data
                        if error is None:
                            status = max(status, take(found, cast("Data", result)))
                            done += 1
                        else:
                            status = 3
                            if fail is not None:
                                fail(found, error)
            except KeyboardInterrupt:
                if not self.many:
                    raise
            except BrokenPipeError:
                # Whoever read the output has enough of it: nothing to complain about.
                with contextlib.suppress(OSError):
                    sys.stdout.close()
                raise SystemExit(status) from None
            if stop.asked:
                text = (
                    f"stopped after {before + done:,} of {number(len(self.documents), 'document')}"
                )
                complain(f"{text}; {hint}" if hint else text)
                return STOPPED
        return status

    def passed_over(self) -> str:
        """Say what was passed over, "" for nothing."""
        parts = [
            number(self.passed[why], noun) for why, noun in _PASSED.items() if self.passed[why]
        ]
        return f"passed over: {', '.join(parts)}" if parts else ""


def report_failure(found: Found, error: LinkfixError) -> None:
    """Say why a document could not be processed."""
    error.file = error.file or (STANDARD_INPUT if found.path == "-" else found.path)
    complain(error)


def gather(paths: Sequence[str], options: dict[str, Any], *, archives: bool = True) -> Batch:
    """Find the documents that paths stand for; what cannot be read is said.

    Args:
        paths: as the command was given them; none, or ``-`` among them, stands for standard input.
        options: those of `tree_options`.
        archives: whether WARC files in folders are taken.

    """
    selection = Selection(options["include"], options["exclude"], options["hidden"], archives)
    tally = Tally()
    try:
        if "-" in paths or not paths:
            stdin = Found("-", "", "-", None)
            found = [
                each
                for path in paths or ("-",)
                for each in ([stdin] if path == "-" else documents([path], selection, tally))
            ]
        else:
            found = list(documents(paths, selection, tally))
    except ValueError as error:  # of a pattern
        raise click.UsageError(f"--include, --exclude: {error}") from None
    for problem in tally.errors:
        complain(problem)
    is_tree = any(path != "-" and stands_for_many(path) for path in paths)
    jobs = options["jobs"] or _worth(found)
    if any(each.path == "-" for each in found):
        jobs = 1
    return Batch(found, min(jobs, max(1, len(found))), is_tree, len(tally.errors), tally.passed)


def _worth(found: list[Found]) -> int:
    """Tell how many processes are worth starting."""
    much = len(found) > 1 and sum(each.size for each in found) > _MUCH
    return cores() if much or len(found) >= _MANY else 1


def _size(found: Found) -> int:
    return found.size


def number(count: int, noun: str) -> str:
    """Write a number and its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


@contextlib.contextmanager
def stopping() -> Iterator[Stop]:
    """Take Ctrl-C for a wish to stop, while the context lasts, and say so when it comes."""

    def say() -> None:
        text = "\nlinkfix: stopping after the present documents; once more to stop at once\n"
        with contextlib.suppress(OSError):
            os.write(sys.stderr.fileno(), text.encode())

    with Stop(say) as stop:
        yield stop


@dataclass(frozen=True, slots=True)
class Answer(Generic[Data]):
    """What came of the work on a document in another process.

    Attributes:
        data: what the work gave; None where it failed.
        error: why it failed, which was said; None where it did not.
        out: what it wrote to standard output.
        err: what it wrote to standard error.

    """

    data: Data | None
    error: LinkfixError | None
    out: Spool
    err: str

    def replay(self) -> None:
        """Write the same in this process."""
        sys.stdout.flush()
        self.out.copy_to(sys.stdout.buffer)
        sys.stdout.flush()
        sys.stderr.write(self.err)


class Captured(Generic[Data]):
    """Work that is done in another process, and writes what it has to write in this one.

    Args:
        work: what is done for each document; can be pickled.

    """

    def __init__(self, work: Callable[[Found], Data]) -> None:
        self._work = work
        self._encoding = sys.stdout.encoding
        self._errors = sys.stdout.errors

    def __call__(self, found: Found) -> Answer[Data]:
        """Do the work, in the other process."""
        out = Spool()
        text = io.TextIOWrapper(
            cast("BinaryIO", out.file), self._encoding, self._errors, newline="", write_through=True
        )
        with contextlib.redirect_stdout(text), collected() as err:
            data, failure = None, None
            try:
                data = self._work(found)
            except LinkfixError as error:
                report_failure(found, error)
                failure = error
        text.detach()
        return Answer(data, failure, out, err.getvalue())


@contextlib.contextmanager
def collected() -> Iterator[io.StringIO]:
    """Collect what is written to standard error."""
    text = io.StringIO()
    with contextlib.redirect_stderr(text):
        yield text
