"""Detect whether a document is HTML, XML or CSS, from its name and its first bytes."""

import re
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from linkfix.deferred import pattern
from linkfix.markup.filetypes_data import TABLES

#: ``http`` is the status line and the fields of a response. ``text`` and ``http`` are never detected.
DocumentType = Literal["html", "xhtml", "xml", "css", "json", "text", "http"]

_EXTENSIONS: dict[str, DocumentType] = {
    "html": "html",
    "htm": "html",
    "shtml": "html",
    "xhtml": "xhtml",
    "xht": "xhtml",
    "css": "css",
    "svgz": "xml",
    "webmanifest": "json",
    "jsonld": "json",
    **dict.fromkeys(
        ("xml", "svg", "atom", "rss", "rdf", "owl", "opml", "xsl", "xslt", "xsd", "rng", "wsdl",
         "opf", "ncx", "rels", "kml", "gpx", "gml", "mml", "dita", "ditamap", "dbk", "docbook", "nxml", "tei",
         "xlf", "xliff", "fo", "xbel", "x3d", "dae", "musicxml", "mpd", "pom", "vxml", "ssml", "grxml", "xspf", "smil", "xmp"),
        "xml",
    ),
}  # fmt: skip
#: Extensions of XML that other formats have too: graphs (GML), Turtle and Manchester Syntax, plans of projects.
_SHARED = frozenset(("gml", "owl", "rdf", "mpd"))
_MEDIA_TYPES: dict[str, DocumentType] = {
    "text/html": "html",
    "application/xhtml+xml": "xhtml",
    "text/xml": "xml",
    "application/xml": "xml",
    "text/css": "css",
}
#: The names that JSON documents have (Web Application Manifest, 6.1; JSON Feed 1.1, "Discovery").
_NAMES: dict[str, DocumentType] = {"manifest.json": "json", "feed.json": "json"}
#: The first characters of other JSON documents with links: JSON Feed, JSON-LD, and web app manifests of other names.
_JSON = pattern(
    rb'[\t\n\r ]*(?:\[[\t\n\r ]*)?\{(?:[^{}"\\]|"(?:[^"\\]|\\.)*+")*?(?:"version"[\t\n\r ]*:[\t\n\r ]*"https://jsonfeed\.org/version/|"(?:@context|start_url)"[\t\n\r ]*:)'
)
#: The extensions of containers that are one work: books, the files of office programs, and web archives with their index.
_WORKS = frozenset(
    ("epub", "odt", "ods", "odp", "odg", "odf", "odb", "odc", "odi", "odm", "ott", "ots", "otp", "otg", "oth",
     "docx", "docm", "dotx", "dotm", "xlsx", "xlsm", "xltx", "xltm", "pptx", "pptm", "potx", "potm", "ppsx", "ppsm",
     "sldx", "vsdx", "wacz")
)  # fmt: skip
#: Those that are messages: mail, and pages with all that they need.
_MESSAGES = frozenset(("eml", "mht", "mhtml"))
_ARCHIVES = {".zip": "zip", ".tar": "tar", ".tar.gz": "tar", ".tgz": "tar"}
_ARCHIVES |= {f".{extension}": "message" for extension in _MESSAGES}
#: The URL of a file in an archive (fsspec's chaining) with its path there, and one of the web with its path.
_IN_ARCHIVE = pattern(r"(?:zip|tar|libarchive)://(.*)::", re.ASCII | re.DOTALL | re.IGNORECASE)
_OF_WEB = pattern(r"https?://[^/?#]*([^?#]*)", re.ASCII | re.IGNORECASE)
#: The extensions of files that are compressed with gzip.
_CODED = pattern(r"\.(?:gz|tgz|svgz)\Z", re.ASCII | re.IGNORECASE)
_XML_DECLARATION = pattern(rb"[\t\n\r ]*<\?xml(?:-stylesheet)?[\t\n\r ]")
_XML_DOCTYPE = pattern(rb"<!DOCTYPE[\t\n\r ]+(?![hH][tT][mM][lL][\t\n\r >])[^\t\n\r >]+")
#: A document type other than ``html`` with a public identifier alone is SGML, which no parser of XML reads (XML 1.0, 4.2.2 [75]).
_SGML_DOCTYPE = pattern(
    _XML_DOCTYPE.pattern + rb"""[\t\n\r ]+PUBLIC[\t\n\r ]+(?:"[^"]*"|'[^']*')[\t\n\r ]*[\[>]"""
)
_XML_ROOT = pattern(rb"<(?![hH][tT][mM][lL][\t\n\r >/])[^\t\n\r />!?]+[^<>]*[\t\n\r ]xmlns[:=]")
_XML_ROOT_NAME = pattern(rb"<(?:rss|feed|svg|urlset|sitemapindex|opml|rdf:RDF)[\t\n\r >/]")
#: What may come before the document type or the root element; it matches at the beginning of every text.
_BEFORE = pattern(rb"(?:[\t\n\f\r ]+|<!--.*?-->|<\?.*?>)*", re.DOTALL)
_EBCDIC_DECLARATION = b"\x4c\x6f\xa7\x94\x93"
#: MIME Sniffing Standard, 7.1: the beginnings of HTML and XML among resources of unknown type.
_SNIFFED = pattern(
    rb"[\t\n\f\r ]*<(?:!DOCTYPE[\t\n\f\r ]+[a-z]|!--|\?xml(?:-stylesheet)?[\t\n\r ]|"
    rb"(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r />])",
    re.IGNORECASE,
)


