"""The gate of the library: arguments are checked by name before anything is read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from io import BufferedReader, BufferedWriter, TextIOBase
from itertools import repeat
from reprlib import repr as short
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from linkfix.charset import lookup
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.iri import model
from linkfix.iri.model import refusal
from linkfix.markup.detect import DocumentType
from linkfix.policy.bases import hierarchical_base

IDNA, TO = model.IDNA, model.TO
SYNTAX = ("auto", "web", "leiri", "iri")


@dataclass(frozen=True, slots=True)
class Instance:
    """An argument is of a class, or None unless it is `required`; `what` says what it should be."""

    of: Any
    what: str
    required: bool = False


@runtime_checkable
class _Path(Protocol):
    """An object that stands for a path."""

    def __fspath__(self) -> str: ...


BOOL: Final = Instance(bool, "bool")
FUNCTION: Final = Instance(Callable, "function")
LABEL: Final = Instance(str, "label of a charset, such as 'utf-8'")
PATH: Final = Instance((str, _Path), "path")
SOME_PATH: Final = replace(PATH, required=True)
PATTERNS: Final = Instance((tuple, list), "tuple of texts", required=True)

#: What an argument may be: all allowed values, an instance of a class, or what refuses a value other than None.
Kind: TypeAlias = tuple[str | None, ...] | Instance | Callable[[str, object], None]


def label(name: str, value: object) -> None:
    """Refuse an argument that is no label of a charset."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name}={short(value)} is no label of a charset, such as 'utf-8'")
    try:
        lookup(value, xml=True)
    except LinkfixError as error:
        error.message = f"{name}: {error.message}"
        raise


def base(name: str, value: object) -> None:
    """Refuse an argument that is no absolute IRI that references can be resolved against."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name}={short(value)} is no IRI, such as 'https://example.org/'")
    try:
        hierarchical_base(value)
    except LinkfixError as error:
        raise ArgumentError(f"{name}: {error.message}", hint=error.hint) from None


def link_map(name: str, value: object) -> None:
    """Refuse an argument that is no `LinkMap`, whose module is loaded late."""
    if not hasattr(value, "follow"):
        raise ArgumentError(f"{name}={short(value)} is no LinkMap")


def suffix(name: str, value: object) -> None:
    """Refuse an argument that cannot be put behind the name of a file."""
    if not isinstance(value, str) or "/" in value or "\0" in value:
        raise ArgumentError(f"{name}={short(value)} is no suffix of a name, such as '.bak'")


def binary(
    name: str, value: object, mode: Literal["rb", "wb"], what: str = "no binary file"
) -> None:
    """Refuse an argument that is no binary file to read from (``rb``) or to write to; `what` says what it is instead."""
    is_text = isinstance(value, TextIOBase)
    if is_text or isinstance(value, BufferedWriter if mode == "rb" else BufferedReader):
        how = "a file of text" if is_text else "open in another mode"
        hint = f"open it in binary mode: open(path, '{mode}')"
        raise ArgumentError(f"{name} is {how}", hint=hint)
    if getattr(value, "closed", False) is True:
        raise ArgumentError(f"{name} is a closed file", hint="pass it before it is closed")
    called, argument = ("read", "size") if mode == "rb" else ("write", "bytes")
    method = getattr(value, called, None)
    if method is None:
        raise ArgumentError(f"{name}={short(value)} is {what}")
    try:
        signature(method).bind(0)
    except ValueError:  # a function in C has no signature
        return
    except TypeError:
        why = f"{name}={short(value)} is no binary file: its {called}() takes no {argument}"
        raise ArgumentError(why) from None


def paths_of(paths: Sequence[str | _Path]) -> list[str]:
    """Return paths as text.

    Raises:
        ArgumentError: it is a single path, or something else.

    """
    if isinstance(paths, str | bytes | _Path):
        raise ArgumentError(f"paths={paths!r} is one path; put it into a list")
    if not isinstance(paths, Iterable):
        raise ArgumentError(f"paths={short(paths)} is no list of paths")
    return [path_of("paths", path) for path in paths]


def path_of(name: str, path: str | _Path) -> str:
    """Return a path as text.

    Args:
        name: of the argument that has it.
        path: the path.

    Raises:
        ArgumentError: it is something else.

    """
    if not isinstance(path, str | _Path):
        raise ArgumentError(f"{name}={short(path)} is no path")
    return path if isinstance(path, str) else path.__fspath__()


#: The arguments that several functions have; ``policy`` and ``source`` are added where their classes are.
ARGUMENTS: Final[dict[str, Kind]] = {
    "to": (*TO, None),
    "forms": ("pin", "leave"),
    "type": (*get_args(DocumentType), None),
    # The label of the transport may be one that the reader of the document has to refuse.
    "charset": LABEL,
    "environment": label,
    **dict.fromkeys(("base", "moved_to"), base),
    **dict.fromkeys(("keeps_declaration", "unknown", "unescape", "declares"), BOOL),
    **dict.fromkeys(("wants", "on_outcome", "on_change", "transcoded"), FUNCTION),
}


def check(
    kinds: Mapping[str, Kind] = ARGUMENTS, record: object = None, /, **values: object
) -> None:
    """Refuse arguments, or a record with fields, that are not of their kinds.

    Args:
        kinds: what each argument may be; without them, those that several functions have.
        record: its fields of these names are the arguments; None for none.
        values: the arguments.

    Raises:
        ArgumentError: one is wrong; it names the argument and says what is allowed.
        UnknownCharsetError: one is no label of any encoding.

    """
    if record is not None:
        values = dict(zip(kinds, map(getattr, repeat(record), kinds), strict=True))
    for name, value in values.items():
        kind = kinds[name]
        if isinstance(kind, Instance):
            if (value is not None or kind.required) and not isinstance(value, kind.of):
                raise ArgumentError(f"{name}={short(value)} is no {kind.what}")
        elif isinstance(kind, tuple):
            if value not in kind:
                raise ArgumentError(refusal(name, value, kind))
        elif value is not None:
            kind(name, value)
