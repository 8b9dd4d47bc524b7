"""What differs between a folder and a revision of its git repository.

Input: folders, their documents, and the name of a revision. Output: the documents that differ, and the files that are gone,
each with its new path if it was renamed. The library dulwich reads the objects of the repository. No program is run: hooks,
filters, monitors and pagers that a repository configures have no effect, and its index is not read. Of its configuration only
the format is read. A repository is found, and may be made to stop whoever reads it: so a worker with limits of time and memory
reads it, and regular files only. A file is compared by the digest of its bytes, with the line ends of Windows as git stores
them. The cost is one pass over the documents.
"""

import contextlib
import hashlib
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any, cast

from linkfix.errors import LimitExceededError, LinkfixError, UnreadableError
from linkfix.files.access import SMALL, chunks, content, open_file
from linkfix.files.local import found_content
from linkfix.files.tree import NO_PART, Selection, walk
from linkfix.jobs.pool import run
from linkfix.jobs.wire import Event
from linkfix.jobs.worker import Limits
from linkfix.markup.detect import type_of_name

#: The type of a tree entry that is a file.
_FILE = stat.S_IFREG
#: How many pairs of files are compared by their content, so that an edited file is recognised after a renaming.
_MOST_PAIRS = 40_000
#: How much of the configuration of a repository is read, in bytes.
_LARGEST_CONFIG = 1024 * 1024
#: How similar two such files must be, in percent.
_SIMILAR = 50


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from a revision.

    Attributes:
        changed: real paths of documents that differ, or are new.
        gone: real paths of files that are not there any more, each with its new path; "" for none.
        messages: about what was not compared.

    """

    changed: frozenset[str] = frozenset()
    gone: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[str, ...] = ()

    def renamed(self) -> list[tuple[str, str]]:
        """Return the old and the new paths of what was renamed: of a folder where all of it was."""
        pairs: dict[tuple[str, str], None] = {}
        for path, to in self.gone.items():
            old, new = path, to
            # Steps up from both, as long as the old folder is gone as well.
            while new and os.path.basename(old) == os.path.basename(new):  # noqa: PTH119 - bytes in names
                above, beside = os.path.dirname(old), os.path.dirname(new)  # noqa: PTH120 - bytes in names
                if above == beside or os.path.lexists(above):
                    break
                old, new = above, beside
            if new:
                pairs[old, new] = None
        return [*pairs]


def changes_since(
    revision: str, folders: Iterable[str], documents: Mapping[str, int], limits: Limits
) -> Changes:
    """Compare folders with a revision of the repositories that they are in.

    Args:
        revision: as git names it: a commit, a branch, a tag, HEAD~2.
        folders: what is compared.
        documents: paths of the documents, each with its size in bytes; those outside of the folders are compared as well.
        limits: of the comparison, which is in a process of its own.

    Raises:
        LinkfixError: dulwich is not installed, there is no repository, or it has no such revision.
        UnreadableError: a file or the repository cannot be read.
        LimitExceededError: that takes too much time or memory.

    """

    def compare(_: None) -> Iterator[Event]:
        with _regular_files_only():
            found = _compared(revision, folders, documents)
        yield [[*found.changed], {**found.gone}, [*found.messages]]

    def weigh(_: None) -> int:
        return sum(documents.values())

    for _, events in run(compare, [None], jobs=1, weigh=weigh, limits=limits):
        for event in events:
            changed, gone, messages = cast("Any", event)
            return Changes(frozenset(changed), gone, tuple(messages))
    raise KeyboardInterrupt


@contextlib.contextmanager
def _regular_files_only() -> Iterator[None]:
    """Let this process open no pipes and devices, whatever library does it: some of them never end."""
    global _guarding  # noqa: PLW0603 - a process has one set of audit hooks
    if not _hooked:
        sys.addaudithook(_guard)
        _hooked.append(True)
    _guarding = True
    try:
        yield
    finally:
        _guarding = False


_hooked: list[bool] = []
_guarding = False


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _guarding or event != "open" or isinstance(arguments[0], int):
        return
    try:
        mode = os.stat(arguments[0]).st_mode  # noqa: PTH116 - bytes in names
    except (OSError, ValueError):  # opening it fails as well
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise UnreadableError("this is no regular file", file=os.fsdecode(arguments[0]))


def _compared(revision: str, folders: Iterable[str], documents: Iterable[str]) -> Changes:
    """Compare folders with a revision, in a worker."""
    roots = dict.fromkeys(os.path.realpath(folder) for folder in folders)
    paths = dict.fromkeys(os.path.realpath(document) for document in documents)
    changed: set[str] = set()
    gone: dict[str, str] = {}
    messages: list[str] = []
    for top, inside in _repositories([*roots, *paths]).items():
        with contextlib.closing(_opened(top)) as repo:
            files = dict(_listed(repo, top, revision))
            mine = [path for path in paths if _is_in(path, top)]
            changed |= {path for path in mine if _differs(path, files.get(path))}
            here = [root for root in roots if root in inside]
            found, left, others = _gone(files, here)
            gone |= found
            if len(left) * len(others) > _MOST_PAIRS:
                messages.append(
                    f"{len(left):,} documents are gone and {len(others):,} are new; only those with the same bytes "
                    "are taken for renamed"
                )
            elif left and others:
                gone |= _similar(repo, top, left, others)
    return Changes(frozenset(changed), gone, tuple(messages))


def _repositories(places: list[str]) -> dict[str, set[str]]:
    """Return the folder of the repository of each place, with the places in it.

    Raises:
        LinkfixError: a place is in none.

    """
    found: dict[str, set[str]] = {}
    _top.cache_clear()
    for place in places:
        top = _top(place if os.path.isdir(place) else os.path.dirname(place))  # noqa: PTH112, PTH120 - bytes in names
        if top is None:
            raise LinkfixError(
                "this is in no git repository",
                hint="leave out --changed, or name files of a repository",
                file=place,
            )
        found.setdefault(top, set()).add(place)
    return found


@lru_cache
def _top(folder: str) -> str | None:
    """Return the folder of the repository that a folder is in; None for none."""
    if os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - bytes in names
        return folder
    above = os.path.dirname(folder)  # noqa: PTH120 - bytes in names
    return None if above == folder else _top(above)


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/")


def _opened(top: str) -> Any:
    """Return the repository of a work tree, of whose configuration only the format is read."""
    try:
        from dulwich.config import ConfigFile
        from dulwich.repo import Repo
    except ImportError:
        raise LinkfixError(
            "what has changed is found with a package", hint="pip install 'linkfix[git]'"
        ) from None

    class Repository(Repo):  # type: ignore[misc]  # an extra
        def get_config(self) -> ConfigFile:
            path = os.path.join(self.commondir(), "config")  # noqa: PTH118 - bytes in names
            return ConfigFile.from_file(io.BytesIO(_format(found_content(path, _LARGEST_CONFIG))))

        def get_worktree_config(self) -> ConfigFile:
            return ConfigFile()

    with _reading(top):
        return Repository(top)


def _format(config: bytes) -> bytes:
    """Return the sections of a configuration that say how a repository is stored: no other files are included there."""
    lines, is_format = [], False
    for line in config.splitlines(keepends=True):
        if line.lstrip().startswith(b"["):
            name = line.partition(b"[")[2].partition(b"]")[0].strip().lower()
            is_format = name in {b"core", b"extensions"}
        if is_format:
            lines.append(line)
    return b"".join(lines)


def _listed(repo: Any, top: str, revision: str) -> Iterator[tuple[str, bytes]]:
    """Yield the real path and the identifier of each file of the revision."""
    from dulwich.object_store import iter_tree_contents
    from dulwich.objectspec import parse_commit, parse_object

    with _reading(top):
        try:
            named: Any = os.fsencode(revision)
            if ":" in revision:  # of a file
                raise KeyError(revision)
            if any(mark in revision for mark in "^~@"):
                named = parse_object(repo, named)
            tree = parse_commit(repo, named).tree
        except (KeyError, ValueError, AttributeError):
            raise LinkfixError(
                f"the repository has no revision {revision!r}",
                hint="name a commit, a branch or a tag: --changed=main",
                file=top,
            ) from None
        for entry in iter_tree_contents(repo.object_store, tree):
            if stat.S_IFMT(entry.mode) == _FILE:
                yield os.path.join(top, os.fsdecode(entry.path)), entry.sha  # noqa: PTH118 - bytes in names


def _differs(path: str, known: bytes | None) -> bool:
    """Return whether a file differs from the revision, in which it has an identifier, or is new."""
    return known is None or known not in _identifiers(path, len(known))


def _gone(
    files: Mapping[str, bytes], roots: list[str]
) -> tuple[dict[str, str], dict[str, bytes], list[str]]:
    """Find the files of the revision that are not in some folders any more.

    Returns:
        These files, each with its new path or ""; the identifiers of the documents among them without a new path; and the
        documents that are new, and have the same bytes as none of them.

    """
    missing = {
        path: identifier
        for path, identifier in files.items()
        if any(_is_in(path, root) for root in roots) and not os.path.lexists(path)
    }
    if not missing:
        return {}, {}, []
    selection = Selection(exclude=NO_PART, hidden=True)
    new = [
        path
        for root in roots
        for entry in walk(root, selection)
        if entry.kind == "file" and (path := f"{root}/{entry.relative}") not in files
    ]
    by_content: dict[bytes, list[str]] = {}
    size = len(next(iter(missing.values())))
    for path in new:
        for identifier in _identifiers(path, size):
            by_content.setdefault(identifier, []).append(path)
    found = dict.fromkeys(missing, "")
    taken: set[str] = set()
    for path, identifier in missing.items():
        alike = [each for each in by_content.get(identifier, ()) if each not in taken]
        if alike:
            # Of several copies the one whose name is most alike.
            found[path] = max(alike, key=lambda each: (_common(path, each), each))
            taken.add(found[path])
    left = [path for path, to in found.items() if not to and type_of_name(path) is not None]
    others = [path for path in new if path not in taken and type_of_name(path) is not None]
    return found, {path: missing[path] for path in left}, others


def _similar(repo: Any, top: str, missing: dict[str, bytes], new: list[str]) -> dict[str, str]:
    """Return the new paths of documents that were edited as well, by the similarity of lines as git has it."""
    from dulwich.diff_tree import RenameDetector
    from dulwich.index import commit_tree
    from dulwich.object_store import MemoryObjectStore
    from dulwich.objects import Blob

    store: Any = MemoryObjectStore()
    trees, pairs = list[Any](), dict[str, str]()
    with _reading(top):
        for side, paths in ((b"a", [*missing]), (b"b", new)):
            blobs = []
            for number, path in enumerate(paths):
                known = missing.get(path)
                data = repo.object_store[known].as_raw_string() if known else _content(path)
                if data is not None and len(data) <= SMALL:
                    blob = Blob.from_string(data)
                    store.add_object(blob)
                    blobs.append((b"%b%d" % (side, number), blob.id, 0o100644))
            trees.append(commit_tree(store, blobs))
        detector = RenameDetector(store, rename_threshold=_SIMILAR, max_files=None)
        for change in detector.changes_with_renames(*trees):
            if change.type == "rename" and change.old is not None and change.new is not None:
                pairs[[*missing][int(change.old.path[1:])]] = new[int(change.new.path[1:])]
    return pairs


def _identifiers(path: str, length: int) -> set[bytes]:
    """Return the identifiers that git may have for the bytes of a file.

    Args:
        path: of a file.
        length: of an identifier in hex: 40 for SHA-1, 64 for SHA-256.

    """
    make = hashlib.sha256 if length == 64 else hashlib.sha1
    with open_file(path) as file:
        size, small = os.fstat(file.fileno()).st_size, content(file)
        digest = make(b"blob %d\0" % size, usedforsecurity=False)
        for data in chunks(file) if small is None else (small,):
            digest.update(data)
    found = {digest.hexdigest().encode()}
    if small is not None and b"\r\n" in small:
        stored = small.replace(b"\r\n", b"\n")
        found.add(
            make(b"blob %d\0%s" % (len(stored), stored), usedforsecurity=False).hexdigest().encode()
        )
    return found


def _content(path: str) -> bytes | None:
    """Return the bytes of a file; None for a large one."""
    with open_file(path) as file:
        return content(file)


def _common(one: str, other: str) -> int:
    """Return how many names two paths have in common at their ends."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@contextlib.contextmanager
def _reading(top: str) -> Iterator[None]:
    """Convert every exception of dulwich to a LinkfixError about the repository; not that it is not installed."""
    try:
        yield
    except (LinkfixError, ImportError):
        raise
    except MemoryError as error:
        raise LimitExceededError(
            "the git repository has an object that does not fit into memory",
            hint="raise --memory if you trust it",
            file=top,
        ) from error
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise UnreadableError(f"cannot read the git repository: {reason}", file=top) from error
