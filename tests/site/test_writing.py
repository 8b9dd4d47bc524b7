"""The files of a server, written anew for files with other names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from linkfix.server.addresses import SiteAddress
from linkfix.server.listing import survey
from linkfix.server.writing import Renaming, rewritten, stale_lines

if TYPE_CHECKING:
    from pathlib import Path

STALE = "this has another name now; correct it by hand"
SITE = SiteAddress("http://h.example/")
OTHER = SiteAddress("https://n.example/")
FILES = ("a.htm", "start.htm", "c.htm", "d/start.htm", "d/x y.htm", "old/in.htm", "old/start.htm", "kept.html")  # fmt: skip
CHARSETS = b"""\
# AddDefaultCharset big5
AddDefaultCharset Shift_JIS
AddCharset EUC-JP .euc ja-euc
AddType "text/html; charset=koi8-r" .x
<Files a.html>
ForceType 'text/html; charset=big5'
</Files>
Header set Content-Type "text/html;charset=gbk"
"""
APACHE = """\
# ErrorDocument 404 /a.htm
DirectoryIndex start.htm  /a.htm index.html
ErrorDocument 404 /a.htm
ErrorDocument 500 "a.htm is gone"
Redirect 301 /alt /a.htm
Redirect /a.htm http://h.example/c.htm?x#y
Redirect gone /a.htm
Redirect /o/ /old/
RedirectMatch ^/n/(.*)$ /a.htm
RedirectMatch ^/m/(.*)$ /old/$1
RewriteRule ^kw$ /a.htm [L]
RewriteRule ^kw2$ a.htm?q=$1 [L]
RewriteRule ^old/(.*)$ /kept.html [R]
FallbackResource "/a.htm"
AddType text/html .htm
AddLanguage de .de
<Files "start.htm">
Require all granted
</Files>
RewriteCond %{REQUEST_URI} /a.htm
"""
WRITTEN = """\
# ErrorDocument 404 /a.htm
DirectoryIndex start.html  /a.html index.html
ErrorDocument 404 /a.html
ErrorDocument 500 "a.htm is gone"
Redirect 301 /alt /a.html
Redirect /a.htm http://h.example/c.html?x#y
Redirect gone /a.htm
Redirect /o/ /new/
RedirectMatch ^/n/(.*)$ /a.html
RedirectMatch ^/m/(.*)$ /old/$1
RewriteRule ^kw$ /a.html [L]
RewriteRule ^kw2$ a.htm?q=$1 [L]
RewriteRule ^old/(.*)$ /kept.html [R]
FallbackResource /a.html
AddType text/html .htm .html
AddLanguage de .de
<Files start.html>
Require all granted
</Files>
RewriteCond %{REQUEST_URI} /a.htm
"""


def renaming(root: Path, new: SiteAddress = SITE, *, in_utf8: bool = False) -> Renaming:
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    listing = survey(str(root))

    def path(old: str) -> str:
        moved = f"new{old[3:]}" if old == "old" or old.startswith("old/") else old
        return moved.replace(".htm", ".html") if moved.endswith(".htm") else moved

    def target(uri: str) -> str | None:
        located = SITE.locate(uri)
        if located is None or located.path not in listing.entries:
            return None
        moved = new.uri(path(located.path)) + located.rest
        return None if moved == uri else moved

    return Renaming(listing, SITE, new, target, path, {".htm": ".html"}, in_utf8)


def test_each_directive_names_the_new_files(tmp_path: Path) -> None:
    site = renaming(tmp_path)
    new, stale = rewritten(APACHE.encode(), ".htaccess", site)
    assert new.decode() == WRITTEN
    assert stale == [
        (7, f"Redirect /a.htm: {STALE}"),
        (20, f"RewriteCond /a.htm: {STALE}"),
    ]
    again, _ = rewritten(new, ".htaccess", site)
    assert again == new


def test_sections_for_names_that_change_are_named(tmp_path: Path) -> None:
    """Sections with an expression or wildcards stay; one of a name that only some files have lost does too."""
    site = renaming(tmp_path)
    sections = ("<FilesMatch \\.htm$>", '<FilesMatch "^(a|c)\\.htm$">', "<Files *.htm>", "<Files ~ ^start>", "<FilesMatch \\.html?$>", "<Files k*.html>", "<FilesMatch (a*)*$>")  # fmt: skip
    text = "".join(f"{each}\nRequire all denied\n" for each in sections).encode()
    new, stale = rewritten(text, ".htaccess", site)
    assert new == text
    assert [line for line, _ in stale] == [1, 3, 5]
    # In a folder of the name nothing matches.
    assert rewritten(text, "d/.htaccess", site)[1] == [stale[0], stale[2]]
    assert rewritten(b"DirectoryIndex index.html start.html start.htm\n", ".htaccess", site) == (b"DirectoryIndex index.html start.html start.htm\n", [])  # fmt: skip


HTTPD = """\
DocumentRoot /srv/site
DirectoryIndex index.html start.htm
DirectoryIndex start.html start.htm
ErrorDocument 404 /a.htm
ErrorDocument 500 "see a.htm"
AddHandler server-parsed .htm
AddHandler server-parsed .htm .html
CustomLog /var/log/a.htm common
<Files a.htm>
</Files>
<Location /a.htm>
</Location>
<LocationMatch "^/old/.*[.]htm$">
</LocationMatch>
<Location /kept.html>
</Location>
Alias /x/ "/srv/site/old/"
<Directory "/srv/site/old">
</Directory>
Alias /y/ /srv/site/d
Alias /z/ /usr/old
# a.htm
"""
NGINX = """\
server {
  root /srv/site; index index.html;
  index start.html start.htm;
  index start.htm;
  error_page 404 /a.htm;
  location = /a.htm { deny all; }
  location ~ \\.htm$ { deny all; }
  location ~* "[.]HTM$" { deny all; }
  location ~ \\.html?$ { deny all; }
  access_log /var/log/a.htm; # a.htm
  location /x/ { alias /srv/site/old/; }
}
"""


def test_lines_of_files_outside_are_named_where_the_answer_changes(tmp_path: Path) -> None:
    site = renaming(tmp_path / "site")
    for name, text, expected in (("httpd.conf", HTTPD, [2, 4, 6, 9, 11, 13, 17, 18]), ("nginx.conf", NGINX, [4, 5, 6, 7, 8, 11])):  # fmt: skip
        file = tmp_path / name
        file.write_text(text)
        assert [line for line, _ in stale_lines(str(file), site)] == expected


def test_a_type_map_names_the_new_files(tmp_path: Path) -> None:
    """Also those of a map that moves with them; a charset in it is that of the new files."""
    site = renaming(tmp_path)
    text = b"URI: a\n\nuri: a.htm\nContent-type: text/html; charset=Shift_JIS\nContent-language: ja\n\nURI: kept.html\n"
    new, stale = rewritten(text, "a.var", replace(site, in_utf8=True))
    assert new == text.replace(b"a.htm", b"a.html").replace(b"Shift_JIS", b"utf-8")
    assert stale == []
    new, stale = rewritten(b"URI: in.htm\nURI: ../a.htm\n", "old/i.var", site)
    assert new == b"URI: in.html\nURI: ../a.htm\n"
    assert stale == [(2, f"URI: ../a.htm: {STALE}")]


def test_links_in_headers_are_named(tmp_path: Path) -> None:
    values = ("</kept.html>; rel=next", "<http://h.example/old/in.htm>; rel=canonical", "</kept.html>, </d/x%20y.htm>; rel=preload")  # fmt: skip
    text = "".join(f'Header add Link "{value}"\n' for value in values).encode()
    new, stale = rewritten(text, ".htaccess", renaming(tmp_path))
    assert new == text
    assert stale == [(n, f"Header {values[n - 1]}: {STALE}") for n in (2, 3)]


def test_a_folder_that_moves_takes_its_own_names_along(tmp_path: Path) -> None:
    site = renaming(tmp_path)
    text = b"RewriteBase /old/\nRewriteRule ^x$ in.htm [L]\nRewriteRule ^y$ /d/x\\ y.htm\nDirectoryIndex start.htm"
    new, _ = rewritten(text, "old/.htaccess", site)
    assert (
        new
        == b"RewriteBase /new/\nRewriteRule ^x$ in.html [L]\nRewriteRule ^y$ /d/x\\ y.htm\nDirectoryIndex start.html"
    )
    new, _ = rewritten(
        b"RewriteRule ^x$ /d/x%20y.htm\nRedirect /z /d/x%20y.htm", "old/.htaccess", site
    )
    assert new == b'RewriteRule ^x$ "/d/x y.html"\nRedirect /z /d/x%20y.html'


def test_another_address_of_the_site_is_written_where_the_host_stands(tmp_path: Path) -> None:
    site = renaming(tmp_path, OTHER)
    text = b"Redirect /q http://h.example/a.htm\nRedirect /r /a.htm\nErrorDocument 404 /kept.html"
    new, _ = rewritten(text, ".htaccess", site)
    assert (
        new
        == b"Redirect /q https://n.example/a.html\nRedirect /r /a.html\nErrorDocument 404 /kept.html"
    )


def test_robots_and_redirects_of_netlify(tmp_path: Path) -> None:
    site = renaming(tmp_path)
    text = b"User-agent: *\r\nDisallow: /old/  # all of it\r\nAllow:/a.htm\r\nDisallow: /d/*.gif$\r\nDisallow: /a.htm$\r\nSitemap: http://h.example/c.htm\r\n"
    new, stale = rewritten(text, "robots.txt", site)
    assert new == text.replace(b"/old/", b"/new/").replace(
        b"Allow:/a.htm", b"Allow:/a.html"
    ).replace(b"c.htm", b"c.html")
    assert stale == [(5, f"/a.htm$: {STALE}")]
    text = b"/a.htm /c.htm 301\n/x id=1 /a.htm\n/k/* /old/:splat\n/l /kept.html\n"
    new, _ = rewritten(text, "_redirects", site)
    assert new == b"/a.htm /c.html 301\n/x id=1 /a.html\n/k/* /old/:splat\n/l /kept.html\n"


def test_headers_of_netlify(tmp_path: Path) -> None:
    text = b"""# /a.htm
