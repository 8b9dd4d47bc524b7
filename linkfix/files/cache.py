"""The cache of an audit: the events of documents that have not changed.

Input: a file in a folder that is audited. Output: the events that its last audit yielded, if nothing has changed on which
they depend: the octets of the file, the settings of the run, the version of linkfix, and, where it was read again, what was
found in it by the join. The join itself runs each time, on the facts among the events. A document that has not changed is
not opened for it. What pages include is kept too.

A cache is an SQLite database that the user names. What it has is data: findings that are already rendered, links, and names.
Others may have written it, where it comes from a store of a CI server, say: they could hide findings. So each row is signed
(HMAC) with a key of the user, and a row with another signature counts as none. A file is known by its size, its times and its
inode; else, or if it was changed just before its audit, by a digest of its octets.
"""

import base64
import contextlib
import hashlib
import hmac
import os
import secrets
import sqlite3
import sys
import tempfile
import time
import weakref
import zlib
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import count, starmap
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from linkfix.deferred import pattern
from linkfix.errors import LinkfixError
from linkfix.files.local import failing, found_content
from linkfix.files.paths import file_of
from linkfix.jobs.wire import Decoder, Event, Frame, framed, value
from linkfix.version import __version__

#: What marks a database as a cache of linkfix (SQLite, PRAGMA application_id), and the version of its tables.
_APPLICATION, _VERSION = 0x6C6E6B66, 5
_TABLE = """\
CREATE TABLE documents (settings BLOB, path BLOB, state TEXT, digest BLOB, about BLOB,
record BLOB, signature BLOB, PRIMARY KEY (settings, path)) WITHOUT ROWID"""
#: The variable that has the key of the signatures, and the file that has it otherwise, in the folder for the state of programs.
_VARIABLE, _KEY_FILE = "LINKFIX_CACHE_KEY", "linkfix/cache.key"
_KEY_LENGTH = 32
#: A file that was changed less than so many nanoseconds before its audit can change again within the same time stamp.
_RECENT = 2_000_000_000
#: What is another in each process, in the text for a function.
_ADDRESS = pattern(r" at 0x[0-9a-f]+")
#: The largest file in bytes whose events are kept.
_LARGEST = 8 * 1024 * 1024
#: The longest record in bytes.
_LONGEST = 64 * 1024 * 1024
#: How many instructions of SQLite a row may cost; some dozens are needed.
_MOST_INSTRUCTIONS = 100_000
#: How many records are written at once.
_MOST_ROWS = 1000


def state_of(path: str) -> tuple[str, bool]:
    """Return what `os.stat` says of the file of a document, and whether it can have changed since without a new time stamp.

    Raises:
        OSError: the file cannot be found.

    """
    found = os.stat(file_of(path))  # noqa: PTH116 - octets in names
    changed, status_changed = found.st_mtime_ns, found.st_ctime_ns
    is_recent = time.time_ns() - max(changed, status_changed) < _RECENT
    return f"{found.st_size} {changed} {status_changed} {found.st_ino}", is_recent


def packed(events: list[Event]) -> bytes:
    """Return events as compressed frames (`linkfix.jobs.wire`)."""
    return zlib.compress(b"".join(map(framed, events)), 1)


def unpacked(data: bytes) -> list[Frame]:
    """Return the frames of the events that `packed` returned as bytes.

    Raises:
        zlib.error: these are no such bytes.

    """
    return [*Decoder().feed(zlib.decompress(data))]


class Row(NamedTuple):
    """What the cache has of a document.

    Attributes:
        state: of the file at its audit, as text; "" if the file can have changed since without a new time stamp.
        digest: of its octets.
        about: the digest of what was found by the join, where it was read again for that; else empty.
        record: its events (`packed`).

    """

    state: str
    digest: bytes
    about: bytes
    record: bytes

    def signature(self, settings: bytes, path: bytes) -> bytes:
        """Return the signature of the row.

        Raises:
            LinkfixError: the user has no key.

        """
        parts = settings, path, self.state.encode(), self.digest, self.about, self.record
        signed = b"".join(len(part).to_bytes(8) + part for part in parts)
        return hmac.digest(_key(), signed, "sha256")


