"""Documents that are hard to rewrite without moving a link, put together from small tables.

Four families, each a product of its tables:

* *components*: charset × part of a reference, each written in every spelling that HTML allows;
* *traps*: markup that looks like a link and is none, and links where one would not look;
* *octets*: bytes that do not decode, or that do not come back when they are encoded again;
* *declarations*: every way in which a document comes by its charset;

and *xml*: charset × part of a reference × vocabulary, as XML.
"""

from __future__ import annotations

import codecs
import html.entities
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["HardDocument", "for_the_night", "hard_documents"]


@dataclass(frozen=True, slots=True)
class HardDocument:
    """A document as it is served, and what a rewrite to URIs must do to it.

    ``charset`` is the label in the Content-Type header, None for a header without one. ``changes``
    tells whether there is something to rewrite; None where either is right.
    """

    name: str
    body: bytes
    media_type: str = "text/html"
    charset: str | None = None
    changes: bool | None = True

    @property
    def content_type(self) -> str:
        """The whole Content-Type header."""
        return self.media_type + (f"; charset={self.charset}" if self.charset else "")

    @property
    def type(self) -> Literal["html", "xhtml", "xml"]:
        """What linkfix calls this kind of document."""
        if self.media_type.startswith("text/html"):
            return "html"
        return "xhtml" if self.media_type == "application/xhtml+xml" else "xml"


@dataclass(frozen=True, slots=True)
class Charset:
    """A charset with the Python codec that writes it, and a word that is awkward in it."""

    label: str
    codec: str
    word: str

    def encode(self, text: str) -> bytes:
        """Write markup; what the charset lacks becomes a numeric character reference."""
        bom = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
        return bom.get(self.codec, b"") + text.encode(self.codec, "xmlcharrefreplace")


CHARSETS = {
    charset.label: charset
    for charset in (
        Charset("Shift_JIS", "cp932", "ソ表"),  # trail bytes 0x5C
        Charset("EUC-JP", "euc_jp", "日本語"),
        Charset("Big5", "big5", "功許"),  # trail bytes 0x5C
        Charset("GBK", "gbk", "乗中"),  # trail byte 0x5C
        Charset("gb18030", "gb18030", "中㐂ƣ"),  # four bytes with digits among them
        Charset("EUC-KR", "cp949", "한똠"),  # a trail byte that is a letter
        Charset("KOI8-R", "koi8_r", "поиск"),
        Charset("windows-1251", "cp1251", "пошук"),
        Charset("windows-1252", "cp1252", "straße"),  # UTS #46 deviation character
        Charset("ISO-8859-2", "iso8859_2", "żółć"),
        Charset("windows-1255", "cp1255", "שלום"),
        Charset("windows-874", "cp874", "ค้นหา"),
        Charset("IBM866", "cp866", "поиск"),
        Charset("UTF-8", "utf-8", "日é語"),
        Charset("UTF-16LE", "utf-16-le", "日é語"),
        Charset("UTF-16BE", "utf-16-be", "日é語"),
    )
}

