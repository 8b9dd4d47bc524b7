"""What flows out of the engine: findings, edits and conversions."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

#: Maps the characters of a query to octets in the charset of the document.  Raises
#: ``UnicodeEncodeError`` for the characters that the charset lacks.
QueryEncoder: TypeAlias = Callable[[str], bytes]


class Violation(NamedTuple):
    """A departure of a text from a specification.

    Attributes:
        rule: kebab-case identifier of the rule, for instance ``stray-percent``.
        component: ``scheme``, ``userinfo``, ``host``, ``port``, ``path``, ``query``, ``fragment``
            or ``reference`` for the text as a whole.
        start: code point offset of the first character concerned, from 0.
        end: code point offset behind the last one.
        section: the document and section of the rule.
        message: what is wrong, in plain English.

    """

    rule: str
    component: str
    start: int
    end: int
    section: str
    message: str


class Edit(NamedTuple):
    """A replacement of the code points ``[start, end)`` of an input text by ``text``."""

    start: int
    end: int
    text: str


class Conversion(NamedTuple):
    """The outcome of a conversion; failure is a value, not an exception.

    Attributes:
        text: the result, or the unchanged input if ``ok`` is false.
        edits: the changes from the input to ``text``, ascending and without overlap. A character that did not change
            is in no edit.
        problems: why the text could not be converted (``ok`` is false), or warnings about the result (``ok`` is
            true).
        ok: whether ``text`` is valid in the target syntax and identifies what the input identified.

    """

    text: str
    edits: tuple[Edit, ...]
    problems: tuple[Violation, ...]
    ok: bool
