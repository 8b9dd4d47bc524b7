"""Pages that declare no charset: how many are misread by a guess a page, by decisions over the site, and by Chromium.

    python benchmarks/undeclared.py DOCUMENTS|packages [--chromium] [--show]

``packages`` are manuals that Debian has (`PACKAGES`), encoded in a charset that they do not declare, as whole sites with their own links.
DOCUMENTS is a folder with legacy documents and an ``index.tsv`` that says the charset of each (columns ``path``, ``whatwg_encoding``,
``decodes``). Their declarations are removed, and they become pages of sites: a folder for each charset, and all in one folder with a start page
that links to each with ``hreflang``; whole, and with no more than `SHORT` characters beyond ASCII. A page is misread if another text than its own is
read. Chromium loads the pages from the loopback address, without a charset in their headers.
"""

from __future__ import annotations

import argparse
import csv
import json
import queue
import re
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from acceptance.packages import Missing, Package, unpack

from linkfix.charset import lookup
from linkfix.migration.charsets import decisions
from linkfix.migration.migration import Migration
from linkfix.migration.settings import Settings
from linkfix.policy import Policy
from linkfix.server.headers import Labels

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The most characters beyond ASCII in a page of the sites with short pages.
SHORT = 12
_DECLARATION = re.compile(
    rb"""<\?xml[^>]*\?>|<meta[^>]*charset[^>]*>|@charset[^;]*;""", re.IGNORECASE
)
_LINK = re.compile(rb'href="([\w.-]+)\.html')
#: The languages of charsets, as a start page says them.
LANGUAGES = {
    "Big5": "zh-tw", "EUC-JP": "ja", "EUC-KR": "ko", "GBK": "zh", "IBM866": "ru", "ISO-8859-2": "hu", "ISO-8859-5": "ru",
    "ISO-8859-6": "ar", "ISO-8859-7": "el", "KOI8-R": "ru", "Shift_JIS": "ja", "windows-1250": "hu", "windows-1251": "ru",
    "windows-1254": "tr", "windows-1255": "he", "windows-1256": "ar", "windows-874": "th",
}  # fmt: skip
#: Manuals and charsets of their language.
PACKAGES = {
    "aptitude-doc-cs": "ISO-8859-2 windows-1250", "aptitude-doc-fi": "ISO-8859-15", "aptitude-doc-fr": "windows-1252",
    "aptitude-doc-ja": "EUC-JP Shift_JIS", "aptitude-doc-ru": "KOI8-R windows-1251", "debian-faq-ja": "EUC-JP Shift_JIS",
    "debian-faq-ru": "KOI8-R ISO-8859-5", "debian-faq-zh-cn": "GBK", "maint-guide-ja": "EUC-JP Shift_JIS", "maint-guide-zh-tw": "Big5",
}  # fmt: skip
#: A page tells the page around it, which has another origin, how it was read.
TELL = b"""<meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'nonce-x'"><script nonce=x>
addEventListener("DOMContentLoaded",()=>parent.postMessage([location.pathname,document.characterSet],"*"))</script>"""
FRAMES = """<!doctype html><meta charset=utf-8><body><script>
const found = {}, paths = %s; let at = 0;
addEventListener("message", e => { found[e.data[0]] = e.data[1]; next(); });
function next() {
  document.querySelector("iframe")?.remove();
  if (at == paths.length) { fetch("/told", {method: "POST", body: JSON.stringify(found)}); return; }
  const frame = document.createElement("iframe"); frame.sandbox = "allow-scripts";
  frame.src = "http://127.0.0.1:%d" + paths[at++]; document.body.append(frame);
}
next();
</script>"""


class Page(NamedTuple):
    """A page without a declaration: its old folder, its octets and its charset."""

    folder: str
    octets: bytes
    charset: str


