"""Tell at a glance that there is nothing to look at in a whole HTML document.

Most documents need nothing done to them. This asks less than where their links are: whether anywhere in the
bytes, be it markup, text, a comment or a script, something stands that would be worth a look if it
were an attribute. Every attribute with a value has an ``=``, so one pattern looks for an ``=`` around
which something else stands than may. Each is looked at by itself: what looks like a value
may be the end of one and the next attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.markup.cleanvalues import (
    clean_candidates,
    clean_declarations,
    clean_items,
    clean_link,
    unclean_css,
)
from linkfix.markup.htmlsyntax import any_case, one_of
from linkfix.markup.patterns import either
from linkfix.markup.skipping import in_quotes, wanted_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from linkfix.markup.skipping import Clean, Conditions

__all__ = ["Worth", "nothing_worth", "places", "worth_a_look"]

#: With no white space or one before an ``=`` a name is looked for, and what its value may be; with
#: less than `_NEAR`, what cannot be a name that matters. From there on its last letter is, as far as
#: `_FAR`, or the value tells that it cannot matter after any name.
_NEAR, _FAR = 3, 16
_WHITE = rb"\t\n\f\r "
_SPACE = b"[" + _WHITE + b"]"
#: What stands before the name of an attribute (13.2.5.32, 13.2.5.39, 13.2.5.40).
_BEFORE = rb"""[\t\n\f\r /"']"""
#: What may follow the ``=``.
_GAP = _SPACE + rb"*+"
#: Less white space than this may come before a tag.
_INDENT = 12
#: The names that matter most often; they are tried first.
_COMMON = ("href", "name", "src", "style")
_STYLE = re.compile(rb"<[sS][tT][yY][lL][eE](?=[\t\n\f\r />])")
_STYLE_END = re.compile(rb"</[sS][tT][yY][lL][eE](?=[\t\n\f\r />])")


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What is worth a look, on whatever element. All names are in lower case.

    Patterns are made for each and remembered, so there had better be one for the same things.

    Attributes:
        clean: the values of links that need not be looked at.
        links: attributes that are one link each, as a whole.
        lists: attributes that are links between white space.
        candidates: attributes that are image candidates.
        styles: attributes that are CSS declarations.
        conditions: as in `Interest`; an attribute with one of the values is worth a look.
        pairs: elements, with an attribute of theirs that makes another one link, and that other; where
            it comes first and the other is clean it is not worth a look.
        others: attributes that are always worth a look.

    """

    clean: Clean
    links: frozenset[str]
    lists: frozenset[str]
    candidates: frozenset[str]
    styles: frozenset[str]
    conditions: Conditions
    pairs: frozenset[tuple[str, str, str]]
    others: frozenset[str]


def nothing_worth(worth: Worth, document: bytes) -> bool:
    """Tell that nothing in a document is worth a look; see `places`."""
    return next(places(worth, document), None) is None


def places(worth: Worth, document: bytes) -> Iterator[int]:
    """Tell where in a document something may be worth a look.

    Args:
        worth: what is.
        document: the whole of it, in a charset whose ASCII view is the document itself.

    Yields:
        Offsets in the tags, or in what looks like one, in no order.

    """
    for found in worth_a_look(worth).finditer(document):
        yield found.start()
    for style in _STYLE.finditer(document):
        after = _STYLE_END.search(document, style.end())
        end = len(document) if after is None else after.start()
        if _unclean_css(worth.clean).search(document, style.end(), end):
            yield style.end()


@lru_cache(maxsize=16)
def worth_a_look(worth: Worth) -> re.Pattern[bytes]:
    """Give a pattern of an ``=`` around which something stands that is worth a look.

    Args:
        worth: what is, if it is an attribute.

    Returns:
        A pattern to be searched for in an ASCII view that begins with the document or anywhere but
        inside a tag; it finds what is worth a look in every tag that is there whole.

    """
    wanted = wanted_values(worth.conditions)
    clean = _GAP + in_quotes(worth.clean)
    several = {
        clean_items: worth.lists,
        clean_candidates: worth.candidates,
        clean_declarations: worth.styles,
    }
    # Names, and what may follow the "=" of each.
    rules = [
        (worth.links, clean),
        *((frozenset({name}), _unless(values)) for name, values in wanted.items()),
        *((group, _GAP + of(worth.clean)) for of, group in several.items()),
    ]
    names = worth.others.union(*(group for group, _ in rules))

    def other(count: int) -> bytes:
        """Look back over just so many spaces, and no name that matters before them."""
        no_more = b"(?<!" + _SPACE * (count + 1) + b"=)"
        return no_more + b"(?!" + _after(names, _SPACE * count) + b")"

    common = [name for name in _COMMON if name in names]

    def usual() -> Iterator[bytes]:
        """Look back at the most common names, spelled as they mostly are."""
        for group, value in rules:
            if found := [b"(?<= %b=)" % name.encode() for name in common if name in group]:
                yield either(found) + value

    def first_of_pair() -> Iterator[bytes]:
        """Look back at the attribute that makes a link of another, if it is the first of its tag."""
        for element, name, _ in sorted(worth.pairs):
            # After a ">" nothing is part of a tag but what begins one.
            length = len(f"<{element} {name}=")
            begins = either(b"(?<=>%b{%d}.{%d})" % (_SPACE, n, length) for n in range(_INDENT))
            head = b"(?<=<" + any_case(element) + _SPACE + any_case(name) + b"=)"
            yield head + begins

    anything = rb"""(?:"[^"]*+"|'[^']*+')"""
    others = either(any_case(other) for other in sorted({other for *_, other in worth.pairs}))
    unlike = b"".join(
        b"(?<!" + _letters(names, -1) + _SPACE * count + b"=)" for count in range(_NEAR, _FAR + 1)
    )
    far = b"(?<=" + _SPACE * _NEAR + b"=)"
    nothing = far + _unless(set().union(*wanted.values()))
    apart = (
        b"(?<!" + _letters(names, -1, _WHITE) + _SPACE + b"=)",
        other(1),
        *(b"(?<=" + _SPACE * count + b"=)" + other(count) for count in range(2, _NEAR)),
        either([_after(worth.links, _SPACE), nothing]) + clean,
        *(_after([name], _SPACE) + _unless(wanted[name]) for name in wanted),
        far + unlike + b"(?<!" + _SPACE * (_FAR + 1) + b"=)",
    )
    rest = (
        b"(?<=" + _SPACE + b"=)" + either(apart),
        *(_after(group, b"") + value for group, value in rules if group),
    )
    harmless = (
        *usual(),
        other(0),
        either(first_of_pair())
        + anything
        + _SPACE
        + b"++"
        + others
        + b"="
        + clean_link(worth.clean),
        b"".join(b"(?<! %b=)" % name.encode() for name in common) + either(rest),
    )
    # Most of them are told by the letter before them.
    perhaps = b"(?<=" + _letters(names, -1, _WHITE) + b"=)"
    return re.compile(b"=" + perhaps + b"(?!" + either(harmless) + b")", re.DOTALL)


@lru_cache(maxsize=16)
def _unclean_css(clean: Clean) -> re.Pattern[bytes]:
    return re.compile(unclean_css(clean))


def _unless(values: Iterable[str]) -> bytes:
    """Refuse a value that begins like one of certain values, or may be spelled so.

    None of them has a character that the references let through here stand for.
    """
    spelled = rb"[^&\t\n\f\r >\"']*+&(?!(?:#39|quot|lt|gt|amp);)"
    return _GAP + rb"""(?!["']?""" + either([one_of(values), spelled]) + b")"


def _after(names: Iterable[str], space: bytes) -> bytes:
    """Look back over white space and at one of several whole names, in any ASCII case."""
    found = _by_ending(names, any_case)
    if not space:  # most are in lower case, which is compared in no time
        found = either([_by_ending(names, str.encode), b"[A-Z]..(?<=" + found + b")"])
    return b"(?<=" + found + space + b"=)"


def _by_ending(names: Iterable[str], third: Callable[[str], bytes]) -> bytes:
    """Match the last three letters of names, `third` giving the first of these, and the names before."""
    endings: dict[str, dict[str, list[bytes]]] = {}
    for name in sorted(names, key=lambda name: (name not in _COMMON, name)):
        alike = endings.setdefault(name[-3], {}).setdefault(name[-2:], [])
        alike.append(b"(?<=" + _BEFORE + any_case(name) + b")")
    return either(
        third(letter) + either(any_case(rest) + either(group) for rest, group in alike.items())
        for letter, alike in endings.items()
    )


def _letters(names: Iterable[str], place: int, others: bytes = b"") -> bytes:
    """Match the letter that any of several names has at a place, in any ASCII case."""
    letters = "".join(sorted({name[place] for name in names}))
    return b"[" + re.escape(letters + letters.upper()).encode() + others + b"]"
