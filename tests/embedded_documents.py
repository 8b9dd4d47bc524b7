"""A site with every kind of embedded document, and what each command and Chromium make of it.

    PYTHONPATH=tests python tests/embedded_documents.py

writes the table of `docs/embedded.md` anew; `tests/test_embedded_documents.py` and `tests/browser/test_embedded.py` compare it with
what they measure. Each kind has one link, to a file that nothing else names.
"""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from click.testing import CliRunner
from movable_site import make

from linkfix import verifying
from linkfix.cli.group import cli
from linkfix.links import Scope
from linkfix.links.html import embedded
from linkfix.links.table import conventions
from linkfix.policy import Policy, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from browser.harness import Browser

__all__ = ["ALL", "KINDS", "MODES", "asked", "followed", "make_site", "measured", "run", "shown"]

DOCS = Path(__file__).parents[1] / "docs" / "embedded.md"
TABLE = re.compile(r"(?<=<!-- made by tests/embedded_documents\.py -->\n)(?:\|.*\n)+")


class Kind(NamedTuple):
    """A kind of embedded document.

    Attributes:
        name: in the table.
        text: with an ``@`` for the link.
        document: the file that contains it.
        switch: its name in ``--embedded`` or ``--conventions``; "" for none.

    """

    name: str
    text: str
    document: str = "page.html"
    switch: str = ""

    @property
    def target(self) -> str:
        """The name of the file that the link leads to."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") + "-é.png"

    @property
    def default(self) -> str:
        """The option that would read it as it is read without; "" for none."""
        if self.switch in embedded.KINDS:
            return f"`--embedded {self.switch}={Scope().how(self.switch)}`"
        return f"`--conventions {self.switch}={conventions()[self.switch]}`" if self.switch else ""


def _script(type: str, text: str) -> str:
    return f'<script type="{type}">{text}</script>'


KINDS = [
    Kind("`srcdoc`", "<iframe srcdoc=\"<img src='@'>\"></iframe>", switch="srcdoc"),
    Kind("`noscript`", '<noscript><img src="@"></noscript>', switch="noscript"),
    Kind("`noframes`", '<noframes><img src="@"></noframes>', switch="noframes"),
    Kind("`noembed`", '<noembed><img src="@"></noembed>', switch="noembed"),
    Kind("content of `iframe`", '<iframe><img src="@"></iframe>', switch="iframe"),
    Kind("content of `object`", '<object data="none"><img src="@"></object>'),
    Kind(
        "conditional comment", '<!--[if IE]><img src="@"><![endif]-->', switch="conditional-comment"
    ),
    Kind(
        "import map",
        _script("importmap", '{"imports": {"x": "@"}}') + _script("module", 'import "x"'),
        switch="import-map",
    ),
    Kind(
        "speculation rules",
        _script("speculationrules", '{"prefetch": [{"urls": ["@"]}]}'),
        switch="speculation-rules",
    ),
    Kind("JSON-LD", _script("application/ld+json", '{"url": "@"}'), switch="json-ld"),
    Kind("`template`", '<template><img src="@"></template>'),
    Kind(
        "shadow tree",
        '<div><template shadowrootmode="open"><img src="@"></template></div>',
    ),
    Kind("`style`", '<style>#style { background: url("@") }</style><p id="style">x</p>'),
    Kind("`style` attribute", "<p style=\"background: url('@')\">x</p>"),
    Kind("SVG", '<svg><image href="@" width="9" height="9"></image></svg>'),
    Kind(
        "HTML in MathML",
        '<math><annotation-xml encoding="text/html"><img src="@"></annotation-xml></math>',
    ),
    Kind(
        "HTML in XML",
        '<content type="html">&lt;img src="@"></content>',
        "feed.xml",
        "html-in-xml",
    ),
    Kind("HTML in JSON", "<img src='@'>", "feed.json", "html-in-json"),
    Kind("convention `meta`", '<meta property="og:image" content="@">', switch="meta"),
    Kind("convention `lazy`", '<img data-src="@" alt="x">', switch="lazy"),
    Kind("convention `amp`", '<amp-img src="@"></amp-img>', switch="amp"),
    Kind("convention `htmx`", '<b hx-get="@">x</b>', switch="htmx"),
    Kind("convention `vml`", '<v:rect><v:fill src="@"></v:fill></v:rect>', switch="vml"),
    Kind("convention `plugins`", '<param name="movie" value="@">', switch="plugins"),
]
_AROUND = {
    "page.html": "<!DOCTYPE html><meta charset=utf-8><title>t</title>\n@\n",
    "feed.xml": (
        '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x</id><title>t</title><entry>@</entry></feed>\n'
    ),
    "feed.json": '{"version": "https://jsonfeed.org/version/1.1", "items": [{"content_html": "@"}]}\n',
}
#: What is read on request as well.
ALL = ("--embedded", "on", "--conventions", "on")
#: The modes of Chromium, by their columns.
MODES = {"Chromium": True, "without scripts": False}


def make_site(folder: Path) -> Path:
    """Write the documents into ``pages``, and what they link to into ``files``."""
    documents = {
        f"pages/{name}": text.replace(
            "@",
            "\n".join(
                kind.text.replace("@", f"../files/{kind.target}")
                for kind in KINDS
                if kind.document == name
            ),
        )
        for name, text in _AROUND.items()
    }
    return make(folder, documents | {f"files/{kind.target}": b"" for kind in KINDS})


def run(*arguments: str | Path) -> str:
    """Run a command; return its standard output."""
    result = CliRunner().invoke(cli, [*map(str, arguments)])
    assert result.exit_code in {0, 1}, result.output
    return result.stdout


def _values(lines: str) -> set[str]:
    """Return the last segments of the values in lines of JSON."""
    values = [json.loads(line).get("value") or "" for line in lines.splitlines()]
    return {unquote(value).rpartition("/")[2] for value in values}


def _spelled(folder: Path, beginning: str, ending: str = "-é.png") -> set[str]:
    """Return the targets of the documents of a folder that are spelled so."""
    text = "".join(path.read_text("utf-8") for path in folder.iterdir())
    found = re.findall(rf"(?<![./\w]){re.escape(beginning)}([a-z-]+){ending}", text)
    return {f"{name}-é.png" for name in found}


def _commands(folder: Path, options: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the targets that each command knows, by the columns of the table."""
    site = make_site(folder / "site")
    broken = make_site(folder / "broken")
    for path in (broken / "files").iterdir():
        path.unlink()
    pages, found = site / "pages", dict[str, set[str]]()
    found["found"] = _values(run("extract", "--format", "jsonl", *options, pages))
    run("rewrite", *options, "-o", folder / "rewritten", pages)
    found["rewritten"] = _spelled(folder / "rewritten", "../files/", "-%C3%A9.png")
    found["verified"] = {kind.target for kind in KINDS if _is_verified(kind, pages, options)}
    found["audited"] = _values(run("audit", "--format", "jsonl", *options, broken))
    run("migrate", *options, site, folder / "migrated", "--rename", ".png=.gif")
    found["migrated"] = _spelled(folder / "migrated/pages", "../files/", "-(?:é|%C3%A9).gif")
    for column, (old, new, beginning) in {
        "renamed": ("files", "media", "../media/"),
        "moved": ("pages", "deep/er", "../../media/"),
    }.items():
        run("mv", *options, "--root", site, site / old, site / new)
        found[column] = _spelled(site / ("pages" if old == "files" else new), beginning)
    return found


