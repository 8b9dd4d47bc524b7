"""Parts of a value: segments of its path, its query, percent-encoded octets (RFC 3986, 2.1, 3.3 and 3.4), and what is beyond ASCII."""

import re
from collections.abc import Iterator

from linkfix.auditing.rule import Subject
from linkfix.deferred import pattern

#: A query after a scheme whose queries are in the document's charset, or after no scheme.
_QUERY = pattern(
    r"[\0-\x20]*+(?:(?:https?|ftp|file):|(?![A-Za-z][A-Za-z0-9+.-]*+:))[^?#]*+\?([^#]+)",
    re.IGNORECASE | re.ASCII,
)
#: From the first character beyond ASCII to the last one.
NOT_ASCII = pattern(r"[^\x00-\x7f](?:.*[^\x00-\x7f])?", re.DOTALL)


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
    first, leading = start + absolute, not absolute
    for segment in value[first:].split("/"):
        yield first, first + len(segment), leading
        first, leading = first + len(segment) + 1, False


def query_span(value: str) -> tuple[int, int] | None:
    """Return the span of such a query in code points (3987bis, 3.5; URL Standard, 4.4).

    Returns:
        None without a query, or for one that is ASCII or mapped in UTF-8.

    """
    found = None if value.isascii() else _QUERY.match(value)
    return found and found.span(1)


_SEQUENCE = pattern("(?:%[0-9A-Fa-f]{2})+")
#: RFC 3629, 3: sequences that are longer than need be, and surrogates.
OVERLONG = pattern(
    rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2}"
    rb"|\xed[\xa0-\xbf][\x80-\xbf]"
)


def percent_sequences(value: str) -> Iterator[tuple[int, bytes]]:
    """Yield each sequence: the offset of its first ``%`` in code points, and its octets."""
    if "%" in value:
        for found in _SEQUENCE.finditer(value):
            yield found.start(), bytes.fromhex(found[0].replace("%", ""))


def is_overlong_utf8(octets: bytes) -> bool:
    """Return whether octets are UTF-8 except for overlong sequences or surrogates, and have some of these."""
    shortest, count = OVERLONG.subn(b"", octets)
    if not count:
        return False
    try:
        shortest.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
