"""A generated site whose pages contradict each other, and a judge that asks a server which file each link means.

The faults are planted: they are known from how the site is made. The judge reads the files with lxml, follows each link on
a real server, and applies the rules to what comes back. Neither knows anything of linkfix.
"""

from __future__ import annotations

import http.client
import random
import re
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import lxml.etree
import lxml.html

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SITE", "Finding", "RoleSite", "generate", "judge"]

SITE = "http://h.example/"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_ATOM = "http://www.w3.org/2005/Atom"
_LANGUAGES = ("en", "de", "fr")
#: Document, code of the rule, and value of the link; "" for a document as a whole.
Finding = tuple[str, str, str]


@dataclass(slots=True)
class RoleSite:
    """A site: its files by their paths, its redirects (301), and the planted faults."""

    files: dict[str, str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    faults: set[Finding] = field(default_factory=set)

    def write(self, root: Path) -> None:
        """Write the files."""
        for name, text in self.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")


class _Maker:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.site = RoleSite()
        self.heads: dict[str, str] = {}
        self.orphans: set[str] = set()

    def page(self) -> str:
        """Begin a page; return its path."""
        number = len(self.heads)
        path = f"d{number % 13}/p{number}.html"
        self.heads[path] = ""
        self.site.redirects[f"/r/{number}"] = f"/{path}"
        self.site.redirects[f"/rr/{number}"] = f"/r/{number}"
        return path

    def spelled(self, path: str, *, absolute: bool = False) -> str:
        """Return one of the addresses of a page."""
        number = re.findall(r"p(\d+)", path)[0]
        choices = [f"/{path}", f"/{path.removesuffix('.html')}", f"/r/{number}", f"/rr/{number}", f"{SITE}{path}", f"../{path}?x"]  # fmt: skip
        value = self.chance.choice(choices)
        return urljoin(SITE + path, value) if absolute else value

    def add(self, path: str, element: str, to: str, code: str = "") -> None:
        """Add an element with a link to a page, and its fault."""
        value = self.spelled(to)
        self.heads[path] += element.replace("VALUE", value)
        if code:
            self.site.faults.add((path, code, value))

    def scene(self, kind: int) -> None:
        """Add pages that agree or disagree in one way."""
        canonical, og = '<link rel="canonical" href="VALUE">', '<meta property="og:url" content="VALUE">'  # fmt: skip
        refresh = '<meta http-equiv="refresh" content="3; url=VALUE">'
        a, b, c = self.page(), self.page(), self.page()
        match kind:
            case 0:  # each names itself; one names another, which names none
                self.add(a, canonical, a)
                self.add(b, canonical, c)
            case 1:
                self.add(a, canonical, b, "TGT009")
                self.add(b, canonical, c)
            case 2:
                self.add(a, canonical, b, "TGT009")
                self.add(b, canonical, a, "TGT009")
            case 3:
                self.add(a, canonical + "\n", a)
                self.add(a, og, a)
                self.add(b, og, c)
            case 4:
                self.add(a, canonical, a)
                self.add(a, og, b, "TGT010")
                self.add(c, canonical, c)
                self.add(c, canonical, a, "TGT010")
            case 5 | 6:
                for here in (a, b, c):
                    if kind == 6 and here == c:
                        continue
                    for there, language in zip((a, b, c), _LANGUAGES, strict=True):
                        code = "TGT012" if kind == 6 and there == c else ""
                        self.add(here, f'<link rel="alternate" hreflang="{language}" href="VALUE">', there, code)  # fmt: skip
            case 7:
                self.add(a, refresh, b)
                self.add(c, refresh, c)
            case 8:
                self.add(a, refresh, b, "TGT013")
                self.add(b, refresh, c)
            case 9:
                self.add(a, refresh, b, "TGT013")
                self.add(b, refresh, a, "TGT013")
            case _:
                self.orphans.add(a)
                self.site.faults.add((a, "TGT014", ""))

    def finish(self) -> RoleSite:
        """Write the pages, the start page, the sitemap and the feed."""
        site = self.site
        linked = [path for path in self.heads if path not in self.orphans]
        anchors = "".join(f'<a href="{self.spelled(path).replace("../", "")}">x</a>' for path in linked)  # fmt: skip
        site.files["index.html"] = f'<!doctype html><meta charset="utf-8">{anchors}'
        for path, head in self.heads.items():
            site.files[path] = f'<!doctype html><meta charset="utf-8">{head}<p id="{path}">'
        elsewhere = {path for path in linked if self._canonical(path) not in {"", path}}
        for name, head, entry, tail in (
            ("sitemap.xml", f'<urlset xmlns="{_SITEMAP}">', "<url><loc>VALUE</loc></url>", "</urlset>"),
            ("feed.xml", f'<feed xmlns="{_ATOM}">', '<entry><link href="VALUE"/></entry>', "</feed>"),
        ):  # fmt: skip
            text = ""
            for path in self.chance.sample(linked, len(linked) // 3):
                value = self.spelled(path, absolute=True)
                text += entry.replace("VALUE", value)
                if path in elsewhere:
                    site.faults.add((name, "TGT011", value))
            site.files[name] = f'<?xml version="1.0"?>{head}{text}{tail}'
        return site

    def _canonical(self, path: str) -> str:
        """Return the page that a page names as canonical."""
        found = re.search('canonical" href="([^"]*)"', self.heads[path])
        number = re.search(r"(?:p|/r/|/rr/)(\d+)", found[1].removeprefix(SITE)) if found else None
        return "" if number is None else f"d{int(number[1]) % 13}/p{number[1]}.html"


def generate(documents: int, seed: int = 14) -> RoleSite:
    """Return a site of about that many documents."""
    maker = _Maker(seed)
    while len(maker.heads) < documents:
        maker.scene(maker.chance.randrange(11))
    return maker.finish()


class _Judge:
    def __init__(self, root: Path, origin: str) -> None:
        parts = urlsplit(origin)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        self._files = {f'id="{path.relative_to(root).as_posix()}"': path.relative_to(root).as_posix() for path in root.rglob("*.html")}  # fmt: skip
        self._known: dict[str, str] = {}
        self.close = self._connection.close

    def file(self, base: str, value: str) -> str:
        """Return the file that the server shows for a link, redirects followed; "" for another site."""
        uri = urljoin(SITE + base, value.strip())
        if not uri.startswith(SITE):
            return ""
        if uri not in self._known:
            here, found = uri.removeprefix(SITE[:-1]), ""
            for _ in range(6):
                self._connection.request("GET", here)
                answer = self._connection.getresponse()
                body = answer.read().decode("utf-8", "replace")
                if answer.status != 301:
                    marks = re.findall('id="[^"]*"', body) if answer.status == 200 else []
                    found = next((self._files[mark] for mark in marks if mark in self._files), "index.html" if here == "/" else "")  # fmt: skip
                    break
                place = urlsplit(urljoin(f"http://x{here}", answer.headers["Location"]))
                here = place.path + (f"?{place.query}" if place.query else "")
            self._known[uri] = found
        return self._known[uri]


def judge(root: Path, origin: str) -> set[Finding]:
    """Return the faults that the answers of a server show."""
    canonical: dict[str, list[tuple[str, str]]] = {}
    alternates: dict[str, list[tuple[str, str]]] = {}
    refresh: dict[str, tuple[str, str]] = {}
    entries: list[tuple[str, str, str]] = []
    pages: list[str] = []
    linked: set[str] = {"index.html"}
    with closing(_Judge(root, origin)) as server:
        for path in sorted(root.rglob("*.html")):
            name = path.relative_to(root).as_posix()
            pages.append(name)
            tree: Any = lxml.html.fromstring(path.read_bytes())
            refreshes = [text.partition("url=")[2] for text in tree.xpath('//meta[@http-equiv="refresh"]/@content')]  # fmt: skip
            all_links = [*tree.xpath("//@href"), *refreshes, *tree.xpath('//meta[@property="og:url"]/@content')]  # fmt: skip
            linked |= {file for value in all_links if (file := server.file(name, value)) != name}
            own = tree.xpath('//link[@rel="canonical"]/@href')
            if own:
                canonical[name] = [(value, server.file(name, value)) for value in [*own, *tree.xpath('//meta[@property="og:url"]/@content')]]  # fmt: skip
            alternates[name] = [(value, server.file(name, value)) for value in tree.xpath("//link[@hreflang]/@href")]  # fmt: skip
            if refreshes and server.file(name, refreshes[0]) != name:
                refresh[name] = refreshes[0], server.file(name, refreshes[0])
        for name in ("sitemap.xml", "feed.xml"):
            document: Any = lxml.etree.parse(root / name)
            found = document.xpath("//*[local-name()='loc']/text() | //*[local-name()='link']/@href")  # fmt: skip
            entries += [(name, str(value), server.file(name, str(value))) for value in found]
    linked |= {file for _, _, file in entries}
    named = {page: files[0][1] for page, files in canonical.items() if files[0][1] != page}
    faults = {(page, "TGT009", canonical[page][0][0]) for page, to in named.items() if to in named}
    faults |= {(page, "TGT010", value) for page, files in canonical.items() for value, file in files[1:] if file != files[0][1]}  # fmt: skip
    faults |= {(name, "TGT011", value) for name, value, file in entries if file in named}
    faults |= {(page, "TGT012", value) for page, files in alternates.items() for value, file in files
               if file != page and all(back != page for _, back in alternates[file])}  # fmt: skip
    faults |= {(page, "TGT013", value) for page, (value, to) in refresh.items() if to in refresh}
    faults |= {(page, "TGT014", "") for page in pages if page not in linked}
    return faults
