"""After ``linkfix mv``, each link of each file leads to the same file as before."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote_to_bytes

import ada_url
import hypothesis.strategies as st
from hypothesis import given, settings
from movable_site import make, mv, tree
from tiers import examples

import linkfix

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE = "http://s.example/x/"
NAMES = ("a.html", "b c.html", "d/a.html", "d/e/deep.html", "d/index.html", "d/s.css", "f/index.htm", "f/é.html", "日.html", "p.svg")  # fmt: skip
FOLDERS = ("", "d/", "d", "f/", "f", "d/e/")
PLACES = ("n", "d/n", "new/f g", "f/index", "d/e/m", "é")
MARKUP = {
    "html": "<!doctype html><meta charset={0}><link rel=icon href='{1}'><a href='{2}'>x</a><p style='color: url({3})'>é",
    "htm": "<!doctype html><meta charset={0}><base href='{1}'><a href='{2}'>x</a><img src='{3}'>",
    "css": "@charset '{0}'; @import '{1}'; a {{ background: url('{2}') url('{3}') }}",
    "svg": "<?xml version='1.0' encoding='{0}'?><svg xmlns='http://www.w3.org/2000/svg'><a href='{1}'/><use href='{2}'/><a href='{3}'/></svg>",
}


class Site(NamedTuple):
    """A site, and what moves in it."""

    files: dict[str, bytes]
    old: str
    new: str


@st.composite
def references(draw: st.DrawFn, page: str, names: list[str]) -> str:
    """Return a reference of a page to a file or folder of the site, or to nothing."""
    name = draw(st.sampled_from([*names, *FOLDERS, "gone.html", "d/gone.html"]))
    spelled = quote(name) if draw(st.booleans()) else name.replace(" ", "%20")
    folder = os.path.relpath(".", os.path.dirname(page) or ".")  # noqa: PTH120 - a path of a URL
    before = draw(st.sampled_from([f"{folder}/", f"{folder}/", "/x/", BASE, "//s.example/x/"]))
    return before + spelled + draw(st.sampled_from(["", "?q=1", "#top", "?%e4#%C3%A9"]))


@st.composite
def sites(draw: st.DrawFn) -> Site:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, unique=True))
    files = {}
    for name in names:
        charset = draw(st.sampled_from(["utf-8", "shift_jis", "windows-1252"]))
        values = [draw(references(name, names)) for _ in range(3)]
        text = MARKUP[name.rpartition(".")[2]].format(charset, *values)
        try:
            files[name] = text.encode(charset)
        except UnicodeEncodeError:
            files[name] = text.replace(charset, "utf-8", 1).encode()
    old = draw(st.sampled_from([*names, *(folder for folder in ("d", "f", "d/e") if any(name.startswith(f"{folder}/") for name in names))]))  # fmt: skip
    return Site(files, old, draw(st.sampled_from(PLACES)) + Path(old).suffix)


def targets(root: Path, page: str) -> Iterator[tuple[str | None, str]]:
    """Yield the path of the file to which each link of a page leads, None for no file, and its query and fragment."""
    base = BASE + quote(page)
    for link in linkfix.extract(root / page):
        uri = ada_url.URL(link.value.replace("\n", ""), base)
        if link.element == "base":
            base = uri.href
        name = os.fsdecode(unquote_to_bytes(uri.pathname.removeprefix("/x/")))
        paths = [name.removesuffix("/") + index for index in ("/index.html", "/index.htm")]
        if not uri.href.startswith(BASE):
            paths = []
        elif not name.endswith("/"):  # a file has no slash behind its name
            paths.append(name)
        found = next((path.strip("/") for path in paths if Path(root, path.strip("/")).is_file()), None)  # fmt: skip
        yield found, uri.search + uri.hash


@settings(max_examples=examples(400, quick=15), deadline=None)
@given(sites())
def test_each_link_leads_to_the_same_file(site: Site) -> None:
    def renamed(path: str) -> str:
        return site.new + path[len(site.old) :] if f"{path}/".startswith(f"{site.old}/") else path

    with TemporaryDirectory() as folder:
        root = make(Path(folder), site.files)
        before = {page: [*targets(root, page)] for page in site.files}
        done = mv(root, site.old, site.new, "--base", BASE)
        if done.exit_code == 2:  # it would lose a file
            assert tree(root) == site.files
            return
        assert done.exit_code == 0, done.output
        assert {*tree(root)} == {*map(renamed, site.files)}
        for page, leads in before.items():
            after = [*targets(root, renamed(page))]
            assert len(after) == len(leads)
            for (old, rest), (new, end) in zip(leads, after, strict=True):
                assert rest == end
                assert old is None or new == renamed(old)
