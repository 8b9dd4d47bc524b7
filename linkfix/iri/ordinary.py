"""Ordinary values: references that no conversion changes, and no rule about spelling reports.

This is the only definition. The rewriter and the audit skip such links, column by column, and read all others.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final

from linkfix.deferred import pattern

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
_NOT_ORDINARY = re.compile(rf"\0(?!{ORDINARY.pattern}\0)([^\0]*+)(?=\0)")
_REFERENCE = re.compile(rb"&(?!amp;|[A-Za-z0-9]++=)")


def read(views: Sequence[bytes]) -> list[str]:
    """Return the values of links by their bytes in the ASCII view, without NUL.

    A byte that is not ASCII becomes a character that is not ASCII; references other than ``&amp;`` stay as they are
    spelled (`has_references`).
    """
    return b"\0".join(views).decode("latin-1").replace("&amp;", "&").split("\0") if views else []


def has_references(view: bytes) -> bool:
    """Return whether a value may have references other than ``&amp;`` (HTML Standard, 13.2.5.73)."""
    return _REFERENCE.search(view) is not None


def not_ordinary(values: Iterable[str]) -> set[str]:
    """Return the values that are not ordinary, of some without NULs."""
    return {*_NOT_ORDINARY.findall("\0".join(("", *values, "")))}


def examined(views: Sequence[bytes]) -> tuple[list[str], set[str]]:
    """Return the values of links by their bytes in the ASCII view (`read`), and those that a conversion may change."""
    values = read(views)
    odd = not_ordinary(values)
    if has_references(b"\0".join(views)):
        odd.update(compress(values, map(has_references, views)))
    return values, odd
