"""The direction of the characters at the edge of a component (3987bis, 4.2)."""

from __future__ import annotations

from linkfix.iri import ucd

__all__ = ["ends_in_number"]


def ends_in_number(component: str) -> bool:
    """Return whether a component that begins with a right-to-left letter ends in a digit."""
    first, last = ucd.bidirectional(component[0]), ucd.bidirectional(component[-1])
    return first in {"R", "AL"} and last in {"EN", "AN"}
