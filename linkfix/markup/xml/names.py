"""Names first: one pattern finds the tags of XML with wanted names, and the single values in them.

Input: the wanted names (`Wanted`), as written under the namespaces in force. Output: a pattern for `finditer` over
markup that expat has found well-formed. Values (XML 1.0, 3.1 [41]) and text contain no ``<``, so the pattern runs from
one ``<`` to the next. It matches too much rather than too little; the tables decide. Each match is one of:

    link    ::= '<' name attribute* S name S? '=' S? quote value
    content ::= '<' name attribute* S? '>' ( text? | S? '<![CDATA[' section )
    other   ::= '<' rest of the view

Here an `attribute` has no wanted name; no wanted one follows a `link`, and the end tag follows a `content`. Only a
`content` is an element whose text is wanted. The text of a *document* element is wanted only if it may contain tags. An
`other` begins with a token that must be read by itself: a tag with several values, a comment, a CDATA section, an
instruction.

What matters in any tag is found beforehand (`odd_tags`): declarations of namespaces, bases, names beyond ASCII, tags
that may exceed a limit. The pattern compiles for some milliseconds, so `Finder` compiles it only after many tags have
been read. The weak spot: where attributes of any element are wanted, each tag with attributes is matched as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.markup.patterns import either, one_of

if TYPE_CHECKING:
    from linkfix.markup.xml.limits import Limits

_SPACE = rb"[\t\n\r ]"
_GAP = _SPACE + rb"*+"
_EQUALS = rb"(?:=|%b=%b)" % (_GAP, _GAP)
_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
_ANY_NAME = rb"[^\t\n\r />=]++"
_NAME_END = rb"(?=[\t\n\r />])"
#: A style without URLs: every URL in CSS has one of these characters around it.
_NO_URL = rb"""(?:"[^"(@\\&]*+"|'[^'(@\\&]*+')"""
_SECTION = rb"[^\]]*+(?:\](?!\]>)[^\]]*+)*+(?=\]\]>%b</)" % _GAP
#: The rest of a tag, and a text without the spelling of a tag's beginning, if any. Repeats of one character are fast.
_NO_TAGS = (
    rb"(?:[^>]*+>(?![^<]*&(?:lt;|LT;|#))[^<]*+</"
    rb"""|(?:[^>"']++|"[^"]*+"|'[^']*+')*+(?<=/)>)"""
)
_REST = b"(?s:.*)"
_NO_VALUES = b"<%b(?:" + _REST + b"|(?P<name>)(?P<mark>)(?P<value>))"
#: Every token, and every token but end tags.
EVERY_TOKEN, EVERY_START = re.compile(_NO_VALUES % b""), re.compile(_NO_VALUES % b"(?!/)")
#: The number of patterns that are cached.
_KEPT = 256
#: Compile a pattern after so many tags have been read, of any documents.
_PATIENCE = 512

#: What changes the meaning of names and values inside an element.
_DECLARES = re.compile(rb"xml(?:ns|:base)")
_TEMPLATE = b"<template"
#: What is removed from markup before a name beyond ASCII is looked for: all ASCII but quotes and the marks of tags.
_NO_MARK = bytes(octet for octet in range(0x80) if octet not in b"<>\"'!?")
_NAME_BEYOND_ASCII = re.compile(rb"""<(?:"[^"<]*+"|'[^'<]*+')*+[\x80-\xff]""")
_TAG_BEYOND_ASCII = re.compile(
    rb"""<(?![!?/])(?:[^"'<>\x80-\xff]++|"[^"<]*+"|'[^'<]*+')*+[\x80-\xff]"""
)
#: The fewest octets of an attribute: a space, a name, and no value between quotes.
_SHORTEST_ATTRIBUTE = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wanted names under certain namespaces, as written.

    Attributes:
        prefixes: the bound prefixes; a name with any other prefix is read.
        texts: elements whose text is wanted.
        attributes: attributes that are wanted on some element.
        elements: elements with such attributes; None if some attributes or values are wanted on any element.
        documents: elements, among `texts`, whose text is wanted if it may contain tags, as themselves or as references.
        styles: attributes, among `attributes`, whose value is CSS.
        values: whether a value may be returned without its element.
        beginnings: pattern of the beginnings of values that are wanted in any attribute; empty for no such values.
        is_bare: whether elements without a namespace are wanted, and so those with a prefix that is not bound.

    """

    prefixes: frozenset[str]
    texts: frozenset[str]
    attributes: frozenset[str]
    elements: frozenset[str] | None = None
    documents: frozenset[str] = frozenset()
    styles: frozenset[str] = frozenset()
    values: bool = True
    beginnings: bytes = b""
    is_bare: bool = False


class Finder:
    """The pattern for wanted names, compiled once that saves more time than it costs; None for every start tag."""

    def __init__(self, wanted: Wanted | None) -> None:
        self._wanted = wanted
        self._asked = 0
        self._pattern: re.Pattern[bytes] | None = None

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern; for the first tags, one that finds every start tag."""
        if self._pattern is None and self._wanted is not None:
            self._asked += 1
            if self._asked > _PATIENCE:
                self._pattern = re.compile(pattern_of(self._wanted))
        return self._pattern or EVERY_START


@lru_cache(maxsize=_KEPT)
def finder_of(wanted: Wanted | None) -> Finder:
    """Return the finder of wanted names: one object for all documents."""
    return Finder(wanted)


def odd_tags(
    view: bytes, start: int, stop: int, limits: Limits, *, checks_names: bool = True
) -> Iterator[int]:
    """Yield the indexes of tags that must be read by themselves, whatever their names, in no order.

    Args:
        view: the view of the document.
        start: index at which the tags begin.
        stop: index at which they end.
        limits: the most that the document may need.
        checks_names: whether tags with names beyond ASCII must be read, since nothing else checks these names.

    """
    last = start
    for found in _DECLARES.finditer(view, start, stop):
        if (at := view.rfind(b"<", last, found.start())) >= 0:
            yield at
        last = found.start()
    at = view.find(_TEMPLATE, start, stop)
    while at >= 0:
        yield at
        at = view.find(_TEMPLATE, at + 1, stop)
    # A tag that may exceed a limit is so long that one of these steps is in it.
    step = max(min(limits.name, _SHORTEST_ATTRIBUTE * limits.attributes) // 2, 1)
    last = start
    for gap in range(start, stop, step):
        if view.find(b"<", gap, gap + step) < 0 and (at := view.rfind(b"<", last, gap)) >= 0:
            yield at
            last = gap
    if not checks_names or view.isascii():
        return
    marks = view[start:stop].translate(None, _NO_MARK)
    if _NAME_BEYOND_ASCII.search(marks):
        yield from (found.start() for found in _TAG_BEYOND_ASCII.finditer(view, start, stop))


def pattern_of(wanted: Wanted) -> bytes:
    """Return the source of the pattern, by the grammar in the module's opening.

    Returns:
        A pattern with the groups ``name``, the element's name, or for a text its start tag without the first angle
        bracket; ``mark``, the attribute with the quote, or the mark of a section; and ``value``, None in an `other`.

    """
    prefixes, attributes = _one_of(wanted.prefixes), _one_of(wanted.attributes)
    quoted = (
        rb"""(?!["'](?:%b))%b""" % (wanted.beginnings, _QUOTED) if wanted.beginnings else _QUOTED
    )
    other = rb"""(?!%b[\t\n\r =])(?:(?:%b):)?+[^"':>]++%b""" % (attributes, prefixes, quoted)
    if wanted.styles:
        other = either([other, _one_of(wanted.styles) + _EQUALS + _NO_URL])
    unwanted = rb"(?:%b++%b)*+" % (_SPACE, other)
    # A prefix that is not bound is in no namespace, as no prefix is.
    unbound = rb"(?!(?:%b):)[^\t\n\r />:]++:" % prefixes
    alone = either([rb"[!?]", unbound]) if wanted.is_bare else rb"[!?]"
    kinds = list[tuple[bytes, bytes, bytes, bytes]]()
    if wanted.texts:
        begins = _one_of(wanted.texts) + _NAME_END
        if wanted.documents:
            begins = rb"(?!%b%b)%b" % (_one_of(wanted.documents) + _NAME_END, _NO_TAGS, begins)
        name = rb"%b(?P<is_text>)(?:%b%b>|)" % (begins, unwanted, _GAP)
        value = either([rb"(?<=>)[^<]*+(?=</)", rb"(?<=\[)" + _SECTION])
        kinds.append((name, b"", rb"(?<=>)(?:%b<!\[CDATA\[|)" % _GAP, value))
    elements = wanted.elements
    if elements is None or elements:
        name = _ANY_NAME if elements is None else _one_of(elements)
        mark = rb"""%b%b["']""" % (_ANY_NAME, _EQUALS)
        quoted = rb"""(?:(?<=")[^"]*+|(?<=')[^']*+)"""
        value = rb"""%b(?=["']%b%b/?+>)""" % (quoted, unwanted, _GAP)
        kinds.append((name, rb"%b%b++(?![/>])" % (unwanted, _SPACE), mark, value))
    if not kinds:
        return _NO_VALUES % alone
    names, *others = zip(*kinds, strict=True)
    before, mark, value = (b"(?(is_text)%b)" % b"|".join(o) if o[1:] else o[0] for o in others)
    values = b"" if wanted.values else b"(?!)"
    single = rb"(?P<mark>%b)(?P<value>%b)%b" % (mark, value, values)
    wholes = rb"(?P<name>%b)%b%b" % (either(names), before, either([single, _REST]))
    return b"<(?!/)" + either([alone + _REST, wholes])


def _one_of(names: Iterable[str]) -> bytes:
    """Return a pattern for one of several names, without those beyond ASCII, as a tree of their letters."""
    return one_of(filter(str.isascii, names), folds=False)
