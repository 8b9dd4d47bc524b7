"""The query in the charset of the document (3987bis, 3.5; URL Standard, 1.3 and 4.4)."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.decode import percent_decode
from linkfix.iri.model import QueryEncoder

#: The characters that an encoder can change: all beyond ASCII, and the three controls that the ISO-2022-JP encoder
#: refuses.
NEEDS_ENCODER: Final = pattern("[^\x00-\x0d\x10-\x1a\x1c-\x7f]")

#: The placeholder for a character that a charset lacks while the others are encoded.
_MARK: Final = "\x01"
#: Octets, read as Latin-1, that no query may contain; ``%`` stays before hexadecimal digits, since a browser does
#: not check whether a ``%`` is from the encoder.
_ESCAPED: Final = pattern(f"%(?![0-9A-Fa-f]{{2}})|[^%{chars.COMPONENT['query']}]")


def encode(text: str, encoder: QueryEncoder, *, references: bool) -> str:
    """Encode a query, and percent-encode the octets that a URI cannot contain.

    Args:
        text: the query, or a part of it.
        encoder: maps characters to octets.
        references: whether a character that the charset lacks becomes ``%26%23N%3B``, a
            percent-encoded numeric character reference, as in browsers.

    Returns:
        ASCII text.

    Raises:
        UnicodeEncodeError: for a character that the charset lacks, unless ``references``.

    """
    text = chars.SURROGATE.sub("\ufffd", text)
    try:
        return _escape(encoder(text))
    except UnicodeEncodeError:
        if not references:
            raise
    lacking = "".join(char for char in set(text) if not _can_encode(char, encoder))
    # The encoder is run once, since one with states goes on in the state that a lacking character
    # leaves it in. No charset has the octet of the mark within a longer character.
    apart = re.compile(f"[{_MARK}{re.escape(lacking)}]")
    between = apart.findall(text)
    return "".join(
        _escape(octets) + instead
        for octets, instead in zip(
            encoder(apart.sub(_MARK, text)).split(_MARK.encode()),
            [*map(_reference, between), ""],
            strict=True,
        )
    )


def _escape(octets: bytes) -> str:
    return _ESCAPED.sub(lambda found: chars.HEX[ord(found[0])], octets.decode("latin-1"))


def _can_encode(character: str, encoder: QueryEncoder) -> bool:
    try:
        encoder(character)
    except UnicodeEncodeError:
        return False
    return True


def _reference(character: str) -> str:
    if character == _MARK:
        return chars.quote(character)
    # The ISO-2022-JP encoder reports U+FFFD for the controls it refuses (Encoding, 12.2.2).
    number = 0xFFFD if character in "\x0e\x0f\x1b" else ord(character)
    return f"%26%23{number}%3B"


_FORM: Final = re.compile(rb"[^A-Za-z0-9*\-._ ]")


def read_parameters(query: str, decode: Callable[[bytes], str] | None) -> list[tuple[str, str]]:
    """Return the names and values in a query (URL Standard, 5.1), by a decoder or in UTF-8."""
    decode = decode or (lambda octets: octets.decode("utf-8", "replace"))
    pairs = (pair.replace("+", " ").partition("=") for pair in query.split("&") if pair)
    return [
        (decode(percent_decode(name)), decode(percent_decode(value))) for name, _, value in pairs
    ]


def write_parameters(pairs: Iterable[tuple[str, str]], encoder: QueryEncoder | None) -> str:
    """Return the query with such names and values (URL Standard, 5.2), by an encoder or in UTF-8."""
    encoder = encoder or str.encode

    def octets(char: str) -> bytes:
        try:
            return encoder(char)
        except UnicodeEncodeError:
            return f"&#{ord(char)};".encode()

    def written(text: str) -> str:
        text = chars.SURROGATE.sub("\ufffd", text)
        try:
            found = encoder(text)
        except UnicodeEncodeError:
            found = b"".join(map(octets, text))
        return _FORM.sub(lambda octet: b"%%%02X" % octet[0][0], found).decode().replace(" ", "+")

    return "&".join(f"{written(name)}={written(value)}" for name, value in pairs)
