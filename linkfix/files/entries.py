"""The entries of one folder: on this machine, on a server, or in a container."""

import os
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.paths import is_remote, join, split_packed


class EntryKind(StrEnum):
    """What a walk meets."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "symbolic link"
    SPECIAL = "special file"


class Entry(NamedTuple):
    """One entry of a folder tree.

    Attributes:
        path: of the entry.
        relative: its path from the root of the walk, with slashes.
        kind: its kind; a symbolic link is not followed.
        size: of a remote file in bytes; None if it has to be asked for.

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

    """

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        self.errors: list[LinkfixError] = []


def entries_in(root: str, tally: Tally) -> Callable[[str, str], list[Entry]]:
    """Return the function for the entries of a folder below a root, by name.

    Its arguments are the path of the folder, and its path from the root with a slash at the end; "" for the root.

    Args:
        root: a folder, or a container as one; "" for the current folder.
        tally: records errors, and what in a container is no file.

    """
    if is_remote(root):
        return _remote_entries(root, tally)
    packed = split_packed(root)
    return partial(_entries, tally) if packed is None else _packed_entries(root, *packed, tally)


def _remote_entries(root: str, tally: Tally) -> Callable[[str, str], list[Entry]]:
    """Ask a server for a folder; return the function for the entries of one folder in it."""
    from linkfix.files.remote.listings import listed

    try:
        found = listed(root)
    except UnreadableError as error:
        tally.errors.append(error)
        return lambda *_: []
    if found is None or found.object is not None:
        tally.errors.append(UnreadableError("there is no such folder", file=root))
        return lambda *_: []
    if found.strange:
        tally.errors.append(
            UnreadableError(
                f"{len(found.strange):,} of the names there are no paths of files, such as {found.strange[0]!r}",
                hint="rename these objects; they were passed over",
                file=root,
            )
        )

    def entries(_: str, prefix: str) -> list[Entry]:
        folders = found.folders.get(prefix, ())
        rows: list[tuple[str, EntryKind, int | None]]
        rows = [(prefix + name, EntryKind.FOLDER, None) for name in folders]
        files = found.files.get(prefix, {}).items()
        rows += [(prefix + name, EntryKind.FILE, size) for name, (size, _) in files]
        rows.sort(key=itemgetter(0, 1))
        return [Entry(join(root, name), name, kind, size) for name, kind, size in rows]

    return entries


def _packed_entries(
    root: str, path: str, folder: str, tally: Tally
) -> Callable[[str, str], list[Entry]]:
    """Read a container; return the function for the entries of one folder in it."""
    from linkfix.files.packed import container_at, folder_at, folders_of

    try:
        found = folder_at(folders_of(path), folder) or {}
        tally.passed[EntryKind.SPECIAL] += container_at(path).strange
    except LinkfixError as error:
        tally.errors.append(error)
        return lambda *_: []

    def entries(_: str, prefix: str) -> list[Entry]:
        inside = folder_at(found, prefix) or {}
        kinds = {int: EntryKind.FILE, dict: EntryKind.FOLDER}
        rows = ((prefix + name, kinds[type(inside[name])]) for name in sorted(inside))
        return [Entry(join(root, name), name, kind) for name, kind in rows]

    return entries


def _entries(tally: Tally, folder: str, prefix: str) -> list[Entry]:
    """Return the entries of a folder, by name."""
    try:
        with os.scandir(folder or os.curdir) as found:
            entries = [
                Entry(os.path.join(folder, each.name), prefix + each.name, _kind(each))  # noqa: PTH118 - bytes of names are kept as they are
                for each in found
            ]
    except OSError as error:
        tally.errors.append(
            UnreadableError(
                f"cannot read this folder: {error.strerror}",
                hint="check its permissions",
                file=folder or os.curdir,
            )
        )
        return []
    return sorted(entries, key=lambda entry: entry.relative)


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    if entry.is_symlink():
        return EntryKind.LINK
    if entry.is_dir(follow_symlinks=False):
        return EntryKind.FOLDER
    return EntryKind.FILE if entry.is_file(follow_symlinks=False) else EntryKind.SPECIAL
