"""The skip over HTML: one pattern matches everything unwanted between two wanted start tags.

Input: a table of wanted names (`Wanted`), and bytes of the view. Output: columns of simple links and names, and
the index at which the tokenizer continues. The grammar is that of the tokenizer (``html.py``), for tokens that begin
and end in the data state:

    step  ::= skip ( '<' linked rest ( link rest )? '>' | '<' linked-text rest link rest '>' content | stop )
    skip  ::= text ( '<' ( end-tag | common rest '>' | other rest '>' | declaration | comment
                         | careful rest '>' | raw rest '>' content | nothing ) text )*
    rest  ::= ( gap attribute )*                an attribute that is not wanted
    link  ::= gap name '=' value                the attribute that is one link on this element
    content                                     of an element with raw text, up to its end tag

A *linked* element has an attribute that is one link; *linked-text* is one with text as content. A *careful* element has an
attribute that is wanted or not by the value of another one. An *other* element is not wanted, not linked, not careful and has
no raw text. What is common is tried first, in its most frequent spelling: Python passes over an alternative that begins with
another letter, and each other one costs as much as ten bytes of text.
If the targets of fragments are wanted, one may be before the link or instead of it, and be repeated as ``name``. The skip
ends before a token that the tokenizer must read, or before an unfinished one. The last step extends to the end of the
buffer, so that the regular expression engine collects all steps. The cost: the pattern compiles for some milliseconds,
once for each table.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import TypeAlias

from linkfix.markup.html.tokens import ATTRIBUTE, EQUALS, NAME_END, LinkColumns, Names, Token
from linkfix.markup.patterns import either, one_of

#: Elements, each with attributes and their wanted values.
Conditions: TypeAlias = "tuple[tuple[str, tuple[tuple[str, frozenset[str]], ...]], ...]"

_GAP = rb"[\t\n\f\r /]*+"
_TAG_END = _GAP + rb">"
_NAME_REST = rb"[^\t\n\f\r />]*+"
_NAME = rb"[A-Za-z]" + _NAME_REST
_ATTRIBUTE_END = rb"(?=[\t\n\f\r />=])"
# The rest of an end tag after its "<", and that of the most frequent ones; "</5>", a bogus comment, ends where they end.
_END_TAG = rb"/" + _NAME + rb"(?:" + _GAP + ATTRIBUTE + rb")*+" + _TAG_END
_COMMON_END_TAG = rb"/[A-Za-z0-9]++>"
#: A bogus comment, a document type, or an end tag without a name.
_DECLARATION = rb"(?:!(?!--)|\?|/(?![A-Za-z]))[^>]*+>"
_COMMENT = rb"!--(?!-?>%b)(?:[^-]++|-(?!-!?>))*+--!?>"
#: Attributes so common that their most frequent spelling is tried first.
_COMMON = frozenset(("align", "alt", "class", "height", "id", "name", "title", "type", "width"))
#: Elements so common that their most frequent spelling is tried first.
_COMMON_ELEMENTS = frozenset(
    (
        *("b", "br", "code", "dd", "div", "dt", "em", "font", "h2", "h3", "i", "li", "p"),
        *("pre", "span", "strong", "table", "td", "th", "tr", "ul"),
    )
)
#: A name once more, for readers that know ``name`` alone: ``<a id="x" name="x">``.
_TWIN = rb"(?:[\t\n\f\r /]++[nN][aA][mM][eE]" + EQUALS + rb"(?P=name)(?=[\t\n\f\r >]))?+"
#: The attributes that name targets of fragments, ``name`` on ``a`` alone.
_NAMING = frozenset({"id", "name"})
#: The number of characters of a wanted value that the pattern compares; the tokenizer compares the rest.
_COMPARED = 9
#: The number of steps that are collected at once.
_AT_ONCE = 4096
#: Parts of a step, with their quotes, so that none is empty; None where it has none.
_NAME_OF, _VALUE_OF = itemgetter("name"), itemgetter("value")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The wanted names of HTML, in lower case.

    Attributes:
        elements: elements whose every start tag is wanted.
        attributes: attributes with which a start tag is wanted.
        conditions: elements that are wanted if an attribute has one of certain values, each with those attributes and
            values.
        marked: attributes that are wanted if their value has one of certain characters, each with those characters.
        texts: elements with text as content; the text is not wanted.
        documents: elements with text as content; the text is wanted if it contains a ``<``.
        comments: whether conditional comments are wanted.
        links: attributes whose whole value is one link, each with its elements; none of them twice.
        names: whether the targets of fragments are wanted: the values of ``id``, and of ``name`` on ``a``.
        scripts: types of scripts whose content is wanted, where they have no ``src``.

    """

    elements: frozenset[str]
    attributes: frozenset[str]
    conditions: Conditions = ()
    marked: tuple[tuple[str, str], ...] = ()
    texts: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    comments: bool = False
    links: tuple[tuple[str, frozenset[str]], ...] = ()
    names: bool = False
    scripts: frozenset[str] = frozenset()


