"""Run over HTML in which there is nothing to see, without leaving the regular expression engine.

The run is one possessive pattern: text, end tags, declarations, comments, the raw text elements
whose text nobody wants, and start tags whole, but for those that the caller is to look at. Where it
ends, something is to be looked at, or a token is not finished. Its grammar is that of the tokenizer
(``html.py``), of which it takes the states that lead back to the data state on their own.

A start tag with one link that is *simple*, the whole value of an attribute without NUL or CR, ends a
step of the run. Where its value is *clean*, so that whoever asked would leave it as it
is, it is counted, and nothing is made of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_letters
from typing import TYPE_CHECKING, TypeAlias

from linkfix.markup.htmlsyntax import ATTRIBUTE, EQUALS, NAME_END, any_case, one_of
from linkfix.markup.patterns import either

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from linkfix.markup.glance import Worth

__all__ = [
    "Clean",
    "Conditions",
    "Interest",
    "in_quotes",
    "simple_link",
    "skipping",
    "value_without",
    "wanted_values",
]

#: Gives a pattern of whole clean values, in ASCII; its argument says of characters how they are
#: spelled where not as themselves, "" for those that may not occur.
Clean: TypeAlias = "Callable[[tuple[tuple[str, str], ...]], str]"
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
#: In a value an ampersand that begins no reference (HTML standard, 13.2.5.73), or one that begins a
#: reference to a character that may stand wherever an ampersand may: letters, digits and ``!$&'()*+,-.;=@_~``.
_AMPERSAND = (
    "&(?:amp;|#(?:3[3689]|4[0-6]|4[89]|5[0-79]|6[14-9]|[78][0-9]|90|95|9[7-9]|1[01][0-9]|12[0-26]);"
    "|(?=[A-Za-z0-9]++=))"
)
#: A percent-encoded octet, perhaps with references to its characters.
_OCTET = "(?:%|&#37;)(?:[0-9A-Fa-f]|&#(?:4[89]|5[0-7]|6[5-9]|70|9[7-9]|10[0-2]);){2}"
_QUOTES = (
    (b'"', '"', b'"'),
    (b"'", "'", b"'"),
    (rb"(?![\t\n\f\r >])", "\t\n\f\r >\"'", rb"(?=[\t\n\f\r >])"),
)


@dataclass(frozen=True, slots=True)
class Interest:
    """What is to be looked at in HTML. All names are in lower case.

    Attributes:
        elements: of which every start tag is looked at.
        attributes: with one of which a start tag is looked at.
        conditions: elements that have attributes of their own to look at, but only where another
            attribute has one of certain values; for each of them those attributes and values.
        plain: attributes that are looked at only where the value has one of some characters, and
            those characters.
        texts: the elements after whose start tags comes text that is no markup and not wanted.
        comments: whether comments are looked at.
        links: attributes, and the elements of which each is one link, as a whole.
        clean: the values of those that need not be looked at; None to look at all.
        names: whether the names that fragments lead to are looked for: the values of ``id``, and
            of ``name`` on ``a``. Simple ones, like simple links, are taken in passing.
        worth: what is worth a look in any tag. Where there is nothing like it, a tag is looked at
            for its element alone, and nobody counts its links. None to look at all as said above.

    """

    elements: frozenset[str]
    attributes: frozenset[str]
    conditions: Conditions = ()
    plain: tuple[tuple[str, str], ...] = ()
    texts: frozenset[str] = frozenset()
    comments: bool = False
    links: tuple[tuple[str, frozenset[str]], ...] = ()
    clean: Clean | None = None
    names: bool = False
    worth: Worth | None = None

    def of_elements(self) -> Interest:
        """Give what is looked at whatever the attributes are."""
        return Interest(self.elements, frozenset(), texts=self.texts, comments=self.comments)


@lru_cache(maxsize=64)
def skipping(interest: Interest) -> re.Pattern[bytes]:
    """Give the pattern of one step of the run.

    Args:
        interest: what is to be looked at.

    Returns:
        A pattern that matches, perhaps nothing, everywhere. Where the step ended with a link,
        and the run goes on, its group ``link`` has matched, and is the last one to do so; the
        groups ``element``, ``attribute`` and ``value``, with its quotes, then say which, the
        last of them only where it is not clean. Where it ended with names, the same is so of its
        group ``named``, and the groups ``name`` and ``again`` hold them, with their quotes; where
        with a link that has a name too, of ``both``, and ``name_before`` or ``name_after`` holds it.

    """
    naming = _NAMING if interest.names else ()
    rest = _rest(interest, *naming)
    own = {name for name, _ in interest.conditions}
    texts = interest.texts - interest.elements
    not_plain = interest.elements | own | texts
    if interest.names:
        not_plain |= {"a"}
    plain_name = _name_but(not_plain)
    steps = [
        _END_TAG,
        plain_name + rest,
        _DECLARATION,
        rb"(?=[^A-Za-z/!?])",  # a "<" that is text
    ]
    if own:
        careful = _unless(interest.conditions) + _attribute(interest, *naming)
        steps.append(one_of(own) + NAME_END + b"(?:" + careful + b")*+" + _TAG_END)
    if not interest.comments:
        steps.append(_COMMENT)
    ends = []
    if interest.links:
        both = rb"(?:(?(name_before)|(?(name_after)|(?!)))(?P<both>))?+" if interest.names else b""
        ends.append(b"(?P<link>" + _link(interest) + b")" + both)
    if interest.names:
        steps.append(b"[aA]" + NAME_END + _rest(interest, *_NAMING_A))
        ends.append(b"(?P<named>" + _named(plain_name, interest) + b")")
    if texts:
        # The last one: where another is taken after it, Python takes its group to begin there.
        name = b"(?P<text>" + one_of(texts) + b")" + NAME_END
        steps.append(name + rest + _TEXT % (b"text", b"text"))
    run = rb"[^<]*+(?:<" + either(steps) + b"[^<]*+)*+"
    return re.compile(run + either(ends) + b"?+")


@lru_cache(maxsize=16)
def simple_link(interest: Interest) -> re.Pattern[bytes]:
    """Give the pattern of a start tag with one simple link, be it clean or not, and nothing else to look at.

    Args:
        interest: what is to be looked at; without names.

    Returns:
        A pattern with the groups ``element``, ``attribute`` and ``value`` of `skipping`.

    """
    return re.compile(_link(replace(interest, clean=None)))


def _name_but(names: Iterable[str]) -> bytes:
    """Match the name of a tag, but for certain names; most are told by their first letter."""
    firsts = {name[0] for name in names}
    others = "".join(letter for letter in ascii_letters if letter.lower() not in firsts).encode()
    common = either(name.encode() for name in _COMMON_ELEMENTS if name not in names)
    alike = b"(?!" + one_of(names) + NAME_END + b")[A-Za-z]"
    name = either([b"[" + others + b"]", alike]) + _NAME_REST
    return either([common + b"(?=[ >])", name])


def _rest(interest: Interest, *naming: str) -> bytes:
    """Match attributes that need not be looked at up to the end of the tag, see `_attribute`."""
    return _to_end(_common(interest, *naming), _attribute(interest, *naming) + b"*+")


def _to_end(common: bytes, attributes: bytes) -> bytes:
    """Match attributes up to the end of the tag, which mostly comes after none or common ones."""
    return either([b">", common + either([b">", attributes + _TAG_END])])


def _attribute(interest: Interest, *naming: str) -> bytes:
    """Match an attribute that need not be looked at, `naming` being those that hold names."""
    plain = [any_case(name) + EQUALS + value_without(chars) for name, chars in interest.plain]
    names = b"(?!" + one_of(_looked_at(interest, *naming)) + _ATTRIBUTE_END + b")"
    return either([_usual(interest, *naming), _GAP + either([names + ATTRIBUTE, *plain])])


def _common(interest: Interest, *naming: str) -> bytes:
    """Match any number of common attributes of these, in their usual spelling."""
    return b"(?:" + _usual(interest, *naming) + b")*+"


def _usual(interest: Interest, *naming: str) -> bytes:
    """Match one of them."""
    looked_at = _looked_at(interest, *naming)
    common = [name.encode() for name in _COMMON if name not in looked_at]
    return b" " + either(common if looked_at else [b"[A-Za-z-]++"]) + b'="[^"]*+"'


def _looked_at(interest: Interest, *naming: str) -> frozenset[str]:
    return interest.attributes.union(naming, (name for name, _ in interest.plain))


def value_without(chars: str) -> bytes:
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
        for name, values in wanted_values(conditions).items()
    )


def wanted_values(conditions: Conditions) -> dict[str, frozenset[str]]:
    """Give the attributes of conditions, each with the values that are looked for on any element."""
    wanted: dict[str, frozenset[str]] = {}
    for _, own in conditions:
        for name, values in own:
            wanted[name] = wanted.get(name, frozenset()) | values
    return wanted


def _link(interest: Interest) -> bytes:
    """Match a start tag with one simple link, and the text after it where it is no markup.

    Where names are looked for, a simple one may stand before the link and one after it.
    """
    of_element: dict[str, set[str]] = {}
    for attribute, elements in interest.links:
        for element in elements - interest.elements:
            of_element.setdefault(element, set()).add(attribute)
    # Elements with the same attributes are one group, which the name of the attribute depends on.
    groups: dict[tuple[frozenset[str], bool], set[str]] = {}
    for element, attached in of_element.items():
        groups.setdefault((frozenset(attached), element in interest.texts), set()).add(element)
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
    value = b"(?P<value>" + in_quotes(_simple_link) + b")"
    if interest.clean is not None:
        value = either([in_quotes(interest.clean), value])
    link = rb"[\t\n\f\r /]++(?P<attribute>" + name + b")" + EQUALS + value
    head = b"<(?P<element>" + either(heads) + b")" + NAME_END
    naming = _NAMING_A if interest.names else ()
    common, attributes = _common(interest, *naming), _attribute(interest, *naming) + b"*+"

    def others(group: bytes) -> bytes:
        if not interest.names:
            return attributes
        return attributes + b"(?:" + _naming(b"[iI][dD]", group) + attributes + b")?+"

    before = common + either([_LINK_BEGINS, others(b"name_before")])
    return head + before + link + _to_end(common, others(b"name_after")) + text


def _named(plain_name: bytes, interest: Interest) -> bytes:
    """Match a start tag with one simple name or two that fragments can lead to."""
    of_a, of_others = _attribute(interest, *_NAMING_A), _attribute(interest, *_NAMING)
    others = b"(?(a)" + of_a + b"*+|" + of_others + b"*+)"
    names = b"(?:[iI][dD]|(?(a)" + any_case("name") + b"|(?!)))"
    first, again = _naming(names, b"name"), _naming(names, b"again")
    head = b"<" + either([b"(?P<a>[aA])" + NAME_END, plain_name])
    return head + others + first + others + b"(?:" + again + others + b")?+" + _TAG_END


def _naming(attribute: bytes, group: bytes) -> bytes:
    """Match an attribute with a simple name that fragments can lead to, which is the group."""
    value = b"(?P<" + group + b">" + in_quotes(_simple) + b")"
    return rb"[\t\n\f\r /]++" + attribute + EQUALS + value


def in_quotes(values: Clean) -> bytes:
    """Match one of certain values, in quotes of either kind or none."""
    return either(
        before
        + values((("&", _AMPERSAND), ("%", _OCTET), *((char, "") for char in without))).encode()
        + after
        for before, without, after in _QUOTES
    )


def _simple_link(spelled: tuple[tuple[str, str], ...]) -> str:
    """Give a pattern of the values of simple links, with any references and what is not ASCII."""
    return _simple(tuple(pair for pair in spelled if pair[0] != "&"), r"\x80-\xff")


def _simple(spelled: tuple[tuple[str, str], ...], more: str = "") -> str:
    """Give a pattern of values in ASCII and `more` without what is not spelled as itself."""
    without = "\0\r" + "".join(char for char, _ in spelled if char != "%")
    return (
        "[" + "".join(re.escape(chr(n)) for n in range(128) if chr(n) not in without) + more + "]*+"
    )
