"""The layers of spelling that a value can stand in: how each is read, and how it is written.

A link in the ``srcdoc`` of an ``iframe`` stands in an HTML attribute within an HTML attribute; one
in the style sheet of an Atom entry in a CSS string within HTML within XML. Each is a layer, and a
value is written from the innermost to the outermost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.markup.references import (
    Spelled,
    html_attribute,
    html_references,
    xhtml_attribute,
    xhtml_text,
    xml_attribute,
    xml_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "CDATA",
    "HTML_DOUBLE",
    "HTML_SINGLE",
    "HTML_TEXT",
    "HTML_UNQUOTED",
    "RAW_TEXT",
    "XHTML_DOUBLE",
    "XHTML_SINGLE",
    "XHTML_TEXT",
    "XML_DOUBLE",
    "XML_LITERAL",
    "XML_SINGLE",
    "XML_TEXT",
    "Layer",
    "read_layers",
    "write_layers",
]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One way in which characters are spelled.

    Attributes:
        name: for people.
        read: takes the spelling, gives the characters and the way back.
        escapes: what is written for characters that cannot stand for themselves.
        reference: gives an ASCII spelling of any character; None where there is none.

    """

    name: str
    read: Callable[[str], Spelled]
    escapes: dict[int, str]
    reference: Callable[[str], str] | None

    def write(self, text: str) -> str:
        """Spell characters so that they are read as themselves."""
        return text.translate(self.escapes)


def _numeric(char: str) -> str:
    return f"&#x{ord(char):X};"


def _as_it_is(text: str) -> Spelled:
    return Spelled(text, text)


def _escapes(**more: str) -> dict[int, str]:
    table = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    return str.maketrans(table | {{"double": '"', "single": "'"}[k]: v for k, v in more.items()})


HTML_DOUBLE = Layer(
    "double-quoted HTML attribute", html_attribute, _escapes(double="&quot;"), _numeric
)
HTML_SINGLE = Layer(
    "single-quoted HTML attribute", html_attribute, _escapes(single="&#39;"), _numeric
)
HTML_UNQUOTED = Layer("unquoted HTML attribute", html_attribute, _escapes(), _numeric)
HTML_TEXT = Layer("HTML text", html_references, _escapes(), _numeric)
#: The content of a raw text element such as ``style`` (HTML standard, 13.1.2.1).
RAW_TEXT = Layer("raw text", _as_it_is, {}, None)
XML_DOUBLE = Layer(
    "double-quoted XML attribute", xml_attribute, _escapes(double="&quot;"), _numeric
)
XML_SINGLE = Layer("single-quoted XML attribute", xml_attribute, _escapes(single="&#39;"), _numeric)
XML_TEXT = Layer("XML character data", xml_text, _escapes(), _numeric)
XHTML_DOUBLE = Layer(
    "double-quoted XHTML attribute", xhtml_attribute, _escapes(double="&quot;"), _numeric
)
XHTML_SINGLE = Layer(
    "single-quoted XHTML attribute", xhtml_attribute, _escapes(single="&#39;"), _numeric
)
XHTML_TEXT = Layer("XHTML character data", xhtml_text, _escapes(), _numeric)
#: A system identifier or the like, in which nothing is escaped (XML 1.0, 2.3 [11]).
XML_LITERAL = Layer("XML literal", _as_it_is, {}, None)
CDATA = Layer("CDATA section", _as_it_is, {}, None)


def read_layers(source: str, layers: Sequence[Layer]) -> str:
    """Read what stands in layers, the innermost first among them; give the characters."""
    for layer in reversed(layers):
        source = layer.read(source).value
    return source


def write_layers(text: str, layers: Sequence[Layer], encodable: Callable[[str], bool]) -> str:
    """Write characters in layers, the innermost first among them.

    Args:
        text: the characters.
        layers: to spell them in.
        encodable: whether the document's charset has a character; for one that it lacks, the
            outermost layer that has references is asked.

    """
    referring = [index for index, layer in enumerate(layers) if layer.reference is not None]
    for index, layer in enumerate(layers):
        text = layer.write(text)
        if referring and index == referring[-1] and not text.isascii():
            reference = layer.reference
            text = "".join(
                char if char.isascii() or reference is None or encodable(char) else reference(char)
                for char in text
            )
    return text
