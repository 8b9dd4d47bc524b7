"""What flows out of the engine: findings, edits and conversions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

#: Maps the characters of a query to octets in the charset of the document.  Raises
#: ``UnicodeEncodeError`` for the characters that the charset lacks.
QueryEncoder: TypeAlias = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Violation:
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


# The constructor of a frozen dataclass looks up each field by its name, which costs as much as the rest of a conversion
# without changes. These two fill their slots themselves.


@dataclass(frozen=True, slots=True, init=False)
class Edit:
    """A replacement of the code points ``[start, end)`` of an input text by ``text``."""

    start: int
    end: int
    text: str

    def __init__(self, start: int, end: int, text: str) -> None:
        _set_start(self, start)
        _set_end(self, end)
        _set_text(self, text)


_set_start = vars(Edit)["start"].__set__
_set_end = vars(Edit)["end"].__set__
_set_text = vars(Edit)["text"].__set__


@dataclass(frozen=True, slots=True, init=False)
class Conversion:
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

    def __init__(
        self,
        text: str,
        edits: tuple[Edit, ...],
        problems: tuple[Violation, ...],
        ok: bool,
    ) -> None:
        _set_result(self, text)
        _set_edits(self, edits)
        _set_problems(self, problems)
        _set_ok(self, ok)


_set_result = vars(Conversion)["text"].__set__
_set_edits = vars(Conversion)["edits"].__set__
_set_problems = vars(Conversion)["problems"].__set__
_set_ok = vars(Conversion)["ok"].__set__
