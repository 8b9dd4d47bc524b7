"""Make each system call of a command fail in turn, and report the runs that do not end as documented.

Runs as a program with the shim preloaded (`injection.inject` starts it). A run is a fork of this process,
so that thousands take minutes. Of each run the following must hold (docs/exit-status.md):

* the exit status is that of the undisturbed run, or 3 with a message; 141 where a reader has gone away;
* there is no traceback, and where the status is that of the undisturbed run, so is the output;
* every file is the old one or the new one, and no temporary file is left;
* the same command, gone on with or called again, then makes everything new.
"""

from __future__ import annotations

import errno
import gc
import json
import mmap
import os
import shutil
import struct
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from archives import PAGE, Archive

import linkfix
from linkfix.cli import main

_HEAD = struct.Struct("=qqiiii1024s")
_CALLS = 65536
#: The size in bytes of the plan that the shim maps.
SIZE = _HEAD.size + _CALLS

#: What calls fail with: reading, writing, opening, synchronizing, renaming, making folders and links.
ERRORS = {
    "r": (errno.EIO, errno.ENOMEM, errno.EINTR),
    "w": (errno.ENOSPC, errno.EIO, errno.EPIPE, errno.EINTR, errno.ENOMEM),
    "o": (errno.EIO, errno.ENOSPC, errno.ENOMEM, errno.EINTR),
    "s": (errno.EIO, errno.ENOSPC, errno.EINTR),
    "n": (errno.EIO, errno.ENOSPC, errno.ENOMEM),
    "m": (errno.ENOSPC, errno.EIO, errno.ENOMEM),
}
_JOURNAL = ".linkfix-journal"
_DIRTY = b"<meta charset=utf-8><title>t</title><a href='/a b'>x</a><a href='b.html#y z'>y</a>\n"


@dataclass(frozen=True)
class Command:
    """A command under test.

    Attributes:
        arguments: of linkfix.
        stdin: what it reads.
        reports: files whose content depends on which documents could be processed.
        apart: files that may have any content.
        large: whether one of the documents is large.

    """

    arguments: tuple[str, ...]
    stdin: bytes = b""
    reports: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    large: bool = False


