"""The insertion modes of tables (HTML standard, 13.2.6.4.9 to 13.2.6.4.15).

For a node that a table does not allow, the rules of "in body" apply; the position of the node does not matter here.
"""

from __future__ import annotations

from collections.abc import Iterable

from linkfix.markup.html.treeconstruction.body import InBody
from linkfix.markup.html.treeconstruction.elements import HTML, Element
from linkfix.markup.html.treeconstruction.tags import (
    CELLS,
    MODES,
    ROW_GROUPS,
    TABLE_PARTS,
    Mode,
    Tag,
    names,
)

_NO_ENDS = TABLE_PARTS | {b"body", b"html"}
_NO_ENDS_IN_CELL = names(b"body caption col colgroup html")


class InTable(InBody):
    """The rules of the modes of tables."""

    def _in_table_scope(self, names: Iterable[bytes]) -> bool:
        return any(self._open.in_table_scope(name) is not None for name in names)

    def _clear_to(self, names: Iterable[bytes]) -> None:
        """Clear the stack back to a table, table body or table row context (13.2.6.4.9 and others)."""
        self._open.pop_to(*names, b"template", b"html")

    def _start_in_table(self, tag: Tag) -> None:
        name = tag.name
        if name in TABLE_PARTS:
            self._clear_to([b"table"])
            if name == b"caption":
                self._formatting.add_marker()
            implied = b"colgroup" if name == b"col" else b"tbody"
            is_row_or_cell = name in {b"col", b"tr"} or name in CELLS
            inserted = self._push(implied if is_row_or_cell else name).name
            self.mode = MODES[inserted]
            if is_row_or_cell:
                self._start(tag)
        elif name == b"table":
            if self._end_table():
                self._start(tag)
        elif name in {b"style", b"script", b"template"}:
            self._head_content(tag)
        elif name == b"form":
            if self._form is None and self._open.innermost(b"template") is None:
                self._form = Element(HTML, name)
        elif name != b"input" or not tag.is_hidden:
            self._start_in_body(tag)

    def _end_table(self) -> bool:
        table = self._open.in_table_scope(b"table")
        if table is None:
            return False
        self._open.pop_until(table)
        self._reset_mode()
        return True

    def _end_in_table(self, name: bytes) -> None:
        if name == b"table":
            self._end_table()
        elif name == b"template":
            self._end_template()
        elif name not in _NO_ENDS:
            self._end_in_body(name)

    def _close_caption(self) -> bool:
        if not self._close(self._open.in_table_scope(b"caption")):
            return False
        self._formatting.clear_to_marker()
        self.mode = Mode.IN_TABLE
        return True

    def _start_in_caption(self, tag: Tag) -> None:
        if tag.name not in TABLE_PARTS:
            self._start_in_body(tag)
        elif self._close_caption():
            self._start(tag)

    def _end_in_caption(self, name: bytes) -> None:
        if name in {b"caption", b"table"}:
            if self._close_caption() and name == b"table":
                self._end(name)
        elif name not in _NO_ENDS:
            self._end_in_body(name)

    def _close_column_group(self) -> bool:
        if not self._current_is(b"colgroup"):
            return False
        self._leave(Mode.IN_TABLE)
        return True

    def _start_in_column_group(self, tag: Tag) -> None:
        if tag.name == b"template":
            self._head_content(tag)
        elif tag.name not in {b"col", b"html"} and self._close_column_group():
            self._start(tag)

    def _end_in_column_group(self, name: bytes) -> None:
        if name == b"template":
            self._end_template()
        elif name != b"col" and self._close_column_group() and name != b"colgroup":
            self._end(name)

    def _close_row_group(self) -> bool:
        if not self._in_table_scope(ROW_GROUPS):
            return False
        self._clear_to(ROW_GROUPS)
        self._leave(Mode.IN_TABLE)
        return True

    def _start_in_table_body(self, tag: Tag) -> None:
        name = tag.name
        if name == b"tr" or name in CELLS:
            self._clear_to(ROW_GROUPS)
            self._push(b"tr")
            self.mode = Mode.IN_ROW
            if name != b"tr":
                self._start(tag)
        elif name not in TABLE_PARTS:
            self._start_in_table(tag)
        elif self._close_row_group():
            self._start(tag)

    def _end_in_table_body(self, name: bytes) -> None:
        if name in ROW_GROUPS:
            if self._in_table_scope([name]):
                self._close_row_group()
        elif name != b"table":
            self._end_in_table(name)
        elif self._close_row_group():
            self._end(name)

    def _close_row(self) -> bool:
        if not self._in_table_scope([b"tr"]):
            return False
        self._clear_to([b"tr"])
        self._leave(Mode.IN_TABLE_BODY)
        return True

    def _start_in_row(self, tag: Tag) -> None:
        if tag.name in CELLS:
            self._clear_to([b"tr"])
            self._push(tag.name)
            self.mode = Mode.IN_CELL
            self._formatting.add_marker()
        elif tag.name not in TABLE_PARTS:
            self._start_in_table(tag)
        elif self._close_row():
            self._start(tag)

    def _end_in_row(self, name: bytes) -> None:
        if name == b"tr":
            self._close_row()
        elif name != b"table" and name not in ROW_GROUPS:
            self._end_in_table(name)
        elif (name == b"table" or self._in_table_scope([name])) and self._close_row():
            self._end(name)

    def _close_cell(self) -> bool:
        cell = self._open.in_table_scope(b"td") or self._open.in_table_scope(b"th")
        if not self._close(cell):
            return False
        self._formatting.clear_to_marker()
        self.mode = Mode.IN_ROW
        return True

    def _start_in_cell(self, tag: Tag) -> None:
        if tag.name not in TABLE_PARTS:
            self._start_in_body(tag)
        elif self._close_cell():
            self._start(tag)

    def _end_in_cell(self, name: bytes) -> None:
        if name in CELLS:
            if self._close(self._open.in_table_scope(name)):
                self._formatting.clear_to_marker()
                self.mode = Mode.IN_ROW
        elif name in {b"table", b"tr"} or name in ROW_GROUPS:
            if self._in_table_scope([name]) and self._close_cell():
                self._end(name)
        elif name not in _NO_ENDS_IN_CELL:
            self._end_in_body(name)
