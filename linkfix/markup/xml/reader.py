"""Read the tags of XML in its view, as far as expat has found it well-formed.

Input: the view, and the offset up to which expat has read. Output: columns of values, and tags for `Elements`. The
pattern of `names` finds single values. Any other token that it finds is read by itself: a tag, a comment, a CDATA
section or an instruction. Well-formed bytes need few checks.
"""

import re
from bisect import bisect_left

from linkfix.markup.xml.elements import Elements, Open, Written
from linkfix.markup.xml.events import XMLContext, XMLValues
from linkfix.markup.xml.names import odd_tags
from linkfix.markup.xml.tags import MARKS, TAG, Buffer

# --- Count the open elements without a match of each tag ------------------------------------------
# Input: stretches of markup that expat has found well-formed. Output: the index of a tag that exceeds the limit.
# Start tags, end tags and empty-element tags are counted by their octets, which is much faster than matching them. If a
# stretch may exceed the limit, its tags are matched one by one.

#: Comments, CDATA sections and instructions, which can contain the octets of tags (XML 1.0, 2.5, 2.6, 2.7).
_NO_TAGS = re.compile(rb"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?)>", re.DOTALL)
_TAG = re.compile(rb"""<(/?)[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
#: The length of a stretch in bytes.
_STRETCH = 32 * 1024


class Depth:
    """Count the elements that are open in a document.

    Args:
        limit: the most elements that may be open.

    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open = 0

    def add(self, view: bytes, start: int, end: int, *, final: bool) -> int | None:
        """Count the next whole tags of the document.

        Args:
            view: the view of the document.
            start: index at which the tags begin.
            end: index at which they end.
            final: whether these are the last tags.

        Returns:
            The index of the tag that exceeds the limit; None for no such tag.

        """
        # As many of the last tags are end tags as elements are open or begin there.
        if final and (self._open + view.count(b"<", start, end)) // 2 < self._limit:
            return None
        tags = view[start:end]
        if b"<!" in tags or b"<?" in tags:
            tags = _NO_TAGS.sub(lambda found: b" " * len(found[0]), tags)
        at = 0
        while at < len(tags):
            stop = tags.find(b"<", at + _STRETCH)
            stop = len(tags) if stop < 0 else stop
            both, ends = tags.count(b"<", at, stop), tags.count(b"</", at, stop)
            empty = tags.count(b"/>", at, stop)
            # With a ">" in text or in a value the tags themselves are counted.
            is_sure = not empty or tags.count(b">", at, stop) == both
            if is_sure and self._open + both - ends <= self._limit:
                self._open += both - 2 * ends - empty
            else:
                for found in _TAG.finditer(tags, at, stop):
                    if found[1]:
                        self._open -= 1
                    elif self._open and self._open >= self._limit:
                        return start + found.start()
                    else:
                        self._open += not found[2]
            at = stop
        return None


# --------------------------------------------------------------------------------------------------

_CDATA = b"<![CDATA["
_END_TAG = re.compile(rb"</([^\t\n\r >]++)[^>]*+>")


class TagReader:
    """Find the tags of the root element and of all that is in it.

    Args:
        buffer: the buffered part of the document.
        elements: turns tags into events.
        start: offset in the view at which the root element begins.

    Attributes:
        offset: offset in the view before which every byte has been read.

    """

    def __init__(self, buffer: Buffer, elements: Elements, start: int) -> None:
        self._buffer = buffer
        self._elements = elements
        self._depth = Depth(elements.limits.depth)
        self._in_cdata = False
        #: Offset in the view up to which open elements have been counted.
        self._counted = start
        self.offset: int = start

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
        # The last tag may be unfinished.
        odd = {*odd_tags(view, at, stop, self._elements.limits), view.rfind(b"<", at, stop)}
        alone = [*sorted(odd), stop]
        while at < stop:
            if self._elements.opened is None:
                at = self._find(at, alone)
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

    def _find(self, at: int, alone: list[int]) -> int:
        """Read the single values from an index in the view; return the index of the next token to be read by itself."""
        view, base, elements = self._buffer.view, self._buffer.base, self._elements
        known = elements.contexts
        contexts: list[XMLContext] = []
        starts: list[int] = []
        views: list[bytes] = []
        until = elements.scope.next_tag(view, base, at, alone[bisect_left(alone, at)])
        for found in elements.pattern.finditer(view, at, until):
            kind = found.lastgroup
            if kind == "value":
                name, attribute, mark = found.group("name", "attribute", "quote")
            elif kind == "text" or kind == "section":
                name, attribute, mark = found["tag"], b"", b"" if kind == "text" else b"["
            else:
                until = found.start()
                break
            written = name, attribute, mark
            context = known.get(written) or self._context(found, written)
            contexts.append(context)
            starts.append(base + found.start(kind))
            views.append(found[kind])
        if contexts:
            elements.events.append(XMLValues(contexts, starts, views))
        return until

    def _context(self, found: re.Match[bytes], written: Written) -> XMLContext:
        """Return the context of the value in a match."""
        tag = None if found.lastgroup == "value" else TAG.match(self._buffer.view, found.start())
        return self._elements.context(written, tag and self._buffer.tag(tag))

    # Each method has the index at which a token begins, and the index at which the readable bytes end. It returns the
    # index at which the token ends, or -1 if it is unfinished.

    def _token(self, at: int, stop: int) -> int:
        view = self._buffer.view
        if view.startswith(b"</", at, stop):
            return self._end_tag(at, stop)
        for mark, ending in MARKS.items():
            if view.startswith(mark, at, stop):
                end = self._past(ending, at + len(mark), stop)
                if end < 0 and mark == _CDATA:
                    self._count(at, final=False)
                    self._in_cdata = True
                    return stop
                return end
        if view.startswith(b"<!", at, stop):
            return -1
        return self._start_tag(at, stop)

    def _start_tag(self, at: int, stop: int) -> int:
        found = TAG.match(self._buffer.view, at, stop)
        if found is None:
            return -1
        tag = self._buffer.tag(found)
        if self._elements.opened is not None:
            self._end_text(self._elements.opened, at, is_whole=False)
        self._elements.start(tag)
        if tag.is_empty:
            self._elements.content(self._buffer.base + found.end(), "", literal=False)
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
        end = self._past(MARKS[_CDATA], at, stop)
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
            raise self._elements.over("the depth of elements", "depth", base + found)