def file_name(path: str) -> str:
    """Return the last name of a path, which has the extension of the file.

    Args:
        path: of a file on this machine, or its URL. One in an archive has the name of the member
            (``zip://a/b.html::c.zip``), one of the web no query and no fragment.

    """
    found = _IN_ARCHIVE.match(path) or _OF_WEB.match(path)
    return (found[1] if found else path).rpartition("/")[2]


@lru_cache(maxsize=1024)
def type_of_name(path: str) -> DocumentType | None:
    """Return the type of a document by the extension of its path or URL; None for an unknown extension.

    That of a compressed file is the one of its document: of ``a.svgz``, and of ``a.html.gz``.
    """
    name = file_name(path).lower().removesuffix(".gz")
    _, dot, extension = name.rpartition(".")
    return _NAMES.get(name, _EXTENSIONS.get(extension)) if dot else None


@lru_cache(maxsize=1024)
def container_kind(path: str) -> str:
    """Return the kind of a container by its extension: ``zip``, ``tar`` or ``message``; "" for any other file."""
    name = file_name(path).lower()
    return next((_ARCHIVES[x] for x in _ARCHIVES if name.endswith(x)), "zip" * is_work(name))


def is_work(path: str) -> bool:
    """Return whether a file is, by its extension, a container that is one work: a book, a message, or of an office program."""
    return path.lower().rpartition(".")[2] in _WORKS | _MESSAGES


@lru_cache(maxsize=1024)
def is_named(path: str) -> bool:
    """Return whether a file is a document by its extension alone, which no other format has."""
    extension = file_name(path).lower().removesuffix(".gz").rpartition(".")[2]
    return extension not in _SHARED and type_of_name(path) is not None


def type_of_content(content_type: str) -> DocumentType | None:
    """Return the type of a document with a Content-Type; None if it is no document."""
    essence = content_type.partition(";")[0].strip().lower()
    return _MEDIA_TYPES.get(essence) or ("xml" if essence.endswith("+xml") else None)


def has_gzip_name(path: str) -> bool:
    """Return whether a path is, by its extension, that of a document or a tar archive compressed with gzip."""
    name = file_name(path).lower()
    return name.endswith((".tar.gz", ".tgz")) or (
        name.endswith((".svgz", ".gz")) and type_of_name(path) is not None
    )


def is_misnamed(old: str, new: str) -> bool:
    """Return whether a file that is compressed, or a container, by its old name is no such file by the new one, or the reverse.

    Any file may have a new name that says nothing of its content.
    """
    stored = [
        (_CODED.search(file_name(name)) is not None, container_kind(name)) for name in (old, new)
    ]
    return stored[0] != stored[1] and bool(type_of_name(new) or stored[1][1])


def is_json_with_links(prefix: bytes) -> bool:
    """Return whether a file with these first bytes is a JSON document whose members a published table names."""
    return _JSON.match(prefix.removeprefix(b"\xef\xbb\xbf")) is not None


def is_json(prefix: bytes) -> bool:
    """Return whether a file with these first bytes is JSON, of whatever kind."""
    return _ANY_JSON.match(prefix.removeprefix(b"\xef\xbb\xbf")) is not None


def looks_like_markup(prefix: bytes) -> bool:
    """Return whether a file of unknown type is an HTML or XML document.

    It is one if a browser detects it as one (MIME Sniffing Standard, 7.1). So is such a document in UTF-16, UTF-32 or
    EBCDIC, and one that begins with an element of XML that `detect_type` knows.

    Args:
        prefix: the first bytes of the file.

    """
    if prefix.startswith(_EBCDIC_DECLARATION):
        return True
    text = _ascii(prefix)
    return bool(
        _SNIFFED.match(text)
        or _XML_ROOT.match(text.lstrip())
        or _XML_ROOT_NAME.match(text.lstrip())
    )


