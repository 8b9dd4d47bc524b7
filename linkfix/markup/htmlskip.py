"""The skip over HTML: one pattern over what nobody wants, from one start tag that matters to the next.

The pattern is made from a table of wanted names (`Wanted`). Its grammar is that of the tokenizer (``html.py``),
of which it takes the states that lead back to the data state on their own:

    skip  ::= text ( '<' ( end tag | start tag without a wanted name | raw text element | comment
                         | declaration ) text )*
    step  ::= skip ( start tag with one simple link | start tag with simple names )?

A link or a name is *simple* where it is the whole value of an attribute without NUL or CR. A step that ends with
neither stands before something that the tokenizer has to read, or before a token that is not finished.
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
    from collections.abc import Iterable

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
#: The text of the element whose name is the group of this name, where it ends in the states that
#: it begins in; "<!--" in a script leads to others.
_TEXT = (
    rb"(?:[^<]++|<(?!/(?i:(?P=%s))" + NAME_END + rb"|!--))*+(?=</(?i:(?P=%s))" + NAME_END + rb")"
)
#: Attributes so common that the usual way of writing them is worth a try before all others.
_COMMON = ("class", "id", "name", "rel", "title", "type")
#: Elements that are as common, likewise.
_COMMON_ELEMENTS = ("p", "span", "td", "tr")
#: The elements that most links are on, the last of them most, so that they are tried before others.
_LINKING = ("script", "link", "img", "a")
#: What begins most links.
_LINK_BEGINS = rb"(?= (?:href|src)=\")"
#: The attributes that hold names which fragments lead to, on any element and on ``a``.
_NAMING, _NAMING_A = ("id",), ("id", "name")
#: How many steps are collected at once.
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
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
        links: attributes, and the elements of which each is one link, as a whole.
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
    while True:
        links: list[re.Match[bytes]] = []
        names: list[bytes] = []
        end = None
        for step in islice(steps, _AT_ONCE):
            ended = step.lastgroup
            if ended == "link":
                links.append(step)
            elif ended == "both":
                links.append(step)
                names += filter(None, step.group("name_before", "name_after"))
            elif ended == "named":
                names += filter(None, step.group("name", "again"))
            else:
                end = step.end()
                break
        if names:
            tokens.append(Names(names))
        if links:
            tokens.append(LinkColumns(links, offset))
        if end is not None:
            return end


@lru_cache(maxsize=64)
def skipping(wanted: Wanted) -> re.Pattern[bytes]:
    """Return the pattern of one step of the skip; see above for its grammar.

    Args:
        wanted: what is wanted.

    Returns:
        A pattern that matches, perhaps nothing, everywhere. The last group that matches tells how the step
        ended. ``link``: with a link; ``element``, ``attribute`` and ``value``, with its quotes, are its parts.
        ``named``: with names; ``name`` and ``again`` are they, with their quotes. ``both``: with a link whose tag
        has a name too, which is ``name_before`` or ``name_after``. None of these: the skip ends there.

    """
    naming = _NAMING if wanted.names else ()
    rest = _rest(wanted, *naming)
    own = {name for name, _ in wanted.conditions}
    texts = wanted.texts - wanted.elements
    not_plain = wanted.elements | own | texts
    if wanted.names:
        not_plain |= {"a"}
    plain_name = _name_but(not_plain)
    steps = [
        _END_TAG,
        plain_name + rest,
        _DECLARATION,
        rb"(?=[^A-Za-z/!?])",  # a "<" that is text
    ]
    if own:
        careful = _unless(wanted.conditions) + _attribute(wanted, *naming)
        steps.append(one_of(own) + NAME_END + b"(?:" + careful + b")*+" + _TAG_END)
    if not wanted.comments:
        steps.append(_COMMENT)
    ends = []
    if wanted.links:
        both = rb"(?:(?(name_before)|(?(name_after)|(?!)))(?P<both>))?+" if wanted.names else b""
        ends.append(b"(?P<link>" + _link(wanted) + b")" + both)
    if wanted.names:
        steps.append(b"[aA]" + NAME_END + _rest(wanted, *_NAMING_A))
        ends.append(b"(?P<named>" + _named(plain_name, wanted) + b")")
    if texts:
        # The last one: where another is taken after it, Python takes its group to begin there.
        name = b"(?P<text>" + one_of(texts) + b")" + NAME_END
        steps.append(name + rest + _TEXT % (b"text", b"text"))
    run = rb"[^<]*+(?:<" + either(steps) + b"[^<]*+)*+"
    return re.compile(run + either(ends) + b"?+")


def _name_but(names: Iterable[str]) -> bytes:
    """Match the name of a tag, but for certain names; most are told by their first letter."""
    firsts = {name[0] for name in names}
    others = "".join(letter for letter in ascii_letters if letter.lower() not in firsts).encode()
    common = either(name.encode() for name in _COMMON_ELEMENTS if name not in names)
    alike = b"(?!" + one_of(names) + NAME_END + b")[A-Za-z]"
    name = either([b"[" + others + b"]", alike]) + _NAME_REST
    return either([common + b"(?=[ >])", name])


def _rest(wanted: Wanted, *naming: str) -> bytes:
    """Match attributes that need not be looked at up to the end of the tag, see `_attribute`."""
    return _to_end(_common(wanted, *naming), _attribute(wanted, *naming) + b"*+")


def _to_end(common: bytes, attributes: bytes) -> bytes:
    """Match attributes up to the end of the tag, which mostly comes after none or common ones."""
    return either([b">", common + either([b">", attributes + _TAG_END])])


def _attribute(wanted: Wanted, *naming: str) -> bytes:
    """Match an attribute that need not be looked at, `naming` being those that hold names."""
    plain = [any_case(name) + EQUALS + _value_without(chars) for name, chars in wanted.marked]
    names = b"(?!" + one_of(_looked_at(wanted, *naming)) + _ATTRIBUTE_END + b")"
    return either([_usual(wanted, *naming), _GAP + either([names + ATTRIBUTE, *plain])])


def _common(wanted: Wanted, *naming: str) -> bytes:
    """Match any number of common attributes of these, in their usual spelling."""
    return b"(?:" + _usual(wanted, *naming) + b")*+"


def _usual(wanted: Wanted, *naming: str) -> bytes:
    """Match one of them."""
    looked_at = _looked_at(wanted, *naming)
    common = [name.encode() for name in _COMMON if name not in looked_at]
    return b" " + either(common if looked_at else [b"[A-Za-z-]++"]) + b'="[^"]*+"'


def _looked_at(wanted: Wanted, *naming: str) -> frozenset[str]:
    return wanted.attributes.union(naming, (name for name, _ in wanted.marked))


def _value_without(chars: str) -> bytes:
    """Match a value without certain characters, in quotes of either kind or none."""
    no = re.escape(chars).encode()
    return (
        rb"""(?:"[^"%b]*+"|'[^'%b]*+'|(?=>)|[^\t\n\f\r >"'%b][^\t\n\f\r >%b]*+(?=[\t\n\f\r >]))"""
        % (no, no, no, no)
    )


