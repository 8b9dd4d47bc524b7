"""Split one value into its links, by its kind: a single link, several, a style, a document."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Protocol

from linkfix.deferred import pattern
from linkfix.iri.chars import SCHEME
from linkfix.links.batch import Batch
from linkfix.links.builder import Slot, Target, Value
from linkfix.links.html.embedded import HTML_IN_XML, SRCDOC, Inside
from linkfix.links.link import Kind, Link, Markup, Query
from linkfix.links.table import Entry
from linkfix.links.templates import FOR_READERS, IS_TEMPLATE, Templates, is_for_readers
from linkfix.markup.layers import COLLAPSED

#: Kinds of values that may contain several links, between white space, commas or other text.
SEVERAL = frozenset(
    {Kind.LIST, Kind.ARCHIVE, Kind.VALUES, Kind.PAIRS, Kind.SRCSET, Kind.TEXT, Kind.LINK_FIELD}
)

_XML_SPACE = " \t\n\r"
#: A value without the white space around it.
_STRIPPED = r"[ \t\n\r]*+((?:.*[^ \t\n\r])?+)[ \t\n\r]*\Z"
_ITEM = pattern(r"[^\t\n\f\r ]+")
# Old specifications have commas for applet and spaces for object; documents have either.
_ARCHIVE = pattern(r"[^\t\n\f\r ,]+")
# SVG 2 (SVG Animations, 2.11.2): values between semicolons, white space around them removed.
_VALUE = pattern(r"[^;\t\n\f\r ](?:[^;]*[^;\t\n\f\r ])?")
# HTML 4.8.4.2.4 "Parse a srcset attribute", steps 4 and 5: the separators, then the URL.
_CANDIDATE = pattern(r"[\t\n\f\r ,]*([^\t\n\f\r ]+)")
# Step 8, the descriptor tokenizer: up to a comma outside parentheses.
_DESCRIPTORS = pattern(r"(?:[^,(]++|\([^)]*+(?:\)|$))*+,?")
# HTML 4.2.5.3 "shared declarative refresh steps", steps 5 to 18. The standard's white space here
# is ASCII white space; the time needs a digit or a full stop.
_REFRESH = pattern(
    r"\A[\t\n\f\r ]*+(?:[0-9]++[0-9.]*+|\.[0-9.]*+)"
    # Atomic: the separator between time and URL is never a part of the URL.
    r"(?>[\t\n\f\r ]*+[;,]|(?=[\t\n\f\r ]))[\t\n\f\r ]*+"
    # Without "url=" the end of the value is no URL; after it an empty URL is one.
    r"(?>[uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+|(?=[\s\S]))"
    r"""(?:"([^"]*)"?|'([^']*)'?|([\s\S]*))"""
)


# ISO/IEC 19776-1, 5.15: an MFString, its strings in quotes; many documents have a single URL without.
_STRING = pattern(r'"((?:[^"\\]|\\[\s\S])*+)"|\A(?!.*")' + _STRIPPED, re.DOTALL)
# XSL 1.1, 5.11: a uri-specification; or a URL without a function.
_FUNCTION = pattern(
    r"""\A\s*url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'\s].*?))\s*\)\s*\Z|\A""" + _STRIPPED,
    re.DOTALL,
)


# ISO/IEC 29500-1, 17.16.5.25: the absolute URI of a field; a relative one is resolved against the whole package, and
# a backslash is an escape.
_FIELD = pattern(r"""\A\s*HYPERLINK\s+"([A-Z][A-Z0-9+.-]*:[^"\\]*)\"""", re.IGNORECASE | re.ASCII)


# RFC 8288, 3: a link-value with its parameters, up to the comma.
_LINK_VALUE = pattern(r"""[ \t\r\n,]*+<([^>]*+)>(?:[^",]|"(?:[^"\\]|\\[\s\S])*+(?:"|\\?\Z))*+""")


def _whole(value: str) -> Iterator[tuple[int, int]]:
    yield 0, len(value)


def _found(pattern: re.Pattern[str], value: str) -> Iterator[tuple[int, int]]:
    """Yield the last group of each match, or the whole of it."""
    for match in pattern.finditer(value):
        yield match.span(match.lastindex or 0)


