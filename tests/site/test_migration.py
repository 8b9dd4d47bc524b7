"""Whole sites: every link goes where it went, or to exactly the place that it is to go to."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

import ada_url
import pytest
import site_generator
from oracles import normalized
from site_generator import BASE, found, os_path, uri_of
from tiers import examples

from linkfix.migration.migration import Migration
from linkfix.migration.settings import NOWHERE, Settings
from linkfix.migration.transfer import TransferResult
from linkfix.policy import LinkMap, Policy
from linkfix.server.headers import Labels

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from site_generator import Expected, GeneratedDocument, Site

#: Documents of the generated site.
DOCUMENTS = examples(2000, quick=490)


@cache
def generated(count: int) -> Site:
    return site_generator.generate(count)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The generated site with so many documents, on disk."""

    @cache
    def written(count: int) -> Path:
        return generated(count).write(tmp_path_factory.mktemp("old"))

    return written


def migrate(
    old: Path, new: Path, *, jobs: int = 2, **settings: object
) -> tuple[Migration, dict[str, TransferResult]]:
    """Migrate; every file must be transferred."""
    headers = Labels.parse(site_generator.SOURCE_CHARSETS)
    settings = {"base": BASE, "headers": headers, "policy": Policy(), **settings}
    migration = Migration(Settings(str(old), str(new), **settings), jobs=jobs)  # type: ignore[arg-type]
    assert len(list(migration.examine())) == len(migration.types)
    assert migration.types.keys() == migration.index.documents.keys()
    results = {}
    for task, done in migration.transfer(migration.tasks()):
        assert isinstance(done, TransferResult), done
        assert not done.error, done.error
        results[task.path] = done
    migration.close(whole=True)
    assert not migration.failures
    return migration, results


