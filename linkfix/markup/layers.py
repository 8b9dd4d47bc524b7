"""The layers of spelling around a value: how to read and write each of them.

A link in the ``srcdoc`` of an ``iframe`` has two layers: an HTML attribute inside an HTML attribute. A link in a style
sheet inside an Atom entry has three: a CSS string inside HTML inside XML. A value is read from the outermost layer to
the innermost, and written in the other direction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from linkfix.deferred import pattern
from linkfix.markup.references import (
    Spelled,
    collapsed,
    html_attribute,
    html_references,
    xhtml_attribute,
    xhtml_text,
    xml_attribute,
    xml_text,
)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One way in which characters are spelled.

    Attributes:
        name: name for messages.
        read: maps a spelling to its characters, with the offsets of their spelling.
        escapes: the spelling of each character that cannot be written as itself.
        reference: maps any character to a spelling in ASCII; None if the layer has no such spelling.

    """

    name: str
    read: Callable[[str], Spelled]
    escapes: dict[int, str]
    reference: Callable[[str], str] | None

    def write(self, text: str) -> str:
        """Return a spelling of characters that is read as these characters."""
        return text.translate(self.escapes)


def _numeric(char: str) -> str:
    return f"&#x{ord(char):X};"


def _as_it_is(text: str) -> Spelled:
    return Spelled(text, text)


def _mixed(read: Callable[[str], Spelled], text: str) -> Spelled:
    from linkfix.markup.xml.values import mixed

    return mixed(read, text)


def _escapes(**more: str) -> dict[int, str]:
    table = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    return str.maketrans(table | {{"double": '"', "single": "'"}[k]: v for k, v in more.items()})


_DOUBLE, _SINGLE = _escapes(double="&quot;"), _escapes(single="&#39;")
HTML_DOUBLE = Layer("double-quoted HTML attribute", html_attribute, _DOUBLE, _numeric)
HTML_SINGLE = Layer("single-quoted HTML attribute", html_attribute, _SINGLE, _numeric)
HTML_UNQUOTED = Layer("unquoted HTML attribute", html_attribute, _escapes(), _numeric)
HTML_TEXT = Layer("HTML text", html_references, _escapes(), _numeric)
#: The content of a raw text element such as ``style`` (HTML standard, 13.1.2.1).
RAW_TEXT = Layer("raw text", _as_it_is, {}, None)
COMMENT = Layer("comment", _as_it_is, {}, None)
XML_DOUBLE = Layer("double-quoted XML attribute", xml_attribute, _DOUBLE, _numeric)
XML_SINGLE = Layer("single-quoted XML attribute", xml_attribute, _SINGLE, _numeric)
XML_TEXT = Layer("XML character data", xml_text, _escapes(), _numeric)
XHTML_DOUBLE = Layer("double-quoted XHTML attribute", xhtml_attribute, _DOUBLE, _numeric)
XHTML_SINGLE = Layer("single-quoted XHTML attribute", xhtml_attribute, _SINGLE, _numeric)
XHTML_TEXT = Layer("XHTML character data", xhtml_text, _escapes(), _numeric)
#: A literal such as a system identifier, in which nothing is escaped (XML 1.0, 2.3 [11]).
XML_LITERAL = Layer("XML literal", _as_it_is, {}, None)
CDATA = Layer("CDATA section", _as_it_is, {}, None)
#: Character data in several pieces; what is written there, is written in the layer of one piece.
XML_MIXED = Layer("XML content", partial(_mixed, xml_text), {}, None)
XHTML_MIXED = Layer("XHTML content", partial(_mixed, xhtml_text), {}, None)
#: A value of type anyURI, whose white space the schema collapses.
COLLAPSED = Layer("anyURI", collapsed, {}, None)

#: The characters that a charset may lack: some have others at the octets of backslash and tilde.
_DOUBTFUL = pattern(r"[^\x00-\x5b\x5d-\x7d\x7f]")


def _referring(text: str, reference: Callable[[str], str], encodable: Callable[[str], bool]) -> str:
    return _DOUBTFUL.sub(
        lambda found: found[0] if encodable(found[0]) else reference(found[0]), text
    )


def read_layers(source: str, layers: Sequence[Layer]) -> str:
    """Return the characters of a spelling in layers, the innermost layer first."""
    for layer in reversed(layers):
        source = layer.read(source).value
    return source


def write_layers(text: str, layers: Sequence[Layer], encodable: Callable[[str], bool]) -> str:
    """Return the spelling of characters in layers.

    Args:
        text: the characters.
        layers: the layers, the innermost first.
        encodable: returns whether the document's charset has a character. A missing character is written as a
            reference of the outermost layer with references.

    """
    referring = [index for index, layer in enumerate(layers) if layer.reference is not None]
    for index, layer in enumerate(layers):
        text = layer.write(text)
        if referring and index == referring[-1]:
            text = _referring(text, layer.reference or str, encodable)
    return text
