"""A bidirectional formatting character in a link.

What it does
    Reports left-to-right and right-to-left marks, embeddings, overrides and isolates inside a
    link. Percent-encoded ones have a rule of their own.

Why it is bad
    They make a link look like another one, and cannot be typed from what is seen. No IRI may contain
    them.

Example
    <a href="/&#x202E;gnp.exe">, which looks like /exe.png

Instead
    Leave them out. `linkfix rewrite` percent-encodes them, and never decodes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkfix.auditing.direction import FORMATTING
from linkfix.auditing.needs import NOT_ASCII
from linkfix.auditing.rule import Hit, Severity, Subject

SEVERITY = Severity.ERROR
SECTION = "draft-ietf-iri-3987bis-01, 4.1"
NEEDS = NOT_ASCII

#: 3987bis 4.1, and the characters of the same kind that Unicode has got since.
_PATTERN = re.compile(f"[{FORMATTING}]")


def check(subject: Subject) -> Iterator[Hit]:
    """Report each formatting character."""
    for found in _PATTERN.finditer(subject.value):
        yield Hit(*found.span(), f"bidirectional formatting character U+{ord(found[0]):04X}")
