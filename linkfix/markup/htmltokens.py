"""What the HTML tokenizer gives: start tags with their attributes, texts and links, and their spans."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from linkfix.markup.htmlsyntax import ATTRIBUTE_PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Attribute",
    "RawText",
    "SimpleLink",
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


class SimpleLink(NamedTuple):
    """A start tag of which only one attribute is given, a value without NUL or CR.

    Attributes:
        key: the name of the element and that of the attribute as they are written, and the quote
            of the value, which is empty where there is none.
        start: where the value begins, without its quote, as an offset in the view.
        value: the bytes of the view that it is spelled with.

    """

    key: tuple[bytes, bytes, bytes]
    start: int
    value: bytes

    @classmethod
    def found(cls, step: re.Match[bytes], offset: int = 0) -> SimpleLink:
        """Give the link that a step of a run has ended with (`skipping`).

        Args:
            step: with the groups ``element``, ``attribute`` and ``value``.
            offset: in the view of what the step was matched in.

        """
        element, attribute, value = step.group("element", "attribute", "value")
        start, quote = offset + step.start("value"), value[:1]
        if quote == b'"' or quote == b"'":
            start, value = start + 1, value[1:-1]
        else:
            quote = b""
        # Faster than to call the class.
        return tuple.__new__(cls, ((element, attribute, quote), start, value))


_REFERENCE = re.compile(rb"&(?!amp;|[A-Za-z0-9]++=)")
#: What the tokenizer gives.
Token = StartTag | RawText | SimpleLink


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
    text = b"\0".join(raw).decode("latin-1").replace("&amp;", "&")
    if not raw:
        return []
    if text[0] == text[-1] == '"' and text.count('"\0"') == len(raw) - 1:  # as nearly all are
        return text[1:-1].split('"\0"')
    return [value[1:-1] if value[0] in "\"'" else value for value in text.split("\0")]


def has_references(raw: bytes) -> bool:
    """Tell whether a value may have references other than ``&amp;`` (HTML standard, 13.2.5.73)."""
    return _REFERENCE.search(raw) is not None
