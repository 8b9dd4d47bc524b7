"""Remote files: what is read is what a local file has, and what is written is whole or not there."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import begin_of, chunks, creating, is_folder, open_document, place_in
from linkfix.files.commit import Group
from linkfix.files.entries import Tally
from linkfix.files.paths import Listed, Object
from linkfix.files.remote.listings import listed
from linkfix.files.remote.systems import check, failing
from linkfix.files.tree import Selection, documents
from linkfix.server.headers import is_in

fsspec = pytest.importorskip("fsspec", reason="remote paths need the extra remote")
from fsspec.implementations.memory import MemoryFile, MemoryFileSystem  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=8)
PATHS = st.lists(NAMES.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=3)
PAGES = st.sampled_from(
    [b"<a href='x y'>t</a>", b"<!doctype html><img src='\xe4'>", b"no page", b""]
)


@pytest.fixture(autouse=True)
def store() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]


def _writes(folder: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Write files to a folder as far as their names go together there; return those that were written."""
    written = {}
    for path, data in files.items():
        place = folder / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                place.write_bytes(data)
                written[path] = data
        except OSError:
            continue
    return written


@settings(max_examples=examples(12), deadline=None)
@given(st.dictionaries(PATHS.map("/".join), PAGES, max_size=6), st.booleans())
def test_a_tree_is_the_same_remote_and_here(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], hidden: bool
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    files = _writes(folder, files)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("site/x.pdf", b"%PDF")
        for path, data in files.items():
            file.writestr(f"site/{path}", data)
    (folder.parent / "site.zip").write_bytes(archive.getvalue())
    selection = Selection(exclude=("a*",), hidden=hidden)
    url = f"zip://site::{folder.parent}/site.zip"
    here, there = Tally(), Tally()
    found = [(each.relative, each.type, each.size) for each in documents([str(folder)], selection, here)]  # fmt: skip
    remote = list(documents([url], selection, there))
    assert [(each.relative, each.type, each.size) for each in remote] == found
    assert there.passed == here.passed + Counter({"no document": 1})
    assert not there.errors
    for each in remote:
        assert b"".join(chunks(open_document(each.path))) == files[each.relative]
        local, sink = io.BytesIO(), io.BytesIO()
        try:
            linkfix.rewrite(folder / each.relative, local)
        except LinkfixError as error:
            with pytest.raises(type(error)):
                linkfix.rewrite(each.path, sink)
        else:
            linkfix.rewrite(each.path, sink)
        assert sink.getvalue() == local.getvalue()


#: Documents that are read otherwise by another name, and the names.
BODIES = [
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="s.js"/></head><body><a href="\u00e9?q=\u00e9 x"/></body></html>'.encode(),
    b"a { background: url('x y') } <a href='x y'>t</a>",
    b"<?xml version='1.0'?><a href='x y'/>",
    b"\xff<p><a href='x y'>t</a>",
]  # fmt: skip
TYPED = st.builds(
    str.__add__,
    st.text("ab:?#. ", min_size=1, max_size=6).map("n{}".format),
    st.sampled_from([".html", ".xhtml", ".XHT", ".css", ".svg", ".js", ".php", ".zip", ".warc", ""]),
)  # fmt: skip


