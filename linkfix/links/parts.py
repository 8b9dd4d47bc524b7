"""Find the links in a value, by the kind of the value."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from linkfix.deferred import pattern
from linkfix.links.link import Kind, Markup

#: Kinds of values that may contain several links, between white space, commas or other text.
SEVERAL = frozenset(
    {Kind.LIST, Kind.ARCHIVE, Kind.VALUES, Kind.PAIRS, Kind.SRCSET, Kind.TEXT, Kind.LINK_FIELD}
)

_XML_SPACE = " \t\n\r"
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
    r"[\t\n\f\r ]*+(?:[0-9]++[0-9.]*+|\.[0-9.]*+)"
    # Atomic: the separator between time and URL is never a part of the URL.
    r"(?>[\t\n\f\r ]*+[;,]|(?=[\t\n\f\r ]))[\t\n\f\r ]*+"
    # Without "url=" the end of the value is no URL; after it an empty URL is one.
    r"(?>[uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+|(?=[\s\S]))"
    r"""(?:"([^"]*)"?|'([^']*)'?|([\s\S]*))"""
)


# ISO/IEC 19776-1, 5.15: an MFString, its strings in quotes.
_STRING = pattern(r'"((?:[^"\\]|\\[\s\S])*+)"')
# XSL 1.1, 5.11: a uri-specification.
_FUNCTION = pattern(r"""\s*url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'\s][\s\S]*?))\s*\)\s*""")


# ISO/IEC 29500-1, 17.16.5.25: the absolute URI of a field; a relative one is resolved against the whole package, and
# a backslash is an escape.
_FIELD = pattern(r"""\s*HYPERLINK\s+"([A-Z][A-Z0-9+.-]*:[^"\\]*)\"""", re.IGNORECASE | re.ASCII)


# RFC 8288, 3: a link-value with its parameters, up to the comma.
_LINK_VALUE = pattern(r"""[ \t\r\n,]*+<([^>]*+)>(?:[^",]|"(?:[^"\\]|\\[\s\S])*+(?:"|\\?\Z))*+""")


def _whole(value: str) -> Iterator[tuple[int, int]]:
    yield 0, len(value)


def _items(value: str, pattern: re.Pattern[str] = _ITEM) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(value):
        yield match.span()


def _candidates(value: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := _CANDIDATE.match(value, position):
        start, end = match.span(1)
        url = match[1].rstrip(",")
        if url:
            yield start, start + len(url)
        descriptors = None if len(url) < len(match[1]) else _DESCRIPTORS.match(value, end)
        position = end if descriptors is None else descriptors.end()


def _refresh(value: str) -> Iterator[tuple[int, int]]:
    match = _REFRESH.match(value)
    if match is not None:
        yield match.span(match.lastindex or 0)


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


def _strings(value: str) -> Iterator[tuple[int, int]]:
    if '"' not in value:  # a single URL, as many documents have it
        yield from _collapsed(value)
    for match in _STRING.finditer(value):
        yield match.span(1)


def _specification(value: str) -> Iterator[tuple[int, int]]:
    match = _FUNCTION.fullmatch(value)
    if match is not None:
        yield match.span(match.lastindex or 0)
    else:
        yield from _collapsed(value)


def _field(value: str) -> Iterator[tuple[int, int]]:
    match = _FIELD.match(value)
    if match is not None:
        yield match.span(1)


_PARSERS: dict[Kind, Callable[[str], Iterator[tuple[int, int]]]] = {
    Kind.LIST: _items,
    Kind.ARCHIVE: partial(_items, pattern=_ARCHIVE),
    Kind.VALUES: partial(_items, pattern=_VALUE),
    Kind.SRCSET: _candidates,
    Kind.TEXT: _in_text,
    Kind.LINK_FIELD: _link_field,
    Kind.REFRESH: _refresh,
    Kind.PAIRS: _items,
    Kind.STRINGS: _strings,
    Kind.URI_SPECIFICATION: _specification,
    Kind.FIELD: _field,
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
    item = re.compile(rf"{no}\t\n\f\r ](?:{no}]*{no}\t\n\f\r ])?")
    return partial(_items, pattern=item)


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
    if kind is Kind.FIELD:
        return list(_field(f'HYPERLINK "{text}"')) == [(11, 11 + len(text))]
    if kind is Kind.URI_SPECIFICATION:
        return list(_specification(f"url({text})")) == [(4, 4 + len(text))]
    if kind is Kind.LINK_FIELD:
        return list(_link_field(f"<{text}>")) == [(1, 1 + len(text))]
    if is_several(kind):
        return list(_parser(kind)(text)) == [(0, len(text))]
    if kind is Kind.REFRESH:
        return list(_refresh(f"0;{text}")) == [(2, 2 + len(text))]
    return True
