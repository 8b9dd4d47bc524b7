"""What of an XML document is to be looked at for its links, by the vocabularies."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from linkfix.links.interest import worth as worth_in_html
from linkfix.links.link import Kind
from linkfix.links.settings import XMLSettings
from linkfix.links.table import PREFIXES, without_namespace, xml_rows, xml_table
from linkfix.markup.xmlglance import XMLWorth, nothing_worth_in_xml, prolog
from linkfix.markup.xmlskipping import Sought

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from linkfix.links.table import Entry
    from linkfix.markup.skipping import Clean

__all__ = ["SIGNATURE", "nothing_sought", "sought", "wanted_attributes"]

_ANY = "*"
_REMEMBERED = 256
_IDENTITY = frozenset({Kind.IDENTITY, Kind.HASH_NAME})
#: Kinds of which a value that is a clean link has only that, and of which it may have several.
_ONE = frozenset({Kind.SINGLE, Kind.TEMPLATE, Kind.STRINGS, Kind.URI_SPECIFICATION})
_LISTS = frozenset({Kind.LIST, Kind.PAIRS})
#: What bases begin with under which a clean link may mean something else.
_UNUSUAL = frozenset({"ftp:", "mailto:", "file:"})
_USUAL_SETTINGS = XMLSettings()
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


def nothing_sought(document: bytes, clean: Clean, settings: XMLSettings | None) -> bool:
    """Tell at a glance that a document has no link but such as need not be looked at.

    Args:
        document: the whole of it, in UTF-8.
        clean: the values of links that nobody needs to see.
        settings: how it is read; None for the usual ones.

    Returns:
        Whether that is certain; a document may take a closer look, for one if it has an XML
        Signature.

    """
    settings = settings or _USUAL_SETTINGS
    if settings.dtd or settings.schema is not None or settings.catalog is not None:
        return False
    known = prolog(document)
    if known is None or SIGNATURE in known.namespaces:
        return False
    vocabularies = {without_namespace(known.root), *known.namespaces} & _vocabularies().keys()
    bound = known.namespaces & _of_attributes()
    worth = _worth(frozenset(vocabularies), bound, clean, is_styled=known.is_styled)
    return nothing_worth_in_xml(worth, document, known.start, settings.limits)


@lru_cache(maxsize=_REMEMBERED)
def _worth(
    known: frozenset[str], bound: frozenset[str], clean: Clean, *, is_styled: bool
) -> XMLWorth:
    """Give what is worth a look under certain namespaces, of elements and of attributes."""
    kinds: dict[str, set[Kind]] = {"href": {Kind.SINGLE}} if is_styled else {}
    beginnings: dict[str, frozenset[str]] = {_BASE[1]: _UNUSUAL}
    texts: dict[Kind, set[str]] = {}
    for vocabulary in (_vocabularies()[namespace] for namespace in [*known, _ANY]):
        for element, entry in vocabulary.texts.items():
            texts.setdefault(entry.kind, set()).add(element)
        for name, entry in vocabulary.attributes():
            if not isinstance(name, str) and name[0] not in bound and name != _BASE:
                continue
            if entry.kind in _IDENTITY:
                continue
            for other, values in entry.when:
                beginnings[other] = beginnings.get(other, frozenset()) | values
            if not entry.when:
                local = name if isinstance(name, str) else name[1]
                kinds.setdefault(local, set()).add(entry.kind)
    links, lists, styles, others = set[str](), set[str](), set[str](), set[str]()
    for local, found in kinds.items():
        if found <= _LISTS and local not in beginnings:
            lists.add(local)
        elif found <= _LISTS | _ONE:
            links.add(local)
            if Kind.URI_SPECIFICATION in found:
                beginnings[local] = beginnings.get(local, frozenset()) | {"url("}
        elif found == {Kind.CSS} and local not in beginnings:
            styles.add(local)
        else:
            others.add(local)
    style_texts = frozenset(texts.pop(Kind.CSS, ()))
    inner = worth_in_html(clean) if texts.pop(Kind.DOCUMENT, ()) else None
    link_texts = {element for kind in texts.keys() - _IDENTITY for element in texts[kind]}
    conditions = tuple((name, values) for name, values in beginnings.items() if name not in others)
    return XMLWorth(
        clean,
        frozenset(links),
        frozenset(lists),
        frozenset(styles),
        conditions,
        frozenset(others),
        frozenset(link_texts - style_texts),
        style_texts,
        inner,
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
