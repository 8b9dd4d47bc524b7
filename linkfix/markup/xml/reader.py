"""Read the tags of XML: in the view as far as expat has found it well-formed, by expat, or leniently after an error.

`TagReader`. Input: the view, and the offset up to which expat has read. Output: columns of values, and tags for
`Elements`. The pattern of `names` finds single values. Any other token that it finds is read by itself: a tag, a
comment, a CDATA section or an instruction. Well-formed bytes need few checks. The open elements are counted by the
octets of their tags, stretch by stretch, which is much faster than matching them. Only where a stretch may exceed the
limit, its tags are matched one by one.

`ExpandedElements`. Only expat knows the values of entities and the defaults of attributes. So if an internal subset
declares any, expat reports every element. Output: tags with the spans of those attributes that are in the document.
The cost: a call of Python for each tag, so such documents are read more slowly.

`LenientReader`. Input: the view from the error on, and the open elements of the strict reader. No standard defines how
to read such a document. The aim is to find the links that its author intended, if their bytes are certain. The weak
spot: the content of an unclosed comment or value is read as markup.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.markup.xml.events import MARKS, TAG, Tag, XMLAttribute, XMLContext, XMLValues
from linkfix.markup.xml.names import odd_tags

if TYPE_CHECKING:
    from linkfix.markup.xml.elements import Elements, Written
    from linkfix.markup.xml.input import Input

#: Comments, CDATA sections and instructions, which can contain the octets of tags (XML 1.0, 2.5, 2.6, 2.7).
_NO_TAGS = re.compile(rb"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?)>", re.DOTALL)
_COUNTED = re.compile(rb"""<(/?)[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
#: The length of a stretch in bytes.
_STRETCH = 32 * 1024
_WRITTEN = itemgetter("name", "mark")
_END_TAG = re.compile(rb"</([^\t\n\r >]++)[^>]*+>")


class TagReader:
    """Find the tags of the root element and of all that is in it.

    Args:
        source: the document.
        elements: turns tags into events.
        start: offset in the view at which the root element begins.
        checks_names: as the argument of `odd_tags`.

    Attributes:
        offset: offset in the view before which every byte has been read.

    """

    def __init__(
        self, source: Input, elements: Elements, start: int, *, checks_names: bool
    ) -> None:
        self._source = source
        self._elements = elements
        self._checks_names = checks_names
        #: The number of open elements, and the offset in the view up to which they have been counted.
        self._open, self._counted = 0, start
        self.offset: int = start

    def read(self, end: int, *, final: bool = False) -> None:
        """Read the tokens that end before an offset in the view.

        Args:
            end: the offset.
            final: whether the document ends there.

        Raises:
            LimitExceededError: the document needs more than a limit, other than that of a token.
            NotWellFormedError: the name of an element or attribute is no name.

        """
        view, base = self._source.view, self._source.base
        at, stop = self.offset - base, end - base
        # The last tag may be unfinished.
        odd = odd_tags(view, at, stop, self._elements.limits, checks_names=self._checks_names)
        alone = [*sorted({*odd, view.rfind(b"<", at, stop)}), stop]
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
        self._count(at, final=final)

    def _find(self, at: int, alone: list[int]) -> int:
        """Read the single values from an index in the view; return the index of the next token to be read by itself."""
        view, base, elements = self._source.view, self._source.base, self._elements
        until = elements.scope.next_tag(view, base, at, alone[bisect_left(alone, at)])
        found = [*elements.pattern.finditer(view, at, until)]
        if found and found[-1]["value"] is None:
            until = found.pop().start()
        if found:
            known = elements.scope.contexts.get
            contexts = [
                known(written) or self._context(written, found[index].start())
                for index, written in enumerate(map(_WRITTEN, found))
            ]
            elements.events.append(XMLValues(contexts, found, base))
        return until

    def _context(self, written: Written, at: int) -> XMLContext:
        """Return the context of a value that has not been met, by the index of its tag in the view."""
        is_text = written[0].endswith(b">")
        found = TAG.match(self._source.view, at) if is_text else None
        return self._elements.context(written, found and Tag(self._source, found))

    # Each method has the index at which a token begins, and the index at which the readable bytes end. It returns the
    # index at which the token ends, or -1 if it is unfinished.

    def _token(self, at: int, stop: int) -> int:
        view, base, elements = self._source.view, self._source.base, self._elements
        for mark, ending in MARKS.items():
            if view.startswith(mark, at, stop):
                end = view.find(ending, at + len(mark), stop)
                return end if end < 0 else end + len(ending)
        is_end = view.startswith(b"</", at, stop)
        found = (_END_TAG if is_end else TAG).match(view, at, stop)
        if found is None:
            return -1
        if elements.opened is not None:
            spelling = self._source.text(elements.opened.start - base, at)
            elements.content(base + at, spelling, literal=True, is_whole=is_end)
        if is_end:
            elements.end(found[1].decode("latin-1"))
            return found.end()
        tag = Tag(self._source, found)
        elements.start(tag)
        if tag.is_empty:
            elements.content(base + found.end(), "", literal=False)
        return found.end()

    def _count(self, at: int, *, final: bool) -> None:
        """Count the open elements at an index in the view; with `final` the document ends there.

        Raises:
            LimitExceededError: there are too many.

        """
        view, base, most = self._source.view, self._source.base, self._elements.limits.depth
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


_NAME = rb"[^\t\n\r />!?=<\"'][^\t\n\r />=<]*+"
_WHOLE = re.compile(
    rb"<(?:(?P<skipped>![^-\[<>][^<>]*>)"
    rb"|/(?P<end>[^\t\n\r <>]*)[^<>]*>"
    rb"|(?P<start>" + _NAME + rb")(?:[^\"'<>]|\"[^\"<]*\"|'[^'<]*')*+>)"
)
#: A start tag in which quotes are missing, or a "<" that begins none.
_BROKEN = re.compile(rb"<(?:(?P<skipped>!)?(?P<start>" + _NAME + rb")[^<>]*>)?")
_STARTS = tuple(MARKS)
_LONGEST_START = max(map(len, _STARTS))
_ATTRIBUTE = re.compile(
    rb"""([^\t\n\r =/"'<>]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"<>]*)"|'([^'<>]*)'|([^\t\n\r "'<>]+))"""
)


class LenientReader:
    """Find tags and the text of elements in a document with errors.

    Args:
        source: the document.
        elements: turns tags into events.

    Attributes:
        offset: offset in the view before which every byte has been read.

    """

    def __init__(self, source: Input, elements: Elements) -> None:
        elements.is_lenient = True
        if elements.opened is not None and not elements.opened.literal:
            elements.opened = None
        self._source = source
        self._elements = elements
        self._most = elements.limits.token
        self.offset: int = source.base
        #: The names of the open elements, and how often each is open.
        self._open: list[bytes] = []
        self._times = Counter[bytes]()
        #: Opening marks of tokens that have no end in the rest of the view.
        self._endless: set[bytes] = set()

    def read(self, *, final: bool) -> None:
        """Read the tokens that are buffered; with `final` the document ends there."""
        view, base = self._source.view, self._source.base
        self._endless.clear()
        at = self.offset - base
        while (at := view.find(b"<", at)) >= 0:
            end = self._end_of_long(at)
            if end < 0:
                match = self._token(at, final=final)
                if match is None:
                    break
                self._read(match)
                end = match.end()
            at = end
        self.offset = base + (len(view) if at < 0 else at)
        opened = self._elements.opened
        if opened is not None and self.offset - opened.start > self._most:
            self._elements.opened = None

    def _end_of_long(self, position: int) -> int:
        """Return the end of the whole token that begins here and can contain a "<"; -1 for no such token."""
        view = self._source.view
        for start, end in MARKS.items():
            if view.startswith(start, position) and start not in self._endless:
                found = view.find(end, position + len(start))
                if found >= 0:
                    return found + len(end)
                self._endless.add(start)
        return -1

    def _token(self, position: int, *, final: bool) -> re.Match[bytes] | None:
        """Return the token at a "<", or a match of that character for no token; None to wait for more bytes."""
        view = self._source.view
        match = _WHOLE.match(view, position)
        if match is not None:
            return match
        if len(view) - position <= self._most and not final:
            begins = view[position : position + _LONGEST_START]
            is_long = begins.startswith(_STARTS) or any(s.startswith(begins) for s in _STARTS)
            if is_long or view.find(b"<", position + 1) < 0:
                return None
        return _BROKEN.match(view, position)

    def _read(self, match: re.Match[bytes]) -> None:
        groups, elements = match.groupdict(), self._elements
        if groups.get("end") is not None:
            self._end(match)
        if groups["skipped"] is not None or groups["start"] is None:
            return
        tag = Tag(self._source, match, _ATTRIBUTE)
        elements.content(tag.start, "", "", literal=True, is_whole=False)
        elements.start(tag)
        if tag.is_empty:
            elements.opened = None
        else:
            self._times[match["start"]] += 1
            self._open.append(match["start"])

    def _end(self, match: re.Match[bytes]) -> None:
        """Close the last open element of a name, with all elements in it."""
        name, elements = match["end"], self._elements
        opened = elements.opened
        if opened is not None and self._source.text(*match.span("end")) == opened.element.name:
            elements.content(self._source.base + match.start(), "", "", literal=True)
        elements.opened = None
        if name not in self._times:  # the element began before the error, or there is none
            elements.end(name.decode("latin-1"))
            return
        last = None
        while last != name:
            last = self._open.pop()
            elements.end(last.decode("latin-1"))
            self._times[last] -= 1
            if not self._times[last]:  # documents can invent unlimited names
                del self._times[last]


#: A DTD can add as many attributes to each tag as it declares defaults. The limit for a document is this number and
#: one attribute for each character.
_FREE_ATTRIBUTES = 100_000


class ExpandedTag(Tag):
    """A start tag that expat has reported.

    Args:
        source: the document.
        start: offset in the view that expat reports: of the tag, or of a reference to an entity.
        name: name of the element, in expat's letters.
        pairs: names and values of its attributes, in turn.

    """

    def __init__(  # the tag itself is matched when it is needed
        self, source: Input, start: int, name: str, pairs: list[str]
    ) -> None:
        self._source = source
        self._pairs = pairs
        self.key = self.name = name
        self.names = pairs[::2]
        self.start = start
        self.is_empty = False
        if not (name.isascii() and all(map(str.isascii, self.names))):
            literal = [] if self._tag is None else self._tag.names
            self.name: str = source.characters(name) if self._tag is None else self._tag.name
            self.names: list[str] = [*literal, *map(source.characters, self.names[len(literal) :])]

    @cached_property
    def _tag(self) -> Tag | None:
        """The tag in the document; None for a tag in an entity."""
        found = TAG.match(self._source.view, self.start - self._source.base)
        return None if found is None else Tag(self._source, found)

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None for a tag in an entity."""
        return None if self._tag is None else self._tag.content

    def attribute(self, number: int) -> XMLAttribute:
        """Return an attribute, as `Tag.attribute` does."""
        value = self._pairs[2 * number + 1]
        # expat reports the attributes in the tag first and in order, then the defaults.
        if self._tag is None or number >= len(self._tag.names):
            name, text = self.names[number], self._source.characters(value)
            local = name.partition(":")[2] if ":" in name else name
            return XMLAttribute(name, "", local, None, None, "", "", text)
        found = self._tag.attribute(number)
        is_literal = not value.isascii() and "&" not in found.spelling
        text = found.spelling if is_literal else self._source.characters(value)
        return found._replace(spelling="", expanded=text)


class ExpandedElements:
    """Pass the tags that expat reports to `Elements`.

    Args:
        source: the document, whose tags expat reports from the root element on.
        elements: turns tags into events.

    Attributes:
        last_tag: offset in the view of the last tag.

    """

    def __init__(self, source: Input, elements: Elements) -> None:
        self._source = source
        self._elements = elements
        self._text: list[str] = []
        #: The number of attributes so far.
        self._attributes = 0
        self.last_tag: int = -1
        source.parser.StartElementHandler = self.start
        source.parser.EndElementHandler = self._end

    def start(self, name: str, pairs: list[str]) -> None:
        """Pass a start tag to `Elements`; the arguments are those of expat's handler."""
        index = self.last_tag = self._source.index
        if self._elements.depth >= max(self._elements.limits.depth, 1):
            raise self._elements.over("the depth of elements", "depth", index)
        self._attributes += len(pairs) // 2
        if self._attributes > _FREE_ATTRIBUTES + index:
            raise LimitExceededError(
                "the DTD makes more attributes than the document has characters",
                hint="remove the defaults of attributes from the DTD that many elements have",
                offset=index * self._elements.unit,
            )
        if self._elements.opened is not None:
            text = self._source.characters("".join(self._text))
            literal = self._source.view.startswith(b"<", index - self._source.base)
            self._elements.content(index, "", text, literal=literal, is_whole=False)
        self._elements.start(ExpandedTag(self._source, index, name, pairs))
        self._text = []
        wants_text = self._elements.opened is not None
        self._source.parser.CharacterDataHandler = self._text.append if wants_text else None

    def _end(self, name: str) -> None:
        opened = self._elements.opened
        if opened is not None:
            self._source.parser.CharacterDataHandler = None
            index = self.last_tag = self._source.index
            view, base = self._source.view, self._source.base
            # expat reports an empty-element tag as a start tag and an end tag; the second has the offset after it.
            is_empty = index == opened.start and view.startswith(b"/>", index - base - 2)
            literal = view.startswith(b"</", index - base) and not is_empty
            text = self._source.characters("".join(self._text))
            self._elements.content(index, "", text, literal=literal)
        self._elements.end(name)
