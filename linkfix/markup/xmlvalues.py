"""Convert the spelling of values and of text to characters, as a parser that reads no DTD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.references import xml_attribute, xml_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.markup.references import Spelled

__all__ = ["attribute_value", "character_data"]

_REFERENCE = re.compile("&[^;]*;")
_MARKUP_IN_TEXT = re.compile(r"<(?:!--.*?-->|\?.*?\?>|!\[CDATA\[(.*?)\]\]>)", re.DOTALL)


def attribute_value(spelling: str) -> str:
    """Return the value of an attribute (XML 1.0, 3.3.3), without unknown entities."""
    if "&" not in spelling and spelling.isprintable():  # and so without line ends and tabs
        return spelling
    return _expanded(spelling, xml_attribute)


def character_data(content: str) -> str:
    """Return the character data of an element without children (XML 1.0, 2.4, 2.7)."""
    if "<" not in content:
        return _expanded(content, xml_text)
    return "".join(_pieces(content))


def _pieces(content: str) -> Iterator[str]:
    position = 0
    for match in _MARKUP_IN_TEXT.finditer(content):
        yield _expanded(content[position : match.start()], xml_text)
        yield (match[1] or "").replace("\r\n", "\n").replace("\r", "\n")
        position = match.end()
    yield _expanded(content[position:], xml_text)


def _expanded(text: str, read: Callable[[str], Spelled]) -> str:
    spelled = read(text)
    if spelled.complete:
        return spelled.value
    known = _REFERENCE.sub(lambda match: match[0] if read(match[0]).complete else "", text)
    return read(known).value
