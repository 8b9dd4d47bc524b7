"""A generated legacy site: documents in seven charsets, with the known target of each link.

The targets are computed from names and codecs of Python, and never by linkfix. Each link has a number beside it:
``data-n="7" href="…"`` in markup,
``/*n7*/url("…")`` in style sheets.
"""

from __future__ import annotations

import html
import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, quote_from_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "BASE",
    "RENAME_CHARSETS",
    "SOURCE_CHARSETS",
    "Expected",
    "GeneratedDocument",
    "Site",
    "found",
    "generate",
]

#: The address of the site.
BASE = "http://www.old.example/site/"
_PATH = "!$&'()*+,;=:@-._~/"
Broken = Literal["", "missing", "case", "fragment"]
DocumentKind = Literal["html", "xhtml", "atom", "sitemap", "svg", "css", "js"]


@dataclass(frozen=True, slots=True)
class _Charset:
    folder: str
    label: str
    codec: str
    words: tuple[str, ...]


CHARSETS = (
    _Charset("sjis", "Shift_JIS", "cp932", ("表紙", "ソフト", "能力", "日本語")),
    _Charset("euc", "EUC-JP", "euc_jp", ("検索", "案内", "会社", "日本語")),
    _Charset("cyr", "windows-1251", "cp1251", ("новости", "поиск", "каталог", "Ёлка")),
    _Charset("lat", "windows-1252", "cp1252", ("straße", "élève", "œuvre", "“mañana”")),
    _Charset("big5", "Big5", "big5", ("功能", "許可", "首頁", "中文")),
    _Charset("koi", "KOI8-R", "koi8_r", ("новости", "поиск", "каталог", "мир")),
    _Charset("utf", "UTF-8", "utf-8", ("日本語", "straße", "поиск", "功能")),
)


#: What linkfix is told of the charsets that only the old server's headers declared, and of those
#: that names on disk are in: patterns with labels.
SOURCE_CHARSETS = tuple(f"/{each.folder}/served/={each.label}" for each in CHARSETS)
RENAME_CHARSETS = tuple(
    f"/{each.folder}/={each.label}" for each in CHARSETS if each.codec != "utf-8"
)


@dataclass(frozen=True, slots=True)
class Expected:
    """The target of a link.

    Attributes:
        uri: absolute, as a browser sends it, fragment included.
        file: its file in the site, in the bytes of the name on disk; None for none.
        query: with its question mark, or "".
        fragment: with its number sign, or "".
        broken: the fault of a broken link.

    """

    uri: str
    file: bytes | None = None
    query: str = ""
    fragment: str = ""
    broken: Broken = ""


@dataclass(slots=True)
class GeneratedDocument:
    """A document of the site.

    Attributes:
        path: its name from the root of the site, in bytes.
        kind: of the document.
        charset: of the document.
        declared: how the charset is declared.
        name: its path in characters.
        body: its bytes.
        text: its words, as shown to a reader.
        base: its base URL.
        links: the targets of its links, by their numbers.

    """

    path: bytes
    kind: DocumentKind
    charset: _Charset
    declared: str
    name: str
    body: bytes = b""
    text: str = ""
    base: str = ""
    links: dict[int, Expected] = field(default_factory=dict)

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return uri_of(self.path)


