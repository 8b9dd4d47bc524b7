"""Jobs: the same work for many documents, in worker processes, with the results in order.

A worker is a fork of this process. So it imports nothing from the current folder, needs nothing pickled, and shares the
memory of earlier objects: the items, the link map, compiled schemas and patterns. Workers start when there is an item for
each, and only if this process has no other thread, since a fork copies the locks of other threads and not the
threads. What work knows of an item already, this process takes itself. A worker reads numbers of items from one pipe and writes
frames (`linkfix.jobs.wire`) to another; `linkfix.jobs.worker` is its side.

Workers get numbers in batches: few at first, later many small documents. The events of the
*current* item, the first one that is not done, are yielded at once. Events of later items are buffered: at most `AHEAD`
items, and `_HELD` bytes. Beyond that only the worker of the current item is read, and the others wait at their pipes.
The numbers in a batch ascend, and every item before the current one is done. So some worker always has the current item
as its next one, and the run cannot block.

A worker that dies costs its current document, and a new fork replaces it. Work with a `group` commits several files at
a time. Before the commit nothing was done, so that its documents are tried again one by one. Once the commit has
begun, they all fail, since none may be done twice.
"""

import contextlib
import heapq
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import starmap
from typing import Any, NoReturn, TypeVar

from linkfix.errors import LimitExceededError, LinkfixError, WorkerError
from linkfix.jobs.failures import from_plain, to_plain
from linkfix.jobs.stopping import SIGNALS, Stop
from linkfix.jobs.wire import COMMITTING, DONE, FAILED, TEXT, Decoder, Event, Frame, plain, value
from linkfix.jobs.worker import Job, Limits, attempt, serve

Item = TypeVar("Item")

#: How many items may be done ahead of the current one, and how many bytes of their events are buffered.
AHEAD = 1000
_HELD = 64 * 1024 * 1024
#: How much goes into one batch: documents, and bytes, each document counting for some more.
_BATCH = 32
_WEIGHT = 512 * 1024
_OVERHEAD = _WEIGHT // _BATCH
#: The kinds of frames that end an item.
_ENDS = {DONE, FAILED}
#: How long workers may go on with their documents once they are to stop, in seconds.
_GRACE = 5.0
#: How many bytes are read from a worker at once.
_READ = 256 * 1024
#: How many bytes of reading are worth several processes: above it two of them extract and rewrite at least 1.7 times as
#: fast as one, and audit about 1.6 times (benchmarks/site.py); below it what one process does before and beside them weighs too much.
_MUCH = 128 * 1024 * 1024
#: How many times as long as reading it takes to rewrite documents whose links change, at least (`worthwhile`).
WRITING = 4


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worthwhile(size: int, cost: int) -> int:
    """Return how many processes are worth starting unasked.

    Args:
        size: of all documents, in bytes.
        cost: how many times as long as reading the work takes.

    """
    return cores() if size * cost > _MUCH else 1


def can_fork() -> bool:
    """Return whether this process can have workers: it can be forked, and has one thread."""
    return hasattr(os, "fork") and threading.active_count() == 1


def run(
    work: Callable[[Item], Iterator[Event]],
    items: Sequence[Item],
    *,
    jobs: int,
    weigh: Callable[[Item], int] | None = None,
    stop: Stop | None = None,
    limits: Limits | None = None,
) -> Iterator[tuple[Item, Iterator[Event]]]:
    """Do the work for every item, and yield the items in order, each with its events.

    Args:
        work: processes an item; yields bytes and plain data (`linkfix.jobs.wire.Event`). Its method `prepare`, if it has one,
            loads once what every worker shares, and its method `recall` returns the frames of what an earlier run did for an
            item, or None.
        items: the items.
        jobs: the number of worker processes; with 0, or if there can be none, this process does the work, without
            limits.
        weigh: returns the size of an item in bytes; None if all are small.
        stop: asks the run to end early. Workers finish their current items, or are ended after five seconds;
            the finished items are yielded, and the iterator ends.
        limits: of one item; None for none.

    Returns:
        An iterator of items, each with an iterator of its events, which must be exhausted first. That raises a
        LinkfixError if the work failed with any exception, and a WorkerError if its process died. Messages of
        workers to standard error are written here, in order.

    """
    stop = Stop() if stop is None else stop
    if jobs < 1 or not can_fork():
        return _alone(work, items, stop)
    return _Pool(Job(work, items, weigh, limits or Limits()), jobs, stop).results()


def _alone(
    work: Callable[[Item], Iterator[Event]], items: Sequence[Item], stop: Stop
) -> Iterator[tuple[Item, Iterator[Event]]]:
    recall = getattr(work, "recall", _nothing)
    for item in items:
        if stop.asked:
            return
        frames = recall(item)
        yield item, attempt(work, item) if frames is None else starmap(value, frames)


def _nothing(_item: object) -> list[Frame] | None:
    return None


