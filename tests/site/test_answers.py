"""What the model answers by the files of a server is what Apache and nginx answer."""

from __future__ import annotations

import http.client
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import apache
import nginx
import pytest

from linkfix.charset import lookup
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.server import Server, server_of

if TYPE_CHECKING:
    from pathlib import Path

    from linkfix.errors import LinkfixError

SITE = "http://127.0.0.1/"
UTF8 = lookup("utf-8")
FILES = {
    ".htaccess": "Redirect 301 /old /new\nRedirect /top/x /a.html\nRewriteEngine on\nRewriteRule ^kw$ /a.html [L]\n"
    "RewriteRule ^lost$ /nothing.html [L]\nRewriteRule ^r/(.*)$ new/$1 [R=301,L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^fall/ /a.html [L]\n"
    "ErrorDocument 404 /a.html\n",
    "a.html": "", "new/b.html": "", "new/index.html": "", "fall/here.html": "", "top/x/y.html": "", "deep/.htaccess": "AcceptPathInfo On\nRedirect /deep/er/out /a.html\n",
    "deep/a.html": "", "deep/er/b.html": "", "deep/er/.htaccess": "Redirect /deep/er/in /a.html\n", "plain/a.html": "",
    "rules/.htaccess": "RewriteEngine on\nRewriteRule ^one$ two.html\nRewriteRule ^three$ two.html [R,L]\n", "rules/two.html": "", "rules/sub/two.html": "",
    "base/.htaccess": "RewriteEngine on\nRewriteBase /rules\nRewriteRule ^x$ two.html [R=301,L]\n", "base/x.html": "",
    "map/page.var": "URI: page.html.en\nContent-Language: en\nContent-Type: text/html\n", "map/page.html.en": "", "map/.htaccess": "AddHandler type-map .var\n",
    "shop/x.html": "", "shop/start.htm": "", "own/first.htm": "", "own/index.html": "", "cgi/x.html": "", "kept/b.html": "",
}  # fmt: skip
ASKED = [
    "", "a.html", "old", "old/", "old/b.html", "old/c.html", "oldest", "top/x", "top/x/y.html", "kw", "kw?q=1", "lost", "r/b.html", "r/c.html", "fall/here.html", "fall/x",
    "deep/a.html/more", "deep/a.html/more?x", "plain/a.html/more", "deep/er/out", "deep/er/in", "deep/er/b.html/x", "rules/one", "rules/three", "rules/sub/one", "rules/kw",
    "rules/lost", "base/x", "base/one", "map/page.var", "map/page.html.en", "shop/", "shop", "own/", "img/x.html", "img/gone.html", "elsewhere/", "away/x", "bin/any", "new/",
    "plain/", "kept/b.html", "s/x.html", "s/gone", "about", "about.html", "app/any/thing", "gone", "back/1", "shown/x",
]  # fmt: skip
APACHE = """
LoadModule alias_module {modules}/mod_alias.so
DocumentRoot "{root}"
Alias "/img/" "{root}/shop/"
Redirect 301 /away /plain
RewriteEngine on
RewriteRule ^/back/([0-9]+)$ /new/b.html?$1 [R=302,L]
<Directory "{root}/shop">
    DirectoryIndex start.htm
</Directory>
<Directory "{root}/own">
    DirectoryIndex first.htm
    <IfModule mod_alias.c>
        RedirectMatch ^/elsewhere/$ /kept/
    </IfModule>
</Directory>
"""
NGINX = """
server {{
    root "{root}";
    index index.html;
    rewrite ^/back/([0-9]+)$ /new/b.html?$1 redirect;
    location /shop/ {{ index start.htm; }}
    location /own/ {{ index first.htm; }}
    location /img/ {{ alias "{root}/shop/"; }}
    location /away/ {{ return 301 /new/; }}
    location /s/ {{ try_files $uri $uri.html =404; }}
    location /app/ {{ try_files $uri /a.html; }}
    location /shown/ {{ try_files $uri @named; }}
    location @named {{ return 404; }}
    location = /old {{ return 301 /new/$is_args$args; }}
}}
"""


