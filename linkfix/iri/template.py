"""URI Templates (RFC 6570, all four levels): parsed, expanded, their literals converted.

Input: a text. Output: a `Template` with its literals and expressions in order. An expression is never changed, since
only the program that expands it knows its values. The time of each function is linear in the length of the text and
of the values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from linkfix.iri import chars
from linkfix.iri.edits import apply
from linkfix.iri.model import Conversion, Edit

if TYPE_CHECKING:
    from linkfix.iri.layout import Span

#: The value of a variable: a string, a list, or names with their values; None for undefined.
Value: TypeAlias = "str | int | float | Sequence[str] | Mapping[str, str] | None"


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


class Variable(NamedTuple):
    """A variable of an expression (2.3 and 2.4).

    Attributes:
        name: as it is written.
        length: how many characters of its value count, None for all.
        explode: whether each member of its value is expanded by itself.

    """

    name: str
    length: int | None = None
    explode: bool = False


class Expression(NamedTuple):
    """An expression (2.2).

    Attributes:
        operator: one of ``+ # . / ; ? &``, or "".
        variables: in their order.
        span: of the expression with its braces.

    """

    operator: str
    variables: tuple[Variable, ...]
    span: Span


class _Operator(NamedTuple):
    """How the values of an expression are joined (RFC 6570, 3.2.1 and Appendix A)."""

    first: str
    separator: str
    named: bool
    if_empty: str
    reserved: bool


_OPERATORS: Final = {
    "": _Operator("", ",", False, "", False),
    "+": _Operator("", ",", False, "", True),
    "#": _Operator("#", ",", False, "", True),
    ".": _Operator(".", ".", False, "", False),
    "/": _Operator("/", "/", False, "", False),
    ";": _Operator(";", ";", True, "", False),
    "?": _Operator("?", "&", True, "=", False),
    "&": _Operator("&", "&", True, "=", False),
}
_RESERVED: Final = ":/?#@" + r"\[\]" + chars.SUB_DELIMS
_NOT_UNRESERVED: Final = re.compile(f"[^{chars.UNRESERVED}]+")
_NOT_LITERAL: Final = re.compile(rf"[^{chars.UNRESERVED}{_RESERVED}%]+|%(?![0-9A-Fa-f]{{2}})")
_BRACE: Final = re.compile("[{}]")
_NAME: Final = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*"
_VARIABLE: Final = re.compile(
    rf"(?P<name>{_NAME})(?::(?P<length>[1-9][0-9]{{0,3}})|(?P<explode>\*))?"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A URI Template.

    Attributes:
        text: as it was written.
        expressions: in their order; what lies between is literal.

    """

    text: str
    expressions: tuple[Expression, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Parse a template (RFC 6570, 2).

        Args:
            text: any string; characters that no URI contains are allowed in literals, since `to_uri` encodes them.

        Raises:
            TemplateError: for the first brace or expression that is wrong.

        """
        expressions = []
        position = 0
        while (found := _BRACE.search(text, position)) is not None:
            brace = found.start()
            if text[brace] == "}":
                raise TemplateError("a brace that closes nothing", brace, brace + 1)
            end = text.find("}", brace) + 1
            if not end:
                raise TemplateError("an expression without its end", brace, len(text))
            expressions.append(_expression(text, brace, end))
            position = end
        return cls(text, tuple(expressions))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, each once, in the order of the template."""
        found = (variable.name for one in self.expressions for variable in one.variables)
        return tuple(dict.fromkeys(found))

    def expand(self, values: Mapping[str, Value]) -> str:
        """Expand the template (RFC 6570, 3).

        Args:
            values: by the names of the variables; one that is missing is undefined, and so are None, an empty list
                and an empty mapping.

        Raises:
            TemplateError: a prefix is asked of a list or mapping (2.4.1).

        """
        pieces: list[str] = []
        position = 0
        for expression in self.expressions:
            start, end = expression.span
            pieces += (_literal(self.text[position:start]), _expanded(expression, values))
            position = end
        return "".join([*pieces, _literal(self.text[position:])])

    def to_uri(self) -> Conversion:
        """Percent-encode what no URI contains in the literals (RFC 6570, 3.1); expressions stay as they are."""
        spans = [expression.span for expression in self.expressions]
        starts = [0, *(end for _, end in spans)]
        ends = [*(start for start, _ in spans), len(self.text)]
        edits = [
            Edit(*found.span(), _quoted(found))
            for start, end in zip(starts, ends, strict=True)
            for found in _NOT_LITERAL.finditer(self.text, start, end)
        ]
        return Conversion(apply(self.text, edits), tuple(edits), (), ok=True)


def _expression(text: str, start: int, end: int) -> Expression:
    inner = text[start + 1 : end - 1]
    operator = inner[:1] if inner[:1] in "+#./;?&" else ""
    if inner[:1] and inner[:1] in "=,!@|":
        raise TemplateError("an operator that is reserved (2.2)", start, end)
    variables = []
    for written in inner[len(operator) :].split(","):
        found = _VARIABLE.fullmatch(written)
        if found is None:
            raise TemplateError(f"{written!r} is no variable (2.3)", start, end)
        length = None if found["length"] is None else int(found["length"])
        variables.append(Variable(found["name"], length, found["explode"] is not None))
    return Expression(operator, tuple(variables), (start, end))


def _expanded(expression: Expression, values: Mapping[str, Value]) -> str:
    operator = _OPERATORS[expression.operator]
    pieces: list[str] = []
    for variable in expression.variables:
        value = values.get(variable.name)
        if value is None or (not isinstance(value, str | int | float) and not value):
            continue
        if not isinstance(value, str | int | float):
            if variable.length is not None:
                message = f"{variable.name!r} is no string, so it has no prefix (2.4.1)"
                raise TemplateError(message, *expression.span)
            pieces += _members(variable, value, operator)
        else:
            text = _encoded(str(value)[: variable.length], operator)
            pieces.append(_named(variable.name, text, operator) if operator.named else text)
    return operator.first + operator.separator.join(pieces) if pieces else ""


def _members(
    variable: Variable, value: Sequence[str] | Mapping[str, str], operator: _Operator
) -> list[str]:
    """Expand a list or a mapping (3.2.1)."""
    if isinstance(value, Mapping):
        pairs = [(_encoded(k, operator), _encoded(v, operator)) for k, v in value.items()]
        if variable.explode:
            if operator.named:
                return [_named(name, text, operator) for name, text in pairs]
            return [f"{name}={text}" for name, text in pairs]
        joined = ",".join(part for pair in pairs for part in pair)
    else:
        parts = [_encoded(part, operator) for part in value]
        if variable.explode:
            if operator.named:
                return [_named(variable.name, part, operator) for part in parts]
            return parts
        joined = ",".join(parts)
    return [_named(variable.name, joined, operator) if operator.named else joined]


def _named(name: str, text: str, operator: _Operator) -> str:
    return f"{name}={text}" if text else name + operator.if_empty


def _encoded(text: str, operator: _Operator) -> str:
    pattern = _NOT_LITERAL if operator.reserved else _NOT_UNRESERVED
    return pattern.sub(_quoted, text)


def _literal(text: str) -> str:
    return _NOT_LITERAL.sub(_quoted, text)


def _quoted(found: re.Match[str]) -> str:
    return chars.quote(found[0])
