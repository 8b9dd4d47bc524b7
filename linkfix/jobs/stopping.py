"""Stop a run when somebody asks for it: Ctrl-C, SIGTERM, or a terminal that is closed (SIGHUP)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

#: The signals that ask for it; Windows has no SIGHUP.
SIGNALS: set[int] = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}


class Stop:
    """A request to stop a run soon: `ask`, or while the context lasts one of `SIGNALS`; one that is ignored stays ignored.

    The first signal sets `asked`; the run then ends after the present items. A second one raises KeyboardInterrupt at
    once.

    Args:
        on_ask: called at the first signal, in a signal handler; None for nothing.

    """

    def __init__(self, on_ask: Callable[[], None] | None = None) -> None:
        self.asked: bool = False
        self._on_ask = on_ask
        self._before: dict[int, Any] = {}
        self._reader, self._writer = os.pipe()

    def fileno(self) -> int:
        """Return a descriptor that is readable once a stop has been requested."""
        return self._reader

    def __enter__(self) -> Stop:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def __del__(self) -> None:
        os.close(self._reader)
        os.close(self._writer)

    def ask(self) -> None:
        """Ask the run to stop soon, from this thread or another one."""
        self.asked = True
        os.write(self._writer, b"!")

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.ask()
        if self._on_ask is not None:
            self._on_ask()