def skip(wanted: Wanted, buffer: bytes, position: int, offset: int, tokens: list[Token]) -> int:
    """Skip everything unwanted, and collect simple links and names.

    Args:
        wanted: the wanted names.
        buffer: part of the ASCII view of a document, in the data state outside foreign content.
        position: index in the buffer at which the skip begins.
        offset: offset in the view of the first byte of the buffer.
        tokens: the list to which links and names are added, as columns.

    Returns:
        The index at which the tokenizer continues.

    """
    steps = skipping(wanted).finditer(buffer, position)
    end = None
    while end is None:
        links = [*islice(steps, _AT_ONCE)]
        while links and links[-1].lastgroup == "stop":
            end = links.pop().start("stop")
        if wanted.names:
            named = [*filter(_NAME_OF, links)]
            if named:
                tokens.append(Names.of(named))
        if wanted.links and (links := [*filter(_VALUE_OF, links)]):
            tokens.append(LinkColumns(links, offset))
    return end


@lru_cache(maxsize=64)
def skipping(wanted: Wanted) -> re.Pattern[bytes]:
    """Return the pattern of one step, by the grammar in the module's opening.

    Args:
        wanted: the wanted names.

    Returns:
        A pattern that always matches. The groups ``element``, ``attribute`` and ``value``, with its quotes, are the
        parts of a link; ``name``, with its quotes, is a target of fragments, and ``by`` its attribute.
        Where the skip ends, the last group is ``stop``, and the match extends to the end of the buffer.

    """
    rest, attributes = _rest(wanted), b"(?:" + _common(wanted) + b")*+"
    careful = {name for name, _ in wanted.conditions}
    texts, documents = wanted.texts - wanted.elements, wanted.documents - wanted.elements
    special = wanted.elements | careful | texts | documents
    linked = {name for _, elements in _groups(wanted) for name in elements}
    other = _name_but(special | linked)
    parts = [
        _COMMON_END_TAG,
        one_of(_COMMON_ELEMENTS - special - linked, folds=False) + attributes + b">",
        other + rest + _TAG_END,
        _END_TAG,
        _DECLARATION,
        _COMMENT % (rb"|\[if " if wanted.comments else b""),
        rb"[^A-Za-z/!?<]",  # after a "<" that is text
    ]
    rare = [rb"(?=<)"]
    if careful:
        # Their ``name`` is no target of a fragment.
        attribute = _attribute(wanted, frozenset({"id"}))
        unwanted = b"(?:" + _GAP + _unless(wanted.conditions) + attribute + b")*+"
        rare.append(one_of(careful) + NAME_END + unwanted + _TAG_END)
    names = [one_of([name]) for name in sorted(documents)]
    rare += [name + b">" + _empty(name) for name in names]
    if texts:
        # The last one: where another alternative follows, Python reports a wrong start for its group, or an error.
        name = b"(?P<raw>" + one_of(texts) + b")"
        if wanted.scripts:
            begins = either(re.escape(x[:_COMPARED]).encode() for x in sorted(wanted.scripts))
            attributes = b'(?:(?! type="(?i:' + begins + b'|[^"&]*+&))' + _common(wanted) + b")*+"
        rare.append(name + attributes + _TAG_END + _content(b"raw"))
    firsts = {name[0] for name in careful | texts | documents}
    parts.append(b"(?=[<" + _letters(firsts) + b"])" + either(rare))
    skip = rb"[^<]*+(?:<" + either(parts) + b"[^<]*+)*+"
    stop = rb"(?P<stop>)(?s:.*+)"
    return re.compile(
        skip
        + (either([_ending(wanted, other, rest), stop]) if wanted.links or wanted.names else stop)
    )


def _ending(wanted: Wanted, other: bytes, rest: bytes) -> bytes:
    """Return a pattern for a start tag with one simple link, or with names, and for its content if that is text."""
    heads: list[bytes] = []
    attribute, content, alone = b"(?!)", b"", b"(?!)"
    for number, (linked, elements) in enumerate(_groups(wanted)):
        group = b"on%d" % number
        heads.append(b"(?P<" + group + b">" + one_of(elements) + b")" + NAME_END)
        attribute = b"(?(" + group + b")" + one_of([linked]) + b"|" + attribute + b")"
        if elements <= wanted.texts:
            content += b"(?(" + group + b")" + _content(group) + b")"
        elif elements <= wanted.documents:
            content += b"(?(" + group + b")" + _empty(b"(?i:(?P=%b))" % group) + b")"
        else:
            alone = b"(?(" + group + b")|" + alone + b")"
    value = b"(?P<value>" + _in_quotes(b"") + b")"
    link = rb"[\t\n\f\r /]++(?P<attribute>" + attribute + b")" + EQUALS + value + rest
    if not wanted.names:
        tag = b"<(?P<element>" + either(heads) + b")" + rest + b"(?:" + link + b")?+"
        return tag + b"(?(value)|" + alone + b")" + _TAG_END + content
    name = (
        rb"(?:[\t\n\f\r /]++(?P<by>[iI][dD]|[nN][aA][mM][eE])"
        + EQUALS
        + b"(?P<name>"
        + _in_quotes(rb"&\x80-\xff")
        + b")"
        + _TWIN
        + rest
        + b")"
    )
    tag = b"<(?P<element>" + either([*heads, other]) + b")" + rest + name
    if not wanted.links:
        return tag + _TAG_END
    return tag + b"?+(?:" + link + b")?+(?(value)|(?(name)|" + alone + b"))" + _TAG_END + content


