"""Tables of redirects from the old URIs of files to the new ones, for servers.

* ``nginx``: the lines of a ``map`` block (ngx_http_map_module). Its keys are compared without regard to ASCII case,
  unless they are regular expressions; a key that would match another URI of the site too is written as a regular
  expression.
* ``apache``: a plain text ``RewriteMap`` (mod_rewrite). Its keys are looked up as ``int:escape`` writes them, so
  that they may contain any octet. Servers cut lines that are too long: such redirects are left out, and
  `apache_rules` returns them.
* ``netlify``: lines of a `_redirects` file, as Netlify and Cloudflare Pages read it; only Netlify reads queries.
* ``caddy``: a ``map`` directive, and ``iis``: the rules of a ``web.config``. Both compare the request as it was sent with regular
  expressions for every spelling of the old URI.
* ``csv``: two columns, ``old`` and ``new`` (RFC 4180).

A format is a function in `FORMATS`. Maps of nginx and Apache have paths alone: an old URI with a query becomes a rule of `rules`.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable
from string import ascii_letters, digits
from typing import Literal, TypeAlias
from urllib.parse import unquote_to_bytes, urlsplit
from xml.sax.saxutils import quoteattr

from linkfix.server.redirects import heads_data

RedirectFormat = Literal["nginx", "apache", "caddy", "iis", "netlify", "csv"]
#: Old URIs with new ones, which are paths within the origin of the site.
Rows: TypeAlias = list[tuple[str, str]]

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
        redirects: old and new URIs, absolute, without fragments.
        form: of the table.
        base: the URI of the old site; targets of its origin are written without it.
        standing: the URIs of files that stay, which must not be redirected.

    """
    return FORMATS[form]([(old, _local(new, base)) for old, new in redirects], base, standing)


