"""``linkfix audit --fix`` of links that the server redirects: they lead where the server has led them."""

from __future__ import annotations

import http.client
import re
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import apache
import nginx
import pytest
from click.testing import CliRunner

import linkfix
from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

APACHE = """\
Redirect 301 /old /new
Redirect 302 /tmp.html /new/x.html
Redirect permanent /chain /old/x.html
Redirect 308 /way /tmp.html
RedirectMatch 301 ^/m/(.*)\\.htm$ /new/$1.html?from=$1
RewriteEngine on
RewriteRule ^qsa$ /new/x.html?z=1 [R=301,QSA,L]
Redirect 301 /loop1 /loop2
Redirect 301 /loop2 /loop1
Redirect 301 /frag /new/x.html#there
Redirect 301 /step /frag
Redirect 301 /gone /none.html
Redirect 301 /out http://127.0.0.1:9/x
RedirectMatch 301 ^/odd/[[:alpha:]]$ /new/x.html
Redirect 301 /late /new/x.html
"""
NGINX = """\
location ^~ /old/ { rewrite ^/old/(.*)$ /new/$1 permanent; }
rewrite ^/m/(.*)\\.htm$ /new/$1.html?from=$1 permanent;
rewrite ^/qsa$ /new/x.html?z=1 permanent;
location = /tmp.html { return 302 /new/x.html$is_args$args; }
location = /chain { return 301 /old/x.html$is_args$args; }
location = /way { return 308 /tmp.html; }
location = /loop1 { return 301 /loop2; }
location = /loop2 { return 301 /loop1; }
location = /frag { return 301 /new/x.html#there; }
location = /step { return 301 /frag; }
location = /gone { return 301 /none.html; }
location = /out { return 301 http://127.0.0.1:9/x; }
"""
#: The links of a page below /d/, with what they become.
LINKS = {
    "../old/x.html": "../new/x.html", "/old/x.html?q=1#own": "/new/x.html?q=1#own", "../old/x.html#:~:text=a": "../new/x.html#:~:text=a",
    "/tmp.html": None, "/way": None, "../chain?a=%C3%A9": "../new/x.html?a=%C3%A9", "/m/x.htm": "/new/x.html?from=x", "/m/x.htm?y#own": "/new/x.html?from=x#own", "/qsa?y#own": "/new/x.html?z=1&amp;y#own",
    "/loop1": None, "/frag": "/new/x.html#there", "/frag#own": "/new/x.html#there", "/step#own": "/new/x.html#there", "../gone": None, "/out#x": "http://127.0.0.1:9/x#x",
    "../dir": "../dir/", "/dir?q": "/dir/?q", " ../old/x.html\n": "../new/x.html", "/old/x.html?a=b&amp;c": "/new/x.html?a=b&amp;c", "/old/y%20z.html": "/new/y%20z.html",
    "../new/x.html": None, "../new/\u00e9.html": None, "/old/%C3%A9.html": "/new/%C3%A9.html",
}  # fmt: skip
PAGE = '<!doctype html><meta charset="utf-8">'
LEFT = """\
<!-- linkfix: ignore TGT007 --><a href=" /old/x.html"></a>
<form action="/old/x.html"><button formaction="/old/x.html"></button></form>
"""


