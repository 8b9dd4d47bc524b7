"""Insertion modes, groups of elements, and the mode of the content of each (HTML standard, 13.2)."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple


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


def names(text: bytes) -> frozenset[bytes]:
    """Return the names of a list with white space between them."""
    return frozenset(text.split())


HEAD = names(b"base basefont bgsound link meta noframes script style template title")
ROW_GROUPS = names(b"tbody tfoot thead")
CELLS = names(b"td th")
TABLE_PARTS = names(b"caption col colgroup tr") | ROW_GROUPS | CELLS
# 13.2.6.5: start tags that leave foreign content.
BREAKOUT = names(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    b"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
FONT_BREAKOUT = frozenset({b"color", b"face", b"size"})
#: 13.2.4.3: the elements in the list of active formatting elements.
FORMATTING = names(b"a b big code em font i nobr s small strike strong tt u")
# 13.2.4.2: the HTML elements in the special category.
SPECIAL = names(
    b"address applet area article aside base basefont bgsound blockquote body br button caption "
    b"center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form "
    b"frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link "
    b"listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre "
    b"script search section select source style summary table tbody td template textarea tfoot th "
    b"thead title tr track ul wbr xmp"
)
# 13.2.4.2: the HTML elements at which "has an element in scope" ends.
SCOPE = names(b"applet caption html marquee object select table td template th")
# 13.2.4.1: the elements that "reset the insertion mode appropriately" looks for.
RESETTING = names(
    b"body caption colgroup frameset head html table tbody td template tfoot th thead tr"
)
SVG_INTEGRATION = names(b"desc foreignobject title")
MATHML_TEXT_INTEGRATION = names(b"mi mn mo ms mtext")
ANNOTATION_XML = b"annotation-xml"
HTML_ENCODINGS = frozenset({b"text/html", b"application/xhtml+xml"})
HEADINGS = names(b"h1 h2 h3 h4 h5 h6")
BLOCKS = names(
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure "
    b"footer header hgroup main menu nav ol p search section summary ul"
)
END_OF_BLOCKS = (BLOCKS - {b"p"}) | names(b"button dd dt listing pre select")
OBJECTS = names(b"applet marquee object")
IMPLIED = names(b"dd dt li optgroup option p rb rp rt rtc")
NO_ENDS = TABLE_PARTS | {b"body", b"html"}
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
#: The mode that a start tag sets in a template (13.2.6.4.18).
MODES_OF_TEMPLATES = {
    **dict.fromkeys(ROW_GROUPS | {b"caption", b"colgroup"}, Mode.IN_TABLE),
    b"col": Mode.IN_COLUMN_GROUP,
    b"tr": Mode.IN_TABLE_BODY,
    b"td": Mode.IN_ROW,
    b"th": Mode.IN_ROW,
}


class Early(NamedTuple):
    """The rules of a mode before the body.

    Attributes:
        contents: the start tags of what is allowed there.
        ignored: the start tags that are ignored.
        ends: the end tags for which "anything else" applies, or that close the current node; all others are ignored.
        opens: the element that "anything else" opens; empty if it closes the current node.
        after: the mode after that.

    """

    contents: frozenset[bytes]
    ignored: frozenset[bytes]
    ends: frozenset[bytes]
    opens: bytes
    after: Mode


_ENDS = names(b"body br html")
_HTML = Early(names(b""), names(b""), _ENDS | {b"head"}, b"html", Mode.BEFORE_HEAD)
#: 13.2.6.4.1 to 13.2.6.4.6.
EARLY = {
    Mode.INITIAL: _HTML,
    Mode.BEFORE_HTML: _HTML,
    Mode.BEFORE_HEAD: Early(names(b""), names(b"html"), _HTML.ends, b"head", Mode.IN_HEAD),
    Mode.IN_HEAD: Early(HEAD, names(b"head html"), _HTML.ends, b"", Mode.AFTER_HEAD),
    Mode.IN_HEAD_NOSCRIPT: Early(
        names(b"basefont bgsound link meta noframes style"),
        names(b"head html noscript"),
        names(b"br noscript"),
        b"",
        Mode.IN_HEAD,
    ),
    Mode.AFTER_HEAD: Early(HEAD, names(b"head html"), _ENDS, b"body", Mode.IN_BODY),
}


class Part(NamedTuple):
    """A part of a table with an insertion mode of its own.

    Attributes:
        names: the elements that it may be.
        after: the mode after its end.
        outer: the end tags of elements around it, which end it too.
        has_marker: whether it begins with a marker in the list of active formatting elements.

    """

    names: tuple[bytes, ...]
    after: Mode
    outer: frozenset[bytes]
    has_marker: bool


#: 13.2.6.4.11 to 13.2.6.4.15.
PARTS = {
    Mode.IN_CAPTION: Part((b"caption",), Mode.IN_TABLE, names(b"table"), has_marker=True),
    Mode.IN_COLUMN_GROUP: Part((b"colgroup",), Mode.IN_TABLE, names(b""), has_marker=False),
    Mode.IN_TABLE_BODY: Part(tuple(ROW_GROUPS), Mode.IN_TABLE, names(b"table"), has_marker=False),
    Mode.IN_ROW: Part((b"tr",), Mode.IN_TABLE_BODY, names(b"table") | ROW_GROUPS, has_marker=False),
    Mode.IN_CELL: Part(
        (b"td", b"th"), Mode.IN_ROW, names(b"table tr") | ROW_GROUPS, has_marker=True
    ),
}
