"""A character in a query that the document's charset lacks.

What it does
    Reports a character in the query of a link that the charset of the query lacks. It can only be from a
    character reference.

Why it is bad
    Browsers send a numeric character reference in its place, percent-encoded: the server gets the
    letters `&#1103;` and not the character. XML processors have no such rule.

Example
    <meta charset="iso-8859-1"> … <a href="?q=&#1103;">, which asks for `q=%26%231103%3B`

Instead
    Percent-encode what the server expects, in UTF-8 for most: <a href="?q=%D1%8F">.
"""

from linkfix.auditing.parts import query_span
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each character that the charset of the query lacks."""
    charset = subject.policy.charset(subject.link)
    span = None if charset is None else query_span(subject.value)
    if charset is None or span is None:
        return
    first, last = span
    query = subject.value[first:last]
    lacking = {char for char in set(query) if not charset.has(char)}
    for at, char in enumerate(query, first) if lacking else ():
        if char in lacking:
            message = f"the query is sent in {charset.name}, which has no U+{ord(char):04X}"
            yield Hit(at, at + 1, message)