def pages(documents: Path) -> list[Page]:
    """Return the documents in legacy charsets that have characters beyond ASCII, without their declarations."""
    found = []
    with (documents / "index.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            label = row["whatwg_encoding"]
            if not label or row["decodes"] != "yes" or lookup(label).is_unicode:
                continue
            octets = _DECLARATION.sub(b"", (documents / row["path"]).read_bytes())
            if not octets.isascii() or b"\x1b$" in octets:
                found.append(Page(row["path"].partition("/")[0], octets, lookup(label).name))
    return found


def short(page: Page) -> Page:
    """Return a page with few characters beyond ASCII: those from the middle on, with the words that they are in."""
    text = re.sub(r"<[^>]*>|[<>&\ufffd\s]+", " ", lookup(page.charset).decode(page.octets))
    places = [match.start() for match in re.finditer(r"[^\x00-\x7f]", text)]
    places = places[len(places) // 2 :][:SHORT]
    some = text[places[0] : min(places[-1] + 1, places[0] + 40 * SHORT)]
    head, foot = b"<!doctype html><title>", b"</title><p>Copyright"
    return page._replace(octets=head + lookup(page.charset).encode(some) + foot)


def sites(found: list[Page], root: Path) -> Iterator[tuple[str, Path, dict[str, Page]]]:
    """Make the sites; yield the name of each, its folder, and its pages by their paths."""
    names = ("a folder for each charset", "all in one folder, hreflang")
    for name in (*names, *(f"{name}, short" for name in names)):
        site = root / name.replace(" ", "-")
        placed = {
            f"{page.folder if 'each' in name else 'all'}/{number:03}.html": page
            for number, page in enumerate(map(short, found) if name.endswith("short") else found)
        }
        for path, page in placed.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_bytes(page.octets)
        if "hreflang" in name:
            links = "".join(
                f'<a hreflang="{LANGUAGES.get(page.charset, "")}" href="{path}">x</a>\n'
                for path, page in placed.items()
            )
            (site / "index.html").write_text(f"<!doctype html><meta charset=utf-8>{links}")
        yield name, site, placed


def manuals(root: Path) -> Iterator[tuple[str, Path, dict[str, Page]]]:
    """Make two sites of each manual in each charset: as it is, and with a folder for each page; yield as `sites`."""
    for name, labels in PACKAGES.items():
        for charset in labels.split():
            try:
                folder = unpack(Package(name, "", charset, "nobody"), root / charset)
            except Missing as error:
                print(error, file=sys.stderr)
                continue
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*.html"))
                if not path.is_symlink()
            }
            apart = {
                f"{path.removesuffix('.html')}/index.html": _LINK.sub(
                    rb'href="../\1/index.html', page
                )
                for path, page in files.items()
            }
            for layout, placed in (("", files), (", a folder for each page", apart)):
                site = root / f"{name} {charset}{layout}"
                for path, octets in placed.items():
                    (site / path).parent.mkdir(parents=True, exist_ok=True)
                    (site / path).write_bytes(octets)
                label = lookup(charset).name
                yield (
                    site.name,
                    site,
                    {
                        path: Page("", octets, label)
                        for path, octets in placed.items()
                        if not octets.isascii()
                    },
                )


def read(site: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the charset of each page by its own guess, and by the decisions over the site."""
    migration = Migration(
        Settings(str(site), f"{site}.new", policy=Policy(), writes=False, decides=True), jobs=0
    )
    for _ in migration.examine():
        pass
    guessed = {path: reading.charset for path, reading, _ in migration.index.guessed()}
    rows = Labels.parse(
        f"{each.pattern}={each.label}" for each in decisions(migration.index, str(site))
    )
    return guessed, {path: rows.label(path) or charset for path, charset in guessed.items()}


def misread(read: dict[str, str], pages: dict[str, Page]) -> list[str]:
    """Return the paths of the pages that are read as another text."""
    wrong = []
    for path, page in pages.items():
        texts = [
            lookup(each).decode(page.octets) for each in (read.get(path, "UTF-8"), page.charset)
        ]
        if texts[0] != texts[1]:
            wrong.append(path)
    return wrong


class _Handler(SimpleHTTPRequestHandler):
    """Files as they are, HTML without a charset; what Chromium tells is put into a queue."""

    told: queue.Queue[bytes] = queue.Queue()

    def guess_type(self, path: object) -> str:  # noqa: ARG002 - all are pages
        return "text/html"

    def do_POST(self) -> None:
        self.told.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def by_chromium(placed: dict[str, Page], folder: Path) -> dict[str, str]:
    """Return the charset of each page as Chromium reads it; of none if it does not tell within a few minutes."""
    for path, page in placed.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(TELL + page.octets)
    handler = partial(_Handler, directory=str(folder))
    # Frames of another origin do not have the charset of the page around them.
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    port, other = (server.server_address[1] for server in servers)
    paths = json.dumps([f"/{path}" for path in placed])
    (folder / "frames.html").write_text(FRAMES % (paths, other))
    command = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--remote-debugging-port=0",
    ]
    place = [f"--user-data-dir={folder}/profile", f"http://127.0.0.1:{port}/frames.html"]
    with subprocess.Popen([*command, *place], stderr=subprocess.DEVNULL) as browser:
        try:
            told = json.loads(_Handler.told.get(timeout=300))
        except queue.Empty:
            told = {}
        finally:
            browser.terminate()
            for server in servers:
                server.shutdown()
    return {path.lstrip("/"): label for path, label in told.items()}


def show(
    name: str, how: str, charsets: dict[str, str], placed: dict[str, Page], *, each: bool
) -> None:
    """Print the row of a way to read pages."""
    wrong = misread(charsets, placed)
    print(f"| {name} | {how} | {len(placed)} | {len(wrong)} |", flush=True)
    for path in wrong if each else ():
        print(f"    {path} {placed[path].charset} as {charsets.get(path)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=Path, help='or "packages"')
    parser.add_argument("--chromium", action="store_true", help="as well")
    parser.add_argument("--only", default="", help="sites whose name ends so")
    parser.add_argument("--show", action="store_true", help="what is misread")
    options = parser.parse_args()
    is_real = str(options.documents) == "packages"
    found = [] if is_real else pages(options.documents)
    print("| pages | misread by | of | pages misread |\n| --- | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        made = manuals(Path(folder)) if is_real else sites(found, Path(folder))
        for name, site, placed in made:
            if not name.endswith(options.only):
                continue
            guessed, decided = read(site)
            show(name, "a guess a page", guessed, placed, each=options.show)
            show(name, "decisions over the site", decided, placed, each=options.show)
            if is_real and options.chromium:
                in_chromium(name, placed, Path(folder), each=options.show)
        for kind in ("whole", "short") if options.chromium and not is_real else ():
            some = map(short, found) if kind == "short" else found
            placed = {f"{number:03}.html": page for number, page in enumerate(some)}
            in_chromium(f"any, {kind}", placed, Path(folder), each=options.show)


def in_chromium(name: str, placed: dict[str, Page], folder: Path, *, each: bool) -> None:
    """Print the row of Chromium."""
    charsets = by_chromium(placed, folder / f"{name} chromium")
    if len(charsets) < len(placed):
        print(f"Chromium told of {len(charsets)} pages only", file=sys.stderr)
    show(name, "Chromium", charsets, placed, each=each)


if __name__ == "__main__":
    main()
