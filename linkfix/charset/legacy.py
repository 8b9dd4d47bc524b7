"""Charsets without states: in which a byte is a character, and those of East Asia in which several bytes may be.

The first are ISO-8859, Windows, KOI8, DOS, Macintosh and EBCDIC pages, the others Big5, EUC-JP, EUC-KR, GBK, gb18030 and
Shift_JIS. For these Python's codecs do the work for most text. `tables/multi_byte.py` has the differences of the Encoding Standard, and
`step` reads one malformed or added sequence as the standard's decoders do:

* a lead byte and a trail byte without a character are one U+FFFD together, but
* an ASCII byte in place of the trail is read again (only the lead byte becomes U+FFFD), and
* an incomplete sequence at the end is one U+FFFD.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any, Final

from linkfix.deferred import pattern

from .model import MASK, REPLACEMENT, Charset, View, lacking

# --- The ASCII view of EUC-JP, and where decoders of browsers differ from the standard's ----------
# Input: the bytes of a document. Output: offsets. After 0x8F, a lead byte and no trail byte, Chromium and WebKit decode
# the next two bytes in JIS X 0212 however far they are; Firefox and the Encoding Standard (13.1.1, step 4) decode them
# in JIS X 0208. Cost: a search for 0x8F; where it occurs, one match of a pattern for each sequence that is malformed.

_PAIR: Final = rb"[\xa1-\xfe][\xa1-\xfe]"
_THREE: Final = rb"\x8f[\xa1-\xfe][\xa1-\xfe]"
#: What changes the meaning of the next pair. A byte beyond ASCII is consumed, ASCII is read again.
_LEAK: Final = rb"\x8f[\xa1-\xfe](?:[\x80-\xa0\xff]|(?=[\x00-\x7f]))"
#: Any other lead byte.
_LEAD: Final = rb"(?:[\x8e\xa1-\xfe]|\x8f(?![\xa1-\xfe]))(?:[\x80-\xff]|(?=[\x00-\x7f]))"
_SINGLE: Final = rb"[\x00-\x8d\x90-\xa0\xff]"
#: Up to a pair that browsers disagree on, which is the group, or three bytes in its place.
_SOUND: Final = rb"(?:%b++|%b|%b)*+" % (_SINGLE, _THREE, _LEAD)
_LEAKING: Final = rb"%b(?:%b++|%b|(?!%b)%b)*+" % (_LEAK, _SINGLE, _LEAK, _PAIR, _LEAD)
_DOUBT: Final = pattern(rb"%b%b(?:(%b)|%b)" % (_SOUND, _LEAKING, _PAIR, _THREE))
#: What follows the last one; the group is there where the next pair is one more.
_REST: Final = pattern(rb"%b(%b)?+" % (_SOUND, _LEAKING))
#: The shortest bytes before such a pair.
_BEFORE: Final = b"\x8f\xa1\x80"


class EucJpView(View):
    """The document itself; `doubts` are the offsets of pairs of bytes that browsers decode differently."""

    __slots__ = ("_fed", "_pending", "doubts")

    def __init__(self) -> None:
        self.doubts: list[int] = []
        self._fed = 0  # offset of the first byte that has not been looked at
        self._pending = (
            b""  # the beginning of a sequence; `_BEFORE` where browsers disagree on the next pair
        )

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """See `View.feed`."""
        del final
        unread = self._pending + data
        position = 0
        if b"\x8f" not in unread:
            # ASCII ends every sequence, so that nothing before it matters.
            position = max(0, len(unread) - 2)
            while position and unread[position - 1] >= 0x80:
                position -= 1
        while (found := _DOUBT.match(unread, position)) is not None:
            if found[1]:
                self.doubts.append(self._fed + found.start(1))
            position = found.end()
        before = b""
        if (rest := _REST.match(unread, position)) is not None:
            position, before = rest.end(), _BEFORE if rest[1] else b""
        self._fed += position - len(before)
        self._pending = before + unread[position:]
        return data

    def forget(self, offset: int) -> None:
        """See `View.forget`."""
        if self.doubts:
            self.doubts = [doubt for doubt in self.doubts if doubt >= offset]


# --- Single bytes --------------------------------------------------------------------------------


class TranslatedView(View):
    """The view of a single-byte charset that is no superset of ASCII (EBCDIC)."""

    __slots__ = ("_table",)

    def __init__(self, table: bytes) -> None:
        self._table = table

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """Read bytes, as `View.feed`."""
        del final
        return data.translate(self._table)


class SingleByte(Charset):
    """A single-byte encoding (Encoding Standard, section 9, and x-user-defined, 14.5)."""

    __slots__ = ()

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`."""
        del state
        return codecs.charmap_decode(data, "replace", table(self.name))[0]

    def _encoded(self, text: str) -> bytes:
        return codecs.charmap_encode(text, "strict", _encoding(self.name))[0]

    def view(self) -> View:
        """Return the view, as `Charset.view`; EBCDIC is translated."""
        mask = _mask(self.name)
        return View() if mask is None else TranslatedView(mask)


