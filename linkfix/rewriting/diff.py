"""The changes of a rewrite, as a unified diff of bytes.

``patch`` works on lines that end in the byte 0A, and keeps all other bytes. So a diff of bytes applies to a document
in any charset, although a text editor may not show it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from linkfix.rewriting.rewriter import Outcome

#: Unchanged lines around each change.
_CONTEXT = 3
_PLAIN_NAME = re.compile(rb"[!#-\[\]-~]+")
_ESCAPES = {
    **{octet: b"\\%03o" % octet for octet in range(0x100) if not 0x20 <= octet <= 0x7E},
    **dict(zip(b'\a\b\t\n\v\f\r"\\', rb"\a \b \t \n \v \f \r \" \\".split(), strict=True)),
}


@dataclass(slots=True)
class _Block:
    """Whole lines that change: their numbers from 0, half-open, and the lines they become."""

    first: int
    last: int
    new: list[bytes]


def changes_of(outcomes: Iterable[Outcome]) -> list[tuple[int, int, bytes]]:
    """Return the spans of the links that were rewritten, half-open, each with its new bytes."""
    return [
        (outcome.link.start, outcome.link.end, outcome.new)
        for outcome in outcomes
        if outcome.new is not None
    ]


def unified_diff(source: bytes, changes: Sequence[tuple[int, int, bytes]], name: bytes) -> bytes:
    r"""Write changes as a unified diff (POSIX, "diff -u" format).

    Args:
        source: the document.
        changes: spans of it, ascending and without overlap, each with its new bytes.
        name: of the file, as ``patch`` is to find it; one with spaces, quotes, control or other
            than ASCII bytes is written in quotes with octal escapes, as GNU diff does.

    Returns:
        The diff, empty where nothing changes.

    """
    if not changes:
        return b""
    lines = _lines(source)
    blocks = list(_blocks(source, lines, changes))
    out = [b"--- " + _file_name(name) + b"\n", b"+++ " + _file_name(name) + b"\n"]
    shift = 0
    for hunk in _hunks(blocks):
        first = max(0, hunk[0].first - _CONTEXT)
        last = min(len(lines), hunk[-1].last + _CONTEXT)
        body: list[bytes] = []
        added = removed = 0
        position = first
        for block in hunk:
            body += [b" " + line for line in lines[position : block.first]]
            body += [b"-" + line for line in lines[block.first : block.last]]
            body += [b"+" + line for line in block.new]
            removed += block.last - block.first
            added += len(block.new)
            position = block.last
        body += [b" " + line for line in lines[position:last]]
        count = last - first
        out.append(_header(first, count, first + shift, count - removed + added))
        out += [
            line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
            for line in body
        ]
        shift += added - removed
    return b"".join(out)


def _lines(source: bytes) -> list[bytes]:
    """Split at the byte 0A only, which stays with its line."""
    return re.findall(rb"[^\n]*\n|[^\n]+", source)


def _blocks(
    source: bytes, lines: Sequence[bytes], changes: Sequence[tuple[int, int, bytes]]
) -> Iterator[_Block]:
    """Put changes of the same or adjoining lines together."""
    ends = [*accumulate(map(len, lines))]
    index = 0
    while index < len(changes):
        first = last = min(bisect_right(ends, changes[index][0]), len(ends) - 1)
        position = ends[first] - len(lines[first])
        pieces: list[bytes] = []
        while index < len(changes) and changes[index][0] < ends[last]:
            start, end, new = changes[index]
            pieces += (source[position:start], new)
            position = end
            # Without its line end, a line goes on in the next one.
            joined = not new.endswith(b"\n")
            last = min(bisect_left(ends, end + joined, last), len(ends) - 1)
            index += 1
        pieces.append(source[position : ends[last]])
        yield _Block(first, last + 1, _lines(b"".join(pieces)))


def _hunks(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """Group blocks whose context would touch."""
    hunk: list[_Block] = []
    for block in blocks:
        if hunk and block.first - hunk[-1].last > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(block)
    if hunk:
        yield hunk


def _header(old: int, old_count: int, new: int, new_count: int) -> bytes:
    def place(first: int, count: int) -> str:
        start = first + 1 if count else first
        return f"{start}" if count == 1 else f"{start},{count}"

    return f"@@ -{place(old, old_count)} +{place(new, new_count)} @@\n".encode("ascii")


def _file_name(name: bytes) -> bytes:
    if _PLAIN_NAME.fullmatch(name):
        return name
    return b'"' + b"".join(_ESCAPES.get(octet, bytes([octet])) for octet in name) + b'"'
