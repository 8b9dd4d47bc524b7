"""A fragment is missing for the audit exactly where it has no target in Chromium.

Each page is loaded once into a frame, which then goes to one fragment after the other.
"""

from __future__ import annotations

import html
import json
import random
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin

import nginx
import pytest
import target_generator

import linkfix
from linkfix.charset import lookup
from linkfix.iri import convert
from linkfix.policy import Policy
from linkfix.server.addresses import SiteAddress
from linkfix.server.listing import survey
from linkfix.server.server import Server
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

pytestmark = pytest.mark.skipif(bool(nginx.missing()), reason=nginx.missing() or "nginx is there")
#: The first page is the one that has the frame.
PLAIN = "location = /start { default_type text/html; }"
PAGE = (
    '<!doctype html><meta charset="utf-8"><p id="there"><a name="name">x</a><p id="caf\u00e9"><p id="a b"><p id="%41"><p name="p">'
    '<svg><g id="in-svg"/></svg><template><p id="inert"></template><!-- <p id="comment"> --><p id=UPPER><p id="1&amp;2">'
)
FRAGMENTS = (
    "there", "name", "caf%C3%A9", "caf\u00e9", "a%20b", "%41", "%2541", "A", "p", "in-svg", "comment", "UPPER", "upper", "1&2", "1%262",
    "nope", "There", "there%20",
)  # fmt: skip
SCRIPT = """
const done = arguments[arguments.length - 1], frame = document.createElement("iframe"), found = {};
const pages = Object.entries(PAGES);
frame.onload = () => {
  const [page, fragments] = pages[0], inner = frame.contentWindow;
  if (inner.location.pathname !== new URL(page, location).pathname) return;
  found[page] = fragments.map((fragment) => {
    inner.location.hash = "#" + fragment;
    return inner.document.querySelector(":target") !== null;
  });
  pages.shift();
  if (pages.length) frame.src = pages[0][0]; else done(found);
};
frame.src = pages[0][0];
document.body.append(frame);
"""
#: The top of the document, which is no element.
TOP = ("", "top", "TOP", ":~:text=x")


SITE = "http://h.example/"
UTF8 = lookup("utf-8")
#: What random names and fragments are made of.
PIECES = ["a", "B", "\u00e9", "e\u0301", "%C3%A9", "%", "%4", "%41", "%zz", " ", "%20", "&amp;", "&", "+", "#", "?", "/", "\u4e2d", "\U0001f600", "%F0%9F%98%80",
          "%E9", "'", "`", "|", "[", "%00", "top", "-", "_", ".", "\u00ad", "&#x202e;"]  # fmt: skip


def targets(browser: Browser, origin: str, pages: dict[str, list[str]]) -> dict[str, list[bool]]:
    """Return for each page whether Chromium has a target for each fragment."""
    script = SCRIPT.replace("PAGES", json.dumps(pages))
    found: dict[str, list[bool]] = browser.run(f"{origin}/start", script)
    return found


def compare_fragments(browser: Browser, folder: Path, documents: int) -> int:
    """Compare the fragments in the links of a generated site; return their number."""
    root = folder / "site"
    site = target_generator.generate(documents)
    site.write(root, folder / "elsewhere")
    (root / "start").write_text("<!doctype html><body>")
    files = TargetFiles(Server(survey(str(root)), SiteAddress(SITE)), Policy())
    asked: dict[str, dict[str, bool]] = {}
    for path, links in site.links.items():
        for value in links:
            page, mark, fragment = urljoin(SITE + path, value).partition("#")
            is_page = files.problem(page, UTF8) is None and page.partition("?")[0].endswith((".html", "/"))  # fmt: skip
            if mark and is_page and fragment not in TOP and not fragment.startswith(":~:"):
                missing = files.problem(f"{page}#{fragment}", UTF8) is not None
                asked.setdefault(page.removeprefix(SITE[:-1]), {})[fragment] = not missing
    with nginx.serving(root, folder / "state", PLAIN) as origin:
        found = targets(browser, origin, {page: [*each] for page, each in asked.items()})
    assert {page: dict(zip(asked[page], each, strict=True)) for page, each in found.items()} == asked  # fmt: skip
    assert {there for each in asked.values() for there in each.values()} == {True, False}
    return sum(map(len, asked.values()))


