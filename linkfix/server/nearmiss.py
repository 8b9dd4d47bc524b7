"""The fragments of documents, and near misses: the files and fragments that a broken link may have meant.

Input: the listing of a tree, or the names in a document. Output: names that differ from a wanted one in one place only. The
idea: such a name has a beginning and an end in common with the wanted one, so it is in a range of the sorted names and
in a range of the names sorted by their ends. The smaller range is compared. The cost of a search grows with about the
square root of the number of names; its weak spot is many names with the same beginning and the same end.
"""

import string
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, takewhile
from posixpath import commonpath
from urllib.parse import unquote

from linkfix.deferred import pattern
from linkfix.files.store import Shelf
from linkfix.iri.model import difference
from linkfix.iri.unicode.ucd import folded
from linkfix.markup.detect import DocumentType
from linkfix.server.listing import Listing

#: The most near misses of a link.
_SHOWN = 3
#: The most characters by which similar names differ, and how many characters a name has for each of them at least.
_DIFFERENT, _FOR_EACH = 2, 3
_NUMBER, _ZEROS = pattern("[0-9]+"), pattern("(?<![0-9])0+(?=[0-9])")
#: For how many folders and documents the sorted names are remembered, and for how many links the near misses.
_SETS, _LINKS = 64, 4096
#: Names are compared without these characters.
_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation + string.whitespace))


# Names are similar if they differ in one place only: in what is left of both without the longest common beginning and the longest
# common end of the rest. A similar name has at most two characters there, and so has the wanted one; at most one if the wanted
# name has three to five characters, and none if it is shorter.


