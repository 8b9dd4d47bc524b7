"""Content types of HTTP: the type of a document and the label of its charset (RFC 9110, 8.3)."""

from __future__ import annotations

import re

from linkfix.charset import lookup
from linkfix.errors import LinkfixError, UnknownCharsetError
from linkfix.markup.detect import DocumentType

_TYPES: dict[str, DocumentType] = {
    "text/html": "html",
    "application/xhtml+xml": "xhtml",
    "text/xml": "xml",
    "application/xml": "xml",
    "text/css": "css",
}
_CHARSET = re.compile(
    r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s]*))""", re.IGNORECASE | re.ASCII
)


def type_of(content_type: str) -> DocumentType | None:
    """Return the type of a document with a Content-Type; None if it is no document."""
    essence = content_type.partition(";")[0].strip().lower()
    return _TYPES.get(essence) or ("xml" if essence.endswith("+xml") else None)


def label_of(content_type: str) -> str | None:
    """Return the label in a Content-Type, None for none; an unknown one counts as none, as in browsers."""
    found = _CHARSET.search(content_type)
    label = next((group for group in found.groups() if group), None) if found else None
    try:
        if label is not None:
            lookup(label, xml=True)
    except UnknownCharsetError:
        return None
    except LinkfixError:  # known and refused: the reader of the document reports it
        return label
    return label
