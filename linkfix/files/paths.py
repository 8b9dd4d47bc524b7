"""Paths of files on this machine, and URLs of remote ones: which is which, and how they are joined and compared.

A path is *remote* if it begins with a scheme that fsspec knows, and ``://``; every other path is one of this machine,
and `./` before a name makes it one. A URL of a file system inside of an archive has the URL or path of the archive
after ``::`` (``zip://folder/page.html::s3://bucket/site.zip``). Of all other URLs ``::`` is an ordinary part, since names
of objects have it, and nobody knows who made them. A file
in a container of this machine has the path of that, ``!/``, and its own (``book.epub!/OPS/a.xhtml``). These functions ask no
server, and no disk but `real` and those of containers.
"""

import os
import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from linkfix.deferred import pattern
from linkfix.markup.detect import container_kind, file_name

#: The schemes of file systems in archives.
ARCHIVES = frozenset({"zip", "tar", "libarchive"})
#: The schemes of files that no server lists.
UNLISTED = frozenset({"http", "https"})
#: What is between the path of a container and that of a file in it.
MARK = "!/"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


@lru_cache(maxsize=1024)
def is_remote(path: str) -> bool:
    """Return whether a path is the URL of a remote file or folder."""
    return bool(scheme_of(path))


@lru_cache(maxsize=1024)
def scheme_of(path: str) -> str:
    """Return the scheme of a remote path in lower case; "" for a path on this machine."""
    match = _SCHEME.match(path)
    if match is None:
        return ""
    scheme = match[1].lower()
    return scheme if _is_known(scheme) else ""


@cache
def _is_known(scheme: str) -> bool:
    """Return whether fsspec knows a scheme; True where fsspec is missing, so that its use can say so."""
    try:
        from fsspec.registry import known_implementations, registry
    except ModuleNotFoundError:
        return True
    return scheme in known_implementations or scheme in registry


def split(url: str) -> tuple[str, str]:
    """Split a remote path into the part with its own names, and ``::`` with the archive that it is in, or ""."""
    if scheme_of(url) not in ARCHIVES:
        return url, ""
    head, mark, archive = url.rpartition("::")
    return (head, mark + archive) if mark else (url, "")


def is_container(path: str) -> bool:
    """Return whether a path is that of a container: a file of this machine, or in a container, with the extension of one.

    Where there is a file or folder with the path that its files would be in, it is none.
    """
    if not container_kind(path) or is_remote(path):
        return False
    outer = path if (packed := split_packed(path)) is None else packed[0]
    return os.path.isfile(outer) and not os.path.lexists(outer + MARK[0])  # noqa: PTH113 - names that Path would change


def split_packed(path: str) -> tuple[str, str] | None:
    """Split a path into that of a container and the one of a file or folder in it, "" for the root; None for other paths."""
    text = f"{path}/"
    at = len(text)
    while (at := text.rfind(MARK, 0, at)) >= 0:
        if is_container(text[:at]):
            return text[:at], text[at + len(MARK) :].strip("/")
    return None


def file_of(path: str) -> str:
    """Return the path of the file that has a document: itself, or the container that is in no other."""
    while (packed := split_packed(path)) is not None:
        path = packed[0]
    return path


def has_status(path: str) -> bool:
    """Return whether a file has a status of its own: whether it is on this machine, and in no container."""
    return not is_remote(path) and split_packed(path) is None


def join(root: str, path: str) -> str:
    """Return the path of a file in a folder.

    Args:
        root: the folder.
        path: of the file from there, with slashes.

    """
    if not is_remote(root):
        return os.path.join(root, path)  # noqa: PTH118 - bytes of names are kept as they are
    head, archive = split(root)
    return f"{head if head.endswith('/') else head + '/'}{path}{archive}"


def relative(path: str, root: str) -> str | None:
    """Return the path of a file from a folder, with slashes; None if it is not in the folder."""
    if is_remote(path) != is_remote(root):
        return None
    if not is_remote(path):
        found = os.path.relpath(path, root)
        return None if found == os.pardir or found.startswith("../") else found
    (head, archive), (folder, other) = split(path), split(root)
    folder = folder if folder.endswith("/") else folder + "/"
    if archive != other or not f"{head}/".startswith(folder):
        return None
    return head[len(folder) :] or os.curdir


