"""The elements of XML with the namespaces and bases in force: which of them are given, and as what.

Prefixes that are not bound are no error: a document that XML 1.0 allows is read, whatever
Namespaces in XML says of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError, NotWellFormedError
from linkfix.markup.xmlevents import XMLAttribute, XMLContent, XMLElement, XMLHolder
from linkfix.markup.xmlinput import is_name
from linkfix.markup.xmlscopes import InForce, check_bases, named_type
from linkfix.markup.xmlskipping import worthwhile
from linkfix.markup.xmltags import END_TAGS, TEXT

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from linkfix.markup.xmlevents import Limits, XMLEvent
    from linkfix.markup.xmlscopes import Before
    from linkfix.markup.xmlskipping import Sought
    from linkfix.markup.xmltags import Tag

__all__ = ["XMLNS_NAMESPACE", "XML_NAMESPACE", "Elements", "Interest", "Open", "Written", "over", "refusal"]  # fmt: skip

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/"

#: How many names of elements, and how many declarations, are remembered with what they mean.
_REMEMBERED = 1024
#: How many ways of writing what holds simple values are remembered for each set of namespaces.
_HOLDERS = 256
#: After so many tags that were looked at it is asked for a pattern once more.
_LOOKS = 32
#: How many patterns are made for one document.
_PATTERNS = 64
#: What names and tags have to be looked at, the limits being higher.
_USUAL_NAME = 256
_USUAL_ATTRIBUTES = 256
#: How many namespaces, and code points of bases, are remembered with what holds values under them.
_USUAL_BINDINGS = 64
_USUAL_BASES = 1024


def refusal(message: str, offset: int) -> NotWellFormedError:
    """Give the error of a document that is not well-formed at a byte offset."""
    return NotWellFormedError(
        f"not well-formed XML: {message}",
        hint="correct it there, read it leniently with --recover, or say --type html if it is HTML",
        offset=offset,
    )


def over(limits: Limits, what: str, limit: str, offset: int) -> LimitExceededError:
    """Give the error of a document that needs more than one of the limits at a byte offset."""
    return LimitExceededError(
        f"{what} goes over the limit of {getattr(limits, limit)}",
        hint=f"allow more with --max-{limit}",
        offset=offset,
    )


@dataclass(frozen=True, slots=True)
class Interest:
    """Which elements whoever reads a document wants to see.

    Attributes:
        wants_text: tells by namespace and local name whether an element's text is wanted.
        wanted_attributes: gives by namespace, local name and the namespaces by prefix the names of
            attributes without one of which an element need not be given; None for no such names.
        sought: gives by the namespaces by prefix, and by whether bases are `usual`, what the two
            may say of any name, once both have been asked for the root; None where every tag has
            to be looked at.
        usual: tells of a value of ``xml:base`` whether it leaves clean links what they are.
        typed: called with each element, in order, to tell whether its text is wanted; then every
            element is given, with attributes or without. None where names tell enough.
        declarations: whether elements that declare namespaces are given.

    """

    wants_text: Callable[[str, str], bool] = lambda _namespace, _local: False
    wanted_attributes: Callable[[str, str, dict[str, str]], frozenset[str] | None] = (
        lambda _namespace, _local, _bindings: None
    )
    sought: Callable[[dict[str, str], bool], Sought | None] = lambda _bindings, _usual: None
    usual: Callable[[str], bool] = lambda _base: True
    typed: Callable[[XMLElement], bool] | None = None
    declarations: bool = False


#: Of an element's name: namespace, local name, whether its text is wanted, and the names of
#: attributes without which it is not given; None where it always is.
_Known = tuple[str, str, bool, frozenset[str] | None]


#: Of a simple value: the name of the element and that of the attribute, or the inside of the start
#: tag and nothing; and what is around it, as in `XMLHolder.quote`. All in octets of the view.
Written = tuple[bytes, bytes, bytes]


@dataclass(slots=True)
class _Namespaces:
    """Namespaces that hold together, and what has been found out under them.

    Attributes:
        names: names of elements, with what is known of each.
        inner: what holds where more is declared.
        runs: the patterns of what need not be seen, by the name of an element whose tags are all to
            be, and whether the bases in force are usual ones.
        looks: how many tags have been looked at.
        patience: after how many of them it is asked for a pattern that runs over such as them.

    """

    names: dict[str, _Known] = field(default_factory=dict)
    inner: dict[tuple[tuple[str, str], ...], _Namespaces] = field(default_factory=dict)
    runs: dict[tuple[str, bool], re.Pattern[bytes]] = field(default_factory=dict)
    looks: int = 0
    patience: int = 1

    def declare(self, declared: dict[str, str]) -> _Namespaces:
        """Give what holds inside an element that declares namespaces, other ones than those around it."""
        key = tuple(declared.items())
        inner = self.inner.get(key)
        if inner is None:
            inner = _Namespaces()
            if len(self.inner) < _REMEMBERED:  # documents can invent namespaces without end
                self.inner[key] = inner
        return inner


@lru_cache(maxsize=64)
def _holders(
    _bindings: frozenset[tuple[str, str]], _bases: tuple[str, ...]
) -> dict[Written, XMLHolder]:
    """Give where it is remembered, for all documents, what holds simple values under some namespaces."""
    return {}


@dataclass(slots=True)
class _Scope:
    """What holds from an element on.

    Attributes:
        key: of the tag that declares it; "" for the document, and so for the root element.
        namespaces: that hold.
        bases: the values of ``xml:base``, the outermost first.
        usual: whether they are.
        before: what was in force around it; see `InForce`.
        open: how many elements of the same name are open, the one that declares it included.
        known: what holds simple values, by how they are written; None where nobody has asked yet.

    """

    key: str
    namespaces: _Namespaces
    bases: tuple[str, ...]
    usual: bool = True
    before: Before = field(default_factory=list)
    open: int = 1
    known: dict[Written, XMLHolder] | None = None

    def holders(self, bindings: dict[str, str]) -> dict[Written, XMLHolder]:
        """Return what holds simple values by how they are written, where these are the namespaces in force."""
        if self.known is None:
            if len(bindings) <= _USUAL_BINDINGS and sum(map(len, self.bases)) <= _USUAL_BASES:
                self.known = _holders(frozenset(bindings.items()), self.bases)
            else:
                self.known = {}
        return self.known


@dataclass(slots=True)
class Open:
    """The element whose text is being collected.

    Attributes:
        element: itself.
        start: offset in the view at which its text begins.
        literal: whether that is in the document.

    """

    element: XMLElement
    start: int
    literal: bool


class Elements:
    """Take start tags and end tags, and make of them what is to be given.

    Args:
        interest: what is.
        limits: what the document may need.
        unit: how many bytes of the document stand for one unit of its view.
        events: to which the elements are added.

    Attributes:
        opened: the element whose text is wanted and has begun; None for none.

    """

    def __init__(
        self, interest: Interest, limits: Limits, unit: int, events: list[XMLEvent]
    ) -> None:
        self._interest = interest
        self._limits = limits
        self._unit = unit
        self._events = events
        self._scopes = [_Scope("", _Namespaces(), ())]
        self._in_force = InForce({"xml": XML_NAMESPACE, "": ""})
        self._patterns_left = _PATTERNS
        self._has_root = False
        self.opened: Open | None = None

    @property
    def bindings(self) -> dict[str, str]:
        """The namespaces in force, by prefix, until another tag is taken."""
        return self._in_force.bindings

    @property
    def bases(self) -> tuple[str, ...]:
        """The values of ``xml:base`` in force, the outermost first."""
        return self._scopes[-1].bases

    @property
    def run(self) -> re.Pattern[bytes]:
        """The pattern of what need not be looked at, wherever a tag or text may begin."""
        scope = self._scopes[-1]
        namespaces = scope.namespaces
        return namespaces.runs.get((scope.key, scope.usual)) or self._find_run(scope)

    def _find_run(self, scope: _Scope) -> re.Pattern[bytes]:
        key, namespaces = scope.key, scope.namespaces
        run = TEXT if key else END_TAGS
        if self._interest.typed is not None or namespaces.looks < namespaces.patience:
            return run
        namespaces.patience = namespaces.looks + _LOOKS
        sought = self._interest.sought(self.bindings, scope.usual)
        if sought is not None and self._patterns_left:
            limits = self._limits
            name = min(limits.name, _USUAL_NAME)
            found = worthwhile(sought, key, name, min(limits.attributes, _USUAL_ATTRIBUTES), _LOOKS)
            if found is not None:
                self._patterns_left -= 1
                run = namespaces.runs[key, scope.usual] = found
        return run

    @property
    def holders(self) -> dict[Written, XMLHolder]:
        """What holds simple values, by how that is written; see `hold`."""
        scope = self._scopes[-1]
        return scope.known if scope.known is not None else scope.holders(self.bindings)

    def hold(self, written: Written, tag: Tag) -> XMLHolder:
        """Give what holds a simple value that is written so, and keep it.

        Args:
            written: how.
            tag: one of its tags.

        """
        scope = self._scopes[-1]
        namespaces = scope.namespaces
        namespace, local, *_ = namespaces.names.get(tag.name) or self._expand(tag, namespaces)
        name, quote = written[1].decode(), written[2].decode()
        prefix, colon, own = name.partition(":")
        bound = self.bindings.get(prefix, "") if colon else ""
        key = (bound, own) if bound else own if colon else name
        values = {
            each: tag.attribute(number, "", each).value
            for number, each in enumerate(tag.names)
            if not name
        }
        holder = XMLHolder(tag.name, namespace, local, name, key, quote, values, scope.bases)
        # Documents can write a tag in ways without end.
        holders = scope.holders(self.bindings)
        if len(written[0]) <= _USUAL_NAME and len(holders) < _HOLDERS:
            holders[written] = holder
        return holder

    def start(self, tag: Tag, depth: Callable[[], int]) -> None:
        """Take a start tag or an empty-element tag.

        Args:
            tag: it.
            depth: gives how many elements are open.

        Raises:
            LimitExceededError: it has too many attributes, or too long a name.
            NotWellFormedError: a name is none.

        """
        self.opened = None
        if len(tag.names) > self._limits.attributes:
            raise self._over("the number of attributes of an element", "attributes", tag.start)
        outer = self._scopes[-1]
        outer.namespaces.looks += 1
        is_root, self._has_root = not self._has_root, True
        scope = self._declare(tag, outer, is_root=is_root) if tag.names else outer
        if is_root:
            self._scopes = [scope]
            scope.namespaces.patience = 0
        elif not tag.is_empty:
            if scope is not outer:
                self._scopes.append(scope)
            elif scope.key == tag.key:
                scope.open += 1
        try:
            self._take(tag, scope, depth, is_root=is_root)
        finally:
            if tag.is_empty and not is_root and scope is not outer:
                self._in_force.leave(scope.before)

    def _take(self, tag: Tag, scope: _Scope, depth: Callable[[], int], *, is_root: bool) -> None:
        """Add the element of a tag to the events, if anybody wants to see it."""
        known = scope.namespaces.names.get(tag.name) or self._expand(tag, scope.namespaces)
        namespace, local, wants_text, wanted = known
        typed = self._interest.typed
        if not wants_text and not is_root and typed is None:
            if not tag.names:
                return
            if wanted is not None and wanted.isdisjoint(tag.names) and not self._declares(tag):
                self._check_names(tag)
                return
        self._check_names(tag)
        bindings = self.bindings
        attributes = tuple(_attribute(tag, number, bindings) for number in range(len(tag.names)))
        named = named_type(attributes, bindings) if typed is not None else None
        element = XMLElement(
            tag.name, namespace, local, attributes, depth(), tag.start, scope.bases, named
        )
        self._events.append(element)
        if typed is not None:
            wants_text = typed(element)
        if wants_text:
            is_there = tag.content is not None and not tag.is_empty
            self.opened = Open(element, tag.content or tag.start, is_there)

    def end(self, key: str) -> None:
        """Take an end tag; at least those of the elements that `key` is the name of."""
        scope = self._scopes[-1]
        if scope.key == key:
            scope.open -= 1
            if not scope.open:
                self._scopes.pop()
                self._in_force.leave(scope.before)

    def content(
        self, end: int, spelling: str, expanded: str | None = None, *, literal: bool
    ) -> None:
        """End the element whose text is wanted.

        Args:
            end: offset in the view of the end tag.
            spelling: the content as it stands in the document.
            expanded: the character data, where it does not follow from the spelling.
            literal: whether the end tag is in the document.

        """
        opened, self.opened = self.opened, None
        if opened is not None:
            literal &= opened.literal
            stop = end if literal else opened.start
            self._events.append(
                XMLContent(opened.element, opened.start, stop, literal, spelling, expanded)
            )

    def _declare(self, tag: Tag, outer: _Scope, *, is_root: bool) -> _Scope:
        """Give the scope of what a tag declares (Namespaces in XML, 3; XML Base, 3)."""
        declared = {}
        bases = outer.bases
        for number, name in enumerate(tag.names):
            if _is_declaration(name):
                declared[name[6:]] = tag.attribute(number, XMLNS_NAMESPACE, name[6:]).value
            elif name == "xml:base":
                bases = (*bases, tag.attribute(number, XML_NAMESPACE, "base").value)
        bindings, namespaces, usual = self.bindings, outer.namespaces, outer.usual
        if any(bindings.get(prefix) != name for prefix, name in declared.items()):
            namespaces = namespaces.declare(declared)
        elif bases is outer.bases:
            return outer
        if bases is not outer.bases:
            check_bases(len(bases), tag.start * self._unit)
            usual = usual and self._interest.usual(bases[-1])
        before = self._in_force.enter(declared)
        return _Scope("" if is_root else tag.key, namespaces, bases, usual, before)

    def _declares(self, tag: Tag) -> bool:
        """Tell whether a tag is to be given for the namespaces that it declares."""
        return self._interest.declarations and any(map(_is_declaration, tag.names))

    def _expand(self, tag: Tag, namespaces: _Namespaces) -> _Known:
        """Find out all that the name of an element tells."""
        name = tag.name
        self._check_name(name, tag.start)
        prefix, colon, local = name.partition(":")
        bindings = self.bindings
        namespace = bindings.get(prefix, "") if colon else bindings[""]
        local = local if colon else name
        wants_text = self._interest.wants_text(namespace, local)
        wanted = self._interest.wanted_attributes(namespace, local, bindings)
        known = namespace, local, wants_text, wanted
        if len(namespaces.names) < _REMEMBERED:  # documents can invent names without end
            namespaces.names[name] = known
        return known

    def _check_names(self, tag: Tag) -> None:
        for name in tag.names:
            if len(name) > self._limits.name or not name.isascii():
                self._check_name(name, tag.start)

    def _check_name(self, name: str, offset: int) -> None:
        if len(name) > self._limits.name:
            raise self._over("the length of a name", "name", offset)
        if not name.isascii() and not is_name(name):
            raise refusal("this is no name", offset * self._unit)

    def _over(self, what: str, limit: str, offset: int) -> LimitExceededError:
        return over(self._limits, what, limit, offset * self._unit)


def _is_declaration(name: str) -> bool:
    """Tell whether an attribute declares a namespace (Namespaces in XML, 3)."""
    return name.startswith("xmlns") and (name == "xmlns" or name[5] == ":")


def _attribute(tag: Tag, number: int, bindings: dict[str, str]) -> XMLAttribute:
    name = tag.names[number]
    namespace, local = "", name
    if ":" in name:
        prefix, _, local = name.partition(":")
        namespace = XMLNS_NAMESPACE if prefix == "xmlns" else bindings.get(prefix, "")
    elif name == "xmlns":
        namespace = XMLNS_NAMESPACE
    return tag.attribute(number, namespace, local)
