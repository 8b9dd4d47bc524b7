"""A percent-encoded slash in a path.

What it does
    Reports `%2F` and `%5C` in the path of a link.

Why it is bad
    They are data and no separators, but many servers and proxies refuse them or decode them too
    early.

Example
    <a href="/files/a%2Fb">

Instead
    Where you rule the server: put such a name into the query.
"""

from linkfix.auditing.rule import Hits, Subject, matching

_slashes = matching(
    "%(?:2[Ff]|5[Cc])", "{0} in a path is refused by many servers", component="path"
)


def check(subject: Subject) -> Hits:
    """Report each one in a path that has segments."""
    if subject.layout.host or not subject.scheme:
        yield from _slashes(subject)
