"""Character references, and what else markup does to the characters of a value.

Every function takes the characters between the quotes (or tags) as they stand in the document and
gives the value that the application sees, with a map back: for each code point of the value, where
its spelling begins. So a value can be rewritten while the characters that did not change keep the
spelling their author gave them.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

from linkfix.markup.offsets import Offsets, Shifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = [
    "MAX_REFERENCE",
    "Spelled",
    "html_attribute",
    "html_references",
    "references_in_html",
    "references_in_xml",
    "spell",
    "unfinished_reference",
    "xhtml_attribute",
    "xhtml_text",
    "xml_attribute",
    "xml_text",
]


#: The longest character reference that is told apart from the text around it, in octets.
MAX_REFERENCE = 48
#: What may be the beginning of a reference, with the one before it, or one after which not a whole
#: character in UTF-8 has come.
_UNFINISHED = re.compile(
    rb"(?:&#?[0-9A-Za-z]{1,%d};?)?&#?[0-9A-Za-z]{0,%d}\Z|&#?[0-9A-Za-z]{1,%d};?[\x80-\xff]{0,3}\Z"
    % (MAX_REFERENCE, MAX_REFERENCE, MAX_REFERENCE)
)


def unfinished_reference(text: bytes, start: int, end: int) -> int:
    """Give where text must end for each character reference in it to be whole and what follows it known.

    Args:
        text: octets of which more are to come.
        start: index at which the text in question begins.
        end: index at which it ends for now.

    Returns:
        An index of at most `end`. What follows a reference may stand beyond it.

    """
    found = _UNFINISHED.search(text, max(start, end - 2 * (MAX_REFERENCE + 3)), end)
    return end if found is None else found.start()


class Spelled(NamedTuple):
    """A value and its spelling.

    Attributes:
        value: the code points that the application sees.
        source: the code points in the document.
        starts: for each code point of `value` the offset in `source` of its spelling, and the
            length of `source` last; None where both are the same.
        complete: False where `source` refers to an entity that is not known here, or a character that XML has not.

    """

    value: str
    source: str
    starts: Offsets | None = None
    complete: bool = True

    @property
    def is_literal(self) -> bool:
        """Whether every code point is spelled as itself."""
        return self.starts is None and self.value == self.source

    def spelling(self, start: int, end: int) -> str:
        """How the code points `start` to `end` of the value are written in the document."""
        if self.starts is None:
            return self.source[start:end]
        return self.source[self.starts[start] : self.starts[end]]


def spell(
    source: str,
    pattern: re.Pattern[str],
    expand: Callable[[re.Match[str]], tuple[str, int] | None],
) -> Spelled:
    """Replace each match by what `expand` gives for so many of its characters, if anything."""
    pieces: list[str] = []
    shifts = Shifts()
    size = last = 0
    for match in pattern.finditer(source):
        expansion = expand(match)
        if expansion is None:
            continue
        new, length = expansion
        start = match.start()
        end = start + length
        pieces += (source[last:start], new)
        size += start - last
        # A reference may stand for two code points; both are spelled by the whole of it, which
        # is what an edit of the first has to replace and an edit of the second must not.
        for after in range(size + 1, size + len(new) + 1) if new else (size,):
            shifts.add(after, end - after)
        size += len(new)
        last = end
    if not pieces:
        return Spelled(source, source)
    pieces.append(source[last:])
    value = "".join(pieces)
    return Spelled(value, source, Offsets(len(value), lambda: shifts))


# --- HTML -------------------------------------------------------------------------------------

#: HTML standard, 13.2.5.80: what stands for a C1 control in a numeric reference.
_C1 = dict(
    enumerate(
        "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
        "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178",
        0x80,
    )
)
#: A value with nothing to replace, in which an ampersand most often is before the name of a field.
_NO_REFERENCES = re.compile(r"(?:[^&\r\0]++|&(?=[A-Za-z0-9]*+=)|&(?![A-Za-z#]))*+")
_HTML = re.compile(r"&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|([A-Za-z][A-Za-z0-9]*;?))|\r\n?|\0")


@cache
def _named() -> tuple[Mapping[str, str], int]:
    """Give the named character references, and the length of the longest without a semicolon."""
    from html.entities import html5

    return html5, max(len(name) for name in html5 if not name.endswith(";"))


def _numeric(number: int) -> str:
    """Give the character of a numeric reference by 13.2.5.80."""
    if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    return _C1.get(number) or chr(number)


def _html(match: re.Match[str], *, attribute: bool) -> tuple[str, int] | None:
    text = match[0]
    if text[0] == "\r":
        return "\n", len(text)
    if text == "\0":
        return "\ufffd", 1
    decimal, hexadecimal, name = match.groups()
    if decimal or hexadecimal:
        digits, base = (decimal, 10) if decimal else (hexadecimal, 16)
        digits = digits.lstrip("0")
        number = int(digits or "0", base) if len(digits) < 8 else 0x110000
        return _numeric(number), len(text)
    named, longest = _named()
    if name in named and name.endswith(";"):
        return named[name], len(text)
    bare = name.removesuffix(";")
    for length in range(min(len(bare), longest), 1, -1):
        if bare[:length] in named:
            after = match.string[match.start() + 1 + length : match.start() + 2 + length]
            # 13.2.5.73: in an attribute, "&copy=" and "&copya" are just characters.
            if attribute and (after == "=" or (after.isascii() and after.isalnum())):
                return None
            return named[bare[:length]], 1 + length
    return None


def _html_attribute(match: re.Match[str]) -> tuple[str, int] | None:
    return _html(match, attribute=True)


def _html_text(match: re.Match[str]) -> tuple[str, int] | None:
    return _html(match, attribute=False)


def html_attribute(source: str) -> Spelled:
    """Read the value of an HTML attribute (HTML standard, 13.2.5.36 to 13.2.5.38, 13.2.5.73)."""
    if _NO_REFERENCES.fullmatch(source):
        return Spelled(source, source)
    quick = None if "\0" in source else _predefined(source, "\n")
    if quick is not None:
        return Spelled(quick, source, Offsets(len(quick), lambda: _shifts_of_predefined(source)))
    return spell(source, _HTML, _html_attribute)


def html_references(source: str) -> Spelled:
    """Read HTML text (HTML standard, 13.2.5.1)."""
    return spell(source, _HTML, _html_text)


def references_in_html(source: str, *, attribute: bool) -> Iterator[tuple[int, int, str]]:
    """Give the character references of HTML text, or of an attribute's value.

    Returns:
        For each its first and last code point and the characters that it stands for.

    """
    for match in _HTML.finditer(source):
        expansion = _html(match, attribute=attribute) if match[0][0] == "&" else None
        if expansion is not None:
            yield match.start(), match.start() + expansion[1], expansion[0]


# --- XML --------------------------------------------------------------------------------------

_XML_ATTRIBUTE = re.compile(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|([^;&<\s]+));|\r\n?|[\t\n]")
_XML_TEXT = re.compile(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|([^;&<\s]+));|\r\n?")
#: The ampersand last, so that what it is part of is not read again.
_PREDEFINED = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_REFERENCE = re.compile("&[^;]*;")
_XML_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _xml(
    source: str, pattern: re.Pattern[str], line_end: str, entities: Mapping[str, str]
) -> Spelled:
    if "&" not in source and source.isprintable():  # and so without line ends and tabs
        return Spelled(source, source)
    quick = _predefined(source, line_end)
    if quick == source:
        return Spelled(source, source)
    if quick is not None:
        return Spelled(quick, source, Offsets(len(quick), lambda: _shifts_of_predefined(source)))
    return _spell_xml(source, pattern, line_end, entities)


def _predefined(source: str, line_end: str) -> str | None:
    """Read a text with no references but to the entities that XML predefines, and HTML has as well.

    Args:
        source: the spelling.
        line_end: what white space at the end of a line becomes.

    Returns:
        The value; None for a text with other references, or white space that changes.

    """
    if "\r" in source or (line_end == " " and ("\n" in source or "\t" in source)):
        return None
    left, value = source.count("&"), source
    for reference, char in _PREDEFINED:
        left -= source.count(reference)
        value = value.replace(reference, char)
    return None if left else value


def _shifts_of_predefined(source: str) -> Shifts:
    shifts = list(accumulate(len(reference) - 1 for reference in _REFERENCE.findall(source)))
    ends = (match.end() for match in _REFERENCE.finditer(source))
    return Shifts(map(sub, ends, shifts), shifts)


def _spell_xml(
    source: str, pattern: re.Pattern[str], line_end: str, entities: Mapping[str, str]
) -> Spelled:
    complete = True

    def expand(match: re.Match[str]) -> tuple[str, int] | None:
        nonlocal complete
        length = len(match[0])
        decimal, hexadecimal, name = match.groups()
        if decimal or hexadecimal:
            char = _xml_char(decimal, hexadecimal)
            if char is not None:
                return char, length
            complete = False
            return None
        if name is None:
            return line_end, length
        if name in entities:
            return entities[name], length
        complete = False
        return None

    spelled = spell(source, pattern, expand)
    if complete:
        return spelled
    return Spelled(spelled.value, source, spelled.starts, complete=False)


def _xml_char(decimal: str | None, hexadecimal: str | None) -> str | None:
    """Return the character of a reference by its digits; None for one that XML has not (1.0, 2.2).

    A document that is read although it is not well-formed may refer to any number.
    """
    digits, base = (decimal, 10) if decimal else (hexadecimal or "", 16)
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) < 8 else 0x110000
    legal = (
        number in (0x9, 0xA, 0xD)
        or 0x20 <= number < 0xD800
        or 0xE000 <= number < 0xFFFE
        or 0x10000 <= number < 0x110000
    )
    return chr(number) if legal else None


def references_in_xml(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the numeric character references of XML (4.1), as `references_in_html` does.

    What entities stand for is the document type's to say.
    """
    for match in _XML_TEXT.finditer(source):
        if (match[1] or match[2]) and (char := _xml_char(match[1], match[2])) is not None:
            yield *match.span(), char


def xml_attribute(source: str) -> Spelled:
    """Read the value of an XML attribute of type CDATA (XML 1.0, 2.11, 3.3.3)."""
    return _xml(source, _XML_ATTRIBUTE, " ", _XML_ENTITIES)


def xml_text(source: str) -> Spelled:
    """Read XML character data outside CDATA sections (XML 1.0, 2.4, 2.11)."""
    return _xml(source, _XML_TEXT, "\n", _XML_ENTITIES)


@cache
def _xhtml_entities() -> Mapping[str, str]:
    """Give the entities of the DTD that browsers have for XHTML (HTML standard, 14.2)."""
    named = _named()[0].items()
    return {name[:-1]: text for name, text in named if name.endswith(";")} | _XML_ENTITIES


def xhtml_attribute(source: str) -> Spelled:
    """Read the value of an attribute in XML whose DTD is one of XHTML's."""
    return _xml(source, _XML_ATTRIBUTE, " ", _xhtml_entities())


def xhtml_text(source: str) -> Spelled:
    """Read character data outside CDATA sections in XML whose DTD is one of XHTML's."""
    return _xml(source, _XML_TEXT, "\n", _xhtml_entities())
