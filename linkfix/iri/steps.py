"""The six steps from a URI to an IRI, shown one by one (3987bis, 3.7 and 3.7.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from linkfix.iri.conversion import uri_to_iri
from linkfix.iri.decode import RUN

if TYPE_CHECKING:
    from linkfix.iri.unicode.uts46 import Profile

_UNRESERVED: Final = re.compile(r"[A-Za-z0-9\-._~]")


def uri_to_iri_steps(uri: str, *, idna: Profile = "uts46") -> tuple[str, ...]:
    """Return the result of each of the six steps for a URI.

    Args:
        uri: a URI reference.
        idna: the variant of ToASCII that must map U-labels back.

    Returns:
        Six texts in the notation of 3.7.1, in which ``<c3>`` is an octet that is not ASCII.

    """
    second = RUN.sub(lambda run: _octets(run[0], legal_only=False), uri)
    third = RUN.sub(lambda run: _octets(run[0], legal_only=True), uri)
    without_idna = uri_to_iri(uri, idna=None)
    fifth = without_idna.text
    fourth = _written(uri, fifth)
    return (uri, second, third, fourth, fifth, uri_to_iri(uri, idna=idna).text)


def _octets(run: str, *, legal_only: bool) -> str:
    """Decode a run of octets to the notation of 3.7.1."""
    pieces = []
    for character in bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape"):
        octets = character.encode("utf-8", "surrogateescape")
        legal = not "\udc80" <= character <= "\udcff"
        if character.isascii():
            kept = _UNRESERVED.match(character)
            pieces.append(character if kept else f"%{ord(character):02X}")
        elif legal or not legal_only:
            pieces += (f"<{octet:02x}>" for octet in octets)
        else:
            pieces += (f"%{octet:02X}" for octet in octets)
    return "".join(pieces)


def _written(uri: str, iri: str) -> str:
    """Write the characters that the URI had as octets as octets."""
    raw = set(uri)
    return "".join(
        character
        if character.isascii() or character in raw
        else "".join(f"<{octet:02x}>" for octet in character.encode())
        for character in iri
    )
