"""Find the links in the header of an HTTP response: ``Location``, ``Content-Location``, ``Link`` and ``Refresh``.

Input: the status line and the fields, buffered whole. Output: their links. Browsers percent-encode the octets of
``Location`` as they are, so its charset is UTF-8. For other fields browsers disagree on characters beyond ASCII.
"""

import re
from collections.abc import Iterator
from typing import Final

from linkfix.links.css import StyleSheet
from linkfix.links.link import Kind, Link
from linkfix.links.parts import spans
from linkfix.links.value import Target, Value

#: RFC 9110, 10.2.2 and 8.7; RFC 8288, 3; HTML Standard, 7.4.6.2 (Refresh).
_KINDS: Final = {
    "Location": Kind.SINGLE,
    "Content-Location": Kind.SINGLE,
    "Link": Kind.LINK_FIELD,
    "Refresh": Kind.REFRESH,
}
_NAMES: Final = "|".join(_KINDS)
_FIELD: Final = re.compile(
    # A line that begins with white space continues the one before it (RFC 9112, 5.2).
    rf"^({_NAMES})[ \t]*:[ \t]*+([^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+)",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_NOT_ASCII: Final = "browsers disagree on the charset of this field"
_FOLDED: Final = "a line ends inside it"


def has_links(header: bytes) -> bool:
    """Return whether a header has fields with links."""
    return _FIELD.search(header.decode("latin-1")) is not None


class Header(StyleSheet):
    """Find the links of a header; the arguments, the buffer and the limit are those of a style sheet."""

    def _found(self, value: Value) -> Iterator[Link]:
        for field in _FIELD.finditer(value.slot.value):
            name, start = field[1].title(), field.start(2)
            if not self._scope.allows_name(name):
                continue
            kind = _KINDS[name]
            for first, last in spans(kind, field[2].rstrip(" \t\r\n"), "http"):
                part = value.slot.part(start + first, start + last)
                link = value.link(part, Target(name, "", "", "http"), kind, "utf-8")
                if "\n" in link.value:
                    link = link._replace(fixed=_FOLDED)
                elif kind is not Kind.SINGLE and not link.raw.isascii():
                    link = link._replace(fixed=_NOT_ASCII)
                yield link
