"""What a tag says beside its links: the attributes that say something about the target of a link.

Input: the ASCII view of an HTML document, piece by piece. Output: what the tag around an offset of the view says. The
scanner of links reads no attributes besides those that have links; this module looks only at tags of a document that
has one of a few words. What looks like such a tag in a comment or a script says something that no link asks for.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import TypeAlias

from linkfix.deferred import pattern

#: The longest tag in bytes, without its brackets.
_LONGEST = 4096
_ATTRIBUTE = pattern(
    rb"""([a-z][a-z0-9:-]*+)[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|([^\t\n\f\r >"']++))"""
)
#: The most tags of a document that are remembered.
_MOST = 100_000

#: Two words about a link, "" for none.
Said: TypeAlias = "tuple[str, str]"


def tags(names: str) -> re.Pattern[bytes]:
    """Return a pattern of the start tags of elements, whose names are separated by spaces; its groups are name and attributes."""
    return pattern(
        rb"""<(%b)(?=[\t\n\f\r /])((?:[^>"']|"[^"]*+"|'[^']*+'){0,%d}+)>"""
        % (names.replace(" ", "|").encode(), _LONGEST)
    )


class Beside:
    """Find what the tags of one document say of their links.

    Args:
        tags: the pattern of the tags that may say something (`tags`).
        words: a tag without one of these words, in lower case, says nothing.
        said: returns what a tag says, by the name of its element and its attributes in lower case, and the name of the
            attribute that it must have for that; "" for any.

    Attributes:
        raw: the spelled values of those attributes, as bytes of the view.

    """

    def __init__(
        self,
        tags: re.Pattern[bytes],
        words: tuple[bytes, ...],
        said: Callable[[bytes, Mapping[bytes, bytes]], tuple[Said, bytes]],
    ) -> None:
        self.raw: set[bytes] = set()
        self._tags, self._words, self._said = tags, words, said
        self._starts: list[int] = []
        self._found: list[tuple[int, Said]] = []
        self._rest = b""
        self._at = 0

    def feed(self, view: bytes) -> None:
        """Read the next piece of the view."""
        data = self._rest + view
        first, self._at = self._at - len(self._rest), self._at + len(view)
        lower = data.lower()
        if any(word in lower for word in self._words):
            for tag in self._tags.finditer(lower):
                if any(word in tag[2] for word in self._words):
                    self._read(data, lower, tag, first)
        start = lower.rfind(b"<")
        is_open = start >= 0 and lower.find(b">", start) < 0
        self._rest = data[start:] if is_open and len(data) - start <= _LONGEST else b""

    def _read(self, data: bytes, lower: bytes, tag: re.Match[bytes], first: int) -> None:
        """Record what a tag says."""
        spans = {
            each[1]: each.span(each.lastindex or 0)
            for each in _ATTRIBUTE.finditer(lower, *tag.span(2))
        }
        said, link = self._said(tag[1], {name: lower[slice(*at)] for name, at in spans.items()})
        if not any(said) or (link and link not in spans) or len(self._found) >= _MOST:
            return
        if link:
            self.raw.add(data[slice(*spans[link])])
        self._starts.append(first + tag.start())
        self._found.append((first + tag.end(), said))

    def of(self, offset: int) -> Said:
        """Return what the tag says in which a link begins, by the offset of its value in the view; "" for nothing."""
        number = bisect_right(self._starts, offset) - 1
        end, said = self._found[number] if number >= 0 else (0, ("", ""))
        return said if offset < end else ("", "")


# --- The roles of links: what a page says of itself with `link` and `meta` elements ------------------

_TAGS = tags("link meta")
#: Without one of these words, in lower case, no link has a role.
_WORDS = (b"canonical", b"hreflang", b"og:url")


def roles() -> Beside:
    """Return what finds the roles of the links of one document: the name of each, and its language."""
    return Beside(_TAGS, _WORDS, _role)


def _role(_: bytes, values: Mapping[bytes, bytes]) -> tuple[Said, bytes]:
    """Return the role of the link in a tag, and its attribute."""
    rel = values.get(b"rel", b"").split()
    if b"canonical" in rel:
        return ("canonical", ""), b"href"
    if b"alternate" in rel and b"hreflang" in values:
        return ("alternate", values[b"hreflang"].decode("latin-1")), b"href"
    if b"og:url" in (*values.get(b"property", b"").split(), values.get(b"name")):
        return ("og:url", ""), b"content"
    return ("", ""), b""
