"""Characters that are not in NFC.

What it does
    Reports characters that Unicode's normalization form C writes otherwise, such as a letter with a
    combining accent.

Why it is bad
    They look the same, and are another link. The server's form depends on the file system of the names.

Example
    <a href="/re&#x301;sume&#x301;"> (e and an accent each time)

Instead
    <a href="/r%C3%A9sum%C3%A9">, provided that the server has the name so.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.ucd import to_nfc


def check(subject: Subject) -> Hits:
    """Report each sequence of a character and its marks that NFC changes."""
    value = subject.value
    if value.isascii() or ucd.is_nfc(value):
        return
    first = 0
    for last in range(1, len(value) + 1):
        if last < len(value) and _belongs_to_the_one_before(value[last]):
            continue
        composed = to_nfc(value[first:last])
        if composed != value[first:last]:
            points = " ".join(f"U+{ord(char):04X}" for char in composed)
            yield Hit(first, last, f"in NFC this would be {points}")
        first = last


def _belongs_to_the_one_before(char: str) -> bool:
    """Return whether a character is a mark, or a vowel or final consonant of Hangul."""
    return ucd.category(char).startswith("M") or "\u1160" <= char <= "\u11ff"
