r"""The journal: the results of a run, so that a killed run can be resumed.

A journal is a file of lines of JSON, in ASCII. Every worker appends to it with single writes. The first line has the
options of the run; each other line is about one document::

    {"linkfix-journal": 2, "asked": {"to": "uri", …}, "started": "2026-11-21T07:00:00Z", "process": 4711}
    {"begin": "/site/a.html", "target": "/site/a.html", "temporary": ".linkfix-0123456789abcdef.tmp"}
    {"intend": "/site/a.html", "target": "/site/a.html", "old": [2049, 101, 512, 1…], "new": [2049, 102, 520, 1…], "result": {…}}
    {"done": "/site/a.html"}
    {"done": "/site/b.html", "result": {…}}

A temporary file is recorded before it is created. The replacement of a document is recorded once that file is whole,
with the identity of both (device, inode, size, time of the last change). The renaming is atomic; so after a kill the
file at the path shows whether it has happened. Each line begins with a line feed too, so that a line that was cut off
spoils no other. A journal from anyone can only remove temporary files in the folders of the run
(`linkfix.files.records`).

The journal is locked (`flock`) while a process of its run lives. Workers share the lock with the parent, so that
no run resumes while one of them still works on a document.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import reprlib
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from linkfix.errors import JournalError, LimitExceededError, NothingToResumeError, UnreadableError
from linkfix.files.local import unreadable
from linkfix.files.paths import OWN_PREFIX, absolute
from linkfix.files.records import LONGEST, VERSION, Form, Records
from linkfix.files.system import flags, identity, lock, read_at

#: What the journal of a folder is called.
NAME = f"{OWN_PREFIX}journal"
#: What is said where there is nothing to resume, and the run begins.
BEGINS = "no unfinished run is recorded here; this one begins"
#: A link is not followed, and a named pipe does not make the run wait.
_OPEN = flags("RDWR", "APPEND", "CLOEXEC", "NOFOLLOW", "NONBLOCK")
#: How long a resumed run waits for the workers of the killed one, in seconds.
_PATIENCE = 10.0


@dataclass(slots=True)
class _Record:
    """The records about a document that was begun."""

    temporaries: list[Path] = field(default_factory=list)
    intent: dict[str, Any] | None = None
    done: bool = False
    result: tuple[int, int] | None = None  # where the line with the result is: offset, length


def journal_of(*paths: str) -> Path:
    """Return the name of the journal for a set of paths."""
    import hashlib

    names = "\0".join(map(absolute, paths))
    key = hashlib.sha256(names.encode("utf-8", "surrogateescape")).hexdigest()
    return Path(f"{NAME}-{key[:12]}")


class Journal:
    """The journal of one run, which is locked while this object is open.

    Args:
        path: of the journal.
        asked: the options that decide the results, by their names.
        resume: whether to resume a run that was killed or stopped.
        roots: folders in which the run writes; None for the folder of the journal.
        result: the form of the results of documents.
        begins: whether a run begins where there is none to resume.
        elsewhere: how the user names another place, for a message; "" where that is impossible.

    Attributes:
        path: that argument.
        pen: what workers write the journal with.
        begun: what is to be said where a run begins although one was to be resumed; None for nothing.
        unclear: documents that may be done or not: the journal and the files do not show it.

    Raises:
        NothingToResumeError: there is no unfinished run to resume, and none begins.
        JournalError: another run is at work; there is an unfinished run and this one does not resume it; the
            options differ; there is no regular file, or no journal of a run in these folders.
        UnreadableError: the file cannot be read or written.

    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        asked: Mapping[str, Any],
        *,
        resume: bool = False,
        roots: Iterable[str] | None = None,
        result: Form = dict,
        begins: bool = False,
        elsewhere: str = "",
    ) -> None:
        self.path: str = os.fspath(path)
        folders = [os.path.dirname(self.path)] if roots is None else roots  # noqa: PTH120 - links stay
        self._form = Records(self.path, folders, result)
        self._records: dict[str, _Record] = {}
        self.unclear: dict[str, UnreadableError] = {}
        self.begun: NothingToResumeError | None = None
        try:
            try:
                self._file = _locked(self.path, resume=resume)
            except NothingToResumeError:
                if not begins:
                    raise
                self.begun, resume = NothingToResumeError(BEGINS, file=self.path), False
                self._file = _locked(self.path, resume=resume)
            self.pen: Pen = Pen(self._file)
            try:
                # As it will be read again: tuples are lists.
                self._open(json.loads(json.dumps(asked)), resume=resume)
            except BaseException:
                os.close(self._file)
                raise
        except JournalError as error:
            error.hint = error.hint or "move it away" + (elsewhere and f", or {elsewhere}")
            raise
        except OSError as error:
            failure = unreadable(self.path, "cannot write the journal", error)
            failure.hint = elsewhere or failure.hint
            raise failure from error

    def _open(self, asked: Mapping[str, Any], *, resume: bool) -> None:
        header = self._read()
        if header is None:
            if not _is_blank(self._file):
                raise JournalError("this is no journal", file=self.path)
            try:
                os.ftruncate(self._file, 0)
                started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
                begun = {"linkfix-journal": VERSION, "asked": asked, "started": started}
                self.pen.write(begun | {"process": os.getpid()})
                self.pen.synchronize()
            except BaseException:  # nothing was done yet, so there is nothing to go on with
                with contextlib.suppress(OSError):
                    Path(self.path).unlink()
                raise
        elif not resume:
            raise JournalError(
                f"the run of {header.get('started')} is not finished; documents that are done: {len(self)}",
                hint="go on with it with --resume, or remove this file to begin anew",
                file=self.path,
            )
        else:
            _compare(header.get("asked", {}), asked, self.path)
            self._repair()

    def __len__(self) -> int:
        """Count the documents that are done."""
        return sum(record.done for record in self._records.values())

    def is_done(self, path: str) -> bool:
        """Return whether an earlier run has done a document."""
        record = self._records.get(absolute(path)) if self._records else None
        return record is not None and record.done

    def done_besides(self, paths: Iterable[str]) -> list[str]:
        """Return the documents that an earlier run has done and that are not among these."""
        known = set(map(absolute, paths)) if self._records else set[str]()
        return [path for path, each in self._records.items() if each.done and path not in known]

    def result(self, path: str) -> dict[str, Any]:
        """Return the result of a document that an earlier run has done."""
        place = self._records[absolute(path)].result
        if place is None:
            return {}
        record = json.loads(read_at(self._file, place[1], place[0]))
        result: dict[str, Any] = record.get("result") or {}
        return result

    def doubt(self, path: str) -> UnreadableError | None:
        """Return the error of a document that may be done or not; None for any other."""
        return self.unclear.get(absolute(path)) if self.unclear else None

    def close(self, *, whole: bool) -> None:
        """End the run, once no worker is left, and remove the journal if the job is whole.

        Args:
            whole: whether nothing is left that could be gone on with.

        """
        with contextlib.suppress(OSError, JournalError):
            # Workers that were killed leave things behind.
            if whole:
                self.sweep()
                # Under the lock, so that no process reads it as an unfinished run.
                Path(self.path).unlink()
            else:
                self._records.clear()
                self._read()
                self._repair()
        os.close(self._file)

    def _read(self) -> dict[str, Any] | None:
        """Read every record; return the header, None if there is none."""
        header: dict[str, Any] | None = None
        for verb, fields, offset, length in self._form.read(self._file):
            if not verb:
                header = fields
                continue
            record = self._records.setdefault(fields[verb], _Record())
            if verb == "begin":
                record.temporaries.append(self._form.temporary(fields))
            elif verb == "done":
                record.done = True
            else:
                record.intent = fields if verb == "intend" else None
            if "result" in fields:
                record.result = offset, length
            elif verb == "done" and record.result is None:
                raise self._form.refusal(offset)
        return header

    def _repair(self) -> None:
        """Decide about documents that were begun and not done, and remove their temporary files."""
        for path, record in self._records.items():
            if record.done:
                continue
            if record.intent is not None:
                happened = _has_happened(record.intent, record.temporaries)
                if happened is None:
                    self.unclear[path] = UnreadableError(
                        "it was changed after the run was killed, and it cannot be told whether its links were rewritten by then",
                        hint=f"look at it; remove {self.path} when all is well",
                        file=path,
                    )
                elif happened:
                    record.done = True
                    self.pen.write({"done": path})
            for temporary in record.temporaries:
                _discard(temporary)
            record.temporaries.clear()

    def sweep(self) -> None:
        """Remove temporary files that nobody will rename, once no worker is left."""
        for verb, fields, _, _ in self._form.read(self._file, only="begin"):
            if verb == "begin":
                _discard(self._form.temporary(fields))


