"""Start tags (HTML standard, 13.2.6)."""

from collections.abc import Hashable
from typing import NamedTuple

from linkfix.markup.html.tokens import parts
from linkfix.markup.html.treeconstruction.groups_data import BREAKOUT, FONT_BREAKOUT


class Tag(NamedTuple):
    """A start tag.

    Attributes:
        name: name of the tag in lower case.
        raw: the whole tag.
        self_closing: whether it ends in ``/>``.

    """

    name: bytes
    raw: bytes = b""
    self_closing: bool = False

    @property
    def is_hidden(self) -> bool:
        """Whether its type is "hidden"."""
        return (self.attributes().get(b"type") or b"").lower() == b"hidden"

    def attributes(self) -> dict[bytes, bytes | None]:
        """Return the values by names in lower case, as they are spelled."""
        found: dict[bytes, bytes | None] = {}
        for match in parts(self.raw, 1 + len(self.name)):
            if match[1] is not None:
                group = match.lastindex or 1
                found.setdefault(match[1].lower(), match[group] if group > 1 else None)
        return found

    @property
    def key(self) -> Hashable:
        """A value that is equal for tags with the same name and attributes."""
        return self.name, frozenset(
            (name, value or b"") for name, value in self.attributes().items()
        )


def breaks_out(name: bytes, raw: bytes) -> bool:
    """Return whether a start tag leaves foreign content (13.2.6.5)."""
    if name == b"font":
        return not FONT_BREAKOUT.isdisjoint(Tag(name, raw).attributes())
    return name in BREAKOUT
