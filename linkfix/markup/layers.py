"""The layers of spelling around a value, and the conversions between a spelling and its value: character references and others.

Input: the characters between quotes or tags, as the document spells them. Output: the value for the application,
with the offset of each code point's spelling (`Spelled`). So in a rewritten value the unchanged characters keep the
spelling of their author. Values without references, and values with predefined entities alone, cost no loop of Python.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import accumulate, count, islice
from operator import sub
from typing import NamedTuple

from linkfix.deferred import pattern
from linkfix.markup.offsets import Offsets

#: The longest character reference that is recognized at the end of a text, in octets.
MAX_REFERENCE = 48
#: The possible beginning of a reference, with a reference before it; or a reference and a part of the next character
#: in UTF-8.
_UNFINISHED = pattern(
    rb"(?:&#?[0-9A-Za-z]{1,%d};?)?&#?[0-9A-Za-z]{0,%d}\Z|&#?[0-9A-Za-z]{1,%d};?[\x80-\xff]{0,3}\Z"
    % (MAX_REFERENCE, MAX_REFERENCE, MAX_REFERENCE)
)


def unfinished_reference(text: bytes, start: int, end: int) -> int:
    """Return the end of the text in which each character reference is whole and its next character is known.

    Args:
        text: octets; more of them follow later.
        start: index at which the text begins.
        end: index at which the text ends so far.

    Returns:
        An index of at most `end`. The character after a reference may be beyond it.

    """
    found = _UNFINISHED.search(text, max(start, end - 2 * (MAX_REFERENCE + 3)), end)
    return end if found is None else found.start()


class Spelled(NamedTuple):
    """A value and its spelling.

    Attributes:
        value: the code points for the application.
        source: the code points in the document.
        starts: the offset in `source` of the spelling of each code point of `value`, and the length of `source` last;
            None if value and source are equal.
        complete: False if `source` refers to an unknown entity, or to a character that XML does not allow.

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
        """Return the spelling in the document of the code points `start` to `end` of the value."""
        if self.starts is None:
            return self.source[start:end]
        return self.source[self.starts[start] : self.starts[end]]


def spell(
    source: str, pattern: re.Pattern[str], expand: Callable[[re.Match[str]], tuple[str, int] | None]
) -> Spelled:
    """Replace parts of a spelling by their values.

    Args:
        source: the spelling.
        pattern: finds candidates.
        expand: maps a candidate to its value, and to the number of its characters that the value replaces; None to
            keep the candidate.

    """
    pieces: list[str] = []
    shifts: list[tuple[int, int]] = []
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
        # A reference may be two code points. Its whole spelling is that of the first: an edit of the first replaces
        # it, an edit of the second does not.
        afters = range(size + 1, size + len(new) + 1) if new else (size,)
        shifts += [(after, end - after) for after in afters]
        size += len(new)
        last = end
    if not pieces:
        return Spelled(source, source)
    pieces.append(source[last:])
    value = "".join(pieces)
    return Spelled(value, source, Offsets(len(value), shifts))


# --- HTML -------------------------------------------------------------------------------------

#: HTML standard, 13.2.5.80: the replacements of C1 controls in numeric references.
_C1 = dict(
    enumerate(
        "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
        "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178",
        0x80,
    )
)
#: A value without references; its ampersands are before names of fields, or before no letter and no number sign.
_NO_REFERENCES = re.compile(r"(?:[^&\r\0]++|&(?=[A-Za-z0-9]*+=)|&(?![A-Za-z#]))*+")
_HTML = pattern(r"&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|([A-Za-z][A-Za-z0-9]*;?))|\r\n?|\0")


@cache
def _named() -> tuple[Mapping[str, str], int]:
    """Return the named character references, and the length of the longest one without a semicolon."""
    from html.entities import html5

    return html5, max(len(name) for name in html5 if not name.endswith(";"))


