"""The legacy decoders and encoders of the Encoding Standard, written down step by step.

They are slow and share only the public indexes with the package, which must agree with them. Names and steps are the
standard's. A handler returns the code points of one step, `ERROR`, `FINISHED` or nothing, and puts bytes back with
`restore`.
"""

from __future__ import annotations

import itertools
import json
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from conformance_data import conformance

if TYPE_CHECKING:
    from collections.abc import Iterator

ERROR = "\ufffd"
FINISHED = None


@cache
def indexes() -> dict[str, list[int | None]]:
    found: dict[str, list[int | None]] = json.loads(
        conformance("encoding", "indexes.json").read_bytes()
    )
    return found


def ranges() -> list[list[int]]:
    found: list[list[int]] = indexes()["gb18030-ranges"]  # type: ignore[assignment]
    return found


def code_point(index: str, pointer: int | None) -> int | None:
    row = indexes()[index]
    return row[pointer] if pointer is not None and pointer < len(row) else None


@cache
def first_pointers(index: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for pointer, point in enumerate(indexes()[index]):
        if point is not None:
            found.setdefault(point, pointer)
    return found


class Decoder:
    """A decoder that is fed byte by byte, None for the end of the queue."""

    def __init__(self) -> None:
        self.queue: list[int] = []

    def restore(self, *items: int | None) -> None:
        self.queue[:0] = [item for item in items if item is not None]

    def handle(self, byte: int | None) -> str | None:
        raise NotImplementedError

    def decode(self, data: bytes) -> str:
        self.queue = list(data)
        out = []
        while (result := self.handle(self.queue.pop(0) if self.queue else None)) is not FINISHED:
            out.append(result)
        return "".join(out)


class SingleByte(Decoder):
    """9.1; the index is its parameter."""

    def __init__(self, index: str) -> None:
        super().__init__()
        self.index = index

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            return FINISHED
        if byte < 0x80:
            return chr(byte)
        point = code_point(self.index, byte - 0x80)
        return ERROR if point is None else chr(point)


class Gb18030(Decoder):
    """10.2.1."""

    first = second = third = 0

    def handle(self, byte: int | None) -> str | None:
        first, second, third = self.first, self.second, self.third
        if byte is None:
            if first == second == third == 0:
                return FINISHED
            self.first = self.second = self.third = 0
            return ERROR
        if third:
            if not 0x30 <= byte <= 0x39:
                self.restore(second, third, byte)
                self.first = self.second = self.third = 0
                return ERROR
            pointer = (
                (first - 0x81) * (10 * 126 * 10)
                + (second - 0x30) * (10 * 126)
                + (third - 0x81) * 10
                + byte
                - 0x30
            )
            self.first = self.second = self.third = 0
            point = self.ranges_code_point(pointer)
            return ERROR if point is None else chr(point)
        if second:
            if 0x81 <= byte <= 0xFE:
                self.third = byte
                return ""
            self.restore(second, byte)
            self.first = self.second = 0
            return ERROR
        if first:
            if 0x30 <= byte <= 0x39:
                self.second = byte
                return ""
            self.first = 0
            place = None
            offset = 0x40 if byte < 0x7F else 0x41
            if 0x40 <= byte <= 0x7E or 0x80 <= byte <= 0xFE:
                place = (first - 0x81) * 190 + (byte - offset)
            point = code_point("gb18030", place)
            if point is not None:
                return chr(point)
            if byte < 0x80:
                self.restore(byte)
            return ERROR
        if byte < 0x80:
            return chr(byte)
        if byte == 0x80:
            return "\u20ac"
        if 0x81 <= byte <= 0xFE:
            self.first = byte
            return ""
        return ERROR

    @staticmethod
    def ranges_code_point(pointer: int) -> int | None:
        if 39419 < pointer < 189000 or pointer > 1237575:
            return None
        if pointer == 7457:
            return 0xE7C7
        offset, base = next(row for row in reversed(ranges()) if row[0] <= pointer)
        return base + pointer - offset


class Big5(Decoder):
    """11.1.1."""

    lead = 0
    PAIRS: ClassVar = {
        1133: "\u00ca\u0304",
        1135: "\u00ca\u030c",
        1164: "\u00ea\u0304",
        1166: "\u00ea\u030c",
    }

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if not self.lead:
                return FINISHED
            self.lead = 0
            return ERROR
        if self.lead:
            lead, self.lead = self.lead, 0
            pointer = None
            offset = 0x40 if byte < 0x7F else 0x62
            if 0x40 <= byte <= 0x7E or 0xA1 <= byte <= 0xFE:
                pointer = (lead - 0x81) * 157 + (byte - offset)
            if pointer in self.PAIRS:
                return self.PAIRS[pointer]
            point = code_point("big5", pointer)
            if point is not None:
                return chr(point)
            if byte < 0x80:
                self.restore(byte)
            return ERROR
        if byte < 0x80:
            return chr(byte)
        if 0x81 <= byte <= 0xFE:
            self.lead = byte
            return ""
        return ERROR


class EucJp(Decoder):
    """12.1.1."""

    lead = 0
    jis0212 = False

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if not self.lead:
                return FINISHED
            self.lead = 0
            return ERROR
        if self.lead == 0x8E and 0xA1 <= byte <= 0xDF:
            self.lead = 0
            return chr(0xFF61 - 0xA1 + byte)
        if self.lead == 0x8F and 0xA1 <= byte <= 0xFE:
            self.jis0212 = True
            self.lead = byte
            return ""
        if self.lead:
            lead, self.lead = self.lead, 0
            point = None
            if 0xA1 <= lead <= 0xFE and 0xA1 <= byte <= 0xFE:
                index = "jis0212" if self.jis0212 else "jis0208"
                point = code_point(index, (lead - 0xA1) * 94 + byte - 0xA1)
            self.jis0212 = False
            if point is not None:
                return chr(point)
            if byte < 0x80:
                self.restore(byte)
            return ERROR
        if byte < 0x80:
            return chr(byte)
        if byte in (0x8E, 0x8F) or 0xA1 <= byte <= 0xFE:
            self.lead = byte
            return ""
        return ERROR


class Iso2022Jp(Decoder):
    """12.2.1; the states of the package are its parameter."""

    def __init__(self, state: int = 0) -> None:
        super().__init__()
        self.state = self.output_state = ("ASCII", "Roman", "katakana", "lead byte")[state % 4]
        self.lead = 0
        self.output = state >= 4

    def handle(self, byte: int | None) -> str | None:
        return getattr(self, "in_" + self.state.replace(" ", "_"))(byte)  # type: ignore[no-any-return]

    def _one_byte(self, byte: int | None, text: str | None) -> str | None:
        if byte == 0x1B:
            self.state = "escape start"
            return ""
        if byte is None:
            return FINISHED
        self.output = False
        return ERROR if text is None else text

    def in_ASCII(self, byte: int | None) -> str | None:  # noqa: N802
        good = byte is not None and byte < 0x80 and byte not in (0x0E, 0x0F, 0x1B)
        return self._one_byte(byte, chr(byte or 0) if good else None)

    def in_Roman(self, byte: int | None) -> str | None:  # noqa: N802
        if byte in (0x5C, 0x7E):
            return self._one_byte(byte, "\u00a5" if byte == 0x5C else "\u203e")
        return self.in_ASCII(byte)

    def in_katakana(self, byte: int | None) -> str | None:
        good = byte is not None and 0x21 <= byte <= 0x5F
        return self._one_byte(byte, chr(0xFF61 - 0x21 + (byte or 0)) if good else None)

    def in_lead_byte(self, byte: int | None) -> str | None:
        if byte is not None and 0x21 <= byte <= 0x7E:
            self.output = False
            self.lead = byte
            self.state = "trail byte"
            return ""
        return self._one_byte(byte, None)

    def in_trail_byte(self, byte: int | None) -> str | None:
        if byte == 0x1B:
            self.state = "escape start"
            return ERROR
        self.state = "lead byte"
        if byte is not None and 0x21 <= byte <= 0x7E:
            point = code_point("jis0208", (self.lead - 0x21) * 94 + byte - 0x21)
            return ERROR if point is None else chr(point)
        return ERROR

    def in_escape_start(self, byte: int | None) -> str | None:
        if byte in (0x24, 0x28):
            self.lead = byte
            self.state = "escape"
            return ""
        self.restore(byte)
        self.output = False
        self.state = self.output_state
        return ERROR

    def in_escape(self, byte: int | None) -> str | None:
        lead, self.lead = self.lead, 0
        state = {
            (0x28, 0x42): "ASCII",
            (0x28, 0x4A): "Roman",
            (0x28, 0x49): "katakana",
            (0x24, 0x40): "lead byte",
            (0x24, 0x42): "lead byte",
        }.get((lead, byte or 0))
        if state is not None:
            self.state = self.output_state = state
            output, self.output = self.output, True
            return ERROR if output else ""
        self.restore(lead, byte)
        self.output = False
        self.state = self.output_state
        return ERROR


class ShiftJis(Decoder):
    """12.3.1."""

    lead = 0

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if not self.lead:
                return FINISHED
            self.lead = 0
            return ERROR
        if self.lead:
            lead, self.lead = self.lead, 0
            pointer = None
            offset = 0x40 if byte < 0x7F else 0x41
            lead_offset = 0x81 if lead < 0xA0 else 0xC1
            if 0x40 <= byte <= 0x7E or 0x80 <= byte <= 0xFC:
                pointer = (lead - lead_offset) * 188 + byte - offset
            if pointer is not None and 8836 <= pointer <= 10715:
                return chr(0xE000 - 8836 + pointer)
            point = code_point("jis0208", pointer)
            if point is not None:
                return chr(point)
            if byte < 0x80:
                self.restore(byte)
            return ERROR
        if byte <= 0x80:
            return chr(byte)
        if 0xA1 <= byte <= 0xDF:
            return chr(0xFF61 - 0xA1 + byte)
        if 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            self.lead = byte
            return ""
        return ERROR


class EucKr(Decoder):
    """13.1.1."""

    lead = 0

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if not self.lead:
                return FINISHED
            self.lead = 0
            return ERROR
        if self.lead:
            lead, self.lead = self.lead, 0
            pointer = None
            if 0x41 <= byte <= 0xFE:
                pointer = (lead - 0x81) * 190 + (byte - 0x41)
            point = code_point("euc-kr", pointer)
            if point is not None:
                return chr(point)
            if byte < 0x80:
                self.restore(byte)
            return ERROR
        if byte < 0x80:
            return chr(byte)
        if 0x81 <= byte <= 0xFE:
            self.lead = byte
            return ""
        return ERROR


class Utf8(Decoder):
    """8.1.1."""

    point = seen = needed = 0
    lower, upper = 0x80, 0xBF

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if not self.needed:
                return FINISHED
            self.needed = 0
            return ERROR
        if not self.needed:
            if byte < 0x80:
                return chr(byte)
            if 0xC2 <= byte <= 0xDF:
                self.needed, self.point = 1, byte & 0x1F
            elif 0xE0 <= byte <= 0xEF:
                self.lower = 0xA0 if byte == 0xE0 else self.lower
                self.upper = 0x9F if byte == 0xED else self.upper
                self.needed, self.point = 2, byte & 0xF
            elif 0xF0 <= byte <= 0xF4:
                self.lower = 0x90 if byte == 0xF0 else self.lower
                self.upper = 0x8F if byte == 0xF4 else self.upper
                self.needed, self.point = 3, byte & 0x7
            else:
                return ERROR
            return ""
        if not self.lower <= byte <= self.upper:
            self.point = self.needed = self.seen = 0
            self.lower, self.upper = 0x80, 0xBF
            self.restore(byte)
            return ERROR
        self.lower, self.upper = 0x80, 0xBF
        self.point = (self.point << 6) | (byte & 0x3F)
        self.seen += 1
        if self.seen != self.needed:
            return ""
        point = self.point
        self.point = self.needed = self.seen = 0
        return chr(point)


class Utf16(Decoder):
    """14.2.1; the order is its parameter."""

    def __init__(self, order: str) -> None:
        super().__init__()
        self.order = order
        self.lead_byte: int | None = None
        self.lead_surrogate: int | None = None

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            if self.lead_byte is None and self.lead_surrogate is None:
                return FINISHED
            self.lead_byte = self.lead_surrogate = None
            return ERROR
        if self.lead_byte is None:
            self.lead_byte = byte
            return ""
        pair = (self.lead_byte, byte) if self.order == "big" else (byte, self.lead_byte)
        unit = pair[0] << 8 | pair[1]
        first = self.lead_byte
        self.lead_byte = None
        if self.lead_surrogate is not None:
            lead, self.lead_surrogate = self.lead_surrogate, None
            if 0xDC00 <= unit <= 0xDFFF:
                return chr(0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00))
            self.restore(first, byte)
            return ERROR
        if 0xD800 <= unit <= 0xDBFF:
            self.lead_surrogate = unit
            return ""
        return ERROR if 0xDC00 <= unit <= 0xDFFF else chr(unit)


