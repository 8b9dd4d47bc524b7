"""Compile RELAX NG in XML syntax to an automaton.

An element can match several patterns at once. So a state of the automaton is a set of ``element`` patterns, and has the
attributes and the text of all of them. Which pattern of a choice an element matches may depend on all its attributes
and children. This is not followed: a value that is an anyURI in only some of the patterns that allow it is never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urljoin

from linkfix.errors import UnreadableError
from linkfix.links.link import Kind
from linkfix.links.schemas.model import (
    TEXT,
    ElementType,
    Name,
    Schema,
    Use,
    either,
    remembered,
    use,
)
from linkfix.links.schemas.opening import local_path, parse
from linkfix.markup.xml.elements import XML_NAMESPACE

_RNG = "{http://relaxng.org/ns/structure/1.0}"
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_SOURCE = "RELAX NG, data of type anyURI"
_ANY_URI, _IDENTITY, _LIST = (
    use(kind, _SOURCE) for kind in (Kind.SINGLE, Kind.IDENTITY, Kind.LIST)
)
_EMPTY = replace(TEXT, only=frozenset([""]))
T = TypeVar("T")
V = TypeVar("V")


@dataclass(slots=True, eq=False)
class _Grammar:
    """The definitions of a grammar, and the grammar around it."""

    parent: _Grammar | None
    definitions: dict[str, list[Any]] = field(default_factory=dict)


#: A name class: a predicate for names, and their list if it is finite.
_NameClass: TypeAlias = "tuple[Callable[[Name], bool], list[Name]]"
_Named: TypeAlias = "tuple[_NameClass, T]"


@dataclass(slots=True)
class _Content:
    """The content of a pattern, without the content of its elements.

    Attributes:
        elements: the elements.
        attributes: the uses of attributes.
        texts: the uses of text.

    """

    elements: list[_Named[_Element]] = field(default_factory=list)
    attributes: list[_Named[Use]] = field(default_factory=list)
    texts: list[Use] = field(default_factory=list)


class _Element(NamedTuple):
    """An ``element`` pattern: its node, and the grammar of its content.

    lxml returns one object for a node as long as that is in use, so equal patterns are the same one.
    """

    node: Any
    grammar: _Grammar | None


def compile_relaxng(path: str) -> Schema:
    """Compile the schema in a file, with the local files that it includes.

    Raises:
        UnreadableError: it is no valid schema.

    """
    from lxml import etree

    root = _parsed(path)
    _check_files(root)
    try:
        etree.RelaxNG(root.getroottree())
    except (OSError, etree.RelaxNGError) as error:
        raise UnreadableError(f"this is no valid schema: {error}", file=path) from None
    return _Compiler().schema(root)


def _parsed(path: str) -> Any:
    return parse(path, "schema", remove_comments=True).getroot()


def _check_files(root: Any) -> None:
    """Check that every file that a schema includes is a regular one, since libxml2 opens any file."""
    seen: set[str] = set()
    waiting = [root]
    while waiting:
        for node in waiting.pop().iter(f"{_RNG}include", f"{_RNG}externalRef"):
            path = _referenced(node)
            if path not in seen:
                seen.add(path)
                waiting.append(_parsed(path))


def _referenced(node: Any) -> str:
    """Return the path of the file that an ``include`` or ``externalRef`` names."""
    uri = urljoin(node.base or "", node.get("href", "").strip())
    path = local_path(uri)
    if path is None:
        raise UnreadableError("the schema needs another one from a network", file=uri)
    return path


class _Compiler:
    def __init__(self) -> None:
        self._contents: dict[_Element, _Content] = {}
        self._types: dict[frozenset[_Element], ElementType] = {}

    def schema(self, root: Any) -> Schema:
        content = _Content()
        self._collect(root, None, content, set())
        children, other = _by_name(content.elements, self._state)
        return Schema(ElementType(children=children, other=other, is_top=True))

    # --- states -------------------------------------------------------------------------------

    def _state(self, elements: list[_Element]) -> ElementType | None:
        """Return the type of an element that any of several patterns may match; None for no patterns."""
        key = frozenset(elements)
        found = self._types.get(key)
        if found is None and elements:
            found = self._types[key] = ElementType()
            contents = [*map(self._content, elements)]
            children = [child for content in contents for child in content.elements]
            attributes = [own for content in contents for own in content.attributes]
            found.children, found.other = _by_name(children, self._state)
            found.attributes, found.other_attribute = _by_name(attributes, either)
            found.content = either(text for content in contents for text in content.texts)
        return found

    def _content(self, element: _Element) -> _Content:
        found = self._contents.get(element)
        if found is None:
            found = self._contents[element] = _Content()
            for child in _patterns(element.node):
                self._collect(child, element.grammar, found, set())
        return found

    # --- patterns -----------------------------------------------------------------------------

    def _collect(self, node: Any, grammar: _Grammar | None, into: _Content, seen: set[Any]) -> None:
        """Add the content of a pattern.

        Args:
            node: the pattern.
            grammar: the grammar around it.
            into: the content that is added to.
            seen: the definitions around the pattern, so that recursion ends.

        """
        kind = node.tag.removeprefix(_RNG)
        if kind == "element":
            into.elements.append((_name_class(node), _Element(node, grammar)))
        elif kind == "attribute":
            self._collect_attribute(node, grammar, into)
        elif kind in {"text", "empty"}:
            into.texts.append(TEXT if kind == "text" else _EMPTY)
        elif kind == "data":
            into.texts.append(_ANY_URI if _is_any_uri(node) else TEXT)
        elif kind == "value":
            value = frozenset([" ".join((node.text or "").split())])
            into.texts.append(replace(_IDENTITY if _is_any_uri(node) else TEXT, only=value))
        elif kind == "list":
            inner = _Content()
            for child in node:
                self._collect(child, grammar, inner, set())
            if _ANY_URI in inner.texts:
                into.texts.append(_LIST)
            if any(text != _ANY_URI for text in inner.texts):
                into.texts.append(TEXT)
        elif kind in {"ref", "parentRef"}:
            scope = grammar.parent if grammar is not None and kind == "parentRef" else grammar
            for definition in scope.definitions.get(node.get("name").strip(), ()) if scope else ():
                if definition not in seen:
                    seen.add(definition)
                    for child in definition:
                        self._collect(child, scope, into, seen)
        elif kind == "externalRef":
            self._collect(_parsed(_referenced(node)), None, into, seen)
        elif kind == "grammar":
            inner_grammar = _Grammar(grammar)
            for start in self._define(node, inner_grammar):
                for child in start:
                    self._collect(child, inner_grammar, into, seen)
        elif node.tag.startswith(_RNG):  # group, interleave, choice, mixed, optional …
            if kind == "mixed":
                into.texts.append(TEXT)
            for child in node:
                self._collect(child, grammar, into, seen)

    def _collect_attribute(self, node: Any, grammar: _Grammar | None, into: _Content) -> None:
        content = _Content()
        for child in _patterns(node):
            self._collect(child, grammar, content, set())
        into.attributes.append((_name_class(node), either(content.texts) or TEXT))

    def _define(self, node: Any, grammar: _Grammar) -> list[Any]:
        """Add the definitions in a grammar; return its start patterns (4.7, 4.17)."""
        starts: list[Any] = []
        for child in node:
            kind = child.tag.removeprefix(_RNG) if isinstance(child.tag, str) else ""
            if kind == "define":
                grammar.definitions.setdefault(child.get("name").strip(), []).append(child)
            elif kind == "start":
                starts.append(child)
            elif kind == "div":
                starts += self._define(child, grammar)
            elif kind == "include":
                starts += self._include(child, grammar)
        return starts

    def _include(self, node: Any, grammar: _Grammar) -> list[Any]:
        """Add an included grammar, in which the content of the ``include`` replaces definitions."""
        theirs, ours = _Grammar(None), _Grammar(None)
        starts = self._define(_parsed(_referenced(node)), theirs)
        own_starts = self._define(node, ours)
        for name, definitions in (theirs.definitions | ours.definitions).items():
            grammar.definitions.setdefault(name, []).extend(definitions)
        return own_starts or starts


# --- names (RELAX NG, 4.8 to 4.10, 6) -------------------------------------------------------------


def _patterns(node: Any) -> Iterator[Any]:
    """Yield the patterns inside an element or attribute, without its name class."""
    children = [child for child in node if isinstance(child.tag, str)]
    yield from children if node.get("name") is not None else children[1:]


def _inherited(node: Any, attribute: str) -> str:
    while node is not None:
        value = node.get(attribute)
        if value is not None:
            return str(value)
        node = node.getparent()
    return ""


def _qualified(node: Any, text: str, *, default: str) -> Name:
    prefix, colon, local = text.strip().rpartition(":")
    bound = {"xml": XML_NAMESPACE} | node.nsmap
    return (bound.get(prefix, "") if colon else default), local


def _by_name(
    named: list[_Named[T]], made: Callable[[list[T]], V | None]
) -> tuple[dict[Name, V], Callable[[Name], V | None] | None]:
    """Return what is made of the patterns that match each name, and a function for names in infinite classes, None for none."""
    endless = [(number, matches) for number, ((matches, names), _) in enumerate(named) if not names]
    numbers: dict[Name, list[int]] = {}
    for number, ((_, names), _) in enumerate(named):
        for name in names:
            numbers.setdefault(name, []).append(number)
    found = dict[Name, V]()
    for name, own in numbers.items():
        own += [number for number, matches in endless if matches(name)]
        if (of_name := made([named[number][1] for number in sorted({*own})])) is not None:
            found[name] = of_name
    if not endless:
        return found, None
    return found, remembered(
        lambda name: made([each for (matches, _), each in named if matches(name)])
    )


def _name_class(node: Any) -> _NameClass:
    """Return the names of an element or attribute, or of a name class."""
    kind, text = node.tag.removeprefix(_RNG), node.get("name")
    if text is not None or kind == "name":
        text, is_attribute = node.text if text is None else text, kind == "attribute"
        default = node.get("ns", "") if is_attribute else _inherited(node, "ns")
        name = _qualified(node, text or "", default=default)
        return name.__eq__, [name]
    children = (_name_class(child) for child in node if isinstance(child.tag, str))
    if kind in {"element", "attribute"}:
        return next(children)
    inner = [*children]
    if kind in {"choice", "except"}:
        few = kind == "choice" and all(names for _, names in inner)
        names = [name for _, names in inner for name in names] if few else []
        return (lambda name: any(matches(name) for matches, _ in inner)), names
    namespace = None if kind == "anyName" else _inherited(node, "ns")

    def is_in(name: Name) -> bool:
        allowed = namespace is None or name[0] == namespace
        return allowed and not any(excepted(name) for excepted, _ in inner)

    return is_in, []


def _is_any_uri(node: Any) -> bool:
    return node.get("type") == "anyURI" and _inherited(node, "datatypeLibrary") == _DATATYPES