#: References by the part that is hard in them; {w} is the charset's word.
COMPONENTS = {
    "host": (
        "http://{w}.example:8080/",
        "HTTP://Ｗ{w}。Example/",
        "http://www.%C3%A9{w}.example/",
        "ftp://{w}:{w}@a.example/{w}",
    ),
    "path": ("/{w}/x/{w}.html", "/a b|c^d`e{{f}}g[h]\"i<j>k'l", "../{w}/./../%2e%2E/{w};{w}"),
    "query": (
        "?q={w}",
        "search.cgi?a={w}&copy=2&lt=3&b={w}&amp;c&para={w}",
        "?a b|c^d`e{{f}}g[h]\"i<j>k'l\\m&q={w}",
        "?q={w}\u0e01\u05d0\U0001f600\ufffd&r=1",
    ),
    "fragment": ("page#{w} {w}", "page?x#{w}#{w}^`\\"),
    "authority": (
        "http://{w}.example/{w};{w}?{w}#{w}",
        "//{w}.example/{w}?{w}",
        "\\\\a.example\\{w}\\..\\x?a\\b#c\\d",
    ),
    "percent": (
        "/%zz/%/%4/%u1234?%zz&%&%u1234#%zz%",
        "/%e3%82%bd/%83%5C?%83%5C&%e3%82%bd{w}#%e3%82%BD",
    ),
    "invisible": (
        "/{w}\u202e\u200f?\u2066{w}#\u200e",
        "/a\x01b{w}\x7f?c\x1f#\x02",
        "\u3000{w}\u00a0?{w}\u00a0",
    ),
    "opaque": (
        "mailto:{w}@a.example?subject={w} {w}",
        "data:text/plain,{w} {w}#{w}",
        "javascript:void('{w} %')",
        "urn:x-{w}:{w}?={w}",
        "tel:{w} 1-2",
        "foo:{w}?{w}",
        "blob:http://a.example/{w}?{w}",
    ),
    "scheme": ("file:///{w}?{w}", "wss://{w}.example/{w}?{w}", "foo://{w}/{w}?{w}#{w}"),
}
#: References that no rewrite touches: already valid, or nothing that a browser can parse.
UNCHANGED = (
    "../a/b.html?c=d;e=f#g",
    "",
    "http://{w}:x/",
    "http://[a b/",
    "http://a.example:99999/{w}",
)


def spelled(value: str, character: Callable[[str], str]) -> str:
    """Write each character that is not ASCII by a function of its own."""
    return "".join(each if each.isascii() else character(each) for each in value)


def decimal(value: str) -> str:
    return spelled(value, lambda each: f"&#{ord(each)};")


def hexadecimal(value: str) -> str:
    return spelled(value, lambda each: f"&#x{ord(each):X};")


def named(value: str) -> str:
    names = html.entities.codepoint2name
    return spelled(value, lambda each: f"&{names[ord(each)]};" if ord(each) in names else each)


def bare(value: str) -> str:
    """Character references without their semicolon, where no digit follows."""
    return spelled(value + " ", lambda each: f"&#{ord(each)}")


def broken(value: str) -> str:
    """The value with the tabs and newlines that a URL parser takes out."""
    middle = len(value) // 2
    return f"\n\t{value[:middle]}\r\n\t{value[middle:]} "


def quoted(value: str) -> str:
    return '"' + value.replace('"', "&quot;") + '"'


def single(value: str) -> str:
    return "'" + value.replace("'", "&#39;") + "'"


def unquoted(value: str) -> str:
    for each in " \t\n\r\f\"'=<>`":
        value = value.replace(each, f"&#x{ord(each):x};")
    return value or '""'


#: Every way to write {v} in HTML: markup, and what makes the attribute's source text of its value.
SPELLINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("<a href={v}>x</a>", quoted),
    ("<a href={v}>x</a>", single),
    ("<a href={v}>x</a>", unquoted),
    ("<A HREF={v} ID=x>x</A>", quoted),
    ("<a title='a>b' href\n=\t{v}>x</a>", lambda value: quoted(decimal(value))),
    ("<a / href={v}>x</a>", lambda value: single(hexadecimal(value))),
    ("<a href={v}id=y>x</a>", lambda value: quoted(named(value))),
    ("<map><area href={v} alt=x></map>", lambda value: quoted(value.replace("&", "&amp;"))),
    ("<img alt='' src={v}>", quoted),
    ("<link rel=x href={v}>", unquoted),
    ("<form action={v}><button formaction={v}>x</button></form>", single),
    ("<object data={v}></object><q cite={v}>x</q>", quoted),
    ("<svg><a href={v}><image xlink:href={v} /></a></svg>", quoted),
    ("<video poster={v} src={v}></video>", single),
    ("<table background={v}><td background={v}>x</table>", quoted),
    ("<a title={v} data-href={v} value={v}>no link</a>", quoted),
)
#: The ones that add white space around or inside the value, which a rewrite may take out.
SPACIOUS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("<a\fhref={v} href=/second>x</a>", lambda value: quoted(bare(value))),
    ("<a hreflang=x href={v} HREF='/\u00e9'>x</a>", lambda value: single(broken(value))),
)


