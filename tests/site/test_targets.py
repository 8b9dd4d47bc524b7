"""What links to files lead to: as generated, and as Apache answers."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import apache
import pytest
import site_generator
from sources import with_source

from linkfix.auditing import Auditor, select
from linkfix.auditing.rule import FileProblem
from linkfix.charset import lookup
from linkfix.extracting import Extractor
from linkfix.files import store
from linkfix.jobs import worker
from linkfix.jobs.worker import Limits
from linkfix.migration.renames import Names
from linkfix.policy import Policy
from linkfix.server import targets
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.headers import Headers, Labels
from linkfix.server.listing import survey
from linkfix.server.server import Server
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from linkfix.auditing import Finding

UTF8 = lookup("utf-8")
HERE = SiteAddress("http://h.example/")


def files_of(root: Path, address: SiteAddress = HERE, **settings: object) -> TargetFiles:
    serving = Serving(**settings)  # type: ignore[arg-type]
    server = Server(survey(str(root)), address, serving=serving)
    return TargetFiles(server, Policy())


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def findings(document: bytes, files: TargetFiles, base: str, **told: object) -> list[Finding]:
    auditor = Auditor(rules=select(["TGT"]), files=files, **with_source(told | {"base": base}))
    return auditor.feed(document) + auditor.close()


def test_the_generated_site_has_exactly_its_planted_faults(tmp_path: Path) -> None:
    site = site_generator.generate(700)
    root = site.write(tmp_path / "site")
    headers = Headers(Labels.parse(site_generator.SOURCE_CHARSETS))
    names = Names(Labels.parse(site_generator.RENAME_CHARSETS))
    listing = survey(str(root))
    listing.text = names.text
    address = SiteAddress.at(site_generator.BASE)
    files = TargetFiles(Server(listing, address), Policy())
    codes = {"missing": "TGT001", "case": "TGT002", "fragment": "TGT005"}
    count = 0
    for document in site.documents.values():
        if document.kind == "js":
            continue
        wanted = sorted(
            (link.uri, codes[link.broken]) for link in document.links.values() if link.broken
        )
        name = os.fsdecode(document.path)
        label = headers.header(name, None if document.kind != "html" else "html")
        found = findings(document.body, files, document.uri, charset=label, name=name)
        resolved = {
            link.start: link.resolved
            for link in whole(document.body, document.uri, charset=label, name=name)
        }
        assert sorted((resolved[each.start] or "", each.code) for each in found) == wanted, name
        count += len(wanted)
    assert count > 100


def whole(document: bytes, base: str, **told: object) -> list:  # type: ignore[type-arg]
    return [
        *(reader := Extractor(**with_source(told | {"base": base}))).feed(document),
        *reader.close(),
    ]


@contextlib.contextmanager
def answers(origin: str) -> Iterator[dict[str, int]]:
    """The status of each path that is asked for."""

    class Statuses(dict[str, int]):
        def __missing__(self, path: str) -> int:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            redirect = urlsplit(response.headers["Location"] or "").path
            self[path] = self[redirect] if redirect else response.status
            return self[path]

    parts = urlsplit(origin)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    with contextlib.closing(connection):
        yield Statuses()


@pytest.mark.skipif(bool(apache.missing()), reason=apache.missing() or "Apache is there")
def test_each_verdict_is_the_answer_of_apache(tmp_path: Path) -> None:
    site = site_generator.generate(400, seed=21)
    top = tmp_path / "top"
    root = site.write(top / "site")
    (root / "empty").mkdir()
    write(root / "docs", index_html="<p id=there>", other_html="", a__b__index_html="")
    (root / "docs" / "café.html").write_bytes(b"")
    extra = [
        "docs", "docs/", "docs//other.html", "docs/other.html/", "docs/other.html/x", "empty", "empty/", "docs/Other.html",
        "docs/%6Fther.html", "docs/./a/../other.html", "docs/a/b", "docs/a/b/", "docs/a", "cgi-bin/",
        "docs/caf%C3%A9.html", "docs/cafe%CC%81.html", "docs/caf%E9.html", "docs/other.html?a=b", "docs/index.html#there", "nope/",
        "", "docs/other.html%20", "docs/index.html/", "DOCS/", "images/logo.png", "images/Logo.png", "images/logo.png/",
    ]  # fmt: skip
    page = "<meta charset=utf-8>" + "".join(f'<a href="{value}">' for value in extra)
    (root / "page.html").write_text(page)
    documents = [
        (each.uri, each.body, each.charset.label)
        for each in site.documents.values()
        if each.kind not in ("css", "js")
    ]
    documents.append((site_generator.BASE + "page.html", page.encode(), "utf-8"))
    server = Server(survey(str(root)), SiteAddress.at(site_generator.BASE))
    server.listing.index_names = ("index.html",)
    files = TargetFiles(server, Policy())
    count = broken = 0
    with apache.serving(top, tmp_path / "state") as origin, answers(origin) as statuses:
        for uri, body, label in documents:
            marked = {
                each.start for each in findings(body, files, uri, charset=label) if each.code not in {"TGT005", "TGT007"}
            }  # fmt: skip
            for link in whole(body, uri, charset=label):
                target = link.resolved or ""
                if (
                    link.sets_base
                    or link.kind.name != "SINGLE"
                    or not target.startswith(site_generator.BASE)
                ):
                    continue
                path = target.removeprefix("http://www.old.example").partition("#")[0]
                is_found = statuses[path] == 200
                assert is_found == (link.start not in marked), (path, statuses[path])
                count, broken = count + 1, broken + (not is_found)
    assert count > 1000
    assert broken > 50


def test_a_server_with_clean_urls_and_programs(tmp_path: Path) -> None:
    write(tmp_path, about_html="", docs__index_html="")
    plain = files_of(tmp_path)
    assert plain.problem("http://h.example/about", UTF8) == FileProblem("missing", ("about.html",))
    clean = files_of(tmp_path, clean_urls=True, served=("/api/**", "/search"))
    for path in ("about", "about.html", "docs/", "api/x/y", "search?q=1"):
        assert clean.problem(f"http://h.example/{path}", UTF8) is None, path
    for path, near in (("about/", ("about.html",)), ("docs/x", ()), ("searching", ())):
        assert clean.problem(f"http://h.example/{path}", UTF8) == FileProblem("missing", near), path


def test_what_cannot_be_known_is_no_fault(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", a_html="")
    root = write(tmp_path / "site", b_html="<p id=x>")
    (root / "out").symlink_to(outside)
    (root / "gone").symlink_to(tmp_path / "nothing")
    (root / "alias").symlink_to(root / "b.html")
    (root / "up").symlink_to("../elsewhere")
    (root / "lost.html").symlink_to("none.html")
    (root / "round").symlink_to("round")
    files = files_of(root)
    for path in ("out/a.html", "out/nope.html", "gone", "up/x", "alias", "b.html#x"):
        assert files.problem(f"http://h.example/{path}", UTF8) is None, path
    for path in ("lost.html", "round", "round/x"):  # the target would be in the tree, and is not
        problem = files.problem(f"http://h.example/{path}", UTF8)
        assert problem is not None and problem.what == "missing", path  # noqa: PT018
    assert files.problem("http://h.example/outside", UTF8) == FileProblem("missing", ())


def test_a_fifo_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.html")
    assert files_of(tmp_path).problem("http://h.example/p.html#x", UTF8) is None


def test_files_of_the_same_name_and_fragments_alike_are_named(tmp_path: Path) -> None:
    files = files_of(write(tmp_path, a__logo_png="", b__page_html="<p id=Installation><p id=x>"))
    assert files.problem("http://h.example/logo.png", UTF8) == FileProblem(
        "missing", ("a/logo.png",)
    )
    found = files.problem("http://h.example/b/page.html#instalation", UTF8)
    assert found == FileProblem("fragment", ("Installation",))


def test_names_beyond_the_limit_of_memory_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_KEPT", 500)
    monkeypatch.setattr(targets, "_MOST_TARGETS", 2)
    pages = {f"p{n}_html": f"<p id=name-{n}>" for n in range(5)}
    files = files_of(write(tmp_path, **pages))
    for _ in range(2):
        for n in range(5):
            assert files.problem(f"http://h.example/p{n}.html#name-{n}", UTF8) is None
            assert files.problem(f"http://h.example/p{n}.html#name", UTF8) is not None
            (tmp_path / f"p{n}.html").write_bytes(b"")  # it is read once


def test_a_large_target_counts_for_its_own_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_limits", Limits(seconds=10))
    files = files_of(write(tmp_path, a_html="<p id=there>" + " " * 2**20))
    signal.setitimer(signal.ITIMER_PROF, 100)
    try:
        assert files.problem("http://h.example/a.html#there", UTF8) is None
        left, _ = signal.getitimer(signal.ITIMER_PROF)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    assert 110 < left <= 121
    assert files.problem("http://h.example/a.html#here", UTF8) is not None
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0  # no limit, no timer
