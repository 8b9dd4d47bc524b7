"""What the stream of links is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from linkfix.markup.feedback import HTML, MATHML, SVG

if TYPE_CHECKING:
    from linkfix.charset import Charset
    from linkfix.markup.layers import Layer
    from linkfix.markup.references import Spelled

__all__ = ["Kind", "Link", "Markup", "Query"]


#: The namespaces whose links are Web Addresses, in XML documents too.
WEB_NAMESPACES = frozenset({HTML, SVG, MATHML})


#: How the query of a link is mapped to octets: in the document's charset, in UTF-8, or in either,
#: browsers and standards being at odds.
Query = Literal["document", "utf-8", "disputed"]


#: What a link stands in.
Markup = Literal["html", "xml", "css"]


class Kind(StrEnum):
    """How a value holds links."""

    SINGLE = "single"
    LIST = "list"
    ARCHIVE = "archive"
    SRCSET = "srcset"
    REFRESH = "refresh"
    CSS = "css"
    DATA_BLOCK = "data-block"
    PAIRS = "pairs"
    STRINGS = "strings"
    TEMPLATE = "template"
    URI_SPECIFICATION = "uri-specification"
    DOCUMENT = "document"
    IDENTITY = "identity"
    HASH_NAME = "hash-name"


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a document.

    Attributes:
        start: byte offset in the source at which the link's spelling begins, quotes left out.
        end: byte offset at which it ends.
        line: line of `start`, from 1.
        column: column of `start` in code points, from 1.
        element: name of the element, as written (HTML: in lower case); ``!DOCTYPE``, or with a
            question mark the target of a processing instruction. In a style sheet ``@import`` or
            ``url()``.
        namespace: namespace name of the element.
        attribute: name of the attribute; "" where the link is the element's text.
        kind: how the value holds it.
        value: the link, with character references replaced.
        spelled: the link and how its code points are spelled in the document.
        raw: the bytes of the source from `start` to `end`.
        layers: of spelling that it stands in, the innermost first.
        markup: of the document that it is in, which may be inside another.
        charset: of the document.
        state: of the charset's decoder at `start`.
        end_state: of the charset's decoder at `end`.
        query: how its query is mapped to octets.
        bases: the values of the ``xml:base`` attributes in force, the outermost first; in HTML
            that of the ``codebase`` that applies.
        malformed: whether some of the bytes are no characters of the charset.
        fixed: why the bytes are not the link's own to rewrite, or "".
        resolved: the absolute URI that it leads to; None where that cannot be told, or was not
            asked for.

    """

    start: int
    end: int
    line: int
    column: int
    element: str
    namespace: str
    attribute: str
    kind: Kind
    value: str
    spelled: Spelled
    raw: bytes
    layers: tuple[Layer, ...]
    markup: Markup
    charset: Charset
    state: int = 0
    end_state: int = 0
    query: Query = "document"
    bases: tuple[str, ...] = ()
    malformed: bool = False
    fixed: str = ""
    resolved: str | None = None

    @property
    def syntax(self) -> Literal["web", "leiri"]:
        """Whether the value is a Web Address or a LEIRI (DESIGN.md, decision 1)."""
        web = (
            self.markup != "xml"
            or self.namespace in WEB_NAMESPACES
            or self.element == "?xml-stylesheet"
        )
        return "web" if web else "leiri"

    @property
    def sets_base(self) -> bool:
        """Whether this is the ``href`` of the ``base`` element of an HTML document."""
        outermost = len(self.layers) == 1 and self.markup == "html"
        return outermost and self.element == "base" and self.attribute == "href"

    @property
    def sets_inner_base(self) -> bool:
        """Whether this is what sets the base of links inside the document, as `bases` has it."""
        return self.attribute == ("codebase" if self.markup == "html" else "xml:base")
