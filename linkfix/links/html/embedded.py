"""Documents inside documents: their kinds, and how each of them is read.

An embedded document is HTML in a value of another document: in an attribute, in the text of an element, or in a comment. Each
kind is one row of `KINDS`. All are read by one reader (`HTMLFinder.document`), which gets an `Inside`: the kind, the
charset of queries, and the bases. The content of ``noscript``, ``noframes``, ``noembed``, ``iframe`` and conditional
comments is text for one reader and markup for another one. Both find the same links in it if it ends between two
tokens. Otherwise they do not agree on where the last tag ends, and all its links are left; so they are where it sets a base, which
applies to the whole page where it is markup.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from linkfix.deferred import pattern
from linkfix.links import link
from linkfix.links.link import Kind, Query
from linkfix.links.names_data import FEED, MANIFEST, SCHEMA_ORG, SCHEMA_ORG_TEMPLATES
from linkfix.markup.html.tokens import COMMENT as COMMENT_NAME
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.layers import COMMENT, RAW_TEXT, Layer

#: The content of a conditional comment, without the declaration at its end.
_BEFORE_END = pattern(r"[\s\S]*(?=<!\[endif\]\s*\Z)")
#: Whether the links of a kind are found and followed, found and only spelled anew where they get another target, found and left,
#: or not found.
How = Literal["on", "moves", "list", "off"]

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
#: How kinds are read that are not simply followed. The URLs of JSON-LD are IRIs, which are compared as strings (RDF 1.1 Concepts,
#: 3.2): another spelling is another identifier.
DEFAULTS: dict[str, How] = {"json-ld": "moves"}
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
        scripting: whether their readers run scripts.
        is_of_page: whether it is the outermost document, or a part of it to those who read its text as markup.

    """

    kind: Embedding
    query: Query = "document"
    bases: tuple[str, ...] = ()
    base: StartTag | None = None
    texts: tuple[Embedding, ...] = ()
    scripting: bool = True
    is_of_page: bool = False

    def within(self, kind: Embedding) -> "Inside":
        """Return how a kind of text in the document is read."""
        scripting = self.scripting and kind.scripting
        return self._replace(kind=kind, texts=(*self.texts, kind), scripting=scripting)


#: The outermost document.
OUTERMOST = Inside(Embedding(""), is_of_page=True)


def counted_as(kind: Embedding, how: How, fixed: str) -> str:
    """Return how reports count a link in a kind of embedded documents, as ``noscript: followed``.

    Args:
        kind: the kind.
        how: how the kind is read.
        fixed: why the link is left; "" for no reason.

    """
    left = fixed in {NOT_FOLLOWED, DISAGREED}
    followed = "followed where targets move" if how == "moves" else "followed"
    return f"{kind.name}: {'not followed' if left else followed}"


def parse_kinds(values: Iterable[str], kinds: Iterable[str] = KINDS) -> tuple[tuple[str, How], ...]:
    """Parse ``KIND=HOW`` or ``HOW``, for example ``noframes=list``; return how certain kinds are read.

    Args:
        values: the texts.
        kinds: the names that there are: those of embedded documents, or of conventions.

    Raises:
        ValueError: there is no such kind, or no such way.

    """
    names, data = [*kinds], [kind.name for kind in SCRIPTS.values()]
    ways: dict[str, How] = {how: how for how in get_args(How) if how != "moves" or data[0] in names}
    found: dict[str, How] = {}
    for value in values:
        name, equals, how = value.rpartition("=")
        if equals and name not in names:
            raise ValueError(f"{name!r} is no kind; there are {', '.join(names)}")
        if how not in ways:
            hint = f"write for example {names[-1]}=list"
            raise ValueError(f"{how!r} is none of {', '.join(ways)}; {hint}")
        if how == "moves" and name not in data:
            raise ValueError(f"only the links of {', '.join(data)} can be left until they move")
        found |= dict.fromkeys([name] if equals else names, ways[how])
    return tuple(sorted(found.items()))


# --- The links in JSON: scripts of a page, and documents ------------------------------------------

#: An address of an import map: a URL, or a path that begins so (HTML standard, 8.1.6.2, parse a URL-like import specifier).
_ADDRESS = pattern(r"[\t\n\f\r ]*(?:[A-Za-z][A-Za-z0-9+.-]*:|\.{0,2}/)")
#: The spelling of a blank node or a compact IRI in JSON-LD, but for the schemes of identifiers that have no ``//``.
_COMPACT = pattern(r'(?!urn:|tag:|did:)[^":/?#\\]*:(?!\\?/\\?/)')
#: The kinds of JSON documents but the last one, with what they contain.
_JSON = {
    "feed": pattern(r'"version"\s*:\s*"https://jsonfeed\.org/version/'),
    "application/ld+json": pattern(r'"@context"\s*:'),
}


def json_type(text: str) -> str:
    """Return the type of a JSON document, for `members`."""
    return next((type for type, found in _JSON.items() if found.search(text)), "manifest")


def is_address(value: str) -> bool:
    """Return whether a string is an address to import maps; others are no URLs to them."""
    return _ADDRESS.match(value) is not None


def members(type: str, text: str) -> Iterator[tuple[str, int, int, Kind]]:
    """Yield the links of JSON.

    Args:
        type: of a script, in lower case, one of `SCRIPTS`; or ``manifest`` or ``feed``.
        text: code points.

    Returns:
        For each link the path of its member, its half-open span between the quotes, and its kind: a template if braces make it
        a URI Template (schema.org, EntryPoint), HTML with links of its own, an identifier, or a URL. Blank nodes, compact
        IRIs and what a context says of its terms are none (JSON-LD 1.1, 4.1.5, 4.5.1).

    """
    from linkfix.markup.json import JSON_STRING, strings

    for path, first, last, is_name in strings(text):
        kind, name = Kind.DATA_BLOCK, path[-1] if path else ""
        if type == "importmap":
            value = JSON_STRING.read(text[first:last]).value
            is_url = _is_url_of_map(path, value, is_name=is_name)
        elif is_name:
            continue
        elif type == "speculationrules":
            is_url = name == "urls"
        elif type == "application/ld+json":
            is_id = name == "@id" and "@context" not in path and not _COMPACT.match(text, first)
            is_url = is_id or name in SCHEMA_ORG
            kind = Kind.TEMPLATE if name in SCHEMA_ORG_TEMPLATES else kind
            kind = Kind.IDENTITY if is_id else kind
        else:
            name = ".".join(path[:4])  # no table has a longer path
            is_html = type == "feed" and name == "items.content_html"
            is_url = is_html or name in (FEED if type == "feed" else MANIFEST)
            kind = Kind.DOCUMENT if is_html else kind
        if is_url:
            yield name, first, last, kind


def _is_url_of_map(path: Sequence[str], value: str, *, is_name: bool) -> bool:
    """Return whether a string of an import map is a URL: an address, a specifier like one, or the prefix of a scope."""
    part = path[0] if path else ""
    if is_name and (part, len(path)) == ("scopes", 2):
        return True
    in_map = part in {"imports", "scopes"} or (is_name and part == "integrity")
    return in_map and len(path) > 1 and is_address(value)
