"""Tell at a glance that there is nothing to look at in a whole XML document.

As for HTML (`glance`): whether anything stands anywhere in the bytes, be it in a tag, a comment or a
CDATA section, that would be worth a look if it were an attribute, or an element whose text matters.
One pattern looks for an ``=`` around which something else stands than may, one for a ``<`` after which
something else comes. Each is looked at by itself, so that nobody needs to know which are markup.
What may stand there is said by the vocabularies whose namespaces are declared somewhere, by names as they are
written. HTML that is the text of an element is looked at in the document with its references
replaced, by the glance for HTML, and in CDATA sections as it stands.

All this holds for what is well-formed, and expat is asked for that, without being asked for more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.parsers import expat

from linkfix.markup.glance import Worth, nothing_worth
from linkfix.markup.htmlsyntax import one_of as in_any_case
from linkfix.markup.patterns import either
from linkfix.markup.xmlskipping import one_of
from linkfix.markup.xmltags import empty_tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.markup.skipping import Clean
    from linkfix.markup.xmlevents import Limits

__all__ = ["Prolog", "XMLWorth", "nothing_worth_in_xml", "prolog"]

_WHITE = b"\t\n\r "
_SPACE = rb"[\t\n\r ]"
_GAP = _SPACE + rb"*+"
#: What is in comments and in CDATA sections (XML 1.0, 2.5, 2.7).
_UP_TO_COMMENT_END = rb"[^\-]*+(?:-(?!->)[^\-]*+)*+"
_UP_TO_SECTION_END = rb"[^\]]*+(?:\](?!\]>)[^\]]*+)*+"
#: The prolog (XML 1.0, 2.8 [22]) without an internal subset, and the name of the root element.
_PROLOG = re.compile(
    rb"(?:[\t\n\r ]++|<!--.*?-->|<\?(?!xml-stylesheet[\t\n\r ?]).*?\?>"
    rb"|<\?xml-stylesheet[^?\x80-\xff]*+(?:\?(?!>)[^?\x80-\xff]*+)*+\?>"
    rb"""|<!DOCTYPE(?:[^"'>\[]++|"[^"]*+"|'[^']*+')*+>)*+"""
    rb"<(?:[A-Za-z_][A-Za-z0-9_.\-]*+:)?+(?P<root>[A-Za-z_][A-Za-z0-9_.\-]*+)(?=[\t\n\r />])",
    re.DOTALL,
)
#: The declaration of a namespace without references (Namespaces in XML, 3 [1]).
_DECLARATION = re.compile(
    rb"xmlns(?::[A-Za-z_][A-Za-z0-9_.\-]*+)?+" + _GAP + b"=" + _GAP
    + rb"""(?:"([^"&<]*+)"|'([^'&<]*+)')"""
)  # fmt: skip
#: What can only be text, or part of a value.
_NO_DECLARATION = re.compile(rb"(?<![\t\n\r ])xmlns|xmlns(?![:\t\n\r =])")
#: The spelling of clean values in double and in single quotes.
_DOUBLE, _SINGLE = (("&", "&amp;"),), (("&", "&amp;"), ("'", ""))
#: A value that is clean whatever it is.
_WORD = rb'"[A-Za-z0-9._\-]*+"'
#: CSS without URLs, but for fragments: no at-rules, escapes and references, and no functions with a
#: name that ends as those do that take a URL.
_CSS = rb"[^\"'<(@\\&]++|(?<![lLcCtT])\(|\((?<=[uU][rR][lL]\()#[A-Za-z0-9_.\-]++\)"
_ATTRIBUTES = rb"""(?:[^"'<>]++|"[^"<]*+"|'[^'<]*+')*+"""
#: References to characters that neither HTML nor URLs give a meaning.
_REFERENCE = re.compile(
    rb"&#(?!(?:1[6-9][0-9]|[2-9][0-9]{2}|[1-9][0-9]{3,}|[xX](?:[A-Fa-f][0-9A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f]{2,}));)"
)
#: The spelling of "<" that needs no entity.
_LESS_THAN = re.compile(rb"&#(?:0*+60|x0*+3[cC]);")
#: Text from the first tag on, and one after which text is no markup.
_ESCAPED = re.compile(rb"&lt;[A-Za-z][^<]*+")
_STYLE = re.compile(rb"&lt;[sS][tT][yY][lL][eE]")
#: A comment, or a CDATA section with what is in it.
_NO_MARKUP = re.compile(
    rb"<!(?:--" + _UP_TO_COMMENT_END + rb"-->|\[CDATA\[(" + _UP_TO_SECTION_END + rb")\]\]>)"
)
#: Depth is counted in stretches of so many bytes.
_STRETCH = 32 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class XMLWorth:
    """What is worth a look, on whatever element, and with whatever prefix; names are local ones.

    Patterns are made for each and remembered, so there had better be one for the same things.

    Attributes:
        clean: the values of links that need not be looked at.
        links: attributes that are one link each.
        lists: attributes that are links between white space.
        styles: attributes that are CSS.
        conditions: attributes with what values begin with, in lower case, that are worth a look
            even if they are clean.
        others: attributes that are always worth a look.
        link_texts: elements whose text is one link.
        style_texts: elements whose text is CSS.
        inner: what is worth a look in the HTML that is the text of elements; None where none is.

    """

    clean: Clean
    links: frozenset[str]
    lists: frozenset[str]
    styles: frozenset[str]
    conditions: tuple[tuple[str, frozenset[str]], ...]
    others: frozenset[str]
    link_texts: frozenset[str]
    style_texts: frozenset[str]
    inner: Worth | None


@dataclass(frozen=True, slots=True)
class Prolog:
    """What can be known of a document without reading its elements.

    Attributes:
        root: local name of the root element.
        start: index at which that begins.
        namespaces: all that are declared anywhere.
        is_styled: whether an instruction may name a style sheet.

    """

    root: str
    start: int
    namespaces: frozenset[str]
    is_styled: bool


def prolog(document: bytes) -> Prolog | None:
    """Give what can be known of a document without reading its elements.

    Args:
        document: the whole of it, in a charset whose ASCII view is the document itself.

    Returns:
        That, as far as the document is well-formed; None where it takes a closer look: where there
        is an internal subset, or the declaration of a namespace is spelled in an unusual way.

    """
    found = _PROLOG.match(document)
    if found is None:
        return None
    namespaces = set[bytes]()
    at = document.find(b"xmlns", found.end())
    while at >= 0:
        if _NO_DECLARATION.match(document, at) is None:
            declared = _DECLARATION.match(document, at)
            if declared is None:
                return None
            namespaces.add(declared[declared.lastindex or 1])
        at = document.find(b"xmlns", at + 1)
    return Prolog(
        found["root"].decode(),
        found.start("root"),
        frozenset(name.decode("latin-1") for name in namespaces),
        document.find(b"<?xml-stylesheet", 0, found.start("root")) >= 0,
    )


def nothing_worth_in_xml(worth: XMLWorth, document: bytes, start: int, limits: Limits) -> bool:
    """Tell that a document is well-formed, within limits, and nothing in it is worth a look.

    Args:
        worth: what is.
        document: the whole of it, in UTF-8, without an internal subset.
        start: index at which its prolog ends.
        limits: what it may need.

    Returns:
        Whether that is certain.

    """
    has_texts = worth.link_texts or worth.style_texts or worth.inner is not None
    return (
        _attributes(worth).search(document) is None
        and (not has_texts or _texts(worth).search(document, start) is None)
        and _is_accepted(document)
        and (worth.inner is None or _has_plain_html(worth.inner, document, start))
        and _is_within(limits, document, start)
    )


def _is_accepted(document: bytes) -> bool:
    try:
        expat.ParserCreate("UTF-8").Parse(document, True)
    except expat.ExpatError:
        return False
    return True


def _is_within(limits: Limits, document: bytes, start: int) -> bool:
    """Tell that a well-formed document needs no more than certain limits."""
    longest = min(limits.name, 4 * limits.attributes)
    return (
        len(document) <= limits.token
        and _has_no_gap(document, longest)
        and (
            len(document) < len(b"<a></a>") * limits.depth
            or document.count(b"<") < 2 * limits.depth  # one octet is found much sooner than two
            or document.count(b"</") < limits.depth
            or _is_flat(document, start, limits.depth)
        )
    )


@lru_cache(maxsize=256)
def _attributes(worth: XMLWorth) -> re.Pattern[bytes]:
    """Give a pattern of an ``=`` that may be that of an attribute that is worth a look."""
    conditions = dict(worth.conditions)
    names = {*worth.links, *worth.lists, *worth.styles, *conditions, *worth.others}
    last = re.escape("".join(sorted({name[-1] for name in names}))).encode()
    double, single = (worth.clean(spelled).encode() for spelled in (_DOUBLE, _SINGLE))
    link = _value(b'"' + double + b'"', b"'" + single + b"'")
    item = b"(?:" + single + b")"
    items = item + b"(?:" + _SPACE + b"++" + item + b")*+"

    def harmless() -> Iterator[bytes]:
        if not worth.others and conditions.keys() <= {"base"}:
            yield _WORD
        yield b"(?<![" + last + rb"\t\n\r ]=)"
        yield _after(worth.links - conditions.keys()) + link
        if worth.lists:
            yield _after(worth.lists) + _value(b'"' + items + b'"', b"'" + items + b"'")
        if worth.styles:
            css = either([_CSS, b"%b"]) + b"*+"
            yield _after(worth.styles) + _value(b'"' + css % b"'" + b'"', b"'" + css % b'"' + b"'")
        for name, values in worth.conditions:
            wanted = either([in_any_case(values), rb"[^\"'&]*+&(?!(?:amp|lt|gt|quot|apos);)"])
            unlike = b"(?!" + _GAP + b"[\"']" + wanted + b")"
            yield _after([name]) + unlike + (link if name in worth.links else b"")
        yield b"(?!" + _GAP + b"[\"'])"  # no attribute
        for space in (b"", _SPACE):
            begin = b"(?<=" + space + b"=)(?<!" + _SPACE + space + b"=)"
            yield begin + b"(?!" + _after(names, space, rb"[\t\n\r :]") + b")"

    return re.compile(b"=(?!" + either(harmless()) + b")")


def _value(*spellings: bytes) -> bytes:
    """Look ahead for one of several values in their quotes."""
    return b"(?=" + _GAP + either(spellings) + b")"


def _after(names: Iterable[str], space: bytes = b"", before: bytes = b"") -> bytes:
    """Look back over white space and at one of several names, after `before`."""
    by_last: dict[str, list[bytes]] = {}
    for name in sorted(names):
        look = b"(?<=" + before + re.escape(name.encode()) + space + b"=)"
        by_last.setdefault(name[-1], []).append(look)
    return either(
        b"(?<=" + re.escape(last.encode()) + space + b"=)" + either(group)
        for last, group in by_last.items()
    )


@lru_cache(maxsize=256)
def _texts(worth: XMLWorth) -> re.Pattern[bytes]:
    """Give a pattern of a ``<`` that may begin an element whose text is worth a look.

    Where there may be HTML, an instruction is worth a look as well, which can stand in the middle.
    """
    texts = one_of(worth.link_texts | worth.style_texts)
    prefix = rb"(?:[^\t\n\r <>/:]++:)?+"
    plain, as_it_is = (worth.clean(spelled).encode() for spelled in (_DOUBLE, ()))
    link = _GAP + either([plain, b"<!\\[CDATA\\[" + as_it_is + b"\\]\\]>"]) + _GAP
    css = b"(?:" + _GAP + rb"<!\[CDATA\[)?+" + either([_CSS, b"[\"']", b"@(?![iI])"]) + b"*+"
    other = b"(?!" + (b"" if worth.inner is None else rb"\?|")
    harmless = (
        b"/",
        other + texts + rb"[\t\n\r />])[^\t\n\r <>/:]++[\t\n\r />]",
        other + prefix + texts + rb"[\t\n\r />])",
        rb"[^\t\n\r <>/?][^\t\n\r <>/]*+" + _ATTRIBUTES + b"(?<=/)>",
        prefix + one_of(worth.link_texts) + _ATTRIBUTES + b">" + link + b"</",
        prefix + one_of(worth.style_texts) + _ATTRIBUTES + b">" + css + b"</",
    )
    return re.compile(b"<(?!" + either(harmless) + b")")


def _has_plain_html(inner: Worth, document: bytes, start: int) -> bool:
    """Tell that nothing is worth a look in HTML that is the text of elements, whichever they are.

    It begins with a tag, in a CDATA section or spelled with references. Other references than those
    to the predefined entities had better stand for nothing that has a meaning there, and no text be
    put together from pieces.
    """
    if document.find(b"<!DOCTYPE", 0, start) >= 0:
        return False
    sections = _NO_MARKUP.findall(document, start)
    if sections:
        pieces = _NO_MARKUP.sub(b"\0", document[start:]).split(b"\0")
        if not (
            all(piece.rstrip(_WHITE).endswith(b">") for piece in pieces[:-1])
            and all(piece.lstrip(_WHITE).startswith(b"<") for piece in pieces[1:])
        ):
            return False
        if not nothing_worth(inner, b"]]>".join(sections)):
            return False
    escaped = b"".join(_ESCAPED.findall(document, start))
    if _LESS_THAN.search(document) or _REFERENCE.search(escaped) or _STYLE.search(escaped):
        return False
    # Neither "<" nor ">" is part of anything that nobody needs to look at.
    read = escaped.replace(b"&quot;", b'"').replace(b"&apos;", b"'").replace(b"&amp;", b"&")
    return nothing_worth(inner, read)


def _has_no_gap(document: bytes, longest: int) -> bool:
    """Tell that tags follow each other so closely that none can be longer than that."""
    at = 0
    while at + longest < len(document):
        after = document.rfind(b"<", at + 1, at + longest)
        if after < 0:
            return False
        at = after
    return True


def _is_flat(document: bytes, start: int, limit: int) -> bool:
    """Tell that never more elements are open than a limit allows."""
    if document.find(b"<?", start) >= 0:
        return False
    at, depth = start, 1
    for found in _NO_MARKUP.finditer(document, start):
        depth = _depth(document, at, found.start(), depth, limit)
        at = found.end()
    return _depth(document, at, len(document), depth, limit) <= limit


def _depth(document: bytes, at: int, stop: int, depth: int, limit: int) -> int:
    """Give how many elements are open after tags and text, or more than the limit if so many may be."""
    while at < stop and depth <= limit:
        end = document.find(b"<", min(at + _STRETCH, stop), stop)
        end = stop if end < 0 else end
        ends = document.count(b"</", at, end)
        starts = document.count(b"<", at, end) - ends
        if depth + starts > limit:
            return depth + starts
        depth += starts - empty_tags(document, at, end) - ends
        at = end
    return depth
