"""Find the links before the root element of XML, and the entities that the document knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkfix.links.builder import Builder
from linkfix.links.link import Kind, Link
from linkfix.links.names_data import XHTML
from linkfix.links.value import Target
from linkfix.markup.layers import RAW_TEXT, XML_DOUBLE, XML_LITERAL, XML_SINGLE

if TYPE_CHECKING:
    from linkfix.markup.xml.events import XMLDoctype, XMLInstruction

_SPACE = r"[\t\n\r ]*+"
_PSEUDO = r"""([^\t\n\r ="'<]++)""" + _SPACE + "=" + _SPACE + r"""(?:"([^"<]*+)"|'([^'<]*+)')"""
#: Associating Style Sheets with XML documents 1.0, 3: a pseudo-attribute, and all of them. Browsers ignore an
#: instruction with other content.
_PSEUDO_ATTRIBUTE = re.compile(_PSEUDO)
_PSEUDO_ATTRIBUTES = re.compile(rf"{_SPACE}(?:{_PSEUDO}(?:[\t\n\r ]++|\Z))*+")


def has_xhtml_entities(doctype: XMLDoctype) -> bool:
    """Return whether browsers define the entities of XHTML for a document, and it declares no others."""
    return doctype.public in XHTML and not doctype.entities


def of_doctype(builder: Builder, doctype: XMLDoctype) -> Iterator[Link]:
    """Yield the system identifier of a document type declaration (XML 1.0, 4.2.2)."""
    if doctype.start is not None and doctype.end is not None:
        value = builder.value(doctype.start, doctype.end, XML_LITERAL)
        target = Target("!DOCTYPE", "", "SYSTEM", "xml")
        yield value.link(value.slot, target, Kind.SINGLE, "document")


def of_instruction(builder: Builder, instruction: XMLInstruction) -> Iterator[Link]:
    """Yield the ``href`` of an ``xml-stylesheet`` instruction.

    Browsers and the query-encoding tests of the Web Platform disagree on its query.
    """
    if instruction.target != "xml-stylesheet":
        return
    value = builder.value(instruction.start, instruction.end, RAW_TEXT)
    if _PSEUDO_ATTRIBUTES.fullmatch(value.slot.value) is None:
        return
    for match in _PSEUDO_ATTRIBUTE.finditer(value.slot.value):
        if match[1] == "href":
            group = match.lastindex or 2
            slot = value.slot.part(*match.span(group), XML_DOUBLE if group == 2 else XML_SINGLE)
            target = Target("?xml-stylesheet", "", "href", "xml")
            yield value.link(slot, target, Kind.SINGLE, "disputed")
            return
