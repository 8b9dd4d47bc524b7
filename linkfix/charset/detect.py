"""Guessing the charset of a HTML document that declares none, with chardet."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from linkfix.errors import LinkfixError

from .labels import lookup, named

if TYPE_CHECKING:
    from .model import Charset

#: chardet's names of charsets that are no labels of the Encoding Standard.
_CHARDET_NAMES = {
    **dict.fromkeys(("big5hkscs", "cp950"), "big5"),
    **dict.fromkeys(("cp932", "shift_jis_2004", "shift_jisx0213"), "shift_jis"),
    **dict.fromkeys(("cp949", "johab", "uhc"), "euc-kr"),
    **dict.fromkeys((f"iso2022_jp_{each}" for each in ("1", "2", "2004", "3", "ext")), "iso-2022-jp"),
    "cp874": "windows-874", "euc_jis_2004": "euc-jp", "maccyrillic": "x-mac-cyrillic", "macroman": "macintosh",
    "gb18030": "gbk",  # the same decoder, and what browsers guess
}  # fmt: skip


def detect(data: bytes, *, final: bool) -> Charset | None:
    """Guess the charset of bytes, which are the whole document if `final`, else its beginning.

    None if there is nothing to go by: pure ASCII, or nothing that a browser could read.
    """
    if data.isascii() and b"\x1b$" not in data:
        return None
    if not data.isascii() and _is_utf_8(data, final=final):
        return named("UTF-8")
    import chardet

    if not final:
        # Neither byte is ever part of a longer sequence, so that no sequence is cut in two.
        data = data[: max(data.rfind(b"\n"), data.rfind(b">")) + 1] or data
    for answer in chardet.detect_all(data):
        label = (answer["encoding"] or "").lower()
        try:
            charset = lookup(_CHARDET_NAMES.get(label, label))
        except LinkfixError:
            continue
        # Whatever is not UTF-8 throughout and has no byte order mark is no Unicode encoding.
        if not charset.is_unicode:
            return charset
    return None


def _is_utf_8(data: bytes, *, final: bool) -> bool:
    try:
        codecs.utf_8_decode(data, "strict", final)
    except UnicodeDecodeError:
        return False
    return True