def _ascii(prefix: bytes) -> bytes:
    """Return the ASCII characters; in UTF-16 and UTF-32 they are between NULs."""
    return prefix.removeprefix(b"\xef\xbb\xbf").lstrip(b"\xfe\xff\0").replace(b"\0", b"")


def detect_type(prefix: bytes, name: str = "") -> DocumentType:
    """Return the type of a document.

    A known name or extension decides; CSS is detected by it alone. Else the first members of JSON make it JSON. An XML
    declaration, an ``xml-stylesheet`` instruction, a document type other than ``html``, or a root element that declares
    namespaces makes it XML. Every other document is HTML.

    Args:
        prefix: the first bytes of the document, in any charset.
        name: its file name, path or URL, or "".

    """
    named = type_of_name(name)
    if named is not None:
        return named
    if prefix.startswith(_EBCDIC_DECLARATION):
        return "xml"
    if is_json_with_links(prefix):
        return "json"
    text = _ascii(prefix)
    rest = _BEFORE.sub(b"", text, count=1)
    if _XML_DECLARATION.match(text):
        return "xhtml" if re.match(rb"<!DOCTYPE[\t\n\r ]+html|<html[\t\n\r >]", rest) else "xml"
    if _XML_DOCTYPE.match(rest) or _XML_ROOT.match(rest) or _XML_ROOT_NAME.match(rest):
        return "xml"
    return "html"


# --- Recognize files that are no documents, from their names and first bytes -----------------------
# `no_document` checks in this order: a signature (MIME Sniffing Standard, 6) or the header of a message, with any name;
# a NUL in neither UTF-16 nor UTF-32; an extension of programs and data; an unknown extension of a text that does not
# begin with markup. The facts are in ``filetypes.toml``.

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
#: The beginning of the line before a message in a mailbox: its sender and the date (RFC 4155, Appendix A).
SENDER = pattern(rb"From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ")
#: The beginning of a type map: comments, and the file of the first variant (Apache's mod_negotiation).
_TYPE_MAP = pattern(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*URI:[ \t]*[^\s<>]+[ \t]*\r?\n", re.IGNORECASE)
_HTTP = pattern(rb"HTTP/[0-9](?:\.[0-9])? [0-9]{3}")
_SCRIPT = pattern(rb"#![^\n]")
_ANY_JSON = pattern(
    rb'[\t\n\r ]*(?:\[[\t\n\r ]*)*(?:\{[\t\n\r ]*"(?:[^"\\]|\\.)*"[\t\n\r ]*:|\["(?:[^"\\]|\\.)*"[\t\n\r ]*[,\]])'
)
#: The beginnings of documents, without server code.
_BEGINS = pattern(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*+<(?:[A-Za-z]|!--|!doctype|\?xml)", re.IGNORECASE)

#: A text with the extension of a document may have NULs, which its readers replace: at most one among so many bytes. UTF-16 has more.
_TEXT_A_NUL = 64

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
    if _MESSAGE.match(prefix) or SENDER.match(prefix):
        return Other(
            "a mail or a saved message",
            "its parts are read in a file with the extension .eml or .mht",
        )
    if _HTTP.match(prefix):
        return Other("a response of HTTP with its header", "cut off what comes before the document")
    is_known = is_named(name) or is_json_with_links(prefix)
    nuls = prefix.count(b"\0")
    if is_known and not nuls:
        return None
    is_wide = is_wide or _WIDE.match(prefix) is not None
    begins = is_wide or looks_like_markup(prefix) or _BEGINS.match(prefix) is not None
    if nuls and not begins and not (is_known and nuls <= 1 + len(prefix) // _TEXT_A_NUL):
        return Other("binary data")
    return None if is_known else _by_name(prefix, name, begins=begins)


def _by_name(prefix: bytes, name: str, *, begins: bool) -> Other | None:
    """Return the kind of a file without the extension of a document; `begins` says whether it begins with markup."""
    extension = _extension(name)
    what = _extensions().get(extension)
    if what is not None:
        return Other(what)
    if _SCRIPT.match(prefix):
        return Other("a program")
    if is_json(prefix):
        return Other("JSON")
    if _SGML_DOCTYPE.match(_BEFORE.sub(b"", prefix, count=1)):
        return Other("SGML that is not XML")
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
