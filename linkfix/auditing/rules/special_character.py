"""A character from Unicode's specials.

What it does
    Reports U+FFF0 to U+FFFD in a link, most often the replacement character U+FFFD. Where bytes are
    malformed, `malformed-bytes` says so instead.

Why it is bad
    A replacement character replaces another one that was lost on the way; the link leads to a name
    that nobody chose.

Example
    <a href="/caf&#xFFFD;">

Instead
    The character that was lost.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each one that is not the result of malformed bytes."""
    if subject.link.malformed or subject.value.isascii():
        return
    for violation in subject.violations:
        if violation.rule == "special":
            number = ord(subject.value[violation.start])
            yield Hit(violation.start, violation.end, f"U+{number:04X} is no character for links")