def declared(charset: Charset, number: int) -> tuple[str, str | None]:
    """Choose how a page declares its charset: markup for its head, label for the header."""
    if charset.codec.startswith("utf-16"):
        return "", None  # by its BOM
    return (
        (f"<meta charset={charset.label}>", None),
        ("", charset.label),
        (f'<META http-equiv="content-type" CONTENT="text/html; charset={charset.label}">', None),
    )[number % 3]


def page(
    name: str, charset: Charset, number: int, body: str, changes: bool | None = True
) -> HardDocument:
    """Make an HTML document whose charset is declared in the number's way."""
    head, label = declared(charset, number)
    text = f"<!DOCTYPE html>\r\n{head}<title>{charset.word}</title>\n{body}\n"
    return HardDocument(name, charset.encode(text), charset=label, changes=changes)


def components() -> Iterator[HardDocument]:
    for row, charset in enumerate(CHARSETS.values()):
        for column, (name, templates) in enumerate(COMPONENTS.items()):
            body = written(charset, templates, (*SPELLINGS, *SPACIOUS))
            yield page(f"{charset.label}/{name}", charset, row + column, body)
        body = written(charset, UNCHANGED, SPELLINGS)
        yield page(f"{charset.label}/unchanged", charset, row, body, changes=False)


def written(
    charset: Charset,
    templates: tuple[str, ...],
    spellings: tuple[tuple[str, Callable[[str], str]], ...],
) -> str:
    """Write every reference in every spelling."""
    values = [template.format(w=charset.word) for template in templates]
    return "\n".join(
        markup.format(v=spell(value)) for value in values for markup, spell in spellings
    )


