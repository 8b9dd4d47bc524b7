"""Containers as folders: ``book.epub!/OPS/a.xhtml`` is the path of a member, ``book.epub!`` that of the folder.

Input: paths of this machine. The containers that were read last stay open until their files change; each process opens its own, so
that no two use one file offset. A file or folder that has such a path itself is read as what it is.
In a block of `repacked` the members of a container are replaced and renamed as files are; the new container is written at its end.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Iterator
from functools import lru_cache
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from linkfix.containers import Changes, Container, opened
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.local import decoded, failing, open_local
from linkfix.files.paths import MARK, Listed, Object, split_packed
from linkfix.files.system import identity


def container_at(path: str) -> Container:
    """Return the container in a file.

    Raises:
        LinkfixError: it cannot be read, or is damaged.

    """
    packed = split_packed(path)
    return _opened(path, packed, _state(path, packed), os.getpid())


def _state(path: str, packed: tuple[str, str] | None) -> tuple[int, ...]:
    """Return numbers that differ if a container does, which `packed` says what it is in; the last is the time of its last change."""
    with failing(path):
        return (*identity(os.stat(path if packed is None else packed[0])),)  # noqa: PTH116 - names that Path would change


@lru_cache(maxsize=4)
def _opened(
    path: str, packed: tuple[str, str] | None, _state: tuple[int, ...], _process: int
) -> Container:
    with failing(path), contextlib.ExitStack() as stack:
        file = open_local(path) if packed is None else open_member(*packed)
        container = opened(decoded(stack.enter_context(file), path), path)
        weakref.finalize(container, stack.pop_all().close)
        return container


def open_member(path: str, member: str) -> BinaryIO:
    """Open a file in a container.

    Raises:
        LinkfixError: it is missing, or cannot be read.

    """
    name = f"{path}{MARK}{member}"
    try:
        with failing(name):
            return container_at(path).open(member)
    except KeyError:
        pass
    except LinkfixError as error:
        error.file = name
        raise
    raise UnreadableError("the container has no such file", hint="check the name", file=name)


def container_of(path: str) -> tuple[Container, str] | None:
    """Return the container that a path is in, and the path there; None for any other path.

    Raises:
        LinkfixError: the container cannot be read, or is damaged.

    """
    packed = split_packed(path)
    return None if packed is None else (container_at(packed[0]), packed[1])


def check_changeable(path: str, *, signed: bool) -> None:
    """Refuse to change a file in a container that is signed or encrypted, or in another one that is.

    Args:
        path: of any file.
        signed: whether signatures may become invalid.

    Raises:
        LinkfixError: the container may not be changed.

    """
    while (packed := split_packed(path)) is not None:
        path = packed[0]
        with failing(path):
            container_at(path).check_changeable(signed=signed)


def listed_in(path: str) -> Listed:
    """Return the files and folders in a container.

    Raises:
        LinkfixError: it cannot be read, or is damaged.

    """
    return _listing(container_at(path), _state(path, split_packed(path))[-1])


@lru_cache(maxsize=4)
def _listing(container: Container, time: int) -> Listed:
    found = Listed()
    for name, size in container.sizes.items():
        found.add(name, Object(size, time))
    return found


#: The changes that wait for their container, by its path.
_waiting: dict[str, Changes] = {}


@contextlib.contextmanager
def repacked(path: str, sink: IO[bytes], *, signed: bool = False) -> Iterator[Changes]:
    """Write a container anew at the end of the block, with what was changed in it meanwhile.

    In the block, in this process, `linkfix.files.access.replacing` replaces its members.

    Args:
        path: of the container.
        sink: where the new one is written to; nothing is written without a change.
        signed: whether signatures may become invalid.

    Raises:
        LinkfixError: it is damaged, or may not be changed.

    """
    changes = _begun(path, signed=signed)
    try:
        yield changes
        for inner in [each for each in _waiting if each.startswith(path + MARK)]:
            with TemporaryFile() as file:
                _write(inner, file)
                changes.add(inner.removeprefix(path + MARK), file)
        _write(path, sink)
    finally:
        for each in [x for x in _waiting if f"{x}!/".startswith(path + MARK)]:
            _waiting.pop(each).close()


def _begun(path: str, *, signed: bool) -> Changes:
    with failing(path):
        container_at(path).check_changeable(signed=signed)
    _waiting[path] = Changes(signed=signed)
    return _waiting[path]


def _write(path: str, sink: IO[bytes]) -> None:
    for piece in _copied(path):
        sink.write(piece)


def _copied(path: str) -> Iterator[bytes]:
    """Yield the octets of a container with its changes; an error is one of reading it."""
    with failing(path):
        yield from container_at(path).copy(_waiting[path])


def changes_of(path: str) -> Changes:
    """Return the changes that wait for a container, or begin with those of one that is in such a container.

    Raises:
        LinkfixError: it is not written anew, or may not be changed.

    """
    if path in _waiting:
        return _waiting[path]
    outer = split_packed(path)
    if outer is None or outer[0] not in _waiting:
        raise UnreadableError(
            "a file in a container is not replaced by itself",
            hint="rewrite the container: linkfix rewrite -i",
            file=path,
        )
    return _begun(path, signed=_waiting[outer[0]].signed)
