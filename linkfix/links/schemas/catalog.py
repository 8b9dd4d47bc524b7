"""OASIS XML Catalogs 1.1: where in the local files a URI is to be found."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from linkfix.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.links.schemas.model import Schema

__all__ = ["Catalog"]

_NAMESPACE = "{urn:oasis:names:tc:entity:xmlns:xml:catalog}"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
#: The entries by their attribute: those for one URI, and those for all that begin alike.
_EXACT = {"uri": "name", "system": "systemId", "public": "publicId"}
_PREFIXES = {"rewriteURI": "uriStartString", "rewriteSystem": "systemIdStartString"}


class Catalog:
    """The entries of a catalog and of those that it goes on to (7.1, 7.2).

    Args:
        path: of the catalog's file.

    Raises:
        UnreadableError: there is no such file, or it is no catalog.

    """

    def __init__(self, path: str) -> None:
        self._exact: dict[str, str] = {}
        self._prefixes: list[tuple[str, str]] = []
        self._read: set[str] = set()
        self._schemas: dict[str, Schema] = {}
        self._take(path)
        self._prefixes.sort(key=lambda item: -len(item[0]))

    def resolve(self, uri: str) -> str | None:
        """Give the path of the local file that stands for a URI; None where none does."""
        found = self._exact.get(uri)
        if found is None:
            for prefix, instead in self._prefixes:
                if uri.startswith(prefix):
                    found = instead + uri[len(prefix) :]
                    break
        return None if found is None else _path(found)

    def schema_of(self, uris: Sequence[str]) -> Schema | None:
        """Give the compiled schema that the first of these URIs stands for; None for none.

        Raises:
            UnreadableError: the file that the catalog names is no schema.

        """
        from linkfix.links.schemas.loading import load

        path = next((path for uri in uris if (path := self.resolve(uri)) is not None), None)
        if path is not None and path not in self._schemas:
            self._schemas[path] = load(path, self)
        return None if path is None else self._schemas[path]

    def _take(self, path: str) -> None:
        from lxml import etree

        if path in self._read:
            return
        self._read.add(path)
        try:
            parser = etree.XMLParser(no_network=True, resolve_entities=False)
            root = etree.parse(path, parser).getroot()
        except (OSError, etree.XMLSyntaxError) as error:
            raise UnreadableError(f"cannot read this catalog: {error}", file=path) from None
        if root.tag != f"{_NAMESPACE}catalog":
            raise UnreadableError("this is no OASIS XML catalog", file=path)
        for entry in root.iter(f"{_NAMESPACE}*"):
            name = etree.QName(entry).localname
            base = path
            for outer in reversed([entry, *entry.iterancestors()]):
                base = urljoin(base, outer.get(_XML_BASE, ""))
            target = urljoin(base, entry.get("uri") or entry.get("rewritePrefix") or "")
            if name in _EXACT:
                self._exact.setdefault(entry.get(_EXACT[name], ""), target)
            elif name in _PREFIXES:
                self._prefixes.append((entry.get(_PREFIXES[name], ""), target))
            elif name == "nextCatalog":
                following = _path(urljoin(base, entry.get("catalog", "")))
                if following is not None:
                    self._take(following)


def _path(uri: str) -> str | None:
    """Give the path that a URI names; None for one that is on a network."""
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return unquote(parts.path)
    return unquote(uri) if not parts.scheme and not parts.netloc else None
