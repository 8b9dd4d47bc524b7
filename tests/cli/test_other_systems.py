"""Every command runs where a system lacks the names that POSIX alone has, or says what it lacks.

The names are taken away before linkfix is imported: what stands in for Windows has `msvcrt` and its locks of bytes; what
stands in for WebAssembly has no locks at all.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from linkfix.cli.group import COMMANDS as EVERY

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
PROGRAM = r"""
import asyncio, concurrent.futures.thread, contextlib, ctypes, filecmp, http.client, importlib.metadata, json, os, select
import shutil, signal, socket, sqlite3, ssl, subprocess, sys, tempfile, threading, urllib.request, zipfile
import click, lxml.etree, rich.console, unicodedata2, xmlschema
import fcntl as real
from types import ModuleType

system, *arguments = sys.argv[1:]
for name in ("fork forkpty fchmod fchown chown pread pwrite geteuid getuid getegid getgid register_at_fork set_blocking "
             "sched_getaffinity listxattr getxattr setxattr removexattr mkfifo mknod killpg getpgid setsid wait3 wait4 uname "
             "O_CLOEXEC O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_NOCTTY O_SYNC O_DSYNC O_PATH waitid fdatasync").split():
    if hasattr(os, name):
        delattr(os, name)
for name in "SIGALRM SIGPROF SIGHUP SIGKILL SIGPIPE SIGUSR1 SIGCHLD ITIMER_PROF setitimer getitimer pthread_sigmask alarm SIG_BLOCK".split():
    delattr(signal, name)
del select.poll
os.supports_fd -= {os.utime}
shutil._copyxattr = lambda *_, **__: None
for name in "fcntl resource pwd grp termios tty pty syslog posix_spawn".split():
    sys.modules[name] = None
if system == "win32":
    sys.platform = "win32"
    msvcrt = sys.modules["msvcrt"] = ModuleType("msvcrt")
    msvcrt.LK_NBLCK = 2

    def locking(file, mode, count):
        assert (mode, count, os.lseek(file, 0, os.SEEK_CUR)) == (2, 1, 1 << 40)
        try:
            real.lockf(file, real.LOCK_EX | real.LOCK_NB, count, 0, os.SEEK_CUR)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None

    msvcrt.locking = locking
sys.argv[1:] = arguments
"""
MAIN = "from linkfix.cli import main; main()"
#: Runs the command lines that standard input has, each in a fork of this process, which has imported linkfix without these names.
FORKS = """
import contextlib, importlib
from linkfix.cli import main
for name in "audit extract graph migrate mv rewrite rules verify".split():
    with contextlib.suppress(Exception):  # of an extra, which the command itself says
        importlib.import_module(f"linkfix.cli.{name}")
        importlib.import_module("linkfix.auditing").rules()
for line in sys.stdin:
    words = json.loads(line)
    with tempfile.TemporaryFile() as output:
        child = fork()
        if not child:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            sys.argv[1:] = words
            main()
        status = os.waitstatus_to_exitcode(wait(child, 0)[1])
        output.seek(0)
        print(json.dumps([status, output.read().decode("utf-8", "surrogateescape")]), flush=True)
