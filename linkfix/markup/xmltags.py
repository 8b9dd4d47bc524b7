"""The grammar of XML between tags that expat has found well-formed.

Since no ``<`` stands in an attribute's value (XML 1.0, 3.1 [41]), and none in text but at the
beginning of markup, a tag is a name and quoted values, and everything up to the next ``<`` is text.
`skipping` makes of that one possessive run over all in which nothing is looked for:

    run  ::= ( text? '<' ( '/' name S? '>' | name attribute* S? '/'? '>' ) )*

The run ends before comments, CDATA sections and instructions, before tags with a name or an
attribute that is looked for or that declares a namespace or a base, and before names that are not
plain ASCII of usual length, which have to be checked. A link whose value is *clean*, so that whoever
asked would leave it as it is, ends a step of the run: such links are counted, and nothing is made
of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from linkfix.charset.view import View
from linkfix.markup.xmlevents import XMLAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.charset import Charset
    from linkfix.markup.skipping import Clean

__all__ = ["ATTRIBUTE", "END_TAGS", "TAG", "TEXT", "Held", "Sought", "Tag", "ViewTag", "empty_tags", "one_of", "skipping", "worthwhile"]  # fmt: skip

_SPACE = rb"[\t\n\r ]"
_GAP = _SPACE + rb"*+"
_NAME_END = rb"(?=[\t\n\r />])"
_EQUALS = _SPACE + rb"*+=" + _SPACE + rb"*+"
_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
#: A name without colon, in ASCII.
_PLAIN = rb"[A-Za-z_][A-Za-z0-9_.\-]{0,%d}+"
#: A value in which CSS has neither a function nor an at-rule nor an escape, nor XML a reference.
_HARMLESS_STYLE = rb"""(?:"[^"(@\\&]*+"|'[^'(@\\&]*+')"""
#: Text in which no reference can stand for a "<".
_NO_TAGS = rb"[^<&]*+(?:&(?!lt;|LT;|#)[^<&]*+)*+"

TAG = re.compile(rb"""<([^\t\n\r />]++)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
ATTRIBUTE = re.compile(_SPACE + rb"++([^\t\n\r =]++)" + _EQUALS + rb"""(?:"([^"]*+)"|'([^']*+)')""")
#: Runs that stop at every tag, and at every start tag.
TEXT = re.compile(rb"[^<]*+")
END_TAGS = re.compile(rb"(?:[^<]*+</[^>]*+>)*+")
#: How many patterns are remembered, and what they are asked for with.
_REMEMBERED = 256
_EMPTY = re.compile(rb"""<[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+')*+/>""")


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for under certain namespaces, by names as they are written.

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


def one_of(names: Iterable[str]) -> bytes:
    """Match one of several names in ASCII, those with the same first letter together."""
    by_letter: dict[str, list[bytes]] = {}
    for name in sorted(filter(str.isascii, names)):
        by_letter.setdefault(name[0], []).append(re.escape(name[1:].encode()))
    if not by_letter:
        return rb"(?!)"
    return b"|".join(
        re.escape(letter.encode()) + b"(?:" + b"|".join(rest) + b")"
        for letter, rest in by_letter.items()
    )


def _whole(name: str) -> bytes:
    return re.escape(name.encode("latin-1")) + rb"[\t\n\r />]"


@lru_cache(maxsize=_REMEMBERED)
def skipping(sought: Sought, inside: str, name: int, attributes: int) -> re.Pattern[bytes]:
    """Give the pattern of one step of the run over markup in which there is nothing to see.

    Args:
        sought: what there is to see.
        inside: the element whose tags are all to be seen, octets as in Latin-1; "" for none.
        name: the longest name that need not be looked at.
        attributes: the most attributes of an element that need not be looked at.

    Returns:
        A pattern that matches, perhaps nothing, everywhere. Its group ``clean`` is the last one to
        have matched where the step ended with a clean link and the run goes on.

    """
    prefixes = [prefix for prefix, _ in sought.bindings if prefix]
    longest = max((len(prefix) + 1 for prefix in prefixes), default=0)
    full = rb"(?:(?:%b):)?+" % one_of(prefixes) + _PLAIN % max(name - longest - 1, 0)
    seen = one_of({*sought.attributes, "xmlns", "xml:base"})
    attribute = (
        rb"(?!(?:%b)[\t\n\r =]|xmlns:)%b" % (seen, full + _EQUALS + _QUOTED)
        + rb"|(?:%b)%b" % (one_of(sought.styles), _EQUALS + _HARMLESS_STYLE)
        + b"".join(_bound(*bound) for bound in sorted(sought.bindings) if not sought.declarations)
    )  # fmt: skip
    many = rb"(?:%b++(?:%b)){0,%d}+" % (_SPACE, attribute, attributes)
    begin = rb"[^<]*+<" + (rb"(?!/?+%b)" % _whole(inside) if inside else b"")
    usual = rb"(?!(?:%b)%b)%b" % (one_of(sought.texts), _NAME_END, full)
    documents = rb"(?:%b)%b" % (one_of(sought.documents), many + _GAP) + b">" + _NO_TAGS
    run = rb"(?:%b(?:/[^>]*+>|%b/?+>|%b(?=</)))*+" % (begin, usual + many + _GAP, documents)
    if sought.clean is None:
        return re.compile(run)
    clean = begin + rb"(?:%b|%b)" % (
        _link_text(sought, sought.clean, many), _link(sought, sought.clean, usual, many)
    )  # fmt: skip
    return re.compile(run + rb"(?P<clean>%b)?+" % clean)


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


