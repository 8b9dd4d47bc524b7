"""Many references at once: a list, or a column of NumPy, pandas, polars or Arrow. What is no string passes through."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, overload

from linkfix.iri.compare.comparison import normalize
from linkfix.iri.converter import convert
from linkfix.iri.model import Conversion
from linkfix.iri.resolution import resolve


def _each(texts: Iterable[Any], work: Callable[[str], Any]) -> list[Any]:
    """Return the results for the strings among some values, and all other values (None, NaN) as they are."""
    if type(texts) is str:
        raise TypeError(f"texts={texts[:40]!r} is one string, not several values")
    to_list = getattr(texts, "to_pylist", None)  # Arrow, whose values are objects of its own
    values = texts if to_list is None else to_list()
    return [work(value) if isinstance(value, str) else value for value in values]


@overload
def convert_many(
    texts: Iterable[str], *, to: Literal["uri", "iri"], **options: Any
) -> list[Conversion]: ...
@overload
def convert_many(
    texts: Iterable[Any], *, to: Literal["uri", "iri"], **options: Any
) -> list[Any]: ...
def convert_many(texts: Iterable[Any], *, to: Literal["uri", "iri"], **options: Any) -> list[Any]:
    """Convert link values as `convert` does, all of them with the same options.

    Args:
        texts: the values.
        to: ``uri`` or ``iri``.
        options: the other arguments of `convert`.

    Returns:
        A result for each value, in their order.

    Raises:
        TypeError: `texts` is one string, or an option is none of `convert`.
        ValueError: an option has a value that is not allowed.

    """
    return _each(texts, lambda text: convert(str(text), to=to, **options))


def normalize_many(
    texts: Iterable[Any], level: Literal["syntax", "scheme"] = "syntax", **options: Any
) -> list[Any]:
    """Normalize references as `normalize` does; the arguments and errors are as those of `convert_many`."""
    return _each(texts, lambda text: normalize(str(text), level, **options))


def resolve_many(base: str, references: Iterable[Any], **options: Any) -> list[Any]:
    """Resolve references against one base as `resolve` does; the result for one that nobody can resolve is None.

    Raises:
        TypeError: `references` is one string, or an option is none of `resolve`.
        ValueError: the base has no scheme, or an option has a value that is not allowed.

    """
    resolve(base, "", **options)

    def target(reference: str) -> str | None:
        try:
            return resolve(base, str(reference), **options)
        except ValueError:
            return None

    return _each(references, target)
