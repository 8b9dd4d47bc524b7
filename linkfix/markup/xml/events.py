"""The tags of XML, and the events of the scanner: elements, texts, values without their elements, and the parts of the prolog."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.markup.layers import Spelled, pieces, xml_attribute, xml_text

if TYPE_CHECKING:
    from linkfix.markup.xml.input import Input

_REFERENCE = re.compile("&[^;]*;")
_SPACE = r"[\t\n\r ]*+"
_PSEUDO = r"""([^\t\n\r ="'<]++)""" + _SPACE + "=" + _SPACE + r"""(?:"([^"<]*+)"|'([^'<]*+)')"""
_PSEUDO_ATTRIBUTE = pattern(_PSEUDO)
_PSEUDO_ATTRIBUTES = pattern(rf"{_SPACE}(?:{_PSEUDO}(?:[\t\n\r ]++|\Z))*+")


def attribute_value(spelling: str) -> str:
    """Return the value of an attribute (XML 1.0, 3.3.3), without unknown entities."""
    if "&" not in spelling and spelling.isprintable():  # and so without line ends and tabs
        return spelling
    return _expanded(spelling, xml_attribute)


def character_data(content: str) -> str:
    """Return the character data of an element without children (XML 1.0, 2.4, 2.7)."""
    if "<" not in content:
        return _expanded(content, xml_text)
    return "".join(
        _line_ends(content[start:end]) if is_section else _expanded(content[start:end], xml_text)
        for start, end, is_section in pieces(content)
    )


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _expanded(text: str, read: Callable[[str], Spelled]) -> str:
    spelled = read(text)
    if spelled.complete:
        return spelled.value
    known = _REFERENCE.sub(lambda match: match[0] if read(match[0]).complete else "", text)
    return read(known).value


#: The local name of an attribute, with its namespace name if it has one.
Key: TypeAlias = "str | tuple[str, str]"


class XMLAttribute(NamedTuple):
    """One attribute of an element, declarations of namespaces included.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none (or for a prefix that is not bound).
        local: the name without its prefix.
        start: offset in the view at which the value begins, after its quote; None for an attribute that is not in the
            document (a default, or part of an entity's replacement).
        end: offset in the view at which the value ends; None if `start` is None.
        quote: the quote around it, "" for none.
        spelling: the value as the document spells it.
        expanded: the value with entities expanded, U+FFFD for masked characters; None if it follows from the spelling.

    """

    name: str
    namespace: str
    local: str
    start: int | None
    end: int | None
    quote: str
    spelling: str
    expanded: str | None = None

    @property
    def key(self) -> Key:
        """The local name, with the namespace name if there is one."""
        return (self.namespace, self.local) if self.namespace else self.local

    @property
    def value(self) -> str:
        """The value with entities expanded."""
        return attribute_value(self.spelling) if self.expanded is None else self.expanded


# --- Tags ------------------------------------------------------------------------------------------

TAG = re.compile(rb"""<(?P<start>[^\t\n\r />]++)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
ATTRIBUTE = re.compile(
    rb"""[\t\n\r ]++([^\t\n\r =]++)[\t\n\r ]*+=[\t\n\r ]*+(?:"([^"]*+)"|'([^']*+)')"""
)
#: The opening marks of tokens that can contain a "<", with their closing marks.
MARKS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
#: The quote around the value of an attribute, by its group.
_QUOTES = {2: '"', 3: "'", 4: ""}


class Tag:
    """A start tag in the view of the document.

    Args:
        source: the document.
        match: match of the tag in its view, with the group ``start`` for its name.
        attributes: pattern of an attribute; the groups after its name are those of `_QUOTES`. Values are taken as they
            are spelled, unless it is `ATTRIBUTE`.

    Attributes:
        key: its name in the form in which end tags are compared.
        name: its name as written.
        names: the names of its attributes, as written; defaults last.
        start: offset in the view of its ``<``.
        is_empty: whether it is known to be an empty-element tag.

    """

    __slots__ = ("_attributes", "_base", "_end", "_is_expanded", "_text", "is_empty", "key", "name", "names", "start")  # fmt: skip

    def __init__(
        self, source: Input, match: re.Match[bytes], attributes: re.Pattern[bytes] = ATTRIBUTE
    ) -> None:
        self._base = base = source.base
        self._text = text = source.group
        self._is_expanded = attributes is not ATTRIBUTE
        first, end = match.span()
        self._attributes = list(attributes.finditer(match.string, match.end("start"), end))
        self.key: str = match["start"].decode("latin-1")
        self.name: str = text(match, "start")
        self.names: list[str] = [text(item, 1) for item in self._attributes]
        self.start: int = base + first
        self._end = end
        self.is_empty: bool = match.string[end - 2 : end] == b"/>"

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None for a tag in an entity."""
        return self._base + self._end

    def attribute(self, number: int) -> XMLAttribute:
        """Return the attribute of a number, from 0, without its namespace."""
        item = self._attributes[number]
        group = item.lastindex or 2
        start, end = item.span(group)
        name, spelling, base = self.names[number], self._text(item, group), self._base
        expanded = spelling if self._is_expanded else None
        local = name.partition(":")[2] if ":" in name else name
        return XMLAttribute(
            name, "", local, base + start, base + end, _QUOTES[group], spelling, expanded
        )

    def attributes(self) -> list[XMLAttribute]:
        """Return all attributes, without their namespaces."""
        return [*map(self.attribute, range(len(self.names)))]


# --- Events ---------------------------------------------------------------------------------------


class XMLElement(NamedTuple):
    """A start tag or an empty-element tag.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none.
        local: the name without its prefix.
        attributes: its attributes in the order of the document; defaults last.
        depth: the number of open elements around it: 0 for the root element; exact for others only if every element
            is returned (`Interest.everything`).
        start: offset in the view of its ``<``.
        bases: the values of the ``xml:base`` attributes in force, the outermost first, its own last.
        type: namespace and local name of the type in ``xsi:type``; None for none, and if not every element is
            returned.
        vocabulary: its namespace name, or the key of the vocabulary that the document is in; "" for none.
        is_inert: whether it is in a ``template`` of HTML.

    """

    name: str
    namespace: str
    local: str
    attributes: tuple[XMLAttribute, ...]
    depth: int
    start: int
    bases: tuple[str, ...] = ()
    type: tuple[str, str] | None = None
    vocabulary: str = ""
    is_inert: bool = False


class XMLContent(NamedTuple):
    """The wanted text of an element, up to its first child element.

    Attributes:
        element: the element.
        start: offset in the view at which its content begins.
        end: offset in the view at which its end tag, or its first child element, begins.
        literal: whether the content is in the document itself, not in an entity.
        spelling: the content as the document spells it.
        expanded: the character data, with entities expanded; None if it follows from the spelling, "" from the lenient
            scanner.
        is_whole: whether the element has no child elements.

    """

    element: XMLElement
    start: int
    end: int
    literal: bool
    spelling: str
    expanded: str | None = None
    is_whole: bool = True

    @property
    def value(self) -> str:
        """The character data, with entities expanded."""
        return character_data(self.spelling) if self.expanded is None else self.expanded


@dataclass(frozen=True, slots=True, eq=False)
class XMLContext:
    """The element and the attribute of a value.

    Values with the same spelling around them share one context under the same namespaces and bases.

    Attributes:
        element: the first of their elements; it has its attributes only if the value is a text.
        attribute: name of the attribute, as written; "" for the text of the element.
        key: `XMLAttribute.key` of the attribute.
        quote: the attribute's quote; for text ``[`` if all of it is in a CDATA section, else "".

    """

    element: XMLElement
    attribute: str
    key: Key
    quote: str


class XMLValues:
    """Values without their elements, in the order of the document, as columns of the same length.

    Args:
        contexts: the context of each value.
        found: a match of each value, in the group ``value``.
        offset: offset in the view of the bytes in which they were matched.

    Attributes:
        contexts: the context of each value.
        views: the bytes of each value in the view.

    """

    __slots__ = ("_found", "_offset", "contexts", "views")

    def __init__(
        self, contexts: list[XMLContext], found: list[re.Match[bytes]], offset: int
    ) -> None:
        self.contexts: list[XMLContext] = contexts
        self.views: list[bytes] = [*map(itemgetter("value"), found)]
        self._found = found
        self._offset = offset

    def starts(self, indices: Iterable[int]) -> list[int]:
        """Return the offsets in the view at which values begin, after their quotes or section marks."""
        return [self._offset + self._found[index].start("value") for index in indices]


@dataclass(frozen=True, slots=True)
class XMLInstruction:
    """A processing instruction before the root element.

    Attributes:
        target: its target.
        after_target: offset in the view just after its target.
        start: offset in the view at which its data begins.
        end: offset in the view of its ``?>``.

    """

    target: str
    after_target: int
    start: int
    end: int


def pseudo_attributes(data: str) -> dict[str, tuple[int, int, str]]:
    """Return the pseudo-attributes of an instruction, each as start, end and quote of its value.

    Args:
        data: of an ``xml-stylesheet`` instruction (Associating Style Sheets with XML documents 1.0, 3).

    Returns:
        The spans by name; empty for other content, with which browsers ignore the instruction.

    """
    if _PSEUDO_ATTRIBUTES.fullmatch(data) is None:
        return {}
    found: dict[str, tuple[int, int, str]] = {}
    for match in _PSEUDO_ATTRIBUTE.finditer(data):
        group = match.lastindex or 2
        found.setdefault(match[1], (*match.span(group), "\"'"[group - 2]))
    return found


@dataclass(frozen=True, slots=True)
class XMLDoctype:
    """A document type declaration.

    Attributes:
        public: the public identifier, "" for none.
        span: offsets in the view at which the system literal begins, after its quote, and ends; None for no literal.
        entities: whether its internal subset declares general entities.

    """

    public: str
    span: tuple[int, int] | None
    entities: bool


XMLEvent = XMLElement | XMLContent | XMLValues | XMLInstruction | XMLDoctype
