"""Compile XML Schema 1.0 and 1.1, parsed by the xmlschema package."""

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, BinaryIO
from urllib.request import OpenerDirector

import xmlschema
from xmlschema.validators import XsdAssertionFacet, XsdPatternFacets
from xmlschema.validators.builders import XsdBuilders

from linkfix.errors import UnreadableError
from linkfix.links.link import Kind
from linkfix.links.schemas.model import (
    SKIPPED,
    TEXT,
    ElementType,
    Name,
    Schema,
    Use,
    either,
    remembered,
    use,
)
from linkfix.links.schemas.opening import local_path, open_file

# --- The xmlschema package without patterns, assertions and its own opener of files ---------------
# linkfix needs only the attributes and texts of type anyURI. A pattern facet is a regular expression from the schema, and
# a value from the document can make it run for exponential time. An assertion is an XPath expression. Neither is
# evaluated: both accept every value, and `is_undecided` returns whether a type has one. `linkfix.links.schemas.opening`
# opens the files.

_ANYTHING = re.compile("")


class _Pattern(XsdPatternFacets):
    """A pattern that is not evaluated."""

    def _parse_value(self, _elem: Any) -> re.Pattern[str]:
        return _ANYTHING


class _Assertion(XsdAssertionFacet):
    """An assertion that is not evaluated."""

    def _parse(self) -> None:
        self.path = "true()"

    def __call__(self, _value: Any) -> None:
        pass


class _Schema10(xmlschema.XMLSchema10):
    builders = XsdBuilders("1.0", _Pattern)


class _Schema11(xmlschema.XMLSchema11):
    builders = XsdBuilders("1.1", _Pattern, _Assertion)


#: The classes of schemas, in the order in which they are tried.
VERSIONS = (_Schema10, _Schema11)


class _Opener(OpenerDirector):
    """Open local, regular files."""

    def open(self, fullurl: Any, _data: Any = None, timeout: Any = None) -> BinaryIO:  # noqa: ARG002 - of urllib
        path = local_path(str(fullurl))
        try:
            if path is None:
                raise UnreadableError("cannot read it: this is no local file")
            return open_file(path)
        except UnreadableError as error:
            raise OSError(f"{path or fullurl}: {error.message}") from None


OPENER = _Opener()


def is_undecided(simple: Any) -> bool:
    """Return whether a pattern or an assertion restricts the values of a simple type."""
    if any(isinstance(facet, _Pattern | _Assertion) for facet in simple.facets.values()):
        return True
    parts = [*getattr(simple, "member_types", ())]
    parts += [getattr(simple, name, None) for name in ("base_type", "item_type", "primitive_type")]
    return any(is_undecided(part) for part in parts if part is not None and part is not simple)


# --------------------------------------------------------------------------------------------------

_ANY_URI = "{http://www.w3.org/2001/XMLSchema}anyURI"
#: The type without values: an element that has it is invalid (XML Schema 1.1 Part 1, 3.16.7.3).
_ERROR = "{http://www.w3.org/2001/XMLSchema}error"
#: The version for which a schema is written; for lower ones it is empty (XML Schema 1.1 Part 1, 4.2.2).
_MIN_VERSION = "{http://www.w3.org/2007/XMLSchema-versioning}minVersion"
_SOURCE = "XML Schema Part 2, 3.2.17"