def _results(path: str) -> list[Any]:
    """What extract, audit and rewrite make of a document; errors without the name of the file."""
    sink = io.BytesIO()
    jobs: list[Callable[[], Any]] = [
        lambda: [repr(link.place) + str(link) for link in linkfix.extract(path)],
        lambda: list(map(str, linkfix.audit(path))),
        lambda: (linkfix.rewrite(path, sink).changed, sink.getvalue()),
    ]
    found = []
    for job in jobs:
        try:
            found.append(job())
        except LinkfixError as error:
            found.append((type(error), error.message))
    return found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    pytest.importorskip("aiohttp", reason="http:// needs aiohttp")
    folder = tmp_path_factory.mktemp("served")

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@settings(max_examples=examples(25), deadline=None)
@given(st.dictionaries(TYPED, st.sampled_from(BODIES), min_size=1, max_size=3), st.booleans())
@example({"e.xhtml": BODIES[0], "s.css": BODIES[1]}, True)
def test_a_document_is_read_by_its_own_name_wherever_it_is(
    served: tuple[Path, str], files: dict[str, bytes], deep: bool
) -> None:
    root, url = served
    store = fsspec.filesystem("memory")
    with tempfile.TemporaryDirectory(dir=root) as name:
        top = Path(name)
        folder = top / "ops" if deep else top
        folder.mkdir(exist_ok=True)
        for each, data in files.items():
            (folder / each).write_bytes(data)
            store.pipe(f"/{folder.relative_to(root)}/{each}", data)
        outer = Path(name).with_suffix(".xhtml")
        with zipfile.ZipFile(outer, "w") as packed, tarfile.open(f"{name}.css", "w") as tape:
            for each in files:
                inside = str((folder / each).relative_to(top))
                packed.write(folder / each, inside)
                tape.add(folder / each, inside)
        for each in files:
            inside = str((folder / each).relative_to(top))
            expected = _results(str(folder / each))
            assert _results(f"zip://{inside}::{outer}") == expected
            assert _results(f"tar://{inside}::{name}.css") == expected
            if not {*inside} & {*"?#:"}:
                assert _results(f"memory://{top.name}/{inside}") == expected
                web = url + f"{top.name}/{inside}".replace(" ", "%20")
                for asked in (web, f"{web}?v=1.css", f"{web}?v=a/b.xhtml#c.svg"):
                    assert _results(asked) == expected, asked


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.CHRTYPE, ""),
        (tarfile.FIFOTYPE, ""),
        (tarfile.SYMTYPE, "odd.html"),
        (tarfile.SYMTYPE, "other.html"),
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.LNKTYPE, "odd.html"),
        (tarfile.SYMTYPE, "folder"),
    ],
)
def test_a_member_of_an_archive_that_is_no_file(tmp_path: Path, kind: bytes, target: str) -> None:
    with tarfile.open(tmp_path / "odd.tar", "w") as file:
        for name, type, to in (
            ("odd.html", kind, target),
            ("other.html", tarfile.SYMTYPE, "odd.html"),
            ("folder", tarfile.DIRTYPE, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = type, to
            file.addfile(member)
    url = f"tar://odd.html::{tmp_path / 'odd.tar'}"
    (found,) = [each for each in documents([f"tar://::{tmp_path / 'odd.tar'}"]) if each.relative == "odd.html"]  # fmt: skip
    assert found.path == url
    with pytest.raises(UnreadableError, match="it is no regular file") as raised:
        list(linkfix.extract(url))
    assert raised.value.file == url


@given(st.lists(st.text("./ab\0", max_size=8), max_size=5))
def test_no_name_in_a_listing_leads_out_of_it(names: list[str]) -> None:
    answer = Listed()
    for name in names:
        answer.add(name, Object(1, 1))
    for prefix, files in answer.files.items():
        for name in files:
            path = Path(os.path.normpath(f"/root/{prefix}{name}"))
            assert str(path) == f"/root/{prefix}{name}"
            assert answer.find(prefix + name) == Object(1, 1)
    accepted = {prefix + name for prefix, files in answer.files.items() for name in files}
    assert accepted | {*answer.strange} == {*names}


def test_the_streams_of_the_library(store: Any) -> None:
    store.pipe("/a.html", b"<a href='x y'>t</a>")
    assert [link.value for link in linkfix.extract("memory://a.html")] == ["x y"]
    report = linkfix.rewrite("memory://a.html", "memory://new/a.html")
    assert report.changed == 1
    assert store.cat("/new/a.html") == b"<a href='x%20y'>t</a>"
    assert linkfix.verify("memory://a.html", "memory://new/a.html") is None
    linkfix.transcode("memory://a.html", "memory://new/b.html")
    assert b"utf-8" in store.cat("/new/b.html")


def test_a_reader_reads_again(store: Any) -> None:
    data = random.Random(7).randbytes(3_000_000)
    store.pipe("/big", data)
    with open_document("memory://big") as file:
        assert file.name == "memory://big"
        assert file.read(10) == data[:10]
        assert b"".join(chunks(file)) == data[10:]
        file.seek(5)
        assert file.read(7) == data[5:12]
    assert begin_of("memory://big", 100) == data[:100]
    assert not is_in("memory://big", "ascii")


def test_what_is_not_there() -> None:
    assert listed("memory://nothing") is None
    assert not is_folder("memory://nothing")
    with pytest.raises(UnreadableError, match="there is no such file; check the name"):
        open_document("memory://nothing")
    tally = Tally()
    assert [found.path for found in documents(["memory://nothing.html"], tally=tally)] == ["memory://nothing.html"]  # fmt: skip
    assert [*documents(["memory://nothing/*.html"], tally=tally)] == []
    assert [error.message for error in tally.errors] == ["there is no such folder", "no document matches this pattern"]  # fmt: skip


_DEATH = """
import os, signal
from fsspec.implementations.memory import MemoryFileSystem
from linkfix.files.entries import Tally
from linkfix.files.tree import Selection, documents
parent = os.getpid()
def die(*arguments, **settings):
    assert os.getpid() != parent
    os.kill(os.getpid(), signal.SIGKILL)
MemoryFileSystem.info = die
tally = Tally()
print([*documents(["memory://site"], Selection(), tally)], *tally.errors)
"""


def test_a_listing_whose_process_dies_is_an_error() -> None:
    # A process of its own, without threads: only such a one asks in a fork.
    done = subprocess.run(
        [sys.executable, "-c", _DEATH], capture_output=True, check=True, timeout=30, text=True
    )
    assert done.stdout.startswith(
        "[] memory://site: the process that worked on it was killed (SIGKILL)"
    )


def test_a_new_file_is_there_when_it_is_whole(store: Any) -> None:
    store.pipe("/a", b"old")

    def write() -> None:
        with creating("memory://a") as file:
            file.write(b"new" * 1_000_000)
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write()
    assert store.cat("/a") == b"old"
    group = Group()
    for name in "abc":
        with creating(f"memory://{name}", group=group) as file:
            file.write(name.encode() * 2_000_000)
    assert store.cat("/a") == b"old"
    assert group.commit() == [None] * 3
    assert store.cat("/c") == b"c" * 2_000_000


def test_no_new_file_is_outside_of_its_folder() -> None:
    for path in ("../a", "a/../b", "/a", "a//b", ".linkfix-x"):
        with pytest.raises(UnreadableError):
            place_in("memory://out", path)


class _FailingFile(MemoryFile):  # type: ignore[misc]
    """A file whose second part cannot be written."""

    discarded = 0

    def write(self, data: Any) -> int:
        if self.tell():
            raise ConnectionError("the connection broke off")
        return int(super().write(data))

    def discard(self) -> None:
        type(self).discarded += 1


class _Failing(MemoryFileSystem):  # type: ignore[misc]
    """A file system that is no object store, and fails at one step."""

    protocol = ("failing",)
    fails: str = ""

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.removeprefix("failing://")))

    def mv(self, *arguments: Any, **settings: Any) -> None:
        if self.fails == "mv":
            raise PermissionError("not you")
        super().mv(*arguments, **settings)

    def _open(self, path: str, mode: str = "rb", **settings: Any) -> Any:
        if self.fails == "open" and mode == "wb" and "data" not in settings:
            return _FailingFile(self, path)
        return super()._open(path, mode, **settings)


