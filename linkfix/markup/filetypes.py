"""Recognize files that are no documents, from their names and first bytes.

`no_document` checks in this order: a signature (MIME Sniffing Standard, 6) or the header of a message, with any name;
a NUL in neither UTF-16 nor UTF-32; an extension of programs and data; an unknown extension of a text that does not
begin with markup. The facts are in ``filetypes.toml``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from linkfix.deferred import pattern
from linkfix.markup.detect import file_name, is_json_with_links, looks_like_markup, type_of_name
from linkfix.markup.filetypes_data import TABLES

_EXTENSION = pattern(r"[^/\\]\.([A-Za-z0-9_]{1,16}~?)$")
#: The byte order marks of UTF-16 and UTF-32, and the first characters of markup without a mark.
_WIDE = pattern(
    rb"\xff\xfe|\xfe\xff|\0\0\xfe\xff|(?:[\t\n\r ]\0)*+<\0[^\0]\0|(?:\0[\t\n\r ])*+\0<\0[^\0]|\0\0\0<|<\0\0\0"
)
_FIELDS = (
    b"MIME-Version|Content-Transfer-Encoding|Received|Return-Path|Message-ID|Delivered-To|Snapshot-Content-Location"
    b"|X-Mozilla-Status"
)
_FIELD = rb"[A-Za-z0-9-]++:(?=[ \t\r\n])[^\n]*+\n(?:[ \t][^\n]*+\n)*+"
#: RFC 5322, 2.1: fields up to one that only messages have; in a mailbox (RFC 4155) after a line with the sender.
_MESSAGE = pattern(
    rb"(?:>?From [^\n]*\n)?(?:(?!%b)%b)*+(?:%b):" % (b"(?:" + _FIELDS + b"):", _FIELD, _FIELDS),
    re.IGNORECASE,
)
_MAILBOX = pattern(rb"From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ")
#: The beginning of a type map: comments, and the file of the first variant (Apache's mod_negotiation).
_TYPE_MAP = pattern(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*URI:[ \t]*[^\s<>]+[ \t]*\r?\n", re.IGNORECASE)
_HTTP = pattern(rb"HTTP/[0-9](?:\.[0-9])? [0-9]{3}")
_SCRIPT = pattern(rb"#![^\n]")
_JSON = pattern(
    rb'[\t\n\r ]*(?:\[[\t\n\r ]*)*(?:\{[\t\n\r ]*"(?:[^"\\]|\\.)*"[\t\n\r ]*:|\["(?:[^"\\]|\\.)*"[\t\n\r ]*[,\]])'
)
#: The beginnings of documents, without server code.
_BEGINS = pattern(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*+<(?:[A-Za-z]|!--|!doctype|\?xml)", re.IGNORECASE)

_TYPE = "use --type html, xhtml, xml, css or text if it is a document all the same"


class Other(NamedTuple):
    """The kind of a file that is no document.

    Attributes:
        what: completes the sentence "this file is …".
        hint: the way out.

    """

    what: str
    hint: str = _TYPE


def no_document(prefix: bytes, name: str = "", *, is_wide: bool = False) -> Other | None:
    """Return the kind of a file that is no document; None for a possible document.

    Args:
        prefix: the first bytes of the file, 1,024 or all of it.
        name: its file name, path or URL, or "".
        is_wide: whether its charset is declared as UTF-16 or UTF-32.

    """
    for start, firsts, at, needs_nul, other in _signatures():
        may_match = prefix[at : at + 1] in firsts
        if may_match and start.match(prefix, at) and (b"\0" in prefix or not needs_nul):
            return other
    if _MESSAGE.match(prefix) or _MAILBOX.match(prefix):
        return Other(
            "a mail or a saved message",
            "its parts are read in a file with the extension .eml or .mht",
        )
    if _HTTP.match(prefix):
        return Other("a response of HTTP with its header", "cut off what comes before the document")
    is_wide = is_wide or _WIDE.match(prefix) is not None
    begins = looks_like_markup(prefix) or _BEGINS.match(prefix) is not None
    if b"\0" in prefix and not is_wide and not begins:
        return Other("binary data")
    if type_of_name(name) is not None or is_json_with_links(prefix):
        return None
    return _by_name(prefix, name, begins=begins or is_wide)


def _by_name(prefix: bytes, name: str, *, begins: bool) -> Other | None:
    """Return the kind of a file without the extension of a document; `begins` says whether it begins with markup."""
    extension = _extension(name)
    what = _extensions().get(extension)
    if what is not None:
        return Other(what)
    if _SCRIPT.match(prefix):
        return Other("a program")
    if _JSON.match(prefix):
        return Other("JSON")
    if begins or not extension or not prefix:
        return None
    return Other(f"no document by its name (.{extension}) and does not begin with markup")


def is_type_map(prefix: bytes) -> bool:
    """Return whether a file is a list of the variants of a page, which Apache shows instead; `prefix` is its beginning."""
    return _TYPE_MAP.match(prefix) is not None


def is_skipped(name: str) -> bool:
    """Return whether a walk of a folder skips a file by its name, even if it begins with markup."""
    extension = _extension(name)
    return name.endswith("~") or extension in _skipped() or extension in _extensions()


def _extension(name: str) -> str:
    found = _EXTENSION.search(file_name(name))
    return "" if found is None else found[1].lower()


@cache
def _signatures() -> tuple[tuple[re.Pattern[bytes], frozenset[bytes], int, bool, Other], ...]:
    """Return the pattern of each signature, its first bytes, its offset, whether a NUL must occur, and what it shows."""
    return tuple(
        (
            pattern(b"|".join(_pattern(octets) for octets in row["bytes"]), re.DOTALL),
            frozenset(bytes.fromhex(octets[:2]) for octets in row["bytes"]),
            row.get("at", 0),
            row.get("nul", False),
            Other(row["what"], row.get("hint", _TYPE)),
        )
        for row in TABLES["signature"]
    )


def _pattern(octets: str) -> bytes:
    """Return the pattern of a signature in hexadecimal; two dots are any byte."""
    pairs = (octets[i : i + 2] for i in range(0, len(octets), 2))
    return b"".join(b"." if pair == ".." else re.escape(bytes.fromhex(pair)) for pair in pairs)


@cache
def _extensions() -> dict[str, str]:
    return {each: what for what, known in TABLES["extensions"].items() for each in known}


@cache
def _skipped() -> frozenset[str]:
    return frozenset(TABLES["skipped"]["extensions"])