def _unless(conditions: Conditions) -> bytes:
    """Refuse an attribute whose value begins like one of those looked for, or may be spelled so."""
    return b"".join(
        rb"(?!"
        + _GAP
        + any_case(name)
        + EQUALS
        + rb"""["']?"""
        + either([one_of(values), rb"[^&\t\n\f\r >\"']*+&"])
        + b")"
        for name, values in _wanted_values(conditions).items()
    )


def _wanted_values(conditions: Conditions) -> dict[str, frozenset[str]]:
    """Give the attributes of conditions, each with the values that are looked for on any element."""
    wanted: dict[str, frozenset[str]] = {}
    for _, own in conditions:
        for name, values in own:
            wanted[name] = wanted.get(name, frozenset()) | values
    return wanted


def _link(wanted: Wanted) -> bytes:
    """Match a start tag with one simple link, and the text after it where it is no markup.

    Where names are looked for, a simple one may stand before the link and one after it.
    """
    of_element: dict[str, set[str]] = {}
    for attribute, elements in wanted.links:
        for element in elements - wanted.elements:
            of_element.setdefault(element, set()).add(attribute)
    # Elements with the same attributes are one group, which the name of the attribute depends on.
    groups: dict[tuple[frozenset[str], bool], set[str]] = {}
    for element, attached in of_element.items():
        groups.setdefault((frozenset(attached), element in wanted.texts), set()).add(element)
    heads: list[bytes] = []
    name, text = b"(?!)", b""
    ordered = sorted(
        groups.items(),
        key=lambda item: max((_LINKING.index(name) for name in item[1] & {*_LINKING}), default=-1),
    )
    for number, ((names, has_text), members) in enumerate(ordered):
        group = b"link%d" % number
        heads.insert(0, b"(?P<" + group + b">" + one_of(members) + b")")
        name = b"(?(" + group + b")" + one_of(names) + b"|" + name + b")"
        if has_text:
            text += b"(?(" + group + b")" + _TEXT % (group, group) + b")"
    value = b"(?P<value>" + _in_quotes(b"") + b")"
    link = rb"[\t\n\f\r /]++(?P<attribute>" + name + b")" + EQUALS + value
    head = b"<(?P<element>" + either(heads) + b")" + NAME_END
    naming = _NAMING_A if wanted.names else ()
    common, attributes = _common(wanted, *naming), _attribute(wanted, *naming) + b"*+"

    def others(group: bytes) -> bytes:
        if not wanted.names:
            return attributes
        return attributes + b"(?:" + _naming(b"[iI][dD]", group) + attributes + b")?+"

    before = common + either([_LINK_BEGINS, others(b"name_before")])
    return head + before + link + _to_end(common, others(b"name_after")) + text


def _named(plain_name: bytes, wanted: Wanted) -> bytes:
    """Match a start tag with one simple name or two that fragments can lead to."""
    of_a, of_others = _attribute(wanted, *_NAMING_A), _attribute(wanted, *_NAMING)
    others = b"(?(a)" + of_a + b"*+|" + of_others + b"*+)"
    names = b"(?:[iI][dD]|(?(a)" + any_case("name") + b"|(?!)))"
    first, again = _naming(names, b"name"), _naming(names, b"again")
    head = b"<" + either([b"(?P<a>[aA])" + NAME_END, plain_name])
    return head + others + first + others + b"(?:" + again + others + b")?+" + _TAG_END


def _naming(attribute: bytes, group: bytes) -> bytes:
    """Match an attribute with a simple name that fragments can lead to, which is the group."""
    value = b"(?P<" + group + b">" + _in_quotes(rb"&\x80-\xff") + b")"
    return rb"[\t\n\f\r /]++" + attribute + EQUALS + value


def _in_quotes(but: bytes) -> bytes:
    """Match a value without NUL, CR and certain other bytes, in quotes of either kind or none."""
    return (
        rb"""(?:"[^"\0\r%b]*+"|'[^'\0\r%b]*+'|(?![\t\n\f\r >])[^\t\n\f\r >"'\0%b]*+(?=[\t\n\f\r >]))"""
        % (but, but, but)
    )
