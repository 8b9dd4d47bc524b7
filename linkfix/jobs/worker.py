"""A worker: the child's side of `linkfix.jobs.pool`.

A worker is a fork of its parent, so it has the work and the items already. It reads batches of item numbers, one JSON
array a line, and writes frames (`linkfix.jobs.wire`): the events of each item in order, then its end or its
failure. It imports nothing by name from its parent, shares no file offset with it, and writes to none of its files
except the pipe.

Each document has a limit of processor time: the kernel ends the worker at the limit (ITIMER_PROF, SIGPROF), and no
document can delay that. Memory beyond the limit is refused (RLIMIT_DATA): the document fails with a MemoryError, and
the worker resigns. So it does after many items: what it shares with its parent becomes its own little by little.
"""

import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from linkfix.errors import LinkfixError
from linkfix.jobs.failures import contained, to_plain
from linkfix.jobs.stopping import SIGNALS
from linkfix.jobs.wire import COMMITTING, DONE, FAILED, TEXT, Event, frame, framed, plain

with contextlib.suppress(ImportError):  # Windows has no limits; nor can a process be forked there
    import resource

_MIB = 1024 * 1024
#: After how many items a worker resigns.
_MOST_ITEMS = 10_000
#: How many bytes of frames are written at once.
_MUCH = 64 * 1024


class Committed(Protocol):
    """The attribute `group` of work whose results are committed several at a time: it has no effect outside before that."""

    def finish(self) -> list[LinkfixError | None]:
        """Finish what was begun.

        Returns:
            For each item that was worked on without error since the last time, in order, None or why
            it does not count.

        """
        ...

    def discard(self) -> None:
        """Discard the work that is not committed."""
        ...


class Limits(NamedTuple):
    """The limits of one document.

    Attributes:
        seconds: of processor time, for each MiB or part of one; None for no limit.
        memory: bytes that a worker may allocate in addition to its parent's; None for no limit.

    """

    seconds: float | None = None
    memory: int | None = None

    def time(self, size: int) -> float:
        """Return the seconds for a document of `size` bytes; 0 for no limit."""
        return 0.0 if self.seconds is None else self.seconds * (1 + size // _MIB)


class Job(NamedTuple):
    """What is done with which items.

    Attributes:
        work: processes an item, as for `linkfix.jobs.pool.run`.
        items: the items.
        weigh: returns the size of an item in bytes; None if all are small.
        limits: of one item.

    """

    work: Callable[[Any], Iterator[Event]]
    items: Sequence[Any]
    weigh: Callable[[Any], int] | None
    limits: Limits

    def size(self, item: Any) -> int:
        """Return the size of an item in bytes."""
        return 0 if self.weigh is None else self.weigh(item)


#: The limits of each document in this process; none unless it is a worker.
_limits = Limits()


def attempt(work: Callable[[Any], Iterator[Event]], item: Any) -> Iterator[Event]:
    """Do the work for one item in this process; yield its events.

    Raises:
        LinkfixError: the work failed, whatever it raised.

    """
    with contained():
        group: Committed | None = getattr(work, "group", None)
        if group is None:
            yield from work(item)
            return
        try:
            events = [*work(item)]
            for error in group.finish():
                if error is not None:
                    raise error
        finally:
            group.discard()
        yield from events


def serve(job: Job, requests: int, answers: int) -> None:
    """Work for the parent until it closes the pipe of requests, or SIGTERM asks to stop.

    Args:
        job: what is done with which items.
        requests: descriptor from which batches are read.
        answers: descriptor to which frames are written.

    """
    global _limits  # noqa: PLW0603 - one worker a process
    _limits = job.limits
    gc.freeze()  # what the parent made stays shared: the collector would write to all of it
    worker = _Worker(job, answers)
    for number in SIGNALS - {signal.SIGTERM}:  # the parent decides what they mean
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, worker.ask)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {*SIGNALS, signal.SIGPROF})
    sys.stderr = worker.said
    if _limits.memory is not None:
        _limit_memory(_limits.memory)
    # The parent is gone: BrokenPipeError.
    with contextlib.suppress(BrokenPipeError), open(requests, "rb") as lines:
        import json

        done = 0
        while not worker.stops and done < _MOST_ITEMS:
            worker.idle = True
            line = lines.readline()
            worker.idle = False
            if not line:
                return
            batch = json.loads(line)
            worker.do([job.items[number] for number in batch])
            done += len(batch)


