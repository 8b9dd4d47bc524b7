"""Commands over remote files: an object store, a web server and archives, beside the same files on this machine."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import processes
import pytest
from archives import Archive
from click.testing import CliRunner
from objectstore import ObjectStore, StallingProxy, serving

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

fsspec = pytest.importorskip("fsspec", reason="remote paths need the extra remote")

HEAD = b"<!doctype html><meta charset=utf-8><title>t</title>"
SITE = {
    "index.html": HEAD + b"<a href='a b.html'>t</a> <a href=sub/page.html#there>t</a><a href=none.html>",
    "a b.html": HEAD + "<a href='index.html?q=ä'>t</a>".encode(),
    "sub/page.html": HEAD + b"<p id=there><a href='../index.html#nowhere'>t</a><img src='x y.png'>",
    "sub/x y.png": b"\x89PNG\r\n\x1a\n",
    "sub/Foo::Bar.3pm.html": HEAD + b"<a href=page.html>t</a><a href='/z|'>",
    "sub/none": HEAD + b"<a href='u v'>t</a>",
    "sub/empty": b"",
    "notes.txt": b"no document",
    "drafts/d.html": HEAD + b"<a href='d d'>",
    ".hidden/h.html": HEAD + b"<a href='h h'>",
    "sub.html": HEAD + b"<a href=sub/>t</a>",
    "e.xhtml": b"<html xmlns='http://www.w3.org/1999/xhtml'><head><script src='a b.js'/></head><a href='c d'/></html>",
    "s.css": b"a { background: url('x y') }",
    "_redirects": b"/none.html /index.html 301\n",
    "packed.svgz": gzip.compress(b"<svg xmlns='http://www.w3.org/2000/svg'><a href='g h'/></svg>", mtime=0),
    "feed.xml": b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='e f'/></feed>",
}  # fmt: skip


def linkfix(
    *arguments: str, cwd: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, cwd=cwd, env={**os.environ, **(environment or {})})


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectStore]:
    with serving() as found:
        found.bucket("site", {f"www/{path}": data for path, data in SITE.items()})
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same site on this machine."""
    for path, data in SITE.items():
        file = tmp_path / "www" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path


