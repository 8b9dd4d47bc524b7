"""The scope: the user's choice of links, besides the tables and against them.

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
from linkfix.links.html.embedded import DEFAULTS, How
from linkfix.links.link import KINDS, Kind, Query
from linkfix.links.names_data import CASELESS
from linkfix.links.table import Entry
from linkfix.links.templates import TEMPLATES, Templates

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
        try:
            parsed = Kind(kind) if equals else Kind.SINGLE
        except ValueError:
            parsed = Kind.UNKNOWN
        if parsed is Kind.UNKNOWN:
            raise ValueError(f"{kind!r} is no kind of value; there are {KINDS}")
        pattern = Pattern.parse(f"{head}@{attribute}")
        if not all(name for _, name in pattern.alternatives):
            raise ValueError(f"a part of {text!r} names no attribute; give each option one of them")
        return cls(pattern, parsed)


class Scope(NamedTuple):
    """The values that count as links in a document.

    Attributes:
        add: attributes with links besides the tables.
        skip: patterns of links that do not count.
        select: patterns of links that count; empty if all count.
        scripting: whether the content of ``noscript`` is text, as in a browser that runs scripts
            (HTML standard, 13.2.6.4.4).
        embedded: how certain kinds of embedded documents are read; all others are read as always (`linkfix.links.html.embedded`).
        conventions: how certain conventions are read; all others as their table says (`linkfix/links/tables/html_conventions.toml`).
        templates: recognizes values that only a program turns into links.
        links: whether links are read; otherwise only the targets of fragments are.

    """

    add: tuple[Addition, ...] = ()
    skip: tuple[Pattern, ...] = ()
    select: tuple[Pattern, ...] = ()
    scripting: bool = True
    embedded: tuple[tuple[str, How], ...] = ()
    conventions: tuple[tuple[str, How], ...] = ()
    templates: Templates = TEMPLATES
    links: bool = True

    def how(self, kind: str) -> How:
        """Return how a kind of embedded documents is read."""
        return dict(self.embedded).get(kind) or DEFAULTS.get(kind, "on")

    def allows(self, element: Element, attribute: str, kind: Kind = Kind.SINGLE) -> bool:
        """Return whether a link of an element counts by `skip` and `select`.

        Args:
            element: the element.
            attribute: name of the attribute; "" for the text of the element.
            kind: of the value. In an embedded document each link is selected or not, and the document is read.

        """
        if any(pattern.matches(element, attribute) for pattern in self.skip):
            return False
        is_read = not self.select or kind is Kind.DOCUMENT
        return is_read or any(pattern.matches(element, attribute) for pattern in self.select)

    def without_links(self) -> Scope:
        """Return a scope for reading only the targets of fragments of the same documents."""
        return self._replace(add=(), skip=(), select=(), links=False)

    @property
    def restricts(self) -> bool:
        """Whether `allows` can return False."""
        return bool(self.skip or self.select)

    def allows_name(self, name: str) -> bool:
        """Return whether a link counts that is in no element, such as one in plain text, by the name of its place."""
        return not self.restricts or self.allows(Element(name, lambda _: None), "")

    def choose(
        self,
        entries: Iterable[Entry],
        value_of: Callable[[str], str | None],
        element: Callable[[], Element],
        attribute: str,
    ) -> Entry | None:
        """Return the row that applies to a value that counts: one of the user's choice, else the first of a table.

        Args:
            entries: the rows of the tables for the value.
            value_of: returns the value of another attribute, None for none.
            element: returns the element of the value.
            attribute: name of the attribute, as written; "" for the text of the element.

        Returns:
            The row; None if the value is no link.

        """
        found = None
        for entry in entries:
            if entry.applies(value_of):
                found = entry
                break
        if not self.add and not self.restricts:
            return found
        whose = element()
        found = self.added(whose, attribute) or found
        counts = found is not None and self.allows(whose, attribute, found.kind)
        return found if counts else None

    def added(self, element: Element, attribute: str) -> Entry | None:
        """Return the added row for an attribute of an element; None for none."""
        for addition in self.add:
            if (
                addition.content != bool(attribute)
                and addition.namespace in {None, element.namespace}
                and addition.pattern.matches(element, attribute)
            ):
                return Entry(addition.kind, addition.query, (), addition.source)
        return None

    @property
    def added_names(self) -> frozenset[str]:
        """The attributes for which rows may be added, on any element."""
        patterns = (addition.pattern for addition in self.add if not addition.content)
        return frozenset(name for pattern in patterns for _, name in pattern.alternatives)

    @property
    def adds_texts(self) -> bool:
        """Whether rows may be added for the texts of elements."""
        return any(addition.content for addition in self.add)


#: The links of the tables, and no others.
EVERYTHING = Scope()
