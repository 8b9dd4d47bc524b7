"""Selectors: the user's choice of links, besides the tables and against them.

A *pattern* is a list of selectors in the grammar of CSS (Selectors 4). A selector with ``@`` and a name selects this
attribute of its elements: ``x-card@data-url``, ``*@data-src``, ``a[rel~=next]@href, img.photo``. A selector without
``@`` selects every link of its elements.

A selector is a list of compound selectors: a type or ``*``, classes, an identifier, conditions on attributes and
``:not()``. cssselect2 parses the grammar. The result is plain data, which can be compared and pickled. Combinators,
other pseudo-classes and pseudo-elements are not implemented; they are refused, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.links.link import KINDS, Kind, Query, kind_named
from linkfix.links.names_data import CASELESS
from linkfix.links.table import Element

_SPACE = " \t\n\f\r"
_ATTRIBUTE = pattern(r"""[^\s@\[\](){}"'=<>,*|]+""")


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


class Pattern(NamedTuple):
    """A pattern of elements and attributes.

    Attributes:
        alternatives: selectors, each with the name of an attribute in lower case, "" for any.

    """

    alternatives: tuple[tuple[Compound, str], ...]

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Parse a pattern.

        Raises:
            ValueError: it is no pattern, or a part of it is not implemented; the message names the part.

        """
        try:
            return cls(tuple((each, name) for one, name in split(text) for each in compounds(one)))
        except ValueError as error:
            raise ValueError(
                f"{text!r} is no pattern: {error}; write for example img@src, *@data-src, a.button or "
                'a[href^="http:"]@href'
            ) from None

    def matches(self, element: Element, attribute: str) -> bool:
        """Return whether the pattern selects an attribute of an element, "" for its text."""
        attribute = attribute.lower()
        return any(
            wanted in {"", attribute} and compound.matches(element)
            for compound, wanted in self.alternatives
        )


class Addition(NamedTuple):
    """An attribute with links besides the tables.

    Attributes:
        pattern: selects elements, and names the attribute.
        kind: how its value is split into links.
        namespace: that the element must have; None for any.
        query: how the query of a link is mapped to octets.
        source: what defines the links.
        content: whether the text of the element is meant, and no attribute; only in XML.

    """

    pattern: Pattern
    kind: Kind = Kind.SINGLE
    namespace: str | None = None
    query: Query = "document"
    source: str = "the user's choice"
    content: bool = False

    @classmethod
    def parse(cls, text: str) -> Addition:
        """Parse ``PATTERN`` or ``PATTERN=KIND``, for example ``img@data-srcset=srcset``.

        Raises:
            ValueError: the pattern names no attribute, or there is no such kind.

        """
        head, at, tail = text.rpartition("@")
        attribute, equals, kind = tail.partition("=")
        if not at:
            raise ValueError(f"{text!r} names no attribute; write for example x-card@data-url")
        parsed = kind_named(kind) if equals else Kind.SINGLE
        if parsed is None:
            raise ValueError(f"{kind!r} is no kind of value; there are {KINDS}")
        pattern = Pattern.parse(f"{head}@{attribute}")
        if not all(name for _, name in pattern.alternatives):
            raise ValueError(f"a part of {text!r} names no attribute; give each option one of them")
        return cls(pattern, parsed)
