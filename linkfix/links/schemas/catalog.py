"""OASIS XML Catalogs 1.1: the local files for URIs."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias
from urllib.parse import unquote, urljoin

from linkfix.errors import UnreadableError
from linkfix.links.schemas.model import Schema
from linkfix.links.schemas.opening import is_inside, local_path, local_uri, parse

_NAMESPACE = "{urn:oasis:names:tc:entity:xmlns:xml:catalog}"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
#: The attribute of each kind of entry: entries for one URI, and entries for a prefix of URIs.
_EXACT = {"uri": "name", "system": "systemId", "public": "publicId"}
_PREFIXES = {"rewriteURI": "uriStartString", "rewriteSystem": "systemIdStartString"}
#: Segments that do not name a file or folder.
_NO_STEPS = frozenset({"", ".", ".."})

_RELAXNG = "http://relaxng.org/ns/structure/1.0"


#: A reference to a catalog: its URI, "" for none; the path of the catalog that refers to it, and the line there.
_Reference: TypeAlias = tuple[str, str | None, int | None]


class Catalog:
    """The entries of a catalog and of the catalogs that it refers to (7.1, 7.2).

    A document names URIs; a catalog maps a prefix of URIs to a folder. The part after the prefix is written by
    the document, so its path must stay in that folder.

    Args:
        path: path of the catalog's file.
        on_problem: called for each further catalog that cannot be read and is skipped (8); None to ignore it.

    Raises:
        UnreadableError: there is no such file, or it is no catalog.

    """

    def __init__(
        self, path: str, on_problem: Callable[[UnreadableError], object] | None = None
    ) -> None:
        self._exact: dict[str, str] = {}
        self._prefixes: list[tuple[str, str]] = []
        self._read: set[str] = set()
        self._schemas: dict[str, Schema | UnreadableError] = {}
        waiting: list[_Reference] = [(local_uri(path), None, None)]
        for uri, file, line in waiting:  # the list grows in the loop
            try:
                waiting += self._load(uri)
            except UnreadableError as error:
                if file is None:
                    raise
                if on_problem is not None:
                    about = f"the catalog{f' {error.file}' if error.file else ''} that it names"
                    why = f"{about} cannot be used: {error.message}"
                    on_problem(UnreadableError(why, hint="it is ignored", file=file, line=line))
        self._prefixes.sort(key=lambda item: -len(item[0]))

    def resolve(self, uri: str) -> str | None:
        """Return the path of the local file for a URI; None for no file.

        Raises:
            UnreadableError: the path is outside the folder of the prefix.

        """
        found = self._exact.get(uri)
        if found is not None:
            return local_path(found)
        for prefix, instead in self._prefixes:
            if uri.startswith(prefix):
                rest = uri[len(prefix) :]
                path = local_path(instead + rest)
                folder = local_path(instead)
                if path is not None and folder is not None and rest:
                    _check_inside(path, folder, rest, uri)
                return path
        return None

    def schema_of(self, uris: Sequence[str]) -> Schema | None:
        """Return the compiled schema for the first of several URIs that has a local file; None for none.

        Raises:
            UnreadableError: the file is no schema, or outside the folder of its prefix.

        """
        path = next((path for uri in uris if (path := self.resolve(uri)) is not None), None)
        if path is None:
            return None
        if path not in self._schemas:
            try:
                self._schemas[path] = load(path, self)
            except UnreadableError as error:
                self._schemas[path] = error
        schema = self._schemas[path]
        if isinstance(schema, UnreadableError):
            raise schema
        return schema

    def _load(self, uri: str) -> list[_Reference]:
        """Read a catalog; return its references to other catalogs."""
        from lxml import etree

        if uri in self._read:
            return []
        self._read.add(uri)
        path = local_path(uri)
        if path is None:
            raise UnreadableError("cannot read it: this is no local file", file=uri)
        root = parse(path, "catalog").getroot()
        if root.tag != f"{_NAMESPACE}catalog":
            raise UnreadableError("this is no OASIS XML catalog", file=path)
        further: list[_Reference] = []
        for entry in root.iter(f"{_NAMESPACE}*"):
            name = etree.QName(entry).localname
            base = uri
            try:
                for outer in reversed([entry, *entry.iterancestors()]):
                    base = urljoin(base, outer.get(_XML_BASE, ""))
                names = (entry.get("uri"), entry.get("rewritePrefix"), entry.get("catalog"))
                target = urljoin(base, next(filter(None, names), ""))
            except ValueError:  # this is no URI, and so names no local file
                target = ""
            if name == "nextCatalog":
                further.append((target, path, entry.sourceline))
            elif not target:
                continue
            elif name in _EXACT:
                self._exact.setdefault(entry.get(_EXACT[name], ""), target)
            elif name in _PREFIXES:
                self._prefixes.append((entry.get(_PREFIXES[name], ""), target))
        return further


def _check_inside(path: str, folder: str, rest: str, uri: str) -> None:
    """Refuse a path outside the folder of a prefix, by its segments or by a symbolic link."""
    steps = re.split(r"[/\\]", unquote(rest))
    if not is_inside(path, folder) or not _NO_STEPS.isdisjoint(steps) or "\\" in unquote(rest):
        raise UnreadableError(
            f"{uri!r} leads out of the folder that the catalog names for it",
            hint="correct the address of the schema, or name the file in the catalog",
        )


def load(path: str, catalog: Catalog | None = None) -> Schema:
    """Compile a schema: XML Schema 1.0 or 1.1, or RELAX NG in XML syntax.

    Nothing is fetched from a network.

    Args:
        path: path of the schema's file.
        catalog: finds the other schemas that it needs; None for no catalog.

    Raises:
        UnreadableError: there is no such file, or it is no schema.

    """
    from lxml import etree

    tree = parse(path, "schema")
    if etree.QName(tree.getroot()).namespace == _RELAXNG:
        from linkfix.links.schemas.relaxng import compile_relaxng

        return compile_relaxng(path)
    try:
        from linkfix.links.schemas.xsd import compile_xsd
    except ModuleNotFoundError as error:
        raise UnreadableError(
            f"XML Schema needs the package {error.name}",
            hint="pip install 'linkfix[schema]'",
            file=path,
        ) from None

    return compile_xsd(path, None if catalog is None else catalog.resolve)