/a.htm
  Link: </d/x%20y.htm>; rel=preload, <http://h.example/c.htm>; rel="next"
  Content-Type: text/html; charset=windows-1251
/old/*
  X-Robots-Tag: noindex
/kept.html
  Content-Type: text/html;charset="utf-8"
"""
    new, stale = rewritten(text, "_headers", renaming(tmp_path, in_utf8=True))
    moved = (b"/a.htm\n ", b"/a.html\n "), (b"x%20y.htm", b"x%20y.html"), (b"c.htm", b"c.html")
    for before, after in (*moved, (b"windows-1251", b"utf-8")):
        text = text.replace(before, after)
    assert new == text
    assert stale == [(5, f"/old/*: {STALE}")]
    assert rewritten(new, "_headers", renaming(tmp_path))[0] == new


def test_labels_become_utf_8_and_every_other_byte_stays(tmp_path: Path) -> None:
    site = renaming(tmp_path, in_utf8=True)
    new, _ = rewritten(CHARSETS, ".htaccess", site)
    assert new == (
        CHARSETS.replace(b"t Shift_JIS", b"t utf-8")
        .replace(b"EUC-JP", b"utf-8")
        .replace(b"koi8-r", b"utf-8")
    )
    assert rewritten(b"AddDefaultCharset Off\nAddDefaultCharset On", "d/.htaccess", site)[0] == (
        b"AddDefaultCharset Off\nAddDefaultCharset utf-8"
    )
    data = b'# DirectoryIndex a.htm\r\ndirectoryindex  "start.htm" \\\r\n\tb.htm c.htm\r\nAddDefaultCharset big5\r\n'
    assert rewritten(data, ".htaccess", site)[0] == (
        b"# DirectoryIndex a.htm\r\ndirectoryindex  start.html \\\r\n\tb.htm c.html\r\nAddDefaultCharset utf-8\r\n"
    )
