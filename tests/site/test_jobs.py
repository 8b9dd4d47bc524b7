"""The same work in several processes: results in order, whatever becomes of the workers."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import works
from works import results

import linkfix.jobs.pool as jobs_module
import linkfix.jobs.worker as worker_module
from linkfix.errors import (
    LimitExceededError,
    LinkfixError,
    NotWellFormedError,
    UnexpectedError,
    WorkerError,
)
from linkfix.jobs.failures import from_plain, to_plain
from linkfix.jobs.pool import cores, run
from linkfix.jobs.stopping import Stop
from linkfix.jobs.worker import Job, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.jobs.wire import Event


# Threads of libraries that tests before these have loaded stay; they are idle.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork beside these threads: the work of some tests kills its process, which must not be this one."""
    before = threading.active_count()
    monkeypatch.setattr(jobs_module, "can_fork", lambda: threading.active_count() <= before)


@pytest.mark.parametrize("jobs", [0, 1, 2, 3])
def test_results_are_in_order(jobs: int) -> None:
    items = list(range(200))
    assert (results(works.square, items, jobs=jobs)) == [(n, n * n) for n in items]


def test_no_items() -> None:
    assert (results(works.square, [], jobs=2)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_the_result_of_its_item_only(jobs: int) -> None:
    items = [n for n in range(50) if n not in {20, 33}]
    done = dict(results(works.choosy, items, jobs=jobs))
    assert list(done) == items
    for number, result in done.items():
        if number % 7 == 3:
            assert isinstance(result, NotWellFormedError)
            assert str(result) == f"{number}.xml:3:{number}: odd (byte offset 9); even it"
        else:
            assert result == number


def test_a_worker_that_dies_costs_one_item() -> None:
    done = results(works.choosy, range(100), jobs=2)
    assert [number for number, _ in done] == list(range(100))
    dead = {number: str(result) for number, result in done if isinstance(result, WorkerError)}
    assert list(dead) == [20, 33]
    assert "was killed (SIGKILL)" in dead[20]
    assert "ended with status 5" in dead[33]
    assert done[21:24] == [(21, 21), (22, 22), (23, 23)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_grouped_work_counts_once_it_is_committed(tmp_path: Path, jobs: int) -> None:
    items = list(range(100))
    log = tmp_path / "log"
    done = dict(results(works.Choosy(str(log)), items, jobs=jobs))
    assert list(done) == items
    committed = [int(line) for line in log.read_text().split()]
    # Nothing is committed twice, although a worker that dies loses other items too.
    assert sorted(committed) == [n for n in items if n % 7 != 3 and n not in {20, 33}]
    for number, result in done.items():
        if number in {20, 33}:
            assert isinstance(result, WorkerError)
        elif number % 7 == 3:
            assert isinstance(result, NotWellFormedError)
        elif number % 10 == 6:
            assert str(result) == "late"
        else:
            assert result == number


def test_nothing_is_committed_twice_when_a_worker_dies_in_a_commit(tmp_path: Path) -> None:
    log = tmp_path / "log"
    items = range(100, 220)
    done = dict(results(works.Choosy(str(log), kills=151), items, jobs=2))
    assert list(done) == list(items)
    committed = [int(line) for line in log.read_text().split()]
    assert len(committed) == len(set(committed))
    assert 151 not in committed
    lost = [number for number, result in done.items() if isinstance(result, WorkerError)]
    assert 151 in lost
    assert lost == list(range(lost[0], lost[-1] + 1))
    assert {number for number in items if number % 7 != 3} - set(lost) <= set(committed)


def test_a_worker_that_stops_in_a_group_loses_nothing_that_it_has_not_begun(tmp_path: Path) -> None:
    class Stopping(works.Choosy):
        def __call__(self, number: int) -> Iterator[Event]:
            if number == 151:  # in the middle of a batch
                os.kill(os.getpid(), signal.SIGTERM)
            return super().__call__(number)

    items = range(100, 220)
    wanted = results(works.Choosy(str(tmp_path / "one")), items, jobs=2)
    found = results(Stopping(str(tmp_path / "two")), items, jobs=2)
    assert [(n, str(result)) for n, result in found] == [(n, str(result)) for n, result in wanted]


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_an_unexpected_exception_costs_its_item(jobs: int) -> None:
    done = results(works.broken, range(20), jobs=jobs)
    assert [number for number, _ in done] == list(range(20))
    failed = {number: error for number, error in done if isinstance(error, LinkfixError)}
    (error,) = failed.values()
    assert isinstance(error, UnexpectedError)
    assert list(failed) == [5]
    place = f"in {works.__file__}:{works.broken.__code__.co_firstlineno + 2}"
    assert "the function broken failed: ZeroDivisionError: " in str(error)
    assert str(error).endswith(place)
    assert "in broken" in error.trace


def test_work_is_shared_and_a_large_item_goes_alone(tmp_path: Path) -> None:
    """The first item ends after all others: the other worker does them, and none waits behind it."""

    def work(number: int) -> Iterator[Event]:
        if number:
            (tmp_path / str(number)).touch()
        for _ in range(6000):
            if number or len([*tmp_path.iterdir()]) == 11:
                yield [os.getpid()]
                return
            time.sleep(0.01)

    # Heavier than a batch may be, so that each waits for a free worker.
    pids = [pid for _, pid in results(work, range(12), jobs=2, weigh=lambda _: 1 << 30)]
    assert len({*pids}) == 2
    assert pids.count(pids[0]) == 1
    assert os.getpid() not in pids


def test_only_some_items_are_done_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"

    def note(number: int) -> Iterator[Event]:
        with log.open("a") as file:
            file.write("x")
        yield from works.square(number)

    monkeypatch.setattr(jobs_module, "AHEAD", 50)
    each = run(note, range(500), jobs=2)
    _, events = next(each)  # for which 0.5 seconds are slept
    assert [*events] == [[0]]
    assert 40 <= len(log.read_text()) <= 80
    assert [[*events] for _, events in each] == [[[n * n]] for n in range(1, 500)]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_megabytes_arrive_whole_and_in_order(
    jobs: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("linkfix.jobs.pool._HELD", 1024 * 1024)

    def poured(jobs: int) -> tuple[dict[int, bytes], list[object], str]:
        found: dict[int, bytes] = {}
        plain: list[object] = []
        for number, events in run(works.pour, range(12), jobs=jobs):
            for event in events:
                if isinstance(event, bytes):
                    found[number] = found.get(number, b"") + event
                else:
                    plain.append(event)
        return found, plain, capsys.readouterr().err

    found, plain, said = poured(jobs)
    assert (found, plain, said) == poured(0)
    assert list(found) == list(range(12))
    assert sum(map(len, found.values())) > 30_000_000


def test_what_waits_for_its_turn_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkfix.jobs.pool._HELD", 1024 * 1024)

    def late(number: int) -> Iterator[Event]:
        if number == 0:
            time.sleep(1)
        yield from works.pour(number)

    pool = jobs_module._Pool(Job(late, range(8), None, Limits()), 3, Stop())
    most = 0
    for _, events in pool.results():
        for _ in events:
            most = max(most, pool._held)
    assert most < 4 * 1024 * 1024


def test_time_is_limited_by_the_size_of_an_item() -> None:
    limits = Limits(seconds=1.2)  # far from what the items need, whatever else the machine does
    sizes = {0.1: 0, 20.0: 0, 1.5: 3 << 20, 0.2: 0}
    done = dict(
        results(works.spin, [*sizes], jobs=2, weigh=lambda item: sizes[item], limits=limits)
    )
    assert [type(result) for result in done.values()] == [float, LimitExceededError, float, float]
    assert done[20.0].text.startswith(
        "it took more than 1.2 seconds of processor time; raise --timeout"
    )


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the size of a process is unknown"
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_memory_is_limited(jobs: int) -> None:
    limits = Limits(memory=100 << 20)
    done = results(works.grab, [1 << 20, 1 << 30, 2 << 20, 3 << 20], jobs=jobs, limits=limits)
    assert [type(result) for _, result in done] == [int, LimitExceededError, int, int]
    assert "not enough memory for it; raise --memory" in done[1][1].text


def test_there_are_no_workers_beside_other_threads() -> None:
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        assert {pid for _, pid in results(works.process, range(4), jobs=2)} == {os.getpid()}
    finally:
        waiting.set()
        thread.join()
    assert os.getpid() not in dict(results(works.process, range(2), jobs=2)).values()


def test_no_worker_is_left(tmp_path: Path) -> None:
    def born(number: int) -> Iterator[Event]:
        (tmp_path / str(os.getpid())).touch()
        yield from works.slow(number)

    for _ in zip(run(born, range(1000), jobs=2), range(3), strict=False):
        pass
    for path in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name), 0)


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_stop_gives_what_is_done(jobs: int) -> None:
    with Stop() as stop:
        before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.6)
        done = results(works.slow, range(2000), jobs=jobs, stop=stop)
        signal.signal(signal.SIGALRM, before)
        assert stop.asked
    assert 1 <= len(done) < 200
    assert all(number == result for number, result in done)


