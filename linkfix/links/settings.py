"""The settings for XML documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from linkfix.errors import LinkfixError
from linkfix.markup.xml.limits import Limits

if TYPE_CHECKING:
    from linkfix.links.schemas import Catalog, Schema


class XMLSettings(NamedTuple):
    """How XML documents are read.

    Attributes:
        limits: the most that a document may need.
        recover: whether the rest of a document that is not well-formed is read leniently.
        on_recover: called with the error, once for each document that is read leniently.
        on_schema: called with the problem of the schema that a document names, once for each document. The document
            is then read without a schema.
        dtd: whether the system identifier of a document type declaration is a link.
        declarations: whether the name of a namespace is a link in its declaration, as an identity token.
        unknown: whether values that look like links, in attributes that no table or schema has, are returned, with the
            kind ``unknown``.
        signed: whether documents with an XML Signature are rewritten, which makes it invalid.
        schema: defines links besides the vocabularies; None for none.
        catalog: finds the schemas that documents name in ``xsi:schemaLocation``; None to find none.

    """

    limits: Limits = Limits()
    recover: bool = False
    on_recover: Callable[[LinkfixError], None] | None = None
    on_schema: Callable[[LinkfixError], object] | None = None
    dtd: bool = False
    declarations: bool = False
    unknown: bool = False
    signed: bool = False
    schema: Schema | None = None
    catalog: Catalog | None = None
