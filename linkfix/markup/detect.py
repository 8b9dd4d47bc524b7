"""Detect whether a document is HTML, XML or CSS, from its name and its first bytes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from linkfix.deferred import pattern

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
         "opf", "ncx", "rels", "kml", "gpx", "gml", "mml", "dita", "ditamap", "dbk", "xspf", "smil", "xmp"),
        "xml",
    ),
}  # fmt: skip
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
_ARCHIVES = {".zip": "zip", ".tar": "tar", ".tar.gz": "tar", ".tgz": "tar"}
#: The URL of a file in an archive (fsspec's chaining) with its path there, and one of the web with its path.
_IN_ARCHIVE = pattern(r"(?:zip|tar|libarchive)://(.*)::", re.ASCII | re.DOTALL | re.IGNORECASE)
_OF_WEB = pattern(r"https?://[^/?#]*([^?#]*)", re.ASCII | re.IGNORECASE)
_XML_DECLARATION = pattern(rb"[\t\n\r ]*<\?xml[\t\n\r ]")
_XML_DOCTYPE = pattern(rb"<!DOCTYPE[\t\n\r ]+(?![hH][tT][mM][lL][\t\n\r >])[^\t\n\r >]+")
_XML_ROOT = pattern(rb"<(?![hH][tT][mM][lL][\t\n\r >/])[^\t\n\r />!?]+[^<>]*[\t\n\r ]xmlns[:=]")
_XML_ROOT_NAME = pattern(rb"<(?:rss|feed|svg|urlset|sitemapindex|opml|rdf:RDF)[\t\n\r >/]")
_BEFORE = pattern(rb"(?:[\t\n\f\r ]+|<!--.*?-->|<\?.*?>)*", re.DOTALL)
_EBCDIC_DECLARATION = b"\x4c\x6f\xa7\x94\x93"
#: MIME Sniffing Standard, 7.1: the beginnings of HTML and XML among resources of unknown type.
_SNIFFED = pattern(
    rb"[\t\n\f\r ]*<(?:!DOCTYPE[\t\n\f\r ]+[a-z]|!--|\?xml[\t\n\r ]|"
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
    """Return the kind of a container by its extension: ``zip`` or ``tar``; "" for any other file."""
    name = file_name(path).lower()
    return (
        "zip" if is_work(name) else next((_ARCHIVES[x] for x in _ARCHIVES if name.endswith(x)), "")
    )


def is_work(path: str) -> bool:
    """Return whether a file is, by its extension, a container that is one work: a book, say."""
    return path.lower().rpartition(".")[2] in _WORKS


def has_gzip_name(path: str) -> bool:
    """Return whether a path is, by its extension, that of a document or a tar archive compressed with gzip."""
    name = file_name(path).lower()
    return name.endswith((".tar.gz", ".tgz")) or (
        name.endswith((".svgz", ".gz")) and type_of_name(path) is not None
    )


def is_json_with_links(prefix: bytes) -> bool:
    """Return whether a file with these first bytes is a JSON document whose members a published table names."""
    return _JSON.match(prefix.removeprefix(b"\xef\xbb\xbf")) is not None


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

    A known name or extension decides; CSS is detected by it alone. Else the first members of JSON, or an XML declaration, a document type other than
    ``html``, or a root element that declares namespaces makes it XML. Every other document is HTML.

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
    if _XML_DECLARATION.match(text):
        at = _BEFORE.match(text)
        rest = text[at.end() :] if at else text
        return "xhtml" if re.match(rb"<!DOCTYPE[\t\n\r ]+html|<html[\t\n\r >]", rest) else "xml"
    at = _BEFORE.match(text)
    rest = text[at.end() :] if at else text
    if _XML_DOCTYPE.match(rest) or _XML_ROOT.match(rest) or _XML_ROOT_NAME.match(rest):
        return "xml"
    return "html"
