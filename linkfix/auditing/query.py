"""Where in a value the query stands that is mapped in the charset of the document."""

from __future__ import annotations

import re

__all__ = ["query_span"]

#: A query, and before it any scheme but those whose queries are UTF-8 whatever the document.
_QUERY = re.compile(
    r"[\0-\x20]*+(?:(?:https?|ftp|file):|(?![A-Za-z][A-Za-z0-9+.-]*+:))[^?#]*+\?([^#]+)",
    re.IGNORECASE,
)


def query_span(value: str) -> tuple[int, int] | None:
    """Give the span of such a query in code points (3987bis, 3.5; URL Standard, 4.4).

    Returns:
        None where there is no query, or one that is mapped in UTF-8, or it is ASCII.

    """
    found = None if value.isascii() else _QUERY.match(value)
    return None if found is None else found.span(1)
