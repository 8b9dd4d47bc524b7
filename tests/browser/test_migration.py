"""Whole sites in Chromium: documents of a migrated site lead where those of the old one led."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

import pytest
import site_generator
from site_generator import BASE, uri_of

from linkfix.migration.migration import Migration
from linkfix.migration.settings import Settings
from linkfix.migration.transfer import TransferResult
from linkfix.policy import Policy
from linkfix.server.headers import Labels
from linkfix.transcoding import Declared, TranscodingReport

from .compare import differences, normalize
from .harness import Page
from .test_transcoding import without_additions, without_space

if TYPE_CHECKING:
    from pathlib import Path

    from site_generator import Expected, GeneratedDocument, Site

    from .harness import Browser, Tree

pytestmark = pytest.mark.browser

TYPES = {
    "html": "text/html",
    "xhtml": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "atom": "application/xml",
    "sitemap": "application/xml",
}
SITE = site_generator.generate(420)


def migrated(folder: Path, **settings: Any) -> tuple[Migration, dict[str, TransferResult]]:
    headers = Labels.parse(site_generator.SOURCE_CHARSETS)
    SITE.write(folder / "old")
    asked = Settings(
        str(folder / "old"), str(folder / "new"), Policy(), BASE, headers=headers, **settings
    )
    migration = Migration(asked, jobs=2)
    list(migration.examine())
    done = {task.path: each for task, each in migration.transfer(migration.tasks())}
    migration.close(whole=True)
    return migration, {
        path: each for path, each in done.items() if isinstance(each, TransferResult)
    }


def sample(count: int) -> list[GeneratedDocument]:
    """Some documents of every kind, declared in every way."""
    documents = [each for each in SITE.documents.values() if each.kind in TYPES]
    random.Random(1).shuffle(documents)
    ways: dict[tuple[str, str, str], GeneratedDocument] = {}
    for document in documents:
        ways.setdefault((document.kind, document.charset.label, document.declared), document)
    return [*ways.values(), *documents][:count]


def page(document: GeneratedDocument, body: bytes, uri: str, *, is_old: bool) -> Page:
    header = is_old and document.declared == "header"
    charset = f"; charset={document.charset.label}" if header else ""
    return Page(body, TYPES[document.kind] + charset, "/site/" + uri.removeprefix(BASE))


def test_documents_lead_where_they_led(browser: Browser, tmp_path: Path) -> None:
    _, done = migrated(tmp_path)
    documents = sample(60)
    paths = [os.fsdecode(document.path) for document in documents]
    before = browser.load([page(d, d.body, d.uri, is_old=True) for d in documents])
    after = browser.load(
        [
            page(d, (tmp_path / "new" / path).read_bytes(), d.uri, is_old=False)
            for d, path in zip(documents, paths, strict=True)
        ]
    )
    for document, path, old, new in zip(documents, paths, before, after, strict=True):
        assert old.charset == document.charset.label, document.name
        assert new.charset == "UTF-8"
        old_in_utf8 = type(old)(
            old.url, "UTF-8", old.base, tuple(map(without_space, old.nodes)), old.requests
        )
        declared = [Declared(**each) for each in done[path].declarations]
        report = TranscodingReport(declarations=declared)
        problems = differences(old_in_utf8, without_additions(old_in_utf8, new, report))
        assert not problems, "\n".join([document.name, *problems])


def destinations(tree: Tree, origin: str) -> dict[int, str]:
    """Where the links of a document lead, by the numbers that the generator gave them."""
    places: dict[int, str] = {}
    for node in tree.nodes:
        names = [attribute.name for attribute in node.attributes]
        if "data-n" not in names:
            continue
        at = names.index("data-n")
        urls = node.attributes[at + 1].urls if at + 1 < len(names) else (node.text_url,)
        for more, url in enumerate(urls):
            assert url is not None
            places[int(node.attributes[at].value) + more] = normalize(
                url.replace(f"{origin}/site/", BASE)
            )
    return places


def test_documents_lead_to_the_new_names(browser: Browser, tmp_path: Path) -> None:
    names = Labels.parse(site_generator.RENAME_CHARSETS)
    migrated(tmp_path, names=names, extensions={".htm": ".html"}, to="iri", unescape=True)
    documents = sample(40)
    pages = []
    for document in documents:
        name = new_name(SITE, document.path)
        body = (tmp_path / "new" / os.fsdecode(name)).read_bytes()
        pages.append(page(document, body, uri_of(name), is_old=False))
    count = 0
    for document, tree in zip(documents, browser.load(pages), strict=True):
        assert tree.charset == "UTF-8"
        found = destinations(tree, browser.origin)
        wanted = {number: normalize(new_uri(link)) for number, link in document.links.items()}
        assert found.items() <= wanted.items(), document.name
        count += len(found)
    assert count > 200


def new_name(site: Site, path: bytes) -> bytes:
    new = site.new_name(path)
    return new.removesuffix(b".htm") + b".html" if new.endswith(b".htm") else new


def new_uri(link: Expected) -> str:
    if link.file is None or link.broken == "case":
        return link.uri
    return uri_of(new_name(SITE, link.file)) + link.query + link.fragment
