"""Tables of redirects, read back by the rules of the servers that read them."""

from __future__ import annotations

import contextlib
import csv
import http.client
import io
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit
from xml.etree import ElementTree as ET

import pytest
from ports import reserved

from linkfix.server.redirects.tables import rules, shortened, table

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE = "http://old.example/"
NAMES = (
    b"plain.htm",
    b"\x95\x5c.htm",
    b"a b.htm",
    b'say "x".htm',
    b"cost $5 {x}; #1.htm",
    b"back\\slash.htm",
    b"line\nfeed.htm",
    b"~tilde.htm",
    b"(a+b).htm",
    b"semi;colon.htm",
    b"100%.htm",
)
ROWS = [(f"{BASE}{quote_from_bytes(name)}", f"{BASE}new/{n}.html") for n, name in enumerate(NAMES)]


def nginx_map(text: bytes, uri: bytes) -> bytes | None:
    """The result of ngx_http_map_module for a decoded URI: strings first, in any case, then patterns."""
    tokens = re.findall(rb'"((?:[^"\\]|\\.)*)"', re.sub(rb"(?m)^#.*\n", b"", text), re.DOTALL)
    words = [re.sub(rb'\\(["\\])', rb"\1", token) for token in tokens]
    rows = list(zip(words[::2], words[1::2], strict=True))
    plain = {key.removeprefix(b"\\").lower(): new for key, new in rows if key[:1] != b"~"}
    assert len(plain) == sum(key[:1] != b"~" for key, _ in rows), "nginx: conflicting parameter"
    if (found := plain.get(uri.lower())) is not None:
        return found
    for key, new in rows:
        if key[:1] == b"~" and re.search(key[1:].replace(rb"\z", rb"\Z"), uri):
            return new
    return None


def apache_map(text: bytes, uri: bytes) -> bytes | None:
    """The result of a txt RewriteMap for a URI that was decoded and then escaped by ``int:escape``."""
    key = re.sub(rb"[^A-Za-z0-9$_.+!*'(),:;@&=/~-]", lambda m: b"%%%02x" % ord(m[0]), uri)
    rows = (line.split() for line in text.splitlines() if not line.startswith(b"#"))
    return {row[0]: row[1] for row in rows}.get(key)


def by_patterns(text: str, form: str, request: str) -> str | None:
    """The place of a request as it was sent, by the regular expressions of a table for Caddy or IIS."""
    if form == "caddy":
        rows = [
            (row[1:], new)
            for row, new in re.findall(r'^\t"([^"]*)" "([^"]*)"$', text, re.MULTILINE)
        ]
    else:
        rows = [
            (each.find("conditions/add").attrib["pattern"], each.find("action").attrib["url"])  # type: ignore[union-attr]
            for each in ET.fromstring(text).iter("rule")
        ]
    for pattern, new in rows:
        if found := re.fullmatch(pattern, request):
            return re.sub(r"\$\{1\}|\{C:1\}", lambda _: found[1] or "", new)
    return None


@pytest.mark.parametrize("form", ["caddy", "iis"])
def test_every_spelling_of_a_request_is_redirected(form: Literal["caddy", "iis"]) -> None:
    queries = [(f"{BASE}page.cgi?doc=1&l=%93%FA.b", f"{BASE}q.html"), (f"{BASE}z", f"{BASE}y?a=$1")]
    text = table([*ROWS, *queries], form, base=BASE).decode("ascii")
    for old, new in ROWS:
        local = new.removeprefix("http://old.example")
        path = old.removeprefix("http://old.example")
        for spelled in {path, re.sub("%..", lambda found: found[0].lower(), path)}:
            assert by_patterns(text, form, spelled) == local
            assert by_patterns(text, form, f"{spelled}?x=%FF") == f"{local}?x=%FF"
    assert (
        by_patterns(text, form, "/plain%2Ehtm")
        == by_patterns(text, form, "/plain%2ehtm")
        == "/new/0.html"
    )
    assert by_patterns(text, form, "/page.cgi?doc=1&l=%93%fa.b") == "/q.html"
    assert by_patterns(text, form, "/z?b") == ("/y?a=%241" if form == "caddy" else "/y?a=$1")
    for other in (
        "/PLAIN.htm",
        "/plainXhtm",
        "/page.cgi",
        "/page.cgi?doc=1&l=%93%FAxb",
        "/new/0.html",
    ):
        assert by_patterns(text, form, other) is None


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_every_name_is_redirected(number: int) -> None:
    old, new = ROWS[number]
    uri = b"/" + NAMES[number]
    local = new.removeprefix("http://old.example")
    assert nginx_map(table(ROWS, "nginx", base=BASE), uri) == local.encode()
    assert apache_map(table(ROWS, "apache", base=BASE), uri) == local.encode()
    rows = list(csv.DictReader(io.StringIO(table(ROWS, "csv", base=BASE).decode("ascii"))))
    assert rows[number] == {"old": old.removeprefix("http://old.example"), "new": local}
    assert unquote_to_bytes(rows[number]["old"]) == uri


def test_a_dollar_sign_is_no_variable_of_nginx() -> None:
    text = table([(f"{BASE}a", f"{BASE}cost$5")], "nginx", base=BASE)
    assert nginx_map(text, b"/a") == b"/cost%245"


