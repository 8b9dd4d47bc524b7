"""What the stream of links is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import repeat
from operator import add
from typing import TYPE_CHECKING, Literal, NamedTuple

from linkfix.markup.feedback import HTML, MATHML, SVG
from linkfix.markup.references import Spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linkfix.charset import Charset
    from linkfix.markup.layers import Layer

__all__ = ["Kind", "Link", "Markup", "Place", "Query"]


#: The namespaces whose links are Web Addresses, in XML documents too.
WEB_NAMESPACES = frozenset({HTML, SVG, MATHML})


#: How the query of a link is mapped to octets: in the document's charset, in UTF-8, or in either,
#: browsers and standards being at odds.
Query = Literal["document", "utf-8", "disputed"]


#: What a link stands in.
Markup = Literal["html", "xml", "css", "text", "http"]


class Kind(StrEnum):
    """How a value holds links."""

    SINGLE = "single"
    LIST = "list"
    ARCHIVE = "archive"
    SRCSET = "srcset"
    REFRESH = "refresh"
    CSS = "css"
    TEXT = "text"
    LINK_FIELD = "link-field"
    DATA_BLOCK = "data-block"
    PAIRS = "pairs"
    STRINGS = "strings"
    TEMPLATE = "template"
    URI_SPECIFICATION = "uri-specification"
    DOCUMENT = "document"
    IDENTITY = "identity"
    HASH_NAME = "hash-name"


@dataclass(frozen=True, slots=True)
class Place:
    """What the links of one value have in common.

    Attributes:
        element: name of the element, as written (HTML: in lower case); ``!DOCTYPE``, or with a
            question mark the target of a processing instruction. In a style sheet ``@import`` or
            ``url()``, in plain text ``#text``, of HTTP the name of the field.
        namespace: namespace name of the element.
        attribute: name of the attribute; "" where the link is the element's text.
        kind: how the value holds its links.
        layers: of spelling that they stand in, the innermost first.
        markup: of the document that they are in, which may be inside another.
        charset: of the document.
        query: how their queries are mapped to octets.
        bases: the values of the ``xml:base`` attributes in force, the outermost first; in HTML
            that of the ``codebase`` that applies.
        guessed: whether the charset is a guess (`Sniffed.guessed`).
        codebase: of the ``data`` of an ``object``, that of its ``codebase``, which only some readers count.
        syntax: whether the values are Web Addresses or LEIRIs (DESIGN.md, decision 1).
        sets_base: whether this is the ``href`` of the ``base`` element of an HTML document.

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
    syntax: Literal["web", "leiri"] = field(init=False)
    sets_base: bool = field(init=False)

    def __post_init__(self) -> None:
        web = (
            self.markup != "xml"
            or self.namespace in WEB_NAMESPACES
            or self.element == "?xml-stylesheet"
        )
        object.__setattr__(self, "syntax", "web" if web else "leiri")
        outermost = len(self.layers) == 1 and self.markup == "html"
        sets_base = outermost and self.element == "base" and self.attribute == "href"
        object.__setattr__(self, "sets_base", sets_base)


class Link(NamedTuple):
    """One link of a document.

    A named tuple, since there are many of them. The attributes of `place` can be had from the link
    itself.

    Attributes:
        start: byte offset in the source at which the link's spelling begins, quotes left out.
        end: byte offset at which it ends.
        line: line of `start`, from 1.
        column: column of `start` in code points, from 1.
        value: the link, with character references replaced.
        raw: the bytes of the source from `start` to `end`.
        place: where it stands.
        state: of the charset's decoder at `start`.
        end_state: of the charset's decoder at `end`.
        malformed: whether some of the bytes are no characters of the charset.
        fixed: why the bytes are not the link's own to rewrite, or "".
        resolved: the absolute URI that it leads to; None where that cannot be told, or was not
            asked for.
        spelling: how its code points are spelled, where not as themselves.

    """

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
    resolved: str | None = None
    spelling: Spelled | None = None

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
    ) -> list[Link]:
        """Return links without malformed bytes, in a charset without states; nearly all are.

        Each argument is a column: the attribute of that name, of all links.
        """
        ends = map(add, starts, map(len, raws))
        usual = map(repeat, (0, 0, False, "", None))
        rows = zip(
            starts, ends, lines, columns, values, raws, places, *usual, spellings, strict=False
        )
        # Faster than to call the class.
        return [*map(tuple.__new__, repeat(cls), rows)]

    @property
    def spelled(self) -> Spelled:
        """The link and how its code points are spelled in the document."""
        return self.spelling or Spelled(self.value, self.value)

    def where(self) -> dict[str, int | str]:
        """Give where it stands, as plain data."""
        return {
            "line": self.line,
            "column": self.column,
            "start": self.start,
            "end": self.end,
            "element": self.element,
            "attribute": self.attribute,
        }

    @property
    def element(self) -> str:
        """See `Place`."""
        return self.place.element

    @property
    def namespace(self) -> str:
        """See `Place`."""
        return self.place.namespace

    @property
    def attribute(self) -> str:
        """See `Place`."""
        return self.place.attribute

    @property
    def kind(self) -> Kind:
        """See `Place`."""
        return self.place.kind

    @property
    def layers(self) -> tuple[Layer, ...]:
        """See `Place`."""
        return self.place.layers

    @property
    def markup(self) -> Markup:
        """See `Place`."""
        return self.place.markup

    @property
    def charset(self) -> Charset:
        """See `Place`."""
        return self.place.charset

    @property
    def query(self) -> Query:
        """See `Place`."""
        return self.place.query

    @property
    def bases(self) -> tuple[str, ...]:
        """See `Place`."""
        return self.place.bases

    @property
    def syntax(self) -> Literal["web", "leiri"]:
        """See `Place`."""
        return self.place.syntax

    @property
    def sets_base(self) -> bool:
        """See `Place`."""
        return self.place.sets_base

    @property
    def sets_inner_base(self) -> bool:
        """Whether this is what sets the base of links inside the document, as `bases` has it."""
        return self.attribute == ("codebase" if self.markup == "html" else "xml:base")
