"""Find the links in the header of an HTTP response: ``Location``, ``Content-Location``, ``Link`` and ``Refresh``.

The status line and the fields come in, whole; their links go out. Browsers percent-encode the octets of ``Location``
as they are, so that UTF-8 means itself there; of other fields they do not agree on what is beyond ASCII.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from linkfix.links.link import Kind
from linkfix.links.parts import spans
from linkfix.links.selectors import Element
from linkfix.links.value import Target
from linkfix.markup.layers import RAW_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links.builder import Builder
    from linkfix.links.link import Link
    from linkfix.links.scope import Scope

__all__ = ["Header", "has_links"]

#: RFC 9110, 10.2.2 and 8.7; RFC 8288, 3; HTML Standard, 7.4.6.2 (Refresh).
_KINDS: Final = {
    "Location": Kind.SINGLE,
    "Content-Location": Kind.SINGLE,
    "Link": Kind.LINK_FIELD,
    "Refresh": Kind.REFRESH,
}
_NAMES: Final = "|".join(_KINDS).encode("ascii")
_FIELD: Final = re.compile(
    # A line that begins with white space goes on with the one before it (RFC 9112, 5.2).
    rb"^(%b)[ \t]*:[ \t]*+([^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+)" % _NAMES,
    re.IGNORECASE | re.MULTILINE,
)
_NOT_ASCII: Final = "browsers disagree on the charset of this field"
_FOLDED: Final = "a line ends inside it"


def has_links(header: bytes) -> bool:
    """Return whether a header has fields that hold links."""
    return _FIELD.search(header) is not None


class Header:
    """Find the links of a header. It is held whole.

    Args:
        builder: of the document.
        scope: what counts as a link.

    Attributes:
        offset: in the view; all that stands before it has been dealt with.

    """

    def __init__(self, builder: Builder, scope: Scope) -> None:
        self.offset = 0
        self._builder = builder
        self._scope = scope
        self._views: list[bytes] = []

    def links(self, view: bytes, *, final: bool) -> Iterator[Link]:
        """Read the next bytes of the view; yield the links, in order, once `final` says that it ends with them."""
        self._views.append(view)
        if not final:
            return
        header = b"".join(self._views)
        self.offset = len(header)
        for field in _FIELD.finditer(header):
            name = field[1].decode("ascii").title()
            if not self._scope.restricts or self._scope.allows(Element(name, lambda _: None), ""):
                end = field.start(2) + len(field[2].rstrip(b" \t\r\n"))
                yield from self._links_of_field(name, field.start(2), end)

    def _links_of_field(self, name: str, start: int, end: int) -> Iterator[Link]:
        """Yield the links of a field whose value stands between two offsets in the view."""
        value = self._builder.value(start, end, RAW_TEXT)
        kind = _KINDS[name]
        for first, last in spans(kind, value.slot.value, "http"):
            part = value.slot.part(first, last)
            link = value.link(part, Target(name, "", "", "http"), kind, "utf-8")
            if "\n" in link.value:
                link = link._replace(fixed=_FOLDED)
            elif kind is not Kind.SINGLE and not link.raw.isascii():
                link = link._replace(fixed=_NOT_ASCII)
            yield link
