"""What tree construction answers the tokenizer.

The HTML tokenizer cannot work alone: after ``<textarea>`` it must read RCDATA, but not after a ``<textarea>`` in
SVG; ``<![CDATA[`` opens a section in foreign content only. The tree construction stage knows (HTML standard,
13.2.6). Outside of foreign content the name of a tag is enough for the answer. So is a stack of the open foreign
elements inside, as long as each end tag closes one of them and no HTML begins in them. Only where that does not hold
(or a frameset begins) the answer depends on all that came before; the stage itself (`TreeConstruction`) then
goes through the document up to there, and on until no foreign element is open.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.markup.html import State
from linkfix.markup.treeconstruction import (
    HTML,
    MATHML,
    SVG,
    TEXT_STATES,
    TreeConstruction,
    breaks_out,
    foreign_element,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.treeconstruction import Element

__all__ = ["HTML", "MATHML", "SVG", "TEXT_STATES", "TURNING", "TreeFeedback"]

#: The elements after whose start tags the names of tags are not enough.
TURNING = frozenset({"svg", "math", "frameset", "template"})
_FOREIGN = {b"svg": SVG, b"math": MATHML}
#: Elements that leave the insertion mode "in template" as it is.
_IN_TEMPLATE = frozenset(
    b"base basefont bgsound link meta noframes script style template title".split()
)


class TreeFeedback:
    """Follow the tags of a document and answer as the tree construction stage would.

    Args:
        scripting: whether ``noscript`` holds text (as in a browser that runs scripts).
        is_srcdoc: whether the document is the value of a ``srcdoc``.
        tree: the stage that is to follow every token; None to follow them only where it must.

    """

    def __init__(
        self,
        *,
        scripting: bool = True,
        is_srcdoc: bool = False,
        tree: TreeConstruction | None = None,
    ) -> None:
        #: Feeds what stands between the last token that the stage knows and the one at hand to a tokenizer with
        #: the feedback it is called with. Set by whoever has the document.
        self.look_back: Callable[[TreeFeedback], None] | None = None
        #: The foreign elements that are open, while `tree` does not follow.
        self._foreign: list[Element] = []
        self._count: dict[bytes, int] = {}
        #: How many templates are open in which nothing has come yet that sets the insertion mode.
        self._templates = 0
        self._scripting = scripting
        self._is_srcdoc = is_srcdoc
        if tree is not None:
            self._tree = tree
        #: Whether `tree` knows every token so far.
        self.is_following = tree is not None
        self._goes_on = tree is not None
        self._text_states = TEXT_STATES | ({b"noscript": State.RAWTEXT} if scripting else {})

    @cached_property
    def _tree(self) -> TreeConstruction:
        return TreeConstruction(scripting=self._scripting, is_srcdoc=self._is_srcdoc)

    @property
    def is_plain(self) -> bool:
        """Whether the tags need not be followed, but for those of `TURNING`."""
        return not (self.is_following or self._foreign or self._templates)

    @property
    def cdata_allowed(self) -> bool:
        """Whether ``<![CDATA[`` opens a section here (13.2.5.42)."""
        return self._tree.is_foreign if self.is_following else bool(self._foreign)

    def start_tag(self, name: bytes, raw: bytes, self_closing: bool) -> tuple[str, State | None]:
        """Take a start tag.

        Args:
            name: in lower case.
            raw: the whole tag, from ``<`` to ``>``.
            self_closing: whether it ends in ``/>``.

        Returns:
            The namespace of the element, and the state that the tokenizer goes to, or None.

        Raises:
            LimitExceededError: what the answer depends on is too far back.

        """
        if not self.is_following:
            if not self._foreign and name not in _FOREIGN and not self._is_turning(name):
                return HTML, self._text_states.get(name)
            namespace = self._namespace(name, raw)
            if namespace is not None:
                if namespace != HTML and not self_closing:
                    self._push(foreign_element(namespace, name, raw))
                return namespace, None
            self._follow()
        answer = self._tree.start_tag(name, raw, self_closing)
        self._look_up()
        return answer

    def end_tag(self, name: bytes) -> None:
        """Take an end tag, its name in lower case.

        Raises:
            LimitExceededError: what is left open depends on what is too far back.

        """
        if not self.is_following:
            if not self._foreign:
                self._templates -= name == b"template" and self._templates > 0
                return
            if name in {b"br", b"p"}:
                self._leave_foreign()
                return
            if self._count.get(name):
                while self._pop() != name:
                    pass
                return
            self._follow()
        self._tree.end_tag(name)
        self._look_up()

    def text(self, text: bytes, *, has_references: bool = True) -> None:
        """Take text, as it is spelled, while `is_following`."""
        self._tree.text(text, has_references=has_references)

    def doctype(self, doctype: bytes) -> None:
        """Take a document type without its ``>``, while `is_following`."""
        self._tree.doctype(doctype)

    def _is_turning(self, name: bytes) -> bool:
        """Return whether an HTML start tag may make tree construction ignore others."""
        if name == b"template":
            self._templates += 1
        elif self._templates and name not in _IN_TEMPLATE:
            are_nested, self._templates = self._templates > 1, 0
            return are_nested or name == b"col"
        return name == b"frameset"

    def _namespace(self, name: bytes, raw: bytes) -> str | None:
        """Return the namespace of an element by the open foreign elements; None where they do not decide it."""
        if name not in _FOREIGN and not self._foreign:
            return None
        while self._foreign:
            current = self._foreign[-1]
            if not current.takes_as_foreign(name):
                break
            if not breaks_out(name, raw):
                return current.namespace
            self._leave_foreign()
            if not self._foreign:
                return HTML
        are_nested, self._templates = self._templates > 1, 0
        return None if are_nested else _FOREIGN.get(name)

    def _push(self, element: Element) -> None:
        self._foreign.append(element)
        self._count[element.name] = self._count.get(element.name, 0) + 1

    def _pop(self) -> bytes:
        name = self._foreign.pop().name
        self._count[name] -= 1
        if not self._count[name]:  # documents can invent names without end
            del self._count[name]
        return name

    def _leave_foreign(self) -> None:
        while self._foreign and not self._foreign[-1].is_left_for_html:
            self._pop()

    def _follow(self) -> None:
        """Let the stage go through all tokens before the one at hand."""
        if self.look_back is not None:
            self.look_back(TreeFeedback(tree=self._tree))
        self._foreign.clear()
        self._count.clear()
        self._templates = 0
        self.is_following = True

    def _look_up(self) -> None:
        self.is_following = self._goes_on or not self._tree.is_plain
