"""Failures: every exception in the work on a document becomes a LinkfixError of that document.

An exception that linkfix does not raise on purpose is a fault of linkfix, or of a function that the user passed to it. It
costs only the document whose work raised it: `contained` converts it to an error that names the exception, and the line of
linkfix or of that function that raised it.
`salvaged` is the one way to read a document that may be damaged. `to_plain` and `from_plain` convert an error to plain data for the way from a worker to its parent.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

from linkfix import errors
from linkfix.errors import LimitExceededError, LinkfixError, UnexpectedError, UnreadableError

#: How many code points of an exception's own message are quoted.
_QUOTED = 200
#: The attributes of an error that cross the border of a process.
_FIELDS = ("message", "hint", "file", "offset", "line", "column")
_PACKAGE = Path(errors.__file__).parent
#: The folders of packages: an exception that one of them raises is its caller's fault.
_INSTALLED = {"site-packages", "dist-packages"}

_One = TypeVar("_One")


class _Stream(Protocol[_One]):
    """An `Extractor` or an `Auditor`."""

    def feed(self, data: bytes) -> list[_One]: ...

    def salvage(self) -> list[_One]: ...


@contextlib.contextmanager
def contained(*passing: type[Exception]) -> Iterator[None]:
    """Convert every exception of the block to a LinkfixError; KeyboardInterrupt and SystemExit pass.

    Args:
        passing: exceptions that are not converted: those of an output that is not the document's.

    Raises:
        LinkfixError: as the block raises it; `LimitExceededError` for a MemoryError,
            `UnreadableError` for an OSError, `UnexpectedError` for any other exception.

    """
    try:
        yield
    except LinkfixError:
        raise
    except passing:
        raise
    except MemoryError as error:
        raise LimitExceededError(
            "there is not enough memory for it", hint="raise --memory, or lower --jobs"
        ) from error
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from error
    except Exception as error:
        raise _unexpected(error) from error


def salvaged(
    stream: _Stream[_One], chunks: Iterable[bytes], end: Callable[[], list[_One]]
) -> Iterator[list[_One]]:
    """Yield what a stream finds in a document, list by list; in a damaged one all before the damage.

    What is yielded depends on the bytes that can be read, and not on their pieces: a document whose bytes end with an error
    is ended there.

    Args:
        stream: reads the document.
        chunks: yields its bytes.
        end: ends the document, and returns what is found last.

    Raises:
        LinkfixError: the document cannot be read, or processed.

    """
    damage: list[LinkfixError] = []

    def readable() -> Iterator[bytes]:
        try:
            with contained():
                yield from chunks
        except LinkfixError as error:
            damage.append(error)

    try:
        for data in readable():
            yield stream.feed(data)
        yield end()
    except Exception:
        yield stream.salvage()
        if not damage:
            raise
    if damage:
        raise damage[0]


def _unexpected(error: Exception) -> UnexpectedError:
    quoted = " ".join(str(error).split())
    if len(quoted) > _QUOTED:
        quoted = f"{quoted[:_QUOTED]}…"
    import traceback

    what = f"{type(error).__name__}: {quoted}"
    failure = UnexpectedError(
        f"unexpected {what}",
        hint="this is a fault of linkfix; please report it with this document and the output of linkfix --debug",
    )
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        if path.is_relative_to(_PACKAGE):
            failure.message += f", in linkfix/{path.relative_to(_PACKAGE)}:{line} ({code.co_name})"
            break
        module = frame.f_globals.get("__name__", "").partition(".")[0]
        if module not in sys.stdlib_module_names and _INSTALLED.isdisjoint(path.parts):
            failure.message = f"the function {code.co_qualname} failed: {what}, in {path}:{line}"
            failure.hint = ""
            break
    failure.trace = "".join(traceback.format_exception(error))
    return failure


def to_plain(error: LinkfixError) -> dict[str, Any]:
    """Return an error as plain data."""
    fields = {name: getattr(error, name) for name in _FIELDS}
    return {"error": type(error).__name__, **fields, "trace": getattr(error, "trace", "")}


def from_plain(plain: dict[str, Any]) -> LinkfixError:
    """Return the error that `to_plain` returned as plain data."""
    kind: Any = vars(errors).get(plain["error"])
    is_known = isinstance(kind, type) and issubclass(kind, LinkfixError)
    error: LinkfixError = (kind if is_known else LinkfixError)("")
    for name in _FIELDS:
        setattr(error, name, plain[name])
    if isinstance(error, UnexpectedError):
        error.trace = plain["trace"]
    return error