def shortened(redirects: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return redirects of which none leads to another one, and the old URIs of those that would go round in a circle."""
    known = dict(redirects)
    rows: list[tuple[str, str]] = []
    circles = []
    for old, new in known.items():
        met = {old}
        while new in known and new not in met:
            met.add(new)
            new = known[new]
        if new in met:
            circles.append(old)
        else:
            rows.append((old, new))
    return rows, circles


def _local(uri: str, base: str) -> str:
    """Return a URI of the origin of `base` as a path; any other unchanged."""
    here, there = urlsplit(base), urlsplit(uri)
    same = (here.scheme, here.netloc) == (there.scheme, there.netloc)
    return uri.removeprefix(f"{there.scheme}://{there.netloc}") if same else uri


def _octets(uri: str) -> bytes:
    return unquote_to_bytes(urlsplit(uri).path)


def _nginx(rows: Rows, _base: str, standing: Iterable[str]) -> bytes:
    rows = [row for row in rows if "?" not in row[0]]
    keys = [_octets(old) for old, _ in rows]
    # Octets that a request may have, and that must not be redirected, or not to the same target.
    taken: dict[bytes, set[bytes]] = {}
    for key in (*keys, *map(_octets, standing), *(_octets(new) for _, new in rows)):
        taken.setdefault(key.lower(), set()).add(key)
    longest = max(map(len, keys), default=0)
    size, bucket = (
        1 << max(least, n).bit_length() for least, n in ((2048, len(keys)), (64, 2 * longest + 64))
    )
    lines = [heads_data.NGINX.encode() % (size, bucket)]
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


def rules(redirects: Iterable[tuple[str, str]], form: RedirectFormat, *, base: str) -> list[bytes]:
    """Return the lines of a configuration for the redirects that a map leaves out.

    Args:
        redirects: old and new URIs, absolute, without fragments.
        form: of the table.
        base: the URI of the old site.

    Returns:
        A head, `heads_data.RULES_HEAD`, then a rule for each redirect.

    """
    found = [heads_data.RULES_HEAD[form]]
    for old, new in redirects:
        local = _local(new, base)
        path, question, query = _local(old, base).partition("?")
        if form == "nginx" and question:
            key = _quoted(f"~^{_any_case(re.escape(f'{path}?{query}'))}\\z".encode())
            found.append(key + b" " + _quoted(local.replace("$", "%24").encode()) + b";\n")
        elif form == "apache" and (question or _is_long(_apache_lines(old, local))):
            # In the target of a rule these would mean groups.
            target = re.sub(r"[%$\\]", r"\\\g<0>", local).encode("ascii")
            if question:
                asked = _any_case(re.escape(query)).encode()
                found.append(b'RewriteCond %%{QUERY_STRING} "^%b\\z"\n' % asked)
            pattern = re.sub(
                rb"[^A-Za-z0-9/]", lambda octet: b"\\x%02x" % ord(octet[0]), _octets(old)
            )
            flags = b"R=301,L,NE" + b",QSD" * bool(question)
            found.append(b'RewriteRule "^%b\\z" "%b" [%b]\n' % (pattern, target, flags))
    return found


def _apache(rows: Rows, _base: str, _standing: Iterable[str]) -> bytes:
    found = [_apache_lines(old, new) for old, new in rows if "?" not in old]
    has_more = len(found) < len(rows) or any(map(_is_long, found))
    head = heads_data.APACHE + heads_data.APACHE_MORE * has_more
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


def _caddy(rows: Rows, base: str, _standing: Iterable[str]) -> bytes:
    lines = (
        f'\t"~{_pattern(old, base)}" "{new.replace("$", "%24")}{"${1}" * ("?" not in old + new)}"\n'
        for old, new in rows
    )
    return heads_data.CADDY.replace("ROWS", "".join(lines)).encode("ascii")


def _iis(rows: Rows, base: str, _standing: Iterable[str]) -> bytes:
    lines = (
        heads_data.IIS_RULE.format(
            number,
            quoteattr(_pattern(old, base)),
            quoteattr(new + "{C:1}" * ("?" not in old + new)),
        )
        for number, (old, new) in enumerate(rows, 1)
    )
    return heads_data.IIS.replace("ROWS", "".join(lines)).encode("ascii")


def _pattern(old: str, base: str) -> str:
    """Return a regular expression of ECMAScript and RE2 for every spelling of an old URI; group 1 is a query that goes along."""
    path, question, query = _local(old, base).partition("?")
    spelled = "".join(map(_octet, unquote_to_bytes(path)))
    return f"^{spelled}{_any_case(re.escape(question + query)) if question else '([?].*)?'}$"


def _any_case(text: str) -> str:
    """Return a regular expression in which hexadecimal digits after percent signs have any case."""
    return re.sub("%([0-9A-Fa-f]{2})", lambda found: "%" + re.sub("[A-Fa-f]", lambda digit: f"[{digit[0].upper()}{digit[0].lower()}]", found[1]), text)  # fmt: skip


def _octet(octet: int) -> str:
    """Return a regular expression for an octet of a path: as it is, or percent-encoded."""
    character = chr(octet)
    encoded = _any_case(f"%{octet:02x}")
    if character == "/" or (character.isascii() and character.isalnum()):
        return character
    return f"(?:\\x{octet:02x}|{encoded})" if 0x20 < octet < 0x7F else encoded


def _netlify(rows: Rows, base: str, _standing: Iterable[str]) -> bytes:
    lines = ((*_local(old, base).split("?", 1), "")[:2] for old, _ in rows)
    return "".join(
        f"{' '.join(filter(None, (path, *query.split('&'))))} {new} 301\n"
        for (path, query), (_, new) in zip(lines, rows, strict=True)
    ).encode("ascii")


def _csv(rows: Rows, base: str, _standing: Iterable[str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("old", "new"))
    writer.writerows((_local(old, base), new) for old, new in rows)
    return out.getvalue().encode("ascii")


#: What writes each format, from the redirects, the URI of the old site, and the URIs that must not be redirected.
FORMATS: dict[RedirectFormat, Callable[[Rows, str, Iterable[str]], bytes]] = {
    "nginx": _nginx,
    "apache": _apache,
    "caddy": _caddy,
    "iis": _iis,
    "netlify": _netlify,
    "csv": _csv,
}
