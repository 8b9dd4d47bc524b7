"""The limits of XML documents."""

from typing import NamedTuple


class Limits(NamedTuple):
    """The most that a document may need; a document that needs more is refused.

    Attributes:
        token: bytes of a tag, of a comment or of the text of a link element.
        depth: number of open elements.
        attributes: number of attributes of one element, defaults included.
        name: code points of the name of an element or attribute.

    """

    token: int = 64 * 1024 * 1024
    depth: int = 10_000
    attributes: int = 10_000
    name: int = 50_000
