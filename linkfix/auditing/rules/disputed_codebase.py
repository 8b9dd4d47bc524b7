"""The address of an object below a codebase.

What it does
    Reports the `data` of an `object` element with a `codebase`, where that makes a difference.

Why it is bad
    HTML 4 resolves it against the `codebase`, and so does Firefox. Chromium, WebKit and the HTML Standard resolve it
    against the base of the document. `linkfix rewrite` keeps such a reference where a map, a style or a move asks for
    another one.

Example
    <object codebase="/films/" data="clip.swf"></object>

Instead
    <object data="/films/clip.swf"></object>
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.policy.bases import below_codebase

#: Instead of the base of a document whose address is unknown; no codebase leads there.
_SOMEWHERE = "http://document.invalid/folder/page"


def check(subject: Subject) -> Hits:
    """Report a reference that Firefox resolves to another place, in front of it."""
    there = below_codebase(subject.link, subject.base or _SOMEWHERE)
    if there is not None:
        message = (
            "Firefox resolves it against the codebase, Chromium and WebKit against the document"
        )
        yield Hit(0, 0, message)
