"""Independent readers: a document as a flat sequence of nodes, by parsers that are not linkfix's own.

HTML is read by lexbor (through selectolax), XML by libxml2 (through lxml). Both are parsers in C
that build a tree; this module walks the tree from its beginning to its end. A walk costs about
half a microsecond a node.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from linkfix.charset import Sniffed
from linkfix.deferred import pattern
from linkfix.errors import NotWellFormedError
from linkfix.links.link import WEB_NAMESPACES
from linkfix.links.names_data import XHTML

_NEEDED = ("ada_url", "selectolax")
_DECLARATION = pattern(r"\A<\?xml[^>]*\?>")


@cache
def is_available() -> bool:
    """Return whether the independent readers are installed (extra ``verify``)."""
    return all(find_spec(name) is not None for name in _NEEDED)


def load() -> None:
    """Import the independent readers, before processes are forked that use them."""
    for name in ("ada_url", "selectolax.lexbor", "lxml.etree"):
        import_module(name)


class Node(NamedTuple):
    """A node of a tree.

    Attributes:
        shape: in HTML how many elements contain the node, in XML how many children it has. With the
            order of the nodes, either determines the tree.
        name: of the element, with its namespace in XML; ``#text``, ``#comment``, ``#doctype``, or
            ``?target`` of a processing instruction.
        attributes: of the element, in the order of the document.
        text: characters of a text or a comment.
        parent: name of the element that contains a text; "" for other nodes.

    """

    shape: int
    name: str
    attributes: Mapping[str, str | None]
    text: str
    parent: str = ""


_NONE: Mapping[str, str | None] = {}


def html_nodes(text: str, *, scripting: bool) -> Iterator[Node]:
    """Yield the nodes of an HTML document in tree order, the contents of templates included.

    Args:
        text: code points of the document.
        scripting: whether ``noscript`` contains text, as in a browser that runs scripts.

    """
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    options = LexborDocumentOptions.WO_EVENTS.value
    parser = LexborHTMLParser(text, options=options, scripting=scripting)
    document: Any = parser.root.parent if parser.root is not None else None
    node: Any = document.child if document is not None else None
    open_elements: list[Any] = []
    while node is not None:
        following: Any = None
        depth = len(open_elements)
        if node.is_element_node:
            name = node.tag
            yield Node(depth, name, node.attributes, "")
            # The contents of an HTML template are a tree of their own; SVG knows no templates.
            contents = node.template_fragments() if name == "template" else ()
            following = (contents[0] if contents else node).child
        elif node.is_comment_node:
            yield Node(depth, "#comment", _NONE, node.comment_content or "")
        elif node.tag == "-text":
            parent = open_elements[-1].tag if open_elements else ""
            yield Node(depth, "#text", _NONE, node.text_content or "", parent)
        else:
            yield Node(depth, "#doctype", _NONE, node.html or "")
        if following is not None:
            open_elements.append(node)
        else:
            following = node.next
            while following is None and open_elements:
                following = open_elements.pop().next
        node = following


def xml_nodes(
    data: bytes, sniffed: Sniffed, *, recover: bool, transcoded: Literal["", "xml", "xhtml"] = ""
) -> Iterator[Node]:
    """Yield the nodes of an XML document in tree order.

    Args:
        data: bytes of the document.
        sniffed: its charset, for labels that libxml2 does not know.
        recover: whether a document that is not well-formed is read as far as possible.
        transcoded: the type of the document, if it is compared with one that was transcoded, by the tables that
            its type has there; libxml2 reads some octets of legacy charsets by other tables. Else "".

    Raises:
        NotWellFormedError: libxml2 refuses the document.

    """
    root = _parsed(data, sniffed, recover=recover, transcoded=transcoded)
    if root is None:
        return
    yield Node(0, "#doctype", _NONE, root.getroottree().docinfo.doctype)
    first = root
    while first.getprevious() is not None:
        first = first.getprevious()
    while first is not None:
        yield from _of(first)
        first = first.getnext()


def _parsed(data: bytes, sniffed: Sniffed, *, recover: bool, transcoded: str) -> Any:
    from lxml import etree

    class Definitions(etree.Resolver):
        """Returns what is read in place of a DTD: the entities of XHTML as browsers know them, nothing of any other."""

        def resolve(self, system_url: Any, public_id: Any, context: Any = None) -> Any:
            del system_url
            definitions = _entities() if public_id in XHTML else " "
            return self.resolve_string(definitions, context, base_url=None)

    def parse(source: bytes) -> Any:
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, huge_tree=True, recover=recover, load_dtd=True
        )
        parser.resolvers.add(Definitions())
        return etree.fromstring(source, parser)

    def decoded() -> bytes:
        charset, octets = sniffed.charset, data[sniffed.bom :]
        text = charset.decode_xml(octets) if transcoded == "xml" else charset.decode(octets)
        return _DECLARATION.sub("", text, count=1).encode()

    try:
        try:
            root = parse(data)
        except etree.XMLSyntaxError:  # libxml2 knows fewer charsets
            return parse(decoded())
        # What browsers show is in the charset as the Encoding Standard has it.
        is_web = root is not None and etree.QName(root).namespace in WEB_NAMESPACES
        by_table = (is_web or bool(transcoded)) and not sniffed.charset.is_unicode
        return parse(decoded()) if by_table else root
    except etree.XMLSyntaxError as error:
        raise NotWellFormedError(
            f"libxml2 refuses it: {error.msg}", hint="compare it with another reader"
        ) from error


@cache
def _entities() -> str:
    """Return the declarations of the named character references (HTML Standard, 14.2)."""
    from html.entities import html5

    return "".join(
        f'<!ENTITY {name[:-1]} "{"".join(f"&#38;#{ord(char)};" for char in text)}">'
        for name, text in html5.items()
        if name.endswith(";")
    )


def _of(top: Any) -> Iterator[Node]:
    """Yield a node of the document, and all that an element contains, with the texts after each."""
    from lxml import etree

    for node in top.iter():
        if isinstance(node.tag, str):
            yield Node(len(node), node.tag, node.attrib, "")
            if node.text:
                yield Node(0, "#text", _NONE, node.text, node.tag)
        elif node.tag is etree.Comment:
            yield Node(0, "#comment", _NONE, node.text or "")
        elif node.tag is etree.ProcessingInstruction:
            yield Node(0, f"?{node.target}", _NONE, node.text or "")
        else:  # an entity reference
            yield Node(0, node.text, _NONE, "")
        if node.tail and node is not top:
            yield Node(0, "#text", _NONE, node.tail, node.getparent().tag)
