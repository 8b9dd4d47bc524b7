"""Links, and the places that they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat
from operator import add, attrgetter
from typing import Any, Literal, NamedTuple, Protocol, cast

from linkfix.charset import Charset
from linkfix.deferred import pattern
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.layers import Layer, Spelled

#: The namespaces whose links are Web Addresses, in XML documents too.
WEB_NAMESPACES = frozenset({HTML, SVG, MATHML})
#: The attribute that sets the base of the element that it is on, and of all inside (XML Base, 3).
XML_BASE = "xml:base"
#: As one of `Place.bases`: what is relative to a document that is not known, such as the result of an XSLT style sheet.
UNKNOWN_BASE = "about:invalid"
#: White space in a value of XML that an application may collapse.
_RUN = re.compile("[\t\n\r]|  ")


#: How the query of a link is mapped to octets: in the document's charset, in UTF-8, or disputed, where browsers and
#: standards disagree.
Query = Literal["document", "utf-8", "disputed"]
#: The kinds of embedded documents that are values (`linkfix.links.html.embedded`).
SRCDOC, HTML_IN_XML, IMPORT_MAP = "srcdoc", "html-in-xml", "import-map"


#: The syntax of the document, or of the part of it, that contains a link.
Markup = Literal["html", "xml", "css", "json", "text", "http"]


#: The name of a kind with separators of the user's choice.
_PREFIX = "between "
_BETWEEN = pattern(rf"{_PREFIX}[!-/:-@\[-`{{-~]+")


class Kind(StrEnum):
    """How a value is split into links."""

    SINGLE = "single"
    LIST = "list"
    ARCHIVE = "archive"
    VALUES = "values"
    SRCSET = "srcset"
    REFRESH = "refresh"
    CSS = "css"
    TEXT = "text"
    UNSURE = "text-unsure"
    WWW = "www"
    DOMAIN = "domain"
    MAIL = "mail"
    LINK_FIELD = "link-field"
    DATA_BLOCK = "data-block"
    PAIRS = "pairs"
    STRINGS = "strings"
    TEMPLATE = "template"
    URI_SPECIFICATION = "uri-specification"
    FIELD = "field"
    EXTERNAL = "external"
    MEMBER = "member"
    DOCUMENT = "document"
    IDENTITY = "identity"
    HASH_NAME = "hash-name"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """Make the kind of values that are several links with the user's separators between them: ``between |;``."""
        if not isinstance(value, str) or _BETWEEN.fullmatch(value) is None:
            return None
        made = str.__new__(cls, value)
        made._name_ = made._value_ = value
        return cast("Kind", cls._value2member_map_.setdefault(value, made))

    @property
    def separators(self) -> str:
        """The user's separators; "" of a kind that has none."""
        return self.value.removeprefix(_PREFIX) if self.value.startswith(_PREFIX) else ""


#: What there is, for messages.
KINDS = ", ".join([*(each for each in Kind if each is not Kind.UNKNOWN), "'between |;'"])


def kind_named(name: Any) -> Kind | None:
    """Return the kind of a name that a user gives; None where no value of it can be meant."""
    try:
        kind = Kind(name)
    except ValueError:
        return None
    return None if kind is Kind.UNKNOWN else kind


#: What is like a link in plain text, and has no scheme.
WITHOUT_SCHEME = frozenset({Kind.WWW, Kind.DOMAIN, Kind.MAIL})


@dataclass(frozen=True, slots=True)
class Place:
    """The properties that all links of one value have in common.

    Attributes:
        element: name of the element, as written (HTML: in lower case); ``!DOCTYPE``, or with a
            question mark the target of a processing instruction. In a style sheet ``@import`` or
            ``url()``, in plain text ``#text``, in HTTP the name of the field.
        namespace: namespace name of the element.
        attribute: name of the attribute; "" where the link is the element's text.
        kind: how the value is split into links.
        layers: layers of spelling, the innermost first.
        markup: syntax of the innermost document around the links.
        charset: charset of the outermost document.
        query: how their queries are mapped to octets.
        bases: the values of the ``xml:base`` attributes that apply, the outermost first (none where browsers read the
            links, which ignore them); in HTML the value of the ``codebase`` that applies; or `UNKNOWN_BASE`.
        guessed: whether the charset is a guess (`Sniffed.guessed`).
        codebase: for the ``data`` of an ``object``, the value of its ``codebase``, which only some browsers apply.
        feed: whether the document is a feed, so that feed readers read its XHTML too.
        embedded: the kind of the innermost embedded document that contains them (`linkfix.links.html.embedded`); "" for none.
        syntax: whether the values are Web Addresses or LEIRIs (docs/decisions.md, decision 1).
        sets_base: whether this is the ``href`` of a ``base`` element of HTML, XHTML, or SVG that browsers show.
        hashed: whether a policy of the page may have a hash of the value, so that no link in it changes
            (`linkfix.links.html.hashes`).

    """

    element: str
    namespace: str
    attribute: str
    kind: Kind
    layers: tuple[Layer, ...]
    markup: Markup
    charset: Charset
    query: Query = "document"
    bases: tuple[str, ...] = ()
    guessed: bool = False
    codebase: str = ""
    feed: bool = False
    embedded: str = ""
    sets_base: bool = False
    hashed: bool = False
    syntax: Literal["web", "leiri"] = "web"

    @property
    def base_syntax(self) -> Literal["web", "leiri"]:
        """How `bases` are read: ``codebase`` as a Web Address, ``xml:base`` as a LEIRI (XML Base, 3.1)."""
        return "web" if self.markup == "html" and self.embedded != HTML_IN_XML else "leiri"

    @property
    def names(self) -> bool:
        """Whether a fragment alone names an element of the document itself, whatever the base is (CSS Values 4, 4.5; SVG 2, 16.1)."""
        is_followed = self.element.rpartition(":")[2] == "a"
        return self.kind is Kind.CSS or (self.namespace == SVG and not is_followed)


