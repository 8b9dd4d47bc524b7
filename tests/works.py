"""Work for workers, which load it by its name."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.errors import NotWellFormedError, UnreadableError
from linkfix.site.files import replacing
from linkfix.site.placing import Group

if TYPE_CHECKING:
    from linkfix.errors import LinkfixError
    from linkfix.site.journal import Pen, Task


def square(number: int) -> int:
    """Give the square; the first takes longer than all others together."""
    if number == 0:
        time.sleep(0.5)
    return number * number


def choosy(number: int) -> int:
    """Fail for some numbers, each in its way."""
    if number % 7 == 3:
        raise NotWellFormedError("odd", hint="even it", file=f"{number}.xml", line=3, column=number, offset=9)  # fmt: skip
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 33:
        os._exit(5)
    return number


def broken(number: int) -> int:
    """Have a bug."""
    return number // (number - 5)


def process(_number: int) -> int:
    """Tell which process it is."""
    time.sleep(0.02)
    return os.getpid()


@dataclass(frozen=True)
class Push:
    """Write one byte more into every file: work that may not be done twice."""

    pen: Pen

    def __call__(self, path: str) -> int:
        task = self.pen.task(path)
        with replacing(path, steps=task) as (source, sink):
            data = source.read() + b"+"
            sink.write(data)
            task.result = {"size": len(data)}
        task.done()
        return len(Path(path).read_bytes())


class PushTogether:
    """The same, of which several take their places together."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.group = Group()
        self.tasks: list[Task] = []

    def __call__(self, path: str) -> int:
        task = self.pen.task(path)
        with replacing(path, steps=task, group=self.group) as (source, sink):
            data = source.read() + b"+"
            sink.write(data)
            task.result = {"size": len(data)}
        self.tasks.append(task)
        return len(data)

    def settle(self) -> list[LinkfixError | None]:
        errors = self.group.settle()
        for task, error in zip(self.tasks, errors, strict=True):
            if error is None:
                task.done()
        self.tasks.clear()
        return errors

    def drop(self) -> None:
        self.group.drop()
        self.tasks.clear()


@dataclass
class Choosy:
    """Note in a file what is settled; fail for some numbers, at the work or when it is settled.

    Attributes:
        log: path of the file.
        kills: at which number settling kills the process.

    """

    log: str
    kills: int = -1
    begun: tuple[int, ...] = ()

    def __call__(self, number: int) -> int:
        choosy(number)
        self.begun += (number,)
        return number

    def settle(self) -> list[LinkfixError | None]:
        with Path(self.log).open("a") as log:
            for number in self.begun:
                if number == self.kills:
                    os.kill(os.getpid(), signal.SIGKILL)
                log.write(f"{number}\n")
                log.flush()
        errors: list[LinkfixError | None] = [
            UnreadableError("late") if number % 10 == 6 else None for number in self.begun
        ]
        self.drop()
        return errors

    def drop(self) -> None:
        self.begun = ()


def slow(number: int) -> int:
    """Take a while."""
    time.sleep(0.05)
    return number


@dataclass(frozen=True)
class Hold:
    """Say that it has begun, and keep the journal open for some seconds."""

    pen: Pen

    def __call__(self, seconds: int) -> None:
        self.pen.task("/begun").done()
        time.sleep(seconds)


class Born:
    """Say whether SIGINT was held back when a worker was only beginning."""

    def __init__(self) -> None:
        self.held = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def __reduce__(self) -> tuple[type[Born], tuple[()]]:
        return Born, ()

    def __call__(self, _number: int) -> bool:
        return self.held


def has_loaded(module: str) -> bool:
    """Say whether a worker has a module without having asked for it."""
    return module in sys.modules
