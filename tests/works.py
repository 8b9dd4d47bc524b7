"""Work for workers, which load it by its name."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.errors import NotWellFormedError
from linkfix.site.files import replacing

if TYPE_CHECKING:
    from linkfix.site.journal import Pen


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
