"""The fields of a link in machine-readable output."""

from __future__ import annotations

from typing import Any

from linkfix.links import Link

#: The names of the fields, in their order.
FIELDS = (
    *("line", "column", "start", "end", "element", "namespace", "attribute", "kind", "value"),
    *("resolved", "charset", "embedded"),
)


def fields_of(link: Link) -> dict[str, Any]:
    """Return the fields of a link by their names: numbers, strings, and None."""
    fields = {name: getattr(link, name) for name in FIELDS[:-1]}
    embedded = link.place.embedded or None
    return {**fields, "kind": str(link.kind), "charset": link.charset.name, "embedded": embedded}
