"""The tokens of the HTML tokenizer: start tags, raw texts, columns of simple links, and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from linkfix.deferred import pattern

# --- The grammar of HTML tags, as regular expressions over the ASCII view (HTML standard, 13.2.5) ---

# 13.2.5.33 "Attribute name state": a leading "=" is part of the name.
_NAME = rb"(?:=[^\t\n\f\r />=]*+|[^\t\n\f\r />=]++)"
# 13.2.5.35 "Before attribute value state": quoted, missing (the tag ends), unquoted.
_VALUE = rb"""(?:"[^"]*+"|'[^']*+'|(?=>)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)"""
#: The separator between the name of an attribute and its value.
EQUALS = rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+"
#: The lookahead after the name of a tag.
NAME_END = rb"(?=[\t\n\f\r />])"
#: An attribute, without the space before it.
ATTRIBUTE = _NAME + rb"(?:" + EQUALS + _VALUE + rb"|(?!" + EQUALS + rb"))"
#: A whole tag: slash, name, attributes, the space before its ``>``.
TAG = re.compile(
    rb"<(/?)([A-Za-z][^\t\n\f\r />]*+)((?:[\t\n\f\r /]*+" + ATTRIBUTE + rb")*+)([\t\n\f\r /]*+)>"
)
#: The beginning of a tag.
TAG_START = pattern(rb"</?[A-Za-z]")
#: An attribute of a whole tag: its name, and its value as the group of its kind of quotes; or the space after the
#: last one, matched at once so that it is not scanned again from each of its characters.
ATTRIBUTE_PARTS = re.compile(
    rb"[\t\n\f\r /]*+("
    + _NAME
    + rb")(?:"
    + EQUALS
    + rb"""(?:"([^"]*+)"|'([^']*+)'|(?=>)|([^\t\n\f\r >"'][^\t\n\f\r >]*+)|$))?+|[\t\n\f\r /]++"""
)


#: The name of comments among tokens.
COMMENT = b"#comment"


class State(Enum):
    """Tokenizer states between tokens (HTML standard, 13.2.5)."""

    DATA = auto()
    RCDATA = auto()
    RAWTEXT = auto()
    SCRIPT_DATA = auto()
    SCRIPT_DATA_ESCAPED = auto()
    SCRIPT_DATA_DOUBLE_ESCAPED = auto()
    PLAINTEXT = auto()
    CDATA_SECTION = auto()
    COMMENT = auto()
    BOGUS_COMMENT = auto()


class Attribute(NamedTuple):
    """One attribute of a tag.

    Attributes:
        name: bytes of the view, ASCII letters in lower case.
        start: offset in the view at which the value begins, after its quote.
        end: offset in the view at which the value ends, before its quote.
        quote: ``"`` or ``'``, the empty string for an unquoted value, None for no value.

    """

    name: bytes
    start: int
    end: int
    quote: str | None


class StartTag(NamedTuple):
    """A start tag.

    Attributes:
        name: bytes of the view, ASCII letters in lower case.
        namespace: the namespace name of the element.
        start: offset in the view of its ``<``.
        raw: the bytes of the view from ``<`` to ``>``.
        self_closing: whether it ends in ``/>``.
        is_inert: for ``base``, whether its element is not in the document: in a ``template``, or ignored.

    """

    name: bytes
    namespace: str
    start: int
    raw: bytes
    self_closing: bool
    is_inert: bool = False

    @property
    def end(self) -> int:
        """The offset in the view just after the ``>``."""
        return self.start + len(self.raw)

    def attributes(self) -> Iterator[Attribute]:
        """Yield the attributes in order, without repeated names (13.2.5.33)."""
        seen: set[bytes] = set()
        for match in parts(self.raw, 1 + len(self.name)):
            if match[1] is None:
                return
            name = match[1].lower()
            if name not in seen:
                seen.add(name)
                group = match.lastindex or 1
                if group == 1:
                    at = self.start + match.end()
                    yield Attribute(name, at, at, None)
                else:
                    start, end = match.span(group)
                    yield Attribute(
                        name, self.start + start, self.start + end, ("", '"', "'", "")[group - 1]
                    )