COMMANDS = {
    "extract": Command(("extract", "site")),
    "extract -j 2": Command(("extract", "-j", "2", "site")),
    "extract of standard input": Command(("extract", "--format", "csv"), _DIRTY * 40),
    "audit": Command(("audit", "site")),
    "audit -j 2": Command(("audit", "-j", "2", "site")),
    "audit to a file": Command(
        ("audit", "--format", "html", "-o", "r.html", "site"), reports=("r.html",)
    ),
    "audit as junit": Command(("audit", "--format", "junit", "site")),
    "audit to a baseline": Command(
        ("audit", "--baseline", "b.json", "--write-baseline", "site"), reports=("b.json",)
    ),
    "audit with a cache": Command(
        ("audit", "--cache", "c.db", "site"), apart=("c.db", "c.db-journal", "c.db-wal", "c.db-shm")
    ),
    "audit --fix": Command(("audit", "--fix", "site")),
    "rewrite of standard input": Command(("rewrite",), _DIRTY * 40),
    "rewrite to standard output": Command(("rewrite", "site/a.html")),
    "rewrite -o": Command(
        ("rewrite", "-o", "out", "--report", "r.jsonl", "site"), reports=("r.jsonl",)
    ),
    "rewrite -i": Command(("rewrite", "-i", "site")),
    "rewrite -i -j 2": Command(("rewrite", "-i", "-j", "2", "site")),
    "rewrite -i of a large file": Command(("rewrite", "-i", "large.html"), large=True),
    "rewrite -i --backup": Command(("rewrite", "-i", "--backup", ".orig", "site/a.html")),
    "rewrite --diff": Command(("rewrite", "--diff", "site")),
    "rewrite of an archive": Command(("rewrite", "crawl.warc")),
    "rewrite -i of an archive": Command(("rewrite", "-i", "crawl.warc")),
    "migrate": Command(
        ("migrate", "site", "new", "--rename", ".htm=.html", "--report", "r.jsonl", "--redirects",
         "moved.map", "--redirect-format", "apache"),
        reports=("r.jsonl", "moved.map"),
    ),
    "migrate -j 2": Command(("migrate", "-j", "2", "site", "new")),
    "graph": Command(("graph", "site")),
    "graph to a file": Command(
        ("graph", "--format", "dot", "-o", "g.dot", "site"), reports=("g.dot",)
    ),
    "mv": Command(
        ("mv", "--root", "site", "sub", "new", "--redirects", "moved.map", "--report", "r.jsonl"),
        reports=("r.jsonl", "moved.map"),
    ),
    "rules": Command(("rules",)),
    "rules as markdown": Command(("rules", "--format", "markdown")),
    "iri convert": Command(("iri", "convert", "--format", "jsonl"), b"/a b\nhttp://x/\n" * 20),
    "iri inspect": Command(("iri", "inspect", "http://x/a b")),
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    status: int
    out: bytes
    err: str
    files: dict[str, bytes]


class Driver:
    """Runs commands in a folder.

    Args:
        folder: an empty one.

    """

    def __init__(self, folder: Path) -> None:
        self._site = folder / "work"
        self._streams = folder / "streams"
        self._streams.mkdir()
        archive = Archive(compressed=False)
        archive.info()
        archive.add("http://example.jp/a", PAGE, "text/html; charset=shift_jis")
        self._archive = archive.data
        for module in walk_packages(linkfix.__path__, "linkfix."):
            if not module.name.endswith("__main__"):
                import_module(module.name)  # once, and not in every run
        gc.freeze()  # what was imported stays shared with the runs
        with open(os.environ["FAULTS"], "r+b") as file:  # noqa: PTH123
            self._plan = mmap.mmap(file.fileno(), SIZE)

    def build(self, command: Command) -> dict[str, bytes]:
        """Make the files that a command works on."""
        shutil.rmtree(self._site, ignore_errors=True)
        site = self._site / "site"
        (site / "sub").mkdir(parents=True)
        (self._site / "tmp").mkdir()
        (site / "a.html").write_bytes(_DIRTY * 3)
        (site / "sub" / "b.htm").write_bytes(_DIRTY.replace(b"utf-8", b"shift_jis"))
        (site / "sub" / "clean.html").write_bytes(b"<meta charset=utf-8><a href=x>")
        (site / "style.css").write_bytes(b"@charset 'utf-8'; a { background: url('x y') }")
        (site / "image.png").write_bytes(b"\x89PNG")
        if command.large:
            (self._site / "large.html").write_bytes((_DIRTY + b"<p>" + b"text " * 9000) * 30)
        (self._site / "crawl.warc").write_bytes(self._archive)
        return self.files()

    def files(self) -> dict[str, bytes]:
        """Return every file by its path, but for journals."""
        return {
            path.relative_to(self._site).as_posix(): path.read_bytes()
            for path in self._site.rglob("*")
            if path.is_file() and not path.name.startswith(_JOURNAL)
        }

    def run(
        self, command: Command, *more: str, fault: tuple[int, int, bool] | None = None
    ) -> Outcome:
        """Run a command, with the Nth call failing with an error, once or from then on."""
        (self._streams / "in").write_bytes(command.stdin)
        number, error, stays = fault or (0, 0, False)
        folder = os.fsencode(self._site)
        self._plan[: _HEAD.size] = _HEAD.pack(0, number, error, stays, 0, 0, folder)
        process = os.fork()
        if not process:
            self._become(command, more)
        _, status = os.waitpid(process, 0)
        self._plan[24:28] = bytes(4)
        return Outcome(
            os.waitstatus_to_exitcode(status),
            (self._streams / "out").read_bytes(),
            (self._streams / "err").read_text("utf-8", "backslashreplace"),
            self.files(),
        )

    def calls(self) -> str:
        """Return what the calls of the last run were."""
        (count,) = struct.unpack_from("=q", self._plan)
        return self._plan[_HEAD.size : _HEAD.size + min(count, _CALLS)].decode("ascii")

    def _become(self, command: Command, more: tuple[str, ...]) -> None:
        """Become the command: this process ends as it does, and is never driver again."""
        new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for descriptor, name, mode in ((0, "in", os.O_RDONLY), (1, "out", new), (2, "err", new)):
            opened = os.open(self._streams / name, mode, 0o600)
            os.dup2(opened, descriptor)
            os.close(opened)
        os.chdir(self._site)
        os.environ["TMPDIR"] = str(self._site / "tmp")
        sys.argv = ["linkfix", *command.arguments, *more]
        self._plan[24:28] = struct.pack("=i", 1)
        main()

    def wrong(self, command: Command, fault: tuple[int, int, bool] | None) -> str | None:
        """Say what is not as documented in a run, None for nothing."""
        old = self.build(command)
        usual = self._usual[command]
        got = self.run(command, fault=fault)
        if "Traceback" in got.err or "Exception ignored" in got.err:
            return "a traceback"
        unwanted = fault is not None and fault[1] == errno.EPIPE
        if got.status == usual.status:
            reports = {*command.reports, *command.apart}
            if got.out != usual.out and not unwanted:
                return "the status is as if nothing had happened, standard output is not"
            if {k: v for k, v in got.files.items() if k not in reports} != {
                k: v for k, v in usual.files.items() if k not in reports
            }:
                return "the status is as if nothing had happened, the files are not"
        elif got.status == 3:
            if not any(line.startswith("linkfix: ") for line in got.err.splitlines()):
                return "no message"
        elif not (unwanted and got.status == 141):
            return f"the status is {got.status}"
        for path, content in got.files.items():
            if path in command.apart:
                continue
            if path in command.reports:
                if content and not content.endswith(b"\n"):
                    return f"{path} is torn"
            elif content not in self._allowed(path, old, usual):
                return f"{path} is neither old nor new"
        names = {Path(path).name for path in got.files}
        for path in old.keys() - got.files.keys():
            if path in usual.files or Path(path).name not in names:  # else it was moved
                return f"{path} is gone"
        return self._mended(command, usual)

    def _allowed(self, path: str, old: dict[str, bytes], usual: Outcome) -> set[bytes | None]:
        """Return the allowed contents of a file; a document that cannot be migrated is copied."""
        allowed = {old.get(path), usual.files.get(path)} - {None}
        if path.startswith("new/"):
            copied = "site/" + path.removeprefix("new/")
            allowed |= {old.get(copied), old.get(copied.replace(".html", ".htm"))}
        return allowed

    def _mended(self, command: Command, usual: Outcome) -> str | None:
        """Call a command again, and say what is not new then."""
        if usual.files == self._before[command]:
            return None
        more = ("--resume",) if [*self._site.rglob(f"{_JOURNAL}*")] else ()
        if command.arguments[0] == "migrate" and not more:
            shutil.rmtree(self._site / "new", ignore_errors=True)
        again = self.run(command, *more)
        reports = {*command.reports, *command.apart}
        differing = [
            path
            for path in {*again.files, *usual.files} - reports
            if again.files.get(path) != usual.files.get(path)
        ]
        if differing:
            return f"called again, {differing[0]} is not new: {again.err[-300:]}"
        return None

    def all(self, names: list[str], most: int | None) -> dict[str, Any]:
        """Run commands with every fault, or with a sample of at most so many calls each."""
        self._usual: dict[Command, Outcome] = {}
        self._before: dict[Command, dict[str, bytes]] = {}
        runs, wrong, kinds = 0, [], {}
        for name in names:
            command = COMMANDS[name]
            self._before[command] = self.build(command)
            self._usual[command] = self.run(command)
            calls = kinds[name] = self.calls()
            for number, error, stays in faults(calls, most):
                runs += 1
                fault = number, error, stays
                if (why := self.wrong(command, fault)) is not None:
                    kind = calls[number - 1]
                    place = (
                        f"{name}: call {number} of {len(calls)} ({kind}) {errno.errorcode[error]}"
                    )
                    err = (self._streams / "err").read_text("utf-8", "backslashreplace")
                    wrong.append(f"{place}{' and on' * stays}: {why}\n{err[-700:]}")
        return {"runs": runs, "calls": kinds, "wrong": wrong}


def faults(calls: str, most: int | None) -> list[tuple[int, int, bool]]:
    """Return the faults to inject into a run: the number of the call, errno, and whether it stays.

    Args:
        calls: of the undisturbed run.
        most: at most how many of the calls; None for all, each with every error.

    """
    chosen = []
    step = 1 if most is None else max(1, -(-len(calls) // most))
    for number in range(1, len(calls) + 1, step):
        errors = ERRORS[calls[number - 1]]
        if most is not None:
            errors = (errors[number // step % len(errors)],)
        for error in errors:
            chosen.append((number, error, False))
            if error == errno.ENOSPC:
                chosen.append((number, error, True))
    return chosen


if __name__ == "__main__":
    _, folder_, most_, *names_ = sys.argv
    print(json.dumps(Driver(Path(folder_)).all(names_ or [*COMMANDS], int(most_) or None)))
