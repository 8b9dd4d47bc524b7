"""Values that hold nothing but clean links: several in a list, image candidates, CSS; as patterns.

Each pattern is one of bytes, of values in quotes as they stand in HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.markup.patterns import either

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.skipping import Clean

__all__ = ["clean_candidates", "clean_declarations", "clean_items", "clean_link", "unclean_css"]

_SPACE = rb"[\t\n\f\r ]"
#: A descriptor of an image candidate (HTML standard, 4.8.4.2.1).
_DESCRIPTOR = rb"[0-9.]++[a-z]"
_GAP = _SPACE + b"*+"
_URL = rb"[uU][rR][lL]\("
#: The other functions whose strings are URLs end like these (CSS Values 4, 4.5; CSS Images 4, 2.4).
_OF_STRINGS = (rb"[sS][rR][cC]\(", rb"-[sS][eE][tT]\(")


def _value(clean: Clean, without: str) -> bytes:
    """Match a clean link, perhaps empty, that is spelled without some characters."""
    spelled = (("&", "&amp;"), *((char, "") for char in without))
    return b"(?:" + clean(spelled).encode() + b")"


def _quoted(inside: Callable[[bytes], bytes]) -> bytes:
    """Match a value in quotes of either kind; `inside` gives what may stand between them."""
    return either(quote + inside(quote) + quote for quote in (b'"', b"'"))


def clean_link(clean: Clean) -> bytes:
    """Match a value that is one clean link."""
    return _quoted(lambda quote: _value(clean, quote.decode()))


def clean_items(clean: Clean) -> bytes:
    """Match a value that is clean links between white space."""

    def inside(quote: bytes) -> bytes:
        item = rb"(?=[^\t\n\f\r " + quote + b"])" + _value(clean, quote.decode())
        return _GAP + b"(?:" + item + either([_SPACE + b"++", b"(?=" + quote + b")"]) + b")*+"

    return _quoted(inside)


def clean_candidates(clean: Clean) -> bytes:
    """Match a value that is image candidates with clean links, in none of which is a comma."""

    def inside(quote: bytes) -> bytes:
        link = rb"(?=[^\t\n\f\r " + quote + b"])" + _value(clean, "," + quote.decode())
        descriptors = _DESCRIPTOR + b"(?:" + _SPACE + b"++" + _DESCRIPTOR + b")*+" + _GAP
        end = b"(?=" + quote + b")"
        after = (
            rb",++(?=[\t\n\f\r " + quote + b"])",
            end,
            _SPACE + b"++(?:" + descriptors + b")?+" + either([b",", end]),
        )
        return rb"[\t\n\f\r ,]*+(?:" + link + either(after) + rb"[\t\n\f\r ,]*+)*+"

    return _quoted(inside)


def clean_declarations(clean: Clean) -> bytes:
    """Match a value that is CSS declarations in which every URL is a clean link."""

    def inside(quote: bytes) -> bytes:
        no_function = b"".join(b"(?<!" + name + b")" for name in (_URL, *_OF_STRINGS))
        other = b'"' if quote == b"'" else b"'"
        url = b"(?<=" + _URL + b")" + _rest_of_url(clean, other)
        text = b"[^" + quote + rb"(@&\\]++"
        return either([text, rb"\(" + either([no_function, url])]) + b"*+"

    return _quoted(inside)


def unclean_css(clean: Clean) -> bytes:
    """Match where a style sheet, as the text of an element, may have a URL that is no clean link."""
    url = _URL + b"(?!" + _rest_of_url(clean, b'"', b"'") + b")"
    strings = (quote + _value(clean, "'") + quote for quote in (b'"', b"'"))
    imported = rb"@[iI][mM][pP][oO][rR][tT](?!" + _GAP + either([_URL, *strings]) + b")"
    return either([url, imported, *_OF_STRINGS, rb"[\\&]", rb"<!\[CDATA\["])


def _rest_of_url(clean: Clean, *quotes: bytes) -> bytes:
    """Match what follows ``url(`` where that is a clean link, in one of some quotes or in none."""
    bare = _value(clean, "'()")
    values = either([*(quote + bare + quote for quote in quotes), bare])
    return _GAP + values + _GAP + rb"\)"
