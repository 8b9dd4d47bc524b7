"""The feedback of tree construction to the HTML tokenizer (HTML standard, 13.2.6).

Input: tags. Output: the namespace of each element, and the next state of the tokenizer. The tokenizer cannot work
alone: ``<textarea>`` begins RCDATA in HTML, but not in SVG; ``<![CDATA[`` begins a section in foreign content only.
Outside foreign content the name of a tag decides. Inside, a stage that knows the open foreign elements alone decides, as
long as each end tag closes one of them and no HTML begins in them. In other cases, and after a frameset, the answer
depends on the whole document so far. Then the stage itself (`TreeConstruction`) reads the document up to the tag, and
further until no foreign element is open, which costs several times as much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.markup.html.elements_data import HTML, TEXT_STATES
from linkfix.markup.html.tokens import State

if TYPE_CHECKING:
    from linkfix.markup.html.treeconstruction.stage import TreeConstruction

#: The elements after whose start tags the names of tags are not enough.
TURNING = frozenset({"svg", "math", "frameset", "template"})
_SCRIPTING_STATES = TEXT_STATES | {b"noscript": State.RAWTEXT}
_FOREIGN = frozenset({b"svg", b"math"})
#: Elements that do not change the insertion mode "in template".
_IN_TEMPLATE = frozenset(b"basefont bgsound link meta noframes script style template title".split())


class TreeFeedback:
    """Follow the tags of a document, and return the answers of the tree construction stage.

    Args:
        scripting: whether the content of ``noscript`` is text, as in a browser that runs scripts.
        is_srcdoc: whether the document is the value of a ``srcdoc``.
        is_body: whether the document is a part of a body, as the content of ``noscript`` is.
        tree: the stage that reads every token; None to read tokens with a stage only where the answer needs it.

    Attributes:
        look_back: feeds the bytes between the last token that the stage has read and the current one to a tokenizer
            with a certain feedback; the tokenizer sets it.
        is_following: whether the stage has read every token so far.

    """

    def __init__(
        self,
        *,
        scripting: bool = True,
        is_srcdoc: bool = False,
        is_body: bool = False,
        tree: TreeConstruction | None = None,
    ) -> None:
        self.look_back: Callable[[TreeFeedback], None] | None = None
        #: Whether foreign elements are open, while the stage does not follow, and a stage that knows these alone.
        self._is_foreign = False
        self._foreign: TreeConstruction | None = None
        #: Whether a template may be open.
        self._has_template = tree is not None
        #: The number of open templates without a tag that sets the insertion mode.
        self._templates = 0
        self._scripting = scripting
        self._is_srcdoc = is_srcdoc
        self._is_body = is_body
        if tree is not None:
            self._tree = tree
        self.is_following: bool = tree is not None
        self._always_follows = tree is not None
        self._text_states = _SCRIPTING_STATES if scripting else TEXT_STATES

    @cached_property
    def _tree(self) -> TreeConstruction:
        from linkfix.markup.html.treeconstruction.stage import TreeConstruction

        return TreeConstruction(
            scripting=self._scripting, is_srcdoc=self._is_srcdoc, is_body=self._is_body
        )

    @property
    def names_decide(self) -> bool:
        """Whether the names of tags decide, until one of `TURNING` begins."""
        return not (self.is_following or self._is_foreign or self._templates)

    @property
    def is_inert(self) -> bool:
        """Whether the element of the last tag, a ``base``, is not in the document."""
        return self._has_template and self._tree.is_inert

    @property
    def cdata_allowed(self) -> bool:
        """Whether ``<![CDATA[`` begins a section here (13.2.5.42)."""
        return self._tree.is_foreign if self.is_following else self._is_foreign

    def start_tag(self, name: bytes, raw: bytes, self_closing: bool) -> tuple[str, State | None]:
        """Read a start tag.

        Args:
            name: name of the tag in lower case.
            raw: the whole tag, from ``<`` to ``>``.
            self_closing: whether it ends in ``/>``.

        Returns:
            The namespace of the element, and the next state of the tokenizer, None for the same state.

        Raises:
            LimitExceededError: the answer depends on a tag that is too far back.

        """
        if not self.is_following:
            if not self._is_foreign and name not in _FOREIGN and not self._is_turning(name):
                return HTML, self._text_states.get(name)
            if self._is_foreign or name in _FOREIGN:
                own = self._start_foreign(name, raw, self_closing)
                if own is not None:
                    return own
            self._follow()
        answer = self._tree.start_tag(name, raw, self_closing)
        self._stop_following()
        return answer

    def end_tag(self, name: bytes) -> None:
        """Read an end tag, its name in lower case.

        Raises:
            LimitExceededError: the open elements depend on a tag that is too far back.

        """
        if not self.is_following:
            foreign = self._foreign
            if foreign is None or not self._is_foreign:
                self._templates -= name == b"template" and self._templates > 0
                return
            leaves = name in {b"br", b"p"}
            if leaves:
                foreign.end_tag(name)
            if leaves or foreign.close_foreign(name):
                self._is_foreign = not foreign.names_decide
                return
            self._follow()
        self._tree.end_tag(name)
        self._stop_following()

    @property
    def follower(self) -> TreeConstruction | None:
        """The stage, while it has to read text and document types too."""
        return self._tree if self.is_following else None

    def _is_turning(self, name: bytes) -> bool:
        """Return whether an HTML start tag may make tree construction ignore others."""
        if name == b"template":
            self._has_template = True
            self._templates += 1
        elif name == b"base":
            return self._has_template
        elif self._templates and name not in _IN_TEMPLATE:
            are_nested, self._templates = self._templates > 1, 0
            return are_nested or name == b"col"
        return name == b"frameset" and not self._is_body

    def _start_foreign(
        self, name: bytes, raw: bytes, self_closing: bool
    ) -> tuple[str, State | None] | None:
        """Read a start tag by the open foreign elements alone, as `start_tag`; return None if they do not decide."""
        if self._foreign is None:
            from linkfix.markup.html.treeconstruction.stage import TreeConstruction

            self._foreign = TreeConstruction(is_body=True)
        are_nested, self._templates = self._templates > 1, 0
        answer = self._foreign.start_tag(name, raw, self_closing)
        if answer[0] != HTML:
            self._is_foreign |= not self_closing
            return None if are_nested else answer
        self._is_foreign = not self._foreign.names_decide
        self._foreign = None  # it does not know what HTML is open around
        return None if self._is_foreign else answer

    def _follow(self) -> None:
        """Feed all tokens before the current one to the stage."""
        if self.look_back is not None:
            self.look_back(TreeFeedback(tree=self._tree))
        self._foreign, self._is_foreign = None, False
        self._has_template, self._templates = True, 0
        self.is_following = True

    def _stop_following(self) -> None:
        """Stop following once names of tags decide again."""
        self.is_following = self._always_follows or not self._tree.names_decide


# --- The part of a document that tree construction may read again ---------------------------------
# A whole document is kept, which costs nothing. Of a document in chunks at most `MAX_PAST` is kept, from the last
# position up to which tree construction has read every token.

#: The part of a document in chunks that tree construction can read again, in units of the view.
MAX_PAST = 8 * 1024 * 1024


class Past:
    """Keep the last part of a view that is read in chunks.

    Args:
        unit: bytes of the source for each unit of the view.

    """

    def __init__(self, unit: int) -> None:
        self._unit = unit
        #: The view from the offset `_start` on; None once it is too long.
        self._kept: bytearray | None = bytearray()
        self._start = 0

    def add(self, view: bytes) -> None:
        """Append the next bytes of the view."""
        if self._kept is not None:
            self._kept += view

    def forget(self, known: int, offset: int) -> None:
        """Discard what is no longer needed.

        Args:
            known: offset in the view before which tree construction has read every token.
            offset: offset before which every byte has been tokenized.

        """
        if self._kept is not None:
            del self._kept[: known - self._start]
            self._start = known
        if offset - known > MAX_PAST:
            self._kept = None

    def between(self, start: int, end: int) -> bytes:
        """Return the bytes between two offsets in the view.

        Raises:
            LimitExceededError: they are more than `MAX_PAST`.

        """
        if self._kept is None or end - start > MAX_PAST:
            raise LimitExceededError(
                "whether an svg, math or template element ends here depends on tags that are more than"
                f" {MAX_PAST * self._unit} bytes back",
                hint="close each of these elements inside the element that it begins in",
                offset=end * self._unit,
            )
        return bytes(self._kept[start - self._start : end - self._start])
