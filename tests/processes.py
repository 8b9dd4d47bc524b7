"""Runs of linkfix in processes that need no start: forks of servers that have imported it.

A start of Python with linkfix takes 0.3 to 0.4 s of processor time, for imports, tables and patterns. A fork is there at once, and
is a process like any other: it has its own arguments, folder, environment, streams and exit status. Only every module is imported
before it begins, and what commands read and compile at their first use is there. So tests of the start itself, and of signals, use
`subprocess`; a test of what a process keeps from its environment finds in `warm_up` which commands have run.

A server has one thread. For each request it forks a monitor. The monitor forks linkfix, and says its process id and, later, its
exit status on a socket of the request. Two servers take turns, since their hashes of strings differ: as from one process to the
next, sets have another order.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["run", "text", "warm_up"]

#: What a server does not import: packages with threads of their own, and a module that runs.
_UNWANTED = ("linkfix.__main__", "linkfix.arrow", "linkfix.spark")


def run(
    *arguments: object,
    input: bytes = b"",  # noqa: A002 - as in `subprocess`
    stdin: BinaryIO | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    group: bool = False,
    before: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run linkfix with arguments of the command line, as `subprocess.run` does; return its exit status and output.

    Args:
        arguments: texts, paths and octets.
        input: what it reads from standard input, a pipe.
        stdin: its standard input; without both it is empty.
        stdout: the descriptor of its standard output, of which nothing is returned then; None for a pipe.
        stderr: likewise for standard error.
        cwd: the folder that it runs in.
        env: its environment. What Python itself reads at the start has no effect.
        timeout: in seconds; then it is killed.
        group: whether its workers are killed with it.
        before: what it executes first, with `sys.argv` as it is then.

    Raises:
        subprocess.TimeoutExpired: it was killed; with what it had said on standard error.

    """
    words = [os.fsdecode(x) if isinstance(x, bytes | os.PathLike) else str(x) for x in arguments]
    request: dict[str, Any] = {
        "words": words,
        "cwd": os.fspath(cwd or Path.cwd()),
        "env": dict(env or os.environ),
        "before": before,
    }
    with contextlib.ExitStack() as stack:

        def pipe() -> list[BinaryIO]:
            modes = zip(os.pipe(), ("rb", "wb"), strict=True)
            return [stack.enter_context(open(each, mode)) for each, mode in modes]  # type: ignore[misc]  # noqa: PTH123

        theirs, ours, outputs, feed = list[BinaryIO](), list[BinaryIO | None](), [], None
        for given in (stdout, stderr):
            here = None
            if given is None:
                here, there = pipe()
                theirs.append(there)
            ours.append(here)
            outputs.append(there.fileno() if given is None else given)
        if stdin is None:
            stdin, feed = pipe()
            theirs.append(stdin)
        streams = [stdin.fileno(), *outputs]
        connection = stack.enter_context(next(_servers()).start(request, streams))
        for each in theirs:
            each.close()
        with ThreadPoolExecutor(3) as threads:
            said = [threads.submit(each.read if each else bytes) for each in ours]
            if feed is not None:
                threads.submit(_feed, feed, input)
            status, in_time = _status(connection, timeout, os.killpg if group else os.kill)
        output = [each.result() for each in said]
        if not in_time:
            raise subprocess.TimeoutExpired("linkfix", timeout, *output)
        return subprocess.CompletedProcess(words, status, *output)


def text(done: subprocess.CompletedProcess[bytes]) -> subprocess.CompletedProcess[str]:
    """Return a result with texts in place of octets."""
    out, error = (each.decode().replace("\r\n", "\n") for each in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, error)


def _feed(pipe: BinaryIO, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), pipe:
        pipe.write(data)


