r"""A link whose meaning depends on a guessed charset.

What it does
    Reports a link of an HTML document without a declared charset, if two charsets that a browser may guess read it
    differently. Such a link has bytes beyond ASCII, except the few that are the same octets of a query in every
    charset, or character references in a query.

Why it is bad
    Each browser guesses in its own way, and WebKit not at all: it reads windows-1252. So the link
    leads to different places in different browsers, and a change of the page can change the guess.

Example
    <title>日本</title><a href="/日本"> in UTF-8 that says so nowhere; over HTTP, Chromium, Firefox and
    WebKit all read it as windows-1252.

Instead
    Declare the charset, or say it with --charset (for documents that declare none, with
    --default-charset). `linkfix rewrite` leaves such a link until then.
"""

from linkfix.auditing.parts import NOT_ASCII
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report a link that is left for that reason."""
    if not subject.link.place.guessed:
        return
    if any(problem.rule == "charset-guessed" for problem in subject.conversion.problems):
        found = NOT_ASCII.search(subject.value)
        first, last = found.span() if found else (0, len(subject.value))
        yield Hit(first, last, f"read as {subject.link.charset.name}, which is a guess")
