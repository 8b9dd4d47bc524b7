"""The source of a document: what is known about it before its first byte is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from linkfix.markup.detect import DocumentType
from linkfix.policy import gate


class Known(TypedDict, total=False):
    """The fields of a `Source` that are arguments of the library's functions."""

    type: DocumentType | None
    charset: str | None
    environment: str | None
    base: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is known about a document before it is read.

    Attributes:
        type: ``html``, ``xhtml``, ``xml``, ``css``, ``http`` or ``text``; None to detect it by the name and the first bytes.
        charset: the label from the transport; None for none. Whether it is one of a charset, the reader says.
        environment: label of the charset of the page that uses a style sheet or a script, which applies without a
            declaration of its own; None if unknown.
        base: absolute IRI of the document; None if unknown.
        name: of the document, for its extension, errors and the report.

    Raises:
        ArgumentError: a field has a value that is not allowed.
        UnknownCharsetError: `environment` is no label of any encoding.

    """

    type: DocumentType | None = None
    charset: str | None = None
    environment: str | None = None
    base: str | None = None
    name: str = ""

    def __post_init__(self) -> None:
        gate.document(self.type, self.charset, self.environment, self.name)
        gate.bases(base=self.base)


#: A document about which nothing is known.
UNKNOWN = Source()