def _most(wanted: str) -> int:
    return min(_DIFFERENT, len(wanted) // _FOR_EACH)


def _rest(one: str, other: str) -> int:
    """Return how many characters are left of the longer text without the common beginning and end."""
    return max(
        (max(edit.end - edit.start, len(edit.text)) for edit in difference(one, other)), default=0
    )


class Similar:
    """Names to search for similar ones, without regard to case, punctuation and space.

    Args:
        names: the names, each with the result of a search that finds it.

    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._results: dict[str, list[str]] = {}
        for name, result in names:
            self._results.setdefault(_key(name), []).append(result)
        self._by_beginning = sorted(self._results)
        self._by_end = sorted(key[::-1] for key in self._results)

    def like(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield how many characters of each similar name differ, and its result; the most similar names first.

        Several names that differ in a number are members of a series, such as figures, of which none was meant.
        """
        wanted = _key(name)
        keys = sorted(self._keys(wanted))
        series = {key for _, key in keys if _are_of_series(wanted, key)}
        for rest, key in keys:
            if len(series) > 1 and key in series:
                continue
            for result in self._results[key]:
                yield rest, result

    def _keys(self, wanted: str) -> set[tuple[int, str]]:
        """Return the similar keys, each after its difference."""
        # Names of punctuation alone have nothing in common.
        found = {(0, wanted)} if wanted and wanted in self._results else set()
        most = _most(wanted)
        first, last = 0, len(self._by_beginning)
        for at in range(len(wanted) - most + 1) if most else ():
            # The keys that differ in these characters have the same beginning before and the same end after them.
            first, last = _range(self._by_beginning, wanted[:at], first, last)
            if first == last:
                break
            place, end = wanted[at : at + most], wanted[at + most :]
            for key in self._between(first, last, wanted[:at], end):
                size = len(key) - len(end)
                if at <= size <= at + 2 * most:
                    rest = _rest(place, key[at:size])
                    if rest <= most:
                        found.add((rest, key))
        return found

    def _between(self, first: int, last: int, beginning: str, end: str) -> list[str]:
        """Return the keys with a beginning, which are in a range by beginnings, and with an end."""
        turned = end[::-1]
        low, high = _range(self._by_end, turned, 0, len(self._by_end))
        if last - first <= high - low:
            return [key for key in self._by_beginning[first:last] if key.endswith(end)]
        turned = beginning[::-1]
        return [key[::-1] for key in self._by_end[low:high] if key.endswith(turned)]


class NearMisses:
    """Search the files of a tree, and the fragments of its documents.

    Args:
        listing: the files of the tree.

    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        #: The paths sorted by `_turned`, and the paths in each folder, once they are needed.
        self._by_name: list[str] = []
        self._in_folder: dict[str, list[str]] = {}
        self._similar = lru_cache(_SETS)(self._of_folder)
        self.files: Callable[[str], tuple[str, ...]] = lru_cache(_LINKS)(self._files)

    def _files(self, path: str) -> tuple[str, ...]:
        """Return the paths that a path may mean, which a link has.

        Those of the same name in other folders are first, then those of the same folder with a similar name, then
        those with another extension. Many files may have the same name: then only those count that have the names of
        most folders above them in common with the path.
        """
        if not self._in_folder:
            self._list()
        folder = path.rpartition("/")[0]
        name = self._folded(path)
        same = self._with(f"{name}/")
        if len(same) > _SHOWN:  # a common name alone says nothing
            turned = self._turned(path)
            at = bisect_left(self._by_name, turned, key=self._turned)
            around = map(self._turned, self._by_name[max(0, at - 1) : at + 1])
            most = max((commonpath([turned, each]) for each in around), key=len)
            same = self._with(f"{most}/") if "/" in most else []
        stem, extension = _split(name)
        similar = [
            (rest, _split(self._folded(result))[1] == extension, result)
            for rest, result in self._similar(folder).like(stem)
        ]
        alike = [result for _, is_alike, result in similar if is_alike]
        others = [result for rest, is_alike, result in similar if not is_alike and not rest]
        return tuple(dict.fromkeys([*same, *alike, *others]))[:_SHOWN]

    def fragments(self, fragment: str, names: frozenset[str]) -> tuple[str, ...]:
        """Return the names in a document that a fragment may mean."""
        found = _of_document(names).like(unquote(fragment))
        return tuple([name for _, name in islice(found, _SHOWN)])

    def _list(self) -> None:
        """Sort the paths of the tree by their names and folders."""
        self._by_name = sorted(self._listing.entries, key=self._turned)
        for path in self._listing.entries:
            self._in_folder.setdefault(path.rpartition("/")[0], []).append(path)

    def _with(self, beginning: str) -> list[str]:
        """Return the first paths with a beginning, a slash at its end, of what they are sorted by."""
        first = bisect_left(self._by_name, beginning, key=self._turned)
        some = self._by_name[first : first + _SHOWN + 1]
        return [*takewhile(lambda each: self._turned(each).startswith(beginning), some)]

    def _turned(self, path: str) -> str:
        """Return the names in a path, decoded and without regard to case, the last one first, each with a slash."""
        return "/".join([*folded(self._listing.text(path)).split("/")[::-1], ""])

    def _folded(self, path: str) -> str:
        """Return the last name of a path, decoded and without regard to case."""
        return folded(self._listing.text(path).rpartition("/")[2])

    def _of_folder(self, folder: str) -> Similar:
        paths = self._in_folder.get(folder, ())
        return Similar((_split(self._folded(path))[0], path) for path in paths)


def _range(keys: list[str], beginning: str, first: int, last: int) -> tuple[int, int]:
    """Return the range of the sorted keys with a beginning, in a larger range."""
    size = len(beginning)
    first = bisect_left(keys, beginning, first, last)
    return first, bisect_right(keys, beginning, first, last, key=lambda key: key[:size])


@lru_cache(_SETS)
def _of_document(names: frozenset[str]) -> Similar:
    return Similar((name, name) for name in sorted(names))


def _split(name: str) -> tuple[str, str]:
    """Return a name without its extension, and the extension; that of compression does not count."""
    name = name.removesuffix(".gz")
    stem, dot, extension = name.rpartition(".")
    return (stem, extension) if dot and stem else (name, "")


def _are_of_series(one: str, other: str) -> bool:
    """Return whether two keys differ in their numbers alone."""
    plain, likewise = (_ZEROS.sub("", key) for key in (one, other))
    return plain != likewise and _NUMBER.sub("0", plain) == _NUMBER.sub("0", likewise)


def _key(name: str) -> str:
    """Return the characters of a name that are compared."""
    return folded(name).translate(_PUNCTUATION)


# --- The targets of fragments in the documents of a site, by their paths ----------------------------
# The names in a document are one row of a `Shelf`, so that each document is read at most once for its names, however
# large the site is. The names in few documents are sets, since a document often has many links to another one.

#: The documents whose names are known: what an ``id`` is in other XML depends on its document type.
NAMING: frozenset[DocumentType] = frozenset({"html", "xhtml"})

#: In how many documents the names are sets.
MOST_SETS = 48
#: So many octets of names are searched faster than a set is made of them.
_FEW = 4096


class Fragments:
    """The targets of fragments in documents."""

    def __init__(self) -> None:
        self._rows = Shelf()
        #: By path: the number of the row.
        self._numbers: dict[str, int] = {}
        self._set = lru_cache(MOST_SETS)(self._stored)

    def __contains__(self, path: str) -> bool:
        """Return whether something was added for a document."""
        return path in self._numbers

    def add(self, path: str, names: Iterable[str] | None) -> None:
        """Add the names of a document in place of earlier ones; None where they cannot be known."""
        self._numbers[sys.intern(path)] = len(self._rows)
        # The mark distinguishes no names from unknown ones.
        text = "" if names is None else "\0".join(["+", *dict.fromkeys(names), ""])
        self._rows.add(text.encode("utf-8", "surrogatepass"))

    def has(self, path: str, names: Iterable[str]) -> bool:
        """Return whether a document is known to have names, spelled as they are; of one with many names, `of` says so."""
        row = self._rows[self._numbers[path]] if path in self._numbers else b""
        return len(row) < _FEW and all(
            b"\0%b\0" % name.encode("utf-8", "surrogatepass") in row for name in names
        )

    def of(self, path: str) -> frozenset[str] | None:
        """Return the names of a document; None where they are not known.

        Raises:
            KeyError: nothing was added for the document.

        """
        return self._set(self._numbers[path])

    def _stored(self, number: int) -> frozenset[str] | None:
        text = self._rows[number].decode("utf-8", "surrogatepass")
        return frozenset(text.split("\0")[1:-1]) if text else None
