"""Messages: mail, and pages that browsers have saved (RFC 2045 to 2049, and MHTML, RFC 2557).

The parts of a message are its members, named by their numbers (RFC 9051, 6.4.5.1) and types: ``1.html``, ``2.3.css``. The ``email``
package reads the fields of headers. Where parts begin and end is found here, since every octet of a message stays but for the content of
parts that change. What programs read differently is refused: lines in headers that are no fields, boundaries that are not
closed. The weak spot: the whole of a message is in memory while it is read for the first time, and while it is written.
"""

import os
import re
from binascii import Error, a2b_base64, a2b_qp, b2a_base64, b2a_qp
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from functools import partial
from io import BytesIO
from itertools import accumulate
from typing import BinaryIO, NamedTuple
from urllib.parse import urljoin

from linkfix.containers.members import PIECE, About, Changes, Container, copied, damaged, pieces
from linkfix.errors import LimitExceededError, UnreadableError
from linkfix.markup.detect import SENDER, type_of_content

#: The empty line after a header, and the lines in it (RFC 5322, 2.2).
_EMPTY = re.compile(rb"^\r?\n", re.MULTILINE)
_HEADER = re.compile(rb"(?:[!-9;-~]++:[^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+(?:\r?\n|\Z))*+")
#: The line before the only message of a mailbox.
_ONLY_SENDER = re.compile(rb"From [^\r\n]*+\r?\n(?!(?s:.*)\n\r?\n%b)" % SENDER.pattern)
#: Fields that sign a message or are checksums of a part (RFC 6376, 8617 and 1864), and types that sign or encrypt it
#: (RFC 1847, 8551 and 3156).
_SIGNATURE = re.compile(
    r"(?:DKIM|DomainKey|ARC-Message)-Signature|ARC-Seal|Content-MD5", re.ASCII | re.IGNORECASE
)
_SIGNED = re.compile(r"multipart/(?:signed|encrypted)|application/(?:(?:x-)?pkcs7-|pgp-).*")
_MESSAGES = frozenset(("message/rfc822", "message/global", "message/news"))
#: A URI that references can be relative to.
_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
#: The most parts that a part may be in.
_MOST_AROUND = 63
_FAULTS = (MessageError, ValueError, LookupError, TypeError, AttributeError)


class _Around(NamedTuple):
    """What a part has from those that it is in.

    Attributes:
        base: absolute URI that references are relative to; "" if unknown.
        message: the identifier of the message; "" if it has none.
        default: the type of a part without one (RFC 2046, 5.1.5).

    """

    base: str = ""
    message: str = ""
    default: str = "text/plain"