@pytest.fixture
def archive(tmp_path: Path) -> str:
    """The same site in an archive."""
    with zipfile.ZipFile(tmp_path / "site.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for path, data in SITE.items():
            file.writestr(f"www/{path}", data)
    return f"zip://www::{tmp_path / 'site.zip'}"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def local_name(text: bytes, root: str) -> bytes:
    head, mark, tail = root.partition("::")
    if mark:
        text = text.replace((mark + tail).encode(), b"")
    return text.replace(head.encode(), b"www")


OPTIONS = {
    "extract": ["--format", "jsonl", "--exclude", "/drafts/"],
    "audit": ["--exclude", "/drafts/", "--base", "https://example.org/", "-q"],
    "rewrite": ["--dry-run", "-q"],
    "graph": ["-q"],
}


@pytest.mark.parametrize("command", OPTIONS)
def test_an_archive_is_read_as_a_folder_is(
    command: str, folder: Path, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    here = CliRunner().invoke(cli, [command, *OPTIONS[command], "www"])
    there = CliRunner().invoke(cli, [command, *OPTIONS[command], archive])
    assert here.stdout
    assert local_name(there.stdout_bytes, archive) == here.stdout_bytes
    assert there.exit_code == here.exit_code
    assert local_name(there.stderr_bytes, archive) == here.stderr_bytes


def test_an_archive_is_rewritten_as_a_folder_is(
    folder: Path, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with tarfile.open(folder / "site.tar", "w") as file:
        file.add("www")
    sources = ("www", archive, f"tar://www::{folder / 'site.tar'}")
    for number, source in enumerate(sources):
        assert CliRunner().invoke(cli, ["rewrite", "-q", "-o", f"new{number}", source]).exit_code == 0  # fmt: skip
    new = [files(path) for path in sorted(folder.glob("new*"))]
    assert len(new) == 3
    assert new[0] == new[1] == new[2]
    assert new[0]["e.xhtml"].endswith(b"src='a%20b.js'/></head><a href='c%20d'/></html>")


@pytest.mark.parametrize(("command", "jobs"), [("extract", "1"), ("audit", "2")])
def test_an_object_store_is_read_as_a_folder_is(
    command: str, jobs: str, store: ObjectStore, folder: Path
) -> None:
    options = [*OPTIONS[command], "-j", jobs]
    here = linkfix(command, *options, "www", cwd=folder)
    there = linkfix(command, *options, "s3://site/www/", cwd=folder, environment=store.environment)
    assert here.stdout
    assert local_name(there.stdout, "s3://site/www") == here.stdout
    assert there.returncode == here.returncode
    assert there.stderr == here.stderr


def test_patterns_includes_and_verification(store: ObjectStore, folder: Path) -> None:
    here = linkfix("extract", "www/**/*.html", "www/sub", cwd=folder)
    names = ["s3://site/www/**/*.html", "s3://site/www/sub"]
    there = linkfix("extract", *names, cwd=folder, environment=store.environment)
    assert here.stdout
    assert local_name(there.stdout, "s3://site/www") == here.stdout
    same = linkfix("verify", "www", "s3://site/www", cwd=folder, environment=store.environment)
    assert (same.returncode, same.stderr) == (0, b"linkfix: 11 documents compared, 0 with a difference\n")  # fmt: skip


def test_a_rewrite_writes_the_same_bytes(store: ObjectStore, folder: Path) -> None:
    store.bucket("new", {})
    assert linkfix("rewrite", "-o", "new", "www", cwd=folder).returncode == 0
    expected = files(folder / "new")
    assert expected
    for source, target, jobs in (
        ("s3://site/www", "s3://new/a", "1"),
        ("www", "s3://new/b/", "2"),
        ("s3://new/a", "back", "2"),
    ):
        command = ["rewrite", "-j", jobs, "-o", target, source]
        done = linkfix(*command, cwd=folder, environment=store.environment)
        assert (done.returncode, b" documents" in done.stderr) == (0, True), done.stderr
    found = store.content("new")
    assert found == {f"{name}/{path}": data for path, data in expected.items() for name in "ab"}
    assert files(folder / "back") == expected
    assert not [*folder.glob(".linkfix-*")]


def _kill_in_an_upload(store: ObjectStore, command: list[str], cwd: Path) -> None:
    """Run a command; kill all of its processes when a large object is uploaded in part."""
    with StallingProxy(store.port, 4 * 1024 * 1024) as proxy:
        through = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.port}"}
        run = subprocess.Popen(
            [sys.executable, "-m", "linkfix", *command],
            cwd=cwd,
            env={**os.environ, **store.environment, **through},
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            assert proxy.stalled.wait(60)
        finally:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


@pytest.mark.nightly
@pytest.mark.parametrize("command", ["rewrite", "migrate"])
def test_a_killed_run_leaves_no_half_object_and_goes_on(
    command: str, store: ObjectStore, tmp_path: Path
) -> None:
    link = b"<a href='x y'>t</a>"
    big = HEAD + link + (b"<p>" + b"text " * 200 + b"</p>") * 18_000 + link
    site = tmp_path / "www"
    site.mkdir()
    for name, data in {**{f"{n}.html": SITE["a b.html"] for n in range(40)}, "z.html": big}.items():
        (site / name).write_bytes(data)
    bucket = f"killed-{command}"
    arguments = ["rewrite", "-o", f"s3://{bucket}", "www"]
    if command == "migrate":
        arguments = ["migrate", "--to", "uri", "www", f"s3://{bucket}"]
    arguments += ["--no-verify", "-j", "1"]
    old = {"z.html": b"old"} if command == "rewrite" else {}
    store.bucket(bucket, old)
    _kill_in_an_upload(store, arguments, tmp_path)
    before, content = store.changed(bucket), store.content(bucket)
    assert content.pop("z.html", None) == old.get("z.html")
    assert len(content) == 40
    if command == "rewrite":
        again = linkfix(*arguments, cwd=tmp_path, environment=store.environment)
        assert again.returncode == 2
        assert b"--resume" in again.stderr
    done = linkfix(*arguments, "--resume", cwd=tmp_path, environment=store.environment)
    assert done.returncode == (0 if command == "rewrite" else 1), done.stderr
    assert b" 42 links rewritten in 41 documents" in done.stderr or b": 42 rewritten" in done.stderr
    assert store.content(bucket)["z.html"] == big.replace(b"x y", b"x%20y")
    after = store.changed(bucket)
    assert {name for name in after if after[name] != before.get(name)} == {"z.html"}
    assert not [*tmp_path.glob(".linkfix-*")]


def test_a_migration_is_the_same_remote_and_here(store: ObjectStore, tmp_path: Path) -> None:
    old = {
        "index.html": "<meta charset=windows-1252><a href='ä.html?q=ä'>t</a><a href=sub/b.html#x>".encode("cp1252"),
        "ä.html": b"<meta charset=windows-1252><p>\xe4",
        "sub/b.html": b"<meta charset=windows-1252><p id=x>\xe4<!--#include virtual='/part.inc'-->",
        "part.inc": b"\xe4",
        "i.png": b"\x89PNG",
        "note.txt": b"\xe4",
        ".htaccess": b"AddDefaultCharset windows-1252\nRedirect 301 /moved.html /index.html\n",
    }  # fmt: skip
    for name, data in old.items():
        (tmp_path / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "old" / name).write_bytes(data)
    store.bucket("old", old)
    store.bucket("migrated", {})

    def migrate(source: str, target: str) -> tuple[int, bytes]:
        options = ["migrate", "--accept", "--rename", ".html=.htm", "--report", "report"]
        done = linkfix(*options, source, target, cwd=tmp_path, environment=store.environment)
        return done.returncode, done.stderr + (tmp_path / "report").read_bytes()

    expected = migrate("old", "new")
    new = files(tmp_path / "new")
    assert (expected[0], len(new)) == (1, 7)
    assert migrate("s3://old", "from") == expected
    assert files(tmp_path / "from") == new
    assert migrate("old", "s3://migrated/a") == expected
    assert store.content("migrated") == {f"a/{path}": data for path, data in new.items()}
    status, message = migrate("old", "s3://migrated/a")
    assert (status, b"s3://migrated/a: this folder is not empty" in message) == (2, True)
    assert not [*tmp_path.glob(".linkfix-*")]


_FAILING_UPLOAD = """
import io
from linkfix.files.remote.systems import upload
class File(io.BytesIO):
    def read(self, size=-1):
        if self.tell():
            raise OSError(5, "the disk is broken")
        return super().read(size)
try:
    upload("s3://failing/big", File(bytes(40_000_000)))
except Exception as error:
    print(error)
"""


def test_a_failed_upload_is_aborted(store: ObjectStore) -> None:
    store.bucket("failing", {"big": b"old"})
    done = subprocess.run(
        [sys.executable, "-c", _FAILING_UPLOAD],
        env={**os.environ, **store.environment},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == b"s3://failing/big: cannot write it: OSError: the disk is broken\n"
    assert store.content("failing") == {"big": b"old"}
    assert "Uploads" not in store.client.list_multipart_uploads(Bucket="failing")


def test_errors_name_the_url_the_cause_and_the_way_out(store: ObjectStore, tmp_path: Path) -> None:
    paths = ["s3://site/www/nothing.html", "s3://nothing/a.html", "s3://site/www/index.html"]
    done = linkfix("extract", *paths, cwd=tmp_path, environment=store.environment)
    messages = done.stderr.decode().splitlines()
    assert messages[0] == "linkfix: s3://site/www/nothing.html: cannot read it: The specified key does not exist; check the name"  # fmt: skip
    assert messages[1].startswith("linkfix: s3://nothing/a.html: cannot ")
    assert "The specified bucket does not exist" in messages[1]
    assert len(messages) == 2
    assert done.stdout.startswith(b"s3://site/www/index.html:1:61: a@href  a b.html\n")
    assert done.returncode == 3


def test_missing_credentials(store: ObjectStore, tmp_path: Path) -> None:
    environment = store.environment | {
        "AWS_ACCESS_KEY_ID": "",
        "AWS_SECRET_ACCESS_KEY": "",
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_CONFIG_FILE": os.devnull,
    }
    done = linkfix("extract", "s3://site/www", cwd=tmp_path, environment=environment)
    assert done.returncode == 3
    assert done.stderr.decode() == (
        "linkfix: s3://site/www: cannot list it: Unable to locate credentials; "
        "set them in the environment, or in the configuration of the package of this scheme\n"
    )


def test_names_that_lead_out_of_the_folder_are_passed_over(
    store: ObjectStore, tmp_path: Path
) -> None:
    names = ["../evil.html", "a//evil.html", "/evil.html", "./evil.html", "a/../../evil.html"]
    store.bucket("strange", {f"www/{name}": SITE["a b.html"] for name in [*names, "good\x1b.html"]})
    done = linkfix("rewrite", "-o", "out/new", "s3://strange/www", cwd=tmp_path, environment=store.environment)  # fmt: skip
    assert done.returncode == 3
    assert b"s3://strange/www: 5 of the names there are no paths of files, such as '" in done.stderr
    assert b"\x1b" not in done.stderr
    assert {name for name in files(tmp_path) if "linkfix-journal" not in name} == {"out/new/good\x1b.html"}  # fmt: skip


# --- HTTP -----------------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        data = SITE.get(self.path[1:])
        if data is None:
            if self.path == "/broken.html":
                self._break()
            else:
                self.send_error(403 if self.path == "/forbidden" else 404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _break(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        self.wfile.write(SITE["index.html"])

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def web() -> Iterator[tuple[str, list[str]]]:
    pytest.importorskip("aiohttp", reason="http:// needs aiohttp")
    asked: list[str] = []
    handler = type("Handler", (_Handler,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_documents_of_the_web_are_read_and_their_links_never_followed(
    web: tuple[str, list[str]], folder: Path
) -> None:
    url, asked = web
    names = ["index.html", "broken.html", "missing.html", "forbidden", "sub/page.html"]
    done = linkfix("audit", *(f"{url}/{name}" for name in names), cwd=folder)
    here = linkfix("audit", "www/index.html", "www/sub/page.html", cwd=folder)
    assert done.stdout.replace(url.encode(), b"www") == here.stdout
    messages = done.stderr.decode().splitlines()
    assert messages[0].startswith(f"linkfix: {url}/broken.html: cannot read it: ClientPayloadError")
    assert messages[1] == f"linkfix: {url}/missing.html: cannot read it: there is no such file; check the name"  # fmt: skip
    assert messages[2].startswith(f"linkfix: {url}/forbidden: cannot read it: ClientResponseError: 403")  # fmt: skip
    assert done.returncode == 3
    assert sorted(asked) == sorted(f"/{name}" for name in names)


# --- what is refused ------------------------------------------------------------------------------

REFUSED = {
    "rewrite -i s3://b/a.html": "--in-place needs files of this machine, not s3://b/a.html; write new documents with --output",
    "audit --fix memory://a": "--fix needs files of this machine, not memory://a; write new documents with linkfix rewrite -o",
    "audit --cache c memory://a": "--cache needs files of this machine, not memory://a",
    "audit --changed memory://a": "--changed needs files of this machine, not memory://a",
    "mv memory://a memory://b": "mv needs files of this machine, not memory://a",
    "extract sftp://me:secret@host/a": "sftp://me:***@host/a: a password in a URL is shown to everyone who lists processes",
    "extract file:///etc/passwd": "this file is on this machine; name its path",
    "extract zip://a.html": "this names no archive; put it after two colons: zip://::archive.zip",
    "extract box://a": "pip install 'linkfix[remote]'",
    "graph memory://nothing": "memory://nothing is no folder",
    "migrate memory://nothing new": "memory://nothing is no folder",
    "migrate --hard-link www memory://new": "--hard-link needs files of this machine",
    "rewrite -o https://example.org/ www": "nothing can be written to https://",
    "rewrite -o zip://::new.zip www": "nothing can be written to zip://",
}


@pytest.mark.parametrize("command", REFUSED)
def test_what_cannot_be_remote_is_refused(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(cli, command.split())
    assert REFUSED[command] in " ".join(done.output.split())
    assert "secret" not in done.output
    assert done.exit_code == 2
    assert {path.name for path in folder.iterdir()} == {"www"}


@pytest.mark.parametrize(("scheme", "package"), [("s3", "s3fs"), ("http", "aiohttp")])
def test_without_fsspec_the_error_says_what_to_install(
    scheme: str, package: str, folder: Path
) -> None:
    (folder / "fsspec.py").write_text("raise ModuleNotFoundError('No module named fsspec')")
    code = f"import sys; sys.path.insert(0, '.'); sys.argv = ['linkfix', 'extract', '{scheme}://b/a.html']; from linkfix.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 2
    said = b" ".join(done.stderr.split()).decode()
    assert f"{scheme}:// needs the packages fsspec and {package}: " in said
    assert f"pip install 'linkfix[remote]' {package}" in said


@pytest.mark.parametrize("command", ["extract", "audit", "rewrite"])
def test_a_web_archive_is_read_where_it_is(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = Archive()
    for number in range(3):
        crawl.add(f"http://a.example/{number}", SITE["index.html"])
    data = crawl.file.getvalue()
    (tmp_path / "www").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "crawl.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("www", data)
    monkeypatch.chdir(tmp_path)
    here = CliRunner().invoke(cli, [command, "www"])
    there = CliRunner().invoke(cli, [command, "zip://www::crawl.zip"])
    assert here.stdout_bytes
    assert local_name(there.stdout_bytes, "zip://www::crawl.zip") == here.stdout_bytes
    assert local_name(there.stderr_bytes, "zip://www::crawl.zip") == here.stderr_bytes


def test_the_root_of_a_site_is_remote(
    folder: Path, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    options = ["audit", "-q", "--base", "https://example.org/", "--root"]
    part = archive.replace("www::", "www/sub::")
    here = CliRunner().invoke(cli, [*options, "www", "www/sub"])
    there = CliRunner().invoke(cli, [*options, archive, part])
    assert here.stdout_bytes
    assert local_name(there.stdout_bytes, archive) == here.stdout_bytes
    outside = CliRunner().invoke(cli, [*options, part, archive])
    assert f"it is not below {part}" in outside.stderr
    nowhere = CliRunner().invoke(cli, [*options, "memory://nothing", archive])
    assert "memory://nothing is no folder" in nowhere.output


def test_json_has_the_url_of_the_document(archive: str, tmp_path: Path) -> None:
    done = linkfix("audit", "--format", "sarif", archive, cwd=tmp_path)
    results = json.loads(done.stdout)["runs"][0]["results"]
    places = {
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results
    }
    assert f"zip://www/index.html::{tmp_path}/site.zip" in places


def test_a_local_name_that_looks_like_a_url_is_read_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "s3:").mkdir()
    (tmp_path / "s3:/a.html").write_bytes(SITE["index.html"])
    done = linkfix("extract", "./s3://a.html", cwd=tmp_path)
    assert done.stdout
    with contextlib.suppress(FileNotFoundError):
        (tmp_path / "s3:/a.html").unlink()


def test_results_are_written_to_remote_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    here = CliRunner().invoke(cli, ["audit", "-q", "--format", "jsonl", "www"])
    there = CliRunner().invoke(
        cli, ["audit", "-q", "--format", "jsonl", "-o", "memory://results/findings.jsonl", "www"]
    )
    assert there.exit_code == here.exit_code == 1
    assert there.output == ""
    assert fsspec.filesystem("memory").cat("/results/findings.jsonl") == here.stdout_bytes
