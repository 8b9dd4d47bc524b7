"""Minimal escaping: references as people read them (UTS #58, Unicode Link Detection and Formatting, 17.0).

Input: a reference. Output: text in which `find` finds it again as a whole. Percent-encoding is decoded as 3987bis, 3.7,
allows, and so is ``%22``, which every browser encodes again. Reserved characters are never decoded: UTS #58 takes its
input in parts, and here it is a reference.
"""

import re
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.components import NOT_DECODED
from linkfix.iri.decode import RUN, decode_run
from linkfix.iri.edits import apply
from linkfix.iri.host import HostError, convert_domain
from linkfix.iri.model import Edit
from linkfix.iri.reference import parse
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.text.detection import terms
from linkfix.iri.unicode.uts46 import bidi_class

#: The end of a text that ASCII could continue to a percent-encoding.
_STRAY: Final = pattern("%[0-9A-Fa-f]?\\Z")
_DIGIT: Final = pattern("[0-9]")
#: Where a part of a component begins, whose brackets are pairs of their own.
_INTERIOR: Final = {"path": "/", "query": "=&", "fragment": ""}


def readable(text: str, *, final: bool = True) -> str:
    """Return a reference with as little percent-encoding as UTS #58 allows, and with U-labels.

    Args:
        text: a reference.
        final: whether a character at the end is encoded that would not be part of a link in text.

    Returns:
        Text for people, which browsers take to the same place; ``text`` itself for ``data:``, ``tel:``, ``urn:`` and
        ``javascript:``.

    """
    reference = parse(text)
    scheme = (reference.scheme or "").lower()
    if scheme in NOT_DECODED:
        return text
    host = reference.host
    if host and (not scheme or scheme in HIERARCHICAL):
        try:
            host = convert_domain(host, to_iri=True, ulabels=True, profile="uts46")
        except HostError:
            host = reference.host
    parts = {
        name: None if value is None else _minimal(value, name)
        for name in _INTERIOR
        for value in [getattr(reference, name)]
    }
    if final:
        for name in reversed(_INTERIOR):
            value = parts[name]
            if value:
                parts[name] = _closed(value)
                break
    return str(
        reference._replace(
            host=host, path=parts["path"] or "", query=parts["query"], fragment=parts["fragment"]
        )
    )


def _minimal(value: str, component: str) -> str:
    edits: list[Edit] = []
    for run in RUN.finditer(value):
        new = decode_run(value, *run.span(), component)
        if _STRAY.search(value, max(0, run.start() - 2), run.start()):
            new = [edit for edit in new if not edit.text[0].isascii()]
        edits += new
    decoded = apply(value, edits)
    if any(bidi_class(char) in {"R", "AL"} for char in decoded if char > "\u0590"):
        # What was encoded for the order in which it is shown stays (3987bis, 4.4, example 9).
        edits = [edit._replace(text=_DIGIT.sub(_quoted, edit.text)) for edit in edits]
        decoded = apply(value, edits)
    value = decoded.replace("%22", '"')
    tables = terms()
    pieces: list[str] = []
    opened: list[str] = []
    position = 0
    for found in tables.token.finditer(value):
        char, at = found[0], found.start()
        if char in _INTERIOR[component] or value.startswith(":~:", at):
            opened.clear()
        elif char in tables.opening:
            opened.append(char)
        elif (
            (opened.pop() if opened else "") != tables.closing[char]
            if char in tables.closing
            else not (char in "/?#=&|" or tables.soft.match(char))
        ):
            pieces += (value[position:at], chars.quote(char))
            position = at + 1
    return "".join([*pieces, value[position:]])


def _quoted(found: re.Match[str]) -> str:
    return chars.quote(found[0])


def _closed(value: str) -> str:
    """Encode a character at the end that would not be part of a link in text."""
    last, tables = value[-1], terms()
    if tables.soft.match(last) or last in tables.opening:
        return value[:-1] + chars.quote(last)
    return value
