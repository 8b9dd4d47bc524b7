"""A generated site whose links are wrong in every way that a server shows, each with its known fault.

The faults are known from how the site is made, and never from linkfix. The same redirects are written for Apache and nginx.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["APACHE", "NGINX", "TargetSite", "generate"]

#: How the servers are told what linkfix is told: clean URLs, trailing slashes, and an alias.
APACHE = """
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
Alias "/img/" "{alias}/"
<Directory "{alias}">
    Require all granted
</Directory>
<Directory "{root}">
    RewriteEngine On
    RewriteOptions InheritBefore
    RewriteCond %{{REQUEST_FILENAME}}.html -f
    RewriteCond %{{REQUEST_FILENAME}} !-d
    RewriteRule ^(.*[^/])$ /$1.html [L]
    RewriteCond %{{REQUEST_FILENAME}} !-d
    RewriteCond %{{REQUEST_FILENAME}} ^(.*[^/])/?$
    RewriteCond %1.html -f
    RewriteRule ^(.*)/$ /$1.html [L]
</Directory>
"""
NGINX = """
location /img/ {{ alias "{alias}/"; }}
location / {{ try_files $uri $uri/ $uri.html @slash; }}
location @slash {{ rewrite ^/(.+)/$ /$1.html last; return 404; }}
include "{redirects}";
"""


@dataclass(slots=True)
class TargetSite:
    """A site.

    Attributes:
        files: their bytes by their paths.
        alias: the files of the folder of the alias, by their paths.
        links: for each document, the values of its links with their faults: one of `linkfix.auditing.files.Problem`, or
            "" for none.
        redirects: old and new path of each redirect.

    """

    files: dict[str, bytes] = field(default_factory=dict)
    alias: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)

    def write(self, root: Path, alias: Path) -> None:
        """Write the site and the folder of its alias."""
        for folder, files in ((root, self.files), (alias, self.alias)):
            for name, data in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)

    def for_apache(self) -> str:
        """Return the redirects as lines for ``.htaccess``."""
        return "".join(
            f'RedirectMatch 301 "^{old}$" "{new}"\n' for old, new in self.redirects.items()
        )

    def for_nginx(self) -> str:
        """Return the redirects as locations."""
        return "".join(
            f"location = {old} {{ return 301 {new}; }}\n" for old, new in self.redirects.items()
        )

    def for_map(self) -> str:
        """Return the redirects as the lines of a map of nginx."""
        return "".join(f"{old} {new};\n" for old, new in self.redirects.items())

    def for_netlify(self) -> str:
        """Return the redirects as lines for ``_redirects``."""
        return "".join(f"{old} {new}\n" for old, new in self.redirects.items())


def generate(documents: int, seed: int = 21) -> TargetSite:
    """Return a site.

    Args:
        documents: the number of its documents.
        seed: of the choice of links.

    """
    chance = random.Random(seed)
    site = TargetSite()
    paths = [f"d{number % 17}/p{number}.html" for number in range(documents)]
    for number in range(0, documents, 5):
        site.files[f"f{number}/index.html"] = b"<p id=there>"
        site.files[f"bare{number}/x.png"] = b""
        site.alias[f"i{number}.png"] = b""
        site.files[f"u{number}/caf\u00e9.html"] = b"<p id=there>"
        site.redirects |= {
            f"/r/old{number}": f"/{paths[number]}", f"/r/chain{number}": f"/r/old{number}", f"/r/dead{number}": f"/gone{number}.html",
            f"/r/a{number}": f"/r/b{number}", f"/r/b{number}": f"/r/a{number}", f"/r/f{number}": f"/f{number}",
        }  # fmt: skip
    for path in paths:
        site.links[path] = dict(_link(chance, paths) for _ in range(12))
        links = "".join(f'<a href="{value}">x</a>\n' for value in site.links[path])
        site.files[path] = f'<!doctype html><meta charset="utf-8"><p id="there">{links}'.encode()
    return site


def _link(chance: random.Random, paths: list[str]) -> tuple[str, str]:
    """Return the value of a link, and its fault."""
    number = chance.randrange(len(paths))
    page, group = paths[number], number - number % 5
    clean = page.removesuffix(".html")
    return chance.choice(
        [
            (f"/{page}", ""), (f"../{page}?q=1#there", ""), (f"/{page}#top", ""), (f"/{page}#:~:text=x", ""), (f"/{clean}", ""),
            (f"/{clean}/", ""), (f"/f{group}/", ""), (f"/img/i{group}.png", ""), (f"/u{group}/caf%C3%A9.html#there", ""),
            (f"/f{group}/index.html", ""), (f"/d0/../{page}", ""),
            (f"/f{group}", "redirected"), (f"/r/old{group}", "redirected"), (f"../r/chain{group}?x", "redirected"),
            (f"/r/f{group}", "redirected"), (f"/r/old{group}#there", "redirected"),
            (f"/{page}x", "missing"), (f"/no/{page}", "missing"), (f"/img/no{group}.png", "missing"), (f"/{page}/", "missing"),
            (f"/r/dead{group}", "missing"), (f"/{clean}.htm", "missing"), (f"/r/old{group}/", "missing"),
            (f"/{page.upper()}", "case"), (f"/img/I{group}.png", "case"), (f"/{page.replace('p', 'P', 1)}", "case"),
            (f"/u{group}/cafe%CC%81.html", "spelling"), (f"/bare{group}/", "no-index"),
            (f"/{page}#no", "fragment"), (f"/{clean}#no", "fragment"), (f"/r/old{group}#no", "fragment"), (f"/f{group}/#no", "fragment"),
            (f"/r/a{group}", "loop"), (f"/r/b{group}?q", "loop"),
        ]
    )  # fmt: skip
