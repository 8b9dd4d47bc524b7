"""Every reader of what is found has a bound, and its work grows as its input.

Found is whatever others may have written: documents, archives, settings, journals, caches, repositories, tables, schemas, names of
files. `READERS` has each module that opens such bytes. A new module that opens files fails `test_every_module_is_listed` until it
is there, with the test of its bound and what is read twice as long here; or in `OTHERS`, with the reason why it is no reader.
"""

from __future__ import annotations

import ast
import gzip
import io
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import packages
import pytest
from archives import Archive
from click.testing import CliRunner
from effort import growth
from serverfiles import read_redirects

import linkfix
from linkfix.cli.group import cli
from linkfix.cli.options.settings import find
from linkfix.errors import LinkfixError
from linkfix.files import cache, revisions
from linkfix.files.access import begin_of
from linkfix.files.commit import sweep
from linkfix.files.journal import NAME as JOURNAL
from linkfix.files.journal import Journal
from linkfix.files.local import given_content
from linkfix.files.tree import documents
from linkfix.links.schemas import Catalog, load
from linkfix.policy.linkmap import LinkMap
from linkfix.server import writing
from linkfix.server.addresses import SiteAddress
from linkfix.server.apache import Folders
from linkfix.server.listing import survey

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[1]
HEAD = "<!doctype html><meta charset=utf-8><title>t</title>"
#: What opens, or lists, files: names of functions and methods.
OPENERS = frozenset(
    [
        "begin_of",
        "connect",
        "content_of",
        "document_bytes",
        "fdopen",
        "found_content",
        "given_content",
        "glob",
        "iterdir",
        "listdir",
        "mmap",
        "open",
        "GzipReader",
        "open_document",
        "open_file",
        "open_file",
        "opened",
        "open_remote",
        "pread",
        "read_by",
        "read_bytes",
        "read_text",
        "rglob",
        "scandir",
        "urlopen",
        "walk",
    ]
)


def names(folder: Path) -> writing.Renaming:
    """Return new names for a site, which stay."""
    site = SiteAddress("http://h.example/")
    return writing.Renaming(survey(str(folder)), site, site, lambda _: None, str)


@dataclass(frozen=True)
class Reader:
    """A reader of found bytes.

    Attributes:
        modules: that open them, from the folder of the package.
        bound: the constant that bounds what is read, with a text of the refusal, "" where it is passed over; or a test.
        write: makes an input of so many parts in a folder.
        read: reads it.
        size: the number of parts of the smaller input.

    """

    modules: tuple[str, ...]
    bound: tuple[str, str] | str
    write: Callable[[Path, int], object]
    read: Callable[[Path], object]
    size: int = 200


def lines(name: str, row: str, head: str = "", tail: str = "") -> Callable[[Path, int], object]:
    """Return what writes a file of rows."""

    def write(folder: Path, count: int) -> None:
        text = head + "".join(row.replace("{}", str(number)) for number in range(count)) + tail
        (folder / name).write_text(text)

    return write


def files(name: str, text: str) -> Callable[[Path, int], object]:
    """Return what writes many files, of which each names the next one."""

    def write(folder: Path, count: int) -> None:
        for number in range(count):
            path = folder / name.format(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("{}", str(number + 1)))

    return write


def command(*arguments: str) -> Callable[[Path], object]:
    """Return what runs a command in a folder, in this process."""

    def run(folder: Path) -> None:
        before = Path.cwd()
        os.chdir(folder)
        try:
            done = CliRunner().invoke(cli, [*arguments])
        finally:
            os.chdir(before)
        assert done.exit_code in {0, 1}, done.output

    return run


def page(name: str, piece: str, head: str = HEAD, tail: str = "") -> Reader:
    """Return the reader of a document that has a piece again and again."""

    def read(folder: Path) -> None:
        source = (folder / name).read_bytes()
        form: Literal["text"] | None = "text" if name.endswith(".txt") else None
        list(linkfix.extract(source, type=form))
        list(linkfix.audit(source, type=form))
        linkfix.rewrite(source, io.BytesIO(), type=form)

    return Reader(DOCUMENTS, BOUNDS[Path(name).suffix], lines(name, piece, head, tail), read, 100)