def _number(decimal: str | None, hexadecimal: str | None) -> int:
    """Return the number of a reference by its digits, 0x110000 for any number beyond Unicode with many digits."""
    digits, base = (decimal, 10) if decimal else (hexadecimal or "", 16)
    digits = digits.lstrip("0")
    return int(digits or "0", base) if len(digits) < 8 else 0x110000


def _html(match: re.Match[str], *, attribute: bool) -> tuple[str, int] | None:
    text = match[0]
    if text[0] == "\r":
        return "\n", len(text)
    if text == "\0":
        return "\ufffd", 1
    decimal, hexadecimal, name = match.groups()
    if decimal or hexadecimal:  # 13.2.5.80
        number = _number(decimal, hexadecimal)
        is_character = 0 < number < 0xD800 or 0xDFFF < number <= 0x10FFFF
        return (_C1.get(number) or chr(number)) if is_character else "\ufffd", len(text)
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


def html_attribute(source: str) -> Spelled:
    """Parse the value of an HTML attribute (HTML standard, 13.2.5.36 to 13.2.5.38, 13.2.5.73)."""
    if _NO_REFERENCES.fullmatch(source):
        return Spelled(source, source)
    quick = None if "\0" in source else _predefined(source, "\n")
    return quick or spell(source, _HTML, partial(_html, attribute=True))


def html_references(source: str) -> Spelled:
    """Parse HTML text (HTML standard, 13.2.5.1)."""
    return spell(source, _HTML, partial(_html, attribute=False))


def references_in_html(source: str, *, attribute: bool) -> Iterator[tuple[int, int, str]]:
    """Yield the character references of HTML text, or of an attribute's value.

    Returns:
        For each reference its half-open span in code points, and its characters.

    """
    for match in _HTML.finditer(source):
        expansion = _html(match, attribute=attribute) if match[0][0] == "&" else None
        if expansion is not None:
            yield match.start(), match.start() + expansion[1], expansion[0]


# --- XML --------------------------------------------------------------------------------------

_XML_ATTRIBUTE = pattern(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|([^;&<\s]+));|\r\n?|[\t\n]")
_XML_TEXT = pattern(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|([^;&<\s]+));|\r\n?")
#: The predefined entities. The ampersand is the last one, so that no replacement creates another reference.
_PREDEFINED = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
#: For the pieces between references, and the references between them.
_REFERENCES = pattern("(&[^;]*+;)")
_XML_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _xml(
    source: str, pattern: re.Pattern[str], line_end: str, entities: Mapping[str, str]
) -> Spelled:
    if "&" not in source and source.isprintable():  # and so without line ends and tabs
        return Spelled(source, source)
    return _predefined(source, line_end) or _spell_xml(source, pattern, line_end, entities)


def _predefined(source: str, line_end: str) -> Spelled | None:
    """Parse a text whose only references are to the predefined entities of XML, which HTML has as well.

    Args:
        source: the spelling.
        line_end: the replacement of a line end.

    Returns:
        The value; None for a text with other references, or with white space that is replaced.

    """
    if "\r" in source or (line_end == " " and ("\n" in source or "\t" in source)):
        return None
    left, value = source.count("&"), source
    are_ampersands = source.count("&amp;") == left  # the most common case
    for reference, char in _PREDEFINED[-1:] if are_ampersands else _PREDEFINED:
        if not left:
            break
        shorter = value.replace(reference, char)
        left -= (len(value) - len(shorter)) // (len(reference) - 1)
        value = shorter
    if left:
        return None
    if value == source:
        return Spelled(source, source)
    return Spelled(value, source, Offsets(len(value), _shifts_of_predefined(source)))


def _shifts_of_predefined(source: str) -> Iterator[tuple[int, int]]:
    lengths = [*map(len, _REFERENCES.split(source))]
    shifts = [*map(sub, accumulate(lengths[1::2]), count(1))]
    ends = islice(accumulate(lengths), 1, None, 2)
    yield from zip(map(sub, ends, shifts), shifts, strict=True)