def compile_xsd(path: str, resolve: Callable[[str], str | None] | None = None) -> Schema:
    """Compile the schema in a file, with what it includes and imports from local files.

    Raises:
        UnreadableError: it is no valid schema, or includes one that cannot be read.

    """

    def local(uri: str) -> str:
        return (None if resolve is None else resolve(uri)) or uri

    problem: Exception | None = None
    for version in VERSIONS:
        try:
            with warnings.catch_warnings():
                # An import without a local file defines no links. What is not included may.
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", xmlschema.XMLSchemaIncludeWarning)
                schema = version(path, allow="local", uri_mapper=local, opener=OPENER)
        except xmlschema.XMLSchemaIncludeWarning as warning:
            missing = str(warning).partition(": ")[2]
            raise UnreadableError(f"it includes {missing}", file=path) from None
        except Exception as error:  # noqa: BLE001 - for an invalid schema the package raises anything
            problem = problem or error
            continue
        if version is VERSIONS[-1] or schema.root.get(_MIN_VERSION, "1.0") == "1.0":
            return _Compiler(schema.maps).schema()
    # The text of an error of xmlschema has the whole element.
    what, where = (getattr(problem, name, None) for name in ("message", "path"))
    place = f", at {where}" if where else ""
    raise UnreadableError(f"this is no valid schema: {what or problem}{place}", file=path)


def _name(qualified: str) -> Name:
    namespace, _, local = qualified.rpartition("}")
    return namespace[1:], local


def _qualified(name: Name) -> str:
    return f"{{{name[0]}}}{name[1]}" if name[0] else name[1]


class _Compiler:
    """Turn the components of schemas into element types, each type once.

    The tests of type alternatives (XML Schema 1.1 Part 1, 3.12) are XPath and not evaluated. So an element with
    alternatives may have each of their types.
    """

    def __init__(self, maps: Any) -> None:
        self._maps = maps
        self._top = ElementType(is_top=True)
        self._done: dict[tuple[int, bool], ElementType] = {}
        self._either: dict[frozenset[int], ElementType] = {}
        self._waiting: list[tuple[Any, ElementType]] = []

    def schema(self) -> Schema:
        elements = {_name(q): self._of_element(e) for q, e in self._maps.elements.items()}
        self._top.children.update(elements)
        types = {_name(q): self._of_type(t) for q, t in self._maps.types.items()}
        while self._waiting:
            self._fill(*self._waiting.pop())
        return Schema(self._top, types)

    def _of_element(self, element: Any) -> ElementType:
        alternatives = getattr(element, "alternatives", ())
        types = [each.type for each in alternatives if each.type is not None]
        if not alternatives or "test" in alternatives[-1].elem.attrib:
            types.append(element.type)
        fixed = element.fixed is not None
        return self._one_of([self._of_type(t, fixed=fixed) for t in types if t.name != _ERROR])

    def _one_of(self, types: Sequence[ElementType]) -> ElementType:
        """Return the type of an element that has one of several types."""
        key = frozenset(map(id, types))
        if len(key) == 1:
            return types[0]
        found = self._either.get(key)
        if found is None:

            def attribute(name: Name) -> Use | None:
                uses = [each.attribute(name) for each in types]
                return either(use for use in uses if use is not None)

            def child(name: Name) -> ElementType | None:
                children = [each.child(name) for each in types]
                return self._one_of([each for each in children if each] or [SKIPPED])

            found = self._either[key] = ElementType(
                other_attribute=remembered(attribute),
                content=either(each.content for each in types if each.content is not None),
                other=remembered(child),
            )
        return found

    def _of_type(self, xsd_type: Any, *, fixed: bool = False) -> ElementType:
        key = (id(xsd_type), fixed)
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = ElementType()
            simple = xsd_type if xsd_type.is_simple() else xsd_type.simple_type
            if simple is not None:
                found.content = _use(simple, fixed=fixed)
            elif xsd_type.mixed:
                found.content = TEXT
            if not xsd_type.is_simple():
                self._waiting.append((xsd_type, found))
        return found

    def _fill(self, xsd_type: Any, found: ElementType) -> None:
        for qualified, attribute in xsd_type.attributes.items():
            if qualified is None:
                self._fill_any_attribute(attribute, found)
            else:
                self._fill_attribute(qualified, attribute, found)
        if not xsd_type.has_simple_content() and xsd_type.content is not None:
            for particle in xsd_type.content.iter_elements():
                self._fill_child(particle, found)

    def _fill_attribute(self, qualified: str, attribute: Any, found: ElementType) -> None:
        made = _use(attribute.type, fixed=attribute.fixed is not None)
        if attribute.use != "prohibited":
            found.attributes[_name(qualified)] = made

    def _fill_any_attribute(self, wildcard: Any, found: ElementType) -> None:
        if wildcard.process_contents != "skip":
            for qualified, attribute in self._maps.attributes.items():
                if wildcard.is_matching(qualified):
                    self._fill_attribute(qualified, attribute, found)
        found.other_attribute = lambda name: (
            TEXT if wildcard.is_matching(_qualified(name)) else None
        )

    def _fill_child(self, particle: Any, found: ElementType) -> None:
        if particle.name is None:  # a wildcard
            if particle.process_contents == "skip":
                found.other = found.other or (lambda _name: SKIPPED)
            else:
                found.other = lambda name: self._any(particle, name)
            return
        declared = particle.ref if particle.ref is not None else particle
        found.children[_name(particle.name)] = self._of_element(declared)
        self._fill_members(particle.name, found)

    def _fill_members(self, head: str, found: ElementType) -> None:
        for member in self._maps.substitution_groups.get(head, ()):
            if (name := _name(member.name)) not in found.children:
                found.children[name] = self._of_element(member)
                self._fill_members(member.name, found)

    def _any(self, wildcard: Any, name: Name) -> ElementType | None:
        qualified = _qualified(name)
        if not wildcard.is_matching(qualified):
            return None
        element = self._maps.elements.get(qualified)
        return self._top if element is None else self._of_element(element)


