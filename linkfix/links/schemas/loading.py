"""Compile a schema of either language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.links.schemas.opening import parse

if TYPE_CHECKING:
    from linkfix.links.schemas.catalog import Catalog
    from linkfix.links.schemas.model import Schema

_RELAXNG = "http://relaxng.org/ns/structure/1.0"


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
    from linkfix.links.schemas.xsd import compile_xsd

    return compile_xsd(path, catalog)
