"""Convert the spelling of values and of text to characters, as a parser that reads no DTD."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from linkfix.markup.layers import Spelled, xml_attribute, xml_text
from linkfix.markup.offsets import Offsets, Shifts

_REFERENCE = re.compile("&[^;]*;")
#: Comments, instructions and CDATA sections, whose content is the group. One without an end reaches to the end of the text.
_MARKUP_IN_TEXT = re.compile(
    r"<!--(?:[^-]++|-(?!->))*+(?:-->|\Z)"
    r"|<\?(?:[^?]++|\?(?!>))*+(?:\?>|\Z)"
    r"|<!\[CDATA\[((?:[^\]]++|\](?!\]>))*+)(?:\]\]>|\Z)"
)


class Piece(NamedTuple):
    """A piece of character data, between other markup.

    Attributes:
        start: code point of the content at which it begins.
        end: code point after its last one.
        is_section: whether it is the content of a CDATA section.

    """

    start: int
    end: int
    is_section: bool


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


def pieces(content: str) -> Iterator[Piece]:
    """Yield the pieces of the character data of an element without children, those without characters as well."""
    position = 0
    for match in _MARKUP_IN_TEXT.finditer(content):
        yield Piece(position, match.start(), is_section=False)
        if match[1] is not None:
            yield Piece(*match.span(1), is_section=True)
        position = match.end()
    yield Piece(position, len(content), is_section=False)


def mixed(read: Callable[[str], Spelled], content: str) -> Spelled:
    """Return the character data of an element without children, with its spelling.

    The marks of a section, comments and instructions belong to the spelling of the character before them.

    Args:
        read: parses character data outside of sections.
        content: its spelling.

    """
    values: list[str] = []
    shifts = Shifts()
    size, complete = 0, True
    for start, end, is_section in pieces(content):
        text = content[start:end]
        spelled = Spelled(text, text) if is_section else read(text)
        complete = complete and spelled.complete and (is_section or "<" not in text)
        shifts.add(size, start - size)
        if spelled.starts is not None:
            for at, by in spelled.starts.shifts():
                shifts.add(size + at, start - size + by)
        values.append(spelled.value)
        size += len(spelled.value)
    shifts.add(size, len(content) - size)
    return Spelled("".join(values), content, Offsets(size, lambda: shifts), complete=complete)


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _expanded(text: str, read: Callable[[str], Spelled]) -> str:
    spelled = read(text)
    if spelled.complete:
        return spelled.value
    known = _REFERENCE.sub(lambda match: match[0] if read(match[0]).complete else "", text)
    return read(known).value