DOCUMENTS = (
    "sites/documents.py",
    "sites/moving.py",
    "library.py",
    "files/access.py",
    "files/local.py",
)
#: No document is in memory as a whole: a part of one is, and it has a greatest length.
BOUNDS = {
    ".html": "tests/markup/test_html.py::test_a_tag_that_never_ends_is_refused_with_its_place",
    ".xml": "tests/markup/test_xml.py::test_an_endless_token_is_refused",
    ".css": "tests/links/test_css_documents.py::test_a_style_sheet_that_is_too_long",
    ".txt": "tests/links/test_text_documents.py::test_a_word_that_is_too_long",
}
GIT = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")


def commit(folder: Path, count: int) -> None:
    files("s/{}.html", HEAD)(folder, count)
    for arguments in (("init", "-q"), ("add", "-A"), (*GIT, "commit", "-qm", "x")):
        subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)
    files("s/{}.html", f"{HEAD}<p>")(folder, count)


def compare(folder: Path) -> None:
    paths = {found.path: found.size for found in documents([str(folder / "s")])}
    found = revisions._compared("HEAD", [str(folder / "s")], paths)
    assert len(found.changed) == len(paths)


def keep(folder: Path, count: int) -> None:
    made = cache.Cache(str(folder / "c"))
    for number in range(count):
        record = cache.packed([["document", "a"], ["done", "a", [], None]])
        made.add(b"key", f"{number}", cache.Row("", b"", b"", record))
    made.commit()
    (folder / "count").write_text(str(count))


def recall(folder: Path) -> None:
    reader = cache.Cache(str(folder / "c"))
    for number in range(int((folder / "count").read_text())):
        row = reader.find(b"key", f"{number}")
        assert row is not None
        cache.unpacked(row.record)


def log(folder: Path, count: int) -> None:
    journal = Journal(folder / JOURNAL, {}, roots=[str(folder)])
    for number in range(count):
        journal.pen.task(str(folder / f"{number}.html")).done()
    journal.close(whole=False)


def resume(folder: Path) -> None:
    Journal(folder / JOURNAL, {}, resume=True, roots=[str(folder)]).close(whole=False)


def crawl(folder: Path, count: int) -> None:
    archive = Archive()
    for number in range(count):
        archive.add(f"http://a.example/{number}", f"{HEAD}<a href='/a b'>".encode())
    (folder / "a.warc.gz").write_bytes(archive.data)


def packed(folder: Path, count: int) -> None:
    (folder / "t.html.gz").write_bytes(gzip.compress((HEAD + "<a href=b>" * count).encode()))


def contained(
    make: Callable[[dict[str, bytes]], bytes], name: str
) -> Callable[[Path, int], object]:
    """Return what writes a container of many pages."""

    def write(folder: Path, count: int) -> None:
        page = f"{HEAD}<a href='a b'>".encode()
        (folder / name).write_bytes(make({f"{number}.html": page for number in range(count)}))

    return write


def settings(folder: Path) -> None:
    for option in find(folder).tables.get("audit", {}):
        (each := find(folder)).ignored_in(each.per_file_ignores(), option)


def folders(folder: Path) -> object:
    found = Folders.read(str(folder), [".htaccess"])
    for failure in found.failures:
        raise failure
    return found.of("a/b"), found.charsets