class Pen:
    """Appends to a journal, in whichever process.

    Args:
        file: descriptor of the journal.

    """

    def __init__(self, file: int) -> None:
        self._file = file

    def task(self, path: str) -> Task:
        """Begin the work on a document."""
        return Task(self, absolute(path))

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a record.

        Args:
            record: of plain data.

        Raises:
            OSError: it cannot be written whole.
            LimitExceededError: it is longer than a journal may have it.

        """
        line = b"\n" + json.dumps(record).encode("ascii") + b"\n"
        if len(line) > LONGEST:
            raise LimitExceededError(
                f"what is to be noted about it takes more than {LONGEST >> 20} MiB of the journal",
                hint="name this document by itself, without --journal",
            )
        if os.write(self._file, line) < len(line):
            raise OSError(errno.ENOSPC, "no space left for the journal")

    def synchronize(self) -> None:
        """Have everything that was written survive a failure of power.

        Raises:
            OSError: that is not certain.

        """
        os.fsync(self._file)


class Task:
    """The records about the work on one document, which the commit of its new file makes (`linkfix.files.commit`).

    Attributes:
        result: plain data that is recorded with the document; set it before its file is replaced.

    """

    def __init__(self, pen: Pen, path: str) -> None:
        self.result: dict[str, Any] = {}
        self._pen = pen
        self._path = path
        self._target = path
        self._intended = False

    def begin(self, target: str, temporary: str) -> None:
        """Record a temporary file for `target` before it is created."""
        self._target = target
        name = os.path.basename(temporary)  # noqa: PTH119 - bytes in names
        self._pen.write({"begin": self._path, "target": target, "temporary": name})

    def intend(self, before: os.stat_result | None, after: os.stat_result) -> None:
        """Record the coming commit of the temporary file."""
        record = {
            "intend": self._path,
            "target": self._target,
            "old": None if before is None else identity(before),
            "new": identity(after),
            "result": self.result,
        }
        self._pen.write(record)
        self._intended = True

    def synchronize(self) -> None:
        """Have everything that was written to the journal survive a failure of power."""
        self._pen.synchronize()

    def discard(self) -> None:
        """Record that the temporary file was discarded."""
        if self._intended:
            self._intended = False
            self._pen.write({"undo": self._path})

    def done(self) -> None:
        """Record that the document is done."""
        record = {"done": self._path}
        # Without this record a resumed run finds out by itself.
        with contextlib.suppress(OSError):
            self._pen.write(record if self._intended else record | {"result": self.result})


def _has_happened(intent: Mapping[str, Any], temporaries: list[Path]) -> bool | None:
    """Return whether a replacement has happened; None if that is unknown."""
    now = _identity_at(intent["target"])
    if now is None or now == intent["old"]:
        return False
    if now[:2] == intent["new"][:2]:  # with its inode, whatever was written into it since
        return True
    waits = any(_identity_at(temporary) == intent["new"] for temporary in temporaries)
    return False if waits or intent["old"] is None else None


def _identity_at(path: str | Path) -> list[int] | None:
    try:
        return identity(os.stat(path))  # noqa: PTH116 - names that Path would change
    except OSError:
        return None


def _discard(temporary: Path) -> None:
    """Remove a temporary file that nobody will rename."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        if stat.S_ISREG(temporary.lstat().st_mode):
            temporary.unlink()


