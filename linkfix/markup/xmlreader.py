"""Read the tags of XML out of its view, up to where expat has found it well-formed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.xmlelements import over
from linkfix.markup.xmlevents import XMLRun
from linkfix.markup.xmltags import TAG, TEXT, ViewTag, empty_tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.markup.xmlelements import Elements, Written
    from linkfix.markup.xmlevents import Limits, XMLEvent, XMLHolder, XMLValue
    from linkfix.markup.xmltags import Held

__all__ = ["TagReader"]

_COMMENT, _CDATA, _CDATA_END = b"<!--", b"<![CDATA[", b"]]>"
_END_TAG = re.compile(rb"</([^\t\n\r >]++)[^>]*+>")
_ANY_TAG = re.compile(rb"""<(/?)[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
#: Depth is counted in stretches of so many bytes.
_STRETCH = 32 * 1024


class TagReader:
    """Find the tags of the root element and of all that is in it.

    Args:
        held: the document.
        elements: which takes the tags.
        events: to which simple values are added.
        limits: what the document may need.
        unit: how many bytes of the document stand for one unit of its view.
        start: offset in the view at which the root element begins.

    Attributes:
        offset: up to which it has read, as an offset in the view.
        passed: how many clean links were passed over (`Sought.clean`).

    """

    def __init__(
        self,
        held: Held,
        elements: Elements,
        events: list[XMLEvent],
        limits: Limits,
        unit: int,
        start: int,
    ) -> None:
        self._held = held
        self._elements = elements
        self._events = events
        self._limits = limits
        self._unit = unit
        self.offset = self._marked = start
        self._in_cdata = False
        self.passed = 0
        self._depth = 0
        #: Stretches of tags and text, by offsets in the view, that are not counted yet.
        self._uncounted: list[tuple[int, int]] = []

    @property
    def begun(self) -> bytes:
        """How the token begins of which a part has been read."""
        return _CDATA if self._in_cdata else b""

    def read(self, end: int, *, final: bool = False) -> None:
        """Read on up to an offset in the view; a token that is not complete there is left.

        Args:
            end: the offset.
            final: whether there is no more to read.

        Raises:
            LimitExceededError: a limit other than that of a token.
            NotWellFormedError: a name is none.

        """
        view, base, elements = self._held.view, self._held.base, self._elements
        at, stop = self.offset - base, end - base
        if self._in_cdata:
            at = self._past_cdata(at, stop)
        while at < stop:
            run = TEXT if elements.opened is not None else elements.run
            at = self._run(run.finditer(view, at, stop), at)
            at = view.find(b"<", at, stop)
            if at < 0:
                at = stop
                break
            kind = view[at + 1 : at + 2]
            if kind == b"/":
                after = self._end_tag(at, stop)
            elif kind == b"!":
                after = self._comment_or_cdata(at, stop)
            elif kind == b"?":
                after = self._past(b"?>", at, at + 2, stop)
            else:
                after = self._start_tag(at, stop)
            if after < 0:
                break
            at = after
        self.offset = base + at
        if not self._in_cdata:
            self._mark(at)
        if not final or self._may_be_deep():
            self._count()

    def _run(self, steps: Iterator[re.Match[bytes]], at: int) -> int:
        """Take the steps of a run that begins at an index in the view; give where it ends."""
        base, holders = self._held.base, self._elements.holders
        values: list[XMLValue] = []
        for step in steps:
            at = step.end()
            ended = step.lastgroup
            if ended is None:
                break
            if ended == "link":
                start, end = step.span("value")
                if start < 0:
                    self.passed += 1
                    continue
                start, end = start + 1, end - 1
                name, attribute = step.group("name", "attribute")
                written = name, attribute, step.string[end : end + 1]
            else:
                start, end = step.span("content")
                written = step["tag"], b"", b""
                if start < 0:
                    start, end = step.span("section")
                    if start < 0:
                        self.passed += 1
                        continue
                    written = written[0], b"", b"["
                    self._mark(start - len(_CDATA))  # what looks like tags in a section are none
                    self._marked = base + end + len(_CDATA_END)
            holder = holders.get(written) or self._hold(step, written)
            values.append((holder, base + start, base + end))
        if values:
            self._events.append(XMLRun(values))
        return at

    def _hold(self, step: re.Match[bytes], written: Written) -> XMLHolder:
        """Give what holds the value that a step has ended with."""
        held = self._held
        tag = TAG.match(held.view, step.start("name" if written[1] else "tag") - 1)
        if tag is None:
            raise AssertionError("a step goes over whole tags")
        return self._elements.hold(written, ViewTag(held, tag))

    # Each of these takes the index in the view at which a token begins, and how far can be read. It
    # gives where the token ends, or -1 where that is further on.

    def _start_tag(self, at: int, stop: int) -> int:
        found = TAG.match(self._held.view, at, stop)
        if found is None:
            return -1
        self.offset = self._held.base + at
        self._mark(at)
        tag = ViewTag(self._held, found)
        self._elements.start(tag, self.depth)
        if tag.is_empty and self._elements.opened is not None:
            self._elements.content(self._held.base + found.end(), "", literal=False)
        return found.end()

    def _end_tag(self, at: int, stop: int) -> int:
        found = _END_TAG.match(self._held.view, at, stop)
        if found is None:
            return -1
        base, opened = self._held.base, self._elements.opened
        if opened is not None:
            spelling = self._held.text(opened.start - base, at)
            self._elements.content(base + at, spelling, literal=True)
        self._elements.end(found[1].decode("latin-1"))
        return found.end()

    def _comment_or_cdata(self, at: int, stop: int) -> int:
        if self._held.view.startswith(_COMMENT, at, stop):
            return self._past(b"-->", at, at + len(_COMMENT), stop)
        if not self._held.view.startswith(_CDATA, at, stop):
            return -1
        self._mark(at)
        self._in_cdata = True
        return self._past_cdata(at + len(_CDATA), stop)

    def _past_cdata(self, at: int, stop: int) -> int:
        """Read on in a CDATA section, from any of its characters on, if not to its end."""
        end = self._held.view.find(_CDATA_END, at, stop)
        if end < 0:
            return stop
        self._in_cdata = False
        self._marked = self._held.base + end + len(_CDATA_END)
        return end + len(_CDATA_END)

    def _past(self, mark: bytes, at: int, start: int, stop: int) -> int:
        end = self._held.view.find(mark, start, stop)
        if end < 0:
            return -1
        self._mark(at)
        self._marked = self._held.base + end + len(mark)
        return end + len(mark)

    # --- depth --------------------------------------------------------------------------------

    def depth(self) -> int:
        """Give how many elements are open at the last tag that was looked at, or in the end."""
        self._count()
        return self._depth

    def _mark(self, until: int) -> None:
        """Take note that there were tags and text since the last time, up to an index in the view."""
        start, self._marked = self._marked, self._held.base + until
        if start < self._marked:
            self._uncounted.append((start, self._marked))

    def _may_be_deep(self) -> bool:
        """Tell whether the limit may have been passed in what is not counted yet."""
        if not self._uncounted:
            return False
        view, base = self._held.view, self._held.base
        tags = view.count(b"<", self._uncounted[0][0] - base, self._uncounted[-1][1] - base)
        return self._depth + tags > self._limits.depth

    def _count(self) -> None:
        """Count the elements that are open after all that is not counted yet."""
        view, base = self._held.view, self._held.base
        uncounted, self._uncounted = self._uncounted, []
        for first, last in uncounted:
            start, until = first - base, last - base
            while until - start > _STRETCH:
                at = view.find(b"<", start + _STRETCH, until)
                if at < 0:
                    break
                self._count_stretch(view, start, at)
                start = at
            self._count_stretch(view, start, until)

    def _count_stretch(self, view: bytes, start: int, end: int) -> None:
        ends = view.count(b"</", start, end)
        starts = view.count(b"<", start, end) - ends
        if starts:
            empty = empty_tags(view, start, end)
            if self._depth + starts - empty + bool(empty) > self._limits.depth:
                self._check_depth(view, start, end)
            self._depth += starts - empty
        self._depth -= ends

    def _check_depth(self, view: bytes, start: int, end: int) -> None:
        depth = self._depth
        for found in _ANY_TAG.finditer(view, start, end):
            if found[1]:
                depth -= 1
                continue
            if depth and depth >= self._limits.depth:
                offset = (self._held.base + found.start()) * self._unit
                raise over(self._limits, "the depth of elements", "depth", offset)
            depth += not found[2]
