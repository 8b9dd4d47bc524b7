"""Read the tags of XML in its view, as far as expat has found it well-formed.

Input: the view, and the offset up to which expat has read. Output: columns of values, and tags for `Elements`. The
pattern of `names` finds single values. Any other token that it finds is read by itself: a tag, a comment, a CDATA
section or an instruction. Well-formed bytes need few checks.

The open elements are counted by the octets of their tags, stretch by stretch, which is much faster than matching them.
Only where a stretch may exceed the limit, its tags are matched one by one.
"""

import re
from bisect import bisect_left

from linkfix.markup.xml.elements import Elements
from linkfix.markup.xml.events import XMLContext, XMLValues
from linkfix.markup.xml.names import odd_tags
from linkfix.markup.xml.tags import MARKS, TAG, Buffer

#: Comments, CDATA sections and instructions, which can contain the octets of tags (XML 1.0, 2.5, 2.6, 2.7).
_NO_TAGS = re.compile(rb"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?)>", re.DOTALL)
_COUNTED = re.compile(rb"""<(/?)[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
#: The length of a stretch in bytes.
_STRETCH = 32 * 1024
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
        self._in_cdata = False
        #: The number of open elements, and the offset in the view up to which they have been counted.
        self._open, self._counted = 0, start
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
        known = elements.scope.contexts
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
            context = known.get(written)
            if context is None:
                tag = None if kind == "value" else TAG.match(view, found.start())
                context = elements.context(written, tag and self._buffer.tag(tag))
            contexts.append(context)
            starts.append(base + found.start(kind))
            views.append(found[kind])
        if contexts:
            elements.events.append(XMLValues(contexts, starts, views))
        return until

    # Each method has the index at which a token begins, and the index at which the readable bytes end. It returns the
    # index at which the token ends, or -1 if it is unfinished.

    def _token(self, at: int, stop: int) -> int:
        view, base, elements = self._buffer.view, self._buffer.base, self._elements
        for mark, ending in MARKS.items():
            if view.startswith(mark, at, stop):
                end = self._past(ending, at + len(mark), stop)
                if end < 0 and mark == _CDATA:
                    self._count(at, final=False)
                    self._in_cdata = True
                    return stop
                return end
        is_end = view.startswith(b"</", at, stop)
        found = (_END_TAG if is_end else TAG).match(view, at, stop)
        if found is None:
            return -1
        if elements.opened is not None:
            spelling = self._buffer.text(elements.opened.start - base, at)
            elements.content(base + at, spelling, literal=True, is_whole=is_end)
        if is_end:
            elements.end(found[1].decode("latin-1"))
            return found.end()
        tag = self._buffer.tag(found)
        elements.start(tag)
        if tag.is_empty:
            elements.content(base + found.end(), "", literal=False)
        return found.end()

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
        """Count the open elements at an index in the view; with `final` the document ends there.

        Raises:
            LimitExceededError: there are too many.

        """
        view, base, most = self._buffer.view, self._buffer.base, self._elements.limits.depth
        start, self._counted = self._counted - base, base + at
        # As many of the last tags are end tags as elements are open or begin there.
        if final and (self._open + view.count(b"<", start, at)) // 2 < most:
            return
        tags, first = view[start:at], 0
        if b"<!" in tags or b"<?" in tags:
            tags = _NO_TAGS.sub(lambda found: b" " * len(found[0]), tags)
        while first < len(tags):
            last = tags.find(b"<", first + _STRETCH)
            last = len(tags) if last < 0 else last
            both, ends, empty = (tags.count(mark, first, last) for mark in (b"<", b"</", b"/>"))
            # With a ">" in text or in a value the tags themselves are counted.
            is_sure = not empty or tags.count(b">", first, last) == both
            if is_sure and self._open + both - ends <= most:
                self._open += both - 2 * ends - empty
            else:
                for found in _COUNTED.finditer(tags, first, last):
                    if not found[1] and self._open and self._open >= most:
                        offset = base + start + found.start()
                        raise self._elements.over("the depth of elements", "depth", offset)
                    self._open += -1 if found[1] else not found[2]
            first = last
