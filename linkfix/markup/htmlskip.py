"""The skip over HTML: one pattern over what nobody wants, from one start tag that matters to the next.

The pattern is made from a table of wanted names (`Wanted`). Its grammar is that of the tokenizer (``html.py``),
of which it takes the states that lead back to the data state on their own:

    step  ::= skip ( '<' linked rest link rest '>' content? | stop )
    skip  ::= text ( '<' ( end-tag | other rest '>' | careful rest '>' | raw rest '>' content
                         | declaration | comment | nothing ) text )*
    rest  ::= ( gap attribute )*                an attribute that is not wanted
    link  ::= gap name '=' value                the attribute that is one link on this element
    content                                     of an element with raw text, up to its end tag

An *other* element is one that is not wanted, has no raw text and no attributes that depend on others; those
are *careful*. Where names are wanted that fragments lead to, one may stand before the link or instead of it. The
skip stops before something that the tokenizer has to read, or before a token that is not finished. The last step
extends to the end, so that the steps are all collected by the regular expression engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from string import ascii_letters
from typing import TYPE_CHECKING, TypeAlias

from linkfix.markup.htmlsyntax import ATTRIBUTE, EQUALS, NAME_END, any_case, one_of
from linkfix.markup.htmltokens import LinkColumns, Names
from linkfix.markup.patterns import either

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.markup.htmltokens import Token

__all__ = ["Conditions", "Wanted", "skip", "skipping"]

#: Elements, and for each attributes with the values that are looked for.
Conditions: TypeAlias = "tuple[tuple[str, tuple[tuple[str, frozenset[str]], ...]], ...]"

_GAP = rb"[\t\n\f\r /]*+"
_TAG_END = _GAP + rb">"
_NAME_REST = rb"[^\t\n\f\r />]*+"
_NAME = rb"[A-Za-z]" + _NAME_REST
_ATTRIBUTE_END = rb"(?=[\t\n\f\r />=])"
# What can come after the "<" of something that is no start tag.
_END_TAG = rb"/" + _NAME + rb"(?:>|(?:" + _GAP + ATTRIBUTE + rb")*+" + _TAG_END + rb")"
#: What is read as a bogus comment or a document type, and the end tag without a name.
_DECLARATION = rb"(?:!(?!--)|\?|/(?![A-Za-z]))[^>]*+>"
_COMMENT = rb"!--(?!-?>)(?:[^-]++|-(?!-!?>))*+--!?>"
#: Attributes so common that their usual spelling is tried first.
_COMMON = ("class", "id", "name", "rel", "title", "type")
#: Elements that are as common, likewise.
_COMMON_ELEMENTS = ("p", "span", "td", "tr")
#: The attributes that hold names which fragments lead to, ``name`` on ``a`` alone.
_NAMING = frozenset({"id", "name"})
#: So much of a wanted value is compared; the tokenizer decides on the rest.
_COMPARED = 4
#: How many steps are collected at once.
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The names of HTML that somebody wants to see. All of them are in lower case.

    Attributes:
        elements: every start tag of these is wanted.
        attributes: a start tag with one of these is wanted.
        conditions: elements that have wanted attributes of their own, but only where another
            attribute has one of certain values; for each of them those attributes and values.
        marked: attributes that are wanted only where the value has one of some characters, and
            those characters.
        texts: the elements after whose start tags comes text that is no markup and not wanted.
        comments: whether comments are wanted.
        links: attributes that are one link as a whole, and the elements that they are so on; none of them twice.
        names: whether the names that fragments lead to are wanted: the values of ``id``, and
            of ``name`` on ``a``.

    """

    elements: frozenset[str]
    attributes: frozenset[str]
    conditions: Conditions = ()
    marked: tuple[tuple[str, str], ...] = ()
    texts: frozenset[str] = frozenset()
    comments: bool = False
    links: tuple[tuple[str, frozenset[str]], ...] = ()
    names: bool = False


def skip(wanted: Wanted, buffer: bytes, position: int, offset: int, tokens: list[Token]) -> int:
    """Skip what nobody wants, and collect simple links and names.

    Args:
        wanted: what is wanted.
        buffer: part of the ASCII view of a document, in the data state outside foreign content.
        position: index in it at which to begin.
        offset: offset in the view of the first byte of the buffer.
        tokens: the list to which links and names are added, as columns.

    Returns:
        The index at which the tokenizer has to go on.

    """
    steps = skipping(wanted).finditer(buffer, position)
    end = None
    while end is None:
        links = [*islice(steps, _AT_ONCE)]
        while links and links[-1].lastgroup == "stop":
            end = links.pop().start("stop")
        if wanted.names:
            named = [step for step in links if step["name"] is not None]
            links = [step for step in links if step["value"] is not None]
            if named:
                tokens.append(Names.of(named))
        if links:
            tokens.append(LinkColumns(links, offset))
    return end


@lru_cache(maxsize=64)
def skipping(wanted: Wanted) -> re.Pattern[bytes]:
    """Return the pattern of one step; see above for its grammar.

    Args:
        wanted: what is wanted.

    Returns:
        A pattern that always matches. The groups ``element``, ``attribute`` and ``value``, with its quotes, are the
        parts of a link; ``name``, with its quotes, is a name that a fragment may lead to, and ``by`` its attribute.
        Where the skip ends, the last group is ``stop``, and the match extends to the end of the buffer.

    """
    rest = _rest(wanted)
    careful = {name for name, _ in wanted.conditions}
    raw = wanted.texts - wanted.elements
    other = _name_but(wanted.elements | careful | raw)
    parts = [
        _END_TAG,
        other + rest + _TAG_END,
        _DECLARATION,
        rb"(?=[^A-Za-z/!?])",  # a "<" that is text
    ]
    if careful:
        unwanted = b"(?:" + _GAP + _unless(wanted.conditions) + _attribute(wanted) + b")*+"
        parts.append(one_of(careful) + NAME_END + unwanted + _TAG_END)
    if not wanted.comments:
        parts.append(_COMMENT)
    if raw:
        # The last one: where another is taken after it, Python takes its group to begin there.
        name = b"(?P<raw>" + one_of(raw) + b")(?:" + _common(wanted) + b")*+"
        parts.append(name + _TAG_END + _content(b"raw"))
    skip = rb"[^<]*+(?:<" + either(parts) + b"[^<]*+)*+"
    stop = rb"(?P<stop>)(?s:.*+)"
    return re.compile(
        skip + (either([_ending(wanted, other, rest), stop]) if wanted.links else stop)
    )


