"""Start tags, insertion modes and groups of names (HTML standard, 13.2.4.1, 13.2.6)."""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum, auto
from typing import NamedTuple

from linkfix.markup.html.tokens import State, parts

#: Elements after whose start tag the tokenizer changes its state (13.2.6.4.4 to 13.2.6.4.7).
TEXT_STATES = {
    b"title": State.RCDATA,
    b"textarea": State.RCDATA,
    b"style": State.RAWTEXT,
    b"xmp": State.RAWTEXT,
    b"iframe": State.RAWTEXT,
    b"noembed": State.RAWTEXT,
    b"noframes": State.RAWTEXT,
    b"script": State.SCRIPT_DATA,
    b"plaintext": State.PLAINTEXT,
}


def names(text: bytes) -> frozenset[bytes]:
    """Return the names of a list with white space between them."""
    return frozenset(text.split())


HEAD = names(b"base basefont bgsound link meta noframes script style template title")
ROW_GROUPS = names(b"tbody tfoot thead")
CELLS = names(b"td th")
TABLE_PARTS = names(b"caption col colgroup tr") | ROW_GROUPS | CELLS
# 13.2.6.5: start tags that leave foreign content.
_BREAKOUT = names(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    b"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_FONT_BREAKOUT = frozenset({b"color", b"face", b"size"})


class Mode(IntEnum):
    """Insertion modes (13.2.4.1), those before the body first."""

    INITIAL = auto()
    BEFORE_HTML = auto()
    BEFORE_HEAD = auto()
    IN_HEAD = auto()
    IN_HEAD_NOSCRIPT = auto()
    AFTER_HEAD = auto()
    IN_BODY = auto()
    IN_TABLE = auto()
    IN_CAPTION = auto()
    IN_COLUMN_GROUP = auto()
    IN_TABLE_BODY = auto()
    IN_ROW = auto()
    IN_CELL = auto()
    IN_TEMPLATE = auto()
    AFTER_BODY = auto()
    IN_FRAMESET = auto()
    AFTER_FRAMESET = auto()
    AFTER_AFTER_BODY = auto()
    AFTER_AFTER_FRAMESET = auto()


#: The mode of the content of an element.
MODES = {
    b"html": Mode.AFTER_HEAD,
    b"head": Mode.IN_HEAD,
    b"body": Mode.IN_BODY,
    b"frameset": Mode.IN_FRAMESET,
    b"table": Mode.IN_TABLE,
    b"caption": Mode.IN_CAPTION,
    b"colgroup": Mode.IN_COLUMN_GROUP,
    b"tr": Mode.IN_ROW,
    b"td": Mode.IN_CELL,
    b"th": Mode.IN_CELL,
} | dict.fromkeys(ROW_GROUPS, Mode.IN_TABLE_BODY)


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
        return not _FONT_BREAKOUT.isdisjoint(Tag(name, raw).attributes())
    return name in _BREAKOUT
