"""What the HTML tokenizer gives: start tags with their attributes, texts and links, and their spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from linkfix.markup.htmlsyntax import ATTRIBUTE_PARTS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

__all__ = [
    "Attribute",
    "LinkColumns",
    "LinkKey",
    "Names",
    "RawText",
    "StartTag",
    "Token",
    "parts",
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


#: The name of an element and that of its attribute as they are written, and the quote of the value, which is
#: empty where there is none.
LinkKey: TypeAlias = "tuple[bytes, bytes, bytes]"


class LinkColumns:
    """Simple links of start tags one after the other, column by column: the whole values of attributes.

    Args:
        steps: of a skip (`skipping`), each with the groups ``element``, ``attribute`` and ``value``.
        offset: in the view of what the steps were matched in.

    Attributes:
        values: the bytes of the view that each value is spelled with, without quotes, NUL and CR.

    """

    __slots__ = ("_offset", "_steps", "values")

    def __init__(self, steps: list[re.Match[bytes]], offset: int) -> None:
        self._steps = steps
        self._offset = offset
        together = b"\0".join([step["value"] for step in steps])
        if together[:1] == b'"' and together.count(b'"\0"') == len(steps) - 1:  # as nearly always
            self.values = together[1:-1].split(b'"\0"')
        else:
            values = together.split(b"\0")
            self.values = [value[1:-1] if value[:1] in _QUOTES else value for value in values]

    def keys(self, indices: Iterable[int]) -> list[LinkKey]:
        """Return how links are written but for their values."""
        found = (self._steps[index].group("element", "attribute", "value") for index in indices)
        return [
            (element, attribute, value[:1] if value[:1] in _QUOTES else b"")
            for element, attribute, value in found
        ]

    def starts(self, indices: Iterable[int]) -> list[int]:
        """Return the offsets in the view at which values begin, without their quotes."""
        steps, offset = self._steps, self._offset
        found = [(steps[index].start("value"), steps[index]) for index in indices]
        return [offset + at + (step.string[at : at + 1] in _QUOTES) for at, step in found]


class Names(NamedTuple):
    """Names that fragments can lead to, of start tags that are not given.

    Attributes:
        values: the bytes that they are spelled with, in ASCII and with their quotes; without NUL, CR
            and references.

    """

    values: list[bytes]

    @classmethod
    def of(cls, steps: list[re.Match[bytes]]) -> Names:
        """Return the names that steps of a skip have ended with (`skipping`).

        Args:
            steps: each with the groups ``element``, ``by`` and ``name``.

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
    """Match the attributes of a whole tag, `position` being just after its name.

    The last match may be that of what stands after them, and have no groups.
    """
    return ATTRIBUTE_PARTS.finditer(tag, position, len(tag) - 1)
