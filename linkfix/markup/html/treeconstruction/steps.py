"""The state of the tree construction stage, and the steps that its rules have in common."""

from collections.abc import Callable
from typing import Any, ClassVar

from linkfix.markup.html.elements_data import HTML, TEXT_STATES
from linkfix.markup.html.tokens import State
from linkfix.markup.html.treeconstruction import groups_data as groups
from linkfix.markup.html.treeconstruction.elements import (
    ActiveFormatting,
    Element,
    OpenElements,
    Tag,
    foreign_element,
)
from linkfix.markup.html.treeconstruction.groups_data import Mode

_UNDECIDED = frozenset({Mode.IN_TEMPLATE, Mode.IN_COLUMN_GROUP})


class Steps:
    """The state that the rules of all insertion modes change.

    Args:
        scripting: whether the content of ``noscript`` is text, as in a browser that runs scripts.
        is_srcdoc: whether the document is the value of a ``srcdoc``, which is never in quirks mode.
        is_body: whether the document is a part of a body, as the content of ``noscript`` is.

    """

    #: The rules of each mode for start tags and for end tags.
    _rules: ClassVar[dict[Mode, tuple[Callable[[Any, Tag], None], Callable[[Any, bytes], None]]]]

    def __init__(
        self, *, scripting: bool = True, is_srcdoc: bool = False, is_body: bool = False
    ) -> None:
        self.mode = Mode.IN_BODY if is_body else Mode.INITIAL
        self._scripting = scripting
        self._is_srcdoc = is_srcdoc
        self._is_quirky = not is_srcdoc
        self._frameset_ok = not is_body
        self._open = OpenElements()
        for name in (b"html", b"body") if is_body else ():
            self._push(name)
        self._formatting = ActiveFormatting()
        self._template_modes: list[Mode] = []
        #: The number of open templates in which a start tag may be ignored, or may set the mode.
        self._undecided = 0
        self._form: Element | None = None
        #: Whether the next end tag is that of an element with text, which is not on the stack.
        self._in_text = False
        self._namespace = HTML
        self._state: State | None = None

    def _insert_foreign(self, namespace: str, tag: Tag) -> None:
        self._namespace = namespace
        if not tag.self_closing:
            self._open.append(foreign_element(namespace, tag.name, tag.raw))

    def _leave_foreign(self) -> None:
        while (current := self._open.current) is not None and not current.is_left_for_html:
            self._open.pop()

    def _start(self, tag: Tag) -> None:
        self._rules[self.mode][0](self, tag)

    def _end(self, name: bytes) -> None:
        self._rules[self.mode][1](self, name)

    def _current_is(self, *names: bytes) -> bool:
        current = self._open.current
        return current is not None and current.name in names and current.namespace == HTML

    def _push(self, name: bytes) -> Element:
        element = Element(HTML, name)
        self._open.append(element)
        return element

    def _text(self, tag: Tag, state: State | None = None) -> None:
        """Insert an element whose content is text."""
        self._state = state or TEXT_STATES[tag.name]
        self._in_text = True

    def _reconstruct(self) -> None:
        self._formatting.reconstruct(self._open)

    def _close_implied(self, but: bytes = b"") -> None:
        """Generate implied end tags (13.2.6.3)."""
        current = self._open.current
        while current is not None and current.name in groups.IMPLIED and current.namespace == HTML:
            if current.name == but:
                return
            self._open.pop()
            current = self._open.current

    def _close(self, element: Element | None, but: bytes = b"") -> bool:
        """Generate implied end tags and close an element, if there is one."""
        if element is None:
            return False
        self._close_implied(but)
        self._open.pop_until(element)
        return True

    def _close_p(self) -> None:
        self._close(self._open.in_scope(b"p", b"button"), b"p")

    def _leave(self, mode: Mode) -> None:
        """Pop the current node, and switch to another mode."""
        self._open.pop()
        self.mode = mode

    def _head_content(self, tag: Tag) -> None:
        name = tag.name
        if name == b"template":
            self._formatting.add_marker()
            self._frameset_ok = False
            self._template_modes.append(Mode.IN_TEMPLATE)
            self._undecided += 1
            self.mode = Mode.IN_TEMPLATE
            self._push(name)
        elif name in TEXT_STATES:
            self._text(tag)

    def _end_template(self, _name: bytes = b"template") -> None:
        if self._close(self._open.innermost(b"template")):
            self._formatting.clear_to_marker()
            self._undecided -= self._template_modes.pop() in _UNDECIDED
            self._reset_mode()

    def _reset_mode(self) -> None:
        """Reset the insertion mode appropriately (13.2.4.1)."""
        innermost = self._open.innermost("modes")
        name = b"html" if innermost is None else innermost.name
        if name == b"template":
            self.mode = self._template_modes[-1]
        else:
            self.mode = groups.MODES[name]
