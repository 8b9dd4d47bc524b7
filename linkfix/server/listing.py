"""List the tree of a site, and find the file of a link, or those between which a server chooses.

No file is opened but ``.htaccess`` files, and no symbolic link is followed. So FIFOs and loops cannot block it, and nothing outside
of the tree is read.
"""

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import accumulate, takewhile
from mimetypes import MimeTypes
from typing import Literal, NamedTuple

from linkfix.charset import known
from linkfix.errors import LinkfixError
from linkfix.files.entries import EntryKind, Tally
from linkfix.files.paths import real, relative
from linkfix.files.tree import NO_PART, Selection, walk
from linkfix.iri.unicode.ucd import folded
from linkfix.markup.detect import type_of_name
from linkfix.server.apache import Folders

#: What servers commonly show for a folder, the likeliest first.
INDEX_NAMES = ("index.html", "index.htm", "index.xhtml", "index.shtml", "index.php", "default.htm",
               "default.html", "home.html", "home.htm", "welcome.html")  # fmt: skip
#: More symbolic links than any path goes through (POSIX, SYMLOOP_MAX is at least 8).
_MOST_LINKS = 40


class Entry(NamedTuple):
    """The entry at a path.

    Attributes:
        kind: a regular file, a folder, a symbolic link, or a FIFO, socket or device.
        target: the target of a symbolic link as a path in the tree; None if it is outside of the tree, or missing.

    """

    kind: EntryKind
    target: str | None = None


class Match(NamedTuple):
    """The file or folder that a link means.

    Attributes:
        path: as it is on disk.
        how: ``exact``; ``spelling`` where the link spells the name in another charset; ``case``
            where its letters differ in case.

    """

    path: str
    how: Literal["exact", "spelling", "case"] = "exact"


