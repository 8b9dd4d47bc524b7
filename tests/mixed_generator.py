"""A mixed legacy site: what no package of documentation has, made the same each time.

For each charset a folder with pages that declare it, that only the server declares, and that nobody declares; with names in
its octets, forms by GET and POST, parts, a frameset, a style sheet and a script. Beside them: type maps, MultiViews,
redirects, PATH_INFO, and pages in several languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CHARSETS", "DECISIONS", "ECHO", "Charset", "write"]

#: Where the server's program answers with the octets that it gets.
ECHO = "/echo"


@dataclass(frozen=True, slots=True)
class Charset:
    """A charset: its folder, its label, Python's codec, a language, a word that names files, and a sentence."""

    folder: str
    label: str
    codec: str
    language: str
    word: str
    text: str


CHARSETS = (
    Charset("sjis", "Shift_JIS", "cp932", "ja", "表紙", "日本語の案内と検索の一覧、ソフトの能力"),
    Charset("euc", "EUC-JP", "euc_jp", "ja", "検索", "会社の案内と検索の一覧です。日本語の表"),
    Charset("jis", "ISO-2022-JP", "iso2022_jp", "ja", "案内", "日本語の案内と検索の一覧です。"),
    Charset("kor", "EUC-KR", "cp949", "ko", "목차", "한국어 문서의 목차와 본문과 검색"),
    Charset("gbk", "GBK", "gbk", "zh-CN", "目录", "中文文档的目录和搜索，简体字的说明"),
    Charset("big5", "Big5", "big5", "zh-TW", "首頁", "中文文件的功能許可與首頁，繁體字的說明"),
    Charset("koi", "KOI8-R", "koi8_r", "ru", "поиск", "Привет, мир: новости, поиск и каталог"),
    Charset(
        "cyr", "windows-1251", "cp1251", "uk", "мапа", "Новини, пошук, каталог і Ґанок — «мапа»"
    ),
    Charset("pl", "ISO-8859-2", "iso8859-2", "pl", "żółw", "Zażółć gęślą jaźń, spis treści i łąka"),
    Charset(
        "el", "ISO-8859-7", "iso8859-7", "el", "χάρτης", "Ελληνικά: τα περιεχόμενα και η αναζήτηση"
    ),
    Charset("lat", "windows-1252", "cp1252", "fr", "élève", "Œuvre, élève, “mañana”, straße – 5 €"),
    Charset("tr", "windows-1254", "cp1254", "tr", "ağaç", "Türkçe içindekiler: şehir, ığdır, ağaç"),
    Charset("heb", "windows-1255", "cp1255", "he", "תוכן", "שלום עולם, תוכן העניינים וחיפוש"),
    Charset("utf", "UTF-8", "utf-8", "ja", "日本", "日本語, straße, поиск и новости"),
)
#: The decisions about pages that declare no charset, as the person who knows the site writes them.
DECISIONS = "".join(f"/{each.folder}/nobody/={each.label}\n" for each in CHARSETS)
_GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
_FORMS = """
<form action="{echo}"><input name="q" value="{word}"><input name="{word}"><input type="hidden" name="_charset_">
<textarea name="t">{text}</textarea><select name="s"><option>{word}<option>2</select></form>
<form action="{echo}?f={word}" method="post"><input name="q" value="{word} &amp; +"><input name="e"></form>
<form action="{echo}" method="post" enctype="multipart/form-data"><input name="{word}" value="{text}"></form>
"""
_PAGE = (
    """<title>{text}</title><h1>{word}</h1><p>{text}
<a href="{up}{word}.html">1</a><a href="{up}{octets}.html?q={word}#{word}">2</a><a href="{up}{lower}.html">3</a>
<a href="/{folder}/{word}.html?{word}=1&amp;b=%26">4</a><a href="{up}missing-{word}.html">5</a><a href="?q={word}">6</a>
<a href="http://other.example/{word}?q={word}#{word}">7</a><a href="#{word}">8</a><a href="{up}">9</a>
<a href="{up}page.htm?a={word}&amp;b=&#26085;">10</a><a href="{up}{references}.html?{references}">11</a>
<img alt="{word}" src="{up}{word}.gif"><a name="{word}">{word}</a><link rel="alternate" hreflang="de" href="/neg/doc.de.html">
<script src="{up}say.js"></script><iframe src="{up}served/page.htm?q={word}"></iframe>
"""
    + _FORMS
)
_META = '<!doctype html><meta http-equiv="Content-Type" content="text/html; charset={label}">'


def write(root: Path) -> None:
    """Write the site below a folder that is there."""
    for each in CHARSETS:
        for name, text in _folder(each).items():
            _put(root, name, text.encode(each.codec, "xmlcharrefreplace"), each.codec)
        _put(root, f"{each.folder}/{each.word}.gif", _GIF, each.codec)
    for name, content in _shared().items():
        _put(root, name, content.encode(), "utf-8")


