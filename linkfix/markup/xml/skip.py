"""The skip over XML: one pattern matches everything unwanted up to the next single value.

Input: the wanted names (`Wanted`), as written under the namespaces in force. Output: a pattern for `finditer`
over markup that expat has found well-formed. Each match skips everything unwanted. It ends with the next single value,
if nothing else of that element is wanted:

    step    ::= skipped* text? ( '<' ( link | content ) )?
    skipped ::= text? '<' ( '/' name S? '>' | name attribute* S? '/'? '>' )
    link    ::= name attribute* S name S? '=' S? value attribute* S? '/'? '>'
    content ::= name attribute* S? '>' ( text? | S? '<![CDATA[' section ']]>' S? )

Here an `attribute` has no wanted name, and no value with a wanted beginning. Only a `content` is an element whose
text is wanted. An empty-element tag of such an element ends the step, since an empty text is a value too. The text of
a *document* element is wanted only if it may contain tags; without any, the element is like any other.
Values (XML 1.0, 3.1 [41]) and text contain no ``<``. So a tag is a name and quoted values, and everything up to the
next ``<`` is text. A step ends before comments, CDATA sections, instructions, the declaration of a namespace or a
base, two wanted values in one tag, and names that are long, not ASCII or with an unbound prefix.

The pattern compiles for some milliseconds, so `Skip` compiles it only after many tags have been read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from linkfix.markup.patterns import either
from linkfix.markup.xml.tags import END_TAGS

_SPACE = rb"[\t\n\r ]"
_GAP = _SPACE + rb"*+"
_EQUALS = _GAP + b"=" + _GAP
_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
#: A name without a colon, of at most so many octets after the first one.
_PART = rb"[A-Za-z_][A-Za-z0-9_.\-]{0,%d}+"
_PREFIX = rb"(?:(?:%b):)?+"
_NAME_END = rb"(?=[\t\n\r />])"
#: A style without URLs: every URL in CSS has one of these characters around it.
_NO_URL = rb"""(?:"[^"(@\\&]*+"|'[^'(@\\&]*+')"""
#: The whole end tag: expat has then checked that it belongs to the same element.
_END_TAG = rb"(?=</[^>]*+>)"
_SECTION = rb"<!\[CDATA\[(?P<section>[^\]]*+(?:\](?!\]>)[^\]]*+)*+)\]\]>"
#: A text without the spelling of a tag's beginning.
_NO_TAGS = rb"(?:[^<&]++|&(?!lt;|LT;|#))*+"
#: The number of patterns that are cached.
_KEPT = 256
#: Compile a pattern after it would have skipped this many tags, of any documents.
_PATIENCE = 512
#: A longer pattern, for many vocabularies, is not used: every tag is read.
_LONGEST_PATTERN = 6000
#: Names with more octets, and elements with more attributes, are always read.
_LONGEST_NAME, _MOST_ATTRIBUTES = 256, 256


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wanted names under certain namespaces, as written.

    Attributes:
        prefixes: the bound prefixes; a name with any other prefix is read.
        texts: elements whose text is wanted.
        attributes: attributes that are wanted on some element.
        documents: elements whose text is wanted if it may contain tags, as themselves or as references.
        styles: attributes, among `attributes`, whose value is CSS.
        beginnings: pattern of the beginnings of values that are wanted in any attribute; empty for no such values.
        values: whether a value may be returned without its element.

    """

    prefixes: frozenset[str]
    texts: frozenset[str]
    attributes: frozenset[str]
    documents: frozenset[str] = frozenset()
    styles: frozenset[str] = frozenset()
    values: bool = True
    beginnings: bytes = b""


class Skip:
    """The pattern of a skip, compiled once that saves more time than it costs.

    Args:
        wanted: the wanted names.
        name: octets of the longest name that is skipped.
        attributes: the most attributes of an element that is skipped.

    """

    def __init__(self, wanted: Wanted, name: int, attributes: int) -> None:
        self._settings = wanted, name, attributes
        self._asked = 0
        self._pattern: re.Pattern[bytes] | None = None

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern; for the first tags, one that skips only end tags."""
        if self._pattern is None:
            self._asked += 1
            if self._asked <= _PATIENCE:
                return END_TAGS
            pattern = pattern_of(*self._settings)
            self._pattern = re.compile(pattern) if len(pattern) <= _LONGEST_PATTERN else END_TAGS
        return self._pattern


@lru_cache(maxsize=_KEPT)
def skip_of(wanted: Wanted, name: int, attributes: int) -> Skip:
    """Return the skip for wanted names: one object for all documents.

    Args:
        wanted: the wanted names.
        name: octets of the longest name that a document may have.
        attributes: the most attributes that an element may have.

    """
    return Skip(wanted, min(name, _LONGEST_NAME), min(attributes, _MOST_ATTRIBUTES))


def pattern_of(wanted: Wanted, name: int, attributes: int) -> bytes:
    """Return the source of the pattern of a step, by the grammar in the module's opening.

    Args:
        wanted: the wanted names.
        name: octets of the longest name that is skipped.
        attributes: the most attributes of an element that is skipped.

    Returns:
        A pattern that always matches, possibly the empty string. In a match that ends with a value the last
        group is ``link`` or ``content``. A link has the groups ``name``, ``attribute`` and ``value``, with its
        quotes; a content has ``tag``, the start tag without its angle brackets, and ``text`` or ``section``.

    """
    longest = max((len(prefix) + 1 for prefix in wanted.prefixes), default=0)
    full = (_PREFIX % _one_of(wanted.prefixes)) + _PART % max(name - longest - 1, 0)
    texts = _one_of(wanted.texts) + _NAME_END
    documents = _one_of(wanted.documents) + _NAME_END
    # A start tag, and a text with more than characters before its end tag.
    has_tags = rb"""%b(?:[^"'>]++|%b)*+(?<!/)>%b(?!</)""" % (documents, _QUOTED, _NO_TAGS)
    quoted = _QUOTED
    if wanted.beginnings:
        quoted = rb"""(?!["'](?:%b))%b""" % (wanted.beginnings, _QUOTED)
    unwanted = rb"(?!(?:%b)[\t\n\r =]|xmlns:)%b" % (
        _one_of({*wanted.attributes, "xmlns", "xml:base"}), full + _EQUALS + quoted
    )  # fmt: skip
    style = _one_of(wanted.styles) + _EQUALS + _NO_URL
    attribute = _SPACE + b"++" + (either([unwanted, style]) if wanted.styles else unwanted)
    most = b"{0,%d}+" % attributes
    half = b"(?:" + attribute + b"){0,%d}+" % max((attributes - 1) // 2, 0)
    begin = b"[^<]*+<"
    element = rb"(?!%b)%b" % (either([texts, has_tags]), full)
    tag = element + b"(?:" + attribute + b")" + most + _GAP + b"/?+>"
    skipped = b"(?:%b%b)*+" % (begin, either([rb"/[^>]*+>", tag]))
    if not wanted.values:
        return skipped
    value = rb"(?P<attribute>(?!xmlns|xml:base)%b)%b(?P<value>%b)" % (full, _EQUALS, _QUOTED)
    link = rb"(?P<link>(?P<name>%b)%b%b++%b%b%b/?+>)" % (
        element, half, _SPACE, value, half, _GAP
    )  # fmt: skip
    start_tag = rb"(?P<tag>(?=%b)%b(?:%b)%b%b)" % (
        either([texts, documents]), full, attribute, most, _GAP
    )  # fmt: skip
    inner = either([rb"(?P<text>[^<]*+)" + _END_TAG, _GAP + _SECTION + _GAP + _END_TAG])
    content = rb"(?P<content>%b>%b)" % (start_tag, inner)
    return skipped + b"(?:%b%b)?+" % (begin, either([link, content]))


def _one_of(names: Iterable[str]) -> bytes:
    """Return a pattern for one of several names, without those beyond ASCII, as a tree of their letters."""
    return _branches(sorted(name.encode() for name in names if name.isascii()))


def _branches(names: list[bytes]) -> bytes:
    by_letter: dict[bytes, list[bytes]] = {}
    for name in names:
        by_letter.setdefault(name[:1], []).append(name[1:])
    ends = by_letter.pop(b"", None) is not None
    found = [re.escape(letter) + _branches(rest) for letter, rest in by_letter.items()]
    if ends and not found:
        return b""
    if ends:
        return either(found) + b"?+"
    return found[0] if len(found) == 1 else either(found)
