"""A character that cannot be seen.

What it does
    Reports zero-width spaces, soft hyphens, byte order marks, fillers and the like, written as they
    are or percent-encoded in UTF-8. Joiners, which some scripts need, are left alone.

Why it is bad
    Two links with the same look lead to different places. Most came in by copying from a formatted
    text.

Example
    <a href="/annual&#x200B;report">

Instead
    Remove it, unless the server has it in the name.
"""

from urllib.parse import quote

from linkfix.auditing.rule import Check, matching

_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u2060\u2061\u2062\u2063"
    "\u2064\u206a\u206b\u206c\u206d\u206e\u206f\u2800\u3164\ufeff\uffa0"
)
check: Check = matching(
    f"(?ia)[{_INVISIBLE}]|{'|'.join(map(quote, _INVISIBLE))}", "U+{1:04X} cannot be seen"
)
