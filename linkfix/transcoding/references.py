"""Character references that become characters, and the text of well-formed XML in which they are: character data and tags.

Comments, CDATA sections, processing instructions and the document type declaration are passed over.
"""

import re
from collections.abc import Callable, Iterator

from linkfix.errors import LimitExceededError
from linkfix.iri.unicode import ucd
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.layers import MAX_REFERENCE, references_in_xml, unfinished_reference
from linkfix.markup.xml.events import MARKS
from linkfix.transcoding.declaring import Edit, TranscodingReport

#: Yields each character reference of a text: its first and last code point, and its meaning.
References = Callable[[str], Iterator[tuple[int, int, str]]]
#: What comes next; nothing if it is not all there. XML 1.0, 2.8 [28] and [28b]: literals, comments and instructions may
#: contain brackets.
_NEXT = re.compile(
    rb"""(?P<text>[^<]++)|(?P<construct><!--|<!\[CDATA\[|<\?)|<(?!!)(?:[^"'>]++|"[^"]*"|'[^']*')*+>"""
    rb"""|(?P<doctype><!DOCTYPE(?:[^"'\[>]++|"[^"]*"|'[^']*')*+"""
    rb"""(?:\[(?:[^\]"'<]++|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*+\][\t\n\r ]*+)?+>)""",
    re.DOTALL,
)


class XMLCharacters:
    """Find the character references of XML in UTF-8 that become characters.

    Args:
        report: records them.

    Attributes:
        offset: the byte offset before which all edits have been returned.

    """

    def __init__(self, report: TranscodingReport) -> None:
        self.offset: int = 0
        self._report = report
        self._held = b""
        self._wanted = 0
        self._until = b""

    def __call__(self, data: bytes, final: bool, _: object) -> list[Edit]:
        """Read the next bytes, with `final` the last ones; return the edits that they complete.

        Raises:
            LimitExceededError: a tag is too long to wait for.

        """
        self._held += data
        if len(self._held) < self._wanted and not final:
            return []
        held, edits, position = self._held, list[Edit](), 0
        while position < len(held):
            if self._until:
                end = held.find(self._until, position)
                if end < 0:
                    position = max(position, len(held) - len(self._until) + 1)
                    break
                position, self._until = end + len(self._until), b""
            elif (found := _NEXT.match(held, position)) is None:
                break
            elif found["construct"]:
                position, self._until = found.end(), MARKS[found["construct"]]
            else:
                start, position = found.span()
                waits = found["text"] is not None and position == len(held) and not final
                if waits:
                    position = unfinished_reference(held, start, position)
                if not found["doctype"] and b"&" in held[start:position]:
                    after = held[position : position + MAX_REFERENCE + 3]
                    edits += unescaped(
                        held[start:position], self.offset + start, references_in_xml, after
                    )
                if waits:
                    break
        if final:
            position = len(held)
        self._held = held[position:]
        self.offset += position
        if len(self._held) > MAX_TAG:
            raise LimitExceededError(
                f"a tag is longer than {MAX_TAG} bytes",
                hint="look for a missing quote there",
                offset=self.offset,
            )
        self._wanted = len(self._held) * 3 // 2 + 1
        self._report.references += len(edits)
        return edits


# --- References that become characters --------------------------------------------------------------
# Replace character references with their characters, where that is safe. These references stay: ASCII, which markup
# needs; characters that are invisible or look alike (white space, controls, formatting characters, private use);
# characters that are not stable under NFC, or combine with a neighbour (Unicode Standard Annex 15).

_KEPT = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs", "Mn", "Mc", "Me"})
#: Letters and symbols without a shape: Hangul fillers, the blank pattern of Braille; and U+FFFD.
_SHAPELESS = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc\ufffd")
#: Hangul vowels and final consonants, which join the syllable before them.
_JOINING_JAMO = (("\u1160", "\u11ff"), ("\ud7b0", "\ud7ff"))


def unescaped(
    source: bytes, start: int, references: References, after: bytes = b""
) -> Iterator[Edit]:
    """Return the edits that replace references with characters.

    Args:
        source: text in UTF-8 as it is spelled, or an attribute's value; malformed bytes are allowed.
        start: byte offset of it in the document.
        references: of the syntax.
        after: the text after it, as far as it is known; it may end inside a character.

    """
    # Each malformed byte is one code point, so that offsets can be counted back.
    own = source.decode("utf-8", "surrogateescape")
    text = own + after.decode("utf-8", "ignore")
    found = list(references(text))
    position = offset = 0
    for number, (first, last, meaning) in enumerate(found):
        if last > len(own):
            return
        then = found[number + 1] if number + 1 < len(found) else None
        following = then[2] if then is not None and then[0] == last else text[last : last + 1]
        if may_stand(meaning) and not _joins(following[:1]):
            offset += len(text[position:first].encode("utf-8", "surrogateescape"))
            position = first
            yield start + offset, start + offset + (last - first), meaning.encode()


def may_stand(char: str) -> bool:
    """Return whether a character may be written as itself."""
    return (
        len(char) == 1
        and not char.isascii()
        and char not in _SHAPELESS
        and ucd.category(char) not in _KEPT
        and not _joins(char)
        and ucd.is_nfc(char)
    )


def _joins(char: str) -> bool:
    """Return whether a character may combine with the one before it."""
    if not char or char.isascii():
        return False
    jamo = any(first <= char <= last for first, last in _JOINING_JAMO)
    return jamo or ucd.category(char)[0] == "M"
