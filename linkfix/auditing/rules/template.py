"""A value that contains template or server code and is no link yet.

What it does
    Reports a value with the shape of a template expression (`{{ x }}`, `{x}`, `${x}`, `<?php x ?>`, `[% x %]`, `%%x%%`,
    `*|X|*` …; see `--template`), a link inside server code, and a URI Template (RFC 6570) where a vocabulary has them. No other rule
    is asked about it, and `--fix` leaves it.

Why it is bad
    It is not, in a template: the program that fills it in makes the link. In a page that is served it was forgotten.

Example
    <a href="{{ url_for("page", id=1) }}">

Instead
    Audit what the program makes of the template, or leave this rule out with `--ignore SYN007`. `linkfix rewrite
    --templates convert` rewrites the literal parts around expressions.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the whole value."""
    if subject.is_template:
        yield Hit(0, len(subject.value), subject.link.fixed)
