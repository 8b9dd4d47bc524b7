"""What flows out of the engine: findings, edits and conversions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Conversion", "Edit", "QueryEncoder", "Violation"]

#: Maps the characters of a query to octets in the charset of the document.  Raises
#: ``UnicodeEncodeError`` for the characters that the charset lacks.
QueryEncoder: TypeAlias = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Violation:
    """A place where a text departs from what a specification asks for.

    Attributes:
        rule: kebab-case identifier of the rule, for instance ``stray-percent``.
        component: ``scheme``, ``userinfo``, ``host``, ``port``, ``path``, ``query``, ``fragment``
            or ``reference`` for the text as a whole.
        start: code point offset of the first character concerned, from 0.
        end: code point offset behind the last one.
        section: the document and section that the rule comes from.
        message: what is wrong, in plain English.

    """

    rule: str
    component: str
    start: int
    end: int
    section: str
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the code points ``[start, end)`` of an input text by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Conversion:
    """The outcome of a conversion; failure is a value, not an exception.

    Attributes:
        text: the result, or the input unchanged where ``ok`` is false.
        edits: what changed, ascending and without overlap; applied to the input they give
            ``text``.  A character that did not change is in no edit.
        problems: why the text could not be converted (``ok`` is false), or what its reader
            should know about the result (``ok`` is true).
        ok: whether ``text`` is valid in the target syntax and names what the input named.

    """

    text: str
    edits: tuple[Edit, ...]
    problems: tuple[Violation, ...]
    ok: bool
