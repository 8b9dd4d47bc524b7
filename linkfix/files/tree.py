"""Trees: find the documents of a command's paths, always in the same order.

A path is a file, a folder, or a pattern. A file argument is always included; if it is no document, reading it fails.
A folder is walked; a pattern (``site/**/*.html``) walks the folder before its first wildcard, and selects the files
that match. In a walk,

* hidden files and folders are left out, except ``.well-known`` (RFC 8615), which is part of a site;
* symbolic links are not followed: their targets are in the walk themselves, or outside;
* sockets, devices and named pipes are never opened;
* a file is a document by its extension, or if that is unknown by its first bytes.

The same holds for URLs of remote files and folders, whose server is asked for all files of a folder at once. A URL of HTTP
is always a file, since such servers list no folders.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files import paths as naming
from linkfix.files.access import exists, is_folder, listed_at, open_file
from linkfix.files.entries import Entry, Tally, entries_in
from linkfix.files.globs import PathPattern, Patterns
from linkfix.files.local import failing
from linkfix.markup import detect
from linkfix.markup.detect import is_skipped, no_document

#: The folders of version control systems, which are no part of a site.
NO_PART = (".git/", ".svn/", ".hg/", ".bzr/", "CVS/")
_WILDCARDS = frozenset("*?[")
_WELL_KNOWN = ".well-known"
#: How many bytes of a file show whether it is a document.
_PREFIX = 1024
_ARCHIVES = (".warc", ".warc.gz")


class Found(NamedTuple):
    """A document of a tree.

    Attributes:
        named: its path, if the root does not begin it; "" where it is made of root and relative path.
        root: the folder of the walk; "" for a file argument.
        relative: its path from there, with slashes; the last segment for a file argument.
        type: by its extension; None if that is unknown.
        size: in bytes, 0 if unknown.

    """

    named: str
    root: str
    relative: str
    type: detect.DocumentType | None
    size: int = 0

    @property
    def path(self) -> str:
        """The path of the document; octets that are not UTF-8 are lone surrogates (PEP 383)."""
        return self.named or naming.join(self.root, self.relative)


class Selection(NamedTuple):
    """The selection of files in folders and patterns; file arguments are always read.

    Attributes:
        include: patterns as in ``.gitignore``: only files that match are included; if the extension is no document's,
            the first bytes decide. Empty for all files.
        exclude: patterns as in ``.gitignore``: files that match are left out, folders not entered.
        hidden: whether hidden files and folders are included.
        archives: whether WARC files are included, and containers: a book or an office file in every folder, a ZIP file or a
            tar archive that a path, a pattern or `include` names.
        whole: whether a container is one document; otherwise each document in it is one.
        warc: whether WARC files are among the archives.

    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    archives: bool = False
    whole: bool = False
    warc: bool = True

    def takes(self, path: str) -> bool:
        """Return whether a file of a folder is read by its path there, whatever it is."""
        is_hidden = any(x.startswith(".") and x != _WELL_KNOWN for x in path.split("/"))
        is_included = not self.include or Patterns(self.include).matches(path)
        is_seen = self.hidden or not is_hidden
        return is_seen and is_included and not Patterns(self.exclude).matches(path)


_USUAL = Selection()


def walk(
    root: str,
    selection: Selection = _USUAL,
    tally: Tally | None = None,
    enter: Callable[[str], bool] | None = None,
    prefix: str = "",
) -> Iterator[Entry]:
    """Yield all entries below a folder: sorted by name, a folder before its content.

    Args:
        root: the folder, which may be reached by a symbolic link; "" for the current one.
        selection: excludes entries; its `include` does not apply.
        tally: counts the entries that are passed over.
        enter: returns whether to enter a folder, by its relative path; None for all.
        prefix: is put before relative paths for the patterns that exclude.

    """
    tally = Tally() if tally is None else tally
    excluded = Patterns(selection.exclude)
    entries = entries_in(root, tally)
    waiting = [iter(entries(root, ""))]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        name = entry.relative.rpartition("/")[2]
        is_folder = entry.kind == "folder"
        if name.startswith(naming.OWN_PREFIX):
            tally.passed["temporary"] += name.endswith(".tmp")
        elif name.startswith(".") and name != _WELL_KNOWN and not selection.hidden:
            tally.passed["hidden"] += 1
        elif excluded.matches(prefix + entry.relative + "/" * is_folder):
            tally.passed["excluded"] += 1
        else:
            yield entry
            if is_folder and (enter is None or enter(entry.relative)):
                waiting.append(iter(entries(entry.path, entry.relative + "/")))