def redirects(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> None:
        path = str(folder / name)
        data = begin_of(path, (folder / name).stat().st_size + 1)
        source = read_redirects(data, path, "http://h.example/")
        for number in range(data.count(b"\n")):
            source(f"http://h.example/p{number}/x")

    return read


XSD = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
RNG = '<grammar xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"><start><choice>'
CATALOG = '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
REDIRECTS = ("linkfix.server.redirects.files._MOST_BYTES", "it has more than")
SCHEMAS = ("linkfix.links.schemas.opening._LARGEST", "it has more than")
GIVEN = ("linkfix.files.local.LARGEST_GIVEN", "it has more than")
TREES = "tests/test_readers.py::test_of_a_file_that_may_be_no_document_little_is_read"

READERS = {
    "settings": Reader(
        ("cli/options/settings.py", "files/access.py"), ("linkfix.cli.options.settings._LARGEST", "it has more than"),
        lines("linkfix.toml", "p{} = 'x'\n", "[audit]\n"), find,
    ),
    "settings of files": Reader(
        ("cli/options/settings.py",), "tests/cli/test_settings.py::test_lists_that_are_found_have_an_end",
        lines("linkfix.toml", "'*a{}*b*' = ['ENC']\n", "[audit.per-file-ignores]\n"),
        lambda folder: (each := find(folder)).ignored_in(each.per_file_ignores(), "a" * 300),
    ),
    "link map in CSV": Reader(
        ("cli/options/links.py", "files/access.py"), GIVEN, lines("m.csv", "http://a.example/{},http://b.example/{}\n"),
        lambda folder: LinkMap.parse(given_content(str(folder / "m.csv")).decode(), format="csv"),
    ),
    "link map in TOML": Reader(
        ("cli/options/links.py", "files/access.py"), GIVEN, lines("m.toml", "'http://a.example/{}' = 'http://b.example/{}'\n", "[exact]\n"),
        lambda folder: LinkMap.parse(given_content(str(folder / "m.toml")).decode(), format="toml"),
    ),
    "baseline": Reader(
        ("cli/audit.py",), GIVEN, lines("b.json", '"a{}": 1,\n', '{"linkfix-baseline": 1, "findings": {\n', '"z": 1}}'),
        lambda folder: given_content(str(folder / "b.json")),
    ),
    "XML Schema": Reader(
        ("links/schemas/opening.py", "links/schemas/xsd.py"), SCHEMAS,
        lines("a.xsd", '<xs:element name="e{}" type="xs:anyURI"/>\n', XSD, "</xs:schema>"), lambda folder: load(str(folder / "a.xsd")),
    ),
    "RELAX NG": Reader(
        ("links/schemas/opening.py",), SCHEMAS,
        lines("a.rng", '<element name="e{}"><data type="anyURI"/></element>\n', RNG, "</choice></start></grammar>"),
        lambda folder: load(str(folder / "a.rng")),
    ),
    "catalog": Reader(
        ("links/schemas/opening.py",), SCHEMAS, lines("c.xml", '<uri name="urn:{}" uri="a.xsd"/>\n', CATALOG, "</catalog>"),
        lambda folder: Catalog(str(folder / "c.xml")).resolve("urn:x"),
    ),
    "journal": Reader(
        ("files/journal.py", "files/records.py"), "tests/site/test_records.py::test_a_line_without_an_end_is_not_read_into_memory", log, resume,
    ),
    "cache": Reader(
        ("files/cache.py",), "tests/test_readers.py::test_of_a_cache_no_long_record_is_read", keep, recall,
    ),
    "repository": Reader(
        ("files/revisions.py",), "tests/cli/test_audit_changed.py::test_an_object_that_inflates_to_a_lot", commit, compare, 30,
    ),
    ".htaccess": Reader(
        ("server/headers.py", "server/apache.py"), ("linkfix.server.headers.MOST_BYTES", "it is too large"),
        lines(".htaccess", "DirectoryIndex a{}\n<Files a{}>\nAddCharset utf-8 .e{}\n</Files>\n"), folders,
    ),
    "files of a server to write anew": Reader(
        ("server/writing.py",), ("linkfix.server.headers.MOST_BYTES", "it is too large"), lines("a.conf", "Redirect /a{} /b{}\n"),
        lambda folder: [*writing.stale_lines(str(folder / "a.conf"), names(folder))],
    ),
    **{
        f"redirects in {name}": Reader(("server/redirects/files.py", "files/access.py"), REDIRECTS, lines(name, row), redirects(name))
        for name, row in {
            ".htaccess": "Redirect /p{} /n\n", "_redirects": "/p{} /n\n", "a.conf": "location /p{} { return 301 /n; }\n",
            "m.csv": "http://h.example/p{},http://h.example/n\n",
        }.items()
    },
    "archive": Reader(
        ("sites/writing.py",),
        "tests/site/warc/test_records.py::test_memory_does_not_grow", crawl, command("rewrite", "-q", "-o", "out", "a.warc.gz"), 20,
    ),
    "compressed document": Reader(
        ("files/local.py",), "tests/site/test_codecs.py::test_a_small_file_with_too_many_octets_is_refused", packed,
        command("extract", "-q", "t.html.gz"),
    ),
    "ZIP file": Reader(
        ("containers/archives.py", "containers/members.py", "files/packed.py", "files/entries.py"),
        "tests/containers/test_mutations.py::test_what_expands_without_end_meets_a_limit",
        contained(packages.as_zip, "a.zip"), command("audit", "-q", "a.zip"), 60,
    ),
    "tar archive": Reader(
        ("containers/archives.py", "files/packed.py"), ("linkfix.containers.members.MOST_OF_MEMBER", "it has more than"),
        contained(packages.as_tar_gz, "a.tar.gz"), lambda folder: [*linkfix.extract(str(folder / "a.tar.gz!/0.html"))],
    ),
    "message": Reader(
        ("containers/messages.py",), "tests/containers/test_messages.py::test_limits",
        contained(packages.as_message, "a.eml"), command("audit", "-q", "a.eml"), 60,
    ),
    "container that is rewritten": Reader(
        ("sites/writing.py", "sites/migrating.py"), "tests/containers/test_mutations.py::test_what_expands_without_end_meets_a_limit",
        contained(packages.as_zip, "a.zip"), command("rewrite", "-q", "-o", "out", "a.zip"), 60,
    ),
    "names in a folder": Reader(("files/tree.py", "server/listing.py"), TREES, files("s/{}.html", HEAD), command("extract", "-q", "s"), 60),
    "names that match": Reader(("files/tree.py",), TREES, files("s/{0}/{0}.html", HEAD), command("extract", "-q", "s/**/*.html"), 40),
    "leftovers": Reader(
        ("files/commit.py",), "tests/site/test_leftovers.py::test_what_is_no_file_stays", files(".linkfix-{:016x}.tmp", ""), sweep,
    ),
    "pages of a site": Reader(
        ("server/targets.py", "server/includes.py", "sites/audit_work.py"), "tests/site/test_targets.py::test_names_beyond_the_limit_of_memory_are_known",
        files("s/{}.html", f"{HEAD}<p id=x><a href='{{}}.html#x'><a href='/a b'>"), command("audit", "-q", "--base", "http://a.example/", "s"), 40,
    ),
    "graph": Reader(
        ("sites/graphs.py",), BOUNDS[".html"],
        files("s/{}.html", f"{HEAD}<a href='{{}}.html'>"), command("graph", "-q", "s"), 40,
    ),
    "migration": Reader(
        ("migration/index.py", "migration/transfer.py", "migration/destination.py"), BOUNDS[".html"],
        files("s/{}.html", f"{HEAD}<a href='{{}}.html'>"), command("migrate", "-q", "--dry-run", "s", "out"), 30,
    ),
    "move": Reader(
        ("migration/moving.py",), BOUNDS[".html"],
        files("s/d/{}.html", f"{HEAD}<a href='{{}}.html'><a href='../x'>"), command("mv", "-q", "--dry-run", "s/d", "s/e"), 30,
    ),
    "page": page("a.html", "<p id=a{}><a href='b{}.html'>x</a><img srcset='a b, c d 2x' style='background:url(a\\ b)'>\n"),
    "page with templates": page("a.html", '<a href="{{x}}/a b">{% if x %}<a href="/a b"><?php echo 1 ?>'),
    "page with suppressions": page("a.html", "<!-- linkfix: ignore-next SYN --><a href='/a b%'>"),
    "page with foreign elements": page("a.html", "<svg><desc><b class=a{}><p></svg><math><mi><a href='x y'></math>"),
    "page with a document in it": page("a.html", "<iframe srcdoc='<a href=&quot;/a b&quot;>'></iframe>"),
    "page with scripts and data": page("a.html", '<script type="application/ld+json">{"url": "/a b"}</script>'),
    "page in EUC-JP": page("a.html", "<a href='/a b'>\x8f\xa1", "<meta charset=euc-jp>"),
    "XML": page("a.xml", "<a xmlns:n{}='urn:{}' xlink:href='/a b'><b xml:base='c{}/'/></a>", "<r xmlns:xlink='http://www.w3.org/1999/xlink'>", "</r>"),
    "XML with a document type": page("a.xml", "<e/>", "<!DOCTYPE r [<!ATTLIST e a CDATA 'x'>]><r>", "</r>"),
    "feed": page("a.xml", "<entry><link href='/a b'/><content type='html'>&lt;a href='/x y'></content></entry>", "<feed xmlns='http://www.w3.org/2005/Atom'>", "</feed>"),
    "style sheet": page("a.css", "@import 'a|b'; a { background: url(a\\ b) } /* x */", "@charset 'utf-8';"),
    "text": page("a.txt", "http://a.example/{}/é and http://b.example/(x) ", ""),
}  # fmt: skip

#: Modules that open files and are no readers of found bytes, each with the reason.
OTHERS = {
    "sites/answering.py": "the list that the command line names, with the bound of given files; passes documents on to the verifier",
    "cli/migrate.py": "writes",
    "migration/charsets.py": "decodes documents whole; the decisions are in a file that the command line names, with the bound of given files",
    "cli/demo.py": "data of the package",
    "cli/formats/html.py": "data of the package",
    "iri/host.py": "data of an installed package",
    "cli/iri.py": "opens what the command line names, line by line",
    "cli/options/documents.py": "opens the list that only the command line names",
    "cli/output.py": "writes",
    "cli/rewrite.py": "passes a document on to the rewriter, and digests a file that is given, in pieces",
    "sites/comparing.py": "passes documents on to the verifier, whose parsers are others'",
    "sites/redirects.py": "reads as many bytes as its own head has",
    "cli/ending.py": "opens /dev/null",
    "lsp/site.py": "passes documents on to the auditor, regular files of at most 64 MiB; reads as many octets as a declaration of a charset may be away",
    "plugins/sphinx.py": "connects to events of Sphinx",
    "files/store.py": "its own temporary database",
    "files/system.py": "reads as many bytes of an open file as it is asked for",
    "jobs/worker.py": "the pipe of its parent, and /proc",
    "files/remote/listings.py": "asks servers that the command line names; the tests of listings are in tests/site/remote",
    "files/remote/systems.py": "passes documents on, in pieces; writes",
    "spark/crosschecks.py": "passes documents on to linkfix.arrow",
    "spark/files.py": "passes archives on to linkfix.arrow; its own records, in the folder that the command line names for output",
    "spark/jobs.py": "passes archives on to linkfix.arrow",
    "spark/frames.py": "passes archives on to linkfix.arrow",
    "spark/tables.py": "writes, and reads its own records, in the folder that the command line names for output",
}


def test_every_module_is_listed() -> None:
    package = ROOT / "linkfix"
    opening = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", None)) in OPENERS
    }
    listed = {module for reader in READERS.values() for module in reader.modules}
    assert opening - listed - OTHERS.keys() == set(), (
        "add its bound and its doubling test to READERS"
    )
    assert (listed | OTHERS.keys()) - opening == set(), "it opens nothing any more"
    assert not listed & OTHERS.keys()


