"""Find the links of documents that are read whole: style sheets, headers of HTTP responses, JSON.

The query of an imported style sheet's URL is mapped to octets in UTF-8. For other URLs browsers and the standard
disagree: Chromium uses the charset of the style sheet, CSS Values 4, 4.5 prescribes UTF-8. In a header, browsers
percent-encode the octets of ``Location`` as they are, so its charset is UTF-8; for other fields they disagree on
characters beyond ASCII.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from linkfix.deferred import pattern
from linkfix.errors import LimitExceededError
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder, Target, Value
from linkfix.links.link import Kind, Link
from linkfix.links.parts import spans
from linkfix.links.scope import Scope
from linkfix.markup.css import urls
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.layers import RAW_TEXT

#: RFC 9110, 10.2.2 and 8.7; RFC 8288, 3; HTML Standard, 7.4.6.2 (Refresh).
_KINDS: Final = {
    "Location": Kind.SINGLE,
    "Content-Location": Kind.SINGLE,
    "Link": Kind.LINK_FIELD,
    "Refresh": Kind.REFRESH,
}
_FIELD: Final = pattern(
    # A line that begins with white space continues the one before it (RFC 9112, 5.2).
    rf"^({'|'.join(_KINDS)})[ \t]*:[ \t]*+([^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+)",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_NOT_ASCII: Final = "browsers disagree on the charset of this field"
_FOLDED: Final = "a line ends inside it"


class Whole:
    """Find the links of a document that is buffered whole.

    Args:
        builder: source and lines of the document.
        found: returns the links of its text.

    Attributes:
        offset: the offset in the view before which every byte has been read.

    """

    def __init__(self, builder: Builder, found: Callable[[Value], Iterable[Batch | Link]]) -> None:
        self.offset: int = 0
        self._builder = builder
        self._found = found
        self._size = 0

    def links(self, view: bytes, *, final: bool) -> Iterable[Batch | Link]:
        """Read the next bytes of the view; return all links after the last ones.

        Args:
            view: the bytes.
            final: whether the document ends with them.

        Raises:
            LimitExceededError: the document is longer than `MAX_TAG`.

        """
        self._size += len(view)
        if self._size > MAX_TAG:
            raise LimitExceededError(
                f"it is longer than {MAX_TAG} bytes, and read as a whole",
                hint="split it into several",
                offset=0,
            )
        if not final:
            return ()
        self.offset = self._size
        return self._found(self._builder.value(0, self._size, RAW_TEXT))


def links_of_sheet(scope: Scope, value: Value) -> Iterator[Link]:
    """Yield the links of a style sheet that count by a scope."""
    for first, last, layer, imported in urls(value.slot.value):
        element = "@import" if imported else "url()"
        if scope.allows_name(element):
            part = value.slot.part(first, last, layer)
            target = Target(element, "", "", "css")
            yield value.link(part, target, Kind.CSS, "utf-8" if imported else "disputed")


def links_of_header(scope: Scope, value: Value) -> Iterator[Link]:
    """Yield the links of the header of an HTTP response that count by a scope."""
    for field in _FIELD.finditer(value.slot.value):
        name, start = field[1].title(), field.start(2)
        if not scope.allows_name(name):
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


def has_links(header: bytes) -> bool:
    """Return whether the header of an HTTP response has fields with links."""
    return _FIELD.search(header.decode("latin-1")) is not None
