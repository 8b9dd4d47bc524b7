"""Convert the spelling of values and of text to characters, as a parser that reads no DTD."""

import re
from collections.abc import Callable

from linkfix.markup.layers import Spelled, pieces, xml_attribute, xml_text

_REFERENCE = re.compile("&[^;]*;")


def attribute_value(spelling: str) -> str:
    """Return the value of an attribute (XML 1.0, 3.3.3), without unknown entities."""
    if "&" not in spelling and spelling.isprintable():  # and so without line ends and tabs
        return spelling
    return _expanded(spelling, xml_attribute)


def character_data(content: str) -> str:
    """Return the character data of an element without children (XML 1.0, 2.4, 2.7)."""
    if "<" not in content:
        return _expanded(content, xml_text)
    return "".join(
        _line_ends(content[start:end]) if is_section else _expanded(content[start:end], xml_text)
        for start, end, is_section in pieces(content)
    )


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _expanded(text: str, read: Callable[[str], Spelled]) -> str:
    spelled = read(text)
    if spelled.complete:
        return spelled.value
    known = _REFERENCE.sub(lambda match: match[0] if read(match[0]).complete else "", text)
    return read(known).value