class Cache:
    """Read rows, and write those of a run, `_MOST_ROWS` in a transaction. Only the process that made it uses it, and no fork.

    Args:
        path: of the cache, which is made if it does not exist.

    Raises:
        LinkfixError: there is something else at the path, or the user has no key.

    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._rows: list[tuple[bytes, bytes, str, bytes, bytes, bytes, bytes]] = []
        _key()
        with failing(os.fspath(path)):  # a folder above that this user may not enter
            is_there, has_folder = Path(path).exists(), Path(path).absolute().parent.is_dir()
            is_folder = Path(path).is_dir()
        if is_folder:
            raise LinkfixError("it is a folder", hint="name a file", file=path)
        if is_there:
            _opened(path, "ro").close()
        elif not has_folder:
            raise LinkfixError("there is no such folder", hint="make it first", file=path)

    def find(self, settings: bytes, path: str) -> Row | None:
        """Return the row of a document; None if there is none that this user has signed."""
        if self._connection is None:
            if not Path(self._path).exists():
                return None
            self._connection = _opened(self._path, "ro")
            weakref.finalize(self, self._connection.close)
        # SQLite counts the instructions of all rows: one row may come to the end of a count, and not to a second one.
        self._connection.set_progress_handler(count().__next__, _MOST_INSTRUCTIONS)
        query = """\