def decoder(name: str, state: int = 0) -> Decoder:
    """The decoder of the encoding with this name."""
    legacy = {
        "gb18030": Gb18030,
        "GBK": Gb18030,
        "Big5": Big5,
        "EUC-JP": EucJp,
        "Shift_JIS": ShiftJis,
    }
    if name in legacy:
        return legacy[name]()
    if name == "ISO-2022-JP":
        return Iso2022Jp(state)
    if name == "EUC-KR":
        return EucKr()
    if name == "UTF-8":
        return Utf8()
    if name.startswith("UTF-16"):
        return Utf16("big" if name.endswith("BE") else "little")
    if name == "x-user-defined":
        return UserDefined()
    return SingleByte({"ISO-8859-8-I": "iso-8859-8"}.get(name, name.lower()))


class UserDefined(Decoder):
    """14.5.1."""

    def handle(self, byte: int | None) -> str | None:
        if byte is None:
            return FINISHED
        return chr(byte if byte < 0x80 else 0xF780 + byte - 0x80)


# --- Encoders -------------------------------------------------------------------------------------------


@cache
def encoder(name: str) -> dict[int, bytes]:
    """The output of the encoder of a stateless encoding for every code point that it has.

    gb18030's four-byte sequences are generated one by one (`gb18030_ranges`).
    """
    ascii_ = {point: bytes([point]) for point in range(0x80)}
    return {**ascii_, **dict(_beyond_ascii(name))}