def _ending(wanted: Wanted, other: bytes, rest: bytes) -> bytes:
    """Match a start tag with one simple link, or with names, and its content where that is no markup."""
    heads: list[bytes] = []
    attribute, content = b"(?!)", b""
    for number, (linked, elements) in enumerate(_groups(wanted)):
        group = b"on%d" % number
        heads.append(b"(?P<" + group + b">" + one_of(elements) + b")" + NAME_END)
        attribute = b"(?(" + group + b")" + any_case(linked) + b"|" + attribute + b")"
        if elements <= wanted.texts:
            content += b"(?(" + group + b")" + _content(group) + b")"
    value = b"(?P<value>" + _in_quotes(b"") + b")"
    link = rb"[\t\n\f\r /]++(?P<attribute>" + attribute + b")" + EQUALS + value + rest
    if not wanted.names:
        tag = b"(?P<element>" + either(heads) + b")" + rest + link
        return b"<" + tag + _TAG_END + content
    name = (
        rb"(?:[\t\n\f\r /]++(?P<by>[iI][dD]|[nN][aA][mM][eE])"
        + EQUALS
        + b"(?P<name>"
        + _in_quotes(rb"&\x80-\xff")
        + b")"
        + rest
        + b")?+"
    )
    tag = b"(?P<element>" + either([*heads, other]) + b")" + rest + name + b"(?:" + link + b")?+"
    return b"<" + tag + b"(?(value)|(?(name)|(?!)))" + _TAG_END + content


def _groups(wanted: Wanted) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield attributes that are links, with elements of which all have raw text or none has."""
    for name, elements in wanted.links:
        for group in (elements - wanted.texts, elements & wanted.texts):
            if group - wanted.elements:
                yield name, group - wanted.elements


def _content(group: bytes) -> bytes:
    """Match the raw text of the element that a group has matched, up to its end tag.

    It ends in the states that it begins in; "<!--" in a script leads to others.
    """
    end = rb"</(?i:(?P=%b))" % group + NAME_END
    return rb"(?:[^<]++|<(?!/(?i:(?P=%b))" % group + NAME_END + rb"|!--))*+(?=" + end + rb")"


def _name_but(names: Iterable[str]) -> bytes:
    """Match the name of a tag, but for certain names; most are told by their first letter."""
    firsts = {name[0] for name in names}
    others = "".join(letter for letter in ascii_letters if letter.lower() not in firsts).encode()
    alike = b"(?!" + one_of(names) + NAME_END + b")[A-Za-z]"
    name = either([b"[" + others + b"]", alike]) + _NAME_REST
    common = either(name.encode() for name in _COMMON_ELEMENTS if name not in names)
    return either([common + b"(?=[ >])", name])


def _rest(wanted: Wanted) -> bytes:
    """Match attributes that are not wanted."""
    others = either([b"(?=>)", b"(?:" + _GAP + _attribute(wanted) + b")*+"])
    return either([b"(?=>)", b"(?:" + _common(wanted) + b")*+" + others])


def _common(wanted: Wanted) -> bytes:
    """Match a common attribute that is not wanted, in its usual spelling."""
    return (
        b" "
        + either(name.encode() for name in _COMMON if name not in _names(wanted))
        + b'="[^"]*+"'
    )


def _attribute(wanted: Wanted) -> bytes:
    """Match an attribute that is not wanted, without what stands before it."""
    other = b"(?!" + one_of(_names(wanted)) + _ATTRIBUTE_END + b")" + ATTRIBUTE
    harmless = (
        any_case(name) + EQUALS + b'"[^"' + re.escape(chars).encode() + b']*+"'
        for name, chars in wanted.marked
    )
    return either([other, *harmless])


def _names(wanted: Wanted) -> frozenset[str]:
    """Return the names of attributes that may be wanted."""
    marked = (name for name, _ in wanted.marked)
    return wanted.attributes.union(marked, _NAMING if wanted.names else ())


def _unless(conditions: Conditions) -> bytes:
    """Refuse an attribute whose value begins like a wanted one, or may be spelled so."""
    beginnings: dict[str, set[bytes]] = {}
    for _, own in conditions:
        for name, values in own:
            compared = (re.escape(value[:_COMPARED]).encode() for value in values)
            beginnings.setdefault(name, set()).update(compared)
    wanted = (
        name.encode() + EQUALS + rb"""["']?+""" + either([*sorted(values), rb"[^&\s>\"']*+&"])
        for name, values in beginnings.items()
    )
    return b"(?!(?i:" + either(wanted) + b"))"


def _in_quotes(but: bytes) -> bytes:
    """Match a value without NUL, CR and certain other bytes, in quotes of either kind or none."""
    return (
        rb"""(?:"[^"\0\r%b]*+"|'[^'\0\r%b]*+'|(?![\t\n\f\r >])[^\t\n\f\r >"'\0%b]*+(?=[\t\n\f\r >]))"""
        % (but, but, but)
    )
