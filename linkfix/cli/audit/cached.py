"""The work of an audit with a cache: a document that has not changed costs a look at its file and its links.

Each document is audited as if it were the only one of its process, so that its events depend on nothing but itself, the
settings, and the folder. A miss yields one more event, for the parent, which writes the cache:
``["cached", settings, state, digest, names, record]``, a `Row` with its octets in base64.
"""

from __future__ import annotations

import base64
import json
import time
import zlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from linkfix.cli.audit.cache import (
    CacheReader,
    Check,
    Record,
    RecordedFiles,
    Row,
    State,
    digest_of,
    settings_key,
)
from linkfix.cli.audit.worker import AuditJob, AuditWorker
from linkfix.cli.options.table import flat
from linkfix.cli.output import has_colours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from linkfix.auditing import Rule
    from linkfix.auditing.rule import Files
    from linkfix.cli.audit.trees import Trees
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event

#: The largest file in bytes whose events are kept.
_LARGEST = 8 * 1024 * 1024
#: Options that change neither what is found nor how it is rendered.
_APART = frozenset(
    {"paths", "cache", "jobs", "timeout", "memory", "quiet", "include", "exclude", "hidden"}
    | {"output", "output_path", "fail_on", "baseline_path", "write_baseline"}
)


class _Facts(NamedTuple):
    """What the audit of a document has shown besides its events: the targets of fragments in it, and what it asked."""

    names: Iterable[str] | None = None
    files: RecordedFiles | None = None


class CachedWorker(AuditWorker):
    """An `AuditWorker` of a process of its own that asks a cache first.

    Args:
        job: what is done.
        shows_all: whether each link goes to the site of the run, for documents that it did not accept otherwise.

    """

    def __init__(self, job: AuditJob, *, shows_all: bool = False) -> None:
        super().__init__(job)
        self._is_second = shows_all
        options = {name: value for name, value in flat(self._options).items() if name not in _APART}
        form = (type(job.form).__name__, type(job.form).__module__, has_colours(job.form.out))
        codes = [rule.code for rule in job.rules]
        known = self._baseline.known()
        self._settings_key = settings_key(sorted(options.items()), job.roots, form, codes, known)
        self._reader = CacheReader(self._options.cache or "")
        self._check = Check()
        self._facts = _Facts()

    def __call__(self, found: Found) -> Iterator[Event]:
        """Audit a document, or return its events from the cache."""
        try:
            state = State.of(found.path)
        except OSError:  # the audit says why
            yield from super().__call__(found)
            return
        if found.size > _LARGEST:
            yield from super().__call__(found)
            return
        key = self._key(found.path, shows_all=self._is_second)
        record = self._known(found, key, state)
        if record is not None:
            yield from map(self._now, record.events)
            return
        self._worker_site, self._facts = self._worker_site.anew(), _Facts()
        self._trees.newly_linked(found)  # of links that were looked up for the cache
        digest = digest_of(found.path)
        events = [*super().__call__(found)]
        if _is_whole(events, found) and State.of(found.path) == state:
            names, files = self._facts
            record = Record(events, {} if files is None else files.met)
            text = json.dumps(None if names is None else sorted(names))
            octets = [base64.b64encode(each).decode() for each in (key, digest, record.packed())]
            yield ["cached", octets[0], state.text(time.time_ns()), octets[1], text, octets[2]]
        yield from events

    def _now(self, event: Event) -> Event:
        """Return an event of the cache with the page that the server shows now for the root of the site."""
        if not isinstance(event, list) or event[0] != "page":
            return event
        kind, root, path, _, *rest = event
        return [kind, root, path, self._trees.home(root), *rest]

    def _shows_all(self, found: Found) -> bool:
        return self._is_second or super()._shows_all(found)

    def _known(self, found: Found, key: bytes, state: State) -> Record | None:
        """Return the record of a document that would be audited with the same events."""
        row = self._reader.find(key, found.path)
        if row is None or not row.is_of(found.path, state):
            return None
        try:
            record, names = Record.unpacked(row.record), json.loads(row.names)
        except (ValueError, TypeError, KeyError, IndexError, zlib.error):  # it is damaged
            return None
        if names is not None:
            super()._add_names(found, names)
        files, _, _ = super()._files_of(found, self._rules_for(found.path))
        return record if self._check.holds(record, files) else None

    def _key(self, path: str, *, shows_all: bool) -> bytes:
        """Return the key of all settings that a document is audited with."""
        rules = self._rules_for(path)
        if rules is self._job.rules and not shows_all:
            return self._settings_key
        return settings_key(self._settings_key, [rule.code for rule in rules], shows_all)

    @cached_property
    def _trees(self) -> Trees:
        from linkfix.cli.audit.trees import Trees

        return Trees(self._options, self._policy, self._job.roots, self._names_in)

    def _names_in(self, path: str) -> list[str] | None:
        """Return the targets of fragments in a document; None if the cache does not have them."""
        row = self._reader.find(self._key(path, shows_all=False), path)
        try:
            if row is None or not row.is_of(path, State.of(path)):
                return None
            names: list[str] | None = json.loads(row.names)
        except (OSError, ValueError):
            return None
        return names

    def _add_names(self, found: Found, names: Iterable[str]) -> None:
        super()._add_names(found, names)
        self._facts = self._facts._replace(names=names)

    def _files_of(
        self, found: Found, rules: Sequence[Rule]
    ) -> tuple[Files | None, str | None, str]:
        """Return the files of a document's site, which record what the document asks, and its place there."""
        files, location, path = super()._files_of(found, rules)
        recorded = None if files is None else RecordedFiles(files)
        self._facts = self._facts._replace(files=recorded)
        return recorded, location, path


def _is_whole(events: list[Event], found: Found) -> bool:
    """Return whether events are those of one document that could be processed."""
    begun = [event for event in events if isinstance(event, list) and event[0] == "document"]
    done = [event for event in events if isinstance(event, list) and event[0] == "done"]
    return begun == [["document", found.path]] and len(done) == 1 and done[0][3] is None


def row_of(about: list[Any]) -> tuple[bytes, Row]:
    """Return the settings and the row of a ``cached`` event, without its name."""
    key, state, digest, names, record = about
    return base64.b64decode(key), Row(
        state, base64.b64decode(digest), names, base64.b64decode(record)
    )
