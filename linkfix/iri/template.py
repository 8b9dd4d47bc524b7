"""URI Templates (RFC 6570, all four levels): parsed, expanded, their literals converted.

Input: a text. Output: a `Template`. An expression is never changed, since only the program that expands it knows its
values. The time of each function is linear in the length of the text and of the values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

from linkfix.iri import chars
from linkfix.iri.model import Conversion, Edit, apply

#: The value of a variable: a string, a list, or names with their values; None for undefined.
_One: TypeAlias = str | int | float
Value: TypeAlias = "_One | Sequence[_One] | Mapping[str, _One | None] | None"

#: For each operator how values are joined (RFC 6570, 3.2.1 and Appendix A): what comes first, what between, what follows
#: the name of an empty value (None where values have no names), and whether reserved characters stay.
_OPERATORS: Final[dict[str, tuple[str, str, str | None, bool]]] = {
    "": ("", ",", None, False), "+": ("", ",", None, True), "#": ("#", ",", None, True),
    ".": (".", ".", None, False), "/": ("/", "/", None, False), ";": (";", ";", "", False),
    "?": ("?", "&", "=", False), "&": ("&", "&", "=", False),
}  # fmt: skip
_RESERVED: Final = ":/?#@" + r"\[\]" + chars.SUB_DELIMS
_NOT_UNRESERVED: Final = re.compile(f"[^{chars.UNRESERVED}]+")
_NOT_LITERAL: Final = re.compile(rf"[^{chars.UNRESERVED}{_RESERVED}%]+|%(?![0-9A-Fa-f]{{2}})")
_CHARACTER: Final = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
#: A variable (2.3 and 2.4): its name, how many characters of its value count, and whether each member is expanded by itself.
_NAME: Final = rf"{_CHARACTER}(?:\.?{_CHARACTER})*"
_VARIABLE: Final = re.compile(rf"({_NAME})(?::([1-9][0-9]{{0,3}})|(\*))?")
_ANY: Final = rf"{_NAME}(?::[1-9][0-9]{{0,3}}|\*)?"
#: Literals (2.1), or an expression (2.2): its operator and its variables.
_PART: Final = re.compile(rf"[^{{}}]+|\{{([+#./;?&]?)({_ANY}(?:,{_ANY})*)\}}")


class TemplateError(ValueError):
    """A text that is no URI Template.

    Attributes:
        start: code point offset of the part that is wrong.
        end: offset behind it.

    """

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


@dataclass(frozen=True, slots=True)
class Template:
    """A URI Template.

    Attributes:
        text: as it was written.
        names: the names of the variables, each once, in the order of the template.

    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Parse a template (RFC 6570, 2).

        Args:
            text: any string; characters that no URI contains are allowed in literals, since `to_uri` encodes them.

        Raises:
            TemplateError: for the first brace or expression that is wrong.

        """
        names: dict[str, None] = {}
        at = 0
        while at < len(text):
            part = _PART.match(text, at)
            if part is None:
                end = text.find("}", at) + 1 or len(text)
                raise TemplateError(f"{text[at:end]!r} is no expression (RFC 6570, 2.2)", at, end)
            names |= dict.fromkeys(each[1] for each in _VARIABLE.finditer(part[2] or ""))
            at = part.end()
        return cls(text, tuple(names))

    def expand(self, values: Mapping[str, Value]) -> str:
        """Expand the template (RFC 6570, 3).

        Args:
            values: by the names of the variables; one that is missing is undefined, and so are None, an empty list
                and an empty mapping.

        Raises:
            TemplateError: a prefix is asked of a list or mapping (2.4.1).

        """
        return _PART.sub(lambda part: _expanded(part, values), self.text)

    def to_uri(self) -> Conversion:
        """Percent-encode what no URI contains in the literals (RFC 6570, 3.1); expressions stay as they are."""
        edits = tuple(
            Edit(*found.span(), chars.quote(found[0]))
            for part in _PART.finditer(self.text)
            if part[2] is None
            for found in _NOT_LITERAL.finditer(self.text, *part.span())
        )
        return Conversion(apply(self.text, edits), edits, (), ok=True)


def _expanded(part: re.Match[str], values: Mapping[str, Value]) -> str:
    """Expand literals or an expression (3.1 and 3.2)."""
    if part[2] is None:
        return _NOT_LITERAL.sub(chars.quoted, part[0])
    first, separator, if_empty, reserved = _OPERATORS[part[1]]

    def encode(text: object) -> str:
        if not isinstance(text, str | int | float):
            raise TypeError(f"{name}={value!r} has {text!r}, which is neither text nor a number")
        return (_NOT_LITERAL if reserved else _NOT_UNRESERVED).sub(chars.quoted, str(text))

    pieces: list[str] = []
    for name, length, explode in _VARIABLE.findall(part[2]):
        value = values.get(name)
        if isinstance(value, Mapping):  # what is undefined in it is as if it were not there (2.3)
            value = {key: text for key, text in value.items() if text is not None}
        if isinstance(value, str | int | float):
            texts = [encode(str(value)[: int(length) if length else None])]
        elif not value:
            continue
        elif length:
            message = f"{name!r} is no string, so it has no prefix (2.4.1)"
            raise TemplateError(message, *part.span())
        elif isinstance(value, Mapping):
            pairs = [(encode(key), encode(text)) for key, text in value.items()]
            if explode:
                equals = "=" if if_empty is None else if_empty
                pieces += [f"{key}={text}" if text else key + equals for key, text in pairs]
                continue
            texts = [*chain.from_iterable(pairs)]
        else:
            texts = [*map(encode, [value] if isinstance(value, bytes) else value)]
        texts = texts if explode else [",".join(texts)]
        if if_empty is None:
            pieces += texts
        else:
            pieces += [f"{name}={text}" if text else name + if_empty for text in texts]
    return first + separator.join(pieces) if pieces else ""
