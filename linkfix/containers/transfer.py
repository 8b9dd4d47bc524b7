"""Content transfer encodings of the parts of messages (RFC 2045, 6): how octets are spelled in lines of ASCII.

Quoted-printable is spelled anew only in the lines that a change touches. Base64 is, as a whole, in lines as long as before.
The weak spot: readers disagree on what is no such encoding, so it is refused.
"""

import re
from binascii import Error, a2b_base64, a2b_qp, b2a_base64, b2a_qp
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate

from linkfix.containers.members import damaged
from linkfix.errors import UnreadableError

#: The encodings that spell octets as themselves, and the longest line of the first two (RFC 5322, 2.1.1).
PLAIN = frozenset(("7bit", "8bit", "binary"))
_LONGEST = 998
#: The length of lines in the other ones (RFC 2045, 6.7 and 6.8).
_USUAL = 76
_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
#: White space that transport may have added, and what quoted-printable does not have (RFC 2045, 6.7).
_ADDED = re.compile(rb"(?<![ \t])[ \t]+(?=\r?\n|\Z)")
_NO_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*(?:\r?\n|\Z))")
#: Where documents may be cut for the search of what changed in them; few links have the characters of the first.
_CUTS = [re.compile(rb"[^%b]*[%b]?" % (each, each)) for each in (b"\"'<>\n", b"<\n", b"<")]


def decoded(raw: bytes, encoding: str) -> bytes:
    """Return the octets that are spelled in an encoding.

    Raises:
        UnreadableError: it is another one, or damaged at the error's `offset`.

    """
    if encoding in PLAIN:
        return raw
    if encoding == "quoted-printable":
        if found := _NO_QUOTED.search(raw):
            raise damaged("an = without two hexadecimal digits", found.start())
        return a2b_qp(_ADDED.sub(b"", raw))
    if encoding == "base64":
        try:
            return a2b_base64(raw.translate(None, b"\t\n\r "), strict_mode=True)
        except Error as error:
            raise damaged(f"no base64: {error}", 0) from error
    raise UnreadableError(f"its transfer encoding {encoding!r} is not known")


def encoded(raw: bytes, new: bytes, encoding: str, ending: bytes) -> bytes:
    """Return new octets in an encoding.

    Args:
        raw: the old octets in it.
        new: the new ones.
        encoding: of `raw`, which can be decoded.
        ending: the line end of the message.

    Raises:
        UnreadableError: the new octets have a longer line than messages may have.

    """
    if encoding == "quoted-printable":
        return _quoted(raw, new, ending)
    if encoding == "base64":
        lines, text = raw.split() or [b""], b2a_base64(new, newline=False)
        width = len(lines[0])
        if len(lines) == 1:  # it says nothing about other lines
            width = _USUAL if width <= _USUAL else len(text)
        made = ending.join(text[at : at + width] for at in range(0, len(text), width))
        return raw[: len(raw) - len(raw.lstrip())] + made + raw[len(raw.rstrip()) :]
    if encoding != "binary" and _longest(new) > max(_LONGEST, _longest(raw)):
        raise UnreadableError(f"a line of the new part would have more than {_LONGEST} octets")
    return new


def _longest(octets: bytes) -> int:
    return max((len(line.rstrip(b"\r\n")) for line in _LINES.findall(octets)), default=0)


def _quoted(raw: bytes, new: bytes, ending: bytes) -> bytes:
    """Return new octets in quoted-printable; the lines in which nothing changes stay."""
    lines = _LINES.findall(raw) or [b""]
    plain = [decoded(line, "quoted-printable") for line in lines]
    ends, touched = [*accumulate(map(len, plain))], dict[int, bytes]()
    for start, end, text in reversed([*_changes(b"".join(plain), new)]):
        first, last = bisect_right(ends, start), bisect_left(ends, end)
        first = min(first, last, len(lines) - 1)
        rest = touched.get(last, plain[last])[end - ends[last] + len(plain[last]) :]
        touched |= dict.fromkeys(range(first + 1, last + 1), b"")
        touched[first] = plain[first][: start - ends[first] + len(plain[first])] + text + rest
    for number, text in touched.items():
        *hard, rest = text.split(ending)
        made = b"".join(b2a_qp(each, istext=False) + b"\n" for each in hard)
        if rest and lines[number].endswith(b"\n"):  # the octet after it leaves room for the break
            made += b2a_qp(rest + b"x", istext=False)[:-1].removesuffix(b"=\n") + b"=\n"
        else:
            made += b2a_qp(rest, istext=False)
        lines[number] = made.replace(b"\n", ending)
    return b"".join(lines)


def _changes(old: bytes, new: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where new octets differ: two offsets in the old ones, and what is between them now."""
    pairs = ((cut.findall(old), cut.findall(new)) for cut in _CUTS)
    alike = (pair for pair in pairs if len(pair[0]) == len(pair[1]))
    at = 0
    for one, other in zip(*next(alike, ([old], [new])), strict=True):
        if one != other:
            yield at, at + len(one), other
        at += len(one)