def test_a_second_signal_interrupts() -> None:
    with Stop() as stop, pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.asked
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As under nohup, and in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Stop() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert not stop.asked
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_errors_travel_whole() -> None:
    error = LinkfixError("what", hint="why", file="a\udcff", line=1, column=2, offset=3)
    again = from_plain(json.loads(json.dumps(to_plain(error))))
    assert str(again) == str(error)
    assert (again.hint, again.file, again.line, again.column, again.offset) == ("why", "a\udcff", 1, 2, 3)  # fmt: skip
    assert type(from_plain({**to_plain(error), "error": "__builtins__"})) is LinkfixError


def test_there_is_a_processor() -> None:
    assert cores() >= 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_workers_are_deaf_to_interrupts(number: signal.Signals) -> None:
    def interrupted(item: int) -> Iterator[Event]:
        os.kill(os.getpid(), number)
        yield [item]

    assert results(interrupted, range(20), jobs=2) == [(n, n) for n in range(20)]
    assert number not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_what_workers_need_is_loaded_once_before_they_are_forked() -> None:
    class Loaded:
        pid = 0

        def prepare(self) -> None:
            self.pid = os.getpid()

        def __call__(self, _: int) -> Iterator[Event]:
            yield [self.pid]

    assert {pid for _, pid in results(Loaded(), range(9), jobs=3)} == {os.getpid()}