def test_nobody_is_redirected_from_a_name_that_differs_in_case_alone() -> None:
    rows = [(f"{BASE}A.htm", f"{BASE}a.html"), (f"{BASE}B.htm", f"{BASE}b.htm")]
    text = table(rows, "nginx", base=BASE, standing=[f"{BASE}a.htm"])
    assert nginx_map(text, b"/A.htm") == b"/a.html"
    assert nginx_map(text, b"/a.htm") is None
    assert nginx_map(text, b"/B.htm") == b"/b.htm"
    assert nginx_map(text, b"/b.htm") is None, "a loop"


def test_a_new_host_is_named() -> None:
    rows = [(f"{BASE}a", "https://new.example/b")]
    assert nginx_map(table(rows, "nginx", base=BASE), b"/a") == b"https://new.example/b"
    assert apache_map(table(rows, "apache", base=BASE), b"/a") == b"https://new.example/b"
    assert table(rows, "csv", base=BASE) == b"old,new\r\n/a,https://new.example/b\r\n"
    assert table(rows, "netlify", base=BASE) == b"/a https://new.example/b 301\n"


#: Names of Japanese folders, three deep, whose line in a map has about the length that Apache reads.
LONG = [b"/".join([b"\x93\xfa\x96{" * 7] * 3)[:length] + b".htm" for length in (60, 170, 330, 700)]
EDGE = [b"e" * length + b"/%$(a)\\ \x82;&.htm" for length in range(985, 1012)]


def test_nothing_is_cut_that_apache_would_cut() -> None:
    names = [*NAMES, *LONG, *EDGE]
    rows = [(f"{BASE}{quote_from_bytes(name)}", f"{BASE}n/{n}") for n, name in enumerate(names)]
    lines = table(rows, "apache", base=BASE).splitlines(keepends=True)
    assert all(len(line) < 1024 for line in lines)
    head, *lines_more = rules(rows, "apache", base=BASE)
    assert all(line.startswith(b"#") for line in head.splitlines())
    semicolons = sum(b";" in name for name in names)  # these have two lines
    mapped = {line.split()[1] for line in lines if not line.startswith(b"#")}
    ruled = {line.split(b'"')[3] for line in lines_more}
    assert not mapped & ruled
    assert len(mapped) + len(ruled) == len(names)
    assert semicolons
    assert rules(ROWS, "apache", base=BASE) == [head]
    assert b"Include" not in table(ROWS, "apache", base=BASE)


@pytest.fixture(scope="module")
def apache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """An Apache on the loopback address: its port, and where it reads the table from."""
    program, modules = (
        shutil.which("apache2", path="/usr/sbin:/usr/bin"),
        Path("/usr/lib/apache2/modules"),
    )
    if program is None or not modules.is_dir():
        pytest.skip("there is no apache2 here")
    folder = tmp_path_factory.mktemp("apache")
    with reserved() as port:
        names = [*NAMES, *LONG, *EDGE]
        rows = [
            (f"{BASE}{quote_from_bytes(name)}", f"{BASE}new/{quote_from_bytes(name)}")
            for name in names
        ]
        (folder / "moved").write_bytes(table(rows, "apache", base=BASE))
        (folder / "moved.conf").write_bytes(b"".join(rules(rows, "apache", base=BASE)))
        loaded = [
            f"LoadModule {name}_module {modules}/mod_{name}.so\n"
            for name in ("mpm_event", "authz_core", "rewrite")
            if (modules / f"mod_{name}.so").exists()
        ]
        # The lines that the head of the table says are to be put there.
        lines = [
            line[1:].strip()
            for line in (folder / "moved").read_text().splitlines()
            if line.startswith("#     ")
        ]
        text = "\n".join(lines).replace("/path/of/this/file", str(folder / "moved"))
        (folder / "httpd.conf").write_text(
            f"{''.join(loaded)}ServerRoot {folder}\nServerName old.example\nListen 127.0.0.1:{port}\n"
            f"PidFile {folder}/pid\nErrorLog {folder}/log\nDocumentRoot {folder}\nMutex posixsem\n{text}\n"
        )
        server = subprocess.Popen(
            [program, "-X", "-f", folder / "httpd.conf"], stderr=subprocess.PIPE
        )
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                assert server.poll() is None, server.communicate()[1]
                time.sleep(0.1)
            yield port, folder
        finally:
            server.terminate()
            server.communicate()


@pytest.mark.parametrize("name", [*NAMES, *LONG, *EDGE])
def test_apache_redirects(apache: tuple[int, Path], name: bytes) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", apache[0], timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", f"/{quote_from_bytes(name)}?q=1", headers={"Host": "old.example"})
        answer = connection.getresponse()
        assert answer.status == 301
        assert urlsplit(answer.headers["Location"]).path == f"/new/{quote_from_bytes(name)}"


def test_no_redirect_leads_to_another_one_or_in_a_circle() -> None:
    rows = [("a", "b"), ("b", "c"), ("x", "y"), ("y", "x"), ("in", "x"), ("s", "s"), ("d", "e")]
    kept, circles = shortened(rows)
    assert kept == [("a", "c"), ("b", "c"), ("d", "e")]
    assert circles == ["x", "y", "in", "s"]
