"""A value that contains template or server code and is no link yet.

What it does
    Reports a value with the shape of a template expression (`{{ x }}`, `{x}`, `${x}`, `<?php x ?>`, `[% x %]`, `%%x%%`,
    `*|X|*` …; see `--template`), and a link inside server code. No other rule is asked about it, and `--fix` leaves it. What a
    vocabulary provides for is not reported: a URI Template (RFC 6570) of OpenSearch, an expression of XSLT.

Why it is bad
    It is not, in a template: the program that fills it in makes the link. In a page that is served it was forgotten.

Example
    <a href="{{ url_for("page", id=1) }}">

Instead
    Audit what the program makes of the template, or leave this rule out with `--ignore SYN007`. `linkfix rewrite
    --templates convert` rewrites the literal parts around expressions.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.links.templates import FOR_READERS

#: What follows a link whose closing quotation mark is missing.
_MARKUP = re.compile(r"</[A-Za-z]|>[^<]*<[A-Za-z]+\s")


def check(subject: Subject) -> Hits:
    """Report the whole value."""
    if subject.is_template and subject.link.fixed != FOR_READERS:
        is_cut = _MARKUP.search(subject.value)
        why = "markup is in it: a quotation mark is missing, or it is a template"
        yield Hit(0, len(subject.value), why if is_cut else subject.link.fixed)
