"""Open documents, and replace them whole or not at all.

A path is one of this machine, or the URL of a remote file (`linkfix.files.paths`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedWriter, BytesIO, RawIOBase
from itertools import takewhile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.local import decoded, encoded, failing, finish, open_local, unreadable
from linkfix.files.paths import OWN_PREFIX, Listed, is_own, is_remote, join, split_packed

if TYPE_CHECKING:
    from linkfix.files.commit import Group
    from linkfix.files.journal import Task
    from linkfix.jobs.wire import Event

#: How many bytes are read at a time.
CHUNK = 256 * 1024
#: Up to how many bytes a file is read at once.
SMALL = 1024 * 1024


def open_document(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a document to read its bytes; those in the file of a compressed one are decompressed.

    Raises:
        UnreadableError: it is missing, is a folder, or may not be read.

    """
    name = os.fspath(path)
    file = open_file(name)
    with failing(name):
        return decoded(file, name, owned=True)


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read its bytes as they are; the errors are those of `open_document`."""
    name = os.fspath(path)
    if is_remote(name):
        from linkfix.files.remote.systems import open_remote

        return open_remote(name)
    if (packed := split_packed(name)) is not None:
        from linkfix.files.packed import open_member

        return open_member(*packed)
    return open_local(name)


def name_of(source: object) -> str:
    """Return the name of an open file; "" for one without a name."""
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


def size_of(source: BinaryIO) -> int | None:
    """Return the size in bytes of an open file; None for anything but a regular or a remote file of plain bytes."""
    if hasattr(source, "made_as"):  # its bytes are decoded
        return None
    size = getattr(source, "size", None)
    if isinstance(size, int):
        return size
    try:
        status = os.fstat(source.fileno())
    except (OSError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def content(source: BinaryIO) -> bytes | None:
    """Return the bytes of a small file; None for a large one, and for anything but a file.

    Raises:
        UnreadableError: a read failed.

    """
    with failing(name_of(source)):
        if not isinstance(source, BytesIO):
            size = size_of(source)
            if size is None or size > SMALL:
                return None
        return source.read()


def document_bytes(path: str) -> bytes:
    """Return the bytes of a document, unpacked.

    Raises:
        UnreadableError: it cannot be read.

    """
    with open_document(path) as file:
        return b"".join(chunks(file))


def begin_of(path: str, most: int) -> bytes:
    """Return the first bytes of a file, at most so many; a remote one is read in another process.

    Raises:
        UnreadableError: it cannot be read.

    """
    return cast("bytes", read_by(path, lambda file: file.read(most)))


def read_by(path: str, read: Callable[[BinaryIO], Event]) -> Any:
    """Return what a function makes of an open file; a remote one is read in another process.

    Raises:
        UnreadableError: it cannot be read.

    """
    if is_remote(path):
        from linkfix.files.remote.listings import read_apart

        return read_apart(path, read)
    with open_document(path) as file, failing(path):
        return read(file)


def _waits(source: BinaryIO) -> bool:
    """Return whether a read of a file waits for bytes."""
    try:
        return os.get_blocking(source.fileno())
    except (AttributeError, OSError):  # it is no file of the system
        return True


@contextlib.contextmanager
def whole(sink: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield a file that writes all that it is given, to a sink that may write less: a raw file of Python."""
    if not isinstance(sink, RawIOBase):
        yield sink
        return
    buffered = BufferedWriter(sink)
    try:
        yield buffered
    finally:
        buffered.detach()