def _spell_xml(
    source: str, pattern: re.Pattern[str], line_end: str, entities: Mapping[str, str]
) -> Spelled:
    complete = True

    def expand(match: re.Match[str]) -> tuple[str, int] | None:
        nonlocal complete
        decimal, hexadecimal, name = match.groups()
        if decimal or hexadecimal:
            text = _xml_char(decimal, hexadecimal)
        else:
            text = line_end if name is None else entities.get(name)
        complete = complete and text is not None
        return None if text is None else (text, len(match[0]))

    spelled = spell(source, pattern, expand)
    return spelled._replace(complete=complete)


def _xml_char(decimal: str | None, hexadecimal: str | None) -> str | None:
    """Return the character of a reference by its digits; None for one that XML does not allow (1.0, 2.2).

    A document that is not well-formed may refer to any number.
    """
    number = _number(decimal, hexadecimal)
    legal = (
        number in (0x9, 0xA, 0xD)
        or 0x20 <= number < 0xD800
        or 0xE000 <= number < 0xFFFE
        or 0x10000 <= number < 0x110000
    )
    return chr(number) if legal else None


_WHITE_SPACE = pattern("[\t\n\r ]+")


def collapsed(source: str) -> Spelled:
    """Replace each run of white space by one space, as XML Schema does for an anyURI (Part 2, 4.3.6: collapse)."""
    return spell(source, _WHITE_SPACE, lambda run: None if run[0] == " " else (" ", len(run[0])))