def site(root: Path) -> Path:
    files = {"index.html": "", "new/x.html": '<p id="there"><p id="own">', "new/y z.html": "", "new/\u00e9.html": "", "dir/index.html": ""}  # fmt: skip
    links = "".join(f'<a href="{value}">x</a>\n' for value in LINKS)
    for name, text in (files | {"d/page.html": links + LEFT}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(PAGE + text, "utf-8")
    return root


def audit(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["audit", "--exit-zero", "--ignore", "TGT014", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def end(origin: str, uri: str) -> tuple[str, int]:
    """Follow a link as a browser does; return where it ends, with the status there."""
    with closing(http.client.HTTPConnection(urlsplit(origin).netloc, timeout=20)) as connection:
        for _ in range(6):
            here, mark, fragment = uri.partition("#")
            if not here.startswith(origin):
                return uri, 0
            connection.request("GET", here.removeprefix(origin))
            response = connection.getresponse()
            response.read()
            assert response.status in {200, 301, 302, 308, 404}
            if response.status in {200, 404}:
                return re.sub("%[0-9a-f]{2}", lambda found: found[0].upper(), uri), response.status
            to = urljoin(here, response.headers["Location"])
            uri = to if "#" in to else f"{to}{mark}{fragment}"
    return "a loop", 0


@pytest.mark.parametrize("program", [apache, nginx], ids=["apache", "nginx"])
def test_a_link_ends_where_the_server_has_led_it(tmp_path: Path, program: ModuleType) -> None:
    if why := program.missing():
        pytest.skip(why)
    root = site(tmp_path / "top" / "site")
    rules = root / ".htaccess" if program is apache else tmp_path / "rules.conf"
    rules.write_text(APACHE if program is apache else NGINX)  # fmt: skip
    more = "LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so" if program is apache else f'include "{rules}";'  # fmt: skip
    page = root / "d" / "page.html"
    with program.serving(root, tmp_path / "top" / "state", more) as origin:
        place = f"{origin}/d/page.html"
        before = [link.resolved or "" for link in linkfix.extract(page.read_bytes(), base=place)]
        audit("--fix", *(() if program is apache else ("--server-config", str(rules))), str(root))
        links = [*linkfix.extract(page.read_bytes(), base=place)]
        for old, link in zip(before, links, strict=True):
            assert end(origin, link.resolved or "") == end(origin, old), link.value
    # A pattern of nginx matches the octets of a letter, that of linkfix the letter. nginx joins queries.
    other = {"/old/%C3%A9.html": "", "/m/x.htm?y#own": "/new/x.html?from=x&amp;y#own"}
    wanted = {**LINKS, **other} if program is nginx else LINKS
    expected = [new or value for value, new in wanted.items()]
    new = [link.raw.decode() for link in links]
    assert new == [*expected, " /old/x.html", "/old/x.html", "/old/x.html"]


def test_without_a_base_or_with_one_it_is_the_same(tmp_path: Path) -> None:
    """A diff changes nothing, and shows what a fix does; temporary redirects only on request."""
    root = site(tmp_path / "site")
    (root / ".htaccess").write_text(APACHE)
    page = root / "d" / "page.html"
    old = page.read_text("utf-8")
    diff = audit("--diff", str(root))
    assert page.read_text("utf-8") == old
    assert '+<a href="/new/x.html?q=1#own">' in diff
    assert '+<a href="/tmp.html">' not in diff
    based = audit("--diff", "--base", "https://h.example/", "--root", str(root), str(root))
    assert based == diff
    asked = audit("--diff", "--fix-temporary", str(root))
    assert asked.count('-<a href="/tmp.html">') == asked.count('-<a href="/way">') == 1
    audit("--fix", "-j", "2", str(root))
    new = page.read_text("utf-8")
    report = audit("--fix", str(root))
    assert page.read_text("utf-8") == new.replace('" /old', '"/old') != old
    assert "redirected to /new/x.html for the time being" in report


@pytest.mark.parametrize(
    "rules",
    [
        "RedirectMatch 301 ^/a$|[[:alpha:]]{9} /b.html", "<Files x>\nRedirect 301 /x /y\n</Files>\nRedirect 301 /a /b.html",
        "RewriteEngine on\nRewriteCond %{QUERY_STRING} x\nRewriteRule ^x - [L]\nRedirect 301 /a /b.html", "RewriteEngine on\nRewriteRule ^a$ /b.html [R=301]",
        "RewriteEngine on\nRewriteCond %{HTTP_HOST} x\nRewriteRule ^a$ /b.html [R=301,L]",
        "RewriteEngine on\nRewriteRule ^(.*)x(?=y)$ /z [R=301,L]\nRewriteRule ^a$ /b.html [R=301,L]",
        "server { if ($x) { return 301 /c; } location = /a { return 301 /b.html; } }", "server { return 301 /c; location = /a { return 301 /b.html; } }",
        "include more; location = /a { return 301 /b.html; }", "server { rewrite ^/a$ /b.html permanent; } server { listen 81; }",
        "rewrite ^/(?>a)$ /b.html permanent;", "location = /a { return 302 /b.html; }", "location = /a { return 301 $other; }",
    ],
)  # fmt: skip
def test_what_another_rule_may_decide_is_left(tmp_path: Path, rules: str) -> None:
    """The same rules without what is uncertain are followed."""
    root = tmp_path / "site"
    root.mkdir()
    (root / "b.html").write_text(PAGE)
    page = root / "a.html"
    page.write_text(f'{PAGE}<a href="a">x</a>')
    file = tmp_path / "rules"
    for text, is_fixed in ((rules, False), ("Redirect 301 /a /b.html\nRedirect /tmp /x", True)):
        file.write_text(text)
        audit("--fix", "--server-config", str(file), str(root))
        assert ('href="b.html"' in page.read_text()) == is_fixed


def test_a_folder_with_rules_of_its_own_decides_itself(tmp_path: Path) -> None:
    root = tmp_path / "site"
    for name, text in {"d/.htaccess": "RewriteEngine on\nRedirect 301 /d/a /c.html", "b.html": "", "c.html": "", ".htaccess": "Redirect 301 /d/a /b.html\nRedirect 301 /e/a /b.html", "a.html": '<a href="d/a">x</a><a href="e/a">x</a>'}.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(PAGE * name.endswith("html") + text)
    audit("--fix", str(root))
    assert (root / "a.html").read_text() == f'{PAGE}<a href="c.html">x</a><a href="b.html">x</a>'


def test_a_part_of_pages_in_one_folder_is_fixed_there_and_one_of_several_is_left(
    tmp_path: Path,
) -> None:
    link = '<a href="x.html">1</a>'
    files = {"a/p.shtml": '<!--#include virtual="/inc/one.inc" --><!--#include virtual="/inc/two.inc" -->',
             "b/p.shtml": '<!--#include virtual="/inc/two.inc" -->', "inc/one.inc": f"1 {link}", "inc/two.inc": f"2 {link}", "a/y.html": "", "b/x.html": ""}  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text if name.endswith("inc") else PAGE + text)
    (tmp_path / ".htaccess").write_text("Redirect 301 /a/x.html /a/y.html\n")
    audit("--fix", str(tmp_path))
    assert (tmp_path / "inc/one.inc").read_text() == '1 <a href="y.html">1</a>'
    assert (tmp_path / "inc/two.inc").read_text() == f"2 {link}"
