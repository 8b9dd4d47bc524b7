"""Documents inside documents: their kinds, and how each of them is read.

An embedded document is HTML in a value of another document: in an attribute, in the text of an element, or in a comment. Each
kind is one row of `KINDS`. All are read by one reader (`HTMLFinder.document`), which gets an `Inside`: the kind, the
charset of queries, and the bases. The content of ``noscript``, ``noframes``, ``noembed``, ``iframe`` and conditional
comments is text for one reader and markup for another one. Both find the same links in it if it ends between two
tokens. Otherwise they do not agree on where the last tag ends, and all its links are left; so they are where it sets a base, which
applies to the whole page where it is markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from linkfix.deferred import pattern
from linkfix.links import link
from linkfix.links.link import Query
from linkfix.links.names_data import SCHEMA_ORG, SCHEMA_ORG_TEMPLATES
from linkfix.markup.html.tokens import COMMENT as COMMENT_NAME
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.layers import COMMENT, RAW_TEXT, Layer

#: The content of a conditional comment, without the declaration at its end.
_BEFORE_END = pattern(r"[\s\S]*(?=<!\[endif\]\s*\Z)")
#: Whether the links of a kind are found and followed, found and left, or not found.
How = Literal["on", "list", "off"]

#: Why a link is left (`Link.fixed`).
NOT_FOLLOWED = "it is in an embedded document of a kind that is not followed (--embedded)"
DISAGREED = (
    "it is in text that is markup to other readers, who see another end of it, or another base"
)


class Embedding(NamedTuple):
    """A kind of embedded document.

    Attributes:
        name: in options and reports.
        layer: the layer that its content is spelled in; None for a value that has its own.
        has_base: whether its own ``base`` element applies to its links.
        scripting: whether its readers may run scripts.

    """

    name: str
    layer: Layer | None = None
    has_base: bool = False
    scripting: bool = True

    @property
    def is_text(self) -> bool:
        """Whether some readers take its content for text, and others for markup."""
        return self.layer is not None

    def end(self, content: str) -> int:
        """Return where the document ends in its text; a conditional comment has a declaration after it."""
        found = _BEFORE_END.match(content) if self.layer is COMMENT else None
        return len(content) if found is None else found.end()


SRCDOC = Embedding(link.SRCDOC, has_base=True)
HTML_IN_XML = Embedding(link.HTML_IN_XML)
HTML_IN_JSON = Embedding("html-in-json")
#: The kinds that are the text of an element or a comment, by the name of its token (HTML standard, 13.2.6.4.4,
#: 13.2.6.4.7; ``noscript`` is text where scripts run).
TEXTS = {
    b"noscript": Embedding("noscript", RAW_TEXT, scripting=False),
    b"noframes": Embedding("noframes", RAW_TEXT),
    b"noembed": Embedding("noembed", RAW_TEXT),
    b"iframe": Embedding("iframe", RAW_TEXT),
    COMMENT_NAME: Embedding("conditional-comment", COMMENT),
}
#: The kinds that are JSON in a script, by its type (HTML standard, 4.12.1, 8.1.6.2; Speculation Rules, 2; JSON-LD 1.1, 7).
SCRIPTS = {
    "importmap": Embedding(link.IMPORT_MAP),
    "speculationrules": Embedding("speculation-rules"),
    "application/ld+json": Embedding("json-ld"),
}
#: All kinds, by name.
KINDS = {
    kind.name: kind
    for kind in (SRCDOC, HTML_IN_XML, HTML_IN_JSON, *TEXTS.values(), *SCRIPTS.values())
}


class Inside(NamedTuple):
    """An embedded document.

    Attributes:
        kind: of the document.
        query: how the queries of its links are mapped to octets.
        bases: the values of ``xml:base`` and of ``base`` elements that apply to its links, the outermost first.
        base: the tag of its own ``base`` element; None for none.
        texts: the kinds of text that it is in; none of them ends inside, so none is read again there.
        is_of_page: whether it is the outermost document, or a part of it to those who read its text as markup.

    """

    kind: Embedding
    query: Query = "document"
    bases: tuple[str, ...] = ()
    base: StartTag | None = None
    texts: tuple[Embedding, ...] = ()
    is_of_page: bool = False


#: The outermost document.
OUTERMOST = Inside(Embedding(""), is_of_page=True)


def counted_as(kind: Embedding, fixed: str) -> str:
    """Return how reports count a link in a kind of embedded documents, as ``noscript: followed``.

    Args:
        kind: the kind.
        fixed: why the link is left; "" for no reason.

    """
    return f"{kind.name}: {'not followed' if fixed in {NOT_FOLLOWED, DISAGREED} else 'followed'}"


def parse_kinds(values: Iterable[str]) -> tuple[tuple[str, How], ...]:
    """Parse ``KIND=HOW`` or ``HOW``, for example ``noframes=list``; return how certain kinds are read.

    Raises:
        ValueError: there is no such kind, or no such way.

    """
    ways: dict[str, How] = {how: how for how in get_args(How)}
    found: dict[str, How] = {}
    for value in values:
        name, equals, how = value.rpartition("=")
        if equals and name not in KINDS:
            raise ValueError(f"{name!r} is no kind; there are {', '.join(KINDS)}")
        if how not in ways:
            raise ValueError(f"{how!r} is none of on, list, off; write for example noframes=list")
        found |= dict.fromkeys([name] if equals else KINDS, ways[how])
    return tuple(sorted(found.items()))


# --- The links in data blocks: JSON-LD, import maps and speculation rules inside ``script`` -------

#: An address of an import map: a URL, or a path that begins so (HTML standard, 8.1.6.2, parse a URL-like import specifier).
_ADDRESS = pattern(r"[\t\n\f\r ]*(?:[A-Za-z][A-Za-z0-9+.-]*:|\.{0,2}/)")


def is_address(value: str) -> bool:
    """Return whether a string is an address to import maps; others are no URLs to them."""
    return _ADDRESS.match(value) is not None


def urls(type: str, text: str) -> Iterator[tuple[int, int, Layer, bool]]:
    """Yield the links in a data block.

    Args:
        type: type of the script, in lower case, one of `SCRIPTS`.
        text: code points.

    Returns:
        For each link its half-open span between the quotes, its layer, and whether braces make it a URI Template
        (schema.org, EntryPoint).

    """
    from linkfix.markup.json import JSON_STRING, strings

    for path, first, last in strings(text):
        name = path[-1] if path else ""
        if type == "importmap":
            value = JSON_STRING.read(text[first:last]).value
            is_url = bool(path) and path[0] in {"imports", "scopes"} and is_address(value)
        elif type == "speculationrules":
            is_url = name == "urls"
        else:
            is_url = name in SCHEMA_ORG
        if is_url:
            yield first, last, JSON_STRING, name in SCHEMA_ORG_TEMPLATES
