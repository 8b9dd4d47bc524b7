"""Jobs: the same work for many documents, in several processes, with the results in order.

Workers are processes that start clean (``forkserver``, where there is one), take documents in batches and
answer for each. A worker gets a new batch when it has answered for the last one, so neither side ever
waits for the other with both pipes full. Small documents go many to a batch, a large one goes alone and
holds up nothing but the order of the results, of which some may wait (`AHEAD`).

Work that puts files in their places several at a time, which is much quicker, is `Grouped`: what it gives for
the documents of a batch counts once it has *settled* them.

A worker that dies, for want of memory say, is an error for the document that it was at; the others of its
batch go to another worker. Of grouped work nothing was done before it settles, so that its documents are
tried again one by one; had it begun to settle, they all fail, since none may be done twice.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import traceback
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from linkfix.errors import LinkfixError, UnreadableError, WorkerError
from linkfix.site.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

__all__ = ["AHEAD", "Grouped", "cores", "prepare", "run"]

Item = TypeVar("Item")
Result = TypeVar("Result")

#: How many documents may be done ahead of one that is not.
AHEAD = 1000
#: How much goes into one batch: documents, and bytes, each document counting for some more.
_BATCH = 32
_WEIGHT = 512 * 1024
_OVERHEAD = _WEIGHT // _BATCH
#: How long workers may go on with their documents once they are to stop, in seconds.
_GRACE = 5.0
#: What every worker needs, loaded once in the process that they are forked from.
_PRELOAD = ["linkfix.site.library", "linkfix.iri.uts46", "linkfix.rewriting.spelling"]


@runtime_checkable
class Grouped(Protocol):
    """Work whose results count once several of them are settled together."""

    def __call__(self, item: Any) -> Any:
        """Do the work for an item, as far as nobody sees of it."""
        ...

    def settle(self) -> list[LinkfixError | None]:
        """Finish what was begun.

        Returns:
            For each result given since the last time, in order, None or why it does not count.

        """
        ...

    def drop(self) -> None:
        """Leave nothing of what was begun and not settled."""
        ...


def cores() -> int:
    """Give how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prepare(modules: Sequence[str] = ()) -> None:
    """Start the process that workers are forked from, which takes its time, while this one goes on.

    Args:
        modules: what workers need besides what all of them do.

    """
    context = _context(modules)
    if context.get_start_method() == "forkserver":
        from multiprocessing import forkserver

        with _deaf():
            forkserver.ensure_running()


def run(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    jobs: int,
    weigh: Callable[[Item], int] | None = None,
    ahead: int = AHEAD,
    stop: Stop | None = None,
) -> Iterator[tuple[Item, Result | LinkfixError]]:
    """Do the work for every item, and give the results in the order of the items.

    Args:
        work: what to do. For more than one job it is pickled, once for each worker, and so is
            what it gives; items are small, such as paths.
        items: what to do it for.
        jobs: how many processes work; 1 for this one alone.
        weigh: gives the size of an item in bytes; None where all are small.
        ahead: how many items may be done ahead of one that is not; their results are held.
        stop: asks the run to end early. Workers finish the items they are at, or are ended if that
            takes them more than five seconds; what is done is given, and the iterator ends.

    Returns:
        An iterator of items, each with what `work` gave for it, or the LinkfixError that it raised;
        a WorkerError where the process that did it died. Any other error is raised.

    """
    stop = Stop() if stop is None else stop
    if jobs <= 1:
        return _alone(work, items, weigh, stop)
    return _Pool(work, items, jobs, weigh, ahead, stop).results()


def _alone(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    weigh: Callable[[Item], int] | None,
    stop: Stop,
) -> Iterator[tuple[Item, Result | LinkfixError]]:
    grouped = _grouped(work)
    for batch in _batches(items, weigh, 1 if grouped is None else _BATCH):
        if stop.asked:
            return
        results = _attempt_all(work, grouped, batch, _tried, lambda: stop.asked)
        yield from zip(batch, results, strict=False)  # fewer, if it was stopped


def _batches(
    items: Iterable[Item], weigh: Callable[[Item], int] | None, most: int
) -> Iterator[list[Item]]:
    """Put so many items together at most, fewer where they are large."""
    batch: list[Item] = []
    weight = 0
    for item in items:
        each = _weight(item, weigh)
        if batch and weight + each > _WEIGHT:
            yield batch
            batch, weight = [], 0
        batch.append(item)
        weight += each
        if len(batch) == most:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _weight(item: Item, weigh: Callable[[Item], int] | None) -> int:
    return _OVERHEAD + (weigh(item) if weigh is not None else 0)