class Resolver(Protocol):
    """Resolves links that have the same base."""

    def resolve(self, link: Link) -> str | None:
        """Return the absolute URL of the target of a link; None for none."""
        ...


class _Fields(NamedTuple):
    """The fields of a `Link`."""

    start: int
    end: int
    line: int
    column: int
    value: str
    raw: bytes
    place: Place
    state: int = 0
    end_state: int = 0
    malformed: bool = False
    fixed: str = ""
    resolver: Resolver | None = None
    spelling: Spelled | None = None


def _of_place(name: str) -> property:
    """Return an attribute that a link has from its place."""
    return property(attrgetter(f"place.{name}"))


class Link(_Fields):
    """One link of a document, as a named tuple for speed. It has the attributes of its `place` as well.

    Attributes:
        start: byte offset in the source at which the link's spelling begins, quotes left out.
        end: byte offset at which it ends.
        line: line of `start`, from 1.
        column: column of `start` in code points, from 1.
        value: the link, with character references replaced.
        raw: the bytes of the source from `start` to `end`.
        place: the properties that it shares with other links of its value.
        state: state of the charset's decoder at `start`.
        end_state: state of the charset's decoder at `end`.
        malformed: whether some of the bytes are no characters of the charset.
        fixed: the reason why the link cannot be rewritten; "" for none.
        resolver: computes `resolved`; None where the base of the link is not known.
        spelling: the spelling of its code points; None where each is spelled as itself.

    """

    __slots__ = ()

    element: str = cast("str", _of_place("element"))
    namespace: str = cast("str", _of_place("namespace"))
    attribute: str = cast("str", _of_place("attribute"))
    kind: Kind = cast("Kind", _of_place("kind"))
    layers: tuple[Layer, ...] = cast("tuple[Layer, ...]", _of_place("layers"))
    markup: Markup = cast("Markup", _of_place("markup"))
    charset: Charset = cast("Charset", _of_place("charset"))
    query: Query = cast("Query", _of_place("query"))
    bases: tuple[str, ...] = cast("tuple[str, ...]", _of_place("bases"))
    syntax: Literal["web", "leiri"] = cast("Literal['web', 'leiri']", _of_place("syntax"))
    sets_base: bool = cast("bool", _of_place("sets_base"))

    @classmethod
    def of_columns(
        cls,
        starts: Sequence[int],
        lines: Iterable[int],
        columns: Iterable[int],
        values: Sequence[str],
        raws: Sequence[bytes],
        places: Iterable[Place],
        spellings: Iterable[Spelled | None],
        resolver: Resolver | None = None,
    ) -> list[Link]:
        """Return links without malformed bytes, in a charset without states.

        Each argument but the last one, which all links share, is a column: one attribute of all links.
        """
        ends = map(add, starts, map(len, raws))
        defaults = map(repeat, (0, 0, False, "", resolver))
        rows = zip(
            starts, ends, lines, columns, values, raws, places, *defaults, spellings, strict=False
        )
        # A call of the class for each link is slower.
        return [*map(tuple.__new__, repeat(cls), rows)]

    @property
    def resolved(self) -> str | None:
        """The URL of its target as the URL Standard serializes it, computed when it is asked for.

        None where it leads nowhere, where its base is unknown, and where its readers mean no URL of that standard.
        """
        return None if self.resolver is None else self.resolver.resolve(self)

    @property
    def spelled(self) -> Spelled:
        """The link, with the spelling of its code points in the document."""
        return self.spelling or Spelled(self.value, self.value)

    def where(self) -> dict[str, int | str]:
        """Return position, element and attribute as plain data."""
        names = ("line", "column", "start", "end", "element", "attribute")
        return {name: getattr(self, name) for name in names}

    @property
    def sets_inner_base(self) -> bool:
        """Whether this sets the base of links inside the document, which `bases` contains."""
        if self.place.embedded == SRCDOC and (self.element, self.attribute) == ("base", "href"):
            return True
        return self.attribute == ("codebase" if self.markup == "html" else XML_BASE)


def is_spread(link: Link) -> bool:
    """Return whether a LEIRI has white space that is a single space if the type of the value is anyURI."""
    value = link.value
    may_be = link.place.syntax == "leiri" and ("  " in value or not value.isprintable())
    return may_be and _RUN.search(value) is not None