def test_the_fragments_of_a_generated_site(browser: Browser, tmp_path: Path) -> None:
    assert compare_fragments(browser, tmp_path, 100) > 80


def test_random_names_and_fragments(browser: Browser, tmp_path: Path) -> None:
    root, chance = tmp_path / "site", random.Random(21)
    root.mkdir()
    (root / "start").write_text("<!doctype html><body>")
    pages: dict[str, list[str]] = {}
    for number in range(12):
        names = {"".join(chance.choices(PIECES, k=chance.randint(1, 3))) for _ in range(80)}
        elements = "".join(f'<p id="{name}">' for name in sorted(names))
        (root / f"{number}.html").write_text(f'<!doctype html><meta charset="utf-8">{elements}', "utf-8")  # fmt: skip
        wanted = [*names, *("".join(chance.choices(PIECES, k=chance.randint(1, 2))) for _ in range(80))]  # fmt: skip
        spelled = (html.unescape(each) for each in wanted)
        pages[f"/{number}.html"] = [each for each in spelled if each.strip() == each and each.lower() != "top"]  # fmt: skip
    files = TargetFiles(Server(survey(str(root)), SiteAddress(SITE)), Policy())
    with nginx.serving(root, tmp_path / "state", PLAIN) as origin:
        found = targets(browser, origin, pages)
    for page, fragments in pages.items():
        for fragment, is_target in zip(fragments, found[page], strict=True):
            conversion = convert(f"#{fragment}", to="uri", syntax="web")
            problem = files.problem(SITE[:-1] + page + conversion.text, UTF8)
            is_left = is_target or fragment.startswith("/")  # a route, which a script may read
            assert is_left == (problem is None), (page, fragment, problem)


def test_a_fragment_is_there_where_chromium_has_a_target(browser: Browser, tmp_path: Path) -> None:
    root = tmp_path / "site"
    root.mkdir()
    (root / "start").write_text("<!doctype html><body>")
    (root / "p.html").write_text(PAGE, encoding="utf-8")
    files = TargetFiles(Server(survey(str(root)), SiteAddress(SITE)), Policy())
    with nginx.serving(root, tmp_path / "state", PLAIN) as origin:
        found = targets(browser, origin, {"/p.html": [*FRAGMENTS]})["/p.html"]
    for fragment, is_target in zip(FRAGMENTS, found, strict=True):
        problem = files.problem(f"{SITE}p.html#{fragment}", UTF8)
        assert is_target == (problem is None), fragment
    for fragment in TOP:
        assert files.problem(f"{SITE}p.html#{fragment}", UTF8) is None


#: Where each hyperlink of a page jumps to: the id of the target, or null.
JUMPS = """
const finish = arguments[0], found = [];
(async () => {
  for (const link of document.links) {
    location.hash = "";
    link.click();
    await new Promise(done => setTimeout(done));
    found.push(document.querySelector(":target")?.id ?? null);
  }
  finish(found);
})();
"""
#: Ids that are percent-encoded, as generators of tables of contents write them.
ENCODED = ("%e3%81%82", "%E3%81%82", "a%7eb", "%41", "x%e3%81%82%20y", "caf%C3%A9", "type-f%2f2")


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_a_link_jumps_to_a_percent_encoded_id_as_before(
    browser: Browser, to: Literal["uri", "iri"]
) -> None:
    elements = (f'<p id="{name}"><a href="#{name}">x</a>' for name in ENCODED)
    page = f"<!doctype html><meta charset=utf-8>{''.join(elements)}".encode()
    browser.files["/jumps.html"] = "text/html", linkfix.rewrite(page, to=to)
    assert browser.run(f"{browser.origin}/jumps.html", JUMPS) == [*ENCODED]
