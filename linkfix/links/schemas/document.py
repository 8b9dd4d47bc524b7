"""The types of the elements of one document, by a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.errors import UnreadableError
from linkfix.links.schemas.model import ElementType, Walker
from linkfix.markup.xml.scopes import XSI_NAMESPACE

if TYPE_CHECKING:
    from linkfix.links.settings import XMLSettings
    from linkfix.markup.xml.events import XMLElement

_NOT_FOUND = "add it to the catalog, or name its file with --schema"


class DocumentTypes:
    """Find out the types of elements, one after the other.

    Args:
        settings: the schema, or the catalog that finds the schema of the document.

    Attributes:
        problem: the problem of the schema that the document names; None for no problem, or no schema.

    """

    def __init__(self, settings: XMLSettings) -> None:
        self.problem: UnreadableError | None = None
        self._settings = settings
        self._walker: Walker | None = None

    @classmethod
    def of(cls, settings: XMLSettings) -> DocumentTypes | None:
        """Return the types of a document; None if the settings name neither schema nor catalog."""
        return cls(settings) if settings.schema or settings.catalog else None

    def type_of(self, element: XMLElement) -> ElementType | None:
        """Return the type of the next element of the document; None if there is no schema."""
        if not element.depth:
            self._begin(element)
        return None if self._walker is None else self._walker.enter(element)

    def _begin(self, root: XMLElement) -> None:
        schema = self._settings.schema
        catalog = self._settings.catalog
        if schema is None and catalog is not None:
            locations = _locations(root)
            try:
                schema = catalog.schema_of(locations)
                if schema is None and locations:
                    raise UnreadableError(
                        "the catalog has no file for it", hint=_NOT_FOUND, file=locations[0]
                    )
            except UnreadableError as error:
                self.problem = error
        self._walker = None if schema is None else schema.walker()


def _locations(root: XMLElement) -> list[str]:
    """Return the locations of a document's schema, and its namespace (XML Schema Part 1, 4.3.2)."""
    values = {a.local: a.value.split() for a in root.attributes if a.namespace == XSI_NAMESPACE}
    pairs = values.get("schemaLocation", [])
    own = [
        uri
        for at in range(0, len(pairs) - 1, 2)
        if pairs[at] == root.namespace
        for uri in (pairs[at + 1], pairs[at])
    ]
    return own + values.get("noNamespaceSchemaLocation", [])
