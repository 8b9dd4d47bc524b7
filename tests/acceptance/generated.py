"""A generated site with the content of real ones: the links of `site_generator` and hard documents beside them.

`site_generator` makes documents of seven kinds in seven charsets, with names on disk in their octets. Here are
framesets, image maps, drawings by Inkscape, DocBook, feeds, ``.htaccess``, server code, symbolic links, documents
that no parser accepts, and pages with so many dirty links that outputs run to many megabytes. The same bytes are
generated each time.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import site_generator

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["REFUSED", "write"]

#: How many documents `site_generator` makes, and how many pages full of dirty links there are.
_DOCUMENTS = 280
_DIRTY_PAGES = 24
_DIRTY_LINKS = 140
_DRAWINGS = 12

#: The documents that are not well-formed.
REFUSED = {"hard/broken.svg", "hard/truncated.xhtml"}

_INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cc="http://creativecommons.org/ns#"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:svg="http://www.w3.org/2000/svg"
   xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" version="1.0">
<metadata id="m"><rdf:RDF><cc:Work rdf:about=""><dc:type
   rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></cc:Work></rdf:RDF></metadata>
<defs><linearGradient id="g"/><linearGradient id="h" xlink:href="#g"/></defs>
%s</svg>
"""
_DOCBOOK = """<?xml version="1.0" encoding="ISO-8859-2"?>
<book xmlns="http://docbook.org/ns/docbook" xmlns:l="http://www.w3.org/1999/xlink"
  xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  version="5.0" xml:base="kniha/">
%s</book>
"""
_FRAMESET = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">
<html><head><meta http-equiv="Content-Type" content="text/html; charset=EUC-KR"><title>목차</title></head>
<frameset cols="20%,80%"><frame src="목차 1.html" name=l><frame src=\\menu\\본문.html longdesc="설명.html">
<noframes><body background="배경 그림.gif"><map name=m>
<area shape=rect coords="0,0,9,9" href="지도?쪽=가&amp;b=%"><area nohref></map>
<img usemap="#m" src="그림.gif" lowsrc='낮음 .gif'><applet codebase="코드/" archive="a b.jar"></applet>
</body></noframes></frameset></html>
"""
_FEED = """<?xml version="1.0" encoding="windows-1251"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Новости</title><link>http://www.old.example/новости/</link>
%s</channel></rss>
"""


def write(folder: Path) -> Path:
    """Write the site below a folder that is not there yet, and return it."""
    site_generator.generate(_DOCUMENTS).write(folder)
    for name, body in _hard().items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    for number in range(_DIRTY_PAGES):
        (folder / "dirty" / f"{number:02}.html").write_bytes(_dirty_page(number))
    (folder / "hard" / "link.html").symlink_to("drawing00.svg")
    (folder / "hard" / "outside").symlink_to("/nowhere/at/all")
    (folder / "hard" / "loop").symlink_to("..")
    return folder


def _hard() -> dict[str, bytes]:
    files = {
        "dirty/.htaccess": b"AddDefaultCharset UTF-8\n",
        "hard/frames.html": _FRAMESET.encode("cp949"),
        "hard/feed.xml": _FEED.replace("%s", "".join(map(_item, range(300)))).encode("cp1251"),
        "hard/kniha.xml": _DOCBOOK.replace("%s", "".join(map(_chapter, range(400)))).encode(
            "iso8859-2"
        ),
        "hard/broken.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><a href='a b'></svg>",
        "hard/truncated.xhtml": b"<html xmlns='http://www.w3.org/1999/xhtml'><body><a href='x y'>",
        "hard/empty.html": b"",
        "hard/zeros.html": bytes(4096),
        "hard/wide.html": "\ufeff<title>a</title><a href='/ä b'>".encode("utf-16-le"),
        "hard/page": b"<!DOCTYPE html><meta charset=utf-8><title>t</title><a href='/a b'>x</a>",
        "hard/iso2022.html": (
            '<meta charset="iso-2022-jp"><title>空</title>' + '<a href="/検索?q=空 %">空</a>\n' * 40
        ).encode("iso2022_jp"),
        "hard/server.html": b"<meta charset=utf-8><title>t</title>"
        b"<!--#include virtual='/a b.inc' --><a href='/{{ url }}/a b'>x</a><a href='<%= b %>'>x</a>",
        "hard/data.html": b"<!DOCTYPE html><meta charset=utf-8><title>t</title>"
        b'<img alt="" src="data:image/png;base64,%b">' % base64.encodebytes(bytes(345_000)),
        "hard/sheet.css": '@charset "koi8-r";\n@import "стиль 1.css";\na{background:url( я?я )}'.encode(
            "koi8-r"
        ),
    }
    for number in range(_DRAWINGS):
        shapes = "".join(_shape(number, n) for n in range(700))
        files[f"hard/drawing{number:02}.svg"] = (_INKSCAPE % shapes).encode()
    return files


def _shape(drawing: int, number: int) -> str:
    link = f'<a xlink:href="a b{number}.svg">' if number % 50 == drawing else "<a>"
    return f'<g id="g{number}" inkscape:label="l">{link}<path sodipodi:nodetypes="cc" d="M 0,0"/></a></g>\n'


def _chapter(number: int) -> str:
    return (
        f'<chapter xml:id="c{number}"><title>Příběh</title><para><link l:href="kapitola {number}.html#ž">'
        f'x</link><xi:include href="část{number}.xml" xsi:nil="true"/></para></chapter>\n'
    )


def _item(number: int) -> str:
    return (
        f"<item><link>http://www.old.example/лента/{number} а.html?q=мир</link><guid>{number}</guid>"
        f"<description>&lt;a href=&quot;/лента/{number} б&quot;&gt;x&lt;/a&gt;</description></item>\n"
    )


def _dirty_page(number: int) -> bytes:
    links = "".join(
        f'<a href="/a b{number}-{n}?q=100%">x</a>\n<img alt="" src="\\i {n}.gif">\n'
        if n % 3
        else f"<a href='страница {number}/{n}.html'>x</a>\n"
        for n in range(_DIRTY_LINKS)
    )
    return f"<!DOCTYPE html>\n<meta charset=utf-8>\n<title>t</title>\n{links}".encode()
