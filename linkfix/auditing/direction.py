"""The direction of characters (3987bis, 4): what sets it, and what has it at the edge of a component."""

from __future__ import annotations

from linkfix.iri.unicode import ucd

FORMATTING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def ends_in_number(component: str) -> bool:
    """Return whether a component that begins with a right-to-left letter ends in a digit."""
    first, last = ucd.bidirectional(component[0]), ucd.bidirectional(component[-1])
    return first in {"R", "AL"} and last in {"EN", "AN"}
