"""The events that all jobs have in common.

A job is an iterator of events: `Began` once its documents are found, then what it says of each document, and `Done` after
each. It ends early, with `Stopped`, where `Stop.ask` was called. Whoever closes the iterator stops at once; nothing
is left half written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from linkfix.errors import LinkfixError, UnreadableError

if TYPE_CHECKING:
    from linkfix.files.tree import Found


@dataclass(frozen=True, slots=True)
class Began:
    """The documents are found, and the work begins.

    Attributes:
        documents: how many there are.
        remaining: how many of them are to be done.
        many: whether the paths stand for more than one document, or could.
        resumes: whether the job can be resumed if it is stopped.
        phase: what is done with them, where a job has several phases.

    """

    documents: int
    remaining: int
    many: bool
    resumes: bool = False
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something is wrong that costs no document.

    Attributes:
        error: what, and where.
        is_failure: whether something is missing in the result: a folder that cannot be read.

    """

    error: LinkfixError
    is_failure: bool = False

    @classmethod
    def of_server(cls, error: LinkfixError) -> Problem:
        """Return what is wrong with a file of a server: if it cannot be read, what it says is missing in the result."""
        return cls(error, isinstance(error, UnreadableError))


@dataclass(frozen=True, slots=True)
class Failed:
    """A document could not be processed; it is as it was.

    Attributes:
        path: of the document; ``-`` for standard input.
        error: why.

    """

    path: str
    error: LinkfixError


@dataclass(frozen=True, slots=True)
class Diff:
    """The changes to a document.

    Attributes:
        path: of the document.
        data: a unified diff.

    """

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """A document is done, or has failed; the last event about it.

    Attributes:
        path: of the document.

    """

    path: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The job has ended early, as it was asked to.

    Attributes:
        done: how many documents are done.
        documents: how many there are.

    """

    done: int
    documents: int


class Output(NamedTuple):
    """What the work on a document yields (`linkfix.jobs.wire.Event`); each job makes events of its own of it.

    Attributes:
        found: the document.
        value: bytes or plain data.

    """

    found: Found
    value: Any
