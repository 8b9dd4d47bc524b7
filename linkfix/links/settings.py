"""What to do with XML documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkfix.markup.xmlevents import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.errors import LinkfixError
    from linkfix.links.schemas import Catalog, Schema

__all__ = ["XMLSettings"]


@dataclass(frozen=True, slots=True)
class XMLSettings:
    """How XML documents are read.

    Attributes:
        limits: what a document may need.
        recover: whether a document that is not well-formed is read leniently from there on.
        on_recover: called with what is wrong, once for each document that is read leniently.
        on_schema: called with what is wrong with the schema that a document names, once for the document,
            which is then read without it.
        dtd: whether the system identifier of a document type declaration is a link.
        signed: whether documents with an XML Signature are rewritten, which makes it invalid.
        schema: says besides the vocabularies where links are; None for none.
        catalog: where the schemas that documents name in ``xsi:schemaLocation`` are; None for nowhere.

    """

    limits: Limits = field(default_factory=Limits)
    recover: bool = False
    on_recover: Callable[[LinkfixError], None] | None = None
    on_schema: Callable[[LinkfixError], object] | None = None
    dtd: bool = False
    signed: bool = False
    schema: Schema | None = None
    catalog: Catalog | None = None
