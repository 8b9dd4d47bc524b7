"""The wanted names of XML, made from the vocabularies and the namespaces in force.

Input: the tables, a scope and namespaces. Output: for the scanner, the elements and values that may be links; for
the pattern of `names`, the wanted names as the document writes them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from linkfix.links.html.embedded import How
from linkfix.links.link import Kind
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.table import Entry, xml_rows, xml_table
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.xml.elements import Interest
from linkfix.markup.xml.names import Wanted

_ANY = "*"
#: A document with such an element is rewritten only on request.
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
#: The most namespaces for which wanted names are made, and the most code points in them and their prefixes.
_MOST_BINDINGS, _MOST_NAMES = 64, 8192
_KEPT = 256
#: The attribute that is the target of fragments, with or without the namespace of XML; and that of ``a`` in XHTML.
_ID, _NAME = "id", "name"
_BASE = "xml:base"

#: An attribute's local name, or its namespace with that.
_Name = str | tuple[str, str]
_Ways = tuple[tuple[str, How], ...]


@dataclass(frozen=True, slots=True)
class LinkInterest(Interest):
    """The elements and values of XML that may be links.

    Attributes:
        scope: which values count as links.
        ids: whether the targets of fragments are wanted.

    """

    scope: Scope = EVERYTHING
    ids: bool = False

    def vocabulary(self, root: str, public: str) -> str:
        """Return the key of the vocabulary of a document, as `Interest.vocabulary`."""
        return xml_table(self.scope.conventions).vocabulary(root, public)

    def of_element(self, vocabulary: str, local: str) -> tuple[bool, frozenset[str] | None]:
        """Return whether the text of an element is wanted, and its wanted attributes, as `Interest.of_element`."""
        naming = {_ID, _NAME} if (vocabulary, local) == (HTML, "a") else {_ID}
        if not self.scope.links:
            return False, frozenset(naming if self.ids else ())
        ways = self.scope.conventions
        wants_text = (vocabulary, local) in xml_table(ways).contents
        if vocabulary == SIGNATURE or self.scope.add:
            return wants_text or self.scope.adds_texts, None
        rows = xml_rows(vocabulary, local, ways)
        names = {name if isinstance(name, str) else name[1] for name in rows}
        return wants_text, frozenset(names | naming if self.ids else names)

    def wanted(self, bindings: Mapping[str, str], bare: str) -> Wanted | None:
        """Return the wanted names under the namespaces in force, as `Interest.wanted`."""
        if self.scope.add or len(bindings) > _MOST_BINDINGS or SIGNATURE in bindings.values():
            return None
        prefixes = "".join(bindings)
        if len(prefixes) + sum(map(len, bindings.values())) > _MOST_NAMES or not prefixes.isascii():
            return None
        values, links = not self.scope.restricts, self.scope.links
        ways = self.scope.conventions
        found = _wanted(frozenset(bindings.items()), bare, self.ids, values, ways, links=links)
        beginnings = self.beginnings
        return replace(found, elements=None, beginnings=beginnings) if beginnings else found


#: The rows of a namespace: of attributes with their elements, and the kinds of the texts of elements.
_Attributes = list[tuple[str, _Name, tuple[Entry, ...]]]
_Texts = list[tuple[str, Kind]]


@lru_cache(maxsize=64)
def _vocabularies(ways: _Ways = ()) -> tuple[dict[str, _Attributes], dict[str, _Texts]]:
    table = xml_table(ways)
    attributes, texts = defaultdict[str, _Attributes](list), defaultdict[str, _Texts](list)
    for (namespace, element), rows in table.attributes.items():
        attributes[namespace] += [(element, name, entries) for name, entries in rows.items()]
    for (namespace, element), entry in table.contents.items():
        texts[namespace].append((element, entry.kind))
    return attributes, texts


@lru_cache(maxsize=_KEPT)
def _wanted(
    bindings: frozenset[tuple[str, str]],
    bare: str,
    ids: bool,
    values: bool,
    ways: _Ways = (),
    *,
    links: bool,
) -> Wanted:
    """Return all names that may be links under certain namespaces.

    Args:
        bindings: the namespaces in force, each after its prefix.
        bare: the key of the vocabulary of elements without a namespace, "" for no known one.
        ids: whether the targets of fragments are wanted.
        values: whether a value may be returned without its element.
        ways: how certain conventions are read.
        links: whether links are wanted.

    """
    texts, elements = dict[str, bool](), set[str]()
    attributes = {_ID, "xml:id"} if ids else set[str]()
    attributes |= {_NAME} if ids and any(bound == HTML for _, bound in bindings) else set()
    styles = set[str]()
    for prefix, namespace in [*bindings, (_ANY, _ANY)] if links else ():
        attributes_of, texts_of = _vocabularies(ways)
        key = namespace or bare
        before = f"{prefix}:" if prefix not in {"", _ANY} else ""
        for element, kind in texts_of.get(key, ()):
            is_document = kind is Kind.DOCUMENT and texts.get(before + element, True)
            texts[before + element] = is_document
        for element, name, entries in attributes_of.get(key, ()):
            written = {*_written(name, bindings)} - {_BASE}
            if written:
                elements.add(_ANY if element == _ANY else before + element)
            is_style = all(entry.kind is Kind.CSS for entry in entries)
            (styles if is_style else attributes).update(written)
            # Where another attribute decides whether a value is a link, the whole element is needed.
            attributes.update(other for entry in entries for other, _ in entry.when)
    styles -= attributes
    return Wanted(
        frozenset(prefix for prefix, _ in bindings if prefix),
        frozenset(texts),
        frozenset(attributes | styles),
        None if ids or _ANY in elements else frozenset(elements),
        frozenset(name for name, is_document in texts.items() if is_document),
        frozenset(styles),
        values,
        is_bare=bool(bare),
    )


def _written(name: _Name, bindings: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield an attribute's name with each of its prefixes."""
    if isinstance(name, str):
        yield name
    else:
        yield from (
            f"{prefix}:{name[1]}" for prefix, bound in bindings if prefix and bound == name[0]
        )
