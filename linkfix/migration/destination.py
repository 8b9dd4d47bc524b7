"""The folder of the new tree: check that it can be one, and create its links and folders."""

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from linkfix.errors import JournalError, MigrationError, UnreadableError
from linkfix.files.access import exists, is_folder, make_folder, place_in
from linkfix.files.commit import umask
from linkfix.files.journal import NAME as JOURNAL
from linkfix.files.journal import Journal, journal_of
from linkfix.files.paths import OWN_PREFIX, has_status, is_remote, join, real, relative
from linkfix.migration.renames import Moves

#: What is made to find out how a file system compares names; a run that was killed leaves it, the next removes it.
PROBE = f"{OWN_PREFIX}probe-\u00e9.tmp"


def check_folders(source: str, target: str, *, resume: bool) -> None:
    """Refuse folders that cannot be migrated from and to.

    Raises:
        UnreadableError: the old tree is no folder.
        MigrationError: the trees are in each other, or the new one is there already.

    """
    if not is_folder(source):
        raise UnreadableError("this is no folder", hint="name the folder of the site", file=source)
    old, new = real(source), real(target)
    if relative(old, new) is not None or relative(new, old) is not None:
        raise MigrationError(
            "the new tree and the old one may not be in each other",
            hint="name a folder beside the old one",
            file=target,
        )
    if not exists(new):
        return
    if not is_folder(new):
        raise MigrationError("this is no folder", hint="name another", file=target)
    if not resume and not is_empty(new):
        unfinished = journal_place(target).exists()
        raise MigrationError(
            "the last migration into this folder is not finished"
            if unfinished
            else "this folder is not empty",
            hint="go on with it with --resume" if unfinished else "name a new one",
            file=target,
        )


def journal_place(target: str) -> Path:
    """Return the path of the journal of a migration: in the new tree, in the current folder if that is remote."""
    return journal_of(target) if is_remote(target) else Path(target, JOURNAL)


def is_empty(folder: str) -> bool:
    """Return whether a folder has no files but linkfix's own."""
    if not is_remote(folder):
        return all(path.name == PROBE for path in Path(folder).iterdir())
    from linkfix.files.remote.listings import listed

    found = listed(folder)
    return found is None or not (found.files or found.strange)


def folds_names(folder: str) -> bool:
    """Return whether a file system ignores differences of names in case, or in Unicode composition.

    Args:
        folder: on the file system; it is created if it is missing.

    Raises:
        UnreadableError: it cannot be created.

    """
    if is_remote(folder):
        return False
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


def check_done(journal: Journal, places: Iterable[str]) -> None:
    """Refuse to resume a run that has written files which are not to be in the new tree any more.

    Raises:
        JournalError: there are such files.

    """
    for place in journal.done_besides(places):
        raise JournalError(
            "the unfinished run has written this, which is not in the old tree any more, or has another name",
            hint="remove the new tree to begin anew",
            file=place,
        )


def make_folders(moves: Moves, target: str) -> None:
    """Make the folders of the new tree, which nobody else can enter before they are finished; none of a remote one.

    Raises:
        UnreadableError: one cannot be made.

    """
    if is_remote(target):
        return
    with contextlib.suppress(OSError):
        Path(target, PROBE).unlink()
    for path, entry in moves.listing.entries.items():
        if entry.kind == "folder":
            place = Path(place_in(target, moves.path(path)))
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


def finish_folders(moves: Moves, target: str) -> Iterator[UnreadableError]:
    """Create the symbolic links, and copy the modes and times of folders, none of which a remote tree has; yield the errors."""
    folders = [""]
    for path, entry in moves.listing.entries.items():
        if entry.kind == "folder":
            folders.append(path)
        elif entry.kind == "symbolic link" and entry.target is not None:
            if is_remote(target):
                yield UnreadableError(
                    f"a symbolic link to {moves.path(entry.target) or 'the root'}, which a remote folder cannot have",
                    hint="copy its target there, or redirect requests",
                    file=join(target, moves.path(path)),
                )
                continue
            place = Path(place_in(target, moves.path(path)))
            here = os.path.dirname(moves.path(path)) or os.curdir  # noqa: PTH120 - bytes in names
            try:
                place.unlink(missing_ok=True)
                place.symlink_to(os.path.relpath(moves.path(entry.target) or os.curdir, here))
            except OSError as error:
                yield _failure("cannot make this symbolic link", place, error)
    for path in () if is_remote(target) else reversed(folders):
        new = moves.path(path)
        place = Path(place_in(target, new)) if new else Path(target)
        if not has_status(moves.listing.root):
            with contextlib.suppress(OSError):
                place.chmod(0o777 & ~umask())
            continue
        try:
            shutil.copystat(Path(moves.listing.root, path), place, follow_symlinks=False)
        except OSError as error:
            yield _failure("cannot set mode and time of this folder", place, error)


def _failure(what: str, place: Path, error: OSError) -> UnreadableError:
    return UnreadableError(
        f"{what}: {error.strerror}", hint="check permissions and space", file=str(place)
    )