def _groups(wanted: Wanted) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield attributes that are links, each with elements of one sort: without text, with text, with a document."""
    texts, documents = wanted.texts, wanted.documents
    for name, elements in wanted.links:
        others = elements - wanted.elements
        for group in (others - texts - documents, others & texts, others & documents):
            if group:
                yield name, group


def _content(group: bytes) -> bytes:
    """Return a pattern for the raw text of the element in a group, up to its end tag.

    The tokenizer stays in one state in it. So it does not match "<!--" in a script, which begins another state.
    """
    end = rb"</(?i:(?P=%b))" % group + NAME_END
    return rb"(?:[^<]++|<(?!/(?i:(?P=%b))" % group + NAME_END + rb"|!--))*+(?=" + end + rb")"


def _empty(name: bytes) -> bytes:
    """Return a pattern for text without tags, up to the end tag of an element; `name` is a pattern for its name."""
    return rb"[^<]*+(?=</" + name + NAME_END + rb")"


def _name_but(names: Iterable[str]) -> bytes:
    """Return a pattern for names of tags except certain ones; most names differ from those in the first letter."""
    firsts = {name[0] for name in names}
    letters = filter(str.isalpha, map(chr, range(0x80)))
    others = "".join(letter for letter in letters if letter.lower() not in firsts).encode()
    excepted = [
        b"[" + _letters(first) + b"]" + one_of(name[1:] for name in names if name[0] == first)
        for first in sorted(firsts)
        if _letters(first)  # no tag begins with another character
    ]
    if "a" in names:  # the most frequent one
        excepted.insert(0, b"a(?= )")
    alike = b"(?!" + either(excepted) + NAME_END + b")[A-Za-z]"
    return either([b"[" + others + b"]", alike]) + _NAME_REST


def _letters(firsts: Iterable[str]) -> bytes:
    """Return those of some lower-case characters that are ASCII letters, each in either case."""
    letters = (first + first.upper() for first in firsts if first.isascii() and first.isalpha())
    return "".join(sorted(letters)).encode()


def _rest(wanted: Wanted) -> bytes:
    """Return a pattern for attributes that are not wanted; a frequent one that may be wanted ends it at once."""
    ends = either([b">", b" " + one_of(_names(wanted) & {"href", "src"}, folds=False) + b'="'])
    slow = b"(?!" + ends + b")" + _GAP + _attribute(wanted)
    return b"(?:" + either([_common(wanted), slow]) + b")*+"


def _common(wanted: Wanted) -> bytes:
    """Return a pattern for a common attribute that is not wanted, in its most frequent spelling."""
    return b" " + one_of(_COMMON - _names(wanted), folds=False) + b'="[^"]*+"'


def _attribute(wanted: Wanted, naming: frozenset[str] = _NAMING) -> bytes:
    """Return a pattern for an attribute that is not wanted, without the space before it; `naming` are targets of fragments."""
    other = b"(?!" + one_of(_names(wanted, naming)) + _ATTRIBUTE_END + b")" + ATTRIBUTE
    harmless = (
        one_of([name]) + EQUALS + b'"[^"' + re.escape(chars).encode() + b']*+"'
        for name, chars in wanted.marked
    )
    return either([other, *harmless])


def _names(wanted: Wanted, naming: frozenset[str] = _NAMING) -> frozenset[str]:
    """Return the names of attributes that may be wanted; `naming` are targets of fragments."""
    marked = (name for name, _ in wanted.marked)
    return wanted.attributes.union(marked, naming if wanted.names else ())


def _unless(conditions: Conditions) -> bytes:
    """Return a pattern that rejects an attribute with a condition if its value begins like a wanted one, or has references or tokens."""
    names = {name for _, own in conditions for name, _ in own}
    begins = {value[:_COMPARED] for _, own in conditions for _, values in own for value in values}
    values = [one_of(begins, folds=False), rb"[^&\s>\"']*+&", rb"(?<=[\"'])[^&\s>\"']*+\s"]
    return (
        b"(?!(?i:" + one_of(names, folds=False) + EQUALS + rb"""["']?+""" + either(values) + b"))"
    )


def _in_quotes(but: bytes) -> bytes:
    """Return a pattern for a value without NUL, CR and certain other bytes, in quotes of either kind or none."""
    return (
        rb"""(?:"[^"\0\r%b]*+"|'[^'\0\r%b]*+'|(?![\t\n\f\r >])[^\t\n\f\r >"'\0%b]*+(?=[\t\n\f\r >]))"""
        % (but, but, but)
    )
