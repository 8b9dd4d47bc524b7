"""What Chromium makes of a site and of the same site after the work of a program, and what a server answers.

Apache serves both. Chromium loads each page: its text, the targets of its links as Chromium resolves them, and each form as it is
submitted to a program that answers with the octets that it gets. Apache then answers for each target with the name of the file.
A link is right if the new server answers with the same file, query and fragment. Not compared: links of style sheets but those
in computed styles of the first elements, and what scripts do on a click. Input: the trees. Output: `Counts` of what differs.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote_from_bytes, unquote_to_bytes, urldefrag, urljoin, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import apache
import mixed_generator
from browser.harness import Browser, BrowserError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "FILE",
    "Counts",
    "Server",
    "Tree",
    "compare",
    "local",
    "look",
    "octets",
    "old_addresses",
    "served",
]

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
BOUNDARY = re.compile("2d2d2d2d2d2d5765624b6974466f726d426f756e64617279[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answers: status, the file by its path in the tree, and the query of the last address (`octets`)."""

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
            self.answers[target] = Answer(status, file, octets(here.partition("?")[2]))
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
        if other is None or new.ask(local(new, other["url"]) or "/").status != 200:
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


def local(server: Server, url: str) -> str | None:
    """Return path and query of an address on a server, without the fragment; None for another server."""
    whole = urldefrag(url)[0]
    return whole.removeprefix(server.origin) if whole.startswith(server.origin + "/") else None


def octets(query: str) -> bytes:
    """Return a query with each octet but delimiters in one spelling: a program splits first, and decodes then."""
    pieces = re.split("([&=;+])", query)
    return b"".join(
        each.encode() if number % 2 else quote_from_bytes(unquote_to_bytes(each), safe="").encode()
        for number, each in enumerate(pieces)
    )


def _last(target: str) -> tuple[bytes, bytes]:
    """Return the octets of the last segment of an address, and its query."""
    path, _, query = target.partition("?")
    return unquote_to_bytes(path.rpartition("/")[2]), octets(query)


def _link(old: Server, link: str, tree: Tree, new: Server, there: str) -> str:
    """Return what became of a link: "" for the same, "moved", "mended" or "lost"."""
    path, other = local(old, link), local(new, there)
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