def documents(
    paths: Iterable[str], selection: Selection = _USUAL, tally: Tally | None = None
) -> Iterator[Found]:
    """Yield the documents of paths, each once, in the order of the paths.

    One that a path names and that is in a folder or a pattern of another path too is a document of that folder.

    Args:
        paths: files, folders and patterns; ``-`` is standard input. A file argument may be anything readable, a named
            pipe too, or be missing: opening it then fails.
        selection: of files in folders and patterns.
        tally: counts the files that are passed over, and records errors.

    """
    tally = Tally() if tally is None else tally
    paths = tuple(dict.fromkeys(paths))
    known: dict[str, Found] = {}
    with contextlib.ExitStack() as listings:
        if remote := [*filter(naming.is_remote, paths)]:
            from linkfix.files.remote.listings import remembering

            listings.enter_context(remembering(remote))
            many = [folder_of(path) for path in remote if stands_for_many(path)]
            listings.enter_context(remembering(many))
        for path in paths:
            for found in _of_path(path, selection, tally):
                if len(paths) == 1:
                    yield found
                    continue
                root = naming.real(found.root) if found.root else ""
                place = naming.join(root, found.relative) if root else naming.real(found.path)
                place = path if path == "-" else place
                if not known.setdefault(place, found).root:
                    known[place] = found
        yield from known.values()


def stands_for_many(path: str) -> bool:
    """Return whether a path is a folder, or a pattern."""
    return is_folder(path) or _is_pattern(path)


def _is_pattern(path: str) -> bool:
    """Return whether a path that is no folder is a pattern."""
    return not _WILDCARDS.isdisjoint(naming.split(path)[0]) and not exists(path)


def as_folder(path: str) -> str | None:
    """Return the path of a folder, or of a container as one; None for any other path."""
    return path if is_folder(path) else path + naming.MARK[0] if naming.is_container(path) else None


def folder_of(path: str) -> str:
    """Return the folder of a path: itself, the part of a pattern before its first wildcard, or its parent."""
    if is_folder(path):
        return path
    return _split(path)[0] if _is_pattern(path) else naming.parent(path)


def _split(path: str) -> tuple[str, tuple[str, ...]]:
    """Split a pattern into the folder before its first wildcard, and the segments after it."""
    head, archive = naming.split(path)
    scheme = f"{naming.scheme_of(path)}://" if naming.is_remote(path) else ""
    steps = head[len(scheme) :].split("/")
    fixed = next(n for n, step in enumerate(steps) if not _WILDCARDS.isdisjoint(step))
    root = "/".join(steps[:fixed]) or ("/" if path.startswith("/") else "")
    return scheme + root + archive, tuple(step for step in steps[fixed:] if step not in {"", "."})


def _of_path(path: str, selection: Selection, tally: Tally) -> Iterator[Found]:
    if naming.is_remote(path):
        try:
            listed_at(path)
        except UnreadableError as error:
            tally.errors.append(error)
            return
    if path == "-":
        yield Found(path, "", path, None)
    elif not path:
        tally.errors.append(UnreadableError("a path is empty", hint="the current folder is '.'"))
    elif is_folder(path):
        tally.is_tree = True
        yield from _of_tree(path, None, selection, tally)
    elif selection.archives and naming.is_container(path):
        named = Found(path, "", naming.name_of(path), None, size_at(path))
        yield from documents_in(named, selection, tally)
    elif _is_pattern(path):
        tally.is_tree = True
        root, pattern = _split(path)
        taken = 0
        for found in _of_tree(root, PathPattern(pattern), selection, tally):
            taken += 1
            yield found
        if not taken:
            tally.errors.append(
                UnreadableError(
                    "no document matches this pattern",
                    hint="** stands for any number of folders; hidden files need --hidden",
                    file=path,
                )
            )
    else:
        name = naming.name_of(path)
        yield Found(path, "", name, detect.type_of_name(name), size_at(path))


def size_at(path: str) -> int:
    """Return the size of a file in bytes, 0 if it is unknown."""
    try:
        if (there := listed_at(path)) is not None:
            file = None if there[0] is None else there[0].find(there[1])
            return 0 if file is None else file.size
        status = os.stat(path)  # noqa: PTH116 - names that Path would change
    except (OSError, ValueError):
        return 0
    except UnreadableError:
        if naming.is_remote(path):  # opening it fails too
            return 0
        raise
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def documents_in(
    container: Found,
    selection: Selection,
    tally: Tally,
    wanted: PathPattern | None = None,
    prefix: str = "",
) -> Iterator[Found]:
    """Yield the documents in a container, or itself if it has any and counts as one.

    Args:
        container: as `documents` yields it whole.
        selection: of files in it; patterns are for paths from the root of the walk.
        tally: counts the files that are passed over, and records errors.
        wanted: a pattern of such paths; None for all.
        prefix: is put before the relative path of the container for the patterns.

    """
    path, folder = prefix + container.relative, container.path + naming.MARK[0]
    if selection.include and Patterns(selection.include).matches(path):
        selection = selection._replace(include=())
    if wanted is not None and wanted.matches(path):
        wanted = None
    prefix = path + naming.MARK if container.root else ""
    found = _of_tree(folder, wanted, selection, tally, prefix)
    if not selection.whole:
        yield from found
    elif any(True for _ in found):
        yield container


