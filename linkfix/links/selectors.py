"""Selectors: the elements of a document that a pattern selects, in the grammar of CSS (Selectors 4).

A selector is a list of compound selectors: a type or ``*``, classes, an identifier, conditions on attributes and
``:not()``. cssselect2 parses the grammar. The result is plain data, which can be compared and pickled. Combinators,
other pseudo-classes and pseudo-elements are not implemented; they are refused, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.links.names_data import CASELESS

_SPACE = " \t\n\f\r"
_ATTRIBUTE = pattern(r"""[^\s@\[\](){}"'=<>,*|]+""")


class Element(NamedTuple):
    """The element of an attribute or a text.

    Attributes:
        name: its name as written, with its prefix.
        value_of: maps the name of an attribute in lower case to its value; None for no such attribute.
        is_html: whether it is an element of HTML in a document of HTML.
        namespace: its namespace name.

    """

    name: str
    value_of: Callable[[str], str | None]
    is_html: bool = True
    namespace: str = ""


class Name(NamedTuple):
    """A condition on the name of an element, without regard to ASCII case.

    Attributes:
        prefix: the prefix as written; "" for none, None for any or none.
        local: the local name in lower case.

    """

    prefix: str | None
    local: str

    def matches(self, element: Element) -> bool:
        """Return whether an element meets the condition."""
        written = element.name.lower()
        if self.prefix:
            return written == f"{self.prefix}:{self.local}"
        any_prefix = self.prefix is None and not element.is_html
        return self.local in {written, written.rpartition(":")[2] if any_prefix else written}


class Value(NamedTuple):
    """A condition on an attribute.

    Attributes:
        name: name of the attribute in lower case, with its prefix.
        operator: ``=``, ``~=``, ``|=``, ``^=``, ``$=`` or ``*=``; None if any value will do.
        value: the operand of the operator.
        exact: whether the case of letters counts; None to follow HTML's rule for the attribute.

    """

    name: str
    operator: str | None
    value: str
    exact: bool | None

    def matches(self, element: Element) -> bool:
        """Return whether an element meets the condition."""
        value, wanted = element.value_of(self.name), self.value
        if value is None or self.operator is None:
            return value is not None
        exact = self.exact
        if exact is None:
            exact = not (element.is_html and self.name in CASELESS)
        if not exact:
            value, wanted = _lower(value), _lower(wanted)
        return _COMPARED[self.operator](value, wanted)


class Not(NamedTuple):
    """A condition that none of several compound selectors matches."""

    alternatives: tuple[Compound, ...]

    def matches(self, element: Element) -> bool:
        """Return whether an element meets the condition."""
        return not any(compound.matches(element) for compound in self.alternatives)


Condition: TypeAlias = "Name | Value | Not"


class Compound(NamedTuple):
    """A list of conditions; an element must meet all of them."""

    conditions: tuple[Condition, ...]

    def matches(self, element: Element) -> bool:
        """Return whether an element meets all conditions."""
        return all(condition.matches(element) for condition in self.conditions)


def _lower(text: str) -> str:
    """Return a text with its ASCII letters in lower case."""
    return "".join(char.lower() if char.isascii() else char for char in text)


def _word(value: str, wanted: str) -> bool:
    return wanted in re.split(f"[{_SPACE}]+", value.strip(_SPACE)) if wanted else False


#: Selectors 4, 6.1 and 6.2; an empty value is in nothing.
_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "~=": _word,
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def split(text: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors of a list, each with the attribute after its ``@``.

    Args:
        text: ``SELECTOR``, ``SELECTOR@attribute`` or several of them between commas.

    Yields:
        The selector, ``*`` where there is none before the ``@``; and the attribute in lower case, "" for none.

    Raises:
        ValueError: what follows an ``@`` is no name, something is not closed, or nothing is named.

    """
    import tinycss2

    *tokens, last = tinycss2.parse_component_value_list(f"{text},", skip_comments=True)
    if last != ",":  # CSS closes at the end what is open there
        raise ValueError("a bracket, a quote or an escape is not closed")
    groups: list[list[Any]] = [[]]
    for each in tokens:
        if each == ",":
            groups.append([])
        else:
            groups[-1].append(each)
    for tokens in groups:
        at = next(
            (n for n, t in enumerate(tokens) if t.type == "at-keyword" or t == "@"), len(tokens)
        )
        attribute = _text(tokens[at:])[1:].strip(_SPACE)
        if at < len(tokens) and _ATTRIBUTE.fullmatch(attribute) is None:
            raise ValueError(f"{attribute!r} is no name of an attribute")
        selector = _text(tokens[:at]).strip(_SPACE)
        if not selector and not attribute:
            raise ValueError("it names nothing")
        yield selector or "*", attribute.lower()


def _text(tokens: Iterable[Any]) -> str:
    import tinycss2

    return str(tinycss2.serialize([*tokens]))


class _Prefixes(dict[str | None, str]):
    """Map every prefix to itself as its namespace, since names are compared as written."""

    def get(self, key: str | None, default: Any = None) -> Any:
        return default if key is None else key


def compounds(text: str) -> tuple[Compound, ...]:
    """Parse a list of compound selectors.

    Raises:
        ValueError: it is none, or has what is not implemented; the message says what.

    """
    import tinycss2
    from cssselect2.parser import parse

    tokens = tinycss2.parse_component_value_list(text, skip_comments=True)
    _refuse_pseudo(tokens)
    return tuple(_compound(selector.parsed_tree) for selector in parse(tokens, _Prefixes({"": ""})))


def _refuse_pseudo(tokens: list[Any]) -> None:
    """Refuse pseudo-classes but ``:not()``, and pseudo-elements, wherever they are.

    The parser forgives some of them inside of others.
    """
    for each, after in zip(tokens, [*tokens[1:], None], strict=True):
        if each == ":":
            if after is None or after.type != "function" or after.lower_name != "not":
                what = "" if after is None else _text([after])
                hint = "; write ns|name for a name with a prefix" if what.isidentifier() else ""
                raise ValueError(f"{':' + what!r} is not implemented{hint}")
            _refuse_pseudo(after.arguments)


def _compound(tree: Any) -> Compound:
    from cssselect2.parser import CompoundSelector

    if not isinstance(tree, CompoundSelector):
        raise ValueError(f"the combinator {tree.combinator!r} is not implemented")
    return Compound(tuple(_conditions(tree.simple_selectors)))


def _conditions(selectors: Iterable[Any]) -> Iterator[Condition]:
    from cssselect2 import parser

    local, prefix = None, None
    for each in selectors:
        match each:
            case parser.LocalNameSelector():
                local = each.lower_local_name
            case parser.NamespaceSelector():
                prefix = each.namespace
            case parser.IDSelector():
                yield Value("id", "=", each.ident, exact=True)
            case parser.ClassSelector():
                yield Value("class", "~=", each.class_name, exact=True)
            case parser.AttributeSelector():
                yield _value(each)
            case parser.NegationSelector():
                yield Not(tuple(_compound(one.parsed_tree) for one in each.selector_list))
            case _:
                raise ValueError(f"{each!r} is not implemented")
    if local is not None:
        yield Name(prefix, local)
    elif prefix is not None:
        raise ValueError("any name with a prefix is not implemented")


def _value(selector: Any) -> Value:
    if selector.namespace is None:
        raise ValueError("an attribute with any prefix is not implemented")
    prefix = f"{selector.namespace.lower()}:" if selector.namespace else ""
    return Value(
        prefix + selector.lower_name,
        selector.operator,
        selector.value or "",
        selector.case_sensitive,
    )
