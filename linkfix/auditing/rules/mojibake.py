"""UTF-8 that was read in another charset.

What it does
    Reports sequences such as `Ã©`, raw or percent-encoded: UTF-8 looks like this when it is read as
    windows-1252.

Why it is bad
    The link was converted once too often; the server does not have such a name, or has it by the
    same mistake.

Example
    <a href="/cafÃ©">, <a href="/caf%C3%83%C2%A9">

Instead
    <a href="/café">, if the server has it so.
"""

import re

from linkfix.auditing.parts import percent_sequences
from linkfix.auditing.rule import Hit, Hits, Subject

# What windows-1252 makes of the octets 80 to BF.
_TRAIL = (
    "\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d"
    "\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178"
)
_MISREAD = re.compile(
    f"(?:[\u00c2\u00c3][{_TRAIL}]|(?:[\u00d0\u00d1][{_TRAIL}]){{2,}}|\u00e2\u20ac[{_TRAIL}])+"
)


def check(subject: Subject) -> Hits:
    """Report each sequence, written as it is or percent-encoded."""
    value = subject.value
    if not value.isascii():
        for found in _MISREAD.finditer(value):
            yield Hit(*found.span(), f"{found[0]} looks like UTF-8 read in another charset")
    for start, octets in percent_sequences(value):
        try:
            text = octets.decode("utf-8")
        except UnicodeDecodeError:
            continue
        for found in _MISREAD.finditer(text):
            first = start + 3 * len(text[: found.start()].encode())
            last = first + 3 * len(found[0].encode())
            yield Hit(first, last, f"{found[0]} looks like UTF-8 read in another charset")
