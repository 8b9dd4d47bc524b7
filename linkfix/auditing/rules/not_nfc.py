"""Characters that are not in NFC.

What it does
    Reports characters that Unicode's normalization form C writes otherwise, such as a letter with a
    combining accent.

Why it is bad
    They look the same, and are another link. Which form the server has depends on the file system
    the names came from.

Example
    <a href="/re&#x301;sume&#x301;"> (e and an accent each time)

Instead
    <a href="/r%C3%A9sum%C3%A9">, provided that the server has the name so.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject

SEVERITY = Severity.WARNING
SECTION = "draft-ietf-iri-3987bis-01, 5.3.2.2; RFC 3987, 5.3.2.2"


def check(subject: Subject) -> Iterator[Hit]:
    """Report each sequence of a character and its marks that NFC changes."""
    value = subject.value
    if value.isascii() or unicodedata.is_normalized("NFC", value):
        return
    for found in _SEQUENCE.finditer(value):
        composed = unicodedata.normalize("NFC", found[0])
        if composed != found[0]:
            points = " ".join(f"U+{ord(c):04X}" for c in composed[:4])
            yield Hit(*found.span(), f"in NFC this would be {points}")


# What NFC looks at together: a character, and those after it that may combine with it.
_SEQUENCE = re.compile(
    "[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]"
    "|[\\w\\W](?:(?=[^\x00-\u02ff])(?=\\W|[^\\W\\d])[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u0900-\u0dff\u0e31-\u0e4e\u0f71-\u0fbc\u1037-\u103a\u1dc0-\u1dff\u20d0-\u20ff"
    "\u3099\u309a\ufe20-\ufe2f])*"
)