def _is_verified(kind: Kind, pages: Path, options: tuple[str, ...]) -> bool:
    """Return whether a verification finds a link of the kind that leads elsewhere."""
    ways = [embedded.parse_kinds(["on"], names) for names in (embedded.KINDS, conventions())]
    scope = Scope(embedded=ways[0], conventions=ways[1]) if options else Scope()
    old = (pages / kind.document).read_bytes()
    new = old.replace(f"../files/{kind.target}".encode(), b"../files/other.png")
    assert new != old
    source = Source(type=kind.document.rpartition(".")[2])  # type: ignore[arg-type]
    settings = verifying.Settings(policy=Policy(scope=scope), source=source)
    return verifying.verify(old, new, settings) is not None


def measured(folder: Path) -> dict[str, dict[str, str]]:
    """Return the cells of each column of linkfix, by the names of the kinds."""
    always = _commands(folder / "1", ())
    asked_for = _commands(folder / "2", ALL)
    first = {
        "kind": {kind.name: kind.name for kind in KINDS},
        "default": {kind.name: kind.default for kind in KINDS},
    }
    return first | {
        column: {
            kind.name: "yes"
            if kind.target in found
            else "on request"
            if kind.target in asked_for[column]
            else "no"
            for kind in KINDS
        }
        for column, found in always.items()
    }


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve a folder; yield the origin, and the paths that are asked for."""
    paths: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_request(self, *_: object) -> None:
            paths.append(unquote(self.path))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", paths
        finally:
            server.shutdown()


def asked(browser: Browser, folder: Path, pages: str, *, scripting: bool) -> set[str]:
    """Return the paths that Chromium asks for when it opens each document of a site."""
    with _serving(folder) as (origin, paths):
        for name in _AROUND:
            number = -1
            with browser.opened(f"{origin}/{pages}/{name}", scripting=scripting):
                while number != len(paths):  # a prefetch begins after the page is loaded
                    number = len(paths)
                    time.sleep(0.3)
        return {path for path in paths if path.endswith((".png", ".gif"))}


def followed(paths: set[str]) -> dict[str, str]:
    """Return the cells of a column of Chromium, by the names of the kinds."""
    return {kind.name: "yes" if f"/files/{kind.target}" in paths else "no" for kind in KINDS}


def shown() -> dict[str, dict[str, str]]:
    """Return the columns of the table in the docs, each with its cells by the names of the kinds."""
    found = TABLE.search(DOCS.read_text("utf-8"))
    assert found is not None
    names, _, *rows = (
        [each.strip() for each in row.split("|")[1:-1]] for row in found[0].splitlines()
    )
    return {name: {row[0]: row[number] for row in rows} for number, name in enumerate(names)}


def table(columns: dict[str, dict[str, str]]) -> str:
    """Return the table of columns."""
    rows = [
        [*columns],
        ["---"] * len(columns),
        *zip(*(c.values() for c in columns.values()), strict=True),
    ]
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows)


def main() -> None:
    from browser.harness import Browser

    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        folder = Path(name)
        columns = measured(folder)
        site = make_site(folder / "site")
        for mode, scripting in MODES.items():
            columns[mode] = followed(asked(browser, site, "pages", scripting=scripting))
    text = DOCS.read_text("utf-8")
    DOCS.write_text(TABLE.sub(lambda _: table(columns), text), "utf-8")


if __name__ == "__main__":
    main()