def _beyond_ascii(name: str) -> Iterator[tuple[int, bytes]]:
    if name in ("gb18030", "GBK"):
        yield from _gb18030_encoder(gbk=name == "GBK")
    elif name == "Big5":
        yield from _big5_encoder()
    elif name == "EUC-JP":
        katakana = {0xFF61 + n: bytes([0x8E, 0xA1 + n]) for n in range(0x3F)}
        for point, pointer in first_pointers("jis0208").items():
            yield point, bytes([pointer // 94 + 0xA1, pointer % 94 + 0xA1])
        yield from {0xA5: b"\x5c", 0x203E: b"\x7e", 0x2212: b"\xa1\xdd", **katakana}.items()
    elif name == "Shift_JIS":
        shift_jis: dict[int, int] = {}
        for pointer, found in enumerate(indexes()["jis0208"]):
            if found is not None and not 8272 <= pointer <= 8835:
                shift_jis.setdefault(found, pointer)
        for point, pointer in shift_jis.items():
            lead, trail = divmod(pointer, 188)
            yield (
                point,
                bytes(
                    [
                        lead + (0x81 if lead < 0x1F else 0xC1),
                        trail + (0x40 if trail < 0x3F else 0x41),
                    ]
                ),
            )
        katakana = {0xFF61 + n: bytes([0xA1 + n]) for n in range(0x3F)}
        special = {0x80: b"\x80", 0xA5: b"\x5c", 0x203E: b"\x7e", 0x2212: b"\x81\x7c"}
        yield from {**special, **katakana}.items()
    elif name == "EUC-KR":
        for point, pointer in first_pointers("euc-kr").items():
            yield point, bytes([pointer // 190 + 0x81, pointer % 190 + 0x41])
    elif name == "x-user-defined":
        for byte in range(0x80, 0x100):
            yield 0xF780 + byte - 0x80, bytes([byte])
    else:
        for point, pointer in first_pointers(
            {"ISO-8859-8-I": "iso-8859-8"}.get(name, name.lower())
        ).items():
            yield point, bytes([pointer + 0x80])


def _big5_encoder() -> Iterator[tuple[int, bytes]]:
    last = (0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345)
    pointers: dict[int, int] = {}
    for pointer, point in enumerate(indexes()["big5"]):
        if (
            point is not None
            and pointer >= (0xA1 - 0x81) * 157
            and (point in last or point not in pointers)
        ):
            pointers[point] = pointer
    for point, pointer in pointers.items():
        lead, trail = divmod(pointer, 157)
        yield point, bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x62)])


#: The table in the gb18030 encoder (10.2.2, step 4).
GB18030_2005 = [
    "E81E",
    "FE59",
    "E826",
    "FE61",
    "E82B",
    "FE66",
    "E82C",
    "FE67",
    "E832",
    "FE6D",
    "E843",
    "FE7E",
    "E854",
    "FE90",
    "E864",
    "FEA0",
    "E78D",
    "A6D9",
    "E78E",
    "A6DA",
    "E78F",
    "A6DB",
    "E790",
    "A6DC",
    "E791",
    "A6DD",
    "E792",
    "A6DE",
    "E793",
    "A6DF",
    "E794",
    "A6EC",
    "E795",
    "A6ED",
    "E796",
    "A6F3",
]


def _gb18030_encoder(*, gbk: bool) -> Iterator[tuple[int, bytes]]:
    found: dict[int, bytes] = {}
    if not gbk:
        found.update(gb18030_ranges())
    for point, pointer in first_pointers("gb18030").items():
        lead, trail = divmod(pointer, 190)
        found[point] = bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x41)])
    for point_hex, data in zip(GB18030_2005[::2], GB18030_2005[1::2], strict=True):
        found[int(point_hex, 16)] = bytes.fromhex(data)
    if gbk:
        found[0x20AC] = b"\x80"
    found.pop(0xE5E5, None)
    yield from found.items()


