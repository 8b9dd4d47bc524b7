"""The folder of the new tree: check that it can be one, and create its links and folders."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.errors import MigrationError, UnreadableError
from linkfix.site.files import inside, make_folder
from linkfix.site.journal import NAME as JOURNAL
from linkfix.site.names import OWN_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.site.renames import Moves

__all__ = ["PROBE", "check_folders", "finish_folders", "folds_names", "make_folders"]

#: What is made to find out how a file system compares names; a run that was killed leaves it, the next removes it.
PROBE = f"{OWN_PREFIX}probe-\u00e9.tmp"


def check_folders(source: str, target: str, *, resume: bool) -> None:
    """Refuse folders that cannot be migrated from and to.

    Raises:
        UnreadableError: the old tree is no folder.
        MigrationError: the trees are in each other, or the new one is there already.

    """
    old, new = Path(os.path.realpath(source)), Path(os.path.realpath(target))
    if not old.is_dir():
        raise UnreadableError("this is no folder", hint="name the folder of the site", file=source)
    if old == new or old in new.parents or new in old.parents:
        raise MigrationError(
            "the new tree and the old one may not be in each other",
            hint="name a folder beside the old one",
            file=target,
        )
    if not new.exists():
        return
    if not new.is_dir():
        raise MigrationError("this is no folder", hint="name another", file=target)
    if not resume and any(path.name != PROBE for path in new.iterdir()):
        unfinished = Path(new, JOURNAL).exists()
        raise MigrationError(
            "the last migration into this folder is not finished"
            if unfinished
            else "this folder is not empty",
            hint="go on with it with --resume" if unfinished else "name a new one",
            file=target,
        )


def folds_names(folder: str) -> bool:
    """Return whether a file system ignores differences of names in case, or in Unicode composition.

    Args:
        folder: on the file system; it is created if it is missing.

    Raises:
        UnreadableError: it cannot be created.

    """
    make_folder(folder)
    probe = Path(folder, PROBE)
    with contextlib.suppress(OSError):
        probe.touch()
        try:
            others = ("PROBE-\u00e9", "probe-e\u0301")
            return any(Path(folder, f"{OWN_PREFIX}{name}.tmp").exists() for name in others)
        finally:
            probe.unlink(missing_ok=True)
    return False


def make_folders(moves: Moves, target: str) -> None:
    """Make the folders of the new tree, which nobody else can enter before they are finished.

    Raises:
        UnreadableError: one cannot be made.

    """
    with contextlib.suppress(OSError):
        Path(target, PROBE).unlink()
    for path, entry in moves.listing.entries.items():
        if entry.kind == "folder":
            place = inside(target, moves.plan.path(path))
            if place.is_symlink():
                raise UnreadableError(
                    "a symbolic link stands where a folder is to be",
                    hint="remove the link; nothing was written behind it",
                    file=str(place),
                )
            try:
                place.mkdir(exist_ok=True)
                place.chmod(0o700)
            except OSError as error:
                raise _failure("cannot make this folder", place, error) from error


def finish_folders(moves: Moves, target: str) -> list[UnreadableError]:
    """Create the symbolic links, and copy the modes and times of folders.

    Returns:
        The errors.

    """
    return list(_finish(moves, target))


def _finish(moves: Moves, target: str) -> Iterator[UnreadableError]:
    folders = [""]
    for path, entry in moves.listing.entries.items():
        if entry.kind == "folder":
            folders.append(path)
        elif entry.kind == "link" and entry.leads is not None:
            place = inside(target, moves.plan.path(path))
            here = os.path.dirname(moves.plan.path(path)) or os.curdir  # noqa: PTH120 - bytes in names
            try:
                place.unlink(missing_ok=True)
                place.symlink_to(os.path.relpath(moves.plan.path(entry.leads) or os.curdir, here))
            except OSError as error:
                yield _failure("cannot make this symbolic link", place, error)
    for path in reversed(folders):
        new = moves.plan.path(path)
        place = inside(target, new) if new else Path(target)
        try:
            shutil.copystat(Path(moves.listing.root, path), place, follow_symlinks=False)
        except OSError as error:
            yield _failure("cannot set mode and time of this folder", place, error)


def _failure(what: str, place: Path, error: OSError) -> UnreadableError:
    return UnreadableError(
        f"{what}: {error.strerror}", hint="check permissions and space", file=str(place)
    )
