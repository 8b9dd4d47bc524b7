"""The segments of a hierarchical path (RFC 3986, 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject


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
