"""The entries of one folder: on this machine, on a server, or in a container."""

import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import listed_at
from linkfix.files.local import unreadable
from linkfix.files.paths import Listed, join, split_packed

#: What a walk meets.
EntryKind = Literal["file", "folder", "symbolic link", "special file"]


class Entry(NamedTuple):
    """One entry of a folder tree.

    Attributes:
        path: of the entry.
        relative: its path from the root of the walk, with slashes; interned, since several tables have it as their key.
        kind: its kind; a symbolic link is not followed.
        size: in bytes, of a remote file, and of one in a container; None if it has to be asked for.

    """

    path: str
    relative: str
    kind: EntryKind
    size: int | None = None


class Tally:
    """The files that a walk passed over.

    Attributes:
        passed: how many of each reason: ``symbolic link``, ``special file``, ``hidden``, ``excluded``, ``no
            document``, and ``temporary`` for the files of a killed run.
        errors: folders and files that cannot be read, patterns that match nothing.
        is_tree: whether any of the paths was a folder or a pattern.
        json: the files (`linkfix.files.tree.Found`) that are JSON without links, as far as their names and members say.

    """

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        self.errors: list[LinkfixError] = []
        self.is_tree = False
        self.json: list[Any] = []


def entries_in(root: str, tally: Tally) -> Callable[[str, str], list[Entry]]:
    """Return the function for the entries of a folder below a root, by name.

    Its arguments are the path of the folder, and its path from the root with a slash at the end; "" for the root.

    Args:
        root: a folder, or a container as one; "" for the current folder.
        tally: records errors, and what in a container is no file.

    """
    try:
        if (there := listed_at(root)) is None:
            return partial(_entries, tally)
        found, place = there
        if found is None or found.object is not None:
            raise UnreadableError("there is no such folder", file=root)
        if (packed := split_packed(root)) is not None:
            from linkfix.files.packed import container_at

            tally.passed["special file"] += container_at(packed[0]).strange
        elif found.strange:
            why = f"{len(found.strange):,} of the names there are no paths of files, such as {found.strange[0]!r}"
            hint = "rename these objects; they were passed over"
            tally.errors.append(UnreadableError(why, hint=hint, file=root))
        return partial(_listed_entries, root, found, f"{place}/" if place else "")
    except LinkfixError as error:
        tally.errors.append(error)
        return lambda *_: []


def _listed_entries(root: str, found: Listed, above: str, _: str, prefix: str) -> list[Entry]:
    """Return the entries of a folder in a listing, by name; the root is at a path in it."""
    folders = found.folders.get(above + prefix, ())
    rows: list[tuple[str, EntryKind, int | None]]
    rows = [(prefix + name, "folder", None) for name in folders]
    files = found.files.get(above + prefix, {}).items()
    rows += [(prefix + name, "file", size) for name, (size, _) in files]
    rows.sort(key=itemgetter(0, 1))
    return [Entry(join(root, name), sys.intern(name), kind, size) for name, kind, size in rows]


def _entries(tally: Tally, folder: str, prefix: str) -> list[Entry]:
    """Return the entries of a folder, by name."""
    try:
        with os.scandir(folder or os.curdir) as found:
            entries = [
                Entry(os.path.join(folder, each.name), sys.intern(prefix + each.name), _kind(each))  # noqa: PTH118 - bytes of names are kept as they are
                for each in found
            ]
    except OSError as error:
        tally.errors.append(unreadable(folder or os.curdir, "cannot read this folder", error))
        return []
    return sorted(entries, key=lambda entry: entry.relative)


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    if entry.is_symlink():
        return "symbolic link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "special file"