SELECT CAST(state AS TEXT), CAST(digest AS BLOB), CAST(about AS BLOB), CAST(record AS BLOB), CAST(signature AS BLOB)
FROM documents WHERE settings = ? AND path = ? AND length(record) <= ?"""
        key = os.fsencode(path)
        try:
            found = self._connection.execute(query, (settings, key, _LONGEST)).fetchone()
        except sqlite3.Error:  # it has no table yet, or is damaged: the document is audited
            return None
        if found is None or None in found:
            return None
        *values, signature = found
        row = Row(*values)
        return row if hmac.compare_digest(row.signature(settings, key), signature) else None

    def add(self, settings: bytes, path: str, row: Row) -> None:
        """Add a row; it is written with others."""
        key = os.fsencode(path)
        self._rows.append((settings, key, *row, row.signature(settings, key)))
        if len(self._rows) == _MOST_ROWS:
            self.commit()

    def values(self, what: bytes, path: str, work: Callable[[], list[Any]]) -> list[Any]:
        """Return what some work says of a file, as plain data: from an earlier run if the file has not changed.

        Args:
            what: differs for different work.
            path: of the file.
            work: what is done otherwise; it reads nothing else.

        """
        settings = settings_key(what)
        known = recalled(self, path, 0, settings, b"")
        if known is not None:
            [values] = starmap(value, known)
            return list(values)
        with contextlib.suppress(OSError):  # the work says why
            (state, is_recent), digest = state_of(path), digest_of(path)
            values = work()
            if state_of(path)[0] == state:
                self.add(
                    settings, path, Row("" if is_recent else state, digest, b"", packed([values]))
                )
            return values
        return work()

    def store(self, about: list[Any]) -> None:
        """Add the row of a ``cached`` event, without its name (`kept`)."""
        path, state, *octets = about
        settings, *others = map(base64.b64decode, octets)
        self.add(settings, path, Row(state, *others))

    def commit(self) -> None:
        """Write the rows that are not written yet.

        Raises:
            LinkfixError: the cache cannot be written.

        """
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if not self._rows:
            return
        try:
            with contextlib.closing(_opened(self._path, "rwc")) as connection, connection:
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                connection.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
                query = "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)"
                connection.executemany(query, self._rows)
        except sqlite3.Error as error:
            raise LinkfixError(
                f"the cache cannot be written: {error}", hint="delete it", file=self._path
            ) from None
        self._rows = []


def _opened(path: str, mode: str) -> sqlite3.Connection:
    """Open a database that is a cache, with its one table and no view or trigger, or is empty.

    Raises:
        LinkfixError: it is something else, or this user may not write there.

    """
    uri = f"file:{quote(os.fsencode(path))}?mode={mode}"
    place = path if Path(path).exists() else Path(path).absolute().parent
    if mode != "ro" and not os.access(place, os.W_OK):
        raise LinkfixError(
            "the cache cannot be written: Permission denied",
            hint="name another file",
            file=os.fspath(path),
        )
    if Path(path).is_file() or mode != "ro":
        with contextlib.suppress(sqlite3.Error), contextlib.ExitStack() as opened:
            connection = sqlite3.connect(uri, uri=True, timeout=60, check_same_thread=False)
            opened.callback(connection.close)
            if mode == "ro":
                connection.set_progress_handler(lambda: 1, _MOST_INSTRUCTIONS)
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            tables = connection.execute("SELECT sql FROM sqlite_master").fetchmany(2)
            if not tables or (mark, version, tables) == (_APPLICATION, _VERSION, [(_TABLE,)]):
                opened.pop_all()
                return connection
    raise LinkfixError(
        "this is no cache of this version of linkfix",
        hint="delete it, or name another file",
        file=path,
    )


@cache
def _key() -> bytes:
    """Return the key with which rows are signed: that of a variable, or of a file of this user, which is made if it is missing.

    Raises:
        LinkfixError: there is no place for it, or others can read it.

    """
    if text := os.environ.get(_VARIABLE):
        return hashlib.sha256(os.fsencode(text)).digest()
    hint = f"set {_VARIABLE} to a secret text, or leave out --cache"
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    file = (state if state.is_absolute() else Path("~/.local/state").expanduser()) / _KEY_FILE
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            descriptor, name = tempfile.mkstemp(dir=file.parent)
            with os.fdopen(descriptor, "wb") as made:
                made.write(secrets.token_bytes(_KEY_LENGTH))
            Path(name).replace(file)
        found = file.stat()
        key = found_content(file, _KEY_LENGTH + 1)
    except (OSError, RuntimeError) as error:
        raise LinkfixError(f"there is no key for the cache: {error}", hint=hint) from None
    is_open = hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o077)
    if is_open or len(key) != _KEY_LENGTH:
        raise LinkfixError(
            "this is no key that only you can read", hint=f"delete it; or {hint}", file=str(file)
        )
    return key


def digest_of(path: str) -> bytes:
    """Return the digest of the octets of the file that has a document; a container has many.

    Raises:
        OSError: the file cannot be read.

    """
    state, is_recent = state_of(path)
    return _digest(file_of(path), f"{state} {time.time_ns()}" if is_recent else state)


@lru_cache(maxsize=4)
def _digest(path: str, _state: str) -> bytes:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()[:32]


@lru_cache(maxsize=64)
def settings_key(*settings: Any) -> bytes:
    """Return a key that differs for different settings, versions of linkfix and of Python."""
    versions = (__version__, sys.version, _VERSION)
    text = _ADDRESS.sub("", repr((versions, settings)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def recalled(
    cache: Cache, path: str, size: int, settings: bytes, about: bytes
) -> list[Frame] | None:
    """Return the frames of the events that a cache has of a document; None if it has none, or the document has changed.

    Args:
        cache: has rows of earlier runs.
        path: of the file.
        size: of it in bytes.
        settings: the key of what the events depend on besides.
        about: as in `Row`.

    """
    row = cache.find(settings, path) if size <= _LARGEST else None
    if row is None or row.about != about:
        return None
    with contextlib.suppress(OSError, zlib.error):  # the audit says why; or the record is damaged
        if row.state == state_of(path)[0] or row.digest == digest_of(path):
            return unpacked(row.record)
    return None


def kept(
    path: str, size: int, settings: bytes, about: bytes, work: Iterator[Event]
) -> Iterator[Event]:
    """Yield the events of some work on a document, and before them one for `Cache.store`; the arguments are those of `recalled`."""
    try:
        state, is_recent = state_of(path)
    except OSError:  # the audit says why
        state = ""
    if not state or size > _LARGEST:
        yield from work
        return
    digest, events = digest_of(path), [*work]
    marks = [each for each in events if isinstance(each, list) and each[0] in {"document", "done"}]
    named = [each[:2] for each in marks]
    is_whole = named == [["document", path], ["done", path]] and marks[1][3] is None
    if is_whole and state_of(path)[0] == state:
        octets = (settings, digest, about, packed(events))
        texts = (base64.b64encode(one).decode() for one in octets)
        yield ["cached", path, "" if is_recent else state, *texts]
    yield from events