#: Markup around links to {w}. A leading "=" marks where no link is to be rewritten.
TRAPS = {
    "script": "<script>if (a</b/.test('<a href=/{w}>')) x</script><a href='/{w}?{w}'>x</a>",
    "script-escaped": "<script><!-- <a href='/{w}'> </script><a href='/{w}?{w}'>x</a>",
    "script-double-escaped": "<script><!-- <script> <a href='/{w}'> </script> <a href='/{w}'>--></script><a href='/{w}?{w}'>x</a>",
    "style": "<style>a::after{{content:'<a href=/{w}>'}}</style><a href='/{w}?{w}'>x</a>",
    "textarea": "<textarea><a href='/{w}'></a></textarea><a href='/{w}?{w}'>x</a>",
    "title": "<title><a href='/{w}'></title><a href='/{w}?{w}'>x</a>",
    "xmp": "<xmp><a href='/{w}'></xmp><a href='/{w}?{w}'>x</a>",
    "iframe": "<iframe src='/{w}?{w}'><a href='/{w}'></iframe><a href='/{w}?{w}'>x</a>",
    "noembed": "<noembed><a href='/{w}'></noembed><a href='/{w}?{w}'>x</a>",
    "noframes": "<noframes><a href='/{w}'></noframes><a href='/{w}?{w}'>x</a>",
    "noscript": "<noscript><a href='/{w}'></noscript><a href='/{w}?{w}'>x</a>",
    "end-tag-look-alike": "<textarea></textareas><a href='/{w}'></textarea ><a href='/{w}?{w}'>x</a>",
    "comment": "<!-- <a href='/{w}'> --><a href='/{w}?{w}'>x</a>",
    "comment-inner-dashes": "<!-- -- > <a href='/{w}'> --!><a href='/{w}?{w}'>x</a>",
    "comment-abrupt": "<!--><a href='/{w}?{w}'>x</a><!---><a href='/{w}#{w}'>x</a>",
    "comment-nested": "<!-- <!-- <a href='/{w}'> --><a href='/{w}?{w}'>x</a> -->",
    "comment-bogus": "<!a href='/{w}' ><?a href='/{w}'?></ a href='/{w}'><a href='/{w}?{w}'>x</a>",
    "cdata-in-html": "<![CDATA[ <a href='/{w}'> <a href='/{w}?{w}'>x</a> ]]>",
    "cdata-in-svg": "<svg><![CDATA[ <a href='/{w}'> ]]><a href='/{w}?{w}'/></svg>",
    "cdata-in-integration-point": "<svg><desc><![CDATA[ > <a href='/{w}'> ]]><a href='/{w}?{w}'>x</a></svg>",
    "cdata-in-html-in-svg": "<svg><desc><p><![CDATA[ > <a href='/{w}?{w}'>x</a> ]]></svg>",
    "doctype": '<!DOCTYPE a PUBLIC "<a href=/{w}>" \'><a href="/{w}?{w}">x</a>',
    "plaintext": "=<plaintext><a href='/{w}'></plaintext><a href='/{w}'>x</a>",
    "svg-title": "<svg><title><a href='/{w}?{w}'>x</a></title><style><a href='/{w}#{w}'/></style></svg>",
    "svg-script": "<svg><script href='/{w}?{w}'/><a href='/{w}?{w}'/></svg>",
    "svg-self-closing": "<svg><textarea/><a href='/{w}?{w}'/></svg><textarea/><a href='/{w}'></textarea>",
    "svg-break-out": "<svg><p><textarea><a href='/{w}'></textarea><a href='/{w}?{w}'>x</a>",
    "svg-foreign-object": "<svg><foreignObject><textarea><a href='/{w}'></textarea><a href='/{w}?{w}'>x</a></svg>",
    "math": "<math href='/{w}'><mi href='/{w}?{w}'>x</mi><mtext><a href='/{w}?{w}'>y</a></mtext></math>",
    "math-annotation": "<math><annotation-xml encoding='text/html'><xmp><a href='/{w}'></xmp></annotation-xml></math><a href='/{w}?{w}'>x</a>",
    "template": "<template><a href='/{w}?{w}'>x</a><base href='/{w}/'></template><a href='{w}'>x</a>",
    "shadow-root": "<div><template shadowrootmode=open><a href='/{w}?{w}'>x</a></template></div>",
    "select": "<select><option><a href='/{w}?{w}'>x</a></select><a href='/{w}?{w}'>x</a>",
    "table": "<table><a href='/{w}?{w}'>fostered</a><tr><td><form action='/{w}?{w}'></table>",
    "nested-links": "<a href='/{w}?1'>x<p><a href='/{w}?2'>y<b></a></p>z</a>",
    "meta-refresh": "<meta http-equiv=refresh content='9; url=/{w}?x#{w} x'><meta name=x content='0;url=/{w}'>",
    "meta-refresh-quoted": "<meta http-equiv=REFRESH content=\" 9 ,URL = '/{w}?x#{w}' trailing\">",
    "srcset": "<img srcset='/{w}?{w} 1x, /a,b/{w} 2x,\n/{w}|x 3x'><source srcset='/{w}'>",
    "ping": "<a href=/x ping='/{w}?{w}\n/{w}  /c'>x</a>",
    "base": "<a href='?{w}'>x</a><base href='/{w}/?{w}'><base href='/other/'><a href='?{w}'>x</a><a href='#{w}'>x</a>",
    "base-other-host": "<base href='http://{w}.example/{w}/'><a href='{w}?{w}'>x</a>",
    "base-data": "<base href='data:text/html,{w}'><base href='/b/'><a href='{w}?{w}'>x</a>",
    "base-opaque": "<base href='urn:x:{w}'><a href='{w}?{w}'>x</a><a href='#{w}'>x</a><a href='http://a.example/{w}?{w}'>x</a>",
    "base-ftp": "<base href='ftp://a.example/b/'><a href='{w}?{w}'>x</a>",
    "base-wss": "<base href='wss://a.example/b/'><a href='/{w}?x'>x</a><a href='{w}?{w}'>x</a>",
    "base-file": "<base href='file:///b/'><a href='/{w}?{w}'>x</a><a href='//c/{w}'>x</a>",
    "base-unknown": "<base href='foo://a.example/b/'><a href='/{w}?x'>x</a><a href='{w}?{w}'>x</a>",
    "base-in-svg": "<svg><base href='/{w}/'/></svg><a href='{w}?{w}'>x</a>",
    "attribute-junk": "<a =x '=y \"href='/{w}' <=z href='/{w}?{w}'>x</a>",
    "attribute-greater": "<a title='>' title2=\"'>\" href=/{w}?{w}>x</a>",
    "unquoted-slash": "<a href=/{w}/>x</a><a href=/{w}?{w}/>x</a><img src=/{w}/ >",
    "tag-in-tag": "<a<b href='/{w}'><a href='/{w}?{w}'<b>x</a>",
    "null": "<a href='/a\0b{w}?\0'>x</a><a h\0ref=/{w}>x</a><a href='/{w}?{w}'>x</a>",
    "line-ends": "<a\rhref='/{w}\r/x?{w}\r\n'\r\n>x</a>\r<a href='/{w}?{w}'>x</a>",
    "usemap": "=<img usemap='#{w}'><map name='{w}'></map>",
    "identity": "=<p itemscope itemid='http://a.example/{w}' itemtype='http://a.example/{w}'>x",
    "image": "<image src='/{w}?{w}'><isindex action='/{w}'>",
    "frameset": "<frameset><frame src='/{w}?{w}' longdesc='/{w}'><noframes><a href='/{w}'></noframes></frameset>",
    "end-of-file-in-tag": "<a href='/{w}?{w}'>x</a><a href='/{w}' title=",
    "end-of-file-in-value": "<a href='/{w}?{w}'>x</a><a href='/{w}",
    "end-of-file-in-script": "<a href='/{w}?{w}'>x</a><script><a href='/{w}'>",
    "end-of-file-in-comment": "<a href='/{w}?{w}'>x</a><!-- <a href='/{w}'>",
}
TRAP_CHARSETS = ("Shift_JIS", "UTF-16LE")


