"""Comments that suppress findings, in any charset.

``<!-- linkfix: ignore ENC001 -->``
    for the next element: the attributes of the next start tag, and the text after it.
``<!-- linkfix: off ENC SIT -->`` … ``<!-- linkfix: on ENC SIT -->``
    for the region between the two; ``on`` by itself ends every region.

Codes, beginnings of codes or names of rules follow, separated by spaces or commas; none means all rules. The comments
are searched for in the ASCII view of the document, where they look the same in every charset. One pattern finds
them without a parser; so such a text in a script or a style counts as a comment.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from linkfix.auditing.catalogue import all_meant, rules
from linkfix.auditing.rule import Rule
from linkfix.deferred import pattern

#: A comment from its second character on: "!" is rare, so that the search is fast.
_COMMENT = re.compile(
    rb"!(?<=<!)--(?i:[\t\n\f\r ]*linkfix:[\t\n\f\r ]*(ignore|off|on)\b([\t\n\f\r ,A-Za-z0-9_-]{0,400}?)-->)"
)
_TAG_START = pattern(rb"<[A-Za-z]")
#: A start tag and the text after it.
_ELEMENT = pattern(rb"""<(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>[^<]*+(?=<)""")
#: The longest comment, and the farthest end of an element, in units.
_LONGEST_COMMENT = 512
_LONGEST_ELEMENT = 64 * 1024
#: The code that means every rule.
_EVERY = ""
_NONE: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Spans:
    """The spans in which findings of a rule are suppressed: disjoint, ascending, in units of the view.

    Attributes:
        starts: of the spans.
        ends: of the spans; the last one may still grow.
        regions: how many open regions the last span belongs to.

    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    regions: int = 0

    def begin(self, at: int) -> None:
        """Begin a region here; no span begins after it."""
        if not self.regions and (not self.ends or self.ends[-1] < at):
            self.starts.append(at)
            self.ends.append(at)
        self.regions += 1

    def end(self, at: int) -> None:
        """End one of the open regions."""
        self.ends[-1] = max(self.ends[-1], at)
        self.regions -= 1

    def cover(self, at: int) -> bool:
        """Return whether findings are suppressed at an offset."""
        index = bisect_right(self.starts, at) - 1
        is_last = index == len(self.starts) - 1
        return index >= 0 and (at < self.ends[index] or (is_last and self.regions > 0))


@dataclass(slots=True)
class _Element:
    """A suppression up to the end of the next element.

    Attributes:
        selectors: of the comment.
        codes: of the rules that no earlier comment suppresses for the same element.
        start: the end of the comment.
        position: the least offset at which the element can begin.

    """

    selectors: tuple[str, ...]
    codes: frozenset[str]
    start: int
    position: int


class Suppressions:
    """Read the comments of one document, and decide which findings they suppress."""

    def __init__(self) -> None:
        self._spans: defaultdict[str, _Spans] = defaultdict(_Spans)  # by the codes of rules
        #: The selectors of regions that have no end yet.
        self._off: set[tuple[str, ...]] = set()
        self._elements: list[_Element] = []
        self._kept = b""  # the rest of the view, which may begin a comment
        self._offset = 0  # the offset of `_kept`
        self._read = 0  # the end of the last comment
        self._bom = 0
        self._unit = 1

    def locate(self, bom: int, unit: int) -> None:
        """Set how byte offsets map to offsets in the view.

        Args:
            bom: length of the byte order mark.
            unit: bytes in one unit of the view.

        """
        self._bom = bom
        self._unit = unit

    def feed(self, view: bytes) -> None:
        """Read the next bytes of the view."""
        buffer = self._kept + view
        for comment in _COMMENT.finditer(buffer, max(0, self._read - self._offset)):
            self._find_ends(buffer, comment.start())
            self._take(comment)
        self._find_ends(buffer, len(buffer))
        end = self._offset + len(buffer)
        keep = max(self._read, end - _LONGEST_COMMENT)
        for element in self._elements[:]:
            if end - element.start > _LONGEST_ELEMENT:
                self._elements.remove(element)
                self._end(element.codes, end)
            else:
                keep = min(keep, element.position)
        self._kept = buffer[max(0, keep - self._offset) :]
        self._offset = end - len(self._kept)

    def _find_ends(self, buffer: bytes, end: int) -> None:
        """Search for the ends of elements before an offset of the buffer."""
        for element in self._elements[:]:
            tag = _TAG_START.search(buffer, element.position - self._offset, end)
            element.position = self._offset + (max(0, end - 1) if tag is None else tag.start())
            found = None if tag is None else _ELEMENT.match(buffer, tag.start(), end)
            if found is not None:
                self._elements.remove(element)
                self._end(element.codes, self._offset + found.end())

    def _take(self, comment: re.Match[bytes]) -> None:
        verb = comment[1].lower()
        selectors = tuple(re.findall(r"[A-Za-z0-9_-]+", comment[2].decode("ascii")))
        self._read = self._offset + comment.end()
        if verb == b"on":
            self._end_regions(selectors, self._offset + comment.start() - 1)
        elif verb == b"off":
            if selectors not in self._off:
                self._off.add(selectors)
                self._begin(_codes(selectors))
        else:
            waiting = (element.codes for element in self._elements)
            codes = _codes(selectors).difference(*waiting)
            if codes:
                self._begin(codes)
                self._elements.append(_Element(selectors, codes, self._read, self._read))

    def _end_regions(self, selectors: tuple[str, ...], at: int) -> None:
        """End the regions with the same selectors; without selectors, all regions."""
        for begun in self._off & {selectors} if selectors else self._off.copy():
            self._off.remove(begun)
            self._end(_codes(begun), at)
        for element in self._elements[:]:
            if not selectors or element.selectors == selectors:
                self._elements.remove(element)
                self._end(element.codes, at)

    def _begin(self, codes: Iterable[str]) -> None:
        for code in codes:
            self._spans[code].begin(self._read)

    def _end(self, codes: Iterable[str], at: int) -> None:
        for code in codes:
            self._spans[code].end(at)

    def covers(self, offset: int, rule: Rule) -> bool:
        """Return whether a finding of a rule is suppressed at a byte offset of the source."""
        if not self._spans:
            return False
        at = (offset - self._bom) // self._unit
        spans = (self._spans.get(code) for code in (_EVERY, rule.code))
        return any(known is not None and known.cover(at) for known in spans)

    def covering(self, offset: int, rules: Iterable[Rule]) -> frozenset[str]:
        """Return the codes of those rules whose findings are suppressed at a byte offset of the source."""
        if not self._spans:
            return _NONE
        return frozenset(rule.code for rule in rules if self.covers(offset, rule))


def _codes(selectors: tuple[str, ...]) -> frozenset[str]:
    """Return the codes of the rules that selectors match."""
    return _matched(selectors, tuple([rule.code for rule in rules()]))


@lru_cache(maxsize=64)
def _matched(selectors: tuple[str, ...], codes: tuple[str, ...]) -> frozenset[str]:
    """Return those of the codes of all rules that selectors match."""
    if not selectors:
        return frozenset({_EVERY})
    return frozenset(all_meant(selectors) & {*codes})