def test_a_batch_goes_on_when_a_worker_resigns() -> None:
    """As SIGTERM from outside asks it to."""

    def resign(number: int) -> Iterator[Event]:
        if number % 5 == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        yield [number]

    assert results(resign, range(60), jobs=2) == [(n, n) for n in range(60)]


def test_a_worker_resigns_after_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    def process(_: int) -> Iterator[Event]:
        yield [os.getpid()]

    monkeypatch.setattr(worker_module, "_MOST_ITEMS", 10)
    found = results(process, range(200), jobs=2)
    assert [number for number, _ in found] == [*range(200)]
    assert len({process for _, process in found}) > 2


def descriptors() -> set[int]:
    """Return the open descriptors; other tests may have left some that the garbage collector closes at any time."""
    found = set()
    for number in range(1024):
        with contextlib.suppress(OSError):
            os.fstat(number)
            found.add(number)
    return found


def test_fewer_workers_do_where_the_system_allows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, forks = os.fork, iter([True, False, True])

    def scarce() -> int:
        if not next(forks):
            raise BlockingIOError
        return fork()

    monkeypatch.setattr(os, "fork", scarce)
    stop = Stop()
    before = descriptors()
    assert results(works.square, range(1, 60), jobs=3, stop=stop) == [
        (n, n * n) for n in range(1, 60)
    ]
    assert descriptors() <= before, "a descriptor was left open"
