"""The types of the elements of one document, by a schema.

Input: the elements of a document, one after the other. Output: the type of each. There is one type for each open element,
so the memory is bounded by the schema and the depth of the document.
"""

from linkfix.errors import UnreadableError
from linkfix.links.schemas.model import SKIPPED, UNKNOWN, ElementType, Schema
from linkfix.links.settings import XMLSettings
from linkfix.markup.xml.elements import XSI_NAMESPACE
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
        self._schema: Schema | None = None
        #: The types of the open elements.
        self._open: list[ElementType] = []

    def type_of(self, element: XMLElement) -> ElementType | None:
        """Return the type of the next element of the document; None if there is no schema."""
        if not element.depth:
            self._schema = self._settings.schema or self._named(element)
        schema = self._schema
        if schema is None:
            return None
        del self._open[element.depth :]
        found = None if element.type is None else schema.types.get(element.type)
        if found is None:
            parent = self._open[-1] if self._open else UNKNOWN
            found = parent.child((element.namespace, element.local), schema.top) or SKIPPED
        self._open.append(found)
        return found

    def _named(self, root: XMLElement) -> Schema | None:
        """Return the schema that the document names, or that its namespace has; None for none."""
        catalog, locations, schema = self._settings.catalog, _locations(root), None
        try:
            schema = None if catalog is None else catalog.schema_of(locations)
            if schema is None and catalog is not None and locations:
                raise UnreadableError(
                    "the catalog has no file for it", hint=_NOT_FOUND, file=locations[0]
                )
        except UnreadableError as error:
            self.problem = error
        return schema


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
