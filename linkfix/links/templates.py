"""Template expressions and server code.

A value with an expression stays as it is: only the program that fills it in knows the link. An expression is known by
its shape (`_SHAPES`), whatever the engine. No shape occurs in a valid reference. Marks of code that may contain markup
are in ``templates.toml``; users add their own marks. `Templates` searches values. `Blocks` finds the blocks of code in
the bytes of an HTML document, since a browser parses their content as markup. `Blocks` needs no bytes ahead: an open
block covers all bytes so far. `marked` marks the links of one document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple

from linkfix.links.builder import Builder
from linkfix.links.link import Link
from linkfix.markup.patterns import either

#: Why a link is left (`Link.fixed`).
IS_TEMPLATE = "it is a template, to be filled in by a program"
IN_CODE = "it stands in server code or a template expression"
IN_DOUBT = (
    "Chromium and WebKit decode its first octets beyond ASCII differently, after malformed ones"
)
READ_DIFFERENTLY = (
    "expat, libxml2 or Xerces reads some of its octets as other characters than browsers do"
)
FOR_READERS = "it is a template, to be filled in by whoever reads the document"
#: The reasons in `Link.fixed` for templates.
REASONS = frozenset({IS_TEMPLATE, IN_CODE, FOR_READERS})
#: No opening mark of a block, with what follows it, needs more bytes.
_LONGEST = 100
#: The content of an expression in braces.
_IN_BRACES = r"(?:[^{}]|\{[^{}]*\})*+"
_OCTET = "[0-9A-Fa-f]{2}"
#: No reference has such a character.
_SIGN = r"[\"<>|^`\\]"
#: A token begins a component or a part of one, and ends one.
_START, _STOP = (rf"(?{sign}[^/=?&:#@.,;~+\-\s])" for sign in ("<!", "!"))
#: The arguments of a call, and what is in them where they have a string.
_CALL, _HAS_STRING = r"(?:[^()]|\([^()]*\))*+", r"[^()\"]*(?:\([^()\"]*)?\""
#: A name with members, calls and indices.
_NAME = r"[A-Za-z_]\w*+(?:\.\w++|\((?:[^()#]|\([^()#]*\))*+\)|\[[^\[\]#]*\])*+"
#: The shapes of expressions. What is not closed extends to the end (``cut``): the quotes of the attribute may have cut it off.
_SHAPES = (
    # ${x}, #{x}, @{x}, $!{x}, %{x}, %WORD{"x"}%
    r"%[A-Z_][\w:]*\{[^{}]*\}%",
    rf"[$#@%]!?\{{{_IN_BRACES}\}}",
    # {x}, {$x}, {0} among characters of references; JSON, TeX and GUIDs are no expressions
    rf"(?<!{_SIGN})\{{(?!\s*[\"\\]|[0-9A-Fa-f]{{8}}-(?:[0-9A-Fa-f]{{4}}-){{3}}){_IN_BRACES}\}}(?!{_SIGN})",
    # {url path=, {path_to: cut off at the quotes of an argument
    rf"(?:[$@%]\{{|\{{\$|#\{{(?=\w+[\[(/.])|(?<!{_SIGN})\{{(?=[!:@/~]?[A-Za-z][^{{}}]*[=(:?,\s]\Z))(?P<cut_brace>(?s:.)*)",
    rf"(?:[$@]|%(?!{_OCTET}))\w+\{{(?P<cut_index>[^{{}}]*)\Z",
    # <TMPL_VAR x>, <?lsmb x ?>, <!--#echo x -->, <URL>; names of fragments are often like <x>
    r"<\?(?s:.*?)\?>|<(?:[A-Za-z_][\w.-]*+[\s:]|[^\w\s<>/])[^<>]*>",
    rf"{_START}(?<![#:])<{{1,3}}+[\w.-]++/?>{{1,3}}+{_STOP}",
    r"<(?:[?%#!@&$]|=(?!\()|[A-Za-z][\w.-]*+:)(?P<cut_code>(?s:.)*)",
    r"<[A-Za-z_][\w.-]*+\s(?:[^<>]*[=(])?(?P<cut_tag>\s*)\Z",
    # [[ x ]], [% x %], [+ x +], [#x#], (% x %)
    r"\[\[(?:(?!\[\[)(?s:.))*?\]\]",
    r"\[(?P<square>[%#+!=*&@|~^?$-])(?:(?!\[(?P=square))(?s:.))*?(?P=square)\]",
    rf"\((?P<round>%(?!{_OCTET})|[|^])(?:(?!\((?P=round))(?s:.))*?(?P=round)\)",
    rf"\[(?:%(?!{_OCTET})|[+!#$*-]\s|[A-Za-z][\w-]*+\s++[A-Za-z_-]++=)(?P<cut_square>(?s:.)*)",
    # FreeMarker: [#if x], [/#if], [=x], [@x /]
    r"\[(?:/?#|=)[A-Za-z][^\[\]]*\]|\[@[A-Za-z][^\[\]]*/\]",
    # [loop-code], [item-field x] as a whole component, [area [x]]
    r"(?<![^/=:])\[[a-z]++(?:-[a-z]++)++(?:\s[^\[\]]*)?\](?![^/?&#])|\A\s*\[[A-Za-z][\w-]*+\s[^\[\]]*\[(?P<cut_tags>(?s:.)*)",
    # [x], $[x] in the place of a host or of the path
    r"\A\s*[$@&=]?\[(?=[^\[\]]*[A-Za-z_])[^\[\]]*\](?=[/?&#\s\[]|\Z)",
    # *|X|*, %%x%%, ###X###, %X%, |X|, ||X||
    r"\*\|[^|]*\|\*",
    r"%%(?=[^\W\d]|[=\[({@])[^%]+%%",
    r"(?<!#)##++[A-Za-z_][\w.:-]*+##++",
    rf"{_START}%(?!{_OCTET}%)[A-Za-z_][\w.:-]*+%{_STOP}",
    rf"\A\s*%(?:{_OCTET}|(?!{_OCTET})[A-Za-z_][\w .:-]*+)%\s*\Z",
    r"\A\s*(?P<bar>[|^`]{1,2}+)[^|^`]+(?P=bar)(?=[/?#]|\s*\Z)",
    # ColdFusion: #x#, #url.x#, #f(x)#; in x#a#b and #a##b, #b is a second fragment
    rf"(?P<begins>{_START})?#{_NAME}#(?(begins)(?!#){_STOP}|(?=[.&/?]))",
    # $relpath^x, of Doxygen
    r"\$[A-Za-z_]\w*+\^",
    # %(x)s, %1$s, %s
    r"%\([\w.]+\)[a-z]|%\d\$[a-z]",
    rf"{_START}(?:%[sdui])++{_STOP}",
    # Razor reads no @ behind a word, as in mail; nor are signatures of Scala templates (#a.B@c[D](e:D):F, #<=(x:A)).
    # $item[url], $x->url, @Model.Items[0].Url, $esc.url("x"), @Url.Action("x"), @(x + 1), #springUrl("x"), #if($x)y#end
    rf"(?:\$|(?<!\w)@)[!:]?[A-Za-z_][\w.]*+(?:(?:\[[^\[\]]*+(?:\]|\Z)|->\w*+(?:\({_CALL}\)|\{{[^{{}}]*\}})?+)++|\((?={_HAS_STRING}){_CALL}\)?+)",
    rf"{_START}[$@][!:]?[A-Za-z_][\w.]*+\((?=[^()]*(?:\([^()]*)?\s){_CALL}\)?+",
    rf"[$@]\((?=[^()]*(?:\([^()]*)?[\s\"]){_CALL}(?:\)|\(?[^()]*\Z)",
    r"\A\s*#[A-Za-z_]\w*+\(\s*(?:\"|!?\$[^#\"\s]*[#\"\s])(?P<cut_call>(?s:.)*)",
    # @if(x) /a b @else /c d @endif
    r"\s@(?:else|end)[a-z]*",
    # ' . url . ', ".$url.", \"$url, \@x@, $Package::name
    r"'\s+[.+&]\s(?s:.){0,200}?\s[.+&]\s+'|\"(?:\s*[.&]|\s+\+\s)\s*[$A-Za-z_(][^\"]*[.+&]\s*\"",
    r"\\@(?:[\w.:]++@|[\w-]++\.)",
    r"\A\s*(?:\\+['\"]|['\"|]++\s*[.+&;,]\s|\"++[.+&;,][$\w(]|\$\w+(?:::|->))(?P<cut_text>(?s:.)*)",
)
#: One of them; each begins with one of these characters.
_ANY_SHAPE = rf"(?=[$#@%&={{<\[(*|^`\\'\"\s])(?:{'|'.join(_SHAPES)})"
#: A value without a match has none of the shapes. The set of first characters makes the search fast.
_HINT = (
    rf"[{{<\[|^`\"\\%#'$@](?:(?<![\\%#'$@])|(?<=\\)['@]|(?<=%)(?!{_OCTET})|(?<=#)(?:\w+\(\s*!?[\"$]|[^#\0]*#)"
    r"|(?<=')\s*[.+&;,]\s|(?<=[$@])[\w.]*\(|(?<=\s@)e(?:lse|nd)|(?<=\$)\w+(?:::|->))"
)
#: Values that are text or programs themselves: their braces and tags are no expressions.
_IS_TEXT = re.compile(
    r"[\0-\x20]*(?:javascript:|data:(?:[,;]|text/|application/|image/svg))",
    re.IGNORECASE | re.ASCII,
)


#: The marks of templates that a reader fills in: URI Templates (RFC 6570), XSLT, MPEG-DASH.
_FOR_READERS = frozenset("{}$")


def is_for_readers(value: str) -> bool:
    """Return whether a value is a template where its vocabulary has templates."""
    return not _FOR_READERS.isdisjoint(value)


class Mark(NamedTuple):
    """The beginning and the end of a template expression.

    Attributes:
        open: the characters at its beginning.
        close: the characters at its end. Where none follows, the expression extends to the end of the value.
        reach: the number of bytes that a block without end covers in a document, 0 for all; None for no blocks.
        follows: a regular expression that matches after `open` in a document where that begins a block.
        code: a character that the links of a block have if they are code; "" if all are.

    """

    open: str
    close: str
    reach: int | None = None
    follows: str = ""
    code: str = ""

    @classmethod
    def parse(cls, text: str) -> Mark:
        """Parse a mark such as ``{{ }}``: its beginning, white space, its end.

        Raises:
            ValueError: it is not of that form.

        """
        match text.split():
            case [opening, closing]:
                return cls(opening, closing)
            case _:
                raise ValueError(f"{text!r} is no pair of marks; write for example '[% %]'")


class Templates(NamedTuple):
    """The marks of templates, and how templates are rewritten.

    Attributes:
        added: marks besides those of the table.
        convert: whether the literal parts around expressions are rewritten.

    """

    added: tuple[Mark, ...] = ()
    convert: bool = False

    def expressions(self, value: str) -> list[tuple[int, int]]:
        """Return the spans of the expressions in a value, in code points."""
        return [found.span() for found in self._pattern(value).finditer(value)]

    def is_whole(self, value: str) -> bool:
        """Return whether every expression in a value has its end."""
        matches = self._pattern(value).finditer(value)
        return not any((found.lastgroup or "").startswith("cut") for found in matches)

    def marked(self, links: list[Link]) -> list[Link]:
        """Return links; templates among them are marked in `Link.fixed`."""
        may_be = _hint(self.added).search
        if not may_be("\0".join(map(attrgetter("value"), links))):
            return links
        is_one = _pattern(self.added, shapes=True).search
        return [
            link._replace(fixed=IS_TEMPLATE)
            if may_be(value := link.value)
            and is_one(value)
            and not link.fixed
            and self._pattern(value).search(value)
            else link
            for link in links
        ]

    def _pattern(self, value: str) -> re.Pattern[str]:
        """Return the pattern of the expressions in a value."""
        return _pattern(self.added, shapes=not _IS_TEXT.match(value))


#: The marks of the table; templates are not rewritten.
TEMPLATES = Templates()


class Blocks:
    """Find the blocks of server code and of template expressions in the ASCII view of an HTML document.

    The cost: a search for each character that opening marks begin with. The last bytes of a document are not searched if
    they have no links.
    """

    def __init__(self) -> None:
        #: Half-open spans in the view, ascending, each with `Mark.code`; the last one may still be open.
        self._spans: list[tuple[int, int | None, str]] = []
        self._open: Mark | None = None
        self._rest = b""
        self._at = 0
        #: The last bytes, until they are searched.
        self._unread = b""

    def feed(self, view: bytes, offset: int) -> None:
        """Read the next bytes of the view; discard the blocks before an offset, where no further links are."""
        if self._unread:
            self.search()
        index = bisect_left(self._spans, offset, key=itemgetter(0))
        if index and ((end := self._spans[index - 1][1]) is None or end > offset):
            index -= 1
        del self._spans[:index]
        self._unread = view

    def search(self) -> bool:
        """Search the last bytes, once, for the marks of blocks; return whether there are blocks that may contain further links."""
        if not self._unread:
            return bool(self._spans)
        data, self._unread = self._rest + self._unread, b""
        patterns, position = _blocks(), 0
        following = [pattern.search(data) for pattern in patterns]
        while True:
            if self._open is None:
                for number, found in enumerate(following):
                    if found is not None and found.start() < position:
                        following[number] = patterns[number].search(data, position)
                found = min(filter(None, following), key=re.Match.start, default=None)
                if found is None:
                    break
                self._open = _mark_of(found[0])
                self._spans.append((self._at + found.start(), None, self._open.code))
                position = found.end()
            closed = self._end(self._open, data, position)
            if closed is None:
                break
            position = max(position, closed)
        position = max(position, len(data) - _LONGEST)
        self._rest = data[position:]
        self._at += position
        return bool(self._spans)

    def _end(self, mark: Mark, data: bytes, position: int) -> int | None:
        """End the open block at its closing mark; return the index there, None if the block continues."""
        start, close = (
            self._spans[-1][0],
            re.compile(re.escape(mark.close.encode()), re.IGNORECASE | re.ASCII),
        )
        limit = start + mark.reach - self._at if mark.reach else len(data) + 1
        found = close.search(data, position, max(position, limit))
        end = limit if found is None else found.end()
        if end > len(data):
            return None
        self._spans[-1] = (start, self._at + end, mark.code)
        self._open = None
        return end

    def marked(self, link: Link, first: int, last: int) -> Link:
        """Return a link, marked if it is inside a block or across the edge of one.

        Args:
            link: a link in the last bytes.
            first: offset in the view at which it begins.
            last: offset in the view after its end.

        """
        # Spans do not overlap: only the last one that begins before an edge of the link can cross it.
        for edge in (first, last):
            index = bisect_left(self._spans, edge, key=itemgetter(0)) - 1
            if index < 0:
                continue
            _, end, code = self._spans[index]
            if (end is None or end > edge) and code in link.value:
                return link._replace(fixed=IN_CODE)
        return link


def _doubted(link: Link, doubts: Sequence[int]) -> Link:
    """Return a link, marked if it contains one of the octets that browsers decode differently.

    Args:
        link: the link.
        doubts: byte offsets of these octets, ascending.

    """
    index = bisect_left(doubts, link.start)
    if link.fixed or index == len(doubts) or doubts[index] >= link.end:
        return link
    return link._replace(fixed=IN_DOUBT)


def _declared(link: Link) -> Link:
    """Return a link of XML, marked if the readers of XML do not decode it as browsers do."""
    if link.fixed or link.malformed or link.charset.agrees(link.raw, link.state):
        return link
    return link._replace(fixed=READ_DIFFERENTLY)


def marked(
    templates: Templates, builder: Builder, blocks: Blocks | None, links: list[Link]
) -> list[Link]:
    """Mark in `Link.fixed` what must not be rewritten: templates, links in server code, and what readers decode differently.

    Args:
        templates: the marks of templates.
        builder: source and lines of the document.
        blocks: the blocks of server code in the document; None for a type without such blocks.
        links: links of the last bytes.

    """
    links = templates.marked(links)
    if doubts := builder.view.doubts:
        links = [_doubted(link, doubts) for link in links]
    if builder.charset.iana is not None:
        links = [_declared(link) for link in links]
    if blocks is None or not blocks.search():
        return links
    start, unit = builder.origin, builder.charset.unit
    return [
        blocks.marked(link, (link.start - start) // unit, (link.end - start) // unit)
        for link in links
    ]


@cache
def _table() -> tuple[Mark, ...]:
    from linkfix.links.templates_data import TABLES

    return tuple(
        Mark(row["open"], row["close"], row["reach"], row.get("follows", ""), row.get("code", ""))
        for row in TABLES["mark"]
    )


@lru_cache(maxsize=16)
def _hint(added: tuple[Mark, ...]) -> re.Pattern[str]:
    return re.compile("|".join((_HINT, *(re.escape(mark.open) for mark in added))))


@lru_cache(maxsize=16)
def _pattern(added: tuple[Mark, ...], *, shapes: bool) -> re.Pattern[str]:
    """Compile the pattern of an expression in a value; the longest opening mark is tried first."""
    marks = sorted((*added, *_table()), key=lambda mark: -len(mark.open))
    pairs = [f"{re.escape(m.open)}(?s:.*?){re.escape(m.close)}" for m in marks]
    # A digit after a percent sign is that of an octet: {%40
    cut = "|".join(re.escape(m.open) + "(?![0-9])" * m.open.endswith("%") for m in marks)
    found = "|".join((*pairs, f"(?:{cut})(?P<cut>(?s:.)*)"))
    return re.compile(f"{found}|{_ANY_SHAPE}" if shapes else found)


@cache
def _blocks() -> list[re.Pattern[bytes]]:
    """Return the patterns of what opens a block, one for each first character."""

    def one(mark: Mark) -> bytes:
        opening = re.escape(mark.open[1:].encode()).replace(rb"\ ", rb"[\t\n\r ]")
        return opening + b"(?=%b)" % mark.follows.encode()

    marks: dict[bytes, list[Mark]] = {}
    for mark in _table():
        marks.setdefault(mark.open[:1].encode(), []).append(mark)
    return [
        re.compile(re.escape(first) + either(map(one, of_first)), re.IGNORECASE | re.ASCII)
        for first, of_first in marks.items()
    ]


def _mark_of(found: bytes) -> Mark:
    text = found.decode("latin-1").lower()
    text = text[:-1] + " " if text[-1].isspace() else text
    return next(mark for mark in _table() if mark.open == text)
