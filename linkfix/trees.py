"""Links in trees that a program already has: lxml, ElementTree as html5lib builds it, BeautifulSoup.

The same table and the same engine as for documents. Queries are sent in the charset of the document
that a tree was made from; the tree knows it, or its ``meta`` element, or the caller. Trees without
namespaces (``lxml.html``, BeautifulSoup with ``html.parser`` or ``lxml``) have the elements of SVG and
MathML by their names; those within ``svg`` and ``math`` are read as such.

The functions are named after those of ``lxml.html``; no tree library is imported here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from reprlib import repr as short
from typing import Any, Literal

from linkfix.charset import Charset, lookup
from linkfix.charset.prescan import meta_label
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.iri.model import apply
from linkfix.links import Kind, Link, Scope
from linkfix.links.builder import Builder, Target
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.html.hashes import hashed
from linkfix.links.parts import links_of_value
from linkfix.links.stream import flattened
from linkfix.links.table import PREFIXES, Element, Entry, html_table
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.layers import RAW_TEXT
from linkfix.policy import Bases, Policy, gate, move
from linkfix.policy.policy import Each
from linkfix.rewriting.spelling import spelled

__all__ = ["TreeLink", "iter_links", "rewrite_links"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_BACK = {uri: prefix for prefix, uri in PREFIXES.items()}


@dataclass(frozen=True, slots=True)
class TreeLink:
    """One link of a tree.

    Attributes:
        element: the element, of the tree library's own type.
        attribute: name of the attribute in that tree; "" for the text of the element.
        value: the link.
        kind: of the attribute's value.
        start: offset of its spelling in the attribute's value, in code points.
        end: offset after its spelling.
        resolved: the absolute URI that it resolves to; None if that fails.

    """

    element: Any
    attribute: str
    value: str
    kind: Kind
    start: int
    end: int
    resolved: str | None


@dataclass(frozen=True, slots=True)
class _TreeValue:
    """A value in a tree that may contain links, with a way to change it."""

    element: Any
    attribute: str
    target: Target
    entry: Entry
    text: str
    put: Callable[[str], None]


def iter_links(
    tree: Any, *, charset: str | None = None, base: str | None = None, policy: Policy | None = None
) -> Iterator[TreeLink]:
    """Return an iterator over every link of a tree, in the order of the document.

    Args:
        tree: an element or a tree of lxml, of ElementTree, or of BeautifulSoup.
        charset: label of the charset of the document that the tree was built from; None for the charset that the tree
            or its ``meta`` element names, or UTF-8.
        base: absolute URI of the document; None if unknown.
        policy: how links are read; its `query_charset` precedes `charset` in queries.

    Raises:
        UnknownCharsetError: `charset` is no label of any encoding.

    """
    settings = _settings(tree, policy, None, charset, base=base)
    return _listed(tree, settings, base)


def _listed(tree: Any, settings: Policy, base: str | None) -> Iterator[TreeLink]:
    bases = _bases(tree, settings.scope, base)
    for found in _values(tree, settings.scope):
        for link in _links(found, settings.scope):
            resolved = bases.resolver(bases.of(link), settings).resolve(link)
            start, end = (len(found.text.encode()[:at].decode()) for at in (link.start, link.end))
            yield TreeLink(
                found.element, found.attribute, link.value, link.kind, start, end, resolved
            )


def rewrite_links(
    tree: Any,
    *,
    to: Literal["uri", "iri"] | None = None,
    each: Each | None = None,
    charset: str | None = None,
    base: str | None = None,
    moved_to: str | None = None,
    policy: Policy | None = None,
) -> int:
    """Rewrite the links of a tree, in place.

    Args:
        tree: an element or a tree of lxml, of ElementTree, or of BeautifulSoup.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs; None for what the policy says, or ``uri``.
        each: as for `linkfix.rewrite`.
        charset: label of the charset of the document that the tree was built from and, for readable IRIs, will be
            written in; None as for `iter_links`.
        base: absolute URI of the document; None if unknown.
        moved_to: absolute URI of the document after the move; None for the policy's target of `base`.
        policy: every other setting.

    Returns:
        How many links were rewritten.

    Raises:
        UnknownCharsetError: `charset` is no label of any encoding.

    """
    settings = _settings(tree, policy, to, charset, base=base, moved_to=moved_to)
    settings = settings if each is None else replace(settings, each=each)
    base, moved_to = settings.places(base, moved_to)
    moves = settings.moves or moved_to != base
    bases = _bases(tree, settings.scope, base, moved_to)
    changed = 0
    # What the base element becomes rules how the others are written.
    for found in sorted(
        _values(tree, settings.scope), key=lambda found: not found.target.sets_base
    ):
        source = found.text.encode()
        edits: list[tuple[int, int, bytes]] = []
        for link in _links(found, settings.scope):
            is_inert = found.target.element == "base" and not found.target.sets_base
            if is_inert or not settings.applies(link):
                continue
            if moves:
                conversion = move(settings, link, bases).conversion
            else:
                conversion = settings.convert(link, bases.of(link))
            new, _ = spelled(settings, link, conversion)
            bases.note(link, link.value if new is None else conversion.text)
            if new is not None:
                edits.append((link.start, link.end, new))
        if edits:
            found.put(apply(source, edits).decode())
            changed += len(edits)
    return changed


def _settings(
    tree: Any,
    policy: Policy | None,
    to: Literal["uri", "iri"] | None,
    charset: str | None,
    **bases: str | None,
) -> Policy:
    """Return the settings for a tree; the arguments are checked first."""
    gate.check(to=to, policy=policy, charset=charset, **bases)
    if not (hasattr(tree, "find_all") or hasattr(tree, "getroot") or hasattr(tree, "iter")):
        raise ArgumentError(f"tree={short(tree)} is no tree of lxml, ElementTree or BeautifulSoup")
    policy = policy or Policy()
    policy = policy if to is None else replace(policy, to=to)
    label = _charset(tree) if charset is None else lookup(charset).name
    return replace(policy, document_charset=label)


def _charset(tree: Any) -> str:
    """Return the name of the charset of the document that a tree was built from.

    BeautifulSoup knows it for bytes. lxml knows a legacy charset; a Unicode charset may be that of a string from the
    caller, so the declaration of the document precedes it.
    """
    whole = _whole(tree)
    if hasattr(whole, "find_all"):
        known = _named(whole.original_encoding)
        if known is not None:
            return known.name
    else:
        try:
            known = _named(whole.docinfo.encoding)
        except (AttributeError, AssertionError):  # no tree of lxml, or an empty one
            known = None
        if known is not None and not known.is_unicode:
            return known.name
    declared = next(filter(None, map(_named, _declared(whole))), None)
    return "UTF-8" if declared is None else declared.name


def _whole(tree: Any) -> Any:
    """Return the document that a tree is a part of, as far as its library knows it."""
    if hasattr(tree, "find_all"):
        return [tree, *tree.parents][-1]
    whole = tree.getroottree() if hasattr(tree, "getroottree") else tree
    return tree if hasattr(whole, "getroot") and whole.getroot() is None else whole


def _named(label: str | None) -> Charset | None:
    """Return the charset of a label, None for no label and for one that names nothing."""
    try:
        return None if label is None else lookup(label)
    except LinkfixError:
        return None


def _declared(tree: Any) -> Iterator[str]:
    """Yield the labels in ``meta`` elements (HTML Standard, 4.2.5.4)."""
    for element in _elements(tree):
        if element.name == "meta":
            values = {
                plain.lower().encode(): value.encode("utf-8", "replace")
                for _, plain, value in element.attributes
            }
            if (label := meta_label(values)) is not None:
                yield label.decode()


def _bases(tree: Any, scope: Scope, base: str | None, moved_to: str | None = None) -> Bases:
    bases = Bases(base, moved_to)
    for found in _values(_whole(tree), scope):
        if found.target.sets_base:
            for link in _links(found, scope):
                bases.see(link)
                bases.note(link, link.value)
    return bases


def _links(found: _TreeValue, scope: Scope) -> list[Link]:
    """Read a value as if it were a document of its own, in UTF-8 and without any escaping."""
    source = found.text.encode()
    charset = lookup("utf-8")
    builder = Builder(charset, charset.view(), 0)
    builder.add(source)
    value = builder.value(0, len(source), RAW_TEXT)
    finder = HTMLFinder(builder, scope=scope)
    links = flattened(links_of_value(finder, value, value.slot, found.target, found.entry))
    return scope.templates.marked(links)


@dataclass(frozen=True, slots=True)
class _Element:
    """An element of any kind of tree.

    Attributes:
        node: the element, of the tree library's own type.
        namespace: its namespace name.
        name: its name in lower case, without a prefix.
        attributes: for each its key in the tree, its name with a prefix, and its value.
        text: its text, for elements that contain nothing else; None for others.
        put: sets an attribute.
        put_text: sets the text.
        is_inert: whether it is in a ``template``, whose content is in no document (HTML Standard, 4.12.3).

    """

    node: Any
    namespace: str
    name: str
    attributes: list[tuple[str, str, str]]
    text: str | None
    put: Callable[[str, str], None]
    put_text: Callable[[str], None]
    is_inert: bool


def _elements(tree: Any) -> Iterator[_Element]:
    """Yield the elements of a tree in the order of the document."""
    describe: Callable[[Any, str, bool], _Element | None]
    if hasattr(tree, "find_all"):
        describe = _soup_element
        top = iter([tree] if tree.name != "[document]" else tree.children)
    else:
        describe = _etree_element
        top = iter([tree.getroot() if hasattr(tree, "getroot") else tree])
    #: The children that are left of each element around, with the namespace in it, and whether it is inert.
    around = [(top, "", False)]
    while around:
        children, inherited, is_inert = around[-1]
        node = next(children, None)
        if node is None:
            around.pop()
        elif (element := describe(node, inherited, is_inert)) is not None:
            yield element
            is_inert |= (element.namespace, element.name) == (HTML, "template")
            around.append((_children(node), _within(element, inherited), is_inert))


def _children(node: Any) -> Iterator[Any]:
    """Return the children of an element; those of lxml.objectify iterate over their siblings."""
    if hasattr(node, "find_all"):
        return iter(node.children)
    return node.iterchildren() if hasattr(node, "iterchildren") else iter(node)


def _within(element: _Element, inherited: str) -> str:
    """Return the namespace of elements inside another in a tree without namespaces; "" for HTML."""
    if not inherited and not _is_bare(element.node):
        return ""
    if element.namespace == SVG and element.name in {"foreignobject", "desc", "title"}:
        return ""
    return element.namespace if element.namespace in {SVG, MATHML} else ""


def _is_bare(node: Any) -> bool:
    """Return whether the tree does not say in which namespace an element is."""
    tag = _name(getattr(node, "tag", None))
    return "}" not in tag if isinstance(tag, str) else not node.namespace


def _namespace(name: str, inherited: str) -> str:
    """Return the namespace of an element for which the tree names none."""
    return {"svg": SVG, "math": MATHML}.get(name, inherited or HTML)


def _name(name: Any) -> Any:
    """Return the name of an element or attribute as text: ElementTree allows a QName too."""
    return getattr(name, "text", name)


def _etree_element(node: Any, inherited: str, is_inert: bool) -> _Element | None:
    tag = _name(node.tag)
    if not isinstance(tag, str):  # a comment or a processing instruction
        return None
    namespace, _, name = tag.rpartition("}")
    name = name.lower()
    attributes = [
        (key, _plain(key), value)
        for key, value in zip(map(_name, node.attrib), node.attrib.values(), strict=True)
        if isinstance(key, str) and isinstance(value, str)  # others are no text, such as None
    ]

    put_text = partial(setattr, node, "text")
    namespace = namespace[1:] or _namespace(name, inherited)
    return _Element(node, namespace, name, attributes, node.text, node.set, put_text, is_inert)


def _plain(key: str) -> str:
    """Write ``{namespace}local`` as ``prefix:local``."""
    uri, brace, local = key.rpartition("}")
    return f"{_BACK.get(uri[1:], '')}:{local}" if brace else key


def _soup_name(key: str) -> str:
    """Write the name of an attribute with the prefix of the tables."""
    uri = getattr(key, "namespace", None)
    return _plain(f"{{{uri}}}{getattr(key, 'name', key)}") if uri else key


def _soup_element(tag: Any, inherited: str, is_inert: bool) -> _Element | None:
    if not hasattr(tag, "attrs"):  # a text or a comment
        return None
    # Of some attributes BeautifulSoup makes lists; programs set numbers, and None for no value.
    attributes = [
        (key, _soup_name(key), value if isinstance(value, str) else " ".join(value))
        for key, value in tag.attrs.items()
        if isinstance(value, str | list)
    ]
    name = tag.name.rpartition(":")[2].lower()
    text = tag.string if name == "style" else None

    def put_text(text: str) -> None:
        tag.string.replace_with(type(tag.string)(text))

    namespace = tag.namespace or _namespace(name, inherited)
    return _Element(tag, namespace, name, attributes, text, tag.__setitem__, put_text, is_inert)


def _values(tree: Any, scope: Scope) -> Iterator[_TreeValue]:
    """Yield the values of the tree that the table names, and the user's choice."""
    styles = False  # whether a policy may have hashes of them
    for element in _elements(tree):
        name, namespace = element.name, element.namespace
        # Lone surrogates, which a script can put into a tree, are in no document.
        attributes = [item for item in element.attributes if not _SURROGATE.search(item[2])]
        rows = html_table(scope.conventions).of_element(namespace, name)
        values = {plain.lower(): value for _, plain, value in attributes}
        if name == "meta":
            styles |= "style" in hashed(values.get)
        whose = partial(Element, name, values.get, namespace == HTML, namespace)
        for key, plain, value in attributes:
            attribute = plain.lower()
            entry = scope.choose(rows.get(attribute, ()), values.get, whose, attribute)
            if entry is not None:
                sets_base = (name, attribute) == ("base", "href") and not element.is_inert
                target = Target(name, namespace, attribute, "html", sets_base=sets_base)
                target = target._replace(hashed=styles and attribute == "style")
                put = partial(element.put, key)
                yield _TreeValue(element.node, key, target, entry, value, put)
        content, text = html_table(()).contents.get((namespace, name)), element.text
        is_style = values.get("type", "text/css") in {"", "text/css"}
        if content is not None and text and is_style and scope.allows(whose(), ""):
            target = Target(name, namespace, "", "html", hashed=styles)
            yield _TreeValue(element.node, "", target, content, str(text), element.put_text)