def _status(
    connection: socket.socket, timeout: float, kill: Callable[[int, int], None]
) -> tuple[int, bool]:
    """Wait for the end of a process, and kill it after so many seconds; return its status, and whether it ended before."""
    with connection.makefile("rb") as answers:
        pid = int(answers.readline())
        in_time = bool(select.select([connection], [], [], timeout)[0])
        if not in_time:
            kill(pid, signal.SIGKILL)
        return int(answers.readline()), in_time


class _Server:
    """A server, from the side of the tests."""

    def __init__(self) -> None:
        self._control, there = socket.socketpair()
        with there:
            command = [sys.executable, __file__, str(there.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[there.fileno()])
        atexit.register(self._end)

    def _end(self) -> None:
        self._control.close()
        self._process.wait()

    def start(self, request: dict[str, Any], streams: list[int]) -> socket.socket:
        """Start a process; return the socket on which the monitor says its id and its exit status, a line each."""
        here, there = socket.socketpair()
        with there:
            socket.send_fds(self._control, [b"."], [there.fileno(), *streams])
        here.sendall(json.dumps(request).encode() + b"\n")
        return here


@cache
def _servers() -> Iterator[_Server]:
    return cycle([_Server(), _Server()])


# --- the other side --------------------------------------------------------------------------------


def _warm_up() -> None:
    """Import linkfix, and let it read its tables and compile its patterns."""
    import linkfix

    root = Path(linkfix.__file__).parent
    for path in sorted(root.rglob("*.py")):
        name = ".".join(["linkfix", *path.relative_to(root).with_suffix("").parts])
        if not name.startswith(_UNWANTED):
            import_module(name.removesuffix(".__init__"))
    warm_up()
    gc.collect()
    gc.freeze()


#: Commands over the sample site, which read what most tests need.
_WARM = (
    "demo shop",
    "extract shop",
    "rewrite -o new --verify shop",
    "audit --exit-zero --base http://www.example.jp/ shop",
    "audit --exit-zero --group-by cause shop",
    "graph shop",
    "migrate shop moved --base http://www.example.jp/ --to iri --rename .html=.htm",
    "iri convert http://\u00e9/",
)


def warm_up() -> None:
    """Run commands in this process, for the tables and patterns that they read and compile at their first use."""
    from linkfix.cli.group import cli
    from linkfix.jobs import pool

    can_fork, here, arguments = pool.can_fork, Path.cwd(), sys.argv
    pool.can_fork = lambda: False
    streams = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            for each in _WARM:
                sys.argv = ["linkfix", *each.split()]
                with contextlib.suppress(SystemExit):
                    cli.main(sys.argv[1:], "linkfix")
        os.chdir(here)
    pool.can_fork, sys.argv = can_fork, arguments


def _serve(control: socket.socket) -> list[int]:
    """Fork a monitor for each request; return in these its streams. End when the tests end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        _, received, _, _ = socket.recv_fds(control, 1, 4)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not received:
            sys.exit()
        if os.fork() == 0:
            control.close()
            return received
        for each in received:
            os.close(each)


def _monitor(connection: socket.socket, streams: list[int]) -> dict[str, Any]:
    """Fork linkfix; return in it what is asked for. The monitor itself ends with it."""
    with connection, connection.makefile("rb") as lines:
        request: dict[str, Any] = json.loads(lines.readline())
        pid = os.fork()
        if pid == 0:
            return request
        for each in streams:
            os.close(each)
        with contextlib.suppress(OSError):  # the test waits no longer
            connection.sendall(b"%d\n" % pid)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            connection.sendall(b"%d\n" % status)
        os._exit(0)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """Be as a process that was just started."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        buffering = 1 if name == "stderr" else -1
        mode = "w" if number else "r"
        new = open(number, mode, buffering, old.encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)
    os.setsid()  # its workers are of its group
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = ["linkfix", *request["words"]]
    exec(request["before"], {})


def _main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    _warm_up()
    connection, *streams = _serve(control)
    _become(_monitor(socket.socket(fileno=connection), streams), streams)
    from linkfix.cli import main

    main()


if __name__ == "__main__":
    _main()
