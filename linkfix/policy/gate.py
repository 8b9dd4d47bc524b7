"""The gate of the library: arguments are checked by name before anything is read.

Each function raises an `ArgumentError` that names the argument and says what is allowed.
"""

from collections.abc import Sequence
from reprlib import repr as short

from linkfix.charset import lookup
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.iri import arguments
from linkfix.iri.arguments import refusal
from linkfix.policy.bases import hierarchical_base

IDNA, TO = arguments.IDNA, arguments.TO
SYNTAX = ("auto", "web", "leiri", "iri")


def one_of(allowed: Sequence[str | None], **arguments: object) -> None:
    """Refuse arguments that have none of the values that are allowed."""
    for name, value in arguments.items():
        is_text = value is None or isinstance(value, str)
        if not is_text or value not in allowed:
            raise ArgumentError(refusal(name, value, allowed))


def instances(kind: type | tuple[type, ...], what: str, **arguments: object) -> None:
    """Refuse arguments that are neither None nor of a type; `what` says what they should be."""
    for name, value in arguments.items():
        if value is not None and not isinstance(value, kind):
            raise ArgumentError(f"{name}={short(value)} is no {what}")


def functions(**arguments: object) -> None:
    """Refuse arguments that are neither None nor functions."""
    for name, value in arguments.items():
        if value is not None and not callable(value):
            raise ArgumentError(f"{name}={short(value)} is no function")


def labels(**arguments: object) -> None:
    """Refuse arguments that are neither None nor labels of charsets."""
    for name, value in arguments.items():
        if value is None:
            continue
        if not isinstance(value, str):
            raise ArgumentError(f"{name}={short(value)} is no label of a charset, such as 'utf-8'")
        try:
            lookup(value, xml=True)
        except LinkfixError as error:
            error.message = f"{name}: {error.message}"
            raise


def bases(**arguments: object) -> None:
    """Refuse arguments that are neither None nor absolute IRIs that references can be resolved against."""
    for name, value in arguments.items():
        if value is None:
            continue
        if not isinstance(value, str):
            raise ArgumentError(f"{name}={short(value)} is no IRI, such as 'https://example.org/'")
        try:
            hierarchical_base(value)
        except LinkfixError as error:
            raise ArgumentError(f"{name}: {error.message}", hint=error.hint) from None