def absolute(path: str | os.PathLike[str]) -> str:
    """Return an absolute path, in which symbolic links stay; a remote one as it is."""
    name = os.fspath(path)
    return name if is_remote(name) else os.path.abspath(name)  # noqa: PTH100 - links stay


def real(path: str) -> str:
    """Return the one path of a file: without symbolic links, or the URL without a slash at its end."""
    if not is_remote(path):
        return os.path.realpath(path)
    head, archive = split(path)
    return (head if head.endswith("://") else head.rstrip("/")) + archive


def name_of(path: str) -> str:
    """Return the last name of a path; ``index.html`` for a URL of HTTP without one."""
    if not is_remote(path):
        return path.rpartition("/")[2]
    if scheme_of(path) in UNLISTED:
        return file_name(path) or "index.html"
    return split(path)[0].partition("://")[2].rstrip("/").rpartition("/")[2]


def parent(path: str) -> str:
    """Return the folder of a file, "" for the current one."""
    if not is_remote(path):
        return path.rpartition("/")[0]
    head, archive = split(path)
    scheme, _, rest = head.partition("://")
    folder = rest.partition("?")[0] if scheme_of(path) in UNLISTED else rest
    return f"{scheme}://{folder.rpartition('/')[0]}{archive}"


def common(folders: list[str]) -> str | None:
    """Return the folder that all folders are in; None where there is none, as for URLs of two servers."""
    if not any(map(is_remote, folders)):
        return os.path.commonpath([os.path.abspath(folder) for folder in folders])  # noqa: PTH100
    folder = real(folders[0])
    while not all(relative(each, folder) is not None for each in folders):
        above = parent(folder)
        if above in {folder, f"{scheme_of(folder)}://"}:
            return None
        folder = above
    return folder


# --- What is in a folder that is listed at once --------------------------------------------------


class Object(NamedTuple):
    """A file in a listing.

    Attributes:
        size: in bytes; 0 if unknown.
        version: a number that differs if the bytes do: of its entity tag, or the time of the last change.

    """

    size: int
    version: int


@dataclass(slots=True)
class Listed:
    """What a server says about a URL, or what is in a container.

    Attributes:
        object: the file at this URL; None for a folder.
        files: of a folder: by its path from there, "" or with a slash at the end, the files in it by name.
        folders: of a folder: by the same paths, the names of the folders in it.
        strange: names that no file on this machine can have, or that lead out of the folder.

    """

    object: Object | None = None
    files: dict[str, dict[str, Object]] = field(default_factory=dict)
    folders: dict[str, set[str]] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)

    def add(self, path: str, file: Object) -> None:
        """Add a file by its path from the folder, which the server has named."""
        names = path.split("/")
        if any(name in {"", ".", ".."} or "\0" in name for name in names):
            self.strange.append(path)
            return
        prefix = path[: len(path) - len(names[-1])]
        self.files.setdefault(prefix, {})[names[-1]] = file
        while prefix:
            above, _, name = prefix[:-1].rpartition("/")
            prefix = f"{above}/" if above else ""
            if name in (there := self.folders.setdefault(prefix, set())):
                break
            there.add(name)

    def has_folder(self, path: str) -> bool:
        """Return whether a path is that of a folder; "" for this one."""
        if not path:
            return self.object is None
        return f"{path}/" in self.files or f"{path}/" in self.folders

    def find(self, path: str) -> Object | None:
        """Return a file of the folder by its path, "" for this one; None if it is not there."""
        if not path:
            return self.object
        head, _, name = path.rpartition("/")
        return self.files.get(f"{head}/" if head else "", {}).get(name)


# --- The names of linkfix's own files in a tree: temporary files and journals ---------------------

#: What these names begin with.
OWN_PREFIX = ".linkfix-"
_TEMPORARY = pattern(rf"{re.escape(OWN_PREFIX)}[0-9a-f]{{16}}\.tmp")


def is_own(path: str) -> bool:
    """Return whether a name in a path is reserved for linkfix's own files, in any letter case."""
    return any(name.startswith(OWN_PREFIX) for name in path.lower().split("/"))


def is_temporary(name: object) -> bool:
    """Return whether a value is a file name that has the form of linkfix's temporary files."""
    return isinstance(name, str) and _TEMPORARY.fullmatch(name) is not None


def temporary_name() -> str:
    """Return a name for a temporary file that no other file has."""
    return f"{OWN_PREFIX}{os.urandom(8).hex()}.tmp"