#: What sites commonly have in their `.htaccess` file, and how many of `COMMONLY_ASKED` are there then.
COMMON = {
    "RewriteCond %{HTTP_HOST} ^old\\.example$ [NC,OR]\nRewriteCond %{HTTPS} =on\nRewriteRule ^(.*)$ http://new.example/$1 [R=301,L]": 3,
    "RewriteCond %{HTTPS} =on\nRewriteCond %{REQUEST_URI} !^/\\.well-known/\nRewriteRule ^ http://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]": 3,
    "RewriteCond %{HTTP_HOST} ^www\\.(.+)$ [NC]\nRewriteRule ^(.*)$ http://%1/$1 [R=301,L]": 3,
    "RewriteCond %{HTTP_USER_AGENT} BadBot [OR]\nRewriteCond %{HTTP_REFERER} spam\nRewriteRule .* - [F,L]": 3,
    "RewriteBase /\nRewriteRule ^a\\.html$ - [L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule . /a.html [L]": 6,
    "RewriteCond %{REQUEST_FILENAME} -f [OR]\nRewriteCond %{REQUEST_FILENAME} -d\nRewriteRule ^.*$ - [NC,L]\nRewriteRule ^.*$ /a.html [NC,L]": 6,
    "RewriteCond %{REQUEST_FILENAME} !-d\nRewriteCond %{REQUEST_FILENAME}\\.html -f\nRewriteRule ^(.*)$ $1.html [L]": 4,
    "FallbackResource /a.html": 6,
    "FallbackResource /a.html\nRewriteRule ^nothing$ /lost/none [R=404,L]": 5,
    "RewriteRule ^new/ - [L]\nRewriteRule ^(.*)$ /nothing [L]": 1,
    "RewriteRule ^lost/(.*)$ http://%{HTTP_HOST}/new/$1 [R=301,L]": 4,
    "RewriteRule ^(a|nothing)$ %{REQUEST_URI}.html [L]": 4,
}  # fmt: skip
COMMONLY_ASKED = ["a.html", "new/b.html", "plain/a.html", "a", "nothing", "lost/b.html"]


def status(origin: str, path: str) -> int:
    """Return the last status for a path, redirects followed."""
    host = urlsplit(origin)
    for _ in range(10):
        with closing(http.client.HTTPConnection(host.hostname or "", host.port)) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            place = response.headers["Location"]
        if response.status not in {301, 302} or place is None:
            return response.status
        parts = urlsplit(urljoin(origin + path, place))
        path = parts.path + (f"?{parts.query}" if parts.query else "")
    return 508


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path / "site"


def served(root: Path, config: str) -> Server:
    file = root.parent / "server.conf"
    file.write_text(config)
    problems: list[object] = []
    server = server_of(
        str(root), SiteAddress(SITE), Serving(configuration=(str(file),)), problems.append
    )
    assert problems == []
    return server


def check(server: Server, origin: str) -> int:
    there = 0
    for path in ASKED:
        code = status(origin, f"/{path}")
        answer = server.answer(SITE + path, UTF8)
        assert answer is not None
        assert (answer.reason is None) == (code == 200), (path, code, answer)
        there += code == 200
    return there


def test_apache_answers_as_the_model_does(root: Path, tmp_path: Path) -> None:
    if why := apache.missing():
        pytest.skip(why)
    more = APACHE.format(root=root, modules=apache.MODULES)
    with apache.serving(root, tmp_path / "state", more) as origin:
        assert check(served(root, more + "DirectoryIndex index.html\n"), origin) > 20


def test_nginx_answers_as_the_model_does(root: Path, tmp_path: Path) -> None:
    if why := nginx.missing():
        pytest.skip(why)
    for file in root.rglob(".htaccess"):
        file.unlink()
    text = NGINX.format(root=root)
    inside = "\n".join(text.splitlines()[4:-1])
    with nginx.serving(root, tmp_path / "state", inside) as origin:
        assert check(served(root, text), origin) > 12


