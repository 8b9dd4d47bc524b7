"""The query in the charset of the document (3987bis, 3.5; URL Standard, 1.3 and 4.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from linkfix.iri import chars

if TYPE_CHECKING:
    from linkfix.iri.model import QueryEncoder

#: The characters that an encoder can change: all beyond ASCII, and the three controls that the ISO-2022-JP encoder
#: refuses.
NEEDS_ENCODER: Final = re.compile("[^\x00-\x0d\x10-\x1a\x1c-\x7f]")

#: The placeholder for a character that a charset lacks while the others are encoded.
_MARK: Final = "\x01"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: Octets, read as Latin-1, that no query may contain; ``%`` stays before hexadecimal digits, since a browser does
#: not check whether a ``%`` is from the encoder.
_ESCAPED: Final = re.compile(f"%(?![0-9A-Fa-f]{{2}})|[^%{chars.COMPONENT['query']}]")


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
    text = _SURROGATE.sub("\ufffd", text)
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