def _candidates(value: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := _CANDIDATE.match(value, position):
        start, end = match.span(1)
        url = match[1].rstrip(",")
        if url:
            yield start, start + len(url)
        descriptors = None if len(url) < len(match[1]) else _DESCRIPTORS.match(value, end)
        position = end if descriptors is None else descriptors.end()


def _in_text(value: str) -> Iterator[tuple[int, int]]:
    from linkfix.iri import find

    for start, end, kind, certainty in find(value):
        if (kind, certainty) == ("iri", "certain"):
            yield start, end


def _link_field(value: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := _LINK_VALUE.match(value, position):
        url = match[1].strip(" \t\r\n")
        start = match.start(1) + match[1].find(url)
        yield start, start + len(url)
        position = match.end()


_PARSERS: dict[Kind, Callable[[str], Iterator[tuple[int, int]]]] = {
    Kind.LIST: partial(_found, _ITEM),
    Kind.ARCHIVE: partial(_found, _ARCHIVE),
    Kind.VALUES: partial(_found, _VALUE),
    Kind.SRCSET: _candidates,
    Kind.TEXT: _in_text,
    Kind.LINK_FIELD: _link_field,
    Kind.REFRESH: partial(_found, _REFRESH),
    Kind.PAIRS: partial(_found, _ITEM),
    Kind.STRINGS: partial(_found, _STRING),
    Kind.URI_SPECIFICATION: partial(_found, _FUNCTION),
    Kind.FIELD: partial(_found, _FIELD),
}
#: What is around a single link in a value of several kinds.
_AROUND = {
    Kind.FIELD: ('HYPERLINK "', '"'),
    Kind.URI_SPECIFICATION: ("url(", ")"),
    Kind.LINK_FIELD: ("<", ">"),
    Kind.REFRESH: ("0;", ""),
}


def _collapsed(value: str) -> Iterator[tuple[int, int]]:
    """Yield an anyURI without the white space around it (XML Schema Part 2, 3.2.17: collapse)."""
    start = len(value) - len(value.lstrip(_XML_SPACE))
    yield start, max(start, len(value.rstrip(_XML_SPACE)))


@cache
def _parser(kind: Kind) -> Callable[[str], Iterator[tuple[int, int]]]:
    """Return the parser of a kind; links between the user's separators may have white space around them."""
    if kind in _PARSERS or not kind.separators:
        return _PARSERS.get(kind, _whole)
    no = f"[^{re.escape(kind.separators)}"
    return partial(_found, re.compile(rf"{no}\t\n\f\r ](?:{no}]*{no}\t\n\f\r ])?"))


def is_several(kind: Kind) -> bool:
    """Return whether values of a kind may contain several links."""
    return kind in SEVERAL or bool(kind.separators)


def spans(kind: Kind, value: str, markup: Markup) -> Iterator[tuple[int, int]]:
    """Return the links in a value.

    Args:
        kind: kind of the value; not CSS.
        value: code points, character references replaced.
        markup: syntax of the document that contains the value.

    Returns:
        Half-open spans in code points, ascending.

    """
    parse = _parser(kind)
    if parse is _whole and markup == "xml":
        parse = _collapsed
    return parse(value)


def is_one(kind: Kind, text: str) -> bool:
    """Return whether a text that replaces a link is parsed as that one link again.

    Among several links, a separator at either end or an empty text changes how the value is split. In a style
    sheet the empty string is no reference (CSS Values 4, 4.5), but white space refers to the sheet itself.
    """
    if kind is Kind.CSS:
        return text != ""
    if kind is Kind.STRINGS:
        return '"' not in text and "\\" not in text
    if not (is_several(kind) or kind in _AROUND):
        return True
    before, after = _AROUND.get(kind, ("", ""))
    start = len(before)
    return [*_parser(kind)(before + text + after)] == [(start, start + len(text))]


# --- The links of a value -------------------------------------------------------------------------

#: Why a link of a convention is left (`Link.fixed`).
BY_CONVENTION = "it is a link by a convention that is not followed (--conventions)"
#: Why relative references are left: out of a container, since its base is the place of the container, which may move (ISO/IEC 29500-2,
#: 6.5.3.4); and inside one, where programs read the name of a member.
_RELATIVE = {
    Kind.EXTERNAL: "it is relative to the place of the whole file",
    Kind.MEMBER: "programs read it as the name of a member of the archive",
}
#: Kinds of values of type anyURI that are one link.
_ANY_URI = frozenset({Kind.SINGLE, Kind.IDENTITY})


class DocumentFinder(Protocol):
    """Finds the links of documents inside values; `templates` says which values are templates."""

    templates: Templates

    def document(self, value: Value, slot: Slot, inside: Inside) -> Iterator[Batch | Link]:
        """Yield the links of an embedded document."""
        ...


def links_of_value(
    finder: DocumentFinder,
    value: Value,
    slot: Slot,
    target: Target,
    entry: Entry,
    query: Query = "document",
) -> Iterator[Batch | Link]:
    """Yield the links in a value, by its kind.

    Args:
        finder: finds the links of documents inside the value.
        value: the value in the document.
        slot: the part of the value that contains the links.
        target: the element and attribute of the value.
        entry: the row of the table for the value.
        query: how queries are mapped in this part of the document.

    """
    if query == "document":
        query = entry.query
    if entry.fixed or (value.fixed and (entry.kind in _ANY_URI or entry.kind is Kind.DOCUMENT)):
        yield value.link(slot, target, entry.kind, query)
    elif entry.kind is Kind.DOCUMENT:
        document = Inside(SRCDOC if target.attribute else HTML_IN_XML, query, target.bases)
        yield from finder.document(value, slot, document)
    elif entry.kind is Kind.CSS:
        from linkfix.markup.css import urls

        for first, last, layer, imported in urls(slot.value):
            how: Query = "utf-8" if imported else query
            yield value.link(slot.part(first, last, layer), target, Kind.CSS, how)
    else:
        kind = entry.kind
        inside = finder.templates.expressions(slot.value) if is_several(kind) else []
        for number, (first, last) in enumerate(spans(kind, slot.value, target.markup)):
            # XML Schema Part 1, 4.3.2: a namespace name, then the location of its schema.
            is_name = kind is Kind.PAIRS and number % 2 == 0
            part = slot.part(
                first, last, COLLAPSED if entry.collapses and kind in _ANY_URI else None
            )
            link = value.link(part, target, Kind.IDENTITY if is_name else kind, query)
            if entry.listed:
                link = link._replace(fixed=BY_CONVENTION)
            elif kind is Kind.TEMPLATE and is_for_readers(link.value):
                link = link._replace(fixed=FOR_READERS)
            elif kind in _RELATIVE and not SCHEME.match(link.value):
                link = link._replace(fixed=_RELATIVE[kind])
            elif any(start < last and first < end for start, end in inside):
                link = link._replace(fixed=IS_TEMPLATE)
            yield link


# --- Values that look like links, in attributes that no table has ---------------------------------
# Input: the value of an attribute. Output: whether it looks like a link. The test is precise rather than complete: an
# absolute URI of a common scheme with ``//``, the address of a mail, or a host that begins with ``www``. The names of namespaces
# look the same, so these values are never rewritten; they are listed for a person. An ``id`` names its own element.

_SCHEMES = "https?|ftps?|sftp|file|wss?|rtsp|git|svn|ssh|ircs?|ldaps?|nfs|smb|telnet|gopher"
_LINK = rf"(?:(?:{_SCHEMES})://[^\s<>\"']+|mailto:[^\s@]+@[^\s@]+|www\.[\w-]+\.[^\s]+)"
_LINKS = pattern(rf"{_LINK}(?:\s+{_LINK})*\s*", re.ASCII)
#: How such a value begins, as a pattern.
BEGINNINGS = rf"(?:{_SCHEMES})://|mailto:|www\.".encode()
#: Matches the spelling of a value that begins so.
BEGINNING = pattern(BEGINNINGS)
#: The row of such a value.
UNKNOWN = Entry(Kind.UNKNOWN, "document", (), "no table")


def looks_like_links(value: str) -> bool:
    """Return whether a value is nothing but what looks like links, with white space between them."""
    return _LINKS.fullmatch(value) is not None
