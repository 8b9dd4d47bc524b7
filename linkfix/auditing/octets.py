"""Sequences of percent-encoded octets (RFC 3986, 2.1), for the rules about them."""

from collections.abc import Iterator

from linkfix.deferred import pattern

_SEQUENCE = pattern("(?:%[0-9A-Fa-f]{2})+")
#: RFC 3629, 3: sequences that are longer than need be, and surrogates.
OVERLONG = pattern(
    rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2}"
    rb"|\xed[\xa0-\xbf][\x80-\xbf]"
)


def percent_sequences(value: str) -> Iterator[tuple[int, bytes]]:
    """Yield each sequence: the offset of its first ``%`` in code points, and its octets."""
    if "%" in value:
        for found in _SEQUENCE.finditer(value):
            yield found.start(), bytes.fromhex(found[0].replace("%", ""))


def is_overlong_utf8(octets: bytes) -> bool:
    """Return whether octets are UTF-8 except for overlong sequences or surrogates, and have some of these."""
    shortest, count = OVERLONG.subn(b"", octets)
    if not count:
        return False
    try:
        shortest.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def percent_encoded(text: str) -> str:
    """Percent-encode every octet of a text in UTF-8, with upper-case digits."""
    return "".join(f"%{octet:02X}" for octet in text.encode())
