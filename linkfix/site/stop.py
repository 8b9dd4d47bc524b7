"""Stop a run when somebody asks for it: Ctrl-C, or SIGTERM."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

__all__ = ["Stop"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Take SIGINT and SIGTERM, while the context lasts, for a wish to stop soon.

    The first one sets `asked`; what goes on then ends at the next good place. A second one raises
    KeyboardInterrupt wherever it is. Without the context a `Stop` is never asked.

    Args:
        on_ask: called when the first comes; None for nothing. It runs in a signal handler.

    """

    def __init__(self, on_ask: Callable[[], None] | None = None) -> None:
        self.asked = False
        self._on_ask = on_ask
        self._before: dict[int, Any] = {}
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def fileno(self) -> int:
        """Give a descriptor that is readable once it has been asked for."""
        return self._reader

    def __enter__(self) -> Stop:
        for number in _SIGNALS:
            self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def __del__(self) -> None:
        os.close(self._reader)
        os.close(self._writer)

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        os.write(self._writer, b"!")
        if self._on_ask is not None:
            self._on_ask()
