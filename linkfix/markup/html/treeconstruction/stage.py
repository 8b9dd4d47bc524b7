"""The tree construction stage: its methods for tokens, and all insertion modes except those of body and tables."""

import re
from typing import Any

from linkfix.markup.html.elements_data import HTML
from linkfix.markup.html.tokens import State
from linkfix.markup.html.treeconstruction import groups_data as groups
from linkfix.markup.html.treeconstruction.doctype_data import PUBLIC_PREFIXES
from linkfix.markup.html.treeconstruction.elements import Tag, breaks_out
from linkfix.markup.html.treeconstruction.groups_data import Mode
from linkfix.markup.html.treeconstruction.tables import InTable

# --- Whether a document type puts a page into quirks mode (HTML standard, 13.2.5.53 to 13.2.5.67, 13.2.6.4.1) ---

_WHITE_IN_DOCTYPE = rb"[\t\n\f\r ]*+"
_QUOTED = rb"""(?:"([^"]*+)"|'([^']*+)')"""
#: A document type without its ``>`` that does not "force quirks": name, public and system identifier.
_DOCTYPE = re.compile(
    rb"<!doctype" + _WHITE_IN_DOCTYPE + rb"html(?![^\t\n\f\r >])" + _WHITE_IN_DOCTYPE + rb"(?:public" + _WHITE_IN_DOCTYPE + _QUOTED
    + _WHITE_IN_DOCTYPE + rb"(?:" + _QUOTED + rb".*)?|system" + _WHITE_IN_DOCTYPE + _QUOTED + rb".*)?",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_PUBLIC = frozenset(
    [b"-//w3o//dtd w3 html strict 3.0//en//", b"-/w3c/dtd html 4.0 transitional/en", b"html"]
)
_SYSTEM = b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
#: Without a system identifier.
_PUBLIC_ALONE = (b"-//w3c//dtd html 4.01 frameset//", b"-//w3c//dtd html 4.01 transitional//")


def is_quirky(doctype: bytes) -> bool:
    """Return whether a document type sets quirks mode.

    Args:
        doctype: from ``<!`` up to its ``>``, which is left out.

    """
    found = _DOCTYPE.fullmatch(doctype)
    if found is None:
        return True
    public, system = (
        next((group.lower() for group in found.group(*groups) if group is not None), None)
        for groups in ((1, 2), (3, 4, 5, 6))
    )
    if system == _SYSTEM or public is None:
        return system == _SYSTEM
    return (
        public in _PUBLIC
        or public.startswith(PUBLIC_PREFIXES)
        or (system is None and public.startswith(_PUBLIC_ALONE))
    )


# --------------------------------------------------------------------------------------------------

_WHITE = b"\t\n\f\r "
#: Character references to white space.
_WHITE_REFERENCE = re.compile(
    rb"&(?:#0*+(?:9|1[023]|32)(?![0-9])|#[xX]0*+(?:[9aAcCdD]|20)(?![0-9A-Fa-f])|(?:Tab|NewLine)(?=;));?"
)
_TABLE_MODES = frozenset({Mode.IN_TABLE, Mode.IN_TABLE_BODY, Mode.IN_ROW})
_AFTER_BODY = frozenset({Mode.AFTER_BODY, Mode.AFTER_AFTER_BODY})
_BODY_MODES = _AFTER_BODY | {Mode.IN_BODY, Mode.IN_CAPTION, Mode.IN_CELL, Mode.IN_TEMPLATE}
_FRAMESET_MODES = frozenset({Mode.IN_FRAMESET, Mode.AFTER_FRAMESET, Mode.AFTER_AFTER_FRAMESET})


class TreeConstruction(InTable):
    """Follow the tokens of a document.

    Args:
        scripting: whether the content of ``noscript`` is text, as in a browser that runs scripts.
        is_srcdoc: whether the document is the value of a ``srcdoc``, which is never in quirks mode.
        is_body: whether the document is a part of a body, as the content of ``noscript`` is.

    """

    @property
    def is_foreign(self) -> bool:
        """Whether the current node is foreign, so that CDATA sections are allowed (13.2.5.42)."""
        current = self._open.current
        return current is not None and current.namespace != HTML

    @property
    def is_inert(self) -> bool:
        """Whether an element here is not in the document: in a template, or ignored in a frameset."""
        return bool(self._template_modes) or self.mode in _FRAMESET_MODES

    @property
    def names_decide(self) -> bool:
        """Whether the names of start tags decide, until foreign content or a frameset begins."""
        if self._in_text or self._undecided or self._open.innermost("foreign") is not None:
            return False
        return self.mode not in _FRAMESET_MODES

    def doctype(self, doctype: bytes) -> None:
        """Read a document type, from ``<!`` up to its ``>``, which is left out."""
        if self.mode is Mode.INITIAL:
            self._is_quirky = not self._is_srcdoc and is_quirky(doctype)
            self.mode = Mode.BEFORE_HTML

    def start_tag(self, name: bytes, raw: bytes, self_closing: bool) -> tuple[str, State | None]:
        """Read a start tag.

        Args:
            name: name of the tag in lower case.
            raw: the whole tag, from ``<`` to ``>``.
            self_closing: whether it ends in ``/>``.

        Returns:
            The namespace of the element, and the next state of the tokenizer, None for the same state. An ignored
            tag is HTML and changes no state.

        Raises:
            LimitExceededError: too many formatting elements are opened again.

        """
        self._namespace, self._state = HTML, None
        current = self._open.current
        if current is not None and current.takes_as_foreign(name):
            if not breaks_out(name, raw):
                self._insert_foreign(current.namespace, name, raw, self_closing)
                return current.namespace, None
            self._leave_foreign()
        self._start(Tag(name, raw, self_closing))
        return self._namespace, self._state

    def end_tag(self, name: bytes) -> None:
        """Read an end tag, its name in lower case.

        Raises:
            LimitExceededError: too many formatting elements are opened again.

        """
        if self._in_text:
            self._in_text = False
        elif not self.is_foreign:
            self._end(name)
        elif name in {b"br", b"p"}:
            self._leave_foreign()
            self._end(name)
        elif not self.close_foreign(name):
            self._end(name)

    def close_foreign(self, name: bytes) -> bool:
        """Close the foreign element that an end tag in foreign content closes; return whether there is one."""
        found = self._open.innermost(("foreign", name))
        if found is None or not self._open.is_in_foreign_content(found):
            return False
        self._open.pop_until(found)
        return True

    def text(self, text: bytes, *, has_references: bool = True) -> None:
        """Read text, as it is spelled.

        Raises:
            LimitExceededError: too many formatting elements are opened again.

        """
        if has_references and b"&" in text:
            text = _WHITE_REFERENCE.sub(b" ", text)
        black = text.translate(None, _WHITE)
        current = self._open.current
        if current is not None and not current.is_left_for_html:
            self._frameset_ok &= not black.strip(b"\0")
            return
        # White space has no effect after other characters. So it can be handled first, wherever it is.
        if len(black) < len(text):
            self._white_space()
        if black:
            self._characters(is_nul=not black.strip(b"\0"))

    def _white_space(self) -> None:
        if self.mode in _TABLE_MODES:
            if not self._current_is(b"table", b"template", b"tr", *groups.ROW_GROUPS):
                self._reconstruct()
        elif self.mode in _BODY_MODES:
            self._reconstruct()

    def _characters(self, *, is_nul: bool) -> None:
        while self.mode < Mode.IN_BODY:
            self._to_next_mode()
        if self.mode in _AFTER_BODY:
            self.mode = Mode.IN_BODY
        elif self.mode is Mode.IN_COLUMN_GROUP and not self._close_part():
            return
        if self.mode in _FRAMESET_MODES or is_nul:
            return
        self._reconstruct()
        self._frameset_ok = False

    # 13.2.6.4.1 to 13.2.6.4.6: before the body

    def _to_next_mode(self) -> None:
        """Do what "anything else" does in a mode before the body."""
        early = groups.EARLY[self.mode]
        if early.opens:
            self._push(early.opens)
        else:
            self._open.pop()
        self.mode = early.after

    def _start_before_body(self, tag: Tag) -> None:
        """Read a start tag in one of these modes; the one that a mode waits for is ignored in the next mode."""
        name, mode, early = tag.name, self.mode, groups.EARLY[self.mode]
        if name in early.contents:
            self._head_content(tag)
        elif name == b"noscript" and mode is Mode.IN_HEAD:
            if self._scripting:
                self._text(tag, State.RAWTEXT)
            else:
                self._push(name)
                self.mode = Mode.IN_HEAD_NOSCRIPT
        elif name == b"frameset" and mode is Mode.AFTER_HEAD:
            self._push(name)
            self.mode = Mode.IN_FRAMESET
        elif name not in early.ignored:
            self._to_next_mode()
            self._start(tag)

    def _end_before_body(self, name: bytes) -> None:
        if self.mode is Mode.INITIAL:
            self.mode = Mode.BEFORE_HTML
        if name == b"template":
            self._end_template()
        elif name in groups.EARLY[self.mode].ends:
            self._to_next_mode()
            self._end(name)

    # 13.2.6.4.18 to 13.2.6.4.23: templates, framesets and the modes after the body

    def _start_in_template(self, tag: Tag) -> None:
        if tag.name in groups.HEAD:
            self._head_content(tag)
            return
        self._template_modes[-1] = self.mode = groups.MODES_OF_TEMPLATES.get(tag.name, Mode.IN_BODY)
        self._undecided -= self.mode is not Mode.IN_COLUMN_GROUP
        self._start(tag)

    def _end_in_template(self, name: bytes) -> None:
        if name == b"template":
            self._end_template()

    def _start_after_body(self, tag: Tag) -> None:
        if tag.name != b"html":
            self.mode = Mode.IN_BODY
            self._start(tag)

    def _end_after_body(self, name: bytes) -> None:
        if name == b"html" and self.mode is Mode.AFTER_BODY:
            self.mode = Mode.AFTER_AFTER_BODY
        else:
            self.mode = Mode.IN_BODY
            self._end(name)

    def _start_in_frameset(self, tag: Tag) -> None:
        if tag.name == b"frameset" and self.mode is Mode.IN_FRAMESET:
            self._push(tag.name)
        elif tag.name == b"noframes":
            self._text(tag)

    def _end_in_frameset(self, name: bytes) -> None:
        if name == b"frameset" and self._current_is(b"frameset"):
            self._open.pop()
            if not self._current_is(b"frameset"):
                self.mode = Mode.AFTER_FRAMESET
        elif name == b"html" and self.mode is Mode.AFTER_FRAMESET:
            self.mode: Mode = Mode.AFTER_AFTER_FRAMESET

    _start_after_after_body, _end_after_after_body = _start_after_body, _end_after_body
    _start_after_frameset = _start_after_after_frameset = _start_in_frameset
    _end_after_frameset = _end_after_after_frameset = _end_in_frameset


def _rule(kind: str, mode: Mode) -> Any:
    name = "before_body" if mode < Mode.IN_BODY else mode.name.lower()
    return getattr(TreeConstruction, f"_{kind}_{name}")


TreeConstruction._rules = {mode: (_rule("start", mode), _rule("end", mode)) for mode in Mode}
