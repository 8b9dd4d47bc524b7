"""The elements of XML with the namespaces and bases in force, and the decision which of them are returned.

Input: start tags and end tags, from any reader (`TagReader`, `ExpandedElements`, `LenientReader`).
Output: events. The meaning of names is cached for each set of namespaces and bases, so that each name is looked up once.
An unbound prefix is no error: XML 1.0 allows it, although Namespaces in XML does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError, NotWellFormedError
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.xml.events import XMLAttribute, XMLContent, XMLContext, XMLElement, XMLEvent
from linkfix.markup.xml.input import is_name
from linkfix.markup.xml.names import EVERY_TOKEN, Finder, Wanted, finder_of

if TYPE_CHECKING:
    from linkfix.markup.xml.events import Tag
    from linkfix.markup.xml.limits import Limits


XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/"
XSI_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance"

#: The most nested elements with an ``xml:base`` each, since every link is resolved against all of them.
MAX_BASES = 100
#: The most sets of namespaces and bases that are cached for a document, and names and contexts for each set.
_SETS, _NAMES, _CONTEXTS = 1024, 1024, 256
#: The longest spelling of a tag whose context is cached.
_LONGEST_TAG = 256
_BASE = "xml:base"
_TEMPLATE = "template"

#: The spelling around a value, in octets of the view: the name of its element, and its attribute with the quote; for a
#: text the start tag without its first angle bracket, and the mark of a section or an empty string.
Written = tuple[bytes, ...]
#: The meaning of an element's name: namespace, local name, vocabulary as `XMLElement.vocabulary`, whether its text is
#: wanted, and its wanted attributes as `Interest.of_element` returns them.
_Meaning = tuple[str, str, str, bool, frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Interest:
    """The elements and values that a consumer wants: in this class every element with attributes, without text.

    Attributes:
        everything: whether every element is returned, and the text of each one without child elements.
        declarations: whether elements that declare namespaces are returned.
        beginnings: pattern of the beginnings of values that are wanted in any attribute; empty for no such values.

    """

    everything: bool = False
    declarations: bool = False
    beginnings: bytes = b""

    def vocabulary(self, _root: str, _public: str) -> str:
        """Return the key of the vocabulary that elements without a namespace are in.

        Args:
            _root: the name of the root element, which has no namespace.
            _public: the public identifier of the document type, "" for none.

        Returns:
            The key, which begins with a slash; "" for no known vocabulary.

        """
        return ""

    def of_element(self, _vocabulary: str, _local: str) -> tuple[bool, frozenset[str] | None]:
        """Return whether the text of an element is wanted, and its wanted attributes.

        Args:
            _vocabulary: its namespace name, or the key of its vocabulary.
            _local: its name without prefix.

        Returns:
            Whether its text is wanted; and the local names of its wanted attributes. The element is returned if it
            has one of these attributes; None to return it always.

        """
        return False, None

    def wanted(self, _bindings: Mapping[str, str], _bare: str) -> Wanted | None:
        """Return the wanted names under the namespaces in force; None if every tag is read.

        Args:
            _bindings: the namespaces, by prefix.
            _bare: the key of the vocabulary of elements without a namespace, "" for no known one.

        """
        return None


@dataclass(slots=True)
class Scope:
    """An element that declares namespaces or a base, or is a ``template`` of HTML, with what is cached for the names inside.

    Attributes:
        bases: the values of ``xml:base``, the outermost first.
        is_inert: whether it is in a ``template`` of HTML, and so not in the document (HTML Standard, 14.2).
        is_cached: whether it is one of the scopes for which a pattern is made.
        key: the name in its tags, as `Tag.key`; "" for the root element.
        before: the prefixes that it declares, each with its namespace around the element, None for none.
        open: the number of open elements of the same name inside it, itself included.
        names: the meanings of elements' names, as written.
        contexts: the contexts of values without elements, by the spelling around them.
        inner: the scopes inside, by their declarations. No two of the same declarations are open at once.
        finder: the pattern for wanted names; None before the first request.

    """

    bases: tuple[str, ...] = ()
    is_inert: bool = False
    is_cached: bool = True
    key: str = ""
    before: list[tuple[str, str | None]] = field(default_factory=list)
    open: int = 1
    names: dict[str, _Meaning] = field(default_factory=dict)
    contexts: dict[Written, XMLContext] = field(default_factory=dict)
    inner: dict[tuple[object, ...], Scope] = field(default_factory=dict)
    finder: Finder | None = None
    _next: int = -1

    def next_tag(self, view: bytes, base: int, start: int, stop: int) -> int:
        """Return the index of the next tag of the same name, or an index before which there is none.

        Args:
            view: the view of the buffered part of the document.
            base: offset of its first unit.
            start: index at which the search begins.
            stop: index at which it ends; no element that declares anything begins before it.

        """
        if not self.key:
            return stop
        if self._next < base + start:
            name = re.escape(self.key.encode("latin-1"))
            found = re.compile(b"</?" + name + rb"[\t\n\r />]").search(view, start, stop)
            self._next = base + (stop if found is None else found.start())
        return min(self._next - base, stop)


@dataclass(slots=True)
class Open:
    """An element whose text is being read.

    Attributes:
        element: the element.
        start: offset in the view at which its text begins.
        literal: whether the text begins in the document, not in an entity.
        is_wanted: whether its text may contain links by the names alone.

    """

    element: XMLElement
    start: int
    literal: bool
    is_wanted: bool


class Elements:
    """Turn start tags and end tags into events.

    Args:
        interest: decides which elements and values are returned.
        limits: the most that the document may need.
        unit: bytes of the document for each unit of its view.

    Attributes:
        limits: the most that the document may need.
        unit: bytes of the document for each unit of its view.
        events: the events that the scanner has not returned yet.
        opened: the element whose wanted text is being read; None for none.
        bindings: the namespaces in force, by prefix. No element has a copy of them: for nested elements with
            declarations, memory and time would grow with the square of their number.
        is_lenient: whether names and limits are no longer checked.
        public: the public identifier of the document type, "" for none so far.
        depth: the number of open elements that were not skipped.

    """

    def __init__(self, interest: Interest, limits: Limits, unit: int) -> None:
        self.events: list[XMLEvent] = []
        self.opened: Open | None = None
        self.bindings: dict[str, str] = {"xml": XML_NAMESPACE, "": ""}
        self.is_lenient = False
        self.public = ""
        self._interest = interest
        self.limits = limits
        self.unit = unit
        self._scopes = [Scope()]
        self._sets_left = _SETS
        #: The key of the vocabulary of elements without a namespace, "" for no known one; None before the root element.
        self._bare: str | None = None
        self.depth: int = 0

    def refusal(self, message: str, offset: int) -> NotWellFormedError:
        """Return the error of a document that is not well-formed at an offset in the view."""
        return NotWellFormedError(
            f"not well-formed XML: {message}",
            hint="correct it there, read it leniently with --recover, or use --type html if it is HTML",
            offset=offset * self.unit,
        )

    def over(self, what: str, limit: str, offset: int) -> LimitExceededError:
        """Return the error of a document that needs more than one of the limits at an offset in the view."""
        return LimitExceededError(
            f"{what} exceeds the limit of {getattr(self.limits, limit)}",
            hint=f"allow more with --max-{limit}",
            offset=offset * self.unit,
        )

    @property
    def scope(self) -> Scope:
        """The innermost open element that declares namespaces or a base."""
        return self._scopes[-1]

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern that finds the tags to be read, by `linkfix.markup.xml.names`."""
        scope = self._scopes[-1]
        if self._bare is None or self._interest.everything:
            return EVERY_TOKEN
        if scope.finder is None:
            is_wanted = scope.is_cached
            wanted = self._interest.wanted(self.bindings, self._bare) if is_wanted else None
            scope.finder = finder_of(wanted)
        return scope.finder.pattern

    def context(self, written: Written, tag: Tag | None) -> XMLContext:
        """Return the context of a value that is not in the scope's, and add it there.

        Args:
            written: the spelling around the value.
            tag: the start tag, if the value is a text; None for an attribute.

        """
        scope, mark = self._scopes[-1], written[1].decode()
        attribute = "" if tag else mark.strip("\t\n\r =\"'")
        prefix, _, own = attribute.rpartition(":")
        bound = self.bindings.get(prefix, "") if prefix else ""
        name = tag.name if tag else written[0].decode()
        element = self._element(name, scope, tuple(tag.attributes()) if tag else ())
        found = XMLContext(element, attribute, (bound, own) if bound else own, mark[-1:])
        # Documents can spell a tag in unlimited ways.
        if sum(map(len, written)) <= _LONGEST_TAG and len(scope.contexts) < _CONTEXTS:
            scope.contexts[written] = found
        return found

    def start(self, tag: Tag) -> None:
        """Read a start tag or an empty-element tag, and add its element to the events if it is wanted.

        Raises:
            LimitExceededError: it has too many attributes, or too long a name.
            NotWellFormedError: the name of the element or of an attribute is no name.

        """
        self.opened = None
        if not self.is_lenient:
            self._check(tag)
        outer = self._scopes[-1]
        is_root = self._bare is None
        declares = tag.names or tag.name == _TEMPLATE
        scope = self._declare(tag, outer) if declares else outer
        if is_root:
            self._scopes = [scope]
        elif not tag.is_empty:
            if scope is not outer:
                scope.key, scope.open, scope._next = tag.key, 1, -1
                self._scopes.append(scope)
            elif scope.key == tag.key:
                scope.open += 1
        self._add(tag, scope, is_root=is_root)
        if not tag.is_empty:
            self.depth += 1
        elif scope is not outer and not is_root:
            self._leave(scope)

    def end(self, key: str) -> None:
        """Close an element; `key` is the name in its tags. Skipped elements need not be closed."""
        self.depth -= 1
        scope = self._scopes[-1]
        # The key of the whole document is empty, and so may be that of a broken tag.
        if key and scope.key == key:
            scope.open -= 1
            if not scope.open:
                self._scopes.pop()
                self._leave(scope)

    def content(
        self,
        end: int,
        spelling: str,
        expanded: str | None = None,
        *,
        literal: bool,
        is_whole: bool = True,
    ) -> None:
        """Add the text of the element that is `opened`, if it is wanted, to the events.

        Args:
            end: offset in the view of the tag that ends it.
            spelling: the text as the document spells it.
            expanded: the character data; None if it follows from the spelling.
            literal: whether that tag is in the document.
            is_whole: whether that is the end tag of the element, not the start tag of a child.

        """
        opened, self.opened = self.opened, None
        if opened is not None and (is_whole or opened.is_wanted):
            literal &= opened.literal
            stop = end if literal else opened.start
            self.events.append(
                XMLContent(
                    opened.element, opened.start, stop, literal, spelling, expanded, is_whole
                )
            )

    def _add(self, tag: Tag, scope: Scope, *, is_root: bool) -> None:
        *_, wants_text, wanted = self._meaning(tag.name, scope)
        everything = self._interest.everything
        if not (wants_text or is_root or everything or self._has_any(tag, wanted)):
            return
        attributes = tuple(map(self._resolved, tag.attributes()))
        depth = 0 if is_root else max(self.depth, 1)
        element = self._element(tag.name, scope, attributes, depth, tag.start)
        if everything:
            element = element._replace(type=self._named_type(attributes))
        self.events.append(element)
        if wants_text or everything:
            is_there = tag.content is not None and not tag.is_empty
            self.opened = Open(element, tag.content or tag.start, is_there, wants_text)

    def _element(
        self,
        name: str,
        scope: Scope,
        attributes: tuple[XMLAttribute, ...],
        depth: int = 1,
        start: int = 0,
    ) -> XMLElement:
        """Return an element in a scope; the other arguments are those of `XMLElement`."""
        namespace, local, vocabulary, *_ = self._meaning(name, scope)
        return XMLElement(
            name, namespace, local, attributes, depth, start, scope.bases, None, vocabulary, scope.is_inert
        )  # fmt: skip

    def _resolved(self, attribute: XMLAttribute) -> XMLAttribute:
        """Return an attribute with its namespace."""
        prefix, colon, _ = attribute.name.partition(":")
        if prefix == "xmlns":
            return attribute._replace(namespace=XMLNS_NAMESPACE)
        return attribute._replace(namespace=self.bindings.get(prefix, "")) if colon else attribute

    def _named_type(self, attributes: Iterable[XMLAttribute]) -> tuple[str, str] | None:
        """Return namespace and local name of the type in ``xsi:type``, None for none (XML Schema Part 1, 2.6.1)."""
        for attribute in attributes:
            if attribute.local == "type" and attribute.namespace == XSI_NAMESPACE:
                prefix, _, local = attribute.value.strip(" \t\r\n").rpartition(":")
                return self.bindings.get(prefix, ""), local
        return None

    def _has_any(self, tag: Tag, wanted: frozenset[str] | None) -> bool:
        """Return whether a tag has wanted attributes, or is wanted without."""
        if wanted is None:
            return True
        if not wanted.isdisjoint([name.rpartition(":")[2] for name in tag.names]):
            return True
        if self._interest.declarations and any(map(_is_declaration, tag.names)):
            return True
        beginnings = self._interest.beginnings.decode()
        return bool(beginnings) and any(re.match(beginnings, a.value) for a in tag.attributes())

    def _declare(self, tag: Tag, outer: Scope) -> Scope:
        """Return the scope of a tag, with its declarations in force (Namespaces in XML, 3; XML Base, 3)."""
        declared, added = {}, list[str]()
        for number, name in enumerate(tag.names):
            if _is_declaration(name):
                declared[name[6:]] = tag.attribute(number).value
            elif name == _BASE:
                added.append(tag.attribute(number).value)
        bindings = self.bindings
        is_template = tag.name == _TEMPLATE and declared.get("", bindings[""]) == HTML
        is_inert = outer.is_inert or is_template
        if (
            not added
            and is_inert is outer.is_inert
            and all(bindings.get(prefix) == name for prefix, name in declared.items())
        ):
            return outer
        bases = (*outer.bases, *added)
        if added and len(bases) > MAX_BASES:
            raise LimitExceededError(
                f"there are more than {MAX_BASES} elements with an xml:base inside one another",
                hint="remove xml:base from elements whose base is the same without it",
                offset=tag.start * self.unit,
            )
        key = (*declared.items(), *added, is_inert)
        found = outer.inner.get(key)
        if found is None:
            # Documents can invent unlimited namespaces.
            found = Scope(bases, is_inert, is_cached=self._sets_left > 0)
            if found.is_cached:
                self._sets_left -= 1
                outer.inner[key] = found
        found.before = [(prefix, bindings.get(prefix)) for prefix in declared]
        bindings.update(declared)
        return found

    def _leave(self, scope: Scope) -> None:
        """Restore the namespaces before an element; elements are left in the reverse order."""
        for prefix, namespace in scope.before:
            if namespace is None:
                del self.bindings[prefix]
            else:
                self.bindings[prefix] = namespace

    def _meaning(self, name: str, scope: Scope) -> _Meaning:
        """Return the meaning of an element's name in a scope."""
        names = scope.names
        meaning = names.get(name)
        if meaning is None:
            prefix, colon, local = name.partition(":")
            local = local if colon else name
            namespace = self.bindings.get(prefix if colon else "", "")
            if self._bare is None:
                self._bare = "" if namespace else self._interest.vocabulary(local, self.public)
            vocabulary = namespace or self._bare
            meaning = namespace, local, vocabulary, *self._interest.of_element(vocabulary, local)
            if len(names) < _NAMES:  # documents can invent unlimited names
                names[name] = meaning
        return meaning

    def _check(self, tag: Tag) -> None:
        if len(tag.names) > self.limits.attributes:
            raise self.over("the number of attributes of an element", "attributes", tag.start)
        for name in (tag.name, *tag.names):
            if len(name) > self.limits.name:
                raise self.over("the length of a name", "name", tag.start)
            if not name.isascii() and not is_name(name):
                raise self.refusal("this is no name", tag.start)


def _is_declaration(name: str) -> bool:
    """Return whether an attribute declares a namespace (Namespaces in XML, 3)."""
    return name.startswith("xmlns") and (name == "xmlns" or name[5] == ":")
