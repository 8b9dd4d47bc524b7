"""Find the query of a value, if it is mapped in the charset of the document."""

from __future__ import annotations

import re

from linkfix.deferred import pattern

#: A query after a scheme whose queries are in the document's charset, or after no scheme.
_QUERY = pattern(
    r"[\0-\x20]*+(?:(?:https?|ftp|file):|(?![A-Za-z][A-Za-z0-9+.-]*+:))[^?#]*+\?([^#]+)",
    re.IGNORECASE | re.ASCII,
)


def query_span(value: str) -> tuple[int, int] | None:
    """Return the span of such a query in code points (3987bis, 3.5; URL Standard, 4.4).

    Returns:
        None without a query, or for one that is ASCII or mapped in UTF-8.

    """
    found = None if value.isascii() else _QUERY.match(value)
    return None if found is None else found.span(1)