@dataclass(slots=True)
class Site:
    """The whole site: its files, and what is known of its documents."""

    files: dict[bytes, bytes]
    documents: dict[bytes, GeneratedDocument]

    def write(self, folder: Path) -> Path:
        """Write all files below a folder."""
        for path, body in self.files.items():
            place = folder / os_path(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(body)
        return folder

    def new_name(self, path: bytes) -> bytes:
        """The name of a file once it is in UTF-8."""
        for charset in CHARSETS:
            if path.startswith(charset.folder.encode() + b"/"):
                return path.decode(charset.codec).encode()
        return path


def os_path(path: bytes) -> str:
    """A path for Python's file functions, for any bytes."""
    return path.decode("utf-8", "surrogateescape")


def uri_of(path: bytes) -> str:
    """The URI of a file."""
    return BASE + quote_from_bytes(path, safe=_PATH)


_ATTRIBUTE = re.compile(r'data-n="(\d+)" [\w:-]+="([^"]*)"')
_TEXT = re.compile(r'data-n="(\d+)">([^<]*)<')
_STYLE = re.compile(r"/\*n(\d+)\*/\s*url\(\"([^\"]*)\"\)")


def found(text: str) -> Iterator[tuple[int, str]]:
    """Find the links of a document of the site again: number and value of each."""
    for pattern in (_ATTRIBUTE, _TEXT, _STYLE):
        for number, value in pattern.findall(text):
            value = html.unescape(value)
            if value.startswith("0; url="):
                value = value.removeprefix("0; url=")
            if value.endswith(" 2x"):  # the candidates of a srcset, numbered from `number` on
                for more, candidate in enumerate(value.split(",")):
                    yield int(number) + more, candidate.split()[0]
            else:
                yield int(number), value


def generate(documents: int = 2000, *, seed: int = 8) -> Site:
    """Generate the site.

    Args:
        documents: how many, in all charsets and of all kinds.
        seed: of the random choices; the same seed generates the same bytes.

    """
    return _Generator(documents, random.Random(seed)).run()


class _Generator:
    """Names first, since links need to know all of them, then bodies."""

    def __init__(self, count: int, chance: random.Random) -> None:
        self._count = count
        self._chance = chance
        self._documents: dict[bytes, GeneratedDocument] = {}
        self._files: dict[bytes, bytes] = {
            b"cgi-bin/search": b"#!/bin/sh\necho\n",
            b"images/logo.png": b"\x89PNG\r\n\x1a\n logo",
            b"images/Photo 1.JPG": b"\xff\xd8\xff\xe0 photo",
        }
        self._pages: dict[str, list[GeneratedDocument]] = {}
        self._sheets: dict[str, list[GeneratedDocument]] = {}
        self._scripts: dict[str, list[GeneratedDocument]] = {}

    def run(self) -> Site:
        for number in range(self._count):
            self._place(number)
        for document in self._documents.values():
            _Body(self, document, self._chance).write()
            self._files[document.path] = document.body
        return Site(self._files, self._documents)

    def _place(self, number: int) -> None:
        charset = CHARSETS[number % len(CHARSETS)]
        turn = number // len(CHARSETS) % 20
        kinds: dict[int, DocumentKind] = {1: "css", 3: "js", 6: "xhtml", 9: "atom", 12: "sitemap"}
        kind = kinds.get(turn, "svg" if turn == 15 else "html")
        extensions = {"atom": "xml", "sitemap": "xml", "html": "htm"}
        declared = self._declaration(kind, turn)
        folder = "served/" if declared == "header" else f"d{number // 200}/"
        if turn == 4 and kind == "html":
            folder += f"{charset.words[0]}/"
        word = charset.words[number % len(charset.words)]
        stem = f"{word}{number}" if turn % 2 else f"p{number}"
        name = f"{charset.folder}/{folder}{stem}.{extensions.get(kind, kind)}"
        path = name.encode(charset.codec)
        document = GeneratedDocument(path, kind, charset, declared, name)
        document.base = document.uri
        self._documents[path] = document
        lists = {"css": self._sheets, "js": self._scripts}.get(kind, self._pages)
        lists.setdefault(charset.folder, []).append(document)

    def _declaration(self, kind: DocumentKind, turn: int) -> str:
        if kind in ("xhtml", "atom", "sitemap", "svg"):
            return "xml"
        if kind in ("css", "js"):
            return "environment"
        return ("meta", "http-equiv", "header", "meta-late")[turn % 4]

    def page(self, charset: _Charset, *, fragments: bool = False) -> GeneratedDocument:
        pages = self._pages[charset.folder]
        if fragments:
            pages = [page for page in pages if page.kind in ("html", "xhtml")]
        return self._chance.choice(pages)

    def sheet(self, charset: _Charset) -> GeneratedDocument | None:
        return self._chance.choice(self._sheets.get(charset.folder) or [None])

    def script(self, charset: _Charset) -> GeneratedDocument | None:
        return self._chance.choice(self._scripts.get(charset.folder) or [None])


class _Body:
    """Write one document."""

    def __init__(
        self, site: _Generator, document: GeneratedDocument, chance: random.Random
    ) -> None:
        self._site = site
        self._document = document
        self._charset = document.charset
        self._chance = chance
        self._number = 0

    def write(self) -> None:
        document = self._document
        kinds: dict[DocumentKind, Callable[[], str]] = {
            "html": self._html,
            "xhtml": self._xhtml,
            "atom": self._atom,
            "sitemap": self._sitemap,
            "svg": self._svg,
            "css": self._css,
            "js": lambda: f'/* {self._word()} */ document.title += "{self._word()}";\n',
        }
        text = kinds[document.kind]()
        document.body = text.encode(self._charset.codec)

    # --- what links lead to ---------------------------------------------------------------------

    def _word(self) -> str:
        return self._chance.choice(self._charset.words)

    def _expect(self, expected: Expected) -> int:
        self._number += 1
        self._document.links[self._number] = expected
        return self._number

    def _to_file(
        self, path: bytes, uri: str, fragment: str = "", broken: Broken = "", query: str = ""
    ) -> int:
        """Expect a link to a file, at a URI that may spell the name in its own way."""
        return self._expect(Expected(uri + query + fragment, path, query, fragment, broken))

    def _relative(self, path: str) -> str:
        """Write a path of the site as a reference from the document's base."""
        here = self._document.base.removeprefix(BASE)
        depth = here.count("/")
        return "../" * depth + path

    def _page_link(self, *, fragments: bool = False) -> tuple[int, str]:
        """Link to another page in one of the ways in which people write its name."""
        charset = self._charset if self._chance.random() < 0.7 else self._chance.choice(CHARSETS)
        target = self._site.page(charset, fragments=fragments)
        fragment = "#s-anchor" if fragments else ""
        way = self._chance.randrange(5)
        as_utf8 = BASE + quote(target.name, safe=_PATH)
        if way == 0:  # percent-encoded bytes of the name on disk
            value = self._relative(quote_from_bytes(target.path, safe="/"))
            return self._to_file(target.path, target.uri, fragment), value + fragment
        if way == 1:  # the whole URI
            return self._to_file(target.path, target.uri, fragment), target.uri + fragment
        if way == 2:  # references
            spelled = "".join(c if c.isascii() else f"&#{ord(c)};" for c in target.name)
            return self._to_file(target.path, as_utf8, fragment), self._relative(spelled) + fragment
        if way == 3:  # in UTF-8, root-relative
            value = "/site/" + quote(target.name, safe="/")
            return self._to_file(target.path, as_utf8, fragment), value + fragment
        # As it is written. Python's Big5 has other octets for Cyrillic than the Encoding Standard.
        if target.name.isascii() or self._charset in (target.charset, CHARSETS[-1]):
            value = self._relative(target.name)
        else:
            value = self._relative(quote(target.name, safe="/"))
        return self._to_file(target.path, as_utf8, fragment), value + fragment

    def _query(self) -> tuple[str, str]:
        """A query as it is written, and as it is sent."""
        word = self._word()
        sent = quote_from_bytes(word.encode(self._charset.codec), safe="")
        return f"?q={word}&amp;n=1", f"?q={sent}&n=1"

    def _search_link(self) -> tuple[int, str]:
        written, sent = self._query()
        if self._chance.random() < 0.5:
            uri = f"http://search.example/find{sent}"
            return self._expect(Expected(uri)), f"http://search.example/find{written}"
        number = self._to_file(b"cgi-bin/search", f"{BASE}cgi-bin/search", query=sent)
        return number, self._relative(f"cgi-bin/search{written}")

    def _file_link(self, path: str) -> tuple[int, str]:
        number = self._to_file(path.encode(), uri_of(path.encode()))
        return number, self._relative(path)

    def _broken_link(self) -> tuple[int, str, str]:
        """A broken link, with its fault."""
        way = self._chance.randrange(3)
        if way == 0:
            name = f"gone-{self._word()}.htm"
            number = self._expect(
                Expected(BASE + quote(name), broken="missing"),
            )
            return number, self._relative(name), "missing"
        if way == 1:
            number = self._expect(
                Expected(f"{BASE}Images/LOGO.png", b"images/logo.png", broken="case")
            )
            return number, self._relative("Images/LOGO.png"), "case"
        target = self._site.page(self._charset, fragments=True)
        number = self._to_file(target.path, target.uri, "#s-nowhere", "fragment")
        return number, target.uri + "#s-nowhere", "fragment"

    # --- documents ------------------------------------------------------------------------------

    def _head(self) -> str:
        document, label = self._document, self._charset.label
        meta = {
            "meta": f'<meta charset="{label}">\n',
            "http-equiv": f'<meta http-equiv="Content-Type" content="text/html; charset={label}">\n',
        }.get(document.declared, "")
        late = f'<meta charset="{label.lower()}" >\n' if document.declared == "meta-late" else ""
        lines = [meta, f"<title>{self._word()}</title>\n", late]
        if self._chance.random() < 0.15:
            document.base = f"{BASE}{self._charset.folder}/"
            lines.append(f'<base href="{document.base}">\n')
        sheet, script = self._site.sheet(self._charset), self._site.script(self._charset)
        if sheet is not None:
            number = self._to_file(sheet.path, sheet.uri)
            value = self._relative(quote_from_bytes(sheet.path))
            lines.append(f'<link rel="stylesheet" data-n="{number}" href="{value}">\n')
        if script is not None:
            number = self._to_file(script.path, script.uri)
            lines.append(
                f'<script charset="{label}" data-n="{number}" src="{script.uri}"></script>\n'
            )
        if self._chance.random() < 0.1:
            number, value = self._page_link()
            lines.append(
                f'<meta http-equiv="refresh" data-n="{number}" content="0; url={value}">\n'
            )
        return "".join(lines)

    def _content(self, end: str = "") -> str:
        lines = [f'<h1 id="s-anchor">{self._word()}</h1>\n']
        lines += [self._anchor(*self._page_link()) for _ in range(3)]
        lines.append(self._anchor(*self._page_link(fragments=True)))
        lines.append(self._anchor(*self._search_link()))
        number, value = self._file_link("images/logo.png")
        lines.append(f'<img alt="{self._word()}" data-n="{number}" src="{value}"{end}>\n')
        first, value = self._file_link("images/logo.png")
        _, second = self._file_link("images/Photo 1.JPG")
        second = second.replace(" ", "%20")
        lines.append(f'<img alt="" data-n="{first}" srcset="{value} 1x, {second} 2x"{end}>\n')
        number, value = self._file_link("images/Photo 1.JPG")
        lines.append(f"<p style='background: /*n{number}*/url(\"{value}\")'>{self._word()}</p>\n")
        if self._chance.random() < 0.2:
            number, value = self._page_link()
            lines.append(f'<iframe data-n="{number}" src="{value}"></iframe>\n')
        if self._chance.random() < 0.3:
            number, value = self._file_link("cgi-bin/search")
            lines.append(
                f'<form data-n="{number}" action="{value}"><p><input name="q"{end}></p></form>\n'
            )
        if self._chance.random() < 0.3:
            lines.append(self._anchor(*self._broken_link()[:2]))
        number = self._expect(Expected(f"mailto:{quote(self._charset.words[0])}@a.example"))
        lines.append(self._anchor(number, f"mailto:{self._charset.words[0]}@a.example"))
        self._document.text = self._charset.words[0]
        lines.append(f"<p>{self._document.text}</p>\n")
        return "".join(lines)

    def _anchor(self, number: int, value: str) -> str:
        return f'<p><a data-n="{number}" href="{value}">{self._word()}</a></p>\n'

    def _html(self) -> str:
        head = self._head()
        return (
            f"<!DOCTYPE html>\n<html>\n<head>\n{head}</head>\n<body>\n{self._content()}"
            "</body>\n</html>\n"
        )

    def _declared_xml(self) -> str:
        return f'<?xml version="1.0" encoding="{self._charset.label}"?>\n'

    def _xhtml(self) -> str:
        return (
            f'{self._declared_xml()}<html xmlns="http://www.w3.org/1999/xhtml">\n'
            f"<head><title>{self._word()}</title></head>\n<body>\n{self._content(' /')}"
            "</body>\n</html>\n"
        )

    def _atom(self) -> str:
        entries = "".join(
            f'<entry><title>{self._word()}</title><link data-n="{number}" href="{value}"/></entry>\n'
            for number, value in (self._page_link() for _ in range(5))
        )
        return (
            f'{self._declared_xml()}<feed xmlns="http://www.w3.org/2005/Atom">\n'
            f"<title>{self._word()}</title>\n{entries}</feed>\n"
        )

    def _sitemap(self) -> str:
        entries = ""
        for _ in range(5):
            target = self._site.page(self._charset)
            number = self._to_file(target.path, target.uri)
            entries += f'<url><loc data-n="{number}">{target.uri}</loc></url>\n'
        return (
            f'{self._declared_xml()}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            f"<!-- {self._word()} -->\n{entries}</urlset>\n"
        )

    def _svg(self) -> str:
        number, value = self._page_link()
        image, source = self._file_link("images/logo.png")
        return (
            f'{self._declared_xml()}<svg xmlns="http://www.w3.org/2000/svg" '
            'xmlns:xlink="http://www.w3.org/1999/xlink">\n'
            f'<a data-n="{number}" xlink:href="{value}"><text>{self._word()}</text></a>\n'
            f'<image data-n="{image}" href="{source}"/>\n</svg>\n'
        )

    def _css(self) -> str:
        number, value = self._file_link("images/Photo 1.JPG")
        return (
            f'/* {self._word()} */\nbody {{ background: /*n{number}*/url("{value}") }}\n'
            f'p::before {{ content: "{self._word()}" }}\n'
        )
