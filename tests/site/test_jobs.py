"""The same work in several processes: results in order, whatever becomes of the workers."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
import works

from linkfix.errors import LinkfixError, NotWellFormedError, WorkerError
from linkfix.site.jobs import cores, run
from linkfix.site.stop import Stop

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order(jobs: int) -> None:
    items = list(range(200))
    assert list(run(works.square, items, jobs=jobs)) == [(n, n * n) for n in items]


def test_no_items() -> None:
    assert list(run(works.square, [], jobs=2)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_the_result_of_its_item_only(jobs: int) -> None:
    items = [n for n in range(50) if n not in {20, 33}]
    results = dict(run(works.choosy, items, jobs=jobs))
    assert list(results) == items
    for number, result in results.items():
        if number % 7 == 3:
            assert isinstance(result, NotWellFormedError)
            assert str(result) == f"{number}.xml:3:{number}: odd (byte offset 9); even it"
        else:
            assert result == number


def test_a_worker_that_dies_costs_one_item() -> None:
    results = list(run(works.choosy, range(100), jobs=2))
    assert [number for number, _ in results] == list(range(100))
    dead = {number: str(result) for number, result in results if isinstance(result, WorkerError)}
    assert list(dead) == [20, 33]
    assert "was killed (SIGKILL)" in dead[20]
    assert "ended with status 5" in dead[33]
    assert results[21:24] == [(21, 21), (22, 22), (23, 23)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_grouped_work_counts_once_it_is_settled(tmp_path: Path, jobs: int) -> None:
    items = [n for n in range(100) if jobs > 1 or n not in {20, 33}]
    log = tmp_path / "log"
    results = dict(run(works.Choosy(str(log)), items, jobs=jobs))
    assert list(results) == items
    settled = [int(line) for line in log.read_text().split()]
    # Nothing is settled twice, though a worker that dies takes others with it.
    assert sorted(settled) == [n for n in items if n % 7 != 3 and n not in {20, 33}]
    for number, result in results.items():
        if number in {20, 33}:
            assert isinstance(result, WorkerError)
        elif number % 7 == 3:
            assert isinstance(result, NotWellFormedError)
        elif number % 10 == 6:
            assert str(result) == "late"
        else:
            assert result == number


def test_nothing_is_settled_twice_when_a_worker_dies_settling(tmp_path: Path) -> None:
    log = tmp_path / "log"
    items = range(100, 220)
    results = dict(run(works.Choosy(str(log), kills=151), items, jobs=2))
    assert list(results) == list(items)
    settled = [int(line) for line in log.read_text().split()]
    assert len(settled) == len(set(settled))
    assert 151 not in settled
    lost = [number for number, result in results.items() if isinstance(result, WorkerError)]
    assert 151 in lost
    assert lost == list(range(lost[0], lost[-1] + 1))
    done = {number for number in items if number % 7 != 3} - set(lost)
    assert done <= set(settled)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bug_is_raised(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(run(works.broken, range(20), jobs=jobs))


def test_work_is_shared_and_a_large_item_goes_alone() -> None:
    pids = [pid for _, pid in run(works.process, range(12), jobs=2)]
    assert len(set(pids)) == 2
    assert os.getpid() not in pids
    # Heavier than a batch may be, so that each waits for a free worker.
    pids = [p for _, p in run(works.process, range(40), jobs=2, weigh=lambda _: 1 << 30)]
    assert min(pids.count(pid) for pid in pids) >= 8  # one of them starts later


def test_only_some_items_are_done_ahead() -> None:
    taken: list[int] = []

    def items() -> object:
        for number in range(500):
            taken.append(number)
            yield number

    results = run(works.square, items(), jobs=2, ahead=50)  # type: ignore[arg-type]
    assert next(results) == (0, 0)  # for which 0.5 seconds are slept
    assert 40 <= len(taken) <= 80
    assert [result for _, result in results] == [n * n for n in range(1, 500)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_stop_gives_what_is_done(jobs: int) -> None:
    with Stop() as stop:
        begun = time.monotonic()
        threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT)).start()
        results = list(run(works.slow, range(2000), jobs=jobs, stop=stop))
        assert stop.asked
    assert time.monotonic() - begun < 5
    assert 1 <= len(results) < 200
    assert all(number == result for number, result in results)


def test_a_second_signal_interrupts() -> None:
    with Stop() as stop, pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.asked
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_errors_travel_whole() -> None:
    error = LinkfixError("what", hint="why", file="a\udcff", line=1, column=2, offset=3)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert (again.hint, again.file, again.line, again.column, again.offset) == ("why", "a\udcff", 1, 2, 3)  # fmt: skip


def test_there_is_a_processor() -> None:
    assert cores() >= 1


def test_workers_are_deaf_to_interrupts_from_the_beginning() -> None:
    results = dict(run(works.Born(), list(range(20)), jobs=2))
    assert all(results.values())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


PREPARED = """
from linkfix.site.jobs import prepare, run
import works
if __name__ == "__main__":
    prepare(["colorsys"])
    print(*run(works.has_loaded, ["colorsys", "linkfix.rewriting", "turtle"], jobs=2))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are not forked here")
def test_what_workers_need_is_loaded_before_they_are_forked(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PREPARED)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, check=True, timeout=60
    )
    expected = b"('colorsys', True) ('linkfix.rewriting', True) ('turtle', False)\n"
    assert done.stdout == expected
