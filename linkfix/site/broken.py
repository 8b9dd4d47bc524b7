"""Near misses: the files that a broken link may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import unquote

from linkfix.site.listing import folded

if TYPE_CHECKING:
    from linkfix.site.index import Broken, Index
    from linkfix.site.renames import Moves

__all__ = ["NearMisses"]

#: The most names that are compared for one link, which bounds the time.
_CANDIDATES = 2000
#: How many links get suggestions, each different one counted once.
_LINKS = 20_000
_SHOWN = 3


class NearMisses:
    """Find files with names like the target of a broken link.

    Files of the same name in other folders are first, then similar names in the same folder.

    Args:
        moves: the files of the tree.
        index: the facts about its documents.

    """

    def __init__(self, moves: Moves, index: Index) -> None:
        self._moves = moves
        self._index = index
        self._by_name: dict[str, list[str]] = {}
        self._in_folder: dict[str, list[str]] = {}
        for path in moves.listing.entries:
            folder, _, name = path.rpartition("/")
            self._by_name.setdefault(self._key(name), []).append(path)
            self._in_folder.setdefault(folder, []).append(path)
        self._found: dict[str, tuple[str, ...]] = {}

    def of(self, broken: Broken) -> Broken:
        """Return a broken link with the near misses added."""
        if broken.near or broken.reason == "no-index":
            return broken
        uri = broken.lead.uri
        near = self._found.get(uri)
        if near is None:
            near = ()
            if len(self._found) < _LINKS:
                near = self._found[uri] = self._search(broken)
        return broken._replace(near=near) if near else broken

    def _search(self, broken: Broken) -> tuple[str, ...]:
        found = self._moves.find(broken.lead.uri)
        if found is None:
            return ()
        located, match = found
        if broken.reason == "fragment" and match is not None:
            return self._fragments(match.path, broken.lead.uri)
        folder, _, name = located.path.rpartition("/")
        key = self._key(name)
        same = self._by_name.get(key, ())[:_SHOWN]
        here = {self._key(p.rpartition("/")[2]): p for p in self._candidates(folder)}
        close = (here[each] for each in get_close_matches(key, here, n=_SHOWN, cutoff=0.75))
        return tuple(dict.fromkeys([*same, *close]))[:_SHOWN]

    def _candidates(self, folder: str) -> list[str]:
        return self._in_folder.get(folder, [])[:_CANDIDATES]

    def _fragments(self, path: str, uri: str) -> tuple[str, ...]:
        if self._moves.listing.is_folder(path):
            path = self._moves.listing.index(path) or path
        facts = self._index.facts.get(path)
        names = [] if facts is None else facts.names[:_CANDIDATES]
        wanted = unquote(uri.partition("#")[2])
        same = [name for name in names if name.casefold() == wanted.casefold()]
        return tuple(dict.fromkeys([*same, *get_close_matches(wanted, names, n=_SHOWN)]))[:_SHOWN]

    def _key(self, name: str) -> str:
        return folded(self._moves.names.text(name))