class _Worker:
    """A worker, as the parent knows it, with the descriptors of the pipes to it and from it."""

    def __init__(self, process: int, requests: int, answers: int) -> None:
        self.process, self.requests, self.answers = process, requests, answers
        self.decoder = Decoder()
        self.batch: deque[int] = deque()  # the items that it has not answered for
        self.window = 1  # how many it gets next: few at first, so that all workers get some
        self.commits = False  # whether it has begun to commit its batch

    def close(self) -> None:
        """Close this process's ends of the pipes."""
        os.close(self.requests)
        os.close(self.answers)


class _Pool:
    """The parent's side of a run."""

    def __init__(self, job: Job, jobs: int, stop: Stop) -> None:
        self._job, self._items = job, job.items
        self._jobs = min(jobs, len(job.items))
        self._stop = stop
        self._workers: list[_Worker] = []
        self._inboxes: dict[int, deque[Frame]] = {}  # what was not yielded yet, by item
        self._held = 0  # bytes in the inboxes
        self._fresh = 0  # the first item that no worker ever got
        self._again: list[int] = []  # a heap of items to be tried again
        self._singly: set[int] = set()  # items that go alone, whatever they weigh
        self._turn = 0  # the item whose events are yielded next
        self._recall: Callable[[Any], list[Frame] | None] = getattr(job.work, "recall", _nothing)
        self._prepare: Callable[[], None] | None = getattr(job.work, "prepare", None)

    def results(self) -> Iterator[tuple[Any, Iterator[Event]]]:
        """Yield the items in order, each with its events."""
        try:
            while self._turn < len(self._items) and self._has_begun():
                events = self._events()
                yield self._items[self._turn], events
                with contextlib.suppress(LinkfixError):  # what the caller did not care for
                    for _ in events:
                        pass
                self._inboxes.pop(self._turn, None)
                self._turn += 1
            if self._stop.asked:
                self._end()
                ended = [n for n, inbox in self._inboxes.items() if inbox[-1][0] in _ENDS]
                for number in sorted(ended):
                    self._turn = number
                    yield self._items[number], self._events()
        except KeyboardInterrupt:
            for worker in self._workers:
                os.kill(worker.process, signal.SIGKILL)
            raise
        finally:
            self._end()

    def _has_begun(self) -> bool:
        """Wait for the first frame of the current item; return False if the run must stop."""
        while not self._stop.asked:
            if self._is_known:
                return True
            self._go_on()
        return False

    @property
    def _is_known(self) -> bool:
        """Whether there is a frame of the current item."""
        return bool(self._inboxes.get(self._turn))

    def _events(self) -> Iterator[Event]:
        """Yield the events of the current item at once."""
        inbox = self._inboxes[self._turn]
        while True:
            while inbox:
                kind, payload = inbox.popleft()
                self._held -= len(payload)
                if kind == DONE:
                    return
                if kind == FAILED:
                    raise from_plain(value(kind, payload))
                if kind == TEXT:
                    _say(value(kind, payload))
                else:
                    yield value(kind, payload)
            if self._stop.asked:
                self._end()
                if not inbox:
                    raise WorkerError("it was stopped before it was done")
            else:
                self._go_on()

    def _go_on(self) -> None:
        """Send items to idle workers, and read at least one answer if nothing is known of the current item."""
        for worker in self._workers:
            if not worker.batch:
                self._send(worker, self._batch(worker.window))
        while len(self._workers) < self._jobs and (batch := self._batch(1)):
            if self._prepare is not None:
                self._prepare()
                self._prepare = None
            try:
                self._workers.append(self._start())
            except OSError:
                if not self._workers:
                    raise
                self._jobs = len(self._workers)  # the system allows no more
                heapq.heappush(self._again, batch[0])
            else:
                self._send(self._workers[-1], batch)
        if not self._is_known:
            self._take_in(None)

    def _send(self, worker: _Worker, batch: list[int]) -> None:
        if not batch:
            return
        worker.window = min(2 * worker.window, _BATCH)
        worker.batch.extend(batch)
        worker.commits = False
        line = f"[{','.join(map(str, batch))}]\n".encode("ascii")
        # The empty pipe accepts the whole line. A dead worker is noticed by the next read.
        with contextlib.suppress(BrokenPipeError):
            os.write(worker.requests, line)

    def _batch(self, most: int) -> list[int]:
        """Return the numbers of the next items, ascending: at most so many, fewer if they are large.

        Items that work knows already are taken on the way.
        """
        batch: list[int] = []
        weight = 0
        while len(batch) < most:
            number = self._again[0] if self._again else self._fresh
            is_far = number >= self._turn + AHEAD or (self._held > _HELD and number > self._turn)
            if number >= len(self._items) or is_far:
                break
            weight += self._weight(number)
            if batch and weight > _WEIGHT:
                break
            if self._again:
                heapq.heappop(self._again)
                batch.append(number)
                continue
            self._fresh += 1
            frames = self._recall(self._items[number])
            if frames is None:
                batch.append(number)
                continue
            for each in (*frames, (DONE, b"")):
                self._add(number, each)
        return batch

    def _weight(self, number: int) -> int:
        if number in self._singly:
            return _WEIGHT
        return _OVERHEAD + self._job.size(self._items[number])

    def _take_in(self, timeout: float | None) -> None:
        """Wait for answers (milliseconds; None for ever), and read them."""
        poll = select.poll()
        if not self._stop.asked:
            poll.register(self._stop.fileno(), select.POLLIN)
        is_full = self._held > _HELD and not self._stop.asked
        for worker in self._workers:
            if not (is_full and worker.batch and worker.batch[0] != self._turn):
                poll.register(worker.answers, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(timeout)}
        for worker in [worker for worker in self._workers if worker.answers in ready]:
            data = os.read(worker.answers, _READ)
            if not data:
                self._bury(worker)
            for kind, payload in worker.decoder.feed(data):
                self._take(worker, kind, payload)

    def _take(self, worker: _Worker, kind: bytes, payload: bytes) -> None:
        """Process a frame from a worker."""
        if kind == COMMITTING:
            worker.commits = True
        else:
            number = worker.batch.popleft() if kind in _ENDS else worker.batch[0]
            self._add(number, (kind, payload))

    def _add(self, number: int, frame: Frame) -> None:
        """Buffer a frame of an item."""
        self._inboxes.setdefault(number, deque()).append(frame)
        self._held += len(frame[1])

    def _bury(self, worker: _Worker) -> None:
        """Turn the death of a worker into an error, and queue the rest of its batch again."""
        self._workers.remove(worker)
        worker.close()
        status = os.waitstatus_to_exitcode(os.waitpid(worker.process, 0)[1])
        lost = 0
        if status == 0:  # it resigned after items, whose results it has sent
            pass
        elif worker.commits:
            lost = len(worker.batch)
        elif getattr(self._job.work, "group", None) is not None and len(worker.batch) > 1:
            self._singly.update(worker.batch)
        elif worker.batch:
            lost = 1
        for _ in range(lost):
            number = worker.batch.popleft()
            self._add(number, (FAILED, plain(to_plain(self._death(status, number)))))
        for number in worker.batch:
            heapq.heappush(self._again, number)

    def _death(self, status: int, number: int) -> LinkfixError:
        """Return the error of an item whose worker has died."""
        if status == -signal.SIGPROF and self._job.limits.seconds is not None:
            seconds = self._job.limits.time(self._job.size(self._items[number]))
            return LimitExceededError(
                f"it took more than {seconds:g} seconds of processor time",
                hint="raise --timeout; please report it if the document is no larger than others",
            )
        if status < 0:
            with contextlib.suppress(ValueError):
                return WorkerError(
                    f"the process that worked on it was killed ({signal.Signals(-status).name})",
                    hint="if memory is short, use fewer --jobs; then run linkfix again",
                )
        return WorkerError(
            f"the process that worked on it ended with status {status}", hint="run linkfix again"
        )

    def _start(self) -> _Worker:
        """Fork a worker."""
        from_parent, requests = os.pipe()
        answers, to_parent = os.pipe()
        for stream in (sys.stdout, sys.stderr):  # or the child would have the same bytes to write
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        # A signal in between goes to the parent: the child is not ready for it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            process = os.fork()
            if process == 0:
                for worker in self._workers:
                    worker.close()
                os.close(requests)
                os.close(answers)
                self._be_worker(from_parent, to_parent)
        except OSError:
            os.close(requests)
            os.close(answers)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(from_parent)
            os.close(to_parent)
        return _Worker(process, requests, answers)

    def _be_worker(self, requests: int, answers: int) -> NoReturn:
        """Serve as a worker in a forked process, which always ends here."""
        status = 1
        try:
            serve(self._job, requests, answers)
            status = 0
        except SystemExit:
            status = 0
        except BaseException:  # noqa: BLE001 - nothing of the parent is to be unwound in the child
            import traceback

            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(status)

    def _end(self) -> None:
        """End the workers: idle ones at once, the others after their items, or by force."""
        for worker in self._workers:
            if worker.batch:
                os.kill(worker.process, signal.SIGTERM)
        deadline = time.monotonic() + _GRACE
        while any(worker.batch for worker in self._workers):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            self._take_in(1000 * left)
        for worker in self._workers:
            worker.close()
            if worker.batch:
                os.kill(worker.process, signal.SIGKILL)
            os.waitpid(worker.process, 0)
        self._workers.clear()


def _say(text: str) -> None:
    """Write the messages of a worker to standard error, after the output so far."""
    with contextlib.suppress(AttributeError):  # of a stream that is closed from the beginning
        sys.stdout.flush()
        sys.stderr.write(text)
