"""Tables of redirects from the old URIs of files to the new ones, for servers.

* ``nginx``: the lines of a ``map`` block (ngx_http_map_module). Its keys are compared without regard to ASCII case,
  unless they are regular expressions; a key that would match another URI of the site too is written as a regular
  expression.
* ``apache``: a plain text ``RewriteMap`` (mod_rewrite). Its keys are looked up as ``int:escape`` writes them, so
  that they may contain any octet. Servers cut lines that are too long: such redirects are left out, and
  `apache_rules` returns them.
* ``netlify``: lines of a `_redirects` file, as Netlify and Cloudflare Pages read it.
* ``csv``: two columns, ``old`` and ``new`` (RFC 4180).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from string import ascii_letters, digits
from typing import Literal
from urllib.parse import unquote_to_bytes, urlsplit

RedirectFormat = Literal["nginx", "apache", "netlify", "csv"]
FORMATS: tuple[RedirectFormat, ...] = ("nginx", "apache", "netlify", "csv")

_NGINX = """\
# Redirects for nginx. In the http block:
#
#     map_hash_max_size %d;
#     map_hash_bucket_size %d;
#     map $uri $moved_to { include /path/of/this/file; }
#
# and in the server block:
#
#     if ($moved_to) { return 301 $moved_to$is_args$args; }
"""
_APACHE = """\
# Redirects for Apache. In the server's configuration:
#
#     RewriteEngine On
#     RewriteMap escaped int:escape
#     RewriteMap moved "txt:/path/of/this/file"
#     RewriteCond "${moved:${escaped:%{REQUEST_URI}}}" "(.+)"
#     RewriteRule ^ "%1" [R=301,L,NE]
"""
_APACHE_MORE = """\
#
# Lines that are too long for such a map are in another file, which is to be included behind these:
#
#     Include "/path/of/this/file.conf"
"""
#: What the rules begin with.
RULES_HEAD = b"""\
# Redirects for Apache that are too long for a map. Behind the lines for the map:
#
#     Include "/path/of/this/file"
"""
#: How many bytes of a line of a map the server reads, without its end; httxt2dbm reads no more either
#: (mod_rewrite.c and httxt2dbm.c, REWRITE_MAX_TXT_MAP_LINE).
_APACHE_LINE = 1022
#: What mod_rewrite's ``escape`` leaves as it is.
_APACHE_SAFE = frozenset(f"{ascii_letters}{digits}$-_.+!*'(),:;@&=/~".encode())
#: The words with a special meaning in a map block.
_NGINX_WORDS = frozenset({b"default", b"hostnames", b"include", b"volatile"})


def table(
    redirects: Iterable[tuple[str, str]],
    form: RedirectFormat,
    *,
    base: str,
    standing: Iterable[str] = (),
) -> bytes:
    """Write a table.

    Args:
        redirects: old and new URIs, absolute, without queries and fragments.
        form: of the table.
        base: the URI of the old site; targets of its origin are written without it.
        standing: the URIs of files that stay, which must not be redirected.

    """
    rows = [(old, _local(new, base)) for old, new in redirects]
    if form == "nginx":
        return _nginx(rows, standing)
    if form == "netlify":
        return "".join(f"{_local(old, base)} {new} 301\n" for old, new in rows).encode("ascii")
    return _apache(rows) if form == "apache" else _csv(rows, base)


def _local(uri: str, base: str) -> str:
    """Return a URI of the origin of `base` as a path; any other unchanged."""
    here, there = urlsplit(base), urlsplit(uri)
    same = (here.scheme, here.netloc) == (there.scheme, there.netloc)
    return uri.removeprefix(f"{there.scheme}://{there.netloc}") if same else uri


def _octets(uri: str) -> bytes:
    return unquote_to_bytes(urlsplit(uri).path)


def _nginx(rows: list[tuple[str, str]], standing: Iterable[str]) -> bytes:
    keys = [_octets(old) for old, _ in rows]
    # Octets that a request may have, and that must not be redirected, or not to the same target.
    taken: dict[bytes, set[bytes]] = {}
    for key in (*keys, *map(_octets, standing), *(_octets(new) for _, new in rows)):
        taken.setdefault(key.lower(), set()).add(key)
    longest = max(map(len, keys), default=0)
    size, bucket = (
        1 << max(least, n).bit_length() for least, n in ((2048, len(keys)), (64, 2 * longest + 64))
    )
    lines = [_NGINX.encode() % (size, bucket)]
    for key, (_, new) in zip(keys, rows, strict=True):
        if len(taken[key.lower()]) > 1:
            written = _quoted(b"~^" + re.escape(key) + rb"\z")
        else:
            special = key in _NGINX_WORDS or key[:1] in {b"~", b"\\"}
            written = _quoted(b"\\" + key if special else key)
        lines.append(written + b" " + _quoted(new.replace("$", "%24").encode()) + b";\n")
    return b"".join(lines)


def _quoted(text: bytes) -> bytes:
    """Write a parameter of an nginx configuration: only quotes and backslashes are special."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def apache_rules(redirects: Iterable[tuple[str, str]], *, base: str) -> list[bytes]:
    """Return the lines of an Apache configuration for the redirects that its table leaves out.

    Args:
        redirects: old and new URIs, absolute, without queries and fragments.
        base: the URI of the old site.

    Returns:
        A head, `RULES_HEAD`, then one RewriteRule for each redirect.

    """
    rules = []
    for old, new in redirects:
        local = _local(new, base)
        if _is_long(_apache_lines(old, local)):
            pattern = re.sub(
                rb"[^A-Za-z0-9/]", lambda octet: b"\\x%02x" % ord(octet[0]), _octets(old)
            )
            # In the target of a rule these would mean groups.
            target = re.sub(r"[%$\\]", r"\\\g<0>", local).encode("ascii")
            rules.append(b'RewriteRule "^%b\\z" "%b" [R=301,L,NE]\n' % (pattern, target))
    return [RULES_HEAD, *rules]


def _apache(rows: list[tuple[str, str]]) -> bytes:
    found = [_apache_lines(old, new) for old, new in rows]
    head = _APACHE + _APACHE_MORE * any(map(_is_long, found))
    kept = (line for lines in found if not _is_long(lines) for line in lines)
    return (head + "".join(f"{line}\n" for line in kept)).encode("ascii")


def _apache_lines(old: str, new: str) -> list[str]:
    """Return the lines of a map for a redirect: servers before 2.4 escape the semicolon as well."""
    key = _escaped(_octets(old))
    return [f"{each} {new}" for each in dict.fromkeys((key, key.replace(";", "%3b")))]


def _is_long(lines: list[str]) -> bool:
    return any(len(line) > _APACHE_LINE for line in lines)


def _escaped(octets: bytes) -> str:
    return "".join(chr(o) if o in _APACHE_SAFE else f"%{o:02x}" for o in octets)


def _csv(rows: list[tuple[str, str]], base: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("old", "new"))
    writer.writerows((_local(old, base), new) for old, new in rows)
    return out.getvalue().encode("ascii")