@dataclass
class Listing:
    """The entries of a tree, by their paths.

    Attributes:
        root: the folder.
        entries: by path from the root, with slashes, in the order of the paths; the root is left
            out.
        index_names: the files that servers show for a folder, the likeliest first; `.htaccess` files may say others.
        failures: what could not be read.
        text: returns a path with each name decoded in its charset; set before anything is found.

    """

    root: str
    entries: dict[str, Entry] = field(default_factory=dict)
    index_names: tuple[str, ...] = INDEX_NAMES
    failures: list[LinkfixError] = field(default_factory=list)
    text: Callable[[str], str] = str

    def files(self) -> Iterable[str]:
        """Return the paths of the regular files."""
        return (path for path, entry in self.entries.items() if entry.kind == "file")

    def programs(self) -> Iterable[str]:
        """Return the paths of the programs."""
        return filter(self.folders.is_program, self.files())

    @cached_property
    def _names(self) -> tuple[dict[str, str], dict[str, str]]:
        """The paths by their decoded names, and by their keys without regard to case; those that are their own are left out."""
        by_text, by_fold = dict[str, str](), dict[str, str]()
        for path in self.entries:
            text = self.text(path)
            key = folded(text)
            if text != path:
                by_text[text] = path
            if key != path:
                # Of files that differ only in case a link in a third spelling means none.
                by_fold[key] = "" if key in by_fold or key in self.entries else path
        return by_text, by_fold

    def find(self, path: str) -> Match | None:
        """Find what a path means, as a link has it, percent-decoded."""
        if (real := self.real(path)) is not None:
            return Match(real)
        if path in self.entries and not self.is_unknown(path):  # a symbolic link to nothing
            return None
        text = self.text(path)
        by_text, by_fold = self._names
        named = text if text in self.entries else by_text.get(text)
        if named is not None:
            return Match(self.real(named) or named, "spelling")
        key = folded(text)
        if named := by_fold.get(key, key if key in self.entries else ""):
            return Match(self.real(named) or named, "case")
        return None

    def real(self, path: str) -> str | None:
        """Return the path of a file or folder with its symbolic links resolved.

        Returns:
            None if there is no such path in the tree.

        """
        for _ in range(_MOST_LINKS):
            if not path:
                return path
            entry = self.entries.get(path)
            if entry is not None and entry.kind != "symbolic link":
                return path
            head, link = self._first_link(path)
            if link is None:
                return None
            path = f"{link}/{head}".strip("/") if head else link
        return None

    def _first_link(self, path: str) -> tuple[str, str | None]:
        """Find the symbolic link nearest the root; return the rest of the path after it, and its target."""
        for part in (*above(path), path):
            entry = self.entries.get(part)
            if entry is None:
                break
            if entry.kind == "symbolic link":
                return path[len(part) + 1 :], entry.target
        return "", None

    def _leaves(self, link: str) -> bool:
        """Return whether a symbolic link without a target in the tree names a place outside of it."""
        try:
            target = os.readlink(f"{self.root}/{link}")  # noqa: PTH115 - bytes in names
        except OSError:
            return True
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(link), target))
        return inside.startswith(("/", "../")) or inside == ".."

    def is_unknown(self, path: str) -> bool:
        """Return whether a path is below an unreadable folder, or a symbolic link that leaves the tree."""
        failed = {relative(error.file or "", self.root) for error in self.failures}
        for part in (*above(path), path):
            is_link = self.entries.get(part) == Entry("symbolic link")
            if part in failed or (is_link and self._leaves(part)):
                return True
        return False

    def is_folder(self, path: str) -> bool:
        """Return whether a path is that of a folder, or of a symbolic link to one."""
        if not path:
            return True
        entry = self.entries.get(path)
        if entry is None or entry.kind != "symbolic link":
            return entry is not None and entry.kind == "folder"
        return entry.target is not None and self.is_folder(entry.target)

    @cached_property
    def folders(self) -> Folders:
        """What `.htaccess` files say about the folders; they are read the first time."""
        return Folders.read(self.root, self.files())

    def indices(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files that a server shows for a folder, the likeliest first."""
        named = self.folders.of(folder).indices
        return self.index_names if named is None else named

    def index(self, folder: str) -> str | None:
        """Return the file that a server shows for a folder, None if there is none."""
        for name in self.indices(folder):
            real = self.real(f"{folder}/{name}" if folder else name)
            if real is not None and self.entries[real].kind == "file":
                return real
        return None


def above(path: str) -> Iterator[str]:
    """Return the paths of the folders above a path, the outermost first."""
    return accumulate(path.split("/")[:-1], "{}/{}".format)


def survey(root: str, exclude: tuple[str, ...] = ()) -> Listing:
    """List a tree.

    Args:
        root: a folder.
        exclude: patterns as in ``.gitignore`` of what is left out.

    """
    tally = Tally()
    listing = Listing(root)
    home = real(root)
    for each in walk(root, Selection(exclude=(*NO_PART, *exclude), hidden=True), tally):
        target = _link_target(home, each.path) if each.kind == "symbolic link" else None
        listing.entries[each.relative] = _entry(each.kind, target)
    listing.failures += tally.errors
    return listing


#: Returns an entry, the same one for all paths that lead nowhere.
_entry = cache(Entry)


def _link_target(root: str, link: str) -> str | None:
    """Return the target of a symbolic link as a path in the tree; `root` is its real path."""
    try:
        real = os.path.realpath(link, strict=True)
    except OSError:  # nothing is there, or the links go round in a circle
        return None
    inside = os.path.relpath(real, root)
    if inside == os.curdir:
        return ""
    return None if inside == os.pardir or inside.startswith("../") else inside


# --- The files between which a server chooses for one URL: content negotiation as of Apache's MultiVi
# Input: the paths of a tree. Output: for a path without a file, its variants: files whose names go on with extensions
# of types, languages, charsets and compressions only, as ``about.html.de`` does for ``about`` and ``about.html``.

#: Extensions that Apache's mod_mime maps to languages (AddLanguage): two letters and maybe a region, and one more.
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z]{2})?|ltz", re.IGNORECASE | re.ASCII)
_COMPRESSIONS = frozenset({"gz", "bz2", "z", "br"})
#: Charsets under names that are no labels (Apache's mime.conf, AddCharset).
_CHARSETS = frozenset({"cp-1251", "win-1251", "latin2", "latin3", "latin4", "latin5", "utf7"})


def variants(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of a tree between which the server chooses, by the path without a file that they answer."""
    found: dict[str, list[str]] = {}
    for path in paths:
        kinds = _kinds(path)
        if "type" in kinds:
            stem = path
            for _ in kinds:
                stem = stem.rpartition(".")[0]
                found.setdefault(stem, []).append(path)
    return found


def typed(path: str) -> str:
    """Return a path up to the last extension of a type: ``about.html`` for ``about.html.de``."""
    kinds = _kinds(path)
    count = kinds.index("type") if "type" in kinds else 0
    return path.rsplit(".", count)[0] if count else path


def _kinds(path: str) -> list[str]:
    """Return what the extensions of a path say, the last one first, up to an unknown one."""
    _, *extensions = path.rpartition("/")[2].split(".")
    return [*takewhile(bool, map(_kind, reversed(extensions)))]


@cache
def _types() -> MimeTypes:
    """Return the types that Python knows itself, the same on all machines."""
    return MimeTypes()


@lru_cache(maxsize=4096)
def _kind(extension: str) -> str:
    """Return what an extension says of a file: ``type`` or ``other``; "" for an unknown one."""
    lower = extension.lower()
    if _LANGUAGE.fullmatch(lower) or lower in _COMPRESSIONS or lower in _CHARSETS:
        return "other"
    name = f"x.{lower}"
    if lower == "var" or type_of_name(name) is not None or _types().guess_type(name)[0]:
        return "type"
    return "other" if known(lower) else ""
