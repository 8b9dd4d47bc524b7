"""The charsets of XML, as its own readers have them (XML 1.0, 4.3.3: the names of IANA's registry).

Browsers read most names as supersets (Encoding Standard, 4.2): ISO-8859-1 as windows-1252, GB2312 as gb18030. expat,
libxml2 and Xerces read the charset that the name says. Input: a name or an alias of the registry. Output: the name of the
encoding of browsers, and an `Iana`, which knows where the readers of XML differ from it, or from each other. Its tables are
Python's codecs and `tables/xml.py`; ``tools/charset/xml_readers.py`` compares them with the readers themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

#: The charsets of the registry under the labels of the Encoding Standard: the encoding of browsers, the codec of Python with
#: the charset's own table ("" for none), and the labels. Those of the Encoding Standard are divided among the charsets.
REGISTRY = {
    "US-ASCII": (
        "windows-1252",
        "ascii",
        "us-ascii ascii ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us iso-ir-6 us ibm367 cp367 csascii",
    ),
    "ISO-8859-1": (
        "windows-1252",
        "latin_1",
        "iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 cp819 ibm819 csisolatin1",
    ),
    "windows-1252": (
        "windows-1252",
        "cp1252",
        "windows-1252 cp1252 x-cp1252 cswindows1252 ms-ansi",
    ),
    "windows-1250": ("windows-1250", "cp1250", "windows-1250 cp1250 x-cp1250 cswindows1250 ms-ee"),
    "windows-1251": (
        "windows-1251",
        "cp1251",
        "windows-1251 cp1251 x-cp1251 cswindows1251 ms-cyrl",
    ),
    "windows-1253": (
        "windows-1253",
        "cp1253",
        "windows-1253 cp1253 x-cp1253 cswindows1253 ms-greek",
    ),
    "ISO-8859-9": (
        "windows-1254",
        "iso8859_9",
        "iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 latin5 l5 csisolatin5",
    ),
    "windows-1254": (
        "windows-1254",
        "cp1254",
        "windows-1254 cp1254 x-cp1254 cswindows1254 ms-turk",
    ),
    "windows-1255": (
        "windows-1255",
        "cp1255",
        "windows-1255 cp1255 x-cp1255 cswindows1255 ms-hebr",
    ),
    "windows-1256": (
        "windows-1256",
        "cp1256",
        "windows-1256 cp1256 x-cp1256 cswindows1256 ms-arab",
    ),
    "windows-1257": (
        "windows-1257",
        "cp1257",
        "windows-1257 cp1257 x-cp1257 cswindows1257 winbaltrim",
    ),
    "windows-1258": ("windows-1258", "cp1258", "windows-1258 cp1258 x-cp1258 cswindows1258"),
    "TIS-620": ("windows-874", "tis_620", "tis-620 cstis620 iso-ir-166"),
    "ISO-8859-11": ("windows-874", "iso8859_11", "iso-8859-11 iso8859-11 iso885911"),
    "windows-874": ("windows-874", "cp874", "windows-874 dos-874 cp874 cswindows874"),
    "ISO-8859-2": ("ISO-8859-2", "iso8859_2", ""),
    "ISO-8859-3": ("ISO-8859-3", "iso8859_3", ""),
    "ISO-8859-4": ("ISO-8859-4", "iso8859_4", ""),
    "ISO-8859-5": ("ISO-8859-5", "iso8859_5", ""),
    "ISO-8859-6": ("ISO-8859-6", "iso8859_6", ""),
    "ISO-8859-7": ("ISO-8859-7", "iso8859_7", ""),
    "ISO-8859-8": ("ISO-8859-8", "iso8859_8", ""),
    "ISO-8859-8-I": ("ISO-8859-8-I", "iso8859_8", ""),
    "ISO-8859-10": ("ISO-8859-10", "iso8859_10", ""),
    "ISO-8859-13": ("ISO-8859-13", "iso8859_13", ""),
    "ISO-8859-14": ("ISO-8859-14", "iso8859_14", ""),
    "ISO-8859-15": ("ISO-8859-15", "iso8859_15", ""),
    "ISO-8859-16": ("ISO-8859-16", "iso8859_16", ""),
    "IBM866": ("IBM866", "cp866", ""),
    "KOI8-R": ("KOI8-R", "koi8_r", ""),
    "KOI8-U": ("KOI8-U", "koi8_u", "koi8-u cskoi8u"),
    "KOI8-RU": ("KOI8-U", "", "koi8-ru"),
    "macintosh": ("macintosh", "mac_roman", "macintosh mac x-mac-roman csmacintosh macroman"),
    "x-mac-cyrillic": ("x-mac-cyrillic", "mac_cyrillic", "x-mac-cyrillic maccyrillic mac-cyrillic"),
    "x-mac-ukrainian": ("x-mac-cyrillic", "", "x-mac-ukrainian macukraine macukrainian"),
    "GB2312": (
        "GBK",
        "gb2312",
        "gb2312 gb_2312 gb_2312-80 csgb2312 csiso58gb231280 chinese iso-ir-58",
    ),
    "GBK": ("GBK", "gbk", "gbk x-gbk cp936 ms936 windows-936 csgbk"),
    "gb18030": ("gb18030", "gb18030", "gb18030 csgb18030"),
    "Big5": ("Big5", "big5", "big5 cn-big5 csbig5 x-x-big5"),
    "Big5-HKSCS": ("Big5", "big5hkscs", "big5-hkscs csbig5hkscs"),
    "EUC-JP": ("EUC-JP", "euc_jp", "euc-jp x-euc-jp cseucpkdfmtjapanese"),
    "ISO-2022-JP": ("ISO-2022-JP", "iso2022_jp", "iso-2022-jp csiso2022jp"),
    "Shift_JIS": (
        "Shift_JIS",
        "shift_jis",
        "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis",
    ),
    "Windows-31J": ("Shift_JIS", "cp932", "windows-31j cswindows31j ms932 cp932"),
    "EUC-KR": (
        "EUC-KR",
        "euc_kr",
        "euc-kr cseuckr ks_c_5601-1987 ks_c_5601-1989 ksc_5601 ksc5601 korean iso-ir-149 csksc56011987",
    ),
    "windows-949": ("EUC-KR", "cp949", "windows-949 cp949 ms949"),
}


@dataclass(frozen=True, slots=True)
class Iana:
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
