"""A percent-encoding that has been percent-encoded again.

What it does
    Reports `%25` before the hexadecimal digits of UTF-8 octets or of a space. A query that carries
    a whole link, percent-encoded, is left alone.

Why it is bad
    The server decodes once and gets a name with percent signs in it, which it does not have.

Example
    <a href="/caf%25C3%25A9.html">

Instead
    <a href="/caf%C3%A9.html">. `linkfix rewrite` leaves it alone, since the link would go
    elsewhere.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject

_TWICE = re.compile("(?:%25[89A-Fa-f][0-9A-Fa-f])+|(?:%2520)+")
_NESTED = re.compile("%3A(?:%2F|/){2}", re.IGNORECASE | re.ASCII)


def check(subject: Subject) -> Hits:
    """Report each run of octets that was encoded twice and is UTF-8."""
    value = subject.value
    if "%25" not in value or _NESTED.search(value):
        return
    for found in _TWICE.finditer(value):
        octets = bytes.fromhex(found[0].replace("%25", ""))
        try:
            octets.decode("utf-8")
        except UnicodeDecodeError:
            continue
        yield Hit(*found.span(), f"{found[0]} has been percent-encoded twice")
