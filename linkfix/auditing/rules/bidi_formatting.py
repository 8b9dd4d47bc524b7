"""A bidirectional formatting character in a link.

What it does
    Reports left-to-right and right-to-left marks, embeddings, overrides and isolates inside a
    link, written as they are or percent-encoded in UTF-8.

Why it is bad
    They make a link look like another one, and cannot be typed from what is seen. No IRI may hold
    them.

Example
    <a href="/&#x202E;gnp.exe">, which looks like /exe.png

Instead
    Leave them out. `linkfix rewrite` percent-encodes them, and never decodes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject

SEVERITY = Severity.ERROR
SECTION = "draft-ietf-iri-3987bis-01, 4.1"

_FORMATTING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_WRITTEN = {char: char for char in _FORMATTING} | {
    "".join(f"%{octet:02X}" for octet in char.encode()): char for char in _FORMATTING
}
_PATTERN = re.compile("|".join(map(re.escape, _WRITTEN)), re.IGNORECASE)


def check(subject: Subject) -> Iterator[Hit]:
    """Report each formatting character."""
    for match in _PATTERN.finditer(subject.value):
        char = _WRITTEN[match[0].upper()]
        yield Hit(*match.span(), f"bidirectional formatting character U+{ord(char):04X}")
