"""Compare documents before and after a change of their links, whatever made it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from linkfix.files.access import document_bytes, exists, is_folder
from linkfix.files.paths import is_remote, join, relative
from linkfix.files.tree import as_folder
from linkfix.jobs.stopping import Stop
from linkfix.sites.batch import Common, SiteSettings, gather
from linkfix.sites.events import Output

if TYPE_CHECKING:
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.policy import LinkMap
    from linkfix.verifying import Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifySettings(SiteSettings):
    """How documents are compared.

    Attributes:
        link_map: maps links to new targets; None if each link keeps its target.
        transcoded: whether the new documents are in UTF-8.

    """

    link_map: LinkMap | None = None
    transcoded: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of one document.

    Attributes:
        path: of the old document.
        new: path of the new one.
        exists: whether there is a new one.
        difference: the first that is more than another spelling of a link; None for none.

    """

    path: str
    new: str
    exists: bool = True
    difference: Difference | None = None

    @property
    def is_same(self) -> bool:
        """Whether there is nothing to report."""
        return self.exists and self.difference is None


VerifyEvent: TypeAlias = Common | Compared


def verify_site(
    old: str | os.PathLike[str],
    new: str | os.PathLike[str],
    settings: VerifySettings,
    *,
    stop: Stop | None = None,
) -> Iterator[VerifyEvent]:
    """Compare two files, or two folders with the same names in them; yield the result of each document.

    Args:
        old: path of the file or folder before the change.
        new: path of the one after it.
        settings: of the comparison.
        stop: asks to end after the present documents; None for no such request.

    Raises:
        ModuleNotFoundError: the extra ``verify`` is not installed.

    """
    from linkfix.verifying import Difference

    before, after = (as_folder(os.fspath(path)) or os.fspath(path) for path in (old, new))
    folder = after if is_folder(after) else None
    batch = gather([before], settings.selection, settings.workers)
    work = _Work(after, folder, settings)
    for event in batch.events(work, Stop() if stop is None else stop):
        if not isinstance(event, Output):
            yield event
            continue
        path, (exists, difference) = _place(after, folder, event.found), event.value
        found = None if difference is None else Difference(*difference)
        yield Compared(event.found.path, path, exists, found)


def _place(new: str, folder: str | None, found: Found) -> str:
    """Return the path of the new document for an old one."""
    return new if folder is None else join(folder, found.relative)


class _Work:
    """The work on one document; yields whether there is a new one, and the difference.

    Args:
        new: path of the new file or folder.
        folder: of the new documents; None for a single one.
        settings: of the comparison.

    """

    def __init__(self, new: str, folder: str | None, settings: VerifySettings) -> None:
        self._new, self._folder, self._settings = new, folder, settings
        self._policy = settings.policy
        if settings.link_map is not None:
            self._policy = replace(settings.policy, target=settings.link_map.follow)

    def __call__(self, found: Found) -> Iterator[Event]:
        from linkfix.verifying import Settings, verify

        new = _place(self._new, self._folder, found)
        if not self._exists(new):
            yield [False, None]
            return
        source, transcoded = self._settings.sources.source(found.path), self._settings.transcoded
        compared = Settings(policy=self._policy, source=source, transcoded=transcoded)
        difference = verify(document_bytes(found.path), document_bytes(new), compared)
        yield [True, difference if difference is None else [*difference]]

    def _exists(self, new: str) -> bool:
        """Return whether there is a new document."""
        if not is_remote(new):
            return exists(new)
        from linkfix.files.remote.listings import listed

        names = listed(self._new)
        return names is not None and (
            self._folder is None or names.find(relative(new, self._folder) or "") is not None
        )
