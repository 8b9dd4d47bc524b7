"""A mixed legacy site is migrated, by linkfix and by what others use, and followed in Chromium behind Apache and nginx.

    python benchmarks/mixed_site.py [--generated] [--pages N] [--tools linkfix,renamed,wget,httrack,iconv] [--broken]

The site: Debian packages of documentation in many charsets (``PACKAGES``; `tests/acceptance/packages.py` brings them),
the documents of the suite ``documents`` where `tools/conformance.py` has brought it, and what no package has
(``tests/mixed_generator.py``). ``--generated`` takes the last part alone. Of each package, N pages are drawn with a fixed seed,
of the rest all pages. Chromium loads each page of the old and of the new site from Apache: its text, the targets of its links as
Chromium resolves them, and each form as it is submitted to a program that answers with the octets that it gets. Apache then
answers for each target with the name of the file. A link is right if the new server answers with the same file, query and
fragment. Not compared: links of style sheets but those in computed styles of the first elements, and what scripts do on a click.
``renamed`` migrates with new names, moved files and a link map, and asks Apache and nginx for each old address in each
spelling that the old server answers. ``--broken`` compares the links that Apache answers with an error with what `graph
--broken`, `audit`, linkinator and LinkChecker report.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes, urldefrag, urljoin, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).parent)]

import apache  # noqa: E402
import broken_links  # noqa: E402
import conformance_data  # noqa: E402
import mixed_generator  # noqa: E402
import nginx  # noqa: E402
from acceptance.packages import Missing, Package, packages, unpack  # noqa: E402
from browser.harness import Browser, BrowserError  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Counts", "Tree", "build", "compare", "main", "migrate", "old_addresses"]

#: Packages beside those of the list, encoded as such sites once were.
PACKAGES = (
    Package("apache2-doc", "type maps and MultiViews", part="usr/share/doc/apache2-doc/manual/de"),
    Package("mhonarc", "pages that declare no charset", part="usr/share/doc/mhonarc"),
    Package("analog", "templates in twenty charsets", part="usr/share/analog"),
    Package("aptitude-doc-es", "a manual", charset="ISO-8859-1"),
    Package("aptitude-doc-fi", "a charset that only the server declares", charset="ISO-8859-15", declare="server"),
    Package("aptitude-doc-nl", "a manual", charset="windows-1252"),
    Package("debian-faq-de", "a charset that only the server declares", charset="ISO-8859-1", declare="server"),
    Package("debian-faq-fr", "pages that declare no charset", charset="windows-1252", declare="nobody"),
    Package("debian-faq-it", "a manual", charset="windows-1252"),
    Package("maint-guide-ru", "a manual", charset="ISO-8859-5"),
)  # fmt: skip
PAGE = re.compile(r"\.(s?html?|xhtml)(\.[a-z-]{2,5})?$", re.IGNORECASE | re.ASCII)
#: The header in which the servers name the file, percent-encoded by Apache: a name in ISO-2022-JP is no value of a header.
FILE = "X-Name"
CONFIGURATION = """
LoadModule alias_module {modules}/mod_alias.so
LoadModule cgid_module {modules}/mod_cgid.so
Header unset X-File
Header set {name} "expr=%{{escape:%{{REQUEST_FILENAME}}}}"
ScriptSock "{state}/socket"
ScriptAlias {echo} "{state}/echo.sh"
<Directory "{state}">
Require all granted
</Directory>
"""
PROGRAM = """#!/bin/sh
printf 'Content-Type: text/plain\\r\\n\\r\\n%s %s ' "$REQUEST_METHOD" "$QUERY_STRING"
od -An -v -tx1 | tr -d ' \\n'
"""
#: What Chromium makes of a page. Each form goes to the program in a frame of its own; an empty field gets a word of the page.
LOOK = r"""
const done = arguments[arguments.length - 1], links = [], texts = [document.title];
const names = ["href", "src", "action", "background", "data", "longdesc", "cite", "formaction", "poster", "lowsrc"];
const anchor = document.createElement("a");
for (const each of document.querySelectorAll("*")) {
  for (const name of ["alt", "title", "placeholder"]) texts.push(each.getAttribute(name) || "");
  if (each.localName == "base") continue;
  for (const name of names) {
    const value = each.getAttribute(name);
    if (value === null || (name == "action" && !value) || /^\s*(javascript|data|mailto|about|news):/i.test(value)) continue;
    anchor.setAttribute("href", value);
    links.push(anchor.href);
  }
}
for (const each of [...document.querySelectorAll("body *")].slice(0, 300))
  links.push(...[...getComputedStyle(each).backgroundImage.matchAll(/url\("(http[^"]*)"\)/g)].map((found) => found[1]));
const text = (document.body || document.documentElement).innerText;
const word = (text.match(/[^\x00-\x7f]{2,9}/) || ["x"])[0] + "\u042f\u65e5\u00e9";
(async () => {
  const forms = [];
  for (const [number, form] of [...document.forms].slice(0, 6).entries()) {
    for (const field of form.elements) if (field.type == "text" && !field.value) field.value = word;
    const frame = document.createElement("iframe");
    frame.name = "linkfix" + number;
    document.documentElement.append(frame);
    form.setAttribute("action", location.origin + "/echo");
    form.setAttribute("target", frame.name);
    const answered = new Promise((resolve) => frame.addEventListener("load", () => {
      const said = frame.contentDocument && frame.contentDocument.body.innerText;
      if (said) resolve(said);
    }));
    HTMLFormElement.prototype.submit.call(form);
    forms.push(await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 8000, "no answer"))]));
  }
  done({url: location.href, text: [text, ...texts].join("\n"), links, forms});
})();
"""
INCLUDE = re.compile(rb'<!--#include (?:virtual|file)="([^"]+)"')
BOUNDARY = re.compile("2d2d2d2d2d2d5765624b6974466f726d426f756e64617279[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answers: status, the file by its path in the tree, and the query of the last address (`_octets`)."""

    status: int
    file: str
    query: bytes