@pytest.mark.parametrize("name", READERS)
def test_every_reader_has_a_bound(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = READERS[name]
    if isinstance(reader.bound, str):
        path, _, test = reader.bound.partition("::")
        tree = ast.parse((ROOT / path).read_bytes())
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        return
    constant, said = reader.bound
    reader.write(tmp_path, 20)
    reader.read(tmp_path)
    monkeypatch.setattr(constant, 64)
    with pytest.raises((LinkfixError, OSError, click.ClickException)) as caught:
        reader.read(tmp_path)
    assert said in str(getattr(caught.value, "message", caught.value))


@pytest.mark.parametrize("name", READERS)
def test_work_grows_as_the_input(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkfix.jobs.pool.can_fork", lambda: False)
    reader = READERS[name]
    for count in (reader.size, 2 * reader.size):
        (tmp_path / str(count)).mkdir()
        reader.write(tmp_path / str(count), count)
    assert growth(lambda count: reader.read(tmp_path / str(count)), reader.size) < 2.3


def test_of_a_file_that_may_be_no_document_little_is_read(tmp_path: Path) -> None:
    path = tmp_path / "endless"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert list(documents([str(tmp_path)])) == []


def test_of_a_cache_no_long_record_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path, 1)
    monkeypatch.setattr(cache, "_LONGEST", 10)
    assert cache.Cache(str(tmp_path / "c")).find(b"key", "0") is None