def chunks(source: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file in chunks.

    Raises:
        UnreadableError: a read failed.

    """
    # read1 returns the available bytes, so that a pipe flows.
    read = getattr(source, "read1", source.read)
    while True:
        with failing(name_of(source)):
            data = read(CHUNK)
            raw = getattr(source, "raw", None)
            # `read1` returns b"" at the end, and where no bytes are there yet.
            if not data and raw is not None and not _waits(raw):
                data = raw.read(CHUNK)
            if data is None:
                raise BlockingIOError(errno.EAGAIN, "it does not wait for its bytes")
        if not data:
            return
        yield data


def parted(source: BinaryIO, name: str) -> LinkfixError | None:
    """Return what to say of a document that is about to be replaced; None for one without other hard links."""
    if split_packed(name) or os.fstat(source.fileno()).st_nlink == 1:
        return None
    what = "it was one of several hard links; the others keep the old bytes"
    return LinkfixError(what, hint="link them anew: ln -f", file=name)


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Refuse a document that is never replaced in place, before it is opened: to open a named pipe would wait for its writer.

    Raises:
        UnreadableError: it is remote, or a device or another special file.

    """
    name = os.fspath(path)
    if is_remote(name):
        hint = "write the new one to another folder: linkfix rewrite -o"
        raise UnreadableError("a remote file is not replaced in place", hint=hint, file=name)
    if is_special(name):
        why = "it is not a regular file, so it cannot be replaced"
        raise UnreadableError(why, hint="read it from standard input instead", file=name)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str],
    *,
    within: str = "",
    backup: str = "",
    steps: Task | None = None,
    group: Group | None = None,
) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a document, and a new file that replaces it at the end of the block.

    The new bytes are written to a temporary file in the same folder, which is synchronized and renamed over the
    document. So the document has the old bytes or the new ones at every moment. Mode, owner and extended attributes
    stay. A symbolic link stays, and its target is replaced. If the block raises, or writes nothing, the document
    stays as it was, and no file is left.

    Args:
        path: of the document.
        within: the folder whose walk has found it, where neither it nor a folder above it was a symbolic link, and each may have
            become one; "" for a document that may be one.
        backup: the suffix of the backup's name; "" for no backup. An existing backup is never replaced.
        steps: records each step in advance; None for no record.
        group: the group with which the new file is committed; None to commit at the end of the block.

    Raises:
        UnreadableError: the document cannot be read or replaced, is read-only, or changed meanwhile, or another
            backup exists.

    """
    name = os.fspath(path)
    check_replaceable(name)
    with open_document(path) as source:
        before = None if split_packed(name) else os.fstat(source.fileno())
        if within and (link := _link_above(Path(name), Path(within))):
            what = "it" if link == Path(name) else f"the folder {link}"
            why = f"{what} has become a symbolic link; what it points to was left as it is"
            raise UnreadableError(why, hint="run linkfix again", file=name)
        with creating(name, before, like=source, backup=backup, steps=steps, group=group) as sink:
            yield source, sink


def _link_above(path: Path, within: Path) -> Path | None:
    """Return a path, or a folder above it in the folder `within`, that is a symbolic link; None for none.

    Whatever becomes one later has another file there, as the commit finds out.
    """
    above = path.parents
    folders = takewhile(within.__ne__, above) if within in above else ()
    return next((each for each in (path, *folders) if each.is_symlink()), None)


@contextlib.contextmanager
def creating(
    path: str | os.PathLike[str],
    before: os.stat_result | None = None,
    *,
    like: BinaryIO | None = None,
    mode: int | None = None,
    follow: bool = True,
    backup: str = "",
    steps: Task | None = None,
    group: Group | None = None,
) -> Iterator[BinaryIO]:
    """Open a new file that is committed at `path` at the end of the block, whole or not at all.

    Args:
        path: of the new file; of a remote one the other arguments but `steps` and `group` do not matter.
        before: the status of the old file when it was read. Its attributes are kept. The old file stays if it changed
            since, or if the block writes nothing.
        like: the open document that it is made of, for its codec; None for plain bytes.
        mode: permissions of a new file; None for the umask's.
        follow: whether to follow a symbolic link at `path`; otherwise the file replaces the link.
        backup: the suffix of the backup's name; "" for no backup.
        steps: records each step in advance; None for no record.
        group: the group with which the file is committed; None to commit at the end of the block.

    Raises:
        UnreadableError: it cannot be written, or is a device or another special file, which is never replaced.

    """
    from linkfix.files.commit import Group, LateFile, NewFile, NewObject

    name = os.fspath(path)
    new = NewObject(name, steps)
    try:
        is_link = Path(name).is_symlink()
        is_special_file = before is None and not is_remote(name) and is_special(name)
        if is_special_file and (follow or not is_link):
            raise UnreadableError(
                "it is a device or another special file, which must not be replaced",
                hint="name a regular file",
                file=name,
            )
        if is_remote(name):
            from linkfix.files.remote.systems import upload

            new.put = partial(upload, name)
        elif (packed := split_packed(name)) is not None:
            from linkfix.files.packed import changes_of

            new.put = partial(changes_of(packed[0]).add, packed[1])
        else:
            # It stays right if the working folder changes.
            target = Path(os.path.realpath(name)) if follow and is_link else Path.cwd() / name
            kept = target.with_name(target.name + backup)
            back_up = partial(_back_up, target, kept, name) if backup else None
            new = NewFile(name, steps, target=target, before=before, back_up=back_up)
        with LateFile(new.make) as late:
            sink = encoded(cast("BinaryIO", late), like)
            yield cast("BinaryIO", sink)
            finish(sink)
            is_written = before is None or late.tell() > 0
            if is_written:
                late.release()
        if not is_written:
            new.discard()
            return
        new.finish(mode)
        if group is not None:
            group.add(new)
            return
        alone = Group()
        alone.add(new)
        for error in alone.commit():
            if error is not None:
                raise error
    except BaseException as error:
        new.discard()
        if isinstance(error, OSError):
            raise unreadable(name, "cannot write it", error) from error
        raise


def place_in(folder: str | os.PathLike[str], relative: str) -> Path | str:
    """Return the path for a new file inside a folder, for `creating` with ``follow=False``; make the folders that it is in.

    Args:
        folder: of this machine, or the URL of a remote one, which comes with its files.
        relative: the path of the file from there, with slashes.

    Raises:
        UnreadableError: the path has ``..`` or other segments that are no names, leaves the folder by a symbolic
            link, or is one of linkfix's own files, or the folders cannot be created.

    """
    if any(step in {"", ".", ".."} or "\0" in step for step in relative.split("/")):
        raise UnreadableError(
            f"this path could lead out of {os.fspath(folder)}",
            hint="nothing was written for it",
            file=relative,
        )
    if is_own(relative):
        raise UnreadableError(
            f"linkfix keeps names that begin with {OWN_PREFIX} for its own files",
            hint="call it otherwise; nothing was written for it",
            file=relative,
        )
    if is_remote(os.fspath(folder)):
        return join(os.fspath(folder), relative)
    *folders, last = relative.split("/")
    root = Path(os.path.realpath(folder))
    make_folder(root)
    place = root
    for step in folders:
        place /= step
        with failing(str(place), "cannot make this folder"):
            place.mkdir(exist_ok=True)
            if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(root):
                raise UnreadableError(
                    f"a symbolic link leads out of {os.fspath(folder)}",
                    hint="remove the link; nothing was written for it",
                    file=str(place),
                )
    return place / last


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those that it is in, where they are missing; a remote one comes with its files.

    Raises:
        UnreadableError: that fails, for instance because there is a file of its name.

    """
    if is_remote(os.fspath(path)):
        return
    with failing(os.fspath(path), "cannot make this folder"):
        Path(path).mkdir(parents=True, exist_ok=True)


