r"""A link whose bytes are malformed in the document's charset.

What it does
    Reports a link with bytes that are no characters in the charset of the document.

Why it is bad
    A reader puts U+FFFD in their place, so the link goes to a name that nobody chose. Often the
    bytes are right in another charset than the one declared.

Example
    <meta charset="utf-8"> … <a href="/caf\xE9"> (the byte E9 by itself)

Instead
    Declare the right charset, or write the link in the declared one. `linkfix rewrite` leaves such
    a link alone: what the bytes were meant to be is not for it to decide.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the first place that was malformed."""
    link = subject.link
    if link.malformed:
        first = link.value.index("\ufffd")
        yield Hit(first, first + 1, f"bytes that are malformed in {link.charset.name}")
