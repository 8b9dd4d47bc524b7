"""The common kinds of values, recognised by one pattern each.

What is recognised here is converted as the long way over layout and components would convert it;
anything that needs a closer look is not recognised.

An *ordinary* value is a reference that no conversion changes, and no rule about spelling reports. The rewriter and the
audit skip such links, column by column, and read all others; there is no other definition of them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import compress
from operator import add
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.model import Edit

#: Short values are remembered, since documents repeat them, above all in navigation. Their length and number bound the
#: memory to some megabytes.
REMEMBERED: Final = 256
#: The two code points of one pair of octets in Big5 (88 62, 88 64, 88 A3, 88 A5), which not every browser decodes
#: so. The charset is unknown here, so such a value needs the full conversion.
TWO_FOR_ONE: Final = pattern("[\u00ca\u00ea][\u0304\u030c]")

_LABEL: Final = r"(?![Xx][Nn]--)[A-Za-z0-9_][A-Za-z0-9_-]*+"
#: Scheme, host and port that need no conversion: the labels are ASCII, and the last one is no number.
ORIGIN: Final = (
    r"(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://"
    rf"(?:{_LABEL}\.)*+(?=[A-Za-z]){_LABEL}(?::[0-9]{{0,4}}+)?+"
)
#: Schemes that are followed by a path as it is.
_NO_HOST: Final = "(?:[Mm][Aa][Ii][Ll][Tt][Oo]:(?!/)|[Ff][Ii][Ll][Ee]:///(?![^?#]*//|/))"


@cache
def canonical(to: str) -> Callable[[str], re.Match[str] | None]:
    """Return the test for the common kinds of values that need no conversion.

    Args:
        to: ``uri`` or ``iri``. For IRIs a ``%`` always needs the full conversion.

    Returns:
        A function that is never true for a value that needs a conversion.

    """
    return re.compile(_canonical(to)).fullmatch


def _canonical(to: str) -> str:
    classes = chars.ICOMPONENT if to == "iri" else chars.COMPONENT
    octet = "" if to == "iri" else "%[0-9A-Fa-f]{2}"

    def run(allowed: str) -> str:
        allowed = f"{chars.one_of(allowed)}*+"
        return allowed + (f"(?:(?:{octet}){allowed})*+" if octet else "")

    path, query, fragment = (run(classes[name]) for name in ("path", "query", "fragment"))
    first = run(classes["path"].replace(":", "").replace("/", ""))
    # Most values are relative, without special characters; the first alternative matches them.
    usual = chars.one_of(classes["path"].replace(":", "") + "?") + "*+"
    rest = chars.one_of(classes["fragment"]) + "*+"
    return (
        rf"(?:(?!//){usual}(?:\#{rest})?+"
        rf"|(?:{_NO_HOST}{path}|(?:{ORIGIN}|(?!//){first})(?:/{path})?+)"
        rf"(?:\?{query})?+(?:\#{fragment})?+)"
    )


#: The pattern of the values that `canonical` knows as URIs.
CANONICAL_URI: Final = _canonical("uri")


def _plain(*, web: bool) -> str:
    slash, but = (r"/\\", r"\t\n\r") if web else ("/", "")
    relative = rf"(?![{slash}]{{2}})(?![\x01-\x20])(?=[^:?#\0{slash}]*+(?:[?#\0{slash}]|\Z))"
    return (
        rf"(?P<head>{ORIGIN}(?=[/?#])|{relative})(?P<path>[^?#\0{but}]*+)"
        rf"(?P<rest>(?:\?[^#\0{but}]*+)?+(?:#[^#\0{but}]*+)?+)(?<![\x01-\x20])"
    )


#: A value without NUL in which nothing but characters of the path, query and fragment can be wrong: neither
#: host nor the first delimiters, nothing to strip. In a Web Address a backslash in the path is a
#: delimiter, and tabs and line ends are dropped; elsewhere these are characters like others.
_PLAIN: Final = {web: pattern(_plain(web=web)) for web in (True, False)}
#: The same among many values, each between two NULs; all of its groups are empty where a value is none.
_PLAIN_COLUMN: Final = {
    web: pattern(rf"\0(?:{_plain(web=web)}(?=\0)|[^\0]++)") for web in (True, False)
}


def _runs(slash: str = "") -> re.Pattern[str]:
    """Match a run of characters that no URI contains, or of a character that becomes a slash, in its group."""
    query, stray, own = chars.COMPONENT["query"], "%(?![0-9A-Fa-f]{2})", re.escape(slash)
    others = rf"(?<![%{own}])[^\0#%{own}{query}]*+"
    slashes = rf"|(?<={own}){own}*+" if slash else ""
    # It begins with a set, which Python searches much faster than a choice.
    return pattern(rf"([^\0#{query}](?:{others}|(?<={stray})(?:{stray})*+{slashes}))")


def _slashed(run: str) -> str:
    return "/" * len(run) if run[0] == "\\" else chars.quote(run)


#: The characters that cannot be in a part of a URI, and what they become: in a path of a Web Address a backslash is a slash
#: (URL Standard, 4.4).
_NOT_URI: Final = _runs(), chars.quote
_NOT_PATH: Final = _runs("\\"), _slashed


def _column(texts: Sequence[str], runs: re.Pattern[str], quote: Callable[[str], str]) -> list[str]:
    """Replace all runs in texts without NUL."""
    pieces = runs.split("\0".join(texts))
    pieces[1::2] = map(quote, pieces[1::2])
    return "".join(pieces).split("\0")


def plain_uris(texts: Sequence[str], *, web: bool) -> list[str | None]:
    """Convert values with common delimiters and ASCII hosts to URIs.

    Args:
        texts: values without NUL, with an ``http`` or ``https`` base, and with their queries mapped to octets in UTF-8.
        web: whether they are read as Web Addresses.

    Returns:
        For each value the URI by `plain_edits`; None if it needs the full conversion.

    """
    if not texts:
        return []
    column = "\0".join(("", *texts, ""))
    heads, paths, rests = map(list, zip(*_PLAIN_COLUMN[web].findall(column), strict=True))
    paths = _column(paths, *(_NOT_PATH if web else _NOT_URI))
    uris = [*map(add, map(add, heads, paths), _column(rests, *_NOT_URI))]
    may_be_two_for_one = "\u0304" in column or "\u030c" in column
    return [
        None if (text and not uri) or (may_be_two_for_one and TWO_FOR_ONE.search(text)) else uri
        for text, uri in zip(texts, uris, strict=True)
    ]


def plain_edits(text: str, *, web: bool) -> list[Edit] | None:
    """Return the edits from a value with common delimiters and an ASCII host to a URI.

    Args:
        text: a value with an ``http`` or ``https`` base.
        web: whether it is read as a Web Address.

    Returns:
        The edits, or None if it needs the full conversion.

    """
    plain = _PLAIN[web].fullmatch(text)
    if plain is None:
        return None
    head, path = plain.end("head"), plain.end("path" if web else "head")
    return [
        Edit(found.start(), found.end(), quote(found[0]))
        for (runs, quote), first, last in ((_NOT_PATH, head, path), (_NOT_URI, path, len(text)))
        for found in runs.finditer(text, first, last)
    ]


_CHARS = r"A-Za-z0-9\-._~!$&()*+,;="
#: Percent-encoded octets of printable ASCII characters that are neither unreserved nor ``%``, ``/``, ``\``.
_OCTET = "%(?:2[0-46-9A-C]|3[A-F]|40|5[BDE]|60|7[B-D])"


def _some(chars: str) -> str:
    """Match any number of certain characters and of octets."""
    return f"[{chars}]*+(?:{_OCTET}[{chars}]*+)*+"


_NO_DOTS = r"(?!\.{1,2}+(?:[/?#\0]|\Z))"
_FIRST = rf"(?!www\.){_NO_DOTS}(?=[{_CHARS}%]){_some(_CHARS)}"
_REST = rf"(?:/{_NO_DOTS}(?=[{_CHARS}@:%]){_some(_CHARS + '@:')})*+/?+"
_MORE = _some(_CHARS + "@:/?")
#: Values in which no rule about spelling finds anything: lower-case http and https references
#: with an ordinary host, and relative references of ordinary segments. Most links are such.
ORDINARY: Final = pattern(
    r"(?=[^\0])(?:https?+://(?!xn--)(?:(?!xn--)[a-z0-9][a-z0-9-]{0,62}+\.){1,4}+(?!local(?:host)?/)"
    rf"[a-z]{{2,20}}+(?=/){_REST}|(?:/|(?:\./)?+(?:\.\./)*+)(?:{_FIRST}{_REST})?+)"
    rf"(?:\?{_MORE})?+(?:#{_MORE})?+"
)
#: The same among many values, each between two NULs, which none of them has: those that are not ordinary.
_NOT_ORDINARY: Final = pattern(rf"\0(?!{ORDINARY.pattern}\0)([^\0]*+)(?=\0)")
#: References by number to visible ASCII characters but the ampersand, which could begin another reference.
_VISIBLE = (
    "#(?:(3[3-79]|[4-9][0-9]|1[01][0-9]|12[0-6])|x(2[1-57-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e]));"
)
_NUMERIC: Final = pattern(f"&{_VISIBLE}")
_REFERENCE: Final = pattern(f"&(?!amp;|{_VISIBLE}|[A-Za-z0-9]++=)".encode())


def values_of(views: Sequence[bytes]) -> list[str]:
    """Return the values of links by their bytes in the ASCII view, without NUL.

    A byte that is not ASCII becomes a character that is not ASCII; references other than ``&amp;`` and the like of ``&#64;``
    stay as they are spelled (`has_references`).
    """
    if not views:
        return []
    text = b"\0".join(views).decode("latin-1")
    if "&#" in text:
        text = _NUMERIC.sub(_visible, text)
    return text.replace("&amp;", "&").split("\0")


def _visible(reference: re.Match[str]) -> str:
    decimal, hexadecimal = reference.groups()
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def has_references(view: bytes) -> bool:
    """Return whether a value may have references that `values_of` leaves (HTML Standard, 13.2.5.73)."""
    return _REFERENCE.search(view) is not None


def not_ordinary(values: Iterable[str]) -> set[str]:
    """Return the values that are not ordinary, of some without NULs."""
    return {*_NOT_ORDINARY.findall("\0".join(("", *values, "")))}


def examined(views: Sequence[bytes]) -> tuple[list[str], set[str]]:
    """Return the values of links by their bytes in the ASCII view (`values_of`), and those that a conversion may change."""
    values = values_of(views)
    odd = not_ordinary(values)
    if has_references(b"\0".join(views)):
        odd.update(compress(values, map(has_references, views)))
    return values, odd
