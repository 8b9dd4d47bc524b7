"""Links of an HTML document without a declared charset: test whether every browser reads a link alike.

Browsers guess such a charset from the bytes, each in its own way; WebKit never guesses and reads windows-1252. A
rewrite changes the bytes, and so may change the guess. So a link is only rewritten if every charset with ASCII
markup reads it alike. Then the guess does not matter, before and after the rewrite. Most links are ASCII and cost
one test of their bytes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from linkfix.charset import Charset, lookup, names
from linkfix.links import Link
from linkfix.markup.layers import read_layers

if TYPE_CHECKING:
    from linkfix.iri import Conversion
    from linkfix.policy.policy import Policy


def reads_alike(policy: Policy, link: Link, conversion: Conversion, base: str | None) -> bool:
    """Return whether a link has the same target in every charset, and can be rewritten in each.

    Args:
        policy: how links are read.
        link: of a document whose charset is a guess.
        conversion: of the link in the charset that was guessed.
        base: its base URL; None if unknown.

    """
    if not link.charset.is_own_view:
        # Another charset may read other markup, without this link.
        return not conversion.edits
    is_ascii = link.raw.isascii()
    if is_ascii and link.value.isascii():
        return conversion.text.isascii()
    if not is_ascii and not conversion.text.isascii():
        return False
    if not all(edit.text.isascii() for edit in conversion.edits):
        return False
    reading = _reading(policy)
    readings = (_read(reading, link, charset, base) for charset in _charsets())
    first = next(readings)
    return first is not None and all(other == first for other in readings)


def _read(policy: Policy, link: Link, charset: Charset, base: str | None) -> str | None:
    """Return the URI of a link in a charset; None if it has none."""
    value = link.value
    if not link.raw.isascii():
        value = read_layers(charset.decode(link.raw), link.layers)
    place = replace(link.place, charset=charset)
    conversion = policy.convert(link._replace(value=value, place=place), base)
    return conversion.text if conversion.ok else None


@lru_cache(maxsize=8)
def _reading(policy: Policy) -> Policy:
    return replace(policy, to="uri", normalize="none", trusts_guess=True)


@cache
def _charsets() -> tuple[Charset, ...]:
    """Return the ASCII-compatible charsets of HTML, the most different ones first."""
    common = ["windows-1252", "UTF-8", "Shift_JIS", "EUC-JP", "windows-1253"]
    found = [lookup(name) for name in dict.fromkeys([*common, *names(xml=False)])]
    return tuple(charset for charset in found if charset.is_own_view)
