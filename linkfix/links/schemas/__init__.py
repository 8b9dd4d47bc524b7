"""Schemas, compiled to automata that find the values of type anyURI in a document."""

from linkfix.links.schemas.catalog import Catalog, load
from linkfix.links.schemas.model import ElementType, Schema, Use

__all__ = ["Catalog", "ElementType", "Schema", "Use", "load"]
