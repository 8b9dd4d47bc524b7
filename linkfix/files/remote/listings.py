"""Ask servers what is at a URL: a file, or a folder with all files in it."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, BinaryIO

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.paths import UNLISTED, Listed, Object, scheme_of
from linkfix.files.remote.systems import check, failing, open_remote, system_of
from linkfix.jobs.pool import run
from linkfix.jobs.wire import Event

#: How many rows of a listing make one event.
_ROWS = 1000


#: What servers have said, while a command or a search for documents runs.
_known: dict[str, Listed | UnreadableError | None] = {}


def learn(urls: Sequence[str]) -> None:
    """Ask servers about URLs, and remember the answers as long as this process lives, errors too."""
    _known.update(_ask([url for url in dict.fromkeys(urls) if url not in _known]))


@contextlib.contextmanager
def remembering(urls: Sequence[str]) -> Iterator[None]:
    """Ask servers about URLs, and remember the answers as long as the context lasts."""
    new = [url for url in urls if url not in _known]
    learn(new)
    try:
        yield
    finally:
        for url in new:
            _known.pop(url, None)


def listed(url: str) -> Listed | None:
    """Return what the server says about a URL; None if nothing is there.

    Raises:
        UnreadableError: the server cannot be asked.

    """
    if url in _known:
        answer = _known[url]
    else:
        ((_, answer),) = _ask([url])
    if isinstance(answer, UnreadableError):
        raise answer
    return answer


def _ask(urls: Sequence[str]) -> Iterator[tuple[str, Listed | UnreadableError | None]]:
    """Yield the answer of the server, or its error, for each URL; one of HTTP is a file."""
    for url, events in run(_rows, [url for url in urls if scheme_of(url) not in UNLISTED], jobs=1):
        try:
            yield url, _answer(events)
        except UnreadableError as error:
            yield url, error
        except LinkfixError as error:  # the process that asked has died
            yield url, UnreadableError(error.message, hint=error.hint, file=url)
    yield from ((url, Listed(Object(0, 0))) for url in urls if scheme_of(url) in UNLISTED)


def _answer(events: Iterator[Any]) -> Listed | None:
    """Return what the events of `_rows` say."""
    first, *pages = events
    if not first:
        return None
    if first[0] is not None:
        return Listed(Object(*first[0]))
    answer = Listed()
    for page in pages:
        for path, *row in page:
            answer.add(path, Object(*row))
    return answer


def _rows(url: str) -> Iterator[Event]:
    """Ask a server; yield ``[]`` if nothing is at a URL, ``[[size, version]]`` for a file, else ``[None]`` and pages of files."""
    check(url)
    with failing(url, "cannot list it"):
        system, path = system_of(url)
        try:
            info = system.info(path)
        except FileNotFoundError:
            yield []
            return
        if info["type"] != "directory":
            yield [[*_object(info)]]
            return
        yield [None]
        rows = []
        for name, info in system.find(path, detail=True).items():
            if info["type"] != "directory":
                rows.append([_below(path, name), *_object(info)])
            if len(rows) == _ROWS:
                yield rows
                rows = []
        yield rows


def _below(folder: str, name: str) -> str:
    """Return the path of a file from a folder; a path that is none for a file that is not there."""
    folder = folder.strip("/")
    name = name.removeprefix("/")
    if not folder:
        return name
    return name[len(folder) + 1 :] if name.startswith(f"{folder}/") else f"../{name}"


def _object(info: dict[str, Any]) -> Object:
    keys = ("ETag", "etag", "CRC", "LastModified", "updated", "mtime", "created")
    version = next((info[key] for key in keys if info.get(key) is not None), "")
    digest = blake2b(str(version).encode("utf-8", "surrogatepass"), digest_size=7).digest()
    return Object(int(info.get("size") or 0), int.from_bytes(digest, "big"))


def prefixes(sizes: Mapping[str, int]) -> dict[str, bytes | LinkfixError]:
    """Return so many first bytes of files, which have them; or the error of each that cannot be read."""

    def work(urls: list[str]) -> Iterator[Event]:
        (system, _), paths = system_of(urls[0]), [system_of(url)[1] for url in urls]
        contents = system.cat_ranges(paths, 0, [sizes[url] for url in urls], on_error="return")
        for url, content in zip(urls, contents, strict=True):
            try:
                with failing(url, "cannot read it"):
                    if isinstance(content, Exception):
                        raise content
                yield bytes(content)
            except LinkfixError as error:
                yield [error.message, error.hint]

    found: dict[str, bytes | LinkfixError] = {}
    batches = [list(sizes)] if sizes else []
    for batch, events in run(work, batches, jobs=1):
        for url, event in zip(batch, events, strict=True):
            if isinstance(event, bytes):
                found[url] = event
            else:
                message, hint = event
                found[url] = UnreadableError(message, hint=hint, file=url)
    return found


def read_apart(url: str, read: Callable[[BinaryIO], Event]) -> Any:
    """Read a file in another process, and return what `read` makes of it.

    Raises:
        UnreadableError: it cannot be read.

    """

    def work(url: str) -> Iterator[Event]:
        with open_remote(url) as file:
            yield read(file)

    ((answer,),) = (list(events) for _, events in run(work, [url], jobs=1))
    return answer
