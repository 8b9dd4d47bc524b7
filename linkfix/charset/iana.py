"""The charsets of XML, as its own readers have them (XML 1.0, 4.3.3: the names of IANA's registry).

Browsers read most names as supersets (Encoding Standard, 4.2): ISO-8859-1 as windows-1252, GB2312 as gb18030. expat,
libxml2 and Xerces read the charset that the name says. Input: a name or an alias of the registry. Output: the name of the
encoding of browsers, and an `Iana`, which knows where the readers of XML differ from it, or from each other. Its tables are
Python's codecs and `tables/xml.py`; ``tools/charset/xml_readers.py`` compares them with the readers themselves.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .tables.registry import REGISTRY


class Iana(NamedTuple):
    """A charset of IANA's registry.

    Attributes:
        name: its name there.
        codec: the codec of Python that decodes it as expat does; "" for linkfix's own table.
        disputed: the sequences of octets that libxml2 or Xerces reads as other characters, though the codec does not.

    """

    name: str
    codec: str
    disputed: frozenset[bytes]

    def decode(self, octets: bytes) -> str | None:
        """Return the characters of octets by the codec; None if it does not know them."""
        try:
            return octets.decode(self.codec)
        except UnicodeDecodeError:
            return None

    def reads(self, octets: bytes, text: str) -> bool:
        """Return whether octets are a text by the codec; without one they are."""
        return not self.codec or self.decode(octets) == text

    def encode(self, text: str, default: bytes | None) -> bytes | None:
        """Return the octets of a text by the codec, or `default` without one; None if it lacks a character."""
        try:
            return text.encode(self.codec) if self.codec else default
        except UnicodeEncodeError:
            return None


@cache
def registered(name: str) -> Iana | None:
    """Return what readers of XML have otherwise than linkfix's table; None for nothing, or an unknown name."""
    from .tables.xml import DISPUTED

    if name not in DISPUTED:
        return None
    _, codec, _ = REGISTRY.get(name, ("", "", ""))
    return Iana(name, codec, frozenset(map(bytes.fromhex, DISPUTED[name].split())))