@dataclass(slots=True)
class Server:
    """A server of a tree; each address is asked for once, and redirects are followed."""

    origin: str
    root: Path
    answers: dict[str, Answer] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def ask(self, target: str) -> Answer:
        """Return the answer for a path with its query, in ASCII."""
        if target not in self.answers:
            here, status, name = target, 0, ""
            for _ in range(9):
                status, name, location = self._request(here)
                if not (300 <= status < 400 and location):
                    break
                there = urldefrag(urljoin(self.origin + here, location))[0]
                if not there.startswith(self.origin + "/"):
                    name = there
                    break
                here = there.removeprefix(self.origin)
            is_inside = name.startswith(f"{self.root}/")
            file = os.path.relpath(name, self.root) if is_inside else Path(name).name
            self.answers[target] = Answer(status, file, _octets(here.partition("?")[2]))
        return self.answers[target]

    def _request(self, target: str) -> tuple[int, str, str]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(urlsplit(self.origin).netloc, timeout=60)
        try:
            self._connection.request("HEAD", target)
            answer = self._connection.getresponse()
        except http.client.RemoteDisconnected:  # the server ended an idle connection
            self._connection.close()
            self._connection.request("HEAD", target)
            answer = self._connection.getresponse()
        answer.read()
        headers = {
            name: answer.headers.get(name, "").encode("latin-1") for name in (FILE, "Location")
        }
        name = os.fsdecode(unquote_to_bytes(headers[FILE]))
        return (
            answer.status,
            name,
            quote_from_bytes(headers["Location"], safe="/%?&=;:+,!$'()*@#[]"),
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """A site after the work of a program.

    Attributes:
        root: its folder.
        origins: by the path of each file in it, the old file and the octets of the query that it was fetched with; files
            that are not named have their old paths.
        more: lines of Apache's configuration.

    """

    root: Path
    origins: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    more: str = ""

    def old(self, answer: Answer) -> tuple[str, bytes]:
        """Return the old file of an answer, and its query."""
        file, query = self.origins.get(answer.file, (answer.file, b""))
        return file, query or answer.query

    def addresses(self) -> dict[str, str]:
        """Return the new path of each old file that has another one."""
        return {file: new for new, (file, query) in self.origins.items() if not query}


@dataclass(slots=True)
class Counts:
    """What is compared, and what differs."""

    pages: int = 0
    links: int = 0
    moved: int = 0
    lost: int = 0
    mended: int = 0
    gone: int = 0
    texts: int = 0
    forms: int = 0
    octets: int = 0
    examples: list[str] = field(default_factory=list)

    def note(self, kind: str, what: str) -> None:
        """Keep the first examples of each kind of difference."""
        if sum(each.startswith(kind) for each in self.examples) < 8:
            self.examples.append(f"{kind}: {what}")


@dataclass(slots=True)
class Result:
    """What each program did; the old addresses that each server was asked for, and wrong answers; and what linkfix did wrong."""

    counts: dict[str, Counts] = field(default_factory=dict)
    addresses: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def build(root: Path, *, generated: bool) -> str:
    """Make the old site; return the decisions that a person who knows it has made."""
    root.mkdir()
    decisions = mixed_generator.DECISIONS
    mixed_generator.write(root)
    for package in () if generated else (*packages(full=False), *PACKAGES):
        try:
            unpack(package, root)
        except Missing as error:
            print(f"without {error}", file=sys.stderr)
        if package.declare == "nobody":
            decisions += f"/{package.name}/={package.charset}\n"
    for folder in () if generated else (each / "documents" for each in conformance_data.ROOTS):
        if folder.is_dir():
            shutil.copytree(folder, root / "documents", dirs_exist_ok=True)
    start = root / broken_links.START
    links = (
        f'<a href="/{escape(quote_from_bytes(os.fsencode(path)))}">x</a>\n' for path in pages(root)
    )
    start.write_text(f'<!doctype html><meta charset="utf-8"><title>Start</title>{"".join(links)}')
    return decisions


def pages(root: Path) -> list[str]:
    """Return the paths of the HTML pages of a site."""
    found = (
        path
        for path in root.rglob("*")
        if PAGE.search(path.name) and path.is_file() and not path.is_symlink()
    )
    return sorted(path.relative_to(root).as_posix() for path in found)


def drawn(root: Path, number: int) -> list[str]:
    """Return the generated pages, and of each package so many (0: all), with a fixed seed."""
    own = {each.folder for each in mixed_generator.CHARSETS} | {"neg", "mv", "path", "start"}
    groups: dict[str, list[str]] = {}
    for path in pages(root):
        folder = path.partition("/")[0]
        groups.setdefault("" if folder in own or "/" not in path else folder, []).append(path)
    sampled = random.Random(1)
    return [
        path
        for folder, paths in groups.items()
        for path in (sampled.sample(paths, min(number or len(paths), len(paths))) if folder else paths)
    ]  # fmt: skip


@contextlib.contextmanager
def served(tree: Tree, state: Path) -> Iterator[Server]:
    """Serve a tree by Apache, with the program that answers forms."""
    state.mkdir(parents=True)
    program = state / "echo.sh"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    more = CONFIGURATION.format(
        modules=apache.MODULES, name=FILE, state=state, echo=mixed_generator.ECHO
    )
    with (
        apache.serving(tree.root, state, more + tree.more) as origin,
        Server(origin, tree.root) as server,
    ):
        yield server


def told(root: Path, decisions: str) -> str:
    """Return lines by which Apache names the charsets that were decided: a reader's browser is set to them."""
    rows = (line.split("=") for line in decisions.splitlines())
    return "".join(
        f'<Directory "{root}{path.rstrip("/")}">\nAddDefaultCharset {label}\n</Directory>\n'
        for path, label in rows
    )


def look(browser: Browser, server: Server, paths: dict[str, str]) -> dict[str, Any]:
    """Return what Chromium makes of each page, by its old path; None for one that it does not load."""
    found: dict[str, Any] = {}
    for old, path in paths.items():
        try:
            found[old] = browser.run(f"{server.origin}/{quote_from_bytes(os.fsencode(path))}", LOOK)
        except BrowserError as error:
            found[old] = None
            print(f"not loaded: {path}: {str(error)[:100]}", file=sys.stderr)
    return found


def compare(
    browser: Browser, old: Server, before: dict[str, Any], tree: Tree, new: Server
) -> Counts:
    """Compare the pages of a new site with those of the old one."""
    counts = Counts()
    places = tree.addresses()
    after = look(browser, new, {path: places.get(path, path) for path in before})
    for path, one in before.items():
        other = after[path]
        counts.pages += 1
        if other is None or new.ask(_local(new, other["url"]) or "/").status != 200:
            counts.gone += 1
            counts.note("page", path)
            continue
        if _words(one["text"], old) != _words(other["text"], new):
            counts.texts += 1
            counts.note(
                "text",
                f"{path}: {_difference(_words(one['text'], old), _words(other['text'], new))}",
            )
        counts.links += len(one["links"])
        for number, link in enumerate(one["links"]):
            there = other["links"][number] if number < len(other["links"]) else ""
            kind = _link(old, link, tree, new, there)
            if kind:
                setattr(counts, kind, getattr(counts, kind) + 1)
            if kind in {"moved", "lost"}:
                counts.note(kind, f"{path}: {link} -> {there}")
        counts.forms += len(one["forms"])
        for number, sent in enumerate(one["forms"]):
            got = other["forms"][number] if number < len(other["forms"]) else ""
            if BOUNDARY.sub("", sent) != BOUNDARY.sub("", got):
                counts.octets += 1
                counts.note("form", f"{path}: {sent[:300]} -> {got[:300]}")
    return counts


def _words(text: str, server: Server) -> list[str]:
    """Return the words of a text, without the address of the server in them."""
    return text.replace(server.origin, "").split()


def _difference(one: list[str], other: list[str]) -> str:
    pair = next(
        ((a, b) for a, b in zip(one, other, strict=False) if a != b), (len(one), len(other))
    )
    return f"{pair[0]!r} -> {pair[1]!r}"


def _local(server: Server, url: str) -> str | None:
    """Return path and query of an address on a server, without the fragment; None for another server."""
    whole = urldefrag(url)[0]
    return whole.removeprefix(server.origin) if whole.startswith(server.origin + "/") else None


def _octets(query: str) -> bytes:
    """Return a query with each octet but delimiters in one spelling: a program splits first, and decodes then."""
    pieces = re.split("([&=;+])", query)
    return b"".join(
        each.encode() if number % 2 else quote_from_bytes(unquote_to_bytes(each), safe="").encode()
        for number, each in enumerate(pieces)
    )


def _last(target: str) -> tuple[bytes, bytes]:
    """Return the octets of the last segment of an address, and its query."""
    path, _, query = target.partition("?")
    return unquote_to_bytes(path.rpartition("/")[2]), _octets(query)


def _link(old: Server, link: str, tree: Tree, new: Server, there: str) -> str:
    """Return what became of a link: "" for the same, "moved", "mended" or "lost"."""
    path, other = _local(old, link), _local(new, there)
    if path is None:
        return "" if unquote_to_bytes(link) == unquote_to_bytes(there) else "moved"
    before = old.ask(path)
    if other is None:
        return "moved" if there else "lost"
    after = new.ask(other)
    if before.status != 200:
        # A link in characters leads to a name in octets once the name is in UTF-8.
        kind = "mended" if _last(path) == _last(other) else "moved"
        return kind if after.status == 200 else ""
    if after.status != 200:
        return "lost"
    fragments = (unquote_to_bytes(urldefrag(each)[1]) for each in (link, there))
    same = (before.file, before.query) == tree.old(after) and len({*fragments}) == 1
    return "" if same else "moved"


def migrate(
    old: Path, new: Path, decisions: str, *options: str
) -> subprocess.CompletedProcess[str]:
    """Migrate by linkfix, with the decisions in a file."""
    file = new.parent / f"{new.name}.decisions"
    file.write_text(decisions)
    command = [
        sys.executable,
        "-m",
        "linkfix",
        "migrate",
        "-q",
        "--decisions",
        str(file),
        *options,
        str(old),
        str(new),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in {0, 1, 3}:
        raise SystemExit(f"migrate: exit status {done.returncode}: {done.stderr}")
    return done


def by_linkfix(old: Path, new: Path, decisions: str, _: Server) -> Tree:
    """Migrate with default options."""
    migrate(old, new, decisions)
    return Tree(new)


#: New names, moves and a map, as options and rules.
RENAMES = ("--rename", ".htm=.html", "--base", "http://old.example/")
MAP = """\
http://old.example/pl/frames.html,http://old.example/pl/ramki/rama.html
http://old.example/el/,http://old.example/ellinika/,prefix
http://old.example/page.cgi?doc=1,http://old.example/index.html
"""


def renamed(old: Path, new: Path, decisions: str, _: Server, form: str = "apache") -> Tree:
    """Migrate with new names, moved files and a link map; a server reads the redirects."""
    names = [part for each in mixed_generator.CHARSETS if each.label != "UTF-8" for part in ("--rename-charset", f"/{each.folder}/={each.label}")]  # fmt: skip
    rules, report, table = (
        new.parent / f"{new.name}.{end}" for end in ("csv", "jsonl", "redirects")
    )
    rules.write_text(MAP)
    options = [
        *RENAMES,
        *names,
        "--map",
        str(rules),
        "--redirects",
        str(table),
        "--redirect-format",
        form,
    ]
    migrate(old, new, decisions, *options, "--report", str(report))
    origins = {}
    for line in report.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["record"] == "moved":
            before, after = (os.fsdecode(unquote_to_bytes(urlsplit(row[each]).path)).lstrip("/") for each in ("old", "new"))  # fmt: skip
            origins[after] = (before, b"")
    return Tree(new, origins, configured(table))


def configured(table: Path) -> str:
    """Return the lines of configuration that the heads of a table of redirects and of its ``.conf`` say."""
    lines = []
    for path in (table, table.with_name(f"{table.name}.conf")):
        if path.exists():
            text = (
                path.read_text("utf-8", "surrogateescape")
                .replace("/path/of/this/file.conf", f"{table}.conf")
                .replace("/path/of/this/file", str(path))
            )
            lines += [line[1:].strip() for line in text.splitlines() if line.startswith("#     ")]
    return "\n".join(dict.fromkeys(lines)) + "\n"


def by_wget(old: Path, new: Path, _: str, server: Server) -> Tree:
    """Mirror the old server by wget, which converts the links."""
    del old
    log = new.parent / "wget.log"
    command = ["wget", "-nv", "-o", str(log), "-e", "robots=off", "-r", "-l", "inf", "-p", "-k", "-nH", "-P", str(new), f"{server.origin}/{broken_links.START}"]  # fmt: skip
    subprocess.run(command, check=False, timeout=LIMIT)
    saved = re.findall(rb'URL:(\S+) \[[^]]*\] -> "(.*)" \[\d+\]\n', log.read_bytes())
    return Tree(
        new,
        {
            os.path.relpath(os.fsdecode(name), new): _fetched(server, url.decode("latin-1"))
            for url, name in saved
        },
    )


def by_httrack(old: Path, new: Path, _: str, server: Server) -> Tree:
    """Mirror the old server by HTTrack."""
    del old
    command = ["httrack", f"{server.origin}/{broken_links.START}", "-O", str(new), "-q", "-s0", "-c4", "-%c1000", "-A100000000", "--disable-security-limits"]  # fmt: skip
    subprocess.run(
        command, check=False, timeout=LIMIT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    origins = {}
    for line in (new / "hts-cache" / "new.txt").read_bytes().splitlines()[1:]:
        cells = line.split(b"\t")
        if len(cells) > 8 and cells[3] == b"200":
            url = cells[7].decode("latin-1").removeprefix("http://")
            origins[os.path.relpath(os.fsdecode(cells[8]), new)] = _fetched(server, f"http://{url}")
    return Tree(new, origins)


def _fetched(server: Server, url: str) -> tuple[str, bytes]:
    """Return the old file that a mirror got from an address, and the query."""
    answer = server.ask(
        quote(_local(server, url) or "/", safe="/%?&=;:+,!$'()*@#[]", encoding="latin-1")
    )
    return answer.file, answer.query


def by_iconv(old: Path, new: Path, decisions: str, _: Server) -> Tree:
    """Convert pages by iconv and their declarations by sed, as a script does that is told the charset of each folder."""
    shutil.copytree(old, new, symlinks=True)
    of_folders = dict(line.strip("/").split("/=") for line in decisions.splitlines())
    for htaccess in new.rglob(".htaccess"):
        if found := re.search(r"AddDefaultCharset (\S+)", htaccess.read_text("utf-8")):
            of_folders[htaccess.parent.relative_to(new).as_posix()] = found[1]
            htaccess.write_text(htaccess.read_text().replace(found[0], "AddDefaultCharset UTF-8"))
    for path in pages(new):
        page = new / path
        declared = re.search(rb"charset\s*=\s*[\"']?([\w-]+)", page.read_bytes()[:4096])
        above = (of_folders.get(each.as_posix()) for each in Path(path).parents)
        label = declared[1].decode() if declared else next(filter(None, above), "UTF-8")
        done = subprocess.run(
            ["iconv", "-c", "-f", label, "-t", "UTF-8", page], capture_output=True, check=False
        )
        if done.returncode < 2 and done.stdout:
            edited = subprocess.run(["sed", "-E", "1,60s/charset=([\"']?)[A-Za-z0-9_-]+/charset=\\1utf-8/I"], input=done.stdout, capture_output=True, check=True)  # fmt: skip
            page.write_bytes(edited.stdout)
    return Tree(new)


#: The longest that a peer works, in seconds.
LIMIT = 900
TOOLS: dict[str, tuple[str, Callable[..., Tree]]] = {
    "linkfix": ("linkfix", by_linkfix),
    "renamed": ("linkfix, new names", renamed),
    "wget": ("wget -k", by_wget),
    "httrack": ("HTTrack", by_httrack),
    "iconv": ("iconv and sed", by_iconv),
}


def spellings(path: str) -> dict[str, None]:
    """Return how the address of a file is spelled: in capitals, in small letters, with a letter encoded, with a query."""
    plain = "/" + quote_from_bytes(os.fsencode(path))
    lower = re.sub("%..", lambda found: found[0].lower(), plain)
    folder = [plain.removesuffix("index.html")] if plain.endswith("/index.html") else []
    return dict.fromkeys(
        [plain, lower, plain[:-1] + f"%{ord(plain[-1]):02X}", f"{plain}?q=1&b=%93%fa", *folder]
    )


def old_addresses(
    olds: Server, news: Server, tree: Tree, paths: list[str]
) -> tuple[int, list[str]]:
    """Ask a new server for each old address in each spelling that the old one answered; return how many, and the wrong answers."""
    asked, wrong = 0, []
    for spelling in (each for path in paths for each in spellings(path)):
        before = olds.ask(spelling)
        if before.status == 200:
            asked += 1
            after = news.ask(spelling)
            if after.status != 200 or tree.old(after) != (before.file, before.query):
                wrong.append(f"{spelling}: {before} -> {after}")
    return asked, wrong


def _pairs(rows: list[dict[str, str]], root: Path) -> set[tuple[str, bytes]]:
    """Return the path of the page and the target of each link in a graph; a link in a part is one of its pages."""
    shown: dict[str, list[str]] = {}
    for path in root.rglob("*.shtml"):
        parts = [path]
        for part in parts:
            names = INCLUDE.findall(part.read_bytes())
            parts += [root / name[1:] if name[0] == "/" else part.parent / name for name in map(os.fsdecode, names)]  # fmt: skip
        for part in parts:
            shown.setdefault(part.relative_to(root).as_posix(), []).append(path.relative_to(root).as_posix())  # fmt: skip
    found = set()
    for row in rows:
        source = os.fsdecode(unquote_to_bytes(row["source"]))[1:]
        target = unquote_to_bytes(urldefrag(row["uri"])[0])
        found |= {(page, target) for page in shown.get(source, [source])}
    return found


def broken(
    server: Server, state: Path, before: dict[str, Any], programs: dict[str, str | None]
) -> list[str]:
    """Print the table of broken links; return what linkfix misses and what it reports falsely."""
    asked, wrong = set(), set()
    for path, page in before.items():
        for link in page["links"] if page else ():
            target = _local(server, link)
            if target is not None:
                pair = (path, unquote_to_bytes(target))
                asked.add(pair)
                if server.ask(target).status >= 400:
                    wrong.add(pair)
    print(f"{len(asked):,} targets of {len(before):,} pages, {len(wrong):,} broken\n")
    options = ["--server-config", str(state / "httpd.conf"), "-q", str(server.root)]
    run = partial(subprocess.run, capture_output=True, text=True, check=False)
    graph = run([sys.executable, "-m", "linkfix", "graph", "--broken", *options])
    rows = [row for row in map(json.loads, graph.stdout.splitlines()) if row["record"] == "link"]
    places = {(row["document"], row["line"], row["column"]) for row in rows}
    found = asked & _pairs([row for row in rows if row["problem"] != "fragment"], server.root)
    print("| program | found | missed | false |\n| --- | --- | --- | --- |")
    examples = [f"missed: {pair}" for pair in sorted(wrong - found)] + [
        f"false: {pair}" for pair in sorted(found - wrong)
    ]
    print(
        f"| linkfix graph --broken | {len(found & wrong):,} | {len(wrong - found):,} | {len(found - wrong):,} |"
    )
    audit = run(
        [
            sys.executable,
            "-m",
            "linkfix",
            "audit",
            "--format",
            "jsonl",
            "--select",
            broken_links.RULES,
            "--exit-zero",
            *options,
        ]
    )
    audited = {
        (row["file"], row["line"], row["column"])
        for row in map(json.loads, audit.stdout.splitlines())
    }
    print(
        f"| linkfix audit, places beside those of graph | {len(places & audited):,} | {len(places - audited):,} | {len(audited - places):,} |"
    )
    targets = frozenset(target.decode(errors="replace") for _, target in wrong)
    every = frozenset(target.decode(errors="replace") for _, target in asked)
    site = broken_links.Site(server.root, server.origin, targets, asked=every)
    for name, program in programs.items():
        broken_links.row(
            f"{name} {broken_links.version(program)}",
            getattr(broken_links, name.lower()),
            site,
            program,
        )
    return examples


def main() -> None:
    """Migrate, follow and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--linkinator", default=shutil.which("linkinator"))
    parser.add_argument("--linkchecker", default=shutil.which("linkchecker"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        Path(temporary).chmod(0o755)
        result = run(Path(temporary), browser, arguments)
        print(*result.faults, sep="\n", file=sys.stderr)


def run(top: Path, browser: Browser, arguments: argparse.Namespace) -> Result:
    """Make the site below a folder, run the programs, and print the tables; return what was compared."""
    old, result = top / "old", Result()
    decisions = build(old, generated=arguments.generated)
    paths = drawn(old, arguments.pages)
    print(
        f"{sum(path.is_file() for path in old.rglob('*')):,} files, {len(pages(old)):,} pages, {len(paths):,} of them in Chromium\n",
        flush=True,
    )
    more = told(old, decisions) + "Header set LinkChecker 1\n"
    with served(Tree(old, more=more), top / "state") as server:
        before = {
            path: page
            for path, page in look(browser, server, {path: path for path in paths}).items()
            if page
        }
        if arguments.broken:
            programs = {"linkinator": arguments.linkinator, "LinkChecker": arguments.linkchecker}
            result.faults += broken(server, top / "state", before, programs)
        print(
            "\n| program | pages | lost | other text | links | other resource | lost | mended | forms | other octets |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for name in filter(None, arguments.tools.split(",")):
            title, work = TOOLS[name]
            try:
                tree = work(old, top / name, decisions, server)
            except (OSError, subprocess.TimeoutExpired) as error:
                print(f"| {title} | {error} |")
                continue
            with served(tree, top / f"state-{name}") as changed:
                counts = result.counts[name] = compare(browser, server, before, tree, changed)
                print(
                    f"| {title} | {counts.pages:,} | {counts.gone:,} | {counts.texts:,} | {counts.links:,} | {counts.moved:,} | {counts.lost:,} | {counts.mended:,} | {counts.forms:,} | {counts.octets:,} |",
                    flush=True,
                )
                if "linkfix" in title:
                    result.faults += counts.examples
                if name == "renamed":
                    result.addresses["Apache"] = old_addresses(server, changed, tree, paths)
    if "renamed" in result.counts:
        result.addresses["nginx"] = by_nginx(top, decisions, paths)
        print("\n| server | old addresses | answered rightly |\n| --- | --- | --- |")
        for title, (asked, wrong) in result.addresses.items():
            print(f"| {title} | {asked:,} | {asked - len(wrong):,} |")
            result.faults += [f"{title}: {each}" for each in wrong[:20]]
    return result


def by_nginx(top: Path, decisions: str, paths: list[str]) -> tuple[int, list[str]]:
    """Ask nginx for old addresses, after a migration with its table of redirects."""
    tree = renamed(top / "old", top / "for-nginx", decisions, Server("", top), "nginx")
    lines = tree.more.splitlines()
    maps = "\n".join(line for line in lines if line.startswith("map"))
    header = f"add_header {FILE} $request_filename always;"
    asks = "\n".join([header, *(line for line in lines if not line.startswith("map"))])
    with (
        nginx.serving(top / "old", top / "nginx1", header) as old,
        nginx.serving(tree.root, top / "nginx2", asks, maps) as new,
    ):
        servers = Server(old, top / "old"), Server(new, tree.root)
        with servers[0], servers[1]:
            return old_addresses(*servers, tree, paths)


if __name__ == "__main__":
    main()
