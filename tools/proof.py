"""Prove in a clone what the README says: its two commands, the public suites, and every test, from nothing else.

It clones this checkout into an empty folder, as it is committed, and runs there the README's commands up to the tests, then
`tools/conformance.py`, then the tests. They run in the locale C, with a home that cannot be written, and print last what was skipped
and why. The status is 0 if they pass and none is skipped for missing data.

    python tools/proof.py [--user NAME] [--strict] [--shuffle SEED] [--serve FOLDER] [ARGUMENT of pytest…]

--user: runs everything as this user (for root only).
--strict: each warning is an error, in the processes that tests start as well.
--shuffle: runs modules and their tests in a random order (pytest-random-order).
--serve: a server on the loopback interface stands for the suites' repositories; the folder has the suites.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pwd
import re
import runpy
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
#: What a test of public data says when it is skipped (tests/conformance_data.py).
MISSING = "no public test data"


@contextlib.contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[str]:
    """Serve these files by path on the loopback interface; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = files.get(unquote(self.path).removeprefix("/"))
            self.send_response(404 if data is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def zipped(files: Mapping[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as new:
        for path, data in files.items():
            new.writestr(path, data)
    return archive.getvalue()


def mirror(folder: Path) -> dict[str, bytes]:
    """Return the files that the repositories would serve, for the suites in a folder."""
    tool: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "conformance.py"))
    files: dict[str, bytes] = {}
    for suite in tool["suites"](tool["MANIFEST"]):
        start = f"{suite.github}/raw/{suite.revision}/"
        under = f"{suite.under}/" if suite.under else ""
        found = tool["read_folder"](folder / suite.folder)
        found = {under + path: data for path, data in found.items()}
        if found and suite.archive:
            found = {suite.archive: zipped(found)}
        files |= {start + path: data for path, data in found.items()}
    return files


def identity(name: str) -> dict[str, Any]:
    """Return the arguments of `subprocess` that make a process one of this user."""
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def commands() -> list[str]:
    """Return the README's two commands."""
    readme = (ROOT / "README.md").read_text("utf-8")
    return re.findall(r"(?m)^    (python3 -m venv .*)$", readme)


def prove(given: argparse.Namespace, more: list[str], scratch: Path) -> int:
    clone, home = scratch / "clone", scratch / "home"
    home.mkdir(0o555)
    owner = identity(given.user) if given.user else {}
    new = {
        "HOME": str(home),
        "LC_ALL": "C",
        "LINKFIX_CONFORMANCE": str(scratch / "conformance"),
        "npm_config_cache": str(scratch / "npm"),
        "PIP_NO_CACHE_DIR": "1",
        "TMPDIR": str(scratch),
    }
    environment = {name: value for name, value in os.environ.items() if name[:4] != "XDG_"} | new

    def run(command: str, **more: str) -> str:
        """Run a command in the clone, show its output, and return the output."""
        print(f"+ {command}", flush=True)
        started, output = time.monotonic(), ""
        with subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", command],
            **owner,
            cwd=clone,
            env=environment | more,
            text=True,
            errors="replace",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                output += line
        print(f"({time.monotonic() - started:,.0f} s)", flush=True)
        if process.returncode:
            raise SystemExit(f"it ended with the status {process.returncode}: {command}")
        return output

    subprocess.run(["git", "clone", "-q", "--no-local", ROOT, clone], check=True)
    head = subprocess.check_output(["git", "-C", ROOT, "rev-parse", "HEAD"], text=True).strip()
    subprocess.run(["git", "-C", clone, "checkout", "-q", "--detach", head], check=True)
    if given.user:
        subprocess.run(["chown", "-R", given.user, scratch], check=True)
        subprocess.run(["chown", "-R", "0", home], check=True)
    install, test = commands()
    prepare, _, pytest = test.rpartition(" && ")
    run(install)
    run(prepare)
    with serving(mirror(given.serve)) if given.serve else contextlib.nullcontext() as source:
        run(
            ".venv-test/bin/python tools/conformance.py" + (f" --source {source}" if source else "")
        )
    strict = {}
    if given.shuffle is not None:
        run(".venv-test/bin/pip install -q pytest-random-order")
        more += ["--random-order", f"--random-order-seed={given.shuffle}"]
    if given.strict:
        more, strict = ["-W", "error", *more], {"PYTHONWARNINGS": "error"}
    output = run(" ".join([pytest, *more]), **strict)
    return int(MISSING in output)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--user")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--shuffle", type=int)
    parser.add_argument("--serve", type=Path)
    given, more = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="linkfix-proof-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        return prove(given, more, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
