"""Run over XML in which there is nothing to see, without leaving the regular expression engine.

Since no ``<`` stands in an attribute's value (XML 1.0, 3.1 [41]), and none in text but at the
beginning of markup, a tag is a name and quoted values, and everything up to the next ``<`` is text.
Of what expat has found well-formed `skipping` makes one possessive run over all in which nothing is
looked for:

    run  ::= ( text? '<' ( '/' name S? '>' | name attribute* S? '/'? '>' ) )*

The run ends before comments, CDATA sections and instructions, before tags with a name or an
attribute that is looked for or that declares a namespace or a base, and before names that are not
plain ASCII of usual length, which have to be checked.

A step goes on from there over a *simple* value, which is all that there is to see of its element:

    link ::= text? '<' name attribute* S name S? '=' S? value attribute* S? '/'? '>'
    text ::= text? '<' name attribute* S? '>' ( text? | S? '<![CDATA[' section ']]>' S? )

One that is a *clean* link, so that whoever asked would leave it as it is, is counted, and nothing is
made of it; of any other nothing is made but itself. The groups stand after the run, not in it: the
repeats of some releases of Python forget where a group has begun that they have tried once more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.markup.patterns import either

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Clean = Callable[[tuple[tuple[str, str], ...]], str]

__all__ = ["Sought", "one_of", "skipping", "worthwhile"]

_SPACE = rb"[\t\n\r ]"
_GAP = _SPACE + rb"*+"
_NAME_END = rb"(?=[\t\n\r />])"
_EQUALS = _GAP + rb"=" + _GAP
_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
#: A name without colon, in ASCII.
_PLAIN = rb"[A-Za-z_][A-Za-z0-9_.\-]{0,%d}+"
#: A value in which CSS has neither a function nor an at-rule nor an escape, nor XML a reference.
_HARMLESS_STYLE = rb"""(?:"[^"(@\\&]*+"|'[^'(@\\&]*+')"""
#: Text in which no reference can stand for a "<".
_NO_TAGS = rb"[^<&]*+(?:&(?!lt;|LT;|#)[^<&]*+)*+"
#: What ends an element: of a tag that is not all there nobody knows yet which one it ends.
_END_TAG = rb"(?=</[^>]*+>)"
#: The only CDATA section of a text.
_SECTION = _GAP + rb"<!\[CDATA\[(?P<section>[^\]]*+(?:\](?!\]>)[^\]]*+)*+)\]\]>" + _GAP
#: How many patterns are remembered, and what they are asked for with.
_REMEMBERED = 256


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What is looked for under certain namespaces, by names as they are written.

    Patterns are made for each and remembered, so there had better be one for the same things.

    Attributes:
        bindings: the namespaces in force, each after its prefix.
        texts: elements whose text is wanted.
        documents: those of `texts` in which only tags are looked for, spelled with references.
        attributes: those that are wanted on one element or another.
        styles: those of `attributes` that are CSS.
        link_texts: those of `texts` that are one link.
        links: elements, and those of `attributes` that are one link on them.
        links_anywhere: the same for all elements that are not in `links`.
        clean: the values of such links that need not be looked at; None to look at all.
        declarations: whether every declaration of a namespace is looked for, and not only those
            that change something.
        simple: whether a value may be given without the element that it is all there is to see of.

    """

    bindings: frozenset[tuple[str, str]]
    texts: frozenset[str]
    documents: frozenset[str]
    attributes: frozenset[str]
    styles: frozenset[str]
    link_texts: frozenset[str]
    links: tuple[tuple[frozenset[str], frozenset[str]], ...]
    links_anywhere: frozenset[str]
    clean: Clean | None
    declarations: bool = False
    simple: bool = True


def one_of(names: Iterable[str]) -> bytes:
    """Match one of several names in ASCII, those with the same first letter together."""
    by_letter: dict[str, list[bytes]] = {}
    for name in sorted(filter(str.isascii, names)):
        by_letter.setdefault(name[0], []).append(re.escape(name[1:].encode()))
    return either(re.escape(letter.encode()) + either(rest) for letter, rest in by_letter.items())


@lru_cache(maxsize=_REMEMBERED)
def skipping(sought: Sought, inside: str, name: int, attributes: int) -> re.Pattern[bytes]:
    """Give the pattern of one step of the run over markup in which there is nothing to see.

    Args:
        sought: what there is to see.
        inside: the element whose tags are all to be seen, octets as in Latin-1; "" for none.
        name: the longest name that need not be looked at.
        attributes: the most attributes of an element that need not be looked at.

    Returns:
        A pattern that matches, perhaps nothing, everywhere. Where the step ended with a simple
        value, and the run goes on, one of two groups is the last one to have matched: ``link``,
        the groups ``name``, ``attribute`` and ``value``, with its quotes, then saying which, or
        ``text``, of the element whose start tag is the group ``tag``, and that is the group
        ``content`` or within a CDATA section ``section``. Where it is clean, there is no group for
        the value.

    """
    prefixes = [prefix for prefix, _ in sought.bindings if prefix]
    longest = max((len(prefix) + 1 for prefix in prefixes), default=0)
    full = rb"(?:%b:)?+" % one_of(prefixes) + _PLAIN % max(name - longest - 1, 0)
    seen = one_of({*sought.attributes, "xmlns", "xml:base"})
    attribute = either([
        rb"(?!%b[\t\n\r =]|xmlns:)%b" % (seen, full + _EQUALS + _QUOTED),
        one_of(sought.styles) + _EQUALS + _HARMLESS_STYLE,
        *(_bound(*bound) for bound in sorted(sought.bindings) if not sought.declarations),
    ])  # fmt: skip
    up_to = rb"(?:%b++%b){0,%%d}+" % (_SPACE, attribute.replace(b"%", b"%%"))
    many = up_to % attributes
    begin = rb"[^<]*+<" + (rb"(?!/?+%b)" % _whole(inside) if inside else b"")
    usual = rb"(?!%b%b)%b" % (one_of(sought.texts), _NAME_END, full)
    documents = one_of(sought.documents) + many + _GAP + b">" + _NO_TAGS
    ended = documents + _END_TAG
    run = rb"(?:%b%b)*+" % (begin, either([rb"/[^>]*+>", usual + many + _GAP + rb"/?+>", ended]))
    if not sought.simple:
        return re.compile(run)
    ends = [_text(sought, many)]
    if attributes:
        ends.append(_link(sought, full, up_to % ((attributes - 1) // 2)))
    return re.compile(run + rb"(?:%b%b)?+" % (begin, either(ends)))


#: How many tags are looked at before a pattern is made that would have run over such as them.
_PATIENCE = 512
#: How many tags have been looked at for want of a pattern, in all documents.
_looks: dict[tuple[Sought, str, int, int], int] = {}


def worthwhile(
    sought: Sought, inside: str, name: int, attributes: int, looks: int
) -> re.Pattern[bytes] | None:
    """Give what `skipping` gives, once that is worth the time that it takes to make.

    Args:
        sought: see `skipping`, as for the following ones.
        inside: likewise.
        name: likewise.
        attributes: likewise.
        looks: how many tags have been looked at for want of it, or will be.

    """
    key = (sought, inside, name, attributes)
    if len(_looks) > _REMEMBERED:
        _looks.clear()
    _looks[key] = looks + _looks.get(key, 0)
    return skipping(*key) if _looks[key] > _PATIENCE else None


def _whole(name: str) -> bytes:
    return re.escape(name.encode("latin-1")) + rb"[\t\n\r />]"


def _bound(prefix: str, namespace: str) -> bytes:
    """Match the declaration of a namespace that holds anyway, in its usual spelling."""
    name = f"xmlns:{prefix}" if prefix else "xmlns"
    is_plain = f"{name}{namespace}".isascii() and not {'"', "&"} & set(namespace)
    return re.escape(f'{name}="{namespace}"'.encode()) if is_plain else rb"(?!)"


def _text(sought: Sought, many: bytes) -> bytes:
    """Match an element up to the end of its text."""
    clean = rb"(?!)"
    if sought.clean is not None:
        clean = _GAP + sought.clean((("&", "&amp;"),)).encode() + _GAP
    tag = rb"(?P<tag>(?:(?P<linked>%b)|%b)%b)" % (
        one_of(sought.link_texts), one_of(sought.texts - sought.link_texts), many + _GAP
    )  # fmt: skip
    text = either([
        rb"(?(linked)(?:%b)|(?!))" % clean + _END_TAG,
        either([rb"(?P<content>[^<]*+)", _SECTION]) + _END_TAG,
    ])  # fmt: skip
    return rb"(?P<text>%b>%b)" % (tag, text)


def _link(sought: Sought, full: bytes, half: bytes) -> bytes:
    """Match a tag with one link, of an element without text or with one in which there is nothing."""
    # Elements with the same attributes are one group, which the name of the attribute depends on.
    heads, name = list[bytes](), one_of(sought.links_anywhere)
    others = sought.texts - sought.documents
    for number, (elements, names) in enumerate(sought.links):
        group = b"link%d" % number
        heads.append(rb"(?P<%b>%b%b)" % (group, one_of(elements - others), _NAME_END))
        name = rb"(?(%b)%b|%b)" % (group, one_of(names), name)
    heads.append(rb"(?!%b%b)%b" % (one_of(others), _NAME_END, full))
    document = rb"(?P<document>(?=%b%b))?+" % (one_of(sought.documents), _NAME_END)
    values = [rb"(?P<value>%b)" % _QUOTED]
    if sought.clean is not None:
        double = sought.clean((("&", "&amp;"),)).encode()
        single = sought.clean((("&", "&amp;"), ("'", ""))).encode()
        values = [b'"' + double + b'"', b"'" + single + b"'", *values]
    value = rb"(?P<attribute>%b)%b%b" % (name, _EQUALS, either(values))
    end = rb"(?:/>|>(?(document)%b))" % (_NO_TAGS + _END_TAG)
    return rb"(?P<link>%b(?P<name>%b)%b++%b)" % (
        document, either(heads), half + _SPACE, value + half + _GAP + end
    )  # fmt: skip
