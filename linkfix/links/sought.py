"""What of an XML document is to be looked at for its links, by the vocabularies."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from linkfix.links.link import Kind
from linkfix.links.table import PREFIXES, xml_rows, xml_table
from linkfix.markup.xmlskipping import Sought

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from linkfix.links.table import Entry
    from linkfix.markup.xmlskipping import Clean

__all__ = ["SIGNATURE", "sought", "wanted_attributes"]

_ANY = "*"
_REMEMBERED = 256
_IDENTITY = frozenset({Kind.IDENTITY, Kind.HASH_NAME})
#: A document with such an element is not rewritten unasked.
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
#: The one attribute that says what other links mean.
_BASE = (PREFIXES["xml"], "base")

#: An attribute's local name, or its namespace with that.
_Name = str | tuple[str, str]


@dataclass(slots=True)
class _Vocabulary:
    """The rows of one namespace: attributes by element, and the texts of elements."""

    elements: dict[str, dict[_Name, tuple[Entry, ...]]] = field(default_factory=dict)
    texts: dict[str, Entry] = field(default_factory=dict)

    def attributes(self) -> Iterator[tuple[_Name, Entry]]:
        """Give the rows of attributes on whatever element."""
        for rows in self.elements.values():
            for name, entries in rows.items():
                yield from ((name, entry) for entry in entries)


@cache
def _vocabularies() -> dict[str, _Vocabulary]:
    table, found = xml_table(), dict[str, _Vocabulary]()
    for (namespace, element), rows in table.attributes.items():
        found.setdefault(namespace, _Vocabulary()).elements[element] = rows
    for (namespace, element), entry in table.contents.items():
        found.setdefault(namespace, _Vocabulary()).texts[element] = entry
    return found


@cache
def _of_attributes() -> frozenset[str]:
    """Give the namespaces that attributes of links are in."""
    names = (name for each in _vocabularies().values() for name, _ in each.attributes())
    return frozenset(name[0] for name in names if not isinstance(name, str))


@lru_cache(maxsize=_REMEMBERED)
def sought(
    bindings: frozenset[tuple[str, str]],
    root: str,
    places: frozenset[str],
    clean: Clean | None,
    declarations: bool = False,
    simple: bool = True,
) -> Sought:
    """Give all names that matter under certain namespaces.

    Args:
        bindings: namespaces with their prefixes, prefix first.
        root: what stands for the namespace of elements that have none.
        places: the attributes that name what fragments lead to, where somebody asks for them.
        clean: the values of links that nobody needs to see; None to see every link.
        declarations: whether the names of namespaces are to be seen where they are declared.
        simple: whether values may be given without the elements that they are all there is to see of.

    """
    texts, documents, link_texts = set[str](), set[str](), set[str]()
    attributes, others = set(places), set[str]()
    links: dict[frozenset[str], set[str]] = {}
    kinds = {Kind.SINGLE} if clean is not None else {Kind.SINGLE, *_IDENTITY}
    anywhere = frozenset(_single(_ANY, _ANY, bindings, kinds))
    known = _vocabularies()
    for prefix, namespace in [*bindings, (_ANY, _ANY)]:
        vocabulary = known.get(namespace or root)
        if vocabulary is None:
            continue
        before = f"{prefix}:" if prefix not in {"", _ANY} else ""
        for element, entry in vocabulary.texts.items():
            if clean is not None and entry.kind in _IDENTITY:
                continue
            texts.add(before + element)
            if entry.kind is Kind.DOCUMENT:
                documents.add(before + element)
            elif entry.kind is Kind.SINGLE and not entry.when:
                link_texts.add(before + element)
        for element, rows in vocabulary.elements.items():
            for name, entries in rows.items():
                if clean is None or not all(entry.kind in _IDENTITY for entry in entries):
                    is_style = all(entry.kind is Kind.CSS for entry in entries)
                    (attributes if not is_style else others).update(_written(name, bindings))
            own = frozenset(_single(namespace or root, element, bindings, kinds))
            if element == _ANY:
                anywhere &= own
            else:
                links.setdefault(own, set()).add(before + element)
    styles = others - attributes
    return Sought(
        bindings,
        frozenset(texts),
        frozenset(documents),
        frozenset(attributes | styles),
        frozenset(styles),
        frozenset(link_texts),
        tuple((frozenset(links[own]), own) for own in links if own != anywhere),
        anywhere,
        clean,
        declarations,
        simple,
    )


@lru_cache(maxsize=1024)
def wanted_attributes(
    namespace: str, element: str, bindings: frozenset[tuple[str, str]], places: frozenset[str]
) -> frozenset[str]:
    """Give the attributes, as they are written, without which an element holds nothing.

    Args:
        namespace: of the element, or what stands for it where it has none.
        element: its local name.
        bindings: namespaces with their prefixes, prefix first.
        places: the attributes that name what fragments lead to, where somebody asks for them.

    """
    rows = xml_rows(namespace, element)
    return places | {written for name in rows for written in _written(name, bindings)}


def _written(name: _Name, bindings: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Give an attribute's name as it is written."""
    if isinstance(name, str):
        yield name
    else:
        yield from (
            f"{prefix}:{name[1]}" for prefix, bound in bindings if prefix and bound == name[0]
        )


def _single(
    namespace: str, element: str, bindings: frozenset[tuple[str, str]], kinds: Container[Kind]
) -> Iterator[str]:
    """Give the attributes of an element whose whole value is one link of certain kinds."""
    for name, entries in xml_rows(namespace, element).items():
        if name != _BASE and all(e.kind in kinds and not e.when for e in entries):
            yield from _written(name, bindings)
