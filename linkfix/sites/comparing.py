"""Compare documents before and after a change of their links, whatever made it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from linkfix.errors import LinkfixError
from linkfix.files.access import document_bytes, exists, is_folder, listed_at
from linkfix.files.paths import join, relative
from linkfix.files.tree import Found, as_folder
from linkfix.jobs.stopping import Stop
from linkfix.jobs.wire import Event
from linkfix.library import different
from linkfix.policy import gate
from linkfix.sites.batch import Common, SiteSettings, bare_server, gather, stop_of
from linkfix.sites.documents import holds_archive, opened
from linkfix.sites.events import Output

if TYPE_CHECKING:
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
    KINDS: ClassVar[dict[str, gate.Kind]] = {**SiteSettings.KINDS, "link_map": gate.link_map}


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

    stop = stop_of(settings, VerifySettings, stop)
    before, after = gate.path_of("old", old), gate.path_of("new", new)
    before, after = as_folder(before) or before, as_folder(after) or after
    folder = after if is_folder(after) else None
    listing = None if folder is None else listed_at(after)
    policy = settings.policy
    if settings.link_map is not None:
        policy = replace(policy, target=settings.link_map.follow)

    def place(found: Found) -> str:
        """Return the path of the new document for an old one."""
        if folder is None:
            return after
        is_packed = found.root != before  # in a container of the folder
        own = relative(found.path, before) if is_packed else None
        return join(folder, own or found.relative)

    def has_new(found: Found) -> bool:
        """Return whether there is a new document for an old one."""
        if listing is None or listing[0] is None or found.root != before:
            return exists(place(found))
        return listing[0].find(f"{listing[1]}/{found.relative}".lstrip("/")) is not None

    def work(found: Found) -> Iterator[Event]:
        """Yield whether there is a new document, and the difference."""
        from linkfix.sites.writing import in_places
        from linkfix.verifying import Settings

        there = place(found)
        with opened(found.path) as file:
            if holds_archive(file, found.path, sources.type):
                raise LinkfixError("WARC files are not compared", file=found.path)
        if not has_new(found):
            yield [False, None]
            return
        source, part = sources.source(found.path), sources.parts.get(found.path)
        if server is not None and source.charset is None and found.root == before:
            source = replace(source, charset=server.label(found.relative))
        each = in_places(policy, sources, part) if part and has_place else policy.each
        compared = Settings(
            policy=replace(policy, each=each),
            source=source,
            new_name=there,
            transcoded=settings.transcoded,
            new_charset="utf-8" if part else None,
        )
        difference = different(document_bytes(found.path), document_bytes(there), compared)
        yield [True, difference if difference is None else [*difference]]

    batch = gather([before], settings.selection, settings.workers)
    has_place = policy.moves and settings.sources.base is not None
    sources, server = settings.sources, None
    if has_place or settings.transcoded:
        sources = batch.placed(settings)
    if settings.transcoded and folder is not None:
        # As a migration reads the old documents; the new ones say that they are in UTF-8.
        server = bare_server(before)
    for event in batch.events(work, stop):
        if not isinstance(event, Output):
            yield event
            continue
        is_there, difference = event.value
        found = None if difference is None else Difference(*difference)
        yield Compared(event.found.path, place(event.found), is_there, found)
