"""Find the links in the header of an HTTP response: ``Location``, ``Content-Location``, ``Link`` and ``Refresh``.

Input: the status line and the fields, buffered whole. Output: their links. Browsers percent-encode the octets of
``Location`` as they are, so its charset is UTF-8. For other fields browsers disagree on characters beyond ASCII.
"""

import re
from collections.abc import Iterator
from typing import Final

from linkfix.links.builder import Builder
from linkfix.links.link import Kind, Link
from linkfix.links.parts import spans
from linkfix.links.scope import Scope
from linkfix.links.value import Target
from linkfix.markup.layers import RAW_TEXT

#: RFC 9110, 10.2.2 and 8.7; RFC 8288, 3; HTML Standard, 7.4.6.2 (Refresh).
_KINDS: Final = {
    "Location": Kind.SINGLE,
    "Content-Location": Kind.SINGLE,
    "Link": Kind.LINK_FIELD,
    "Refresh": Kind.REFRESH,
}
_NAMES: Final = "|".join(_KINDS).encode("ascii")
_FIELD: Final = re.compile(
    # A line that begins with white space continues the one before it (RFC 9112, 5.2).
    rb"^(%b)[ \t]*:[ \t]*+([^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+)" % _NAMES,
    re.IGNORECASE | re.MULTILINE,
)
_NOT_ASCII: Final = "browsers disagree on the charset of this field"
_FOLDED: Final = "a line ends inside it"


def has_links(header: bytes) -> bool:
    """Return whether a header has fields with links."""
    return _FIELD.search(header) is not None


class Header:
    """Find the links of a header. It is buffered whole.

    Args:
        builder: source and lines of the document.
        scope: which values count as links.

    Attributes:
        offset: the offset in the view before which every byte has been read.

    """

    def __init__(self, builder: Builder, scope: Scope) -> None:
        self.offset: int = 0
        self._builder = builder
        self._scope = scope
        self._views: list[bytes] = []

    def links(self, view: bytes, *, final: bool) -> Iterator[Link]:
        """Read the next bytes of the view; yield all links after the last ones.

        Args:
            view: the bytes.
            final: whether the header ends with them.

        """
        self._views.append(view)
        if not final:
            return
        header = b"".join(self._views)
        self.offset = len(header)
        for field in _FIELD.finditer(header):
            name = field[1].decode("ascii").title()
            if self._scope.allows_name(name):
                end = field.start(2) + len(field[2].rstrip(b" \t\r\n"))
                yield from self._links_of_field(name, field.start(2), end)

    def _links_of_field(self, name: str, start: int, end: int) -> Iterator[Link]:
        """Yield the links of a field; its value is between two offsets in the view."""
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
