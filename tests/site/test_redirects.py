"""Tables of redirects, read back by the rules of the servers that read them."""

from __future__ import annotations

import csv
import io
import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest

from linkfix.site.redirects import table

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
    """What ngx_http_map_module gives for a decoded URI: strings first, in any case, then patterns."""
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
    """What a txt RewriteMap gives for a URI that was decoded and then escaped by ``int:escape``."""
    key = re.sub(rb"[^A-Za-z0-9$_.+!*'(),:;@&=/~-]", lambda m: b"%%%02x" % ord(m[0]), uri)
    rows = (line.split() for line in text.splitlines() if not line.startswith(b"#"))
    return {row[0]: row[1] for row in rows}.get(key)


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