def traps() -> Iterator[HardDocument]:
    for row, label in enumerate(TRAP_CHARSETS):
        charset = CHARSETS[label]
        for column, (name, template) in enumerate(TRAPS.items()):
            body = template.removeprefix("=").format(w=charset.word)
            yield page(f"{label}/{name}", charset, row + column, body, not template.startswith("="))


#: Octets that no decoder accepts, or that decode and do not encode back to themselves. Not here, as
#: Chromium decodes them otherwise than the Encoding Standard says: EUC-JP 8F B0 before another
#: character, Big5 88 62.
OCTETS = {
    "Shift_JIS": ("83", "83 20", "f0 40", "f9 fc", "ed 40", "ee d0", "81 ad", "80", "a0", "fd", "87 90"),
    "EUC-JP": ("a4", "8f b0 a1", "8e", "8e e0", "ff", "a9 a1", "8f a2 b7", "ad a1"),
    "Big5": ("a4", "87 40", "80", "ff", "a1 c3", "f9 fe", "88 66"),
    "GBK": ("81", "a2 e3", "80", "ff", "81 30 81 30", "a6 d9", "fe 50"),
    "gb18030": ("81", "81 30", "84 31 a4 37", "81 30 81 30", "ff", "a2 e3", "90 30 81 30", "e3 32 9a 36"),
    "EUC-KR": ("b0", "c9 a1", "ff", "80", "81 41", "c6 53"),
    "KOI8-R": ("80", "9a", "b3"),
    "windows-1251": ("98", "a0", "ad"),
    "windows-1252": ("81", "8d", "a0", "80"),
    "windows-1255": ("d9", "fb", "d4"),
    "windows-874": ("db", "fc", "81"),
    "ISO-8859-2": ("80", "9f", "a0"),
    "UTF-8": ("ff", "e3 81", "ed a0 80", "c0 af", "f4 90 80 80", "ef bb bf", "ef bf bd", "cc 81", "c2 85"),
    "UTF-16LE": ("00 d8", "00 dc", "fd ff", "ff fe", "85 00"),
    "UTF-16BE": ("d8 00", "dc 00", "ff fd", "fe ff", "00 85"),
}  # fmt: skip
#: Where the octets (a \x01 here) stand: just before the closing quote, and amid the value.
OCTET_PLACES = (
    "<a href=\"?\x01\">x</a><a href='?\x01'>x</a><a href=?\x01>x</a>\n"
    "<a href=\"/\x01\">x</a><a href='/a\x01|b?a\x01|b#a\x01|b'>x</a>\n"
    '<a href="mailto:\x01">x</a><a href="#\x01">x</a><a href="http://\x01.example/">x</a>\n'
    "<a title='\x01' href='/{w}?{w}'>x</a>\x01<!--\x01--><a href='?{w}|'>x</a>\n"
)


