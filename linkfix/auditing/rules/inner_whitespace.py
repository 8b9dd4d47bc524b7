"""White space inside a link.

What it does
    Reports spaces and line ends in the middle of a link, and Unicode's other spaces.

Why it is bad
    No URI or IRI contains white space: in text, in a list or on a command line the link is cut off
    there. Browsers encode a space but drop tabs and line ends altogether, even if they had a meaning.

Example
    <a href="/annual report.html">

Instead
    <a href="/annual%20report.html">, which `linkfix rewrite` writes. In XML that no browser reads it leaves a line end, a tab
    or several spaces: if the type of the value is anyURI, they are a single space, else they are not (`--schema` names
    the schema). It leaves white space in data with base64.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.policy.bases import C0_OR_SPACE

_INNER = re.compile(r"[\t\n\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def check(subject: Subject) -> Hits:
    """Report each run of white space that is not at either end."""
    value = subject.value
    first = len(value) - len(value.lstrip(C0_OR_SPACE))
    last = len(value.rstrip(C0_OR_SPACE))
    for match in _INNER.finditer(value, first, max(first, last)):
        shown = " ".join(f"U+{ord(char):04X}" for char in match[0][:4])
        yield Hit(*match.span(), f"white space inside the link ({shown})")