"""
LOCK = """
from linkfix.files import system
child = "import fcntl,os; fcntl.lockf(os.open('lock', os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 1 << 40)"
file = os.open("lock", os.O_RDWR | os.O_CREAT)
os.write(file, b"content")
system.lock(file)
assert system.read_at(file, 3, 2) == b"nte" and os.lseek(file, 0, os.SEEK_CUR) == 7
locked = subprocess.run([sys.executable, "-c", child], capture_output=True, close_fds=False)
assert b"BlockingIOError" in locked.stderr, locked.stderr
os.close(file)
assert subprocess.run([sys.executable, "-c", child], close_fds=False).returncode == 0
"""

#: Commands in the order of one session, each with its exit status and what is said.
SESSION = [
    ("demo shop", 0, ""),
    ("extract shop", 0, "page-utf-8"),
    ("extract -j 2 shop", 0, "this system cannot fork: one process does the work"),
    ("rewrite --to uri shop/page-utf-8.html", 0, "20%25"),
    ("rewrite --diff shop", 0, "+++ "),
    ("rewrite -o clean --journal run.journal shop", 0, "rewritten"),
    ("verify shop clean", 0, ""),
    ("audit --exit-zero --base http://www.example.jp/ shop", 0, "ENC001"),
    ("audit --exit-zero --cache c.db --format sarif shop", 0, "2.1.0"),
    ("audit --exit-zero --cache c.db --group-by cause shop", 0, "findings in"),
    ("migrate shop new --base http://www.example.jp/ --served * --query-charset document --hard-link", 0, "copied"),
    ("graph clean", 0, ""),
    ("rewrite -i --backup .orig clean", 0, ""),
    ("mv --root clean page-utf-8.html sub/page.html", 0, "-> sub/page.html"),
    ("audit --fix --exit-zero new", 0, ""),
    ("rules ENC001", 0, "stray-percent"),
    ("iri convert http://é/", 0, "xn--9ca"),
    ("iri inspect a%zz", 1, "a%25zz"),
    ("--version", 0, "linkfix"),
]  # fmt: skip


def run(
    system: str,
    command: str,
    folder: Path,
    program: str = MAIN,
    prelude: str = PROGRAM,
    feed: str = "",
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", prelude + program, system, *command.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
        input=feed,
    )


def forks(commands: list[str], system: str, folder: Path, prelude: str) -> list[tuple[int, str]]:
    """The status and the output of commands that run one after the other, in forks of one process."""
    lines = "".join(f"{json.dumps(command.split())}\n" for command in commands)
    prelude = "import json, os, sys, tempfile\nfork, wait = os.fork, os.waitpid\n" + prelude
    done = run(system, "", folder, FORKS, prelude, feed=lines)
    assert done.returncode == 0, done.stderr
    return [*map(json.loads, done.stdout.splitlines())]


def test_every_command_runs_without_the_names_of_posix(tmp_path: Path) -> None:
    assert {each.split()[0] for each, _, _ in SESSION} - {"--version"} == EVERY.keys() - {
        "spark", "lsp",  # asyncio needs what its own system has
    }  # fmt: skip
    answers = forks([command for command, _, _ in SESSION], "win32", tmp_path, PROGRAM)
    for (command, status, said), (ended, output) in zip(SESSION, answers, strict=True):
        assert not re.search("Traceback|fault of linkfix", output), (command, output)
        assert (ended, said in output) == (status, True), (command, output[-2000:])
    assert (tmp_path / "clean/sub/page.html").exists()
    assert not [*tmp_path.rglob(".linkfix-*")]


def test_a_lock_of_windows_keeps_others_out_until_the_file_is_closed(tmp_path: Path) -> None:
    done = run("win32", "", tmp_path, LOCK)
    assert done.returncode == 0, done.stderr


def test_without_locks_a_journal_says_so_and_other_commands_run(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href='a b'>")
    assert run("emscripten", "rewrite a.html", tmp_path).stdout.endswith("'a%20b'>")
    assert run("emscripten", "rewrite -i a.html", tmp_path).returncode == 0
    done = run("emscripten", "rewrite -i --journal j a.html", tmp_path)
    assert (done.returncode, "this system has no locks" in done.stderr) == (3, True), done.stderr


def test_no_module_but_one_names_what_posix_alone_has() -> None:
    names = re.compile(
        r"\bfcntl\b|os\.O_(?!RDONLY|WRONLY|RDWR|CREAT)|os\.(?:fchmod|pread|getuid)\b"
    )
    own = ROOT / "linkfix" / "files" / "system.py"
    found = [
        path.name
        for path in (ROOT / "linkfix").rglob("*.py")
        if path != own and names.search(path.read_text("utf-8"))
    ]
    assert found == []


EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BASE = """
import sys
sys.modules |= dict.fromkeys(NAMES)
sys.argv[1:] = sys.argv[2:]
"""
#: What a package is imported as, where that is another name.
IMPORTED = {
    "ada-url": "ada_url", "beautifulsoup4": "bs4", "types-html5lib": "", "types-jsonschema": "", "lxml-stubs": "",
    "moto[server]": "moto", "pytest-xdist": "xdist", "python-bidi": "bidi", "python-liquid": "liquid",
}  # fmt: skip
#: For each extra a command that needs it, and one that it serves and that runs without it.
NEEDED = {
    "schema": "extract --schema a.xsd a.xml",
    "git": "audit --changed a.html",
    "remote": "extract memory://a.html",
    "lsp": "lsp",
    "spark": "spark extract -o out a.warc",
    "verify": "verify a.html a.html",
    "warc": "extract a.warc",
}


def test_an_error_names_the_extra_that_is_not_installed(tmp_path: Path) -> None:
    named = {
        re.split("[<>=]", each)[0]
        for several in EXTRAS["optional-dependencies"].values()
        for each in several
    } - {re.split("[<>=]", each)[0] for each in EXTRAS["dependencies"]}
    names = {IMPORTED.get(name, name.replace("-", "_")) for name in named}
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href='a b'>")
    for name in ("objects", "refs"):
        (tmp_path / ".git" / name).mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main")
    (tmp_path / "a.xml").write_text("<a/>")
    (tmp_path / "a.xsd").write_text('<schema xmlns="http://www.w3.org/2001/XMLSchema"/>')
    (tmp_path / "a.warc").write_text("WARC/1.0\r\n")
    served = ("demo shop", "audit --exit-zero shop", "rewrite -o new shop", "graph shop")
    answers = forks([*NEEDED.values(), *served], "", tmp_path, f"NAMES = {names!r}\n{BASE}")
    for (extra, command), (_, output) in zip(NEEDED.items(), answers, strict=False):
        assert f"pip install 'linkfix[{extra}" in output, (command, output)
        assert "Traceback" not in output
    assert [status for status, _ in answers[len(NEEDED) :]] == [0] * len(served)
    assert NEEDED.keys() == EXTRAS["optional-dependencies"].keys() - {
        "arrow", "benchmark", "docs", "java", "release", "test"
    }  # fmt: skip
