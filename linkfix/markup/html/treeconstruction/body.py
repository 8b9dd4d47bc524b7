"""The state of the tree construction stage, and the "in body" insertion mode with the adoption agency algorithm (HTML standard, 13.2.6.4.7)."""

from collections.abc import Callable
from typing import Any, ClassVar

from linkfix.markup.html.elements_data import HTML, MATHML, SVG, TEXT_STATES
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


class InBody:
    """The state that the rules of all insertion modes change, the steps that they have in common, and the rules of "in body".

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
        self.mode: Mode = Mode.IN_BODY if is_body else Mode.INITIAL
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

    def _insert_foreign(self, namespace: str, name: bytes, raw: bytes, self_closing: bool) -> None:
        if not self_closing:
            self._open.append(foreign_element(namespace, name, raw))

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

    # --- The rules of "in body" ---

    def _start_in_body(self, tag: Tag) -> None:
        name = tag.name
        if name in groups.BLOCKS:
            self._close_p()
            self._push(name)
        elif name in groups.FORMATTING:
            self._start_formatting(tag)
        elif (rule := _START.get(name)) is not None:
            rule(self, tag)
        elif name == b"noscript" and self._scripting:
            self._text(tag, State.RAWTEXT)
        else:
            self._reconstruct()
            self._push(name)

    def _ignore(self, tag: Tag) -> None:
        """Ignore a start tag."""

    def _body_in_body(self, _tag: Tag) -> None:
        if self._open.innermost(b"body") and not self._open.innermost(b"template"):
            self._frameset_ok = False

    def _frameset_in_body(self, tag: Tag) -> None:
        body = self._open.innermost(b"body")
        if body is not None and self._frameset_ok:
            self._open.pop_until(body)
            self._push(tag.name)
            self.mode = Mode.IN_FRAMESET

    def _heading(self, tag: Tag) -> None:
        self._close_p()
        if self._current_is(*groups.HEADINGS):
            self._open.pop()
        self._push(tag.name)

    def _pre(self, tag: Tag) -> None:
        self._close_p()
        self._push(tag.name)
        self._frameset_ok = False

    def _start_form(self, tag: Tag) -> None:
        in_template = self._open.innermost(b"template") is not None
        if self._form is None or in_template:
            self._close_p()
            form = self._push(tag.name)
            self._form = self._form if in_template else form

    def _item(self, tag: Tag) -> None:
        self._frameset_ok = False
        names = {b"li"} if tag.name == b"li" else {b"dd", b"dt"}
        item = self._open.innermost("blocking")
        if item is not None and item.name in names and item.namespace == HTML:
            self._close(item, item.name)
        self._close_p()
        self._push(tag.name)

    def _plaintext(self, tag: Tag) -> None:
        self._close_p()
        self._push(tag.name)
        self._state = State.PLAINTEXT

    def _button(self, tag: Tag) -> None:
        self._close(self._open.in_scope(b"button"))
        self._reconstruct()
        self._push(tag.name)
        self._frameset_ok = False

    def _start_formatting(self, tag: Tag) -> None:
        name = tag.name
        if name == b"a":
            active = self._formatting.find(name)
            if active is not None:
                self._adopt(name)
                self._formatting.discard(active)
                if active.rank >= 0:
                    self._open.remove(active)
        self._reconstruct()
        if name == b"nobr" and self._open.in_scope(name) is not None:
            self._adopt(name)
            self._reconstruct()
        self._formatting.push(self._push(name), tag.key)

    def _object(self, tag: Tag) -> None:
        self._reconstruct()
        self._push(tag.name)
        self._formatting.add_marker()
        self._frameset_ok = False

    def _start_table(self, tag: Tag) -> None:
        if not self._is_quirky:
            self._close_p()
        self._push(tag.name)
        self._frameset_ok = False
        self.mode = Mode.IN_TABLE

    def _void(self, _tag: Tag) -> None:
        self._reconstruct()
        self._frameset_ok = False

    def _input(self, tag: Tag) -> None:
        self._close(self._open.in_scope(b"select"))
        self._reconstruct()
        self._frameset_ok &= tag.is_hidden

    def _hr(self, _tag: Tag) -> None:
        self._close_p()
        if self._open.in_scope(b"select") is not None:
            self._close_implied()
        self._frameset_ok = False

    def _text_in_body(self, tag: Tag) -> None:
        if tag.name == b"xmp":
            self._close_p()
            self._reconstruct()
        self._frameset_ok &= tag.name == b"noembed"
        self._text(tag)

    def _select(self, tag: Tag) -> None:
        if not self._close(self._open.in_scope(b"select")):
            self._reconstruct()
            self._push(tag.name)
            self._frameset_ok = False

    def _option(self, tag: Tag) -> None:
        if self._open.in_scope(b"select") is not None:
            self._close_implied(b"optgroup" if tag.name == b"option" else b"")
        elif self._current_is(b"option"):
            self._open.pop()
        self._reconstruct()
        self._push(tag.name)

    def _ruby(self, tag: Tag) -> None:
        if self._open.in_scope(b"ruby") is not None:
            self._close_implied(b"rtc" if tag.name in {b"rp", b"rt"} else b"")
        self._push(tag.name)

    def _foreign(self, tag: Tag) -> None:
        self._reconstruct()
        self._namespace = SVG if tag.name == b"svg" else MATHML
        self._insert_foreign(self._namespace, *tag)

    def _end_in_body(self, name: bytes) -> None:
        if name in groups.END_OF_BLOCKS:
            self._close(self._open.in_scope(name), name)
        elif name in groups.FORMATTING:
            self._adopt(name)
        elif (rule := _END.get(name)) is not None:
            rule(self, name)
        else:
            self._any_other_end_tag(name)

    def _any_other_end_tag(self, name: bytes) -> None:
        found = self._open.innermost(name)
        if found is not None and found.rank >= self._open.rank("special"):
            self._close(found, name)

    def _end_body(self, name: bytes) -> None:
        if self._open.in_scope(b"body") is not None:
            self.mode = Mode.AFTER_BODY
            if name == b"html":
                self._end(name)

    def _end_form(self, name: bytes) -> None:
        if self._open.innermost(b"template") is not None:
            self._close(self._open.in_scope(name))
            return
        form, self._form = self._form, None
        if form is not None and 0 <= form.rank >= self._open.rank("scope"):
            self._close_implied()
            self._open.remove(form)

    def _end_p(self, _name: bytes) -> None:
        self._close_p()  # without an open one, the standard inserts an empty one

    def _end_li(self, name: bytes) -> None:
        self._close(self._open.in_scope(name, b"ol", b"ul"), name)

    def _end_heading(self, _name: bytes) -> None:
        headings = [found for each in groups.HEADINGS if (found := self._open.in_scope(each))]
        self._close(max(headings, key=lambda heading: heading.rank, default=None))

    def _end_object(self, name: bytes) -> None:
        if self._close(self._open.in_scope(name)):
            self._formatting.clear_to_marker()

    def _end_br(self, name: bytes) -> None:
        self._void(Tag(name))

    def _adopt(self, name: bytes) -> None:
        """Run the adoption agency algorithm. Without a tree, the element itself is its clone."""
        stack, formatting = self._open, self._formatting
        current = stack.current
        if current is not None and self._current_is(name) and current.entry is None:
            stack.pop()
            return
        for _ in range(8):
            element = formatting.find(name)
            if element is None:
                self._any_other_end_tag(name)
                return
            if element.rank < 0:
                formatting.discard(element)
                return
            if element.rank < stack.rank("scope"):
                return
            block = stack.outermost_special_inside(element)
            if block is None:
                stack.pop_until(element)
                formatting.discard(element)
                return
            bookmark: Element | None = None
            for number, node in enumerate(reversed(stack.between(element, block))):
                if number >= 3:
                    formatting.discard(node)
                if node.entry is None:
                    stack.remove(node)
                elif bookmark is None:
                    bookmark = node
            if bookmark is not None:
                formatting.move_after(element, bookmark)
            stack.remove(element)
            stack.insert_after(block, element)


_START: dict[bytes, Callable[[InBody, Tag], None]] = {
    name: rule
    for group, rule in (
        (groups.names(b"html frame head param source track") | groups.TABLE_PARTS, InBody._ignore),
        (groups.HEAD, InBody._head_content),
        (groups.HEADINGS, InBody._heading),
        (groups.OBJECTS, InBody._object),
        (groups.names(b"area br embed img image keygen wbr"), InBody._void),
        (groups.names(b"iframe noembed textarea xmp"), InBody._text_in_body),
        (groups.names(b"dd dt li"), InBody._item),
        (groups.names(b"listing pre"), InBody._pre),
        (groups.names(b"math svg"), InBody._foreign),
        (groups.names(b"optgroup option"), InBody._option),
        (groups.names(b"rb rp rt rtc"), InBody._ruby),
        ([b"body"], InBody._body_in_body),
        ([b"button"], InBody._button),
        ([b"form"], InBody._start_form),
        ([b"frameset"], InBody._frameset_in_body),
        ([b"hr"], InBody._hr),
        ([b"input"], InBody._input),
        ([b"plaintext"], InBody._plaintext),
        ([b"select"], InBody._select),
        ([b"table"], InBody._start_table),
    )
    for name in group
}
_END: dict[bytes, Callable[[InBody, bytes], None]] = {
    **dict.fromkeys(groups.HEADINGS, InBody._end_heading),
    **dict.fromkeys(groups.OBJECTS, InBody._end_object),
    b"body": InBody._end_body,
    b"br": InBody._end_br,
    b"form": InBody._end_form,
    b"html": InBody._end_body,
    b"li": InBody._end_li,
    b"p": InBody._end_p,
    b"template": InBody._end_template,
}
