"""A base that nothing can be resolved against.

What it does
    Reports a `base` element whose `href` has a scheme without paths, such as data, javascript or
    mailto.

Why it is bad
    A browser ignores it, or no relative link of the page leads anywhere.

Example
    <base href="javascript:void(0)">

Instead
    <base href="https://example.org/">, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject

SEVERITY = Severity.ERROR
SECTION = "HTML Standard, 2.4.1 and 4.2.3; RFC 3986, 5.1"
ORDINARY = True
SCRIPT = True


def check(subject: Subject) -> Iterator[Hit]:
    """Report a base with an opaque path."""
    if not subject.link.sets_base:
        return
    layout = subject.layout
    if layout.scheme and layout.host is None and not subject.part("path").startswith("/"):
        yield Hit(0, len(subject.value), "no relative reference can be resolved against this")