def listed_at(path: str) -> tuple[Listed | None, str] | None:
    """Return the files on a server or in a container, and where a path is among them; None for a path of this machine.

    Returns:
        The files, None where nothing is there; and the path from their root, "" for a URL.

    Raises:
        UnreadableError: the server cannot be asked, or the container cannot be read.

    """
    if is_remote(path):
        from linkfix.files.remote.listings import listed

        return listed(path), ""
    if (packed := split_packed(path)) is None:
        return None
    from linkfix.files.packed import listed_in

    return listed_in(packed[0]), packed[1]


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a folder; False if the system or a server cannot say, as for a name that is too long."""
    with contextlib.suppress(LinkfixError, OSError, ValueError):
        if (there := listed_at(os.fspath(path))) is None:
            return stat.S_ISDIR(Path(path).stat().st_mode)
        return there[0] is not None and there[0].has_folder(there[1])
    return False


def exists(path: str) -> bool:
    """Return whether there is something at a path, a symbolic link to nothing included; True if a server cannot say."""
    try:
        if (there := listed_at(path)) is None:
            return os.path.lexists(path)
    except UnreadableError:
        if is_remote(path):
            return True
        raise
    found, place = there
    return found is not None and (found.find(place) is not None or found.has_folder(place))


def is_special(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a device, a named pipe or a socket, which is written and never replaced."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _back_up(target: Path, backup: Path, name: str) -> None:
    """Let the bytes that are about to be replaced keep another name."""
    import filecmp
    import shutil

    if os.path.lexists(backup):
        # A run that was killed may have made it; one with other bytes is an earlier one.
        if not filecmp.cmp(target, backup, shallow=False):
            raise UnreadableError(
                f"an earlier backup is in the way, {backup.name}; the file was left as it is",
                hint="move the backup away, or name another suffix",
                file=name,
            )
        return
    try:
        os.link(target, backup)
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS}:
            raise
        # There are no hard links here.
        with target.open("rb") as source, creating(backup, follow=False) as copy:
            shutil.copyfileobj(source, copy)
        shutil.copystat(target, backup)