@pytest.mark.parametrize(
    ("fails", "size", "message"),
    [
        ("", 10, ""),
        ("", 20_000_000, ""),
        ("mv", 10, "cannot write it: not you"),
        ("open", 40_000_000, "cannot write it: the connection broke off|ConnectionError"),
    ],
)
def test_other_file_systems_rename_a_temporary_file(
    store: Any, monkeypatch: pytest.MonkeyPatch, fails: str, size: int, message: str
) -> None:
    fsspec.register_implementation("failing", _Failing, clobber=True)
    monkeypatch.setattr(_Failing, "fails", fails)
    monkeypatch.setattr(_FailingFile, "discarded", 0)
    store.pipe("/new/a", b"old")
    if not message:
        with creating("failing://new/a") as file:
            file.write(b"n" * size)
        assert store.cat("/new/a") == b"n" * size
    else:
        with pytest.raises(UnreadableError, match=message), creating("failing://new/a") as file:
            file.write(b"n" * size)
        assert store.cat("/new/a") == b"old"
        assert _FailingFile.discarded == (fails == "open")
    assert store.find("/new") == ["/new/a"]


@pytest.mark.parametrize(
    ("url", "error", "way_out"),
    [
        ("hdfs://host/a", OSError("Unable to load libjvm: x"), "set JAVA_HOME, HADOOP_HOME and CLASSPATH"),
        ("dbfs://host/a", TypeError("missing 2 arguments: 'instance' and 'token'"), "set it in the configuration of fsspec"),
    ],
)  # fmt: skip
def test_what_a_file_system_lacks_is_said_with_a_way_out(
    url: str, error: Exception, way_out: str
) -> None:
    with pytest.raises(UnreadableError, match=way_out), failing(url, "cannot read it"):
        raise error


@pytest.mark.parametrize(
    ("scheme", "package"),
    [("abfs", "adlfs"), ("gs", "gcsfs"), ("sftp", "paramiko"), ("smb", "smbprotocol")],
)
def test_a_missing_package_is_named(
    scheme: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(protocol: str) -> None:
        raise ImportError(f"no module for {protocol}")

    monkeypatch.setattr(fsspec, "get_filesystem_class", lacks)
    with pytest.raises(UnreadableError, match=rf"pip install 'linkfix\[remote\]' {package}"):
        check(f"{scheme}://host/a.html")