def contents(folder: Path) -> dict[str, bytes]:
    return {
        os.path.relpath(path, folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def destinations(document: GeneratedDocument, text: str, base: str) -> dict[int, str]:
    """Where a browser goes from each link of a document in UTF-8, by its number."""
    return {
        number: normalized(ada_url.URL(value, base).href)
        for number, value in found(text)
        if number in document.links
    }


def check(
    site: Site,
    tree: dict[str, bytes],
    *,
    name: Callable[[bytes], bytes],
    uri: Callable[[Expected], str],
    base: Callable[[GeneratedDocument], str],
) -> int:
    """Check every document, link and file; return the number of links.

    Args:
        site: the old site.
        tree: the new tree: contents by path.
        name: returns the new path of a file.
        uri: returns the target of a link in the new site.
        base: returns the base URL of a document.

    """
    assert set(tree) == {os_path(name(path)) for path in site.files}
    links = 0
    for path, body in site.files.items():
        new = tree[os_path(name(path))]
        document = site.documents.get(path)
        if document is None:
            assert new == body
            continue
        text = new.decode("utf-8")
        assert document.text in text
        assert not re.search(
            rf"(?<!accept-)charset=\"?{document.charset.label}\b", text, re.IGNORECASE
        ) or (document.charset.label == "UTF-8")
        expected = {number: normalized(uri(link)) for number, link in document.links.items()}
        assert destinations(document, text, base(document)) == expected, document.name
        links += len(expected)
    return links


def stays(link: Expected) -> str:
    return link.uri


@pytest.mark.property
def test_every_link_goes_where_it_went(folder: Callable[[int], Path], tmp_path: Path) -> None:
    site = generated(DOCUMENTS)
    migration, done = migrate(folder(DOCUMENTS), tmp_path / "new")
    links = check(
        site,
        contents(tmp_path / "new"),
        name=lambda path: path,
        uri=stays,
        base=lambda document: document.base,
    )
    assert links > 10 * DOCUMENTS
    charsets = {each.charset for each in done.values() if each.charset}
    assert charsets == {charset.label for charset in site_generator.CHARSETS}
    assert sum(each.pinned for each in done.values()) > DOCUMENTS // 2
    assert not any(each.unpinned or not each.declared for each in done.values() if not each.ascii)
    broken = {
        (each.found.file, each.found.uri, each.reason)
        for each in migration.index.broken(migration.moves)
    }
    wanted = {
        (os_path(document.path), link.uri, link.broken)
        for document in site.documents.values()
        for link in document.links.values()
        if link.broken
    }
    assert wanted <= broken
    # The others name a file in UTF-8 whose name on disk is in another charset.
    names = {uri_of(path) for path in site.files}
    assert not [uri for _, uri, _ in broken - wanted if uri.partition("#")[0] in names]


@pytest.mark.property
def test_every_link_leads_to_the_new_name_of_its_file(
    folder: Callable[[int], Path], tmp_path: Path
) -> None:
    site = generated(DOCUMENTS)

    def name(path: bytes) -> bytes:
        new = site.new_name(path)
        return new.removesuffix(b".htm") + b".html" if new.endswith(b".htm") else new

    def uri(link: Expected) -> str:
        if link.file is None or link.broken == "case":
            return link.uri
        return uri_of(name(link.file)) + link.query + link.fragment

    def base(document: GeneratedDocument) -> str:
        return uri_of(name(document.path)) if document.base == document.uri else document.base

    names = Labels.parse(site_generator.RENAME_CHARSETS)
    migration, _ = migrate(
        folder(DOCUMENTS), tmp_path / "new", names=names, extensions={".htm": ".html"}
    )
    tree = contents(tmp_path / "new")
    check(site, tree, name=name, uri=uri, base=base)
    moved = {old: new for old, new in migration.moves.places() if old != new}
    assert moved == {uri_of(path): uri_of(name(path)) for path in site.files if name(path) != path}


def test_every_link_leads_to_exactly_the_mapped_place(
    folder: Callable[[int], Path], tmp_path: Path
) -> None:
    site = generated(490)
    new_base = "https://new.example/"
    front = next(path for path in site.documents if path.endswith(b"p0.htm"))
    rules = (
        f"{BASE},{new_base},prefix\n"
        f"{uri_of(front)},{new_base}front/,exact\n"
        "http://search.example/find,https://find.example/q,prefix\n"
    )

    def name(path: bytes) -> bytes:
        return b"front/index.html" if path == front else path

    def uri(link: Expected) -> str:
        if link.file == front:
            return f"{new_base}front/" + link.query + link.fragment
        moved = link.uri.replace("http://search.example/find", "https://find.example/q")
        return moved.replace(BASE, new_base)

    def base(document: GeneratedDocument) -> str:
        if document.path == front and document.base == document.uri:
            return f"{new_base}front/"
        return document.base.replace(BASE, new_base)

    links = LinkMap.parse(rules, format="csv")
    migration, done = migrate(folder(490), tmp_path / "new", links=links)
    check(
        site,
        contents(tmp_path / "new"),
        name=name,
        uri=uri,
        base=base,
    )
    assert migration.moves.links is not None
    assert migration.moves.links.unused() == ()
    assert sum(each.mapped for each in done.values()) > 4000


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("style", ["absolute", "relative", "root-relative"])
def test_links_in_every_style_go_where_they_went(
    folder: Callable[[int], Path], tmp_path: Path, to: str, style: str
) -> None:
    policy = Policy(style=style)  # type: ignore[arg-type]
    migrate(folder(140), tmp_path / "new", to=to, policy=policy, unescape=to == "iri")
    tree = contents(tmp_path / "new")
    site = generated(140)
    links = check(
        site,
        tree,
        name=lambda path: path,
        uri=stays,
        base=lambda document: document.base,
    )
    assert links > 1000
    texts = [tree[os_path(p)].decode() for p in site.documents]
    values = [value for text in texts for _, value in found(text)]
    inside = [value for value in values if not value.startswith(("http://search", "mailto:", "#"))]
    wanted = {"absolute": (BASE,), "root-relative": ("/site/",), "relative": ("http:", "/")}
    begins = [value.startswith(wanted[style]) for value in inside]
    assert not any(begins) if style == "relative" else all(begins)
    assert (to == "uri") == all(value.isascii() for value in values)


def test_the_number_of_processes_makes_no_difference(
    folder: Callable[[int], Path], tmp_path: Path
) -> None:
    names = Labels.parse(site_generator.RENAME_CHARSETS)
    _, one = migrate(folder(140), tmp_path / "one", jobs=1, names=names)
    _, two = migrate(folder(140), tmp_path / "two", jobs=2, names=names)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert list(one.items()) == list(two.items())


def test_an_address_that_nobody_has_is_in_nothing_that_is_written(
    folder: Callable[[int], Path], tmp_path: Path
) -> None:
    names = Labels.parse(site_generator.RENAME_CHARSETS)
    rules = LinkMap.parse("/images/,/pictures/,prefix", format="csv", site=NOWHERE)
    policy = Policy(style="root-relative")
    migrate(
        folder(140), tmp_path / "new", base=None, names=names, links=rules, policy=policy, to="iri"
    )
    tree = contents(tmp_path / "new")
    assert set(tree) >= {"pictures/logo.png", "cgi-bin/search"}
    assert not [path for path, body in tree.items() if b"site.invalid" in body]
    site = generated(140)

    def new_name(path: bytes) -> bytes:
        return site.new_name(path).replace(b"images/", b"pictures/")

    checked = 0
    for path, document in site.documents.items():
        if document.kind == "js":
            continue  # pages ask for them at an address that is not known to be the site's
        before = dict(found(document.body.decode(document.charset.codec)))
        after = dict(found(tree[os_path(new_name(path))].decode("utf-8")))
        for number, link in document.links.items():
            is_own = not before[number].startswith(("http:", "/", "mailto:"))
            if is_own and document.base == document.uri and link.file and link.broken != "case":
                place = NOWHERE + uri_of(new_name(path)).removeprefix(BASE)
                goal = NOWHERE + uri_of(new_name(link.file)).removeprefix(BASE)
                new = normalized(ada_url.URL(after[number], place).href)
                assert new == normalized(goal + link.query + link.fragment), (document.name, number)
                checked += 1
    assert checked > 300


def test_a_migrated_site_stays_as_it_is_when_it_is_migrated_again(
    folder: Callable[[int], Path], tmp_path: Path
) -> None:
    migrate(folder(140), tmp_path / "new")
    migrate(tmp_path / "new", tmp_path / "again", headers=Labels())
    assert contents(tmp_path / "again") == contents(tmp_path / "new")
