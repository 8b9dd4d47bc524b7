"""Tell at a glance that there is nothing to look at in a whole HTML document.

Most documents need nothing done to them. This asks less than where their links are: whether anywhere in the
bytes, be it markup, text, a comment or a script, something stands that would be worth a look if it
were an attribute. Every attribute with a value has an ``=``, so one pattern goes from one to the
next and looks at what stands before and after it. It passes over no other ``=`` on the way: what looks
like a value may be the end of one and the next attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.markup.htmlsyntax import any_case, one_of
from linkfix.markup.skipping import in_quotes, value_without, wanted_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.markup.skipping import Clean, Conditions

__all__ = ["Worth", "nothing_worth"]

#: Through one space before an ``=`` a name is looked for. With more, the letter before them tells
#: what cannot be a name that matters, or the value what cannot matter after any name; with more than
#: this no letter is looked for.
_MAX_SPACE = 16
_SPACE = rb"[\t\n\f\r ]"
#: What stands before a name that is not only the end of one.
_BEFORE = rb"""[\t\n\f\r /"']"""
#: What may follow the ``=``.
_GAP = _SPACE + rb"*+"
#: Attributes so common that they are told before all others, the first of them first of all.
_COMMON = (
    *("class", "href", "id", "title", "name", "src", "rel", "type", "width", "height", "alt"),
    *("value", "content"),
)
_STYLE = re.compile(rb"<[sS][tT][yY][lL][eE](?=[\t\n\f\r />])")
_STYLE_END = re.compile(rb"</[sS][tT][yY][lL][eE](?=[\t\n\f\r />])")
#: Without any of these a style sheet has no URL up to the next end tag of one.
_CSS = re.compile(
    rb"[uU][rR][lL]\(|[iI][mM][pP][oO][rR][tT]|-[sS][eE][tT]\(|[sS][rR][cC]\(|[\\&]|<!\[CDATA\["
)


@dataclass(frozen=True, slots=True)
class Worth:
    """What is worth a look, on whatever element. All names are in lower case.

    Attributes:
        clean: the values of links that need not be looked at.
        links: attributes that are one link each, as a whole.
        plain: attributes with values that need not be looked at where they have none of some
            characters, and those characters.
        conditions: as in `Interest`; an attribute with one of the values is worth a look.
        others: attributes that are always worth a look.

    """

    clean: Clean
    links: frozenset[str]
    plain: tuple[tuple[str, str], ...]
    conditions: Conditions
    others: frozenset[str]


def nothing_worth(worth: Worth, document: bytes) -> bool:
    """Tell that nothing in a document is worth a look.

    Args:
        worth: what is.
        document: the whole of it, in a charset whose ASCII view is the document itself.

    Returns:
        Whether that is certain.

    """
    end = _pattern(worth).match(document)
    if end is None or end.end() < len(document):
        return False
    for style in _STYLE.finditer(document):
        after = _STYLE_END.search(document, style.end())
        if _CSS.search(document, style.end(), len(document) if after is None else after.start()):
            return False
    return True


@lru_cache(maxsize=16)
def _pattern(worth: Worth) -> re.Pattern[bytes]:
    """Give a pattern that runs from one ``=`` to the next for as long as nothing is worth a look."""
    wanted = wanted_values(worth.conditions)
    names = {*worth.links, *worth.others, *wanted, *(name for name, _ in worth.plain)}
    letters = "".join(sorted({name[-1] for name in names}))
    last = re.escape(letters + letters.upper()).encode()
    clean = b"(?=" + _GAP + b"(?:" + in_quotes(worth.clean) + b"))"

    def steps(space: bytes) -> Iterator[bytes]:
        """Give what may stand around an ``=``, so much white space being between it and a name."""
        yield b"(?<![" + last + rb"\t\n\f\r ]" + space + b"=)"
        yield _after(worth.links, space) + clean
        for name, chars in worth.plain:
            yield _after([name], space) + b"(?=" + _GAP + value_without(chars) + b")"
        for name, values in wanted.items():
            yield _after([name], space) + _unless(values)
        yield b"(?!" + _after(names, space, _BEFORE) + b"|(?<=" + _SPACE + space + b"=))"

    def usual() -> Iterator[bytes]:
        """Give what may stand around an ``=`` after the names that there are most of."""
        for name in _COMMON:
            before = b"(?<=" + name.encode() + b"=)"
            alike = {other for other in names if other.endswith(name)}
            if not alike:
                yield before
            elif alike <= worth.links:
                yield before + clean
            elif alike <= {name} & wanted.keys():
                yield before + _unless(wanted[name])

    first, *near = steps(b"")
    apart = b"(?<=" + _SPACE + b"=)(?:" + b"|".join(steps(_SPACE)) + b")"
    unlike = b"".join(
        b"(?<![" + last + b"]" + _SPACE * count + b"=)" for count in range(2, _MAX_SPACE + 1)
    )
    nothing = _unless(set().union(*wanted.values())) + clean
    far = (
        b"(?<=" + _SPACE * 2 + b"=)"
        b"(?:" + unlike + b"(?<!" + _SPACE * (_MAX_SPACE + 1) + b"=)|" + nothing + b")"
    )  # fmt: skip
    around = b"|".join([*usual(), first, apart, far, *near])
    return re.compile(rb"(?:[^=]*+=(?:" + around + rb"))*+[^=]*+")


def _unless(values: Iterable[str]) -> bytes:
    """Refuse a value that begins like one of certain values, or may be spelled so.

    None of them has a character that the references let through here stand for.
    """
    spelled = rb"[^&\t\n\f\r >\"']*+&(?!(?:#39|quot|lt|gt|amp);)"
    return _GAP + rb"""(?!["']?(?:""" + one_of(values) + b"|" + spelled + b"))"


def _after(names: Iterable[str], space: bytes, before: bytes = b"") -> bytes:
    """Look back over white space and at one of several names, in any ASCII case, after `before`."""
    by_last: dict[str, list[str]] = {}
    for name in sorted(names):
        by_last.setdefault(name[-1], []).append(name)
    groups = (
        b"(?<=" + any_case(last) + space + b"=)(?:"
        + b"|".join(b"(?<=" + before + any_case(name) + space + b"=)" for name in group)
        + b")"
        for last, group in by_last.items()
    )  # fmt: skip
    return b"(?:" + b"|".join(groups) + b")"