class MessageContainer(Container):
    """The parts of a message; argument and errors are those of `linkfix.containers.opened`."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        #: The offsets of the content of each part, and its encoding.
        self._parts: dict[str, tuple[int, int, str]] = {}
        self._uris: list[tuple[str, str]] = []
        data = copied(iter(partial(file.read, PIECE), b"")).read()
        sender = _ONLY_SENDER.match(data)
        start = sender.end() if sender else 0
        try:
            self._read(data, start, len(data), "", _Around(), is_message=True)
        except UnreadableError as error:
            if error.offset is not None:
                error.line = data.count(b"\n", 0, error.offset) + 1
            raise
        self.uris: tuple[tuple[str, str], ...] = tuple(self._uris)

    def _read(
        self, data: bytes, start: int, end: int, number: str, around: _Around, *, is_message: bool
    ) -> None:
        """Read a part, or a message.

        Args:
            data: all of the message.
            start: the offset at which the header of the part begins.
            end: where it ends.
            number: of the part, or of the part that the message is in; "" for the whole.
            around: what it has from those that it is in.
            is_message: whether it is a message.

        """
        if number.count(".") > _MOST_AROUND:
            raise LimitExceededError(f"a part is in more than {_MOST_AROUND} others")
        empty = _EMPTY.search(data, start, end)
        stop, body = (end, end) if empty is None else empty.span()
        header = _HEADER.match(data, start, stop)
        if header is None or header.end() < stop or not (number or header[0]):
            raise damaged("a line is no field of a header", header.end() if header else start)
        try:
            fields = BytesHeaderParser().parsebytes(header[0])
            fields.set_default_type(around.default)
            encoding = _field(fields, "Content-Transfer-Encoding").lower() or "7bit"
            location, base = (_uri(fields, f"Content-{name}") for name in ("Location", "Base"))
            part, message = (
                _field(fields, f"{name}-ID").strip("<>") for name in ("Content", "Message")
            )
            kind, charset = fields.get_content_type(), fields.get_content_charset()
            boundary = _field(fields, "Content-Type") and fields.get_boundary()
            base = next(filter(_BASE.match, (location, base)), around.base)
            if location and not _BASE.match(location):
                location = urljoin(around.base, location)
        except _FAULTS as error:
            raise damaged(f"a header cannot be read: {error}", start) from error
        signed = filter(_SIGNATURE.fullmatch, fields.keys())
        self.signature: str = self.signature or next(
            signed, kind if _SIGNED.fullmatch(kind) else ""
        )
        inside = _Around(
            base,
            message if is_message else around.message,
            "message/rfc822" if kind == "multipart/digest" else "text/plain",
        )
        here = f"{number}.1".lstrip(".") if is_message else number
        if kind.startswith("multipart/") and encoding in _PLAIN:
            for place, (first, last) in enumerate(_spans(data, body, end, boundary), 1):
                within = f"{number}.{place}".lstrip(".")
                self._read(data, first, last, within, inside, is_message=False)
        elif kind in _MESSAGES and encoding in _PLAIN:
            self._read(data, body, end, here, inside, is_message=True)
        else:
            other = {"text/plain": "txt", **dict.fromkeys(_MESSAGES, "eml")}.get(kind, "bin")
            name = f"{here}.{type_of_content(kind) or other}"
            self.add(name, end - body)
            self._parts[name] = body, end, encoding
            known = f'{kind}; charset="{charset}"' if charset else kind
            self.about[name] = About(known, inside.base or None, encoding == "7bit")
            uris = [f"cid:{part}", f"mid:{inside.message}/{part}"] if part else []
            self._uris += ((uri, name) for uri in ([location] if location else []) + uris)

    def open(self, name: str) -> BinaryIO:
        """Return the content of a part, decoded; the errors are those of `Container.open`."""
        start, end, encoding = self._parts[name]
        try:
            return BytesIO(decoded(b"".join(pieces(self._file, start, end)), encoding))
        except UnreadableError as error:
            if error.offset is not None:
                error.offset += start
                lines = (each.count(b"\n") for each in pieces(self._file, 0, error.offset))
                error.line = sum(lines) + 1
            raise

    def copy(self, new: Changes) -> Iterator[bytes]:
        """Yield the octets of the message with new content of some parts; the errors are those of `Container.copy`."""
        if new.names:
            raise UnreadableError("the parts of a message have numbers, which do not change")
        data = b"".join(pieces(self._file, 0, self._file.seek(0, os.SEEK_END)))
        made, at, contents = list[bytes](), 0, dict[str, bytes]()
        for name in sorted(new, key=lambda each: self._parts[each]):
            start, end, encoding = self._parts[name]
            new[name].seek(0)
            contents[name] = new[name].read()
            ending = b"\r\n" if data[:start].endswith(b"\r\n") else b"\n"
            made += data[at:start], encoded(data[start:end], contents[name], encoding, ending)
            at = end
        whole = b"".join([*made, data[at:]])
        if not self._is_like(whole, contents):
            raise UnreadableError("the new content of a part would look like the end of the part")
        yield whole

    def _is_like(self, whole: bytes, contents: Mapping[str, bytes]) -> bool:
        """Return whether a message has the same parts, some of which have new contents."""
        try:
            new = MessageContainer(BytesIO(whole))
            return new.about == self.about and all(
                new.open(name).read() == content for name, content in contents.items()
            )
        except UnreadableError:
            return False


def _spans(data: bytes, start: int, end: int, boundary: str | None) -> Iterator[tuple[int, int]]:
    """Yield the offsets at which the parts between boundaries begin and end (RFC 2046, 5.1.1)."""
    if not boundary or not boundary.isascii():
        raise damaged("a header names no boundary between parts", start)
    line = re.compile(rb"^--%b(--)?([^\n]*)(?:\n|\Z)" % re.escape(boundary.encode()), re.MULTILINE)
    first = None
    for found in line.finditer(data, start, end):
        if found[2].strip(b" \t\r"):
            raise damaged("a line is more than a boundary between parts", found.start())
        if first is not None:
            last = found.start()
            last -= 2 if data[last - 2 : last] == b"\r\n" else 1
            yield first, max(first, last)
        if found[1]:
            return
        first = found.end()
    raise damaged(f"the parts between {boundary!r} have no end", end)


def _field(fields: Message, name: str) -> str:
    """Return the value of a field, without white space around it; "" if there is none."""
    values = [value for key, value in fields.raw_items() if key.lower() == name.lower()]
    if len(values) > 1:
        raise ValueError(f"it has two fields {name}")
    return str(values[0]).strip() if values else ""


def _uri(fields: Message, name: str) -> str:
    """Return the URI in a field, unfolded and decoded (RFC 2557, 4.4.3); "" if there is none."""
    value = "".join(_field(fields, name).split()).encode("utf-8", "surrogateescape").decode()
    return str(make_header(decode_header(value))) if "=?" in value else value


# --- Content transfer encodings of the parts (RFC 2045, 6): how octets are spelled in lines of ASCII --------------
# Quoted-printable is spelled anew only in the lines that a change touches. Base64 is, as a whole, in lines as long as before.
# The weak spot: readers disagree on what is no such encoding, so it is refused.

#: The encodings that spell octets as themselves, and the longest line of the first two (RFC 5322, 2.1.1).
_PLAIN = frozenset(("7bit", "8bit", "binary"))
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
    if encoding in _PLAIN:
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
