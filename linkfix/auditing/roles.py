"""The roles of links: what a page says of itself, and of the files that it needs, with `link`, `meta` and `script` elements.

Input: the ASCII view of an HTML document, piece by piece. Output: the role of a link by its offset in the view. The
scanner of links reads no attributes besides those that have links; this module looks only at tags of a document that
has one of a few words. What looks like such a tag in a comment or a script has a role that no link asks for.
"""

import re
from bisect import bisect_right

from linkfix.deferred import pattern

#: Without one of these words, in lower case, no link has a role.
_WORDS = (b"canonical", b"hreflang", b"og:url", b"integrity")
#: The longest tag in bytes, without its brackets.
_LONGEST = 4096
_TAG = pattern(
    rb"""<(?:link|meta|script)(?=[\t\n\f\r /])((?:[^>"']|"[^"]*+"|'[^']*+'){0,%d}+)>""" % _LONGEST
)
_ATTRIBUTE = pattern(
    rb"""([a-z][a-z0-9:-]*+)[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|([^\t\n\f\r >"']++))"""
)
#: The relations of links whose files browsers compare with the hash of `integrity`, as they do for scripts.
_CHECKED = frozenset({b"stylesheet", b"preload", b"modulepreload"})
#: The most roles of a document.
_MOST = 1000


class Roles:
    """Find the roles of the links of one document.

    Attributes:
        raw: the spelled values of links with a role, as bytes of the view.

    """

    def __init__(self) -> None:
        self.raw: set[bytes] = set()
        self._starts: list[int] = []
        self._found: list[tuple[int, tuple[str, str]]] = []
        self._rest = b""
        self._at = 0

    def feed(self, view: bytes) -> None:
        """Read the next piece of the view."""
        data = self._rest + view
        first, self._at = self._at - len(self._rest), self._at + len(view)
        lower = data.lower()
        if any(word in lower for word in _WORDS):
            for tag in _TAG.finditer(lower):
                self._read(data, lower, tag, first)
        start = lower.rfind(b"<")
        is_open = start >= 0 and lower.find(b">", start) < 0
        self._rest = data[start:] if is_open and len(data) - start <= _LONGEST else b""

    def _read(self, data: bytes, lower: bytes, tag: re.Match[bytes], first: int) -> None:
        """Record the role of the link in a tag."""
        spans = {
            each[1]: each.span(each.lastindex or 0)
            for each in _ATTRIBUTE.finditer(lower, *tag.span(1))
        }
        values = {name: lower[slice(*span)] for name, span in spans.items()}
        rel = values.get(b"rel", b"").split()
        if b"canonical" in rel:
            role, link = ("canonical", ""), b"href"
        elif b"alternate" in rel and b"hreflang" in values:
            role, link = ("alternate", values[b"hreflang"].decode("latin-1")), b"href"
        elif b"og:url" in (*values.get(b"property", b"").split(), values.get(b"name")):
            role, link = ("og:url", ""), b"content"
        elif b"integrity" in spans and (tag[0][1:2] == b"s" or not _CHECKED.isdisjoint(rel)):
            role = "integrity", data[slice(*spans[b"integrity"])].decode("latin-1")
            link = b"src" if tag[0][1:2] == b"s" else b"href"
        else:
            return
        if link in spans and len(self._found) < _MOST:
            self.raw.add(data[slice(*spans[link])])
            self._starts.append(first + tag.start())
            self._found.append((first + tag.end(), role))

    def of(self, offset: int) -> tuple[str, str]:
        """Return the role of a link by the offset of its value in the view: its name, and the language or the spelled `integrity`; "" for none."""
        number = bisect_right(self._starts, offset) - 1
        end, role = self._found[number] if number >= 0 else (0, ("", ""))
        return role if offset < end else ("", "")