def _put(root: Path, name: str, content: bytes, codec: str) -> None:
    path = root / name.encode(codec).decode("utf-8", "surrogateescape")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _folder(each: Charset) -> dict[str, str]:
    """Return the texts of a charset's folder by their paths."""
    octets = quote_from_bytes(each.word.encode(each.codec))
    values = {
        "echo": ECHO, "word": each.word, "text": each.text, "folder": each.folder, "label": each.label, "octets": octets,
        "lower": octets.lower(), "references": "".join(f"&#{ord(letter)};" for letter in each.word),
    }  # fmt: skip
    page, below = _PAGE.format(**values, up=""), _PAGE.format(**values, up="../")
    meta = _META.format(**values)
    part = (
        _FORMS.format(**values)
        + f'<a href="/{each.folder}/{each.word}.html?p={each.word}">p</a>{each.text}'
    )
    return {
        f"{each.folder}/index.html": meta + page,
        f"{each.folder}/page.htm": meta + page,
        f"{each.folder}/{each.word}.html": f'{meta}<link rel="stylesheet" href="style.css">{page}',
        f"{each.folder}/say.js": f'document.write("<p>{each.text}</p>");\n',
        f"{each.folder}/style.css": f'@charset "{each.label}";\nh1 {{ background: url("{each.word}.gif") }}\n',
        f"{each.folder}/frames.html": f'{meta}<title>{each.text}</title><frameset cols="20%,*"><frame src="{each.word}.html?f={each.word}">'
        f'<frame src="served/page.htm"><noframes><a href="{each.word}.html">x</a></noframes></frameset>',
        f"{each.folder}/parts.shtml": f'{meta}<title>{each.text}</title><!--#include virtual="part.inc" --><!--#include file="more.inc" -->{page}',
        f"{each.folder}/part.inc": part,
        f"{each.folder}/more.inc": f'<p>{each.text}<!--#include virtual="/{each.folder}/part.inc" -->',
        f"{each.folder}/served/.htaccess": f"AddDefaultCharset {each.label}\n",
        f"{each.folder}/served/page.htm": below,
        f"{each.folder}/served/plain.html": f"<!doctype html>{below}",
        f"{each.folder}/nobody/one.html": below,
        f"{each.folder}/nobody/two.html": f"<p>{each.text * 4}{below}",
    }  # fmt: skip


def _shared() -> dict[str, str]:
    """Return the texts that no charset has for its own, by their paths."""
    head = '<!doctype html><meta charset="utf-8"><title>{0}</title><p>{0}'
    languages = {"de": "Grüße", "en": "Greetings", "ja": "日本語"}
    variants = {f"neg/doc.{lang}.html": head.format(text) for lang, text in languages.items()}
    variants |= {f"mv/page.html.{lang}": head.format(text) for lang, text in languages.items()}
    alternates = "".join(
        f'<link rel="alternate" hreflang="{lang}" href="/neg/doc.{lang}.html">'
        for lang in languages
    )
    map_ = "URI: doc\n\n" + "".join(
        f"URI: doc.{lang}.html\nContent-Type: text/html\nContent-Language: {lang}\n\n"
        for lang in languages
    )
    links = "".join(
        f'<a href="{value}">{value}</a>\n'
        for value in (
            "/neg/doc.var", "/neg/doc", "/mv/page", "/mv/page.html", "/mv/page.html.de", "/mv/page.fr", "/mv/none", "/alt/one",
            "/alt/two/index.html", "/alt/none", "/alt/match-sjis", "/alt/match-none", "/kw", "/start/", "/path/info.html/a/b",
            "/path/info.html", "/sjis/page.htm/a/b", "/sjis/parts.shtml/a/b", "/sjis/served", "/none/", "/mv/page/info",
            "/linkfix-start.html", "/mv/", "/sjis/index.html/", "/alt/gone", "/Sjis/index.html", "/start/x.htm?q=1#y", "/euc//index.html", "/rw/a", "/rw/none",
        )
    )  # fmt: skip
    redirects = """\
Redirect 301 /alt/one /sjis/index.html
Redirect 302 /alt/two /euc
Redirect /alt/none /nothing-there.html
Redirect gone /alt/gone
RedirectMatch 301 ^/alt/match-(.*)$ /$1/index.html
RewriteEngine On
RewriteRule ^kw$ /koi/index.html [L]
RewriteRule ^rw/(.*)$ /start/$1.htm [L]
ErrorDocument 404 /start/sorry.htm
"""
    return variants | {
        ".htaccess": redirects,
        "index.html": head.format("Start") + alternates + links,
        "neg/.htaccess": "AddHandler type-map .var\nAddLanguage de .de\nAddLanguage en .en\nAddLanguage ja .ja\nOptions +MultiViews +Includes\n",
        "neg/doc.var": map_.removeprefix("URI: doc\n\n"),
        "mv/.htaccess": "Options +MultiViews +Includes\nAddLanguage de .de\nAddLanguage en .en\nAddLanguage ja .ja\n",
        "path/.htaccess": "AcceptPathInfo On\n",
        "path/info.html": head.format("Info") + '<a href="/path/info.html/c">c</a><a href="/path/info.html">d</a>',
        "start/.htaccess": "DirectoryIndex start.htm\n",
        "start/start.htm": head.format("Start") + '<a href="sorry.htm">a</a><a href="a.htm">b</a>',
        "start/sorry.htm": head.format("Sorry"),
        "start/a.htm": head.format("A") + '<a href="./">a</a><a href=".">b</a><a href="/start">c</a>',
        "robots.txt": "User-agent: *\nDisallow: /start/a.htm\nSitemap: http://old.example/sitemap.xml\n",
    }  # fmt: skip
