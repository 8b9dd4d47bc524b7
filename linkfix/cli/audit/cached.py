"""The work of an audit with a cache: a document that has not changed costs a look at its file.

A miss yields one more event, for the parent, which writes the cache:
``["cached", path, settings, state, digest, about, record]``, a `Row` with its octets in base64.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
import zlib
from typing import TYPE_CHECKING, Any

from linkfix.cli.audit.cache import (
    CacheReader,
    Row,
    State,
    digest_of,
    packed,
    settings_key,
    unpacked,
)
from linkfix.cli.audit.worker import Again, AuditJob, AuditWorker
from linkfix.cli.options.table import flat
from linkfix.cli.output import has_colours
from linkfix.facts.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.files.store import Shelf
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event

#: The largest file in bytes whose events are kept.
_LARGEST = 8 * 1024 * 1024
#: Options that change neither what is found nor how it is rendered.
_APART = frozenset(
    {"paths", "cache", "jobs", "timeout", "memory", "quiet", "include", "exclude", "hidden"}
    | {"output", "output_path", "fail_on", "baseline_path", "write_baseline"}
)


class CachedWorker(AuditWorker):
    """An `AuditWorker` that asks a cache first.

    Args:
        job: what is done.

    """

    def __init__(self, job: AuditJob) -> None:
        super().__init__(job)
        options = {name: value for name, value in flat(self._options).items() if name not in _APART}
        form = (type(job.form).__name__, type(job.form).__module__, has_colours(job.form.out))
        codes = [rule.code for rule in job.rules]
        known = self._baseline.known()
        self._settings_key = settings_key(sorted(options.items()), job.roots, form, codes, known)
        self._reader = CacheReader(self._options.cache or "")

    def __call__(self, found: Found) -> Iterator[Event]:
        """Audit a document with no other in mind, or return the events of that from the cache."""
        return self._remembered(found, b"", super().__call__(found))

    def again(self, shelf: Shelf) -> Callable[[Again], Iterator[Event]]:
        """Return the work on files with findings of the join (`AuditWorker.again`)."""
        work = super().again(shelf)

        def remembered(again: Again) -> Iterator[Event]:
            rows = [shelf[number] for _, numbers in again.documents for number in numbers]
            if (
                again.documents[0][0] != again.path
                or not Wanted.of(map(json.loads, rows), ()).is_read
            ):
                return work(again)  # no file is read
            return self._remembered(
                again.found, hashlib.sha256(b"".join(rows)).digest(), work(again)
            )

        return remembered

    def _remembered(self, found: Found, about: bytes, work: Iterator[Event]) -> Iterator[Event]:
        """Yield the events of the cache, or those of some work.

        Args:
            found: the file.
            about: as in `Row`.
            work: yields the events.

        """
        path = found.path
        try:
            state = State.of(path)
        except OSError:  # the audit says why
            yield from work
            return
        if found.size > _LARGEST:
            yield from work
            return
        codes = [rule.code for rule in self._job.rules_for(path, found)]
        key = settings_key(self._settings_key, codes, bool(about))
        row = self._reader.find(key, path)
        if row is not None and row.about == about and row.is_of(path, state):
            try:
                events = unpacked(row.record)
            except (ValueError, TypeError, KeyError, zlib.error):  # it is damaged
                pass
            else:
                yield from events
                return
        digest, events = digest_of(path), [*work]
        if _is_whole(events, found) and State.of(path) == state:
            octets = [
                base64.b64encode(one).decode() for one in (key, digest, about, packed(events))
            ]
            yield ["cached", path, octets[0], state.text(time.time_ns()), *octets[1:]]
        yield from events


def _is_whole(events: list[Event], found: Found) -> bool:
    """Return whether events are those of one document that could be processed."""
    begun = [event for event in events if isinstance(event, list) and event[0] == "document"]
    done = [event for event in events if isinstance(event, list) and event[0] == "done"]
    return begun == [["document", found.path]] and len(done) == 1 and done[0][3] is None


def row_of(about: list[Any]) -> tuple[bytes, str, Row]:
    """Return the settings, the path and the row of a ``cached`` event, without its name."""
    path, key, state, *octets = about
    return base64.b64decode(key), path, Row(state, *map(base64.b64decode, octets))