def references_in_xml(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the numeric character references of XML (4.1), as `references_in_html` does.

    References to entities are left out: the document type defines them.
    """
    for match in _XML_TEXT.finditer(source):
        if (match[1] or match[2]) and (char := _xml_char(match[1], match[2])) is not None:
            yield *match.span(), char


def xml_attribute(source: str) -> Spelled:
    """Parse the value of an XML attribute of type CDATA (XML 1.0, 2.11, 3.3.3)."""
    return _xml(source, _XML_ATTRIBUTE, " ", _XML_ENTITIES)


def xml_text(source: str) -> Spelled:
    """Parse XML character data outside CDATA sections (XML 1.0, 2.4, 2.11)."""
    return _xml(source, _XML_TEXT, "\n", _XML_ENTITIES)


@cache
def _xhtml_entities() -> Mapping[str, str]:
    """Return the entities of the DTD that browsers use for XHTML (HTML standard, 14.2)."""
    named = _named()[0].items()
    return {name[:-1]: text for name, text in named if name.endswith(";")} | _XML_ENTITIES


def xhtml_attribute(source: str) -> Spelled:
    """Parse the value of an attribute in XML with a DTD of XHTML."""
    return _xml(source, _XML_ATTRIBUTE, " ", _xhtml_entities())


def xhtml_text(source: str) -> Spelled:
    """Parse character data outside CDATA sections in XML with a DTD of XHTML."""
    return _xml(source, _XML_TEXT, "\n", _xhtml_entities())


#: Comments, instructions and CDATA sections, whose content is the group. One without an end reaches to the end of the text.
_MARKUP_IN_TEXT = pattern(
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
    shifts: list[tuple[int, int]] = []
    size, complete = 0, True
    for start, end, is_section in pieces(content):
        text = content[start:end]
        spelled = Spelled(text, text) if is_section else read(text)
        complete = complete and spelled.complete and (is_section or "<" not in text)
        shifts.append((size, start - size))
        if spelled.starts is not None:
            shifts += [(size + at, start - size + by) for at, by in spelled.starts.shifts()]
        values.append(spelled.value)
        size += len(spelled.value)
    shifts.append((size, len(content) - size))
    return Spelled("".join(values), content, Offsets(size, shifts), complete=complete)


# --- The layers of spelling around a value: how to read and write each of them ---------------------
# A link in the ``srcdoc`` of an ``iframe`` has two layers: an HTML attribute inside an HTML attribute. A link in a style
# sheet inside an Atom entry has three: a CSS string inside HTML inside XML. A value is read from the outermost layer to
# the innermost, and written in the other direction.


@dataclass(frozen=True, slots=True)
class Layer:
    """One way in which characters are spelled; each has a name of its own.

    Attributes:
        name: name for messages.
        read: maps a spelling to its characters, with the offsets of their spelling.
        escapes: the spelling of each character that cannot be written as itself.
        reference: maps any character to a spelling in ASCII; None if the layer has no such spelling.

    """

    name: str
    read: Callable[[str], Spelled] = field(compare=False)
    escapes: dict[int, str] = field(compare=False)
    reference: Callable[[str], str] | None = field(compare=False)

    def write(self, text: str) -> str:
        """Return a spelling of characters that is read as these characters."""
        return text.translate(self.escapes)


def _written_reference(char: str) -> str:
    return f"&#x{ord(char):X};"


def _as_it_is(text: str) -> Spelled:
    return Spelled(text, text)


def _escapes(**more: str) -> dict[int, str]:
    table = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    return str.maketrans(table | {{"double": '"', "single": "'"}[k]: v for k, v in more.items()})


_DOUBLE, _SINGLE = _escapes(double="&quot;"), _escapes(single="&#39;")
HTML_DOUBLE = Layer("double-quoted HTML attribute", html_attribute, _DOUBLE, _written_reference)
HTML_SINGLE = Layer("single-quoted HTML attribute", html_attribute, _SINGLE, _written_reference)
HTML_UNQUOTED = Layer("unquoted HTML attribute", html_attribute, _escapes(), _written_reference)
HTML_TEXT = Layer("HTML text", html_references, _escapes(), _written_reference)
#: The content of a raw text element such as ``style`` (HTML standard, 13.1.2.1).
RAW_TEXT = Layer("raw text", _as_it_is, {}, None)
COMMENT = Layer("comment", _as_it_is, {}, None)
XML_DOUBLE = Layer("double-quoted XML attribute", xml_attribute, _DOUBLE, _written_reference)
XML_SINGLE = Layer("single-quoted XML attribute", xml_attribute, _SINGLE, _written_reference)
XML_TEXT = Layer("XML character data", xml_text, _escapes(), _written_reference)
XHTML_DOUBLE = Layer("double-quoted XHTML attribute", xhtml_attribute, _DOUBLE, _written_reference)
XHTML_SINGLE = Layer("single-quoted XHTML attribute", xhtml_attribute, _SINGLE, _written_reference)
XHTML_TEXT = Layer("XHTML character data", xhtml_text, _escapes(), _written_reference)
#: A literal such as a system identifier, in which nothing is escaped (XML 1.0, 2.3 [11]).
XML_LITERAL = Layer("XML literal", _as_it_is, {}, None)
CDATA = Layer("CDATA section", _as_it_is, {}, None)
#: Character data in several pieces; what is written there, is written in the layer of one piece.
XML_MIXED = Layer("XML content", partial(mixed, xml_text), {}, None)
XHTML_MIXED = Layer("XHTML content", partial(mixed, xhtml_text), {}, None)
#: A value of type anyURI, whose white space the schema collapses.
COLLAPSED = Layer("anyURI", collapsed, {}, None)

#: The characters that a charset may lack: some have others at the octets of backslash and tilde.
_DOUBTFUL = pattern(r"[^\x00-\x5b\x5d-\x7d\x7f]")


def read_layers(source: str, layers: Sequence[Layer]) -> str:
    """Return the characters of a spelling in layers, the innermost layer first."""
    for layer in reversed(layers):
        source = layer.read(source).value
    return source


def write_layers(text: str, layers: Sequence[Layer], encodable: Callable[[str], bool]) -> str:
    """Return the spelling of characters in layers.

    Args:
        text: the characters.
        layers: the layers, the innermost first.
        encodable: returns whether the document's charset has a character. A missing character is written as a
            reference of the outermost layer with references.

    """
    referring = [index for index, layer in enumerate(layers) if layer.reference is not None]
    for index, layer in enumerate(layers):
        text = layer.write(text)
        if index in referring[-1:] and (refer := layer.reference):
            text = _DOUBTFUL.sub(lambda c: c[0] if encodable(c[0]) else refer(c[0]), text)
    return text
