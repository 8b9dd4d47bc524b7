"""Where redirects lead, as their files say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from serverfiles import read_redirects

from linkfix.charset import lookup
from linkfix.errors import LinkfixError
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.listing import survey
from linkfix.server.redirects.files import configured
from linkfix.server.redirects.rules import FOUND, UNKNOWN, Redirect
from linkfix.server.server import Answer, Server

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://h.example/"
NETLIFY = """\
# comment
/home              /                       # the root
/news/*            /blog/:splat            302
/store id=:id      /items/:id
/shop id=7         /seven
/:year/:name/p     /archive/:year/:name    301!
/api/*             https://api.example/:splat  200
/de/*              /german/:splat          301  Country=de
/out               https://other.example:8080/x?y#z
/gone              /404.html               404
/%C3%A9t%C3%A9     /été
http://x.example/y /never
"""
APACHE = b"""\
Redirect 301 /old/ /new/
Redirect permanent "/two words" /one
Redirect /dir https://other.example/d
Redirect gone /away
Redirect 404 /hidden
RedirectMatch 301 ^/m/(.*)\\.htm$ /n/$1.html?from=$1
RedirectPermanent /p /q
RedirectTemp /t /u
<Files x>
Redirect /never /x
</Files>
<IfModule mod_rewrite.c>
RewriteEngine on
RewriteRule ^r/([0-9]+)$ /s/$1 [R=301,L]
RewriteRule ^fix/ - [G]
RewriteCond %{HTTP_HOST} ^www
RewriteRule ^www/(.*)$ https://w.example/$1 [R,L]
RewriteRule ^k$ /l? [R,NC]
RewriteRule ^v/(.*)$ https://%{HTTP_HOST}/$1 [R]
RewriteRule ^e/(.*)$ https://%{ENV:X}/$1 [R]
RewriteRule . /index.php [L]
</IfModule>
"""
NGINX = """\
http { # a comment
  map $uri $moved { default ""; /Map.html "/to map.html"; "~^/mm/(\\d+)$" /n/$1; "\\/odd" /even; include x; }
  server {
    server_name h.example;
    rewrite ^/rw/(.*)$ /w/$1 permanent;
    rewrite ^/inner/(.*)$ /x/$1 last;
    location = /exact { return 301 /there; }
    location /pre/ { return 302 https://other.example$request_uri; }
    location /pre/in/ { }
    location ^~ /stop/ { return 308 /stopped$is_args$args; }
    location ~ \\.php$ { return 410; }
    location ~* ^/(?<lang>de|fr)/ { return 301 /l/$lang; }
    location /app/ { proxy_pass http://127.0.0.1:1; }
    location /var/ { return 301 $elsewhere; }
    location /out/ { location /out/in/ { return 301 /deep; } }
  }
}
"""


def said(name: str, text: str | bytes, uri: str) -> tuple[int, str] | None:
    data = text if isinstance(text, bytes) else text.encode()
    found = read_redirects(data, name, SITE)(SITE + uri)
    return None if found is None else (found.status, found.target.removeprefix(SITE))


@pytest.mark.parametrize(
    ("uri", "wanted"),
    [
        ("home", (301, "")), ("home/", (301, "")), ("homes", None), ("news", (302, "blog/")), ("news/a/b?q", (302, "blog/a/b?q")),
        ("store?id=7", (UNKNOWN, "items/:id?id=7")), ("store?id=8", (UNKNOWN, "items/:id?id=8")), ("store", (UNKNOWN, "items/:id")), ("shop?id=7&x", (301, "seven?id=7&x")), ("shop?id=8", None),
        ("2020/x/p", (301, "archive/2020/x")), ("api/v?q", (FOUND, "https://api.example/v?q")), ("de/x", (UNKNOWN, "german/x")),
        ("out", (301, "https://other.example:8080/x?y#z")), ("gone", (404, "404.html")), ("%C3%A9t%C3%A9", (301, "%C3%A9t%C3%A9")),
        ("y", None), ("Home", None),
    ],
)  # fmt: skip
def test_netlify(uri: str, wanted: tuple[int, str] | None) -> None:
    assert said("site/_redirects", NETLIFY, uri) == wanted


@pytest.mark.parametrize(
    ("uri", "wanted"),
    [
        ("old/x%20y?q", (301, "new/x%20y?q")), ("old", (FOUND, "index.php")), ("two%20words/z", (301, "one/z")), ("dir", (302, "https://other.example/d")),
        ("dir/e", (302, "https://other.example/d/e")), ("directory", (FOUND, "index.php")), ("away", (410, "")), ("hidden", (404, "")),
        ("m/a.htm", (301, "n/a.html?from=a")), ("m/a.html", (FOUND, "index.php")), ("p/x", (301, "q/x")), ("t", (302, "u")), ("never", (FOUND, "index.php")),
        ("r/12", (301, "s/12")), ("r/x", (FOUND, "index.php")), ("fix/x", (410, "")), ("www/x", (UNKNOWN, "")), ("k?q", (302, "l")), ("K", (302, "l")),
        ("v/x", (302, "x")), ("e/x", (302, "")),
    ],
)  # fmt: skip
def test_apache(uri: str, wanted: tuple[int, str] | None) -> None:
    if wanted == (FOUND, "index.php") or uri.startswith(("r/", "fix", "www", "k", "K", "v/", "e/")):
        assert said("site/.htaccess", APACHE, uri) == wanted
        return
    plain = APACHE.partition(b"<IfModule")[0]
    assert said("site/.htaccess", plain, uri) == wanted
    assert said("redirects.conf", plain, uri) == wanted


@pytest.mark.parametrize(
    ("uri", "wanted"),
    [
        ("Map.html", (301, "to%20map.html")), ("map.HTML?q", (301, "to%20map.html?q")), ("mm/12", (301, "n/12")), ("odd", (301, "even")),
        ("rw/a?q", (301, "w/a?q")), ("inner/a", (UNKNOWN, "")), ("exact", (301, "there")), ("exact/", None),
        ("pre/a?b", (302, "https://other.example/pre/a?b")), ("pre/in/a", None), ("stop/a.php?q", (308, "stopped?q")), ("x/a.php", (410, "")),
        ("pre/a.php", (410, "")), ("DE/a", (301, "l/DE")), ("app/x", (UNKNOWN, "")), ("var/x", (301, "")), ("out/in/x", (301, "deep")), ("out/x", None),
    ],
)  # fmt: skip
def test_nginx(uri: str, wanted: tuple[int, str] | None) -> None:
    assert said("nginx.conf", NGINX, uri) == wanted


def test_the_lines_of_a_map_are_read_as_migrate_writes_them() -> None:
    from linkfix.server.redirects.tables import table

    moved = [(f"{SITE}a b.html".replace(" ", "%20"), f"{SITE}ab.html"), (f"{SITE}~x", "https://o.example/"), (f"{SITE}c$d", f"{SITE}e$f")]  # fmt: skip
    nginx = table(moved, "nginx", base=SITE)
    csv = table(moved, "csv", base=SITE)
    for old, new in moved:
        path = old.removeprefix(SITE)
        target = new.removeprefix(SITE)
        assert said("moved.map", nginx, path) == (301, target.replace("$", "%24"))
        assert said("moved.csv", csv, path) == (301, target)
    assert said("moved.map", nginx, "other") is None


def test_a_map_redirects_a_page_with_any_query() -> None:
    """A rule with a query counts more, and a query of the target stays."""
    csv = b"/a.htm,/b.html\n/a.htm?id=1,/one.html\n/c.htm,/d?x=1\n"
    assert said("m.csv", csv, "a.htm?x=%20y") == (301, "b.html?x=%20y")
    assert said("m.csv", csv, "a.htm?id=1") == (301, "one.html")
    assert said("m.csv", csv, "c.htm?q") == (301, "d?x=1&q")
    assert said("m.csv", csv, "e.htm?q") is None


def test_what_cannot_be_read_is_an_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(LinkfixError, match="regular expression") as failed:
        read_redirects(b"# x\nRedirectMatch ( /y\n", "a/.htaccess", SITE)
    assert (failed.value.file, failed.value.line) == ("a/.htaccess", 2)
    for data, name in (
        (b"x" * (16 << 20) + b"yy", "_redirects"),
        (b"a,b,c,d\n", "x.csv"),
        (b"\xff,/b\n", "x.csv"),
    ):
        with pytest.raises(LinkfixError):
            read_redirects(data, name, SITE)
    for text in (
        "{" * 10_000,
        "}" * 10_000 + ";",
        'a "b;',
        "location / { return; }",
        "map $uri $x { a; b c d; }",
        "rewrite a;",
    ):
        assert said("x.conf", text + "\nx y;\n", "a") in {None, (UNKNOWN, "")}
    # A file that cannot be read is reported, and the others count.
    (tmp_path / "_redirects").write_text("/a /b\n")
    (tmp_path / ".htaccess").write_text("RedirectMatch ( /y\n")
    problems: list[LinkfixError] = []
    (tmp_path / "page.html").write_text("<p>no redirects")
    named = ["none.conf", str(tmp_path / "page.html")]
    serving = Serving(configuration=tuple(named))
    found, _ = configured(survey(str(tmp_path)), SITE, serving, problems.append)
    assert [each(f"{SITE}a") for each in found] == [Redirect(301, f"{SITE}b", is_forced=False)]
    assert len(problems) == 3
    assert str(problems[1]).startswith(f"{tmp_path}/page.html: nothing was found in it")


def test_redirects_are_followed_to_their_end(tmp_path: Path) -> None:
    for name in ("there.html", "docs/index.html", "old.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    rules = b"/1 /2\n/2 /there.html#x\n/out https://o.example/\n/no /none\n/d /docs\n/old.html /x\n/new /old.html\n/a /b\n/b /a\n/app /there.html 200\n"
    server = Server(
        survey(str(tmp_path)),
        SiteAddress.at(SITE),
        redirects=(read_redirects(rules, "_redirects", SITE),),
    )

    def answer(path: str) -> Answer | None:
        return server.answer(SITE + path, lookup("utf-8"))

    assert answer("1?q") == Answer("there.html", to=f"{SITE}there.html?q#x")
    assert answer("out") == Answer("", to="https://o.example/")
    assert answer("no") == Answer("", "missing", to=f"{SITE}none")
    assert answer("d") == Answer("docs/index.html", to=f"{SITE}docs/")
    assert answer("old.html") == Answer("old.html")
    assert answer("new") == Answer("old.html", to=f"{SITE}old.html")
    assert answer("a") == Answer("", "loop", to=f"{SITE}a")
    assert answer("app") == Answer("")
    assert server.answer("https://o.example/1", lookup("utf-8")) is None