def extend_limit(size: int) -> None:
    """Add the time for so many bytes of another document to the limit of the present one.

    A document does not fail because the documents that its links lead to are large. Without effect in a process without limits.
    """
    if not hasattr(signal, "getitimer"):  # Windows, where no work has limits
        return
    left, _ = signal.getitimer(signal.ITIMER_PROF)
    if left:
        signal.setitimer(signal.ITIMER_PROF, left + _limits.time(size))


class _Worker:
    """The state of a worker."""

    def __init__(self, job: Job, answers: int) -> None:
        self.said = io.StringIO()
        self.idle = False
        self.stops = False
        self._job = job
        self._group: Committed | None = getattr(job.work, "group", None)
        self._answers = answers
        self._frames: list[bytes] = []
        self._size = 0

    def ask(self, _number: int, _frame: object) -> None:
        """Stop after the present document; a signal handler."""
        self.stops = True
        if self.idle:
            raise SystemExit

    def do(self, batch: Sequence[Any]) -> None:
        """Work on the items of a batch, and answer for each, or for the first of them if asked to stop."""
        if self._group is not None:
            self._do_together(batch, self._group)
            return
        for item in batch:
            try:
                for event in self._events(item):
                    self._put(framed(event))
            except LinkfixError as error:
                self._fail(error)
            else:
                self._put(frame(DONE))
            self._flush()
            if self.stops:
                return

    def _do_together(self, batch: Sequence[Any], group: Committed) -> None:
        results: list[list[bytes] | LinkfixError] = []
        try:
            for item in batch:
                try:
                    results.append([framed(event) for event in self._events(item)])
                except LinkfixError as error:
                    results.append(error)
                if self.stops:
                    break
            self._put(frame(COMMITTING))
            self._flush()
            with contained():
                errors = iter(group.finish())
            results = [x if isinstance(x, LinkfixError) else next(errors) or x for x in results]
        except LinkfixError as error:  # of the commit: the results of single documents are unknown
            results = [x if isinstance(x, LinkfixError) else error for x in results]
        finally:
            group.discard()
        for result in results:
            if isinstance(result, LinkfixError):
                self._fail(result)
                continue
            for each in result:
                self._put(each)
            self._put(frame(DONE))
        self._flush()

    def _events(self, item: Any) -> Iterator[Event]:
        """Yield the events of an item within its limits."""
        signal.setitimer(signal.ITIMER_PROF, self._job.limits.time(self._job.size(item)))
        try:
            with contained():
                yield from self._job.work(item)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _fail(self, error: LinkfixError) -> None:
        # Memory that was refused once may be in pieces: a new worker has all of it.
        self.stops |= isinstance(error.__cause__, MemoryError)
        self._put(frame(FAILED, plain(to_plain(error))))

    def _put(self, data: bytes) -> None:
        """Add a frame after what was said meanwhile; write many at once."""
        if said := self.said.getvalue():
            self.said.seek(0)
            self.said.truncate()
            self._frames.append(frame(TEXT, said.encode("utf-8", "surrogatepass")))
        self._frames.append(data)
        self._size += len(data)
        if self._size > _MUCH:
            self._flush()

    def _flush(self) -> None:
        data = memoryview(b"".join(self._frames))
        self._frames, self._size = [], 0
        while data:
            data = data[os.write(self._answers, data) :]


def _limit_memory(memory: int) -> None:
    """Let this process allocate so many bytes more; without effect where the system cannot say how many it has."""
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_bytes().split()[5])
        most = pages * os.sysconf("SC_PAGE_SIZE") + memory
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