def octets() -> Iterator[HardDocument]:
    for number, (label, sequences) in enumerate(OCTETS.items()):
        charset = CHARSETS[label]
        empty = page(label, charset, number, "")
        places = OCTET_PLACES.format(w=charset.word).encode(charset.codec)
        mark = "\x01".encode(charset.codec)
        body = empty.body + b"".join(
            places.replace(mark, bytes.fromhex(sequence)) for sequence in sequences
        )
        yield HardDocument(label, body, charset=empty.charset)
    text = "<a href='/\u65e5?\u65e5'>x</a><a href='/x".encode("utf-16-le")
    yield HardDocument("UTF-16LE/odd-length", codecs.BOM_UTF16_LE + text + b"\x20")


LINKS = "<a href='/{w}?{w}#{w}'>x</a><form action='?{w}|&copy=2'></form>"
PADDING = "<!-- " + "padding " * 200 + "-->"


def declarations() -> Iterator[HardDocument]:
    jp, ru, latin, utf8 = (
        CHARSETS[label] for label in ("Shift_JIS", "windows-1251", "windows-1252", "UTF-8")
    )
    for name, charset, head, label in (
        ("meta-single-quotes", jp, "<meta charset='shift_jis'>", None),
        ("meta-alias", jp, "<meta charset=' X-SJIS '>", None),
        ("meta-unknown-first", ru, "<meta charset=unknown><meta charset=cp1251>", None),
        ("two-metas", ru, "<meta charset=windows-1251><meta charset=koi8-r>", None),
        ("meta-in-comment", ru, "<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", None),
        ("meta-content-order", ru, "<meta content='a;charset=cp1251' http-equiv=Content-Type>", None),
        ("meta-utf-16", utf8, "<meta charset=utf-16>", None),
        ("meta-user-defined", latin, "<meta charset=x-user-defined>", None),
        ("meta-latin-1", latin, "<meta charset=iso-8859-1>", None),
        ("meta-ascii", latin, "<meta charset=us-ascii>", None),
        ("header-over-meta", jp, "<meta charset=utf-8>", "shift_jis"),
        ("header-latin-1", latin, "", "ISO-8859-1"),
        ("xml-declaration", ru, "<?xml version='1.0' encoding='windows-1251'?>", None),
        ("meta-late", jp, PADDING + "<meta charset=shift_jis>", None),
    ):  # fmt: skip
        body = charset.encode(head + LINKS.format(w=charset.word))
        yield HardDocument(name, body, charset=label)
    links = LINKS.format(w=utf8.word)
    for name, codec, label, head in (
        ("bom-over-header", "utf-8-sig", "shift_jis", ""),
        ("bom-over-meta", "utf-8-sig", None, "<meta charset=shift_jis>"),
        ("bom-utf-16-over-meta", "utf-16", "shift_jis", "<meta charset=utf-8>"),
        ("header-utf-16", "utf-16-le", "utf-16le", "<meta charset=utf-8>"),
        ("header-utf-16be", "utf-16-be", "utf-16be", ""),
    ):
        yield HardDocument(name, (head + links).encode(codec), charset=label)
    body = ru.encode("<meta charset=windows-1251>" + LINKS.format(w=ru.word))
    yield HardDocument("header-unknown", body, "text/html; charset=no-such-charset")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """An XML vocabulary: a document around {links}, and the markup of one link {v}."""

    media_type: str
    document: str
    links: str