def _of_tree(
    root: str, wanted: PathPattern | None, selection: Selection, tally: Tally, prefix: str = ""
) -> Iterator[Found]:
    included = Patterns(selection.include) if selection.include else None

    def enter(relative: str) -> bool:
        return wanted is None or wanted.may_lead(prefix + relative)

    entries: Iterable[Entry] = walk(root, selection, tally, enter, prefix)
    begins: dict[str, bytes | LinkfixError] = {}
    if naming.is_remote(root):
        entries = list(entries)
        begins = _remote_begins(entries, wanted, included)
    for entry in entries:
        path = prefix + entry.relative
        is_wanted = wanted is None or wanted.matches(path)
        is_included = included is None or included.matches(path)
        if entry.kind == "file" and selection.archives and detect.container_kind(path):
            is_named = (wanted is not None and is_wanted) or (included is not None and is_included)
            if (is_named or detect.is_work(path)) and naming.is_container(entry.path):
                whole = _found(root, entry, None)
                yield from documents_in(whole, selection, tally, wanted, prefix)
                continue
        if not is_wanted:
            continue
        if entry.kind == "file":
            type = None if _is_empty_part(entry) else detect.type_of_name(entry.relative)
            if not is_included:
                tally.passed["excluded"] += 1
            elif (
                (type is not None and detect.is_named(path))
                or (selection.archives and selection.warc and path.lower().endswith(_ARCHIVES))
                or _is_document(root, entry, included is not None, tally, begins)
            ):
                yield _found(root, entry, type)
        elif entry.kind != "folder":
            tally.passed[entry.kind] += 1


def _is_empty_part(entry: Entry) -> bool:
    """Return whether an empty file is in a work: office programs leave some there, named as XML."""
    packed = naming.split_packed(entry.path) if entry.size == 0 else None
    return packed is not None and detect.is_work(packed[0])


def _found(root: str, entry: Entry, type: detect.DocumentType | None) -> Found:
    size = size_at(entry.path) if entry.size is None else entry.size
    return Found("" if root else entry.path, root or os.curdir, entry.relative, type, size)


def _remote_begins(
    entries: Iterable[Entry], wanted: PathPattern | None, included: Patterns | None
) -> dict[str, bytes | LinkfixError]:
    """Ask a server for the first bytes of the files whose extension is unknown, all at once."""
    from linkfix.files.remote.listings import prefixes

    asked = {
        entry.path: min(entry.size, _PREFIX)
        for entry in entries
        if entry.kind == "file"
        and entry.size
        and not detect.is_named(entry.relative)
        and (included is not None or not is_skipped(entry.relative.rpartition("/")[2]))
        and (included is None or included.matches(entry.relative))
        and (wanted is None or wanted.matches(entry.relative))
    }
    return prefixes(asked)


def _is_document(
    root: str, entry: Entry, wanted: bool, tally: Tally, begins: Mapping[str, bytes | LinkfixError]
) -> bool:
    """Return whether a file is a document by its first bytes.

    Args:
        root: the folder of the walk.
        entry: the file.
        wanted: whether its extension does not matter.
        tally: counts the files that are passed over, and records errors.
        begins: the first bytes of remote files.

    """
    name = entry.relative.rpartition("/")[2]
    if wanted or not is_skipped(name) or name.lower().endswith(".json"):
        try:
            prefix = _begin(entry, begins)
        except LinkfixError as error:
            tally.errors.append(error)
            return False
        is_like = detect.looks_like_markup(prefix) or detect.is_json_with_links(prefix)
        if is_like and no_document(prefix, name) is None:
            return True
        if detect.is_json(prefix):
            tally.json.append(_found(root, entry, "json"))
    tally.passed["no document"] += 1
    return False


def _begin(entry: Entry, begins: Mapping[str, bytes | LinkfixError]) -> bytes:
    """Return the first bytes of a file.

    Raises:
        LinkfixError: it cannot be read.

    """
    if naming.is_remote(entry.path):
        found = begins.get(entry.path, b"")
        if isinstance(found, LinkfixError):
            raise found
        return found
    with open_file(entry.path) as file, failing(entry.path):
        return file.read(_PREFIX)
