"""Ports of the loopback address for servers that tests start."""

from __future__ import annotations

import contextlib
import secrets
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Below the ports that Linux gives to connections, so that no connection takes one before its server does.
FIRST, LAST = 10_000, 32_000


@contextlib.contextmanager
def reserved() -> Iterator[int]:
    """Yield a free port; no other test gets it before the context ends.

    The tests run in several processes, as several users. What they share is the names of local sockets.
    """
    while True:
        port = FIRST + secrets.randbelow(LAST - FIRST)
        with socket.socket(socket.AF_UNIX) as lock, socket.socket() as server:
            try:
                lock.bind(f"\0linkfix-tests-{port}")
                server.bind(("127.0.0.1", port))
            except OSError:
                continue
            server.close()
            yield port
            return
