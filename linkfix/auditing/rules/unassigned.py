"""A code point that is not assigned.

What it does
    Reports code points that are no characters in linkfix's version of Unicode (`linkfix --version`).

Why it is bad
    Most are mistakes in transcoding. Where it is a new character, older software cannot normalize
    or compare it.

Example
    <a href="/&#x378;">

Instead
    Check which character was meant.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.unicode import ucd


def check(subject: Subject) -> Hits:
    """Report each code point of the category Cn that is a character nevertheless."""
    if subject.value.isascii():
        return
    for index, char in enumerate(subject.value):
        if char > "\u0370" and ucd.category(char) == "Cn" and not _is_non_character(char):
            yield Hit(index, index + 1, f"U+{ord(char):04X} is not assigned")


def _is_non_character(char: str) -> bool:
    return "\ufdd0" <= char <= "\ufdef" or ord(char) & 0xFFFE == 0xFFFE
