"""The charset that a HTML document declares in a meta element or an XML declaration.

HTML Standard, 13.2.3.2: "prescan a byte stream to determine its encoding", "get an attribute", "get an
XML encoding", and 4.2.5.5: "extracting a character encoding from a meta element". The patterns take each
byte once, so the time is linear whatever the input.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["meta_labels", "xml_label"]

#: What the prescan stops at. Comments and bogus comments are passed over, tags are read for attributes.
_MARKUP = re.compile(
    rb"""
    (?P<meta> <meta (?= [\t\n\f\r\ /] ) )
    | (?P<tag> </? [A-Z] [^\t\n\f\r\ >]*+ )
    | <! (?= -- ) .*? (?: --> | \Z )        # the hyphens of "<!--" count for "-->" too
    | < [!/?] [^>]*+
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
#: One attribute; empty before the end of the tag; no match where the bytes run out.
_ATTRIBUTE = re.compile(
    rb"""
    [\t\n\f\r\ /]*+
    (?:
        (?= > )
        | (?P<name> [^\t\n\f\r\ />] [^\t\n\f\r\ />=]*+ ) [\t\n\f\r\ ]*+
          (?:
              (?= [^\t\n\f\r\ =] )
              | = [\t\n\f\r\ ]*+
                (?:
                    " (?P<double> [^"]*+ ) "
                    | ' (?P<single> [^']*+ ) '
                    | (?= > )
                    | (?P<bare> [^\t\n\f\r\ >"'] [^\t\n\f\r\ >]*+ ) (?= [\t\n\f\r\ >] )
                )
          )
    )
    """,
    re.VERBOSE,
)
_CHARSET = re.compile(
    rb"""
    charset [\t\n\f\r\ ]* = [\t\n\f\r\ ]*
    (?: " (?P<double> [^"]* ) " | ' (?P<single> [^']* ) ' | (?P<bare> [^\t\n\f\r\ ;"'] [^\t\n\f\r\ ;]* ) | )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_XML_ENCODING = re.compile(
    rb"""
    <\?xml (?= [^>]* > ) (?: (?! encoding ) . )*+ encoding [\x00-\x20]* = [\x00-\x20]*
    (?P<quote> ["'] ) (?P<label> [^\x00-\x20]*? ) (?P=quote)
    """,
    re.DOTALL | re.VERBOSE,
)


def meta_labels(data: bytes) -> Iterator[str]:
    """Give the labels that meta elements declare, in their order; whether they name anything is not asked.

    `data` is the beginning of the document. Where it runs out inside a tag, that tag does not count.
    """
    position = 0
    while markup := _MARKUP.search(data, position):
        position = markup.end()
        if markup["meta"] is None and markup["tag"] is None:
            continue
        attributes: dict[bytes, bytes] = {}
        while attribute := _ATTRIBUTE.match(data, position):
            position = attribute.end()
            if attribute["name"] is None:
                break
            value = attribute["double"] or attribute["single"] or attribute["bare"] or b""
            attributes.setdefault(attribute["name"].lower(), value)
        else:
            return
        if markup["meta"]:
            label = _declared(attributes)
            if label is not None:
                yield label.decode("latin-1")


def _declared(attributes: dict[bytes, bytes]) -> bytes | None:
    """Tell the label that a meta element with these attributes declares."""
    if b"charset" in attributes:
        return attributes[b"charset"]
    if attributes.get(b"http-equiv", b"").lower() == b"content-type":
        return content_label(attributes.get(b"content", b""))
    return None


def content_label(content: bytes) -> bytes | None:
    """Extract the label from the value of a meta element's content attribute."""
    found = _CHARSET.search(content)
    return found and (found["double"] or found["single"] or found["bare"])


def xml_label(data: bytes) -> str | None:
    """Give the label in an XML declaration, as a HTML parser reads one ("get an XML encoding")."""
    found = _XML_ENCODING.match(data)
    return found["label"].decode("latin-1") if found else None