@cache
def table(name: str) -> str:
    """Load the 256 characters of a charset, U+FFFE where there is none."""
    from .tables.single_byte import EBCDIC, EBCDIC_037, LOWER, UPPER_HALVES

    is_ascii = name in UPPER_HALVES
    characters = [*map(chr, range(0x80)), *UPPER_HALVES[name]] if is_ascii else list(EBCDIC_037)
    for record in (LOWER.get(name, "") if is_ascii else EBCDIC[name]).split():
        byte, point = record.split("=")
        characters[int(byte, 16)] = chr(int(point, 16))
    return "".join(characters)


@cache
def _encoding(name: str) -> Any:  # what Python makes for `codecs.charmap_encode`
    return codecs.charmap_build(table(name))


@cache
def _mask(name: str) -> bytes | None:
    """Make the translation from bytes to the ASCII view; None for a superset of ASCII."""
    characters = table(name)
    return None if characters[:0x80] == "".join(map(chr, range(0x80))) else masked(characters)


def masked(characters: str) -> bytes:
    """Return the translation from bytes to the ASCII view for the characters of all bytes."""
    return bytes(ord(character) if character.isascii() else MASK for character in characters)


# --- Several bytes -------------------------------------------------------------------------------


class MultiByte(Charset):
    """A legacy multi-byte encoding without states (Encoding Standard, sections 10 to 13)."""

    __slots__ = ()

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`."""
        del state
        if data.isascii():
            return data.decode("ascii")
        return _decoder(self.name).decode(data)

    def _encoded(self, text: str) -> bytes:
        return text.encode("ascii") if text.isascii() else _encoder(self.name).encode(text)

    def view(self) -> View:
        """See `Charset.view`."""
        return EucJpView() if self.name == "EUC-JP" else View()

    def offsets(self, data: bytes, state: int = 0) -> Sequence[int]:
        """Return offsets, as `Charset.offsets`."""
        if data.isascii():
            return super().offsets(data, state)
        steps = _decoder(self.name).steps(data)
        starts = ([position] * len(text) for position, text in steps)
        return [*chain.from_iterable(starts), len(data)]


class _Decoder:
    """A decoder: its tables, and the codec of Python that it uses."""

    def __init__(self, name: str) -> None:
        from .tables.multi_byte import OVERLAYS

        # GBK's decoder is gb18030's (10.1.1).
        self.name = "gb18030" if name == "GBK" else name
        self.overlay = OVERLAYS[self.name]
        self.rare = _sequences(self.overlay.rare)
        self.added = _sequences(self.overlay.added)
        self.errors = f"linkfix.{self.name}"
        self._sequence = _SEQUENCES[self.name]
        wrong, right = self.overlay.retold[::2], self.overlay.retold[1::2]
        self._retold = dict(zip(wrong, right, strict=True))
        self._is_retold = re.compile(f"[{wrong}]" if wrong else r"(?!)")
        # A match may straddle two characters; that only costs time.
        self._is_rare = re.compile(b"|".join(map(re.escape, self.rare)) if self.rare else rb"(?!)")
        codecs.register_error(self.errors, self._on_error)

    def _on_error(self, error: UnicodeError) -> tuple[str, int]:
        """Go on where Python's decoder stopped."""
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return self.step(error.object, error.start)

    def decode(self, data: bytes) -> str:
        """Decode bytes, with U+FFFD for what is malformed."""
        if self._is_rare.search(data):
            return "".join(text for _, text in self.steps(data))
        return self._retell(data.decode(self.overlay.codec, self.errors))

    def _retell(self, text: str) -> str:
        return self._is_retold.sub(lambda found: self._retold[found[0]], text)

    def steps(self, data: bytes) -> Iterator[tuple[int, str]]:
        """Decode sequence by sequence; yield the offset and the text of each."""
        position = 0
        while position < len(data):
            text, end = self.step(data, position)
            yield position, text
            position = end

    def step(self, data: bytes, start: int) -> tuple[str, int]:
        """Decode the one sequence at `start`; return its text and the offset where it ends."""
        if data[start] < 0x80:
            return chr(data[start]), start + 1
        found = self._sequence.match(data, start)
        end, complete = (found.end(), found[1] is not None) if found else (start + 1, False)
        text = self._character(data[start:end]) if complete else None
        if text is not None:
            return text, end
        # ASCII in a trail's place is read again; the last digit of four bytes (gb18030) is none.
        if complete and data[end - 1] < 0x80 and end < start + 4:
            end -= 1
        return REPLACEMENT, end

    def _character(self, sequence: bytes) -> str | None:
        text = self.rare.get(sequence) or self.added.get(sequence)
        if text is None:
            try:
                text = self._retell(sequence.decode(self.overlay.codec))
            except UnicodeDecodeError:
                return None
        return text


class _Encoder:
    """An encoder: its tables, and the codec of Python that it uses."""

    def __init__(self, name: str) -> None:
        from .tables.multi_byte import OVERLAYS

        self.name = name
        self.overlay = OVERLAYS[name]
        #: The characters that Python's codec must not encode.
        self.different: dict[str, bytes | None] = {}
        for record in self.overlay.encoded.split():
            points, data = record.split("=")
            first, _, last = points.partition("-")
            for point in range(int(first, 16), int(last or first, 16) + 1):
                self.different[chr(point)] = bytes.fromhex(data) or None
        refused = self.overlay.refused
        either = f"([{''.join(self.different)}])" if self.different else r"(?!)"
        self._is_different = re.compile(either)
        self._is_refused = re.compile(b"[%b]" % refused if refused else rb"(?!)")

    def encode(self, text: str) -> bytes:
        """Encode text; raises UnicodeEncodeError where a character is lacking."""
        out = []
        for index, run in enumerate(self._is_different.split(text)):
            # The pattern's group puts the characters that match at the odd places.
            data = self.different[run] if index % 2 else self._by_codec(run)
            if data is None:
                raise lacking(self.name, text)
            out.append(data)
        return b"".join(out)

    def _by_codec(self, text: str) -> bytes | None:
        with suppress(UnicodeEncodeError):
            data = text.encode(self.overlay.codec)
            if not self._is_refused.search(data):
                return data
        if self.name != "GBK" or len(text) > 1:
            return None
        # GBK's encoder is gb18030's without the four-byte sequences (10.1.2).
        data = _encoder("gb18030").encode(text)
        return data if len(data) == 2 else None


_decoder, _encoder = cache(_Decoder), cache(_Encoder)


def _sequences(records: str) -> dict[bytes, str]:
    found = {}
    for record in records.split():
        data, points = record.split("=")
        found[bytes.fromhex(data)] = "".join(chr(int(point, 16)) for point in points.split("+"))
    return found


#: A character of one byte, or a lead byte and a trail byte.
_PAIRED: Final = rb"([^%b]|[%b].)|."
#: For each encoding the sequence at a byte above 0x7F; in the group one that can have a character. Others are one U+FFFD.
_SEQUENCES: Final[dict[str, re.Pattern[bytes]]] = {
    name: pattern(sequence, re.DOTALL)
    for name, sequence in {
        "Big5": _PAIRED.replace(b"%b", rb"\x81-\xfe"),
        # Lead, trail; or 0x8F, lead, trail (12.1.1).
        "EUC-JP": rb"([^\x8e\x8f\xa1-\xfe]|\x8f[\xa1-\xfe].|(?!\x8f[\xa1-\xfe])..)|.{1,2}",
        "EUC-KR": _PAIRED.replace(b"%b", rb"\x81-\xfe"),
        "Shift_JIS": _PAIRED.replace(b"%b", rb"\x81-\x9f\xe0-\xfc"),
        # Lead, trail; or lead, digit, lead, digit (10.2.1). After a wrong digit all but the first byte are read again.
        "gb18030": rb"([\x80\xff]|.[^0-9]|.[0-9][\x81-\xfe][0-9])|.(?:[0-9][\x81-\xfe]?)?\Z|.",
    }.items()
}
