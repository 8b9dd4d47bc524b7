"""Drive headless Firefox over Marionette, the protocol that it speaks itself: JSON over a socket of 127.0.0.1.

A message is its length in octets, a colon, and a JSON array: ``[0, id, command, parameters]`` from here,
``[1, id, error, result]`` from Firefox. Commands are those of W3C WebDriver.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Marionette", "MarionetteError", "firefox"]

#: The most that one answer of the browser may take, in seconds.
TIMEOUT = 120
#: Nothing is asked of any other machine: all but 127.0.0.1 goes to a proxy that nobody runs.
PREFERENCES = {
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


class MarionetteError(Exception):
    """Firefox did not do what it was asked for."""


def firefox() -> str | None:
    """Return the path of Firefox; None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Marionette:
    """A Firefox process and the one session in it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._unread = b""
        self._id = 0

    def start(self, profile: Path) -> None:
        """Start Firefox with its state in a folder."""
        program = firefox()
        assert program is not None
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items())
        (profile / "user.js").write_text("".join(lines))
        # A process group of its own, so that `stop` can end the processes of its tabs too.
        self._process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--marionette", "--profile", str(profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
            start_new_session=True,
        )
        self._socket = self._connect(profile / "MarionetteActivePort")
        self._read()  # the greeting
        self._call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        self._call("WebDriver:SetTimeouts", {"script": TIMEOUT * 1000})

    def _connect(self, port: Path) -> socket.socket:
        assert self._process is not None
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline and self._process.poll() is None:
            if port.exists() and (number := port.read_text().strip()):
                return socket.create_connection(("127.0.0.1", int(number)), timeout=2 * TIMEOUT)
            time.sleep(0.05)
        raise MarionetteError("Firefox ended, or opened no port, before it was ready")

    def open(self, url: str) -> None:
        """Open an address."""
        self._call("WebDriver:Navigate", {"url": url})

    def run(self, script: str, arguments: list[Any]) -> Any:
        """Run an asynchronous script in the page and return what it passes to its callback."""
        answer = self._call("WebDriver:ExecuteAsyncScript", {"script": script, "args": arguments})
        return answer["value"]

    def snapshot(self) -> bytes:
        """Refuse: Firefox saves no page as MHTML."""
        raise NotImplementedError

    def scripting(self, *, enabled: bool) -> None:
        """Refuse: no test asks it of Firefox."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the browser and end whatever is left of its processes."""
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(TIMEOUT)

    def _call(self, command: str, parameters: dict[str, Any]) -> Any:
        assert self._socket is not None
        self._id += 1
        message = json.dumps([0, self._id, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self._read()
        if error is not None or number != self._id:
            raise MarionetteError(f"{command}: {error}")
        return result

    def _read(self) -> Any:
        """Return the next message."""
        while b":" not in self._unread:
            self._receive()
        length, _, self._unread = self._unread.partition(b":")
        while len(self._unread) < int(length):
            self._receive()
        message, self._unread = self._unread[: int(length)], self._unread[int(length) :]
        return json.loads(message)

    def _receive(self) -> None:
        assert self._socket is not None
        data = self._socket.recv(65536)
        if not data:
            raise MarionetteError("Firefox closed the connection")
        self._unread += data