@dataclass(slots=True)
class _Worker(Generic[Item]):
    """A worker, seen from the parent."""

    process: BaseProcess
    connection: Connection[Any, Any]
    batch: deque[tuple[int, Item]] = field(default_factory=deque)
    window: int = 1  # how many documents it gets next: few at first, so that all workers get some
    settles: bool = False  # whether it has begun to settle its batch


class _Pool(Generic[Item, Result]):
    """The parent's side of a run."""

    def __init__(
        self,
        work: Callable[[Item], Result],
        items: Iterable[Item],
        jobs: int,
        weigh: Callable[[Item], int] | None,
        ahead: int,
        stop: Stop,
    ) -> None:
        self._work = work
        self._waiting = enumerate(items)
        self._again: deque[tuple[int, Item]] = deque()
        self._singly: set[int] = set()  # the numbers of items that go alone, whatever they weigh
        self._jobs = jobs
        self._weigh = weigh
        self._ahead = ahead
        self._stop = stop
        self._context = _context()
        self._workers: list[_Worker[Item]] = []
        self._done: dict[int, tuple[Item, Result | LinkfixError]] = {}
        self._next = 0  # the number of the item whose result is given next

    def results(self) -> Iterator[tuple[Item, Result | LinkfixError]]:
        """Give the results in order."""
        try:
            while not self._stop.asked:
                self._hand_out()
                given = self._done.pop(self._next, None)
                if given is None and not any(worker.batch for worker in self._workers):
                    break
                self._take_in(None if given is None else 0)
                if given is not None:
                    self._next += 1
                    yield given
            if self._stop.asked:
                self._end()
                for number in sorted(self._done):
                    yield self._done[number]
        except KeyboardInterrupt:
            for worker in self._workers:
                worker.process.kill()
            raise
        finally:
            self._end()

    def _hand_out(self) -> None:
        """Give batches to the workers that have none."""
        for worker in self._workers:
            if not worker.batch:
                self._send(worker)
        while len(self._workers) < self._jobs and (batch := self._batch(1)):
            worker = self._start()
            self._workers.append(worker)
            self._send(worker, batch)

    def _start(self) -> _Worker[Item]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(theirs, self._work), daemon=True
        )
        with _deaf():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _send(self, worker: _Worker[Item], batch: list[tuple[int, Item]] | None = None) -> None:
        batch = self._batch(worker.window) if batch is None else batch
        if not batch:
            return
        worker.window = min(2 * worker.window, _BATCH)
        worker.batch.extend(batch)
        worker.settles = False
        # A worker that is dead is met when its answer is waited for.
        with contextlib.suppress(OSError):
            worker.connection.send(batch)

    def _batch(self, most: int) -> list[tuple[int, Item]]:
        batch: list[tuple[int, Item]] = []
        weight = 0
        while len(batch) < most:
            each = self._again.popleft() if self._again else next(self._waiting, None)
            if each is None:
                break
            singly = each[0] in self._singly
            weight += _WEIGHT if singly else _weight(each[1], self._weigh)
            too_much = batch and weight > _WEIGHT
            if too_much or each[0] >= self._next + self._ahead:
                self._again.appendleft(each)
                break
            batch.append(each)
        return batch

    def _take_in(self, timeout: float | None) -> None:
        """Take the answers that have come; wait for one if `timeout` is None."""
        from multiprocessing.connection import wait

        busy = {worker.connection: worker for worker in self._workers if worker.batch}
        for ready in wait([*busy, self._stop.fileno()], timeout):
            worker = busy.get(ready)  # type: ignore[call-overload]
            if worker is not None:
                self._answer(worker)

    def _answer(self, worker: _Worker[Item]) -> None:
        try:
            results = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            return
        for result in results:
            if _is_bug(result):
                raise result
        self._take(worker, results)

    def _take(self, worker: _Worker[Item], results: Sequence[Any]) -> None:
        """Take results for the first items of a worker's batch; none says that it settles them now."""
        worker.settles = not results
        for result in results:
            number, item = worker.batch.popleft()
            if not _is_bug(result):
                self._done[number] = item, result

    def _bury(self, worker: _Worker[Item]) -> None:
        """Make an error of the death of a worker, and give the rest of its batch to others."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join()
        if not worker.batch or self._stop.asked:
            return
        if _grouped(self._work) is not None and len(worker.batch) > 1 and not worker.settles:
            self._singly.update(number for number, _ in worker.batch)
        else:
            lost = len(worker.batch) if worker.settles else 1
            error = _death(worker.process.exitcode or 0)
            self._take(worker, [error] * lost)
        self._again.extendleft(reversed(worker.batch))

    def _end(self) -> None:
        """End the workers: at once those that are idle, the others when they are done, or by force."""
        from multiprocessing.connection import wait

        for worker in self._workers:
            if worker.batch:
                worker.process.terminate()
            else:
                worker.connection.close()
        deadline = time.monotonic() + _GRACE
        while any(worker.batch for worker in self._workers) and time.monotonic() < deadline:
            busy = {worker.connection: worker for worker in self._workers if worker.batch}
            for ready in wait(list(busy), max(0.0, deadline - time.monotonic())):
                worker = busy[ready]  # type: ignore[index]
                try:
                    self._take(worker, worker.connection.recv())
                except (EOFError, OSError):
                    worker.batch.clear()
        for worker in self._workers:
            if worker.batch:
                worker.process.kill()
            worker.connection.close()
            worker.process.join()
        self._workers.clear()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Hold SIGINT back, for good in processes that start meanwhile.

    Ctrl-C reaches every process of the terminal, and the parent says what becomes of it. A worker
    that is only beginning would die of it, and say so.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # As it starts it lets SIGINT through, so it has to be there before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context(modules: Sequence[str] = ()) -> BaseContext:
    """Give the way in which workers start: from a process that has no threads and no open files."""
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload([*_PRELOAD, *modules])
    return context


def _death(status: int) -> WorkerError:
    if status < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
            return WorkerError(
                f"the process that worked on it was killed ({name})",
                hint="if memory is short, use fewer --jobs; then run linkfix again",
            )
    return WorkerError(
        f"the process that worked on it ended with status {status}", hint="run linkfix again"
    )


def _serve(connection: Connection[Any, Any], work: Callable[[Any], Any]) -> None:
    """Be a worker, until there is no more to do."""
    idle = asked = False

    def stop(_number: int, _frame: object) -> None:
        nonlocal asked
        asked = True
        if idle:
            raise SystemExit

    grouped = _grouped(work)

    def settling() -> None:
        connection.send(())

    # Where it could not be held back from the beginning.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    # Whoever read the results has gone: EOFError, BrokenPipeError.
    with contextlib.suppress(EOFError, OSError):
        while not asked:
            idle = True
            batch = connection.recv()
            idle = False
            items = [item for _number, item in batch]
            for some in [[item] for item in items] if grouped is None else [items]:
                results = _attempt_all(work, grouped, some, _caught, lambda: asked, settling)
                connection.send(results)
                if asked:
                    break
    sys.exit(0)


def _attempt_all(
    work: Callable[[Any], Any],
    grouped: Grouped | None,
    items: Sequence[Any],
    attempt: Callable[[Callable[[Any], Any], Any], Any],
    asked: Callable[[], bool],
    settling: Callable[[], None] | None = None,
) -> list[Any]:
    """Give the results for all items, or for the first of them if it is asked to stop.

    Args:
        work: what to do.
        grouped: the same where it is grouped.
        items: what to do it for.
        attempt: does the work for one, and gives its result or its error.
        asked: tells whether to stop.
        settling: called before grouped work settles; None for nobody.

    """
    results: list[Any] = []
    try:
        for item in items:
            results.append(attempt(work, item))
            if asked():
                break
        if grouped is not None:
            if settling is not None:
                settling()
            errors = iter(grouped.settle())
            results = [
                result if isinstance(result, Exception) else next(errors) or result
                for result in results
            ]
    finally:
        if grouped is not None:
            grouped.drop()
    return results


def _grouped(work: Callable[[Any], Any]) -> Grouped | None:
    """Tell once for all items whether work is grouped: to find out takes longer than many of them."""
    return work if isinstance(work, Grouped) else None


def _is_bug(result: Any) -> bool:
    return isinstance(result, Exception) and not isinstance(result, LinkfixError)


def _tried(work: Callable[[Any], Any], item: Any) -> Any:
    try:
        return work(item)
    except LinkfixError as error:
        return error


def _caught(work: Callable[[Any], Any], item: Any) -> Any:
    """Do the work in a worker, whose parent gets every error."""
    try:
        return _tried(work, item)
    except MemoryError:
        return UnreadableError("there is not enough memory for it", hint="use fewer --jobs")
    except Exception as error:  # noqa: BLE001 - the parent raises it
        error.add_note("in a worker:\n" + traceback.format_exc())
        return error