def gb18030_ranges() -> Iterator[tuple[int, bytes]]:
    """Every scalar value with a pointer in "index gb18030 ranges pointer", and its four bytes."""
    rows = [*ranges(), [0, 0x110000]]
    for (offset, base), (_, end) in itertools.pairwise(rows):
        for point in range(base, end):
            if not 0xD800 <= point <= 0xDFFF:
                pointer = 7457 if point == 0xE7C7 else offset + point - base
                a, rest = divmod(pointer, 12600)
                b, rest = divmod(rest, 1260)
                c, d = divmod(rest, 10)
                yield point, bytes([a + 0x81, b + 0x30, c + 0x81, d + 0x30])


def encode_iso_2022_jp(text: str) -> bytes:
    """12.2.2 in HTML error mode; a numeric character reference replaces a missing character."""
    escapes = {"ASCII": b"\x1b(B", "Roman": b"\x1b(J", "jis0208": b"\x1b$B"}
    full_width = indexes()["iso-2022-jp-katakana"]
    state = "ASCII"
    out = b""
    queue = [*map(ord, text)]
    while queue or state != "ASCII":
        if not queue:
            state = "ASCII"
            out += escapes[state]
            break
        point = queue.pop(0)
        original = point
        if state in ("ASCII", "Roman") and point in (0x0E, 0x0F, 0x1B):
            queue[:0] = [*b"&#65533;"]
        elif state == "ASCII" and point < 0x80:
            out += bytes([point])
        elif state == "Roman" and (
            (point < 0x80 and point not in (0x5C, 0x7E)) or point in (0xA5, 0x203E)
        ):
            out += bytes([{0xA5: 0x5C, 0x203E: 0x7E}.get(point, point)])
        elif point < 0x80:  # the state is not ASCII here
            queue.insert(0, point)
            state = "ASCII"
            out += escapes[state]
        elif point in (0xA5, 0x203E):  # the state is not Roman here
            queue.insert(0, point)
            state = "Roman"
            out += escapes[state]
        else:
            if point == 0x2212:
                point = 0xFF0D
            if 0xFF61 <= point <= 0xFF9F:
                point = full_width[point - 0xFF61] or 0
            pointer = first_pointers("jis0208").get(point)
            if pointer is None:
                if state == "jis0208":
                    queue.insert(0, original)
                    state = "ASCII"
                    out += escapes[state]
                else:
                    queue[:0] = [*b"&#%d;" % original]
            elif state != "jis0208":
                queue.insert(0, original)
                state = "jis0208"
                out += escapes[state]
            else:
                out += bytes([pointer // 94 + 0x21, pointer % 94 + 0x21])
    return out