class RawText(NamedTuple):
    """The wanted content of a raw text element, of a foreign element without tags, or of a conditional comment.

    In a foreign element it is not raw: it may contain character references, comments and CDATA sections
    (HTML standard, 13.2.6.5).

    Attributes:
        name: name of the element, in lower case; `COMMENT` for a comment.
        start: offset in the view at which the text begins.
        end: offset in the view at which it ends.
        namespace: the namespace name of the element; "" for a comment.
        purpose: what the text is wanted for, as the reader of the document says.

    """

    name: bytes
    start: int
    end: int
    namespace: str
    purpose: str = ""


#: The names of an element and of its attribute as written, and the quote of the value, empty for none.
LinkKey: TypeAlias = "tuple[bytes, bytes, bytes]"


class LinkColumns:
    """Simple links of start tags, column by column: the whole values of attributes.

    Args:
        steps: steps of a skip (`skipping`), each with the groups ``element``, ``attribute`` and ``value``.
        offset: offset in the view of the bytes in which the steps were matched.

    Attributes:
        steps: the steps that were given.
        values: the spelling of each value, as bytes of the view without quotes, NUL and CR.

    """

    __slots__ = ("_offset", "_quotes", "steps", "values")

    def __init__(self, steps: list[re.Match[bytes]], offset: int) -> None:
        self.steps: list[re.Match[bytes]] = steps
        self._offset = offset
        together = b"\0".join(map(itemgetter("value"), steps))
        quote, between = together[:1], together[:1] + b"\0" + together[:1]
        if quote in _QUOTES and together.count(between) == len(steps) - 1:  # the common case
            self.values: list[bytes] = together[1:-1].split(between)
            self._quotes = [quote] * len(steps)
        else:
            values = together.split(b"\0")
            self._quotes = [value[:1] if value[:1] in _QUOTES else b"" for value in values]
            pairs = zip(values, self._quotes, strict=True)
            self.values = [value[1:-1] if quote else value for value, quote in pairs]

    def keys(self, indices: Iterable[int]) -> list[LinkKey]:
        """Return the names and the quotes of links as written."""
        steps, quotes, groups = self.steps, self._quotes, self.steps[0].re.groupindex
        names = itemgetter(groups["element"], groups["attribute"])
        return [
            (element, attribute, quotes[index])
            for index in indices
            for element, attribute in [names(steps[index])]
        ]

    def starts(self, indices: Iterable[int]) -> list[int]:
        """Return the offsets in the view at which values begin, after their quotes."""
        steps, quotes, offset = self.steps, self._quotes, self._offset
        value = steps[0].re.groupindex["value"]
        return [offset + steps[index].start(value) + len(quotes[index]) for index in indices]


class Names(NamedTuple):
    """The targets of fragments in start tags that the skip does not return.

    Attributes:
        values: their spelling in ASCII, with quotes and without NUL, CR and references.

    """

    values: list[bytes]

    @classmethod
    def of(cls, steps: list[re.Match[bytes]]) -> Names:
        """Return the names that steps of a skip (`skipping`) end with.

        Args:
            steps: steps with the groups ``element``, ``by`` and ``name``.

        """
        found = (step.group("element", "by", "name") for step in steps)
        return cls([n for element, by, n in found if len(by) == len(b"id") or element in b"aA"])

    def read(self) -> list[str]:
        """Return the names."""
        text = b"\0".join(self.values).decode("ascii")
        return [name[1:-1] if name[:1] in {'"', "'"} else name for name in text.split("\0")]


_QUOTES = frozenset((b'"', b"'"))
#: What the tokenizer returns.
Token = StartTag | RawText | LinkColumns | Names


def parts(tag: bytes, position: int) -> Iterator[re.Match[bytes]]:
    """Return the matches of the attributes of a whole tag; its name ends at `position`.

    The last match may be the space after the attributes, and then has no groups.
    """
    return ATTRIBUTE_PARTS.finditer(tag, position, len(tag) - 1)