def _use(simple: Any, *, fixed: bool) -> Use:
    """Return the use of a simple type."""
    kind = _kind(simple)
    if kind is None:
        return TEXT
    if fixed or simple.enumeration is not None:
        kind = Kind.IDENTITY  # another spelling would not be valid
    found = use(kind, _SOURCE, _by_member(simple, kind))
    item = _inherited(simple, "item_type") if simple.is_list() else simple
    if item is not simple and item.is_union() and not all(map(_kind, _members(item))):
        return replace(found, others=(TEXT,))  # some items are no anyURI
    return found


def _kind(simple: Any) -> Kind | None:
    if simple.is_list():
        return None if _kind(_inherited(simple, "item_type")) is None else Kind.LIST
    if simple.is_union():
        kinds = [kind for kind in map(_kind, _members(simple)) if kind is not None]
        return kinds[0] if kinds else None
    primitive = getattr(simple, "primitive_type", None)  # anySimpleType has none
    return Kind.SINGLE if primitive is not None and primitive.name == _ANY_URI else None


def _members(simple: Any) -> list[Any]:
    return list(_inherited(simple, "member_types"))


def _inherited(simple: Any, name: str) -> Any:
    """Return a property of a list or union, which a restriction has from its base type."""
    while getattr(simple, name, None) is None:
        simple = simple.base_type if simple.is_simple() else simple.content
    return getattr(simple, name)


def _by_member(simple: Any, kind: Kind) -> Callable[[str], Kind | None] | None:
    """Return a function from a value of a union to its kind; None if all values are of one kind.

    A value is of the first member type that it fits (XML Schema Part 2, 2.5.1.3). Patterns are not evaluated. If only
    a pattern decides whether a value is of an earlier member, the value is an identity token, which is never rewritten.
    """
    if not simple.is_union():
        return None
    members = _members(simple)
    first = next(i for i, member in enumerate(members) if _kind(member) is not None)
    before = [(member, is_undecided(member)) for member in members[:first]]
    if not before:
        return None

    def kind_of(value: str) -> Kind | None:
        text = value.strip(" \t\r\n")
        fitting = [undecided for member, undecided in before if member.is_valid(text)]
        if not all(fitting):
            return None
        return Kind.IDENTITY if fitting else kind

    return kind_of