def test_what_sites_commonly_have_is_read(root: Path, tmp_path: Path) -> None:
    if why := apache.missing():
        pytest.skip(why)
    for file in root.rglob(".htaccess"):
        file.unlink()
    with apache.serving(root, tmp_path / "state", "RewriteEngine on") as origin:
        for text, there in COMMON.items():
            (root / ".htaccess").write_text(
                f"DirectoryIndex index.html\nRewriteEngine on\n{text}\n"
            )
            problems: list[object] = []
            server = server_of(str(root), SiteAddress(SITE), Serving(), problems.append)
            found = {path: server.answer(SITE + path, UTF8) for path in COMMONLY_ASKED}
            ours = {
                path: answer is not None and answer.reason is None for path, answer in found.items()
            }
            theirs = {path: status(origin, f"/{path}") == 200 for path in COMMONLY_ASKED}
            assert ours == theirs, text
            assert [sum(theirs.values()), problems] == [there, []], text


def test_virtual_hosts_that_only_lead_to_another_host_are_passed_over(root: Path) -> None:
    host = "<VirtualHost *:443>\n{}\n</VirtualHost>\n"
    before = (
        f"<VirtualHost *:80>\n  ServerName h.example\n  {each}\n</VirtualHost>\n"
        for each in (
            "Redirect permanent / https://h.example/", 'Redirect / "https://h.example"', "RewriteEngine on\n  RewriteRule ^(.*)$ https://%{HTTP_HOST}$1 [R=301,L]",
        )
    )  # fmt: skip
    inside = APACHE.format(root=root, modules=apache.MODULES)
    ours, wanted = (served(root, text) for text in ("".join(before) + host.format(inside), inside))
    for path in ASKED:
        assert ours.answer(SITE + path, UTF8) == wanted.answer(SITE + path, UTF8)


#: What certbot and others write before the server of a site.
BEFORE = """
server {{ listen 80; server_name h.example www.h.example; return 301 https://h.example$request_uri; }}
server {{
    if ($host = www.h.example) {{ return 301 https://$host$request_uri; }} # managed
    listen 80; server_name www.h.example; return 404;
}}
"""


def test_servers_of_nginx_that_only_lead_to_another_host_are_passed_over(root: Path) -> None:
    inside = NGINX.format(root=root)
    condition = "if ($http_host != h.example) { return 308 $scheme://h.example$request_uri; }\n"
    types = "include /etc/nginx/mime.types;\n"
    whole = (
        types
        + BEFORE.format()
        + inside.replace("index index.html;", f"index index.html;\n{condition}", 1)
    )
    ours, wanted = served(root, whole), served(root, inside)
    for path in ASKED:
        assert ours.answer(SITE + path, UTF8) == wanted.answer(SITE + path, UTF8)
    config = inside.replace("index index.html;", "include more;\nif ($args) { return 301 /x; }", 1)
    (root.parent / "other.conf").write_text(config)
    problems: list[LinkfixError] = []
    server_of(
        str(root),
        SiteAddress(SITE),
        Serving(configuration=(str(root.parent / "other.conf"),)),
        problems.append,
    )
    assert "lines 4 (include), 5 (if);" in problems[0].message + ";" + problems[0].hint


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("RewriteEngine on\nRewriteCond %{TIME_HOUR} >12\nRewriteRule ^(.*)$ /a.html [L]\n", "3 (RewriteRule)"),
        ("# x\nProxyPass /app http://127.0.0.1:9/\n<If true>\nRedirect /x /y\nHeader set A b\n</If>\n", "2 (ProxyPass), 4 (Redirect in <if>)"),
        ("SetHandler x\n" * 7, "1 (SetHandler), 2 (SetHandler), 3 (SetHandler), 4 (SetHandler), 5 (SetHandler) and 2 more"),
        ("FallbackResource\nFallbackResource disabled\nRewriteCond\nRewriteRule\nRedirect\nRedirectMatch\n", ""),
        ("ExpiresActive on\nHeader set A b\n<Files x>\nRequire all denied\n</Files>\n", ""),
    ],
)  # fmt: skip
def test_lines_that_may_answer_and_are_not_read_are_reported(
    root: Path, text: str, lines: str
) -> None:
    (root / "plain/.htaccess").write_text(text)
    problems: list[LinkfixError] = []
    server_of(str(root), SiteAddress(SITE), Serving(), problems.append)
    assert [(each.file, each.message.partition(";")[0].split(" ", 5)[-1]) for each in problems] == (
        [(str(root / "plain/.htaccess"), lines)] if lines else []
    )