def _bound(prefix: str, namespace: str) -> bytes:
    """Match the declaration of a namespace that holds anyway, in its usual spelling."""
    name = f"xmlns:{prefix}" if prefix else "xmlns"
    is_plain = f"{name}{namespace}".isascii() and not {'"', "&"} & set(namespace)
    return b"|" + re.escape(f'{name}="{namespace}"'.encode()) if is_plain else b""


def _link_text(sought: Sought, clean: Clean, many: bytes) -> bytes:
    """Match an element up to the end of its text, a clean link."""
    text = _GAP + clean((("&", "&amp;"),)).encode() + _GAP
    return rb"(?:%b)%b>%b(?=</)" % (one_of(sought.link_texts), many + _GAP, text)


def _link(sought: Sought, clean: Clean, usual: bytes, many: bytes) -> bytes:
    """Match a tag with one clean link."""
    # Elements with the same attributes are one group, which the name of the attribute depends on.
    heads, name = b"", one_of(sought.links_anywhere)
    for number, (elements, names) in enumerate(sought.links):
        group = b"link%d" % number
        heads += rb"(?P<%b>(?:%b)%b)|" % (group, one_of(elements - sought.texts), _NAME_END)
        name = rb"(?(%b)(?:%b)|%b)" % (group, one_of(names), name)
    double = clean((("&", "&amp;"),)).encode()
    single = clean((("&", "&amp;"), ("'", ""))).encode()
    link = rb"""%b++(?:%b)%b(?:"%b"|'%b')""" % (_SPACE, name, _EQUALS, double, single)
    return rb"(?:%b%b)%b" % (heads, usual, many + link + many + _GAP) + b"/?+>"


def empty_tags(view: bytes, start: int, end: int) -> int:
    """Count the empty-element tags in a stretch of tags and text."""
    count = view.count(b"/>", start, end)
    if count and view.count(b">", start, end) != view.count(b"<", start, end):
        # A ">" stands in text or in a value: count the tags themselves.
        return sum(1 for _ in _EMPTY.finditer(view, start, end))
    return count


class Held:
    """The part of a document that is being read, as octets and in the view.

    Args:
        charset: of the document.

    Attributes:
        view: its view, characters beyond ASCII masked as expat is shown them.
        base: offset in the view of its first unit.

    """

    def __init__(self, charset: Charset) -> None:
        self.view = b""
        self.base = 0
        self._source = b""
        self._charset = charset
        self._unit = charset.unit
        self._is_own_view = type(charset.view()) is View

    @property
    def end(self) -> int:
        """The offset in the view at which what is held ends."""
        return self.base + len(self.view)

    def add(self, source: bytes, view: bytes) -> None:
        """Take the next octets, and the same of the view."""
        same = source is view and self._source is self.view
        self.view = self.view + view if self.view else view
        self._source = self.view if same else self._source + source

    def octets(self, start: int) -> bytes:
        """Give what is held from an offset in the view on, its own octets where that is one."""
        if self._is_own_view:
            return self._source[start - self.base :]
        return self.view[start - self.base :]

    def let_go(self, offset: int) -> None:
        """Forget what stands before an offset in the view."""
        keep = offset - self.base
        same = self._source is self.view
        self.view = self.view[keep:]
        self._source = self.view if same else self._source[keep * self._unit :]
        self.base = offset

    def text(self, start: int, end: int) -> str:
        """Give the characters between two indexes of `view`."""
        unit = self._unit
        return self._charset.decode(self._source[start * unit : end * unit])


class Tag(Protocol):
    """A start tag, whoever has seen it.

    Attributes:
        key: its name for comparison with that of an end tag.
        name: as written.
        names: of its attributes, as written; defaults last.
        start: offset in the view of its ``<``.
        is_empty: whether it is known to be an empty-element tag.

    """

    key: str
    name: str
    names: list[str]
    start: int
    is_empty: bool

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None where that is not in the document."""

    def attribute(self, number: int, namespace: str, local: str) -> XMLAttribute:
        """Give an attribute.

        Args:
            number: which, from 0.
            namespace: that of its name.
            local: its name without prefix.

        """


class ViewTag:
    """A start tag that stands in the document.

    Args:
        held: the document.
        match: of `TAG` in its view.

    """

    __slots__ = ("_attributes", "_end", "_held", "is_empty", "key", "name", "names", "start")

    def __init__(self, held: Held, match: re.Match[bytes]) -> None:
        self._held = held
        raw = match[1]
        self.key = raw.decode("latin-1")
        self.name = self.key if raw.isascii() else held.text(*match.span(1))
        self.start = held.base + match.start()
        self._end = match.end()
        self.is_empty = match.string[match.end() - 2 : match.end() - 1] == b"/"
        self._attributes = list(ATTRIBUTE.finditer(match.string, *match.span(2)))
        self.names: list[str] = [
            item[1].decode() if item[1].isascii() else held.text(*item.span(1))
            for item in self._attributes
        ]

    @property
    def content(self) -> int:
        """See `Tag.content`."""
        return self._held.base + self._end

    def attribute(self, number: int, namespace: str, local: str) -> XMLAttribute:
        """See `Tag.attribute`."""
        item = self._attributes[number]
        group = item.lastindex or 2
        start, end = item.span(group)
        raw = item[group]
        spelling = raw.decode() if raw.isascii() else self._held.text(start, end)
        base = self._held.base
        quote = '"' if group == 2 else "'"
        name = self.names[number]
        return XMLAttribute(name, namespace, local, base + start, base + end, quote, spelling)
