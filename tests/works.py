"""Work for workers, and its results."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkfix.errors import LinkfixError, NotWellFormedError, UnreadableError
from linkfix.files.access import replacing
from linkfix.files.commit import Group
from linkfix.jobs.pool import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linkfix.files.journal import Pen
    from linkfix.jobs.wire import Event


def square(number: int) -> Iterator[Event]:
    """Yield the square; the first one is slower than all others together."""
    if number == 0:
        time.sleep(0.5)
    yield [number * number]


def choosy(number: int) -> Iterator[Event]:
    """Fail for some numbers, each in its way."""
    if number % 7 == 3:
        raise NotWellFormedError("odd", hint="even it", file=f"{number}.xml", line=3, column=number, offset=9)  # fmt: skip
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 33:
        os._exit(5)
    yield [number]


def broken(number: int) -> Iterator[Event]:
    """Have a bug."""
    yield [number // (number - 5)]


def process(_number: int) -> Iterator[Event]:
    """Return the number of the process."""
    time.sleep(0.02)
    yield [os.getpid()]


@dataclass(frozen=True)
class Push:
    """Write one byte more into every file: work that may not be done twice."""

    pen: Pen

    def __call__(self, path: str) -> Iterator[Event]:
        task = self.pen.task(path)
        with replacing(path, steps=task) as (source, sink):
            data = source.read() + b"+"
            sink.write(data)
            task.result = {"size": len(data)}
        task.done()
        yield [len(Path(path).read_bytes())]


class PushTogether:
    """The same work, in groups that are committed together."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.group = Group()

    def __call__(self, path: str) -> Iterator[Event]:
        task = self.pen.task(path)
        with replacing(path, steps=task, group=self.group) as (source, sink):
            data = source.read() + b"+"
            sink.write(data)
            task.result = {"size": len(data)}
        self.group.end(task, waiting=len(self.group) - 1)
        yield [len(data)]


@dataclass
class Choosy:
    """Record committed numbers in a file; fail for some, in the work or in the commit.

    Attributes:
        log: path of the file.
        kills: at which number settling kills the process.

    """

    log: str
    kills: int = -1
    begun: tuple[int, ...] = ()

    def __call__(self, number: int) -> Iterator[Event]:
        yield from choosy(number)
        self.begun += (number,)

    @property
    def group(self) -> Choosy:
        return self

    def finish(self) -> list[LinkfixError | None]:
        with Path(self.log).open("a") as log:
            for number in self.begun:
                if number == self.kills:
                    os.kill(os.getpid(), signal.SIGKILL)
                log.write(f"{number}\n")
                log.flush()
        errors: list[LinkfixError | None] = [
            UnreadableError("late") if number % 10 == 6 else None for number in self.begun
        ]
        self.discard()
        return errors

    def discard(self) -> None:
        self.begun = ()


def slow(number: int) -> Iterator[Event]:
    """Work for some time."""
    time.sleep(0.05)
    yield [number]


@dataclass(frozen=True)
class Hold:
    """Say that it has begun, and keep the journal open for some seconds."""

    pen: Pen

    def __call__(self, seconds: int) -> Iterator[Event]:
        self.pen.task("/begun").done()
        time.sleep(seconds)
        yield [seconds]


def spin(seconds: float) -> Iterator[Event]:
    """Use processor time, in code that handles no signal."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1_000_000))
    yield [seconds]


def grab(size: int) -> Iterator[Event]:
    """Use so many bytes of memory."""
    yield [len(bytearray(size))]


def pour(number: int) -> Iterator[Event]:
    """Yield megabytes: bytes that differ, plain data between them, and text for standard error."""
    for part in range(200):
        yield f"{number}.{part} ".encode() * 3000
        if part % 50 == 0:
            yield {"part": part, "odd": "\ud800\udcff"}
            print(f"{number}.{part}", file=sys.stderr)


def results(
    work: Callable[[Any], Iterator[Event]], items: Sequence[Any], **settings: Any
) -> list[tuple[Any, Any]]:
    """Run work that yields one list of one thing; return the items, each with that or its error."""
    found: list[tuple[Any, Any]] = []
    for item, events in run(work, items, **settings):
        try:
            ((result,),) = events
        except LinkfixError as error:
            result = error
        found.append((item, result))
    return found
