"""Parts of a value: the segments of a hierarchical path (RFC 3986, 3.3), and a query that is mapped in the charset of the document."""

import re
from collections.abc import Iterator

from linkfix.auditing.rule import Subject
from linkfix.deferred import pattern

#: A query after a scheme whose queries are in the document's charset, or after no scheme.
_QUERY = pattern(
    r"[\0-\x20]*+(?:(?:https?|ftp|file):|(?![A-Za-z][A-Za-z0-9+.-]*+:))[^?#]*+\?([^#]+)",
    re.IGNORECASE | re.ASCII,
)


def segments(subject: Subject) -> Iterator[tuple[int, int, bool]]:
    """Yield the segments of a link's path; none for a scheme without hierarchical paths.

    Returns:
        For each segment its half-open span in the value, and whether it is the first one of a
        path that does not begin with a slash.

    """
    layout = subject.layout
    start, end = layout.path
    value = subject.value[:end].replace("\\", "/")
    absolute = value.startswith("/", start)
    if layout.scheme and not absolute:
        return
    position = start + absolute
    leading = not absolute
    while position <= end:
        slash = value.find("/", position)
        last = end if slash < 0 else slash
        yield position, last, leading
        leading = False
        position = last + 1


def query_span(value: str) -> tuple[int, int] | None:
    """Return the span of such a query in code points (3987bis, 3.5; URL Standard, 4.4).

    Returns:
        None without a query, or for one that is ASCII or mapped in UTF-8.

    """
    found = None if value.isascii() else _QUERY.match(value)
    return None if found is None else found.span(1)
