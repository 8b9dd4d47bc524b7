"""A character reference that lacks its semicolon.

What it does
    Reports `&copy` and the like where a browser reads them as a character reference without the
    semicolon.

Why it is bad
    Nearly always an ampersand between two parameters was meant, and the link has lost one of them.
    Where the character was meant, XML readers refuse the document.

Example
    <a href="?page=2&sect"> (asks for `?page=2§`)

Instead
    <a href="?page=2&amp;sect">, or the character with its semicolon.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each character of a reference without a semicolon."""
    spelled = subject.link.spelled
    if spelled.starts is None or subject.link.markup != "html" or "&" not in spelled.source:
        return
    for index, start in enumerate(spelled.starts):
        if spelled.source[start : start + 1] == "&":
            spelling = spelled.spelling(index, index + 1)
            if len(spelling) > 1 and not spelling.endswith(";"):
                yield Hit(
                    index, index + 1, f"{spelling} has no semicolon and counts as one character"
                )
