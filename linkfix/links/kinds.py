"""Split one value into its links, by its kind: a single link, several, a style, a document."""

import re
from collections.abc import Iterator
from typing import Protocol

from linkfix.deferred import pattern
from linkfix.iri.chars import SCHEME
from linkfix.links.batch import Batch
from linkfix.links.builder import Slot, Target, Value
from linkfix.links.html.embedded import HTML_IN_XML, SRCDOC, Inside
from linkfix.links.link import Kind, Link, Query
from linkfix.links.parts import is_several, spans
from linkfix.links.table import Entry
from linkfix.links.templates import FOR_READERS, IS_TEMPLATE, Templates, is_for_readers
from linkfix.markup.layers import COLLAPSED

#: Why a link of a convention is left (`Link.fixed`).
BY_CONVENTION = "it is a link by a convention that is not followed (--conventions)"
#: Why relative references are left: out of a container, since its base is the place of the container, which may move (ISO/IEC 29500-2,
#: 6.5.3.4); and inside one, where programs read the name of a member.
_RELATIVE = {
    Kind.EXTERNAL: "it is relative to the place of the whole file",
    Kind.MEMBER: "programs read it as the name of a member of the archive",
}
#: Kinds of values of type anyURI that are one link.
_WHOLE = frozenset({Kind.SINGLE, Kind.IDENTITY})


class DocumentFinder(Protocol):
    """Finds the links of documents inside values; `templates` says which values are templates."""

    templates: Templates

    def document(self, value: Value, slot: Slot, inside: Inside) -> Iterator[Batch | Link]:
        """Yield the links of an embedded document."""
        ...


def links_of_value(
    finder: DocumentFinder,
    value: Value,
    slot: Slot,
    target: Target,
    entry: Entry,
    query: Query = "document",
) -> Iterator[Batch | Link]:
    """Yield the links in a value, by its kind.

    Args:
        finder: finds the links of documents inside the value.
        value: the value in the document.
        slot: the part of the value that contains the links.
        target: the element and attribute of the value.
        entry: the row of the table for the value.
        query: how queries are mapped in this part of the document.

    """
    if query == "document":
        query = entry.query
    if entry.fixed or (value.fixed and (entry.kind in _WHOLE or entry.kind is Kind.DOCUMENT)):
        yield value.link(slot, target, entry.kind, query)
    elif entry.kind is Kind.DOCUMENT:
        document = Inside(SRCDOC if target.attribute else HTML_IN_XML, query, target.bases)
        yield from finder.document(value, slot, document)
    elif entry.kind is Kind.CSS:
        from linkfix.links.documents import links_of_declarations

        yield from links_of_declarations(value, slot, target, query)
    else:
        kind = entry.kind
        inside = finder.templates.expressions(slot.value) if is_several(kind) else []
        for number, (first, last) in enumerate(spans(kind, slot.value, target.markup)):
            # XML Schema Part 1, 4.3.2: a namespace name, then the location of its schema.
            is_name = kind is Kind.PAIRS and number % 2 == 0
            part = slot.part(first, last, COLLAPSED if entry.collapses and kind in _WHOLE else None)
            link = value.link(part, target, Kind.IDENTITY if is_name else kind, query)
            if entry.listed:
                link = link._replace(fixed=BY_CONVENTION)
            elif kind is Kind.TEMPLATE and is_for_readers(link.value):
                link = link._replace(fixed=FOR_READERS)
            elif kind in _RELATIVE and not SCHEME.match(link.value):
                link = link._replace(fixed=_RELATIVE[kind])
            elif any(start < last and first < end for start, end in inside):
                link = link._replace(fixed=IS_TEMPLATE)
            yield link


# --- Values that look like links, in attributes that no table has ---------------------------------
# Input: the value of an attribute. Output: whether it looks like a link. The test is precise rather than complete: an
# absolute URI of a common scheme with ``//``, the address of a mail, or a host that begins with ``www``. The names of namespaces
# look the same, so these values are never rewritten; they are listed for a person. An ``id`` names its own element.

_SCHEMES = "https?|ftps?|sftp|file|wss?|rtsp|git|svn|ssh|ircs?|ldaps?|nfs|smb|telnet|gopher"
_LINK = rf"(?:(?:{_SCHEMES})://[^\s<>\"']+|mailto:[^\s@]+@[^\s@]+|www\.[\w-]+\.[^\s]+)"
_LINKS = pattern(rf"{_LINK}(?:\s+{_LINK})*\s*", re.ASCII)
#: How such a value begins, as a pattern.
BEGINNINGS = rf"(?:{_SCHEMES})://|mailto:|www\.".encode()
#: Matches the spelling of a value that begins so.
BEGINNING = pattern(BEGINNINGS)
#: The row of such a value.
UNKNOWN = Entry(Kind.UNKNOWN, "document", (), "no table")


def looks_like_links(value: str) -> bool:
    """Return whether a value is nothing but what looks like links, with white space between them."""
    return _LINKS.fullmatch(value) is not None