def _is_blank(file: int) -> bool:
    """Return whether a file without a header is a journal whose first line was cut off."""
    start = read_at(file, 64, 0).strip(b"\0\n")
    mark = b'{"linkfix-journal": '
    return start.startswith(mark) or mark.startswith(start)


def _locked(path: str, *, resume: bool) -> int:
    """Open a journal and lock it.

    Raises:
        NothingToResumeError: there is no journal to resume from.
        JournalError: another process has the lock, or it is no regular file.
        OSError: it cannot be opened.

    """
    deadline = time.monotonic() + (_PATIENCE if resume else 0.0)
    while True:
        try:
            file = os.open(path, _OPEN if resume else _OPEN | os.O_CREAT, 0o600)
        except FileNotFoundError:
            if not resume:
                raise
            raise NothingToResumeError(
                "no unfinished run is recorded here",
                hint="if the last run gave its summary, it was whole; if not, it never began and is to be run without --resume",
                file=path,
            ) from None
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.EISDIR, errno.ENXIO}:
                raise _no_file(path) from None
            raise
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise _no_file(path)
            lock(file)
            # The run with the lock may have removed it meanwhile.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), Path(path).stat()):
                    return file
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(file)
                raise JournalError(
                    "another run of linkfix is at work here",
                    hint="wait until it has finished",
                    file=path,
                ) from None
            time.sleep(0.05)
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _short(value: object) -> str:
    """Return the start of the literal of a value, however long or deep it is."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 200
    return short.repr(value)


def _no_file(path: str) -> JournalError:
    return JournalError(
        "this is no journal but a link, a device, a folder or a pipe; nothing was written",
        file=path,
    )


def _compare(before: Mapping[str, Any], now: Mapping[str, Any], path: str) -> None:
    other = [key for key in now if before.get(key) != now[key]]
    if other or before.keys() - now.keys():
        key = other[0] if other else "an option that there is no more"
        raise JournalError(
            f"the unfinished run was asked for something else: {', '.join(other) or key} "
            f"({key} was {_short(before.get(key))}, is now {_short(now.get(key))})",
            hint="say the same options and paths as then, or remove this file to begin anew",
            file=path,
        )