VOCABULARIES = (
    Vocabulary(
        "application/xhtml+xml",
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>{w}</title></head>"
        "<body>{links}</body></html>",
        "<p title={v}><a id='x' href={v}>x</a><img alt='' src={v}/></p>"
        "<script><![CDATA[ <a href={v}> ]]></script><!-- <a href={v}> -->"
        "<textarea><a href={v}/></textarea><A href={v} HREF={v}/>"
        "<h:form xmlns:h='http://www.w3.org/1999/xhtml' action={v}/><a xmlns='' href={v}/>\n",
    ),
    Vocabulary(
        "image/svg+xml",
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink'>"
        "<title>{w}</title>{links}<use href='#{w}'/></svg>",
        "<a href={v} title={v}><image l:href={v}/></a><style><![CDATA[ <a href={v}/> ]]></style>\n",
    ),
)
#: The components above whose characters XML allows.
XML_COMPONENTS = ("host", "path", "query", "fragment", "authority", "percent", "opaque", "scheme")
#: The charsets that XML processors know best, and one that a BOM declares.
XML_CHARSETS = ("Shift_JIS", "EUC-JP", "Big5", "GBK", "windows-1251", "KOI8-R", "UTF-8", "UTF-16BE")


def xml_quoted(value: str) -> str:
    return quoted(value.replace("&", "&amp;").replace("<", "&lt;"))


def xml_single(value: str) -> str:
    return single(hexadecimal(value.replace("&", "&#38;").replace("<", "&#60;")))


def xml() -> Iterator[HardDocument]:
    for label in XML_CHARSETS:
        charset = CHARSETS[label]
        encoding = "UTF-16" if label.startswith("UTF-16") else label
        declaration = f'<?xml version="1.0" encoding="{encoding}"?>\n'
        values = [
            template.format(w=charset.word)
            for name in XML_COMPONENTS
            for template in COMPONENTS[name]
        ]
        for vocabulary in VOCABULARIES:
            links = "".join(
                vocabulary.links.format(v=spell(value))
                for value in values
                for spell in (xml_quoted, xml_single)
            )
            text = declaration + vocabulary.document.format(w=charset.word, links=links)
            body = charset.encode(text)
            yield HardDocument(f"{label}/{vocabulary.media_type}", body, vocabulary.media_type)


def for_the_night() -> set[str]:
    """Names of the documents of products of two tables, but for a sample that has every row of each table.

    The query depends on the charset: it is in the sample with every one.
    """
    parts = [*COMPONENTS, "unchanged"]
    components = {
        f"components/{label}/{part}"
        for row, label in enumerate(CHARSETS)
        for column, part in enumerate(parts)
        if part != "query" and (row + column) % 4
    }
    traps = {
        f"traps/{label}/{name}"
        for row, label in enumerate(TRAP_CHARSETS)
        for column, name in enumerate(TRAPS)
        if (row + column) % 2
    }
    return components | traps


def hard_documents() -> dict[str, HardDocument]:
    """Make every document; the keys are unique names."""
    documents: dict[str, HardDocument] = {}
    for family in (components, traps, octets, declarations, xml):
        for document in family():
            name = f"{family.__name__}/{document.name}"
            assert name not in documents, name
            documents[name] = document
    return documents
