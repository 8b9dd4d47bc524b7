"""The URIs of the files of a tree, from paths to URIs and back, and how a server maps URLs to files.

A path is relative to the root of the tree, with slashes; octets of names that are not UTF-8 are
surrogates (PEP 383), so that a path and the octets on disk are the same thing. In a URI the octets
of a name are percent-encoded as they are (RFC 3986, 2.5 leaves their charset to the server).
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from linkfix.deferred import pattern
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.iri import convert, normalize, parse, resolve
from linkfix.iri.reference import split
from linkfix.policy import gate
from linkfix.policy.parts import Parts, parts_of

#: The characters of a path that need no encoding, besides letters and digits (RFC 3986, 3.3).
_PCHAR = "!$&'()*+,;=:@-._~"
_URI = pattern(
    r"(?P<scheme>[^:/?#]+)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<rest>.*)", re.DOTALL
)
#: The relationships of a part of an Office file, and the files about an EPUB as a whole.
_RELATIONSHIPS = pattern(r"((?:.*/)?)_rels/([^/]*)\.rels\Z", re.DOTALL)
_OF_CONTAINER = pattern(
    r"\A((?:.*!/)?)META-INF/((?:container|encryption|manifest|metadata|rights|signatures)\.xml)\Z",
    re.DOTALL,
)


class Located(NamedTuple):
    """The file of a URI in a tree.

    Attributes:
        path: of the file or folder; "" for the root.
        is_folder: whether the URI ends in a slash.
        rest: query and fragment with their marks, or "".

    """

    path: str
    is_folder: bool
    rest: str


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """The URI of the root of a tree.

    Attributes:
        root: absolute URI that ends in a slash and has neither query nor fragment.
        parts: the parts of the message that the tree is; None for any other tree.

    """

    root: str
    parts: Parts | None = field(default=None, compare=False)

    @classmethod
    @lru_cache(maxsize=16)
    def at(cls, base: str) -> SiteAddress:
        """Return the address of a folder; a missing slash is added to its IRI.

        Raises:
            ArgumentError: it is not an absolute IRI with a host.

        """
        conversion = convert(base, to="uri", syntax="web")
        reference = parse(conversion.text)
        if not conversion.ok or reference.scheme is None or reference.host is None:
            raise ArgumentError(
                f"{base!r} is no absolute IRI with a host, such as https://example.org/"
            )
        root = split(normalize(conversion.text, "scheme", to="uri"))[0]
        return cls(resolve(root if root.endswith("/") else root + "/", "."))

    def of(self, root: str) -> SiteAddress:
        """Return the address of a tree in which the parts are known, if it is a message; `root` is its path."""
        from linkfix.files.packed import container_of

        found = None
        with contextlib.suppress(LinkfixError):  # who reads it reports it
            found = container_of(root)
        uris = None if found is None or found[1] else found[0].uris
        return self if uris is None else replace(self, parts=parts_of(uris))

    def uri(self, path: str, *, is_folder: bool = False) -> str:
        """Return the URI of a file or folder of the tree."""
        slash = "/" if is_folder and path else ""
        return self.root + quote_from_bytes(os.fsencode(path), safe="/" + _PCHAR) + slash

    def document(self, path: str, index: Container[str] = ()) -> str:
        """Return the URI of a document, for its references; an index file has that of its folder.

        The references in the files that say what a container holds are relative to another file, or to the root
        (ISO/IEC 29500-2, 8.3; OCF 3.3, 4.2.6.1).

        Args:
            path: of the document, relative to the root.
            index: the names of files that the server shows for their folders.

        """
        if path.endswith((".rels", ".xml")):
            path = _OF_CONTAINER.sub(r"\1\2", _RELATIONSHIPS.sub(r"\1\2", path))
        folder, _, name = path.rpartition("/")
        return self.uri(folder, is_folder=True) if name in index else self.uri(path)

    def locate(self, uri: str) -> Located | None:
        """Find the file of a URI in the tree.

        Args:
            uri: absolute, dot segments resolved.

        Returns:
            None if it is outside of the tree, or no file can have the name: it has percent-encoded slashes, dot
            segments or NULs.

        """
        if self.parts is not None and (part := self.parts.find(uri, self.root)) is not None:
            return Located(part, False, "")
        if uri.startswith(self.root):
            path, *marked = split(uri[len(self.root) :])
            rest = "".join(marked)
        else:
            ours, theirs = _URI.fullmatch(self.root), _URI.fullmatch(uri)
            if ours is None or theirs is None or _origin(ours) != _origin(theirs):
                return None
            inside = _below(ours["path"], theirs["path"] or "/")
            if inside is None:
                return None
            path, rest = inside, theirs["rest"]
        names = segments(path)
        if names is None:
            return None
        return Located("/".join(names), not path or path.endswith("/"), rest)


def segments(path: str) -> list[str] | None:
    """Return the names in the path of a URI, percent-decoded; None if one is no name.

    Slashes that follow each other count once, as for servers.
    """
    names = [name for name in path.split("/") if name]
    if "%" in path or not path.isascii():
        octets = (name.encode("utf-8", "surrogateescape") for name in names)
        names = [os.fsdecode(unquote_to_bytes(name)) for name in octets]
        if any("/" in name or "\0" in name for name in names):
            return None
    return None if "." in names or ".." in names else names


def _origin(match: re.Match[str]) -> tuple[str, str]:
    """Return scheme and authority in the form for comparison (RFC 3986, 6.2.2.1 and 6.2.3)."""
    scheme, authority = match["scheme"].lower(), match["authority"].lower()
    default = {"http": ":80", "https": ":443"}.get(scheme, ":")
    return scheme, authority.removesuffix(default).removesuffix(":")


def _below(root: str, path: str) -> str | None:
    """Return the part of a path below a root; None if it is not below."""
    if path.startswith(root):
        return path[len(root) :]
    count = root.count("/")
    parts = path.split("/")
    if len(parts) <= count or segments("/".join(parts[:count])) != segments(root):
        return None
    return "/".join(parts[count:])


# --- How a server maps URLs to files: the facts that no file of a site shows -------------------------
# The command line, or ``[tool.linkfix.site]`` in the settings, says them once for all commands.

#: The extensions of programs, whose output is not known.
_PROGRAMS = frozenset({"asp", "aspx", "cgi", "exe", "fcgi", "jsp", "lua", "php", "php3", "php4", "php5", "phtml", "pl", "py", "rb", "sh"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Serving:
    """How a server maps URLs to files.

    Attributes:
        index: the files that it shows for a folder, besides the common ones (`linkfix.server.listing.INDEX_NAMES`).
        served: patterns as in ``.gitignore`` of paths that programs serve, where no file is missed.
        clean_urls: whether ``/about`` is answered with ``about.html``.
        trailing_slashes: whether ``/about/`` is answered with ``about.html``.
        multiviews: whether ``/about`` and ``/about.html`` are answered with one of ``about.html.de``, ``about.en.html`` and
            other such files, if there is no file of that name (`linkfix.server.listing`).
        ignores_case: whether it finds files by names that differ in case.
        aliases: paths of URLs that end in a slash, each with the folder in which their files are.
        hosts: other hosts that are this site, in lower case, with a port if it is not the default one.
        configuration: files of the server, besides those in the site (`linkfix.server.redirects.files`).

    """

    index: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    clean_urls: bool = False
    trailing_slashes: bool = False
    multiviews: bool = False
    ignores_case: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()
    configuration: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = ("index", "served", "aliases", "hosts", "configuration")
        gate.check(dict.fromkeys(names, gate.PATTERNS), self)


def is_program(path: str) -> bool:
    """Return whether a file is a program by its name."""
    return path.rpartition(".")[2].lower() in _PROGRAMS
