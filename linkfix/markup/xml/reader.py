"""Read the tags of XML in its view, as far as expat has found it well-formed.

Input: the view, and the offset up to which expat has read. Output: columns of values, and tags for `Elements`. The
pattern of `skip` skips everything unwanted and returns single values. Before any other token it ends, and
the token is read by itself: a tag, a comment, a CDATA section or an instruction. Well-formed bytes need few checks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.xml.depth import Depth
from linkfix.markup.xml.elements import Elements, Open, Written, over
from linkfix.markup.xml.events import XMLContext, XMLValues
from linkfix.markup.xml.tags import TAG, Buffer, ViewTag

if TYPE_CHECKING:
    from linkfix.markup.xml.limits import Limits

_COMMENT, _CDATA, _CDATA_END = b"<!--", b"<![CDATA[", b"]]>"
_END_TAG = re.compile(rb"</([^\t\n\r >]++)[^>]*+>")


class TagReader:
    """Find the tags of the root element and of all that is in it.

    Args:
        buffer: the buffered part of the document.
        elements: turns tags into events.
        limits: the most that the document may need.
        unit: bytes of the document for each unit of its view.
        start: offset in the view at which the root element begins.

    Attributes:
        offset: offset in the view before which every byte has been read.

    """

    def __init__(
        self, buffer: Buffer, elements: Elements, limits: Limits, unit: int, start: int
    ) -> None:
        self._buffer = buffer
        self._elements = elements
        self._limits = limits
        self._unit = unit
        self._depth = Depth(limits.depth)
        self._in_cdata = False
        #: Offset in the view up to which open elements have been counted.
        self._counted = start
        self.offset = start

    @property
    def begun(self) -> bytes:
        """The opening mark of a token of which a part has been read; empty for none."""
        return _CDATA if self._in_cdata else b""

    def read(self, end: int, *, final: bool = False) -> None:
        """Read the tokens that end before an offset in the view.

        Args:
            end: the offset.
            final: whether the document ends there.

        Raises:
            LimitExceededError: the document needs more than a limit, other than that of a token.
            NotWellFormedError: the name of an element or attribute is no name.

        """
        view, base = self._buffer.view, self._buffer.base
        at, stop = self.offset - base, end - base
        if self._in_cdata:
            at = self._cdata(at, stop)
        while at < stop:
            if self._elements.opened is None:
                at = self._skip(at, stop)
            at = view.find(b"<", at, stop)
            if at < 0:
                at = stop
                break
            self.offset = base + at
            after = self._token(at, stop)
            if after < 0:
                break
            at = after
        self.offset = base + at
        if not self._in_cdata:
            self._count(at, final=final)

    def _skip(self, at: int, stop: int) -> int:
        """Skip everything unwanted from an index in the view; return the index at which the skip ends."""
        view, base, elements = self._buffer.view, self._buffer.base, self._elements
        known = elements.contexts
        contexts: list[XMLContext] = []
        starts: list[int] = []
        views: list[bytes] = []
        until = elements.scope.next_tag(view, base, at, stop)
        for step in elements.skip.finditer(view, at, until):
            ended = step.lastgroup
            if ended == "link":
                name, attribute, value = step.group("name", "attribute", "value")
                start, value, written = (
                    step.start("value") + 1,
                    value[1:-1],
                    (name, attribute, value[:1]),
                )
            elif ended == "content":
                tag, value, section = step.group("tag", "text", "section")
                start, written = step.start("text"), (tag, b"", b"")
                if section is not None:
                    start, value, written = step.start("section"), section, (tag, b"", b"[")
            else:
                at = step.end()
                break
            try:
                context = known[written]
            except KeyError:
                context = self._context(step, written)
            at = step.end()
            contexts.append(context)
            starts.append(base + start)
            views.append(value)
        if contexts:
            elements.events.append(XMLValues(contexts, starts, views))
        return at

    def _context(self, step: re.Match[bytes], written: Written) -> XMLContext:
        """Return the context of the value that a step has ended with."""
        if step.lastgroup == "link":
            return self._elements.context(written, None)
        tag = TAG.match(self._buffer.view, step.start("tag") - 1)
        if tag is None:
            raise AssertionError("a step ends after a whole tag")
        return self._elements.context(written, ViewTag(self._buffer, tag))

    # Each method has the index at which a token begins, and the index at which the readable bytes end. It returns the
    # index at which the token ends, or -1 if it is unfinished.

    def _token(self, at: int, stop: int) -> int:
        view = self._buffer.view
        if view.startswith(b"</", at, stop):
            return self._end_tag(at, stop)
        if view.startswith(_COMMENT, at, stop):
            return self._past(b"-->", at + len(_COMMENT), stop)
        if view.startswith(_CDATA, at, stop):
            end = self._past(_CDATA_END, at + len(_CDATA), stop)
            if end < 0:
                self._count(at, final=False)
                self._in_cdata = True
            return stop if end < 0 else end
        if view.startswith(b"<?", at, stop):
            return self._past(b"?>", at + 2, stop)
        if view.startswith(b"<!", at, stop):
            return -1
        return self._start_tag(at, stop)

    def _start_tag(self, at: int, stop: int) -> int:
        found = TAG.match(self._buffer.view, at, stop)
        if found is None:
            return -1
        tag = ViewTag(self._buffer, found)
        if self._elements.opened is not None:
            self._end_text(self._elements.opened, at, is_whole=False)
        self._elements.start(tag)
        if tag.is_empty:
            self._elements.content(tag.content, "", literal=False)
        return found.end()

    def _end_tag(self, at: int, stop: int) -> int:
        found = _END_TAG.match(self._buffer.view, at, stop)
        if found is None:
            return -1
        if self._elements.opened is not None:
            self._end_text(self._elements.opened, at, is_whole=True)
        self._elements.end(found[1].decode("latin-1"))
        return found.end()

    def _end_text(self, opened: Open, at: int, *, is_whole: bool) -> None:
        """Add the text of an element, which a tag at an index in the view ends; `is_whole` for its end tag."""
        if is_whole or opened.is_wanted:
            base = self._buffer.base
            spelling = self._buffer.text(opened.start - base, at)
            self._elements.content(base + at, spelling, literal=True, is_whole=is_whole)

    def _cdata(self, at: int, stop: int) -> int:
        """Read the rest of a CDATA section; return the index of its end, or `stop` if it continues."""
        end = self._past(_CDATA_END, at, stop)
        if end < 0:
            return stop
        self._in_cdata = False
        self._counted = self._buffer.base + end
        return end

    def _past(self, mark: bytes, start: int, stop: int) -> int:
        end = self._buffer.view.find(mark, start, stop)
        return end if end < 0 else end + len(mark)

    def _count(self, at: int, *, final: bool) -> None:
        """Count the open elements at an index in the view."""
        base = self._buffer.base
        start, self._counted = self._counted - base, base + at
        found = self._depth.add(self._buffer.view, start, at, final=final)
        if found is not None:
            offset = (base + found) * self._unit
            raise over(self._limits, "the depth of elements", "depth", offset)
