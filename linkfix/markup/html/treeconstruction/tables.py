"""The insertion modes of tables (HTML standard, 13.2.6.4.9 to 13.2.6.4.15).

For a node that a table does not allow, the rules of "in body" apply; the position of the node does not matter here.
"""

from collections.abc import Iterable

from linkfix.markup.html.elements_data import HTML
from linkfix.markup.html.treeconstruction import groups_data as groups
from linkfix.markup.html.treeconstruction.body import InBody
from linkfix.markup.html.treeconstruction.elements import Element, Tag
from linkfix.markup.html.treeconstruction.groups_data import Mode


class InTable(InBody):
    """The rules of the modes of tables."""

    def _clear_to(self, names: Iterable[bytes]) -> None:
        """Clear the stack back to a table, table body or table row context (13.2.6.4.9 and others)."""
        self._open.pop_to(*names, b"template", b"html")

    def _start_in_table(self, tag: Tag) -> None:
        name = tag.name
        if name in groups.TABLE_PARTS:
            self._clear_to([b"table"])
            if name == b"caption":
                self._formatting.add_marker()
            implied = b"colgroup" if name == b"col" else b"tbody"
            is_row_or_cell = name in {b"col", b"tr"} or name in groups.CELLS
            inserted = self._push(implied if is_row_or_cell else name).name
            self.mode = groups.MODES[inserted]
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
        elif name not in groups.NO_ENDS:
            self._end_in_body(name)

    def _start_in_column_group(self, tag: Tag) -> None:
        if tag.name == b"template":
            self._head_content(tag)
        elif tag.name not in {b"col", b"html"} and self._close_part():
            self._start(tag)

    def _end_in_column_group(self, name: bytes) -> None:
        if name == b"template":
            self._end_template()
        elif name != b"col" and self._close_part():
            self._end(name)  # which is ignored if it was that of the column group

    def _close_part(self, *names: bytes) -> bool:
        """Close the caption, column group, row group, row or cell of the mode, or the one of a name; return whether there is one."""
        part = groups.PARTS[self.mode]
        found = next(filter(None, map(self._open.in_table_scope, names or part.names)), None)
        if found is None:
            return False
        if part.has_marker:
            self._close(found)
            self._formatting.clear_to_marker()
        else:
            self._clear_to(part.names)
            self._open.pop()
        self.mode = part.after
        return True

    def _start_in_caption(self, tag: Tag) -> None:
        if tag.name not in groups.TABLE_PARTS:
            self._start_in_body(tag)
        elif self._close_part():
            self._start(tag)

    def _start_in_table_body(self, tag: Tag) -> None:
        if tag.name == b"tr" or tag.name in groups.CELLS:
            self._clear_to(groups.ROW_GROUPS)
            self._push(b"tr")
            self.mode = Mode.IN_ROW
            if tag.name != b"tr":
                self._start(tag)
        else:
            self._start_outside_of_cells(tag)

    def _start_in_row(self, tag: Tag) -> None:
        if tag.name in groups.CELLS:
            self._clear_to([b"tr"])
            self._push(tag.name)
            self.mode: Mode = Mode.IN_CELL
            self._formatting.add_marker()
        else:
            self._start_outside_of_cells(tag)

    def _start_outside_of_cells(self, tag: Tag) -> None:
        if tag.name not in groups.TABLE_PARTS:
            self._start_in_table(tag)
        elif self._close_part():
            self._start(tag)

    def _end_in_caption(self, name: bytes) -> None:
        part = groups.PARTS[self.mode]
        if name in part.names:
            self._close_part(name)
        elif name not in part.outer:
            self._end_in_table(name)
        else:
            is_open = name == b"table" and self.mode is not Mode.IN_CELL
            if (is_open or self._open.in_table_scope(name)) and self._close_part():
                self._end(name)

    _start_in_cell = _start_in_caption
    _end_in_table_body = _end_in_row = _end_in_cell = _end_in_caption
