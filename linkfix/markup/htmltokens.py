"""What the HTML tokenizer gives: start tags with their attributes, texts and links, and their spans."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from linkfix.markup.htmlsyntax import ATTRIBUTE_PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Attribute",
    "RawText",
    "SimpleLinks",
    "StartTag",
    "Token",
    "has_references",
    "parts",
    "simple_values",
]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a tag.

    Attributes:
        name: bytes of the view, ASCII letters in lower case.
        start: where the value begins, without its quote, as an offset in the view.
        end: where the value ends, likewise.
        quote: ``"`` or ``'``, the empty string for an unquoted value, None where there is no value.

    """

    name: bytes
    start: int
    end: int
    quote: str | None


@dataclass(frozen=True, slots=True)
class StartTag:
    """A start tag.

    Attributes:
        name: bytes of the view, ASCII letters in lower case.
        namespace: the namespace name of the element.
        start: where its ``<`` stands, as an offset in the view.
        raw: the bytes of the view from ``<`` to ``>``.
        self_closing: whether it ends in ``/>``.

    """

    name: bytes
    namespace: str
    start: int
    raw: bytes
    self_closing: bool

    @property
    def end(self) -> int:
        """The offset in the view just after the ``>``."""
        return self.start + len(self.raw)

    def attributes(self) -> Iterator[Attribute]:
        """Give the attributes in order, a later one of the same name left out (13.2.5.33)."""
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


@dataclass(frozen=True, slots=True)
class RawText:
    """The content of a raw text element, or of a foreign one without tags, that was asked for.

    In a foreign element it is no raw text: character references are read in it, and comments and
    CDATA sections may be part of it (HTML standard, 13.2.6.5).

    Attributes:
        name: of the element, in lower case.
        start: where it begins, as an offset in the view.
        end: where it ends.
        namespace: the namespace name of the element.

    """

    name: bytes
    start: int
    end: int
    namespace: str


class SimpleLinks(NamedTuple):
    """Start tags one after the other of each of which only one attribute is given, without NUL or CR.

    There are many of them, so they are held and made column by column.

    Attributes:
        keys: for each the name of the element and that of the attribute as they are written, and the
            quote of the value, which is empty where there is none.
        starts: where the values begin, without their quotes, as offsets in the view.
        values: the bytes of the view that they are spelled with.

    """

    keys: list[tuple[bytes, bytes, bytes]]
    starts: list[int]
    values: list[bytes]

    @classmethod
    def found(cls, steps: list[re.Match[bytes]], offset: int = 0) -> SimpleLinks:
        """Give the links that steps of a run have ended with (`skipping`).

        Args:
            steps: each with the groups ``element``, ``attribute`` and ``value``.
            offset: in the view of what the steps were matched in.

        """
        if not steps:
            return cls([], [], [])
        groups = steps[0].re.groupindex
        element, attribute, value = (groups[name] for name in ("element", "attribute", "value"))
        elements = [step[element] for step in steps]
        attributes = [step[attribute] for step in steps]
        values = [step[value] for step in steps]
        starts = [step.start(value) + offset for step in steps]
        together = b"\0".join(values)
        if _are_in_double_quotes(together, len(values)):
            starts = [start + 1 for start in starts]
            values = together[1:-1].split(b'"\0"')
            return cls([*zip(elements, attributes, repeat(b'"'), strict=False)], starts, values)
        quotes = [quote if (quote := value[:1]) in _QUOTES else b"" for value in values]
        starts = [start + len(quote) for start, quote in zip(starts, quotes, strict=True)]
        values = [v[1:-1] if quote else v for v, quote in zip(values, quotes, strict=True)]
        return cls([*zip(elements, attributes, quotes, strict=True)], starts, values)


_QUOTES = (b'"', b"'")
_REFERENCE = re.compile(rb"&(?!amp;|[A-Za-z0-9]++=)")
#: What the tokenizer gives.
Token = StartTag | RawText | SimpleLinks


def parts(tag: bytes, position: int) -> Iterator[re.Match[bytes]]:
    """Match the attributes of a whole tag, `position` being just after its name.

    The last match may be that of what stands after them, and have no groups.
    """
    return ATTRIBUTE_PARTS.finditer(tag, position, len(tag) - 1)


def simple_values(raw: list[bytes]) -> list[str]:
    """Give the values of simple links or names by their bytes in the view, which have their quotes.

    None has a NUL. Each byte that is not ASCII stands for something that is not ASCII either, and
    references other than ``&amp;`` are left as they are spelled (`has_references`).
    """
    if not raw:
        return []
    together = b"\0".join(raw)
    text = together.decode("latin-1").replace("&amp;", "&")
    if _are_in_double_quotes(together, len(raw)):
        return text[1:-1].split('"\0"')
    return [value[1:-1] if value[0] in "\"'" else value for value in text.split("\0")]


def _are_in_double_quotes(together: bytes, count: int) -> bool:
    """Tell whether so many values, joined by NULs, are all in double quotes, as nearly all are."""
    return together[:1] == b'"' and together.count(b'"\0"') == count - 1 and together[-1:] == b'"'


def has_references(raw: bytes) -> bool:
    """Tell whether a value may have references other than ``&amp;`` (HTML standard, 13.2.5.73)."""
    return _REFERENCE.search(raw) is not None
