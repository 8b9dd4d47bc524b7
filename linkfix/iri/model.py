"""What flows into the engine and out of it: checked arguments, findings, edits and conversions."""

from collections.abc import Callable, Iterable, Sequence
from reprlib import repr as short
from typing import AnyStr, NamedTuple, TypeAlias

TO = ("uri", "iri")
IDNA = ("uts46", "2008", "2003")


def refusal(name: str, value: object, allowed: Sequence[str | None]) -> str:
    """Return the message about an argument that has none of the values that are allowed."""
    from difflib import get_close_matches

    listed = ", ".join(map(repr, allowed))
    key = value.lower().rpartition("/")[2] if isinstance(value, str) else ""  # of a media type
    near = get_close_matches(key, [each for each in allowed if each is not None], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{name}={short(value)} is none of {listed}{hint}"


def need(allowed: Sequence[str | None], **arguments: object) -> None:
    """Refuse arguments that have none of the values that are allowed.

    Raises:
        ValueError: with the name of the argument and the values.

    """
    for name, value in arguments.items():
        if value not in allowed:
            raise ValueError(refusal(name, value, allowed))


def need_text(**arguments: object) -> None:
    """Refuse arguments that are no strings.

    Raises:
        TypeError: with the name of the argument.

    """
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"{name}={short(value)} is no string")


#: Maps the characters of a query to octets in the charset of the document.  Raises
#: ``UnicodeEncodeError`` for the characters that the charset lacks.
QueryEncoder: TypeAlias = Callable[[str], bytes]


class Violation(NamedTuple):
    """A departure of a text from a specification.

    Attributes:
        rule: kebab-case identifier of the rule, for instance ``stray-percent``.
        component: ``scheme``, ``userinfo``, ``host``, ``port``, ``path``, ``query``, ``fragment``
            or ``reference`` for the text as a whole.
        start: code point offset of the first character concerned, from 0.
        end: code point offset behind the last one.
        section: the document and section of the rule.
        message: what is wrong, in plain English.

    """

    rule: str
    component: str
    start: int
    end: int
    section: str
    message: str


class Edit(NamedTuple):
    """A replacement of the code points ``[start, end)`` of an input text by ``text``."""

    start: int
    end: int
    text: str


class Conversion(NamedTuple):
    """The outcome of a conversion; failure is a value, not an exception.

    Attributes:
        text: the result, or the unchanged input if ``ok`` is false.
        edits: the changes from the input to ``text``, ascending and without overlap. A character that did not change
            is in no edit.
        problems: why the text could not be converted (``ok`` is false), or warnings about the result (``ok`` is
            true).
        ok: whether ``text`` is valid in the target syntax and identifies what the input identified.

    """

    text: str
    edits: tuple[Edit, ...]
    problems: tuple[Violation, ...]
    ok: bool


def apply(text: AnyStr, edits: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Return characters or octets with edits (ascending, without overlap) carried out: two offsets each, and what is between them then."""
    pieces: list[AnyStr] = []
    position = 0
    for start, end, new in edits:
        pieces += (text[position:start], new)
        position = end
    pieces.append(text[position:])
    return text[:0].join(pieces)


def difference(old: str, new: str, offset: int = 0) -> list[Edit]:
    """Return the edit from ``old`` to ``new`` without their common start and end.

    Args:
        old: the text at ``offset``.
        new: its replacement.
        offset: code point offset of ``old`` in the whole text.

    """
    if old == new:
        return []
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shorter - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return [Edit(offset + start, offset + len(old) - tail, new[start : len(new) - tail])]


def compose(first: Sequence[Edit], second: Sequence[Edit], middle: str) -> list[Edit]:
    """Compose two steps into one.

    Args:
        first: edits from the input to ``middle``.
        second: edits from ``middle`` to the output.
        middle: the text between the steps.

    Returns:
        Edits from the input to the output.  Edits of the two steps that share characters
        of ``middle`` are merged.

    """
    if not first or not second:
        return list(first or second)
    #: In the middle: start, end, by how many characters the input is longer there, and the edit of the second step.
    spans: list[tuple[int, int, int, Edit | None]] = []
    shift = 0  # offset in the input minus offset in the middle
    for start, end, text in first:
        longer = end - start - len(text)
        spans.append((start - shift, start - shift + len(text), longer, None))
        shift += longer
    spans += [(edit.start, edit.end, 0, edit) for edit in second]
    spans.sort(key=lambda span: (span[0], span[3] is not None))
    groups: list[list[tuple[int, int, int, Edit | None]]] = []
    end = 0
    for span in spans:
        if span[0] >= end:  # it shares nothing with those before
            groups.append([])
        groups[-1].append(span)
        end = max(end, span[1])

    merged: list[Edit] = []
    shift = 0
    for group in groups:
        start, end = group[0][0], max(high for _, high, _, _ in group)
        longer = sum(more for _, _, more, _ in group)
        inner = [Edit(low - start, high - start, edit.text) for low, high, _, edit in group if edit]
        text = apply(middle[start:end], inner)
        merged.append(Edit(start + shift, end + shift + longer, text))
        shift += longer
    return merged


def source_offset(offset: int, edits: Iterable[Edit], *, behind: bool = False) -> int:
    """Map an offset in the edited text back to the original text.

    Args:
        offset: code point offset in the edited text.
        edits: the edits from the original to the edited text.
        behind: whether ``offset`` is the end of a span, which includes no removal after it.

    Returns:
        The offset in the text before the edits; within a replacement, the start of what it
        replaced, or its end for ``behind``.

    """
    shift = 0
    for edit in edits:
        low = edit.start - shift
        high = low + len(edit.text)
        if offset < low or (behind and offset == low):
            break
        if offset < high:
            return edit.end if behind else edit.start
        shift += edit.end - edit.start - len(edit.text)
    return offset + shift
