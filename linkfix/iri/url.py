"""URLs as browsers read them: parsed against a base, normalized, serialized (URL Standard, 4).

Input: a text and a base. Output: a frozen `URL`, or None for failure. `read_web` reads the layout of the text, as for
every conversion; this module adds the components of the base, and converts each component to its serialized spelling.
The time is linear in the length of the text. The encoding of the query is always UTF-8: a query for another charset
is percent-encoded before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from linkfix.iri import chars
from linkfix.iri.host import FORBIDDEN_HOST, HostError, ipv4, ipv6_literal, registrable
from linkfix.iri.layout import (
    DRIVE,
    DRIVE_LETTER,
    SPECIAL,
    Base,
    ConversionError,
    Layout,
    Span,
    follow_path,
    port_of,
    read_web,
)
from linkfix.iri.model import QueryEncoder
from linkfix.iri.octets import percent_decode, read_parameters, write_parameters
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.uts46 import Profile

#: URL Standard, 4.4: what the parser trims from both ends and removes everywhere.
ENDS: Final = "".join(map(chr, range(0x21)))
_REMOVED: Final = str.maketrans("", "", "\t\n\r")

# URL Standard, 1.3: the percent-encode sets, each built up from the one before. A pattern names the characters that
# are not in the set, all of ASCII: it compiles much faster than one with ranges beyond.
_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))


def _set(chars: str) -> re.Pattern[str]:
    """Match characters of the C0 control percent-encode set and some of ASCII besides."""
    others = "".join(char for char in _PRINTABLE if char not in chars)
    return re.compile(f"[^{re.escape(others)}]+")


_C0_SET: Final = _set("")
_FRAGMENT_SET: Final = _set(' "<>`')
_QUERY: Final = ' "#<>'
_QUERY_SET: Final = _set(_QUERY)
_SPECIAL_QUERY_SET: Final = _set(f"{_QUERY}'")
_PATH: Final = f"{_QUERY}?^`{{}}"
_PATH_SET: Final = _set(_PATH)
_USERINFO_SET: Final = _set(rf"{_PATH}/:;=@[\]|")
_SEGMENT_SET: Final = _set(rf"{_PATH}/\%")

#: URL Standard, 3.1: forbidden domain code points.
_FORBIDDEN_DOMAIN: Final = re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]")


@dataclass(frozen=True, slots=True)
class URL:
    """A URL record (URL Standard, 4.1) with the parts that scripts ask for (6.1); equal to another one with its `href`.

    The ``with_`` methods return another URL, and raise ValueError where no URL has such a part. As in the standard's
    setters what a part cannot contain is percent-encoded, and a percent sign stays.

    Attributes:
        scheme: without its colon.
        username: percent-encoded, or "".
        password: percent-encoded, or "".
        hostname: the host without its port, an IPv6 address in brackets; None for no authority.
        port: None where it is absent or the default of the scheme.
        pathname: with its slash, or an opaque path.
        query: without its mark; None where it is absent.
        fragment: without its mark; None where it is absent.
        is_opaque: whether the path is opaque, so that nothing but a fragment is relative to the URL.

    """

    scheme: str
    username: str
    password: str
    hostname: str | None
    port: int | None
    pathname: str
    query: str | None
    fragment: str | None
    is_opaque: bool = False

    @property
    def href(self) -> str:
        """The whole URL, serialized (4.5)."""
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return self.without_fragment + fragment

    @property
    def without_fragment(self) -> str:
        """The URL serialized with *exclude fragment*."""
        query = "" if self.query is None else f"?{self.query}"
        if self.hostname is not None:
            password = f":{self.password}" if self.password else ""
            at = "@" if self.username or password else ""
            start = f"//{self.username}{password}{at}{self.host}"
        else:
            # Without an authority two slashes would begin one.
            start = "/." if not self.is_opaque and self.pathname.startswith("//") else ""
        return f"{self.scheme}:{start}{self.pathname}{query}"

    @property
    def host(self) -> str:
        """Host and port, or ""."""
        port = "" if self.port is None else f":{self.port}"
        return f"{self.hostname or ''}{port}"

    @property
    def protocol(self) -> str:
        """The scheme with its colon."""
        return f"{self.scheme}:"

    @property
    def search(self) -> str:
        """The query with its mark; "" where it is absent or empty."""
        return f"?{self.query}" if self.query else ""

    @property
    def hash(self) -> str:
        """The fragment with its mark; "" where it is absent or empty."""
        return f"#{self.fragment}" if self.fragment else ""

    @property
    def origin(self) -> str:
        """The origin, serialized; ``null`` for an opaque one (4.7)."""
        if self.scheme == "blob":
            inner = parse_url(self.pathname)
            return inner.origin if inner and inner.scheme in {"http", "https"} else "null"
        if self.scheme == "file" or self.scheme not in SPECIAL:
            return "null"
        return f"{self.scheme}://{self.host}"

    def __str__(self) -> str:
        """Serialize the URL."""
        return self.href

    @classmethod
    def parse(
        cls, text: str, base: str | URL | None = None, *, idna: Profile = "uts46"
    ) -> URL | None:
        """Parse a text as a URL (4.4, the basic URL parser).

        Args:
            text: any string.
            base: the base of a relative reference, a URL or the text of one; None for none.
            idna: the variant of ToASCII, of which ``uts46`` is the standard's.

        Returns:
            The URL; None for a failure in the standard; a base that is no URL is one.

        """
        return parse_url(text, base, idna=idna)

    def with_scheme(self, scheme: str) -> URL:
        """Return the URL with another scheme; its port stays, unless it is the default of the scheme."""
        return self._with(scheme=scheme.lower())

    def with_user(self, username: str, password: str = "") -> URL:
        """Return the URL with another user name and password."""
        user, secret = (_encode(text, _USERINFO_SET) for text in (username, password))
        return self._with(username=user, password=secret)

    def with_host(self, hostname: str) -> URL:
        """Return the URL with another host, in any spelling."""
        # A user name and a port have methods of their own.
        if hostname[:1] != "[" and not {"@", ":"}.isdisjoint(hostname):
            raise ValueError(f"{hostname!r} is no host")
        return self._with(hostname=hostname)

    def with_port(self, port: int | None) -> URL:
        """Return the URL with another port; None for the default of the scheme."""
        return self._with(port=port)

    def with_path(self, path: str) -> URL:
        """Return the URL with another path, whose dot segments are removed."""
        path = path.replace("?", "%3F").replace("#", "%23")
        is_rooted = path.startswith(("/", "\\") if self.scheme in SPECIAL else "/")
        return self._with(pathname=path if is_rooted or self.is_opaque else f"/{path}")

    def with_query(self, query: str | None) -> URL:
        """Return the URL with another query, without its mark; None for none."""
        return self._with(query=None if query is None else query.replace("#", "%23"))

    def with_fragment(self, fragment: str | None) -> URL:
        """Return the URL with another fragment, without its mark; None for none."""
        return self._with(fragment=fragment)

    def parameters(self, decode: Callable[[bytes], str] | None = None) -> list[tuple[str, str]]:
        """Return the names and values in the query (5.1, ``application/x-www-form-urlencoded``).

        Args:
            decode: of the charset of the document; None for UTF-8.

        """
        return read_parameters(self.query or "", decode)

    def with_parameters(
        self, pairs: Iterable[tuple[str, str]], encoder: QueryEncoder | None = None
    ) -> URL:
        """Return the URL with such names and values as its query (5.2).

        Args:
            pairs: in their order; `dict.items` for instance.
            encoder: of the charset of the document; None for UTF-8.

        """
        return self.with_query(write_parameters(pairs, encoder))

    def __truediv__(self, segment: str) -> URL:
        """Return the URL without query and fragment, and with one more segment of the path.

        Args:
            segment: a name in plain text; its slashes and percent signs are percent-encoded.

        """
        if segment in {".", ".."} or self.is_opaque:
            raise ValueError(f"{segment!r} cannot be a segment below {self.href!r}")
        path = f"{self.pathname.removesuffix('/')}/{_encode(segment, _SEGMENT_SET)}"
        return self._with(pathname=path, query=None, fragment=None)

    def registrable_domain(self, suffixes: Iterable[str] | None = None) -> str | None:
        """Return the part of the host that somebody can register (URL Standard, 3.2).

        Args:
            suffixes: the lines of a public suffix list; None for that of the package ``publicsuffix2`` or ``tldextract``.

        Returns:
            A domain of A-labels; None for an IP address, a public suffix and a URL without a domain.

        Raises:
            ModuleNotFoundError: for None where neither package is installed.

        """
        host = self.hostname or ""
        is_domain = self.scheme in SPECIAL and host and host[0] != "[" and ipv4(host) is None
        return registrable(host, suffixes) if is_domain else None

    def _with(self, **parts: str | int | None) -> URL:
        """Return the URL with other parts, parsed anew."""
        made = parse_url(replace(self, **parts).href)  # type: ignore[arg-type]
        changed = {*parts, "port"} if "scheme" in parts else parts
        kept = [name for name in self.__slots__ if name not in changed]
        if made is None or any(getattr(made, name) != getattr(self, name) for name in kept):
            raise ValueError(f"{self.href!r} cannot have {parts}")
        return made


def cleaned(text: str) -> str:
    """Strip a text as the URL parser does (URL Standard, 4.4, steps 1 to 3)."""
    if text.isprintable() and text[:1] != " " != text[-1:]:
        return text
    text = text.strip(ENDS).translate(_REMOVED)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def parse_url(text: str, base: str | URL | None = None, *, idna: Profile = "uts46") -> URL | None:
    """Parse a text as a URL (URL Standard, 4.4, the basic URL parser).

    Args:
        text: any string.
        base: the base of a relative reference, a URL or the text of one; None for none.
        idna: the variant of ToASCII, of which ``uts46`` is the standard's.

    Returns:
        The URL; None for a failure in the standard; a base that is no URL is one.

    """
    if isinstance(base, str):
        base = _base(base)
        if base is None:
            return None
    text = cleaned(text)
    try:
        layout = read_web(text, _NOWHERE if base is None else _known(base))
        return _record(text, layout, base, idna)
    except (ConversionError, HostError, uts46.IDNAError):
        return None


#: A document has few bases.
@lru_cache(maxsize=64)
def _base(text: str) -> URL | None:
    return parse_url(text)


_NOWHERE: Final = Base("", opaque=True)


@lru_cache(maxsize=256)
def known_base(iri: str) -> Base:
    """Return the facts about a base that reading a relative reference needs.

    Args:
        iri: the base; nothing resolves against one that no browser can parse.

    """
    url = _base(iri)
    return _NOWHERE if url is None else _known(url)


def _known(base: URL) -> Base:
    directories = _directories(base) if base.scheme == "file" else ()
    return Base(base.scheme, base.is_opaque, tuple(directories))


def _record(text: str, layout: Layout, base: URL | None, profile: Profile) -> URL:
    """Make the record of a text whose components are known."""
    scheme, special = layout.scheme, layout.special
    fragment = _part(text, layout.fragment, _FRAGMENT_SET)
    query = _part(text, layout.query, _SPECIAL_QUERY_SET if special else _QUERY_SET)
    if base is not None and base.is_opaque and not layout.absolute:
        old = base
        return URL(old.scheme, "", "", None, None, old.pathname, old.query, fragment, True)
    path = text[slice(*layout.path)]
    if layout.opaque:
        if layout.query is not None or layout.fragment is not None:
            bare = path.rstrip(" ")
            path = bare if bare == path else bare + " " * (len(path) - len(bare) - 1) + "%20"
        return URL(scheme, "", "", None, None, _encode(path, _C0_SET), query, fragment, True)
    if layout.host is not None:
        userinfo = "" if layout.userinfo is None else text[slice(*layout.userinfo)]
        user, _, password = userinfo.partition(":")
        return URL(
            scheme,
            _encode(user, _USERINFO_SET),
            _encode(password, _USERINFO_SET),
            _host(text[slice(*layout.host)], scheme, profile),
            _port(text, layout),
            _path(path, [], scheme),
            query,
            fragment,
        )
    inherits = base is not None and base.scheme == scheme and (special or not layout.absolute)
    if base is None or not inherits or (scheme == "file" and layout.lead[0] < layout.lead[1]):
        host = "" if scheme == "file" else None
        return URL(scheme, "", "", host, None, _path(path, [], scheme), query, fragment)
    start = base.username, base.password, base.hostname, base.port
    if not path:
        query = base.query if layout.query is None else query
        return URL(scheme, *start, base.pathname, query, fragment)
    return URL(scheme, *start, _path(path, _above(path, base), scheme), query, fragment)


def _above(path: str, base: URL) -> list[str]:
    """Return the directories of the base that a relative path is put behind."""
    special = base.scheme in SPECIAL
    rooted = path.startswith(("/", "\\") if special else "/")
    if base.scheme == "file":
        if DRIVE.match(path, int(rooted)):
            return []
        if rooted:
            first = _directories(base)[:1] or base.pathname[1:].split("/")[:1]
            return first if _is_normal_drive(first[0]) else []
    return [] if rooted else _directories(base)


def _directories(base: URL) -> list[str]:
    """Return the segments of a path but for its last (URL Standard, 4.4, *shorten*)."""
    if base.is_opaque or not base.pathname:
        return []
    segments = base.pathname[1:].split("/")
    alone = base.scheme == "file" and len(segments) == 1 and _is_normal_drive(segments[0])
    return segments if alone else segments[:-1]


def _is_normal_drive(segment: str) -> bool:
    return segment[1:] == ":" and DRIVE_LETTER.fullmatch(segment) is not None


def _path(path: str, directories: list[str], scheme: str) -> str:
    """Serialize a path that is relative to directories (`follow_path`)."""
    segments, _ = follow_path(path, directories, scheme)
    if not segments:
        return "/" if scheme in SPECIAL else ""
    return _encode("/" + "/".join(segments), _PATH_SET)


def _encode(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(chars.quoted, text)


def _part(text: str, span: Span | None, pattern: re.Pattern[str]) -> str | None:
    return None if span is None else _encode(text[slice(*span)], pattern)


def _port(text: str, layout: Layout) -> int | None:
    if layout.port is None or layout.port[0] == layout.port[1]:
        return None
    number = port_of(text, layout.port)
    return None if number == SPECIAL.get(layout.scheme) else number


def _host(host: str, scheme: str, profile: Profile) -> str:
    """Parse and serialize a host (URL Standard, 3.5 and 3.6)."""
    if not host:
        return ""
    if host.startswith("["):
        literal = ipv6_literal(host)
        if literal is None:
            raise HostError("ip-literal-invalid", f"{host!r} is no IPv6 address")
        return literal
    if scheme not in SPECIAL:
        if FORBIDDEN_HOST.search(host):
            raise HostError("host-forbidden-character", f"{host!r} is no host")
        return _encode(host, _C0_SET)
    decoded = percent_decode(host).decode("utf-8", "replace") if "%" in host else host
    domain = uts46.to_ascii(decoded, profile)
    if not domain or _FORBIDDEN_DOMAIN.search(domain):
        raise HostError("host-forbidden-character", f"{domain!r} is no domain")
    address = ipv4(domain)
    if address is not None:
        return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))
    return "" if scheme == "file" and domain == "localhost" else domain
