"""The character classes of the grammar, each built up from the ones before it.

They are written as the inside of a regular expression's bracket, so that they can be put together
by concatenation. ``%`` is in none of them: a percent-encoded octet is a form, not a character.
"""

import re
from functools import cache
from itertools import accumulate
from sys import maxunicode
from typing import Final

from linkfix.deferred import pattern

#: RFC 3986, 2.3.
UNRESERVED: Final = r"A-Za-z0-9\-._~"
#: RFC 3986, 2.2.
SUB_DELIMS: Final = r"!$&'()*+,;="
# RFC 3986, 3.3, 3.4 and 3.5: pchar, and the delimiters that each component may also contain.
_PCHAR: Final = UNRESERVED + SUB_DELIMS + ":@"

#: RFC 3986, 3.1: what follows the first letter of a scheme is one of these too.
SCHEME: Final = pattern(r"([A-Za-z][A-Za-z0-9+.\-]*):")

#: The ASCII characters that each component may contain unencoded (RFC 3986, 3.2 to 3.5).
COMPONENT: Final = {
    "userinfo": UNRESERVED + SUB_DELIMS + ":",
    "host": UNRESERVED + SUB_DELIMS,
    "port": "0-9",
    "path": _PCHAR + "/",
    "query": _PCHAR + "/?",
    "fragment": _PCHAR + "/?",
}

#: 3987bis, 4.1: characters that an IRI must not contain although ``ucschar`` spans them.
BIDI_FORMATTING: Final = "\u200e\u200f\u202a-\u202e"

#: 3987bis, 2.2: ``ucschar`` without the bidirectional formatting characters of 4.1.
UCSCHAR: Final = (
    "\u00a0-\u200d\u2010-\u2029\u202f-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    + "\U000e1000-\U000efffd"
)

PRIVATE_USE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
TAGS: Final = "\U000e0000-\U000e0fff"
#: 3987bis, 2.2: ``iprivate``, which only the query may contain.
IPRIVATE: Final = PRIVATE_USE + TAGS

#: The characters that each component of an IRI may contain unencoded (3987bis, 2.2).  Tags are in
#: none: the draft's ``iprivate`` has them, RFC 3987's has not, and 7.3 advises against them.
ICOMPONENT: Final = {
    name: ascii_class
    + ("" if name == "port" else UCSCHAR)
    + (PRIVATE_USE if name == "query" else "")
    for name, ascii_class in COMPONENT.items()
}

#: 3987bis, 7.1: ``leiri-ucschar`` without ``ucschar``: what LEIRI processing percent-encodes.
LEIRI_ONLY: Final = (
    '\x00-\x20<>"{}|\\\\^`\x7f-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufff0-\ufffd'
    + BIDI_FORMATTING
    + "".join(
        f"{chr((plane << 16) + 0xFFFE)}-{chr((plane << 16) + 0xFFFF)}" for plane in range(1, 17)
    )
    + "\U000e0000-\U000e0fff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
)

#: Characters that ``ucschar`` and ``iprivate`` allow, and the conversion from URI to IRI leaves percent-encoded,
#: since they are invisible, look alike or cannot be typed (3987bis, 3.7 step 4, 6.1 and 7.3;
#: url-i18n-07, 3.1).  Controls, specials and non-characters are in neither class.
NOT_DECODED: Final = (
    BIDI_FORMATTING
    + "\u061c\u2066-\u206f"  # formatting characters younger than the draft
    + "\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060-\u2065\u3000\ufeff"  # spaces
    + "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # nothing to see
    + TAGS  # and the variation selectors of plane 14
)

#: A percent sign that begins no percent-encoded octet (RFC 3986, 2.1).
STRAY: Final = pattern("%(?![0-9A-Fa-f]{2})")
_RANGE: Final = pattern(r"\\?(.)(?:-\\?(.))?", re.DOTALL)


def one_of(characters: str, *, but: str = "") -> str:
    """Return a pattern for one of some characters, without those in `but`.

    A bracket compiles in time with the number of characters below U+10000 in its ranges: the few that `UCSCHAR` lacks, negated,
    take a tenth of the time.
    """
    plain = characters.isascii() and not but
    return f"[{characters}]" if plain else f"[^{_others(characters)}{but}]"


def none_of(characters: str) -> str:
    """Return a pattern for a character that is none of some."""
    return f"[^{characters}]" if characters.isascii() else f"[{_others(characters)}]"


@cache
def _others(characters: str) -> str:
    ranges = sorted((ord(a), ord(b or a)) for a, b in _RANGE.findall(characters))
    starts = [0, *accumulate((end + 1 for _, end in ranges), max)]
    ends = [*(start - 1 for start, _ in ranges), maxunicode]
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in zip(starts, ends, strict=True) if a <= b)


#: The code points that are no characters, which count as U+FFFD.
SURROGATE: Final = pattern("[\ud800-\udfff]")
#: Every octet, percent-encoded.
HEX: Final = tuple(f"%{octet:02X}" for octet in range(256))


def quote_octets(octets: bytes) -> str:
    """Percent-encode every octet, with upper-case digits (RFC 3986, 2.1)."""
    return f"%{octets.hex('%').upper()}" if octets else ""


def quote(text: str) -> str:
    """Percent-encode every character of ``text`` in UTF-8 (3987bis, 3.3).

    A lone surrogate counts as U+FFFD, as in the URL Standard's input of scalar values.
    """
    try:
        octets = text.encode()
    except UnicodeEncodeError:
        octets = SURROGATE.sub("\ufffd", text).encode()
    return quote_octets(octets)


def quoted(found: re.Match[str]) -> str:
    """Percent-encode what a pattern matches, as `quote` does."""
    return quote(found[0])


def character(octet: re.Match[str]) -> str:
    """Return the character of a percent-encoded octet that a pattern matches."""
    return chr(int(octet[0][1:], 16))
