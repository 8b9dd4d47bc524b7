"""What tree construction tells the tokenizer, without building a tree.

The HTML tokenizer cannot work alone: after ``<textarea>`` it must read RCDATA, but not after a
``<textarea>`` in SVG; ``<![CDATA[`` opens a section in foreign content only. The tree construction
stage knows (HTML standard, 13.2.6), and this module follows as much of it as these answers need:
a stack of open elements that is empty outside ``<svg>`` and ``<math>`` and so costs nothing there.

The stack holds what stands inside the outermost foreign element. Where the standard's tree builder
would move or drop elements (misnested formatting, tables), this stack may differ from its own; the
differential tests show where. Nothing is searched for in it, so that a tag takes the same time
however deep the elements are nested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from linkfix.markup.html import State
from linkfix.markup.htmltokens import parts

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HTML", "MATHML", "SVG", "TreeFeedback"]

HTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"

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

_VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    b"track wbr image".split()
)
# 13.2.6.5: start tags that leave foreign content.
_BREAKOUT = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    b"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
    b"var".split()
)
_FONT_BREAKOUT = frozenset({b"color", b"face", b"size"})
# 13.2.4.2: the HTML elements in the special category; an end tag of another name stops at them.
_SPECIAL = frozenset(
    b"address applet area article aside base basefont bgsound blockquote body br button caption "
    b"center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form "
    b"frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link "
    b"listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre "
    b"script search section select source style summary table tbody td template textarea tfoot th "
    b"thead title tr track ul wbr xmp".split()
)
# 13.2.4.3: the elements in the list of active formatting elements.
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
# 13.2.6.4.7: start tags that close an open p element.
_CLOSES_P = frozenset(
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure "
    b"footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre "
    b"search section summary table ul xmp dd dt".split()
)
_SVG_INTEGRATION = frozenset({b"foreignobject", b"desc", b"title"})
_MATHML_TEXT_INTEGRATION = frozenset({b"mi", b"mo", b"mn", b"ms", b"mtext"})
_HTML_ENCODINGS = frozenset({b"text/html", b"application/xhtml+xml"})
_ANNOTATION_XML = b"annotation-xml"


class _Element:
    """An open element: its namespace, its name, and whether HTML may stand in it."""

    __slots__ = ("html_integration", "kinds", "name", "namespace")

    def __init__(self, namespace: str, name: bytes, *, html_integration: bool) -> None:
        self.namespace = namespace
        self.name = name
        self.html_integration = html_integration
        #: What it is looked up by.
        self.kinds: tuple[_Kind, ...]
        if namespace != HTML:
            self.kinds = _FOREIGN, (_FOREIGN, name)
        elif name in _SPECIAL:
            self.kinds = _IN_HTML, (_IN_HTML, name), _SPECIAL_IN_HTML
        else:
            self.kinds = _IN_HTML, (_IN_HTML, name)

    @property
    def text_integration(self) -> bool:
        return self.namespace == MATHML and self.name in _MATHML_TEXT_INTEGRATION


_Kind: TypeAlias = "str | tuple[str, bytes]"
_FOREIGN, _IN_HTML, _SPECIAL_IN_HTML = "foreign", "html", "special"


class _Stack:
    """Open elements, the innermost last, and for each kind the places of those that are of it."""

    __slots__ = ("_elements", "_places")

    def __init__(self) -> None:
        self._elements: list[_Element] = []
        self._places: dict[_Kind, list[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._elements)

    def __iter__(self) -> Iterator[_Element]:
        return iter(self._elements)

    @property
    def top(self) -> _Element:
        return self._elements[-1]

    def push(self, element: _Element) -> None:
        for kind in element.kinds:
            self._places.setdefault(kind, []).append(len(self._elements))
        self._elements.append(element)

    def pop(self) -> None:
        for kind in self._elements.pop().kinds:
            places = self._places[kind]
            places.pop()
            if not places:  # documents can invent names without end
                del self._places[kind]

    def cut(self, place: int) -> None:
        """Close the element at a place, and all inside it."""
        while len(self._elements) > place:
            self.pop()

    def last(self, kind: _Kind) -> int:
        """Give the place of the innermost element of a kind; -1 if there is none."""
        places = self._places.get(kind)
        return places[-1] if places else -1


class TreeFeedback:
    """Follow the tags of a document and answer as the tree construction stage would.

    Args:
        scripting: whether ``noscript`` holds text (as in a browser that runs scripts).

    """

    def __init__(self, *, scripting: bool = True) -> None:
        #: The open elements from the outermost foreign one on.
        self.open = _Stack()
        self._text_states = TEXT_STATES | ({b"noscript": State.RAWTEXT} if scripting else {})

    @property
    def is_plain(self) -> bool:
        """Whether nothing is open in which tags have to be followed: no foreign content."""
        return not self.open

    @property
    def cdata_allowed(self) -> bool:
        """Whether ``<![CDATA[`` opens a section here (13.2.5.42)."""
        return bool(self.open) and self.open.top.namespace != HTML

    def start_tag(self, name: bytes, raw: bytes, self_closing: bool) -> tuple[str, State | None]:
        """Take a start tag.

        Args:
            name: in lower case.
            raw: the whole tag, from ``<`` to ``>``.
            self_closing: whether it ends in ``/>``.

        Returns:
            The namespace of the element, and the state that the tokenizer goes to, or None.

        """
        if not self.open and name != b"svg" and name != b"math":
            return HTML, self._text_states.get(name)
        if self._is_foreign(name):
            if self._breaks_out(name, raw):
                self._leave_foreign()
                return self.start_tag(name, raw, self_closing)
            namespace = self.open.top.namespace
            if not self_closing:
                self._push(namespace, name, raw)
            return namespace, None
        return self._html_start_tag(name, raw, self_closing)

    def _html_start_tag(
        self, name: bytes, raw: bytes, self_closing: bool
    ) -> tuple[str, State | None]:
        if name in {b"svg", b"math"}:
            namespace = SVG if name == b"svg" else MATHML
            if not self_closing:
                self._push(namespace, name, raw)
            return namespace, None
        if name in _CLOSES_P:
            self._close(b"p", everything=True)
        if name not in _VOID:
            self._push(HTML, name, raw)
        return HTML, self._text_states.get(name)

    def end_tag(self, name: bytes) -> None:
        """Take an end tag, its name in lower case."""
        if not self.open:
            return
        if self.open.top.namespace == HTML:
            self._close(name, everything=name in _SPECIAL)
            return
        if name in {b"p", b"br"}:
            self._leave_foreign()
            return
        # 13.2.6.5 "Any other end tag": up through the foreign elements.
        around, own = self.open.last(_IN_HTML), self.open.last((_FOREIGN, name))
        if own > around:
            self.open.cut(own)
        # What stands open outside is not on this stack; an end tag of it closes all that is.
        elif around < 0 and (name in _FORMATTING or name in _SPECIAL - _VOID):
            self.open.cut(0)

    def _is_foreign(self, name: bytes) -> bool:
        """Whether a start tag is dealt with by the rules for foreign content (13.2.6)."""
        if not self.open:
            return False
        current = self.open.top
        if current.namespace == HTML or current.html_integration:
            return False
        if current.text_integration:
            return name in {b"mglyph", b"malignmark"}
        return not (
            current.namespace == MATHML and current.name == _ANNOTATION_XML and name == b"svg"
        )

    @staticmethod
    def _breaks_out(name: bytes, raw: bytes) -> bool:
        if name == b"font":
            return any((m[1] or b"").lower() in _FONT_BREAKOUT for m in parts(raw, 5))
        return name in _BREAKOUT

    def _leave_foreign(self) -> None:
        while self.open:
            element = self.open.top
            if element.namespace == HTML or element.html_integration or element.text_integration:
                return
            self.open.pop()

    def _push(self, namespace: str, name: bytes, raw: bytes) -> None:
        integration = (namespace == SVG and name in _SVG_INTEGRATION) or (
            namespace == MATHML and name == _ANNOTATION_XML and _is_html_annotation(raw)
        )
        self.open.push(_Element(namespace, name, html_integration=integration))

    def _close(self, name: bytes, *, everything: bool) -> None:
        """Close the nearest HTML element of that name, no further up than foreign content.

        With `everything`, what stands open inside it is closed too; else a special element stops
        the search (13.2.6.4.7, "Any other end tag").
        """
        stop = self.open.last(_FOREIGN)
        if not everything:
            stop = max(stop, self.open.last(_SPECIAL_IN_HTML) - 1)
        place = self.open.last((_IN_HTML, name))
        if place > stop:
            self.open.cut(place)


def _is_html_annotation(raw: bytes) -> bool:
    for match in parts(raw, 1 + len(_ANNOTATION_XML)):
        if (match[1] or b"").lower() == b"encoding" and (match.lastindex or 1) > 1:
            return match[match.lastindex or 1].lower() in _HTML_ENCODINGS
    return False
