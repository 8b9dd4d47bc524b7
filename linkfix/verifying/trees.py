"""Compare the trees of a document before and after a change, as independent parsers build them.

Input: both documents with their links as linkfix reads them. Output: the first difference that no link explains. A value may
differ by the spelling of links. Where the same text stands elsewhere in the value too, marks in the place of the links show
where they are.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import cycle, zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

from linkfix.charset import Sniffed
from linkfix.deferred import pattern
from linkfix.iri.model import apply
from linkfix.links import Link
from linkfix.links.html.embedded import SRCDOC, TEXTS
from linkfix.markup.detect import DocumentType
from linkfix.verifying.readers import Node, html_nodes, xml_nodes

if TYPE_CHECKING:
    from linkfix.policy import Policy


# --- What a verification reports ------------------------------------------------------------------


class Difference(NamedTuple):
    """The first thing in which two documents differ and must not.

    Attributes:
        what: the kind of difference: ``charset``, ``type``, ``links``, ``link``, ``tree`` or
            ``syntax``.
        place: the element, attribute or text that differs, for people.
        old: its value in the old document.
        new: its value in the new document.
        line: line of the link in the old document, from 1; None where no link is concerned.
        column: column of the link in code points, from 1; None likewise.
        offset: byte offset of the link in the old document; None likewise.

    """

    what: str
    place: str
    old: str
    new: str
    line: int | None = None
    column: int | None = None
    offset: int | None = None

    def __str__(self) -> str:
        return f"{self.what}: {self.place}: {_short(self.old)} became {_short(self.new)}"


def _short(text: str, most: int = 120) -> str:
    """Return a text in quotes, cut to `most` code points."""
    return ascii(text) if len(text) <= most else f"{text[:most]!a}…"


# --------------------------------------------------------------------------------------------------

#: Attributes that name a charset, by element.
_LABELLED = {
    "a": frozenset({"charset"}),
    "form": frozenset({"accept-charset"}),
    "include": frozenset({"encoding"}),
    "link": frozenset({"charset"}),
    "script": frozenset({"charset"}),
    "?xml-stylesheet": frozenset({"charset"}),
}
#: The charset that an instruction names.
_PSEUDO_LABEL = pattern(r"""\s*\bcharset\s*=\s*("[^"]*"|'[^']*')\s*""")
#: The label in an XML declaration, which HTML reads as a comment (HTML Standard, 13.2.5.6).
_XML_LABEL = pattern(r"""\A(\?xml\s[^>]*?\sencoding\s*=\s*)("[^"]*"|'[^']*')""")
_COMMENT = "#comment"
#: The place of a difference in the elements and attributes themselves.
_NODE = "node"
#: What is around text that some readers take for markup: a body, and what shows that no tag or text is open at the end.
_AROUND = ("<body>x", "<!-- -->")


class Reading(NamedTuple):
    """A document as linkfix reads it.

    Attributes:
        data: its bytes.
        links: all of them, in order.
        type: what it is; None for an empty document.
        sniffed: its charset; None for an empty document.
        own: absolute URL of the document, against which a ``base`` element is resolved.
        base: absolute URL that its other relative links are resolved against.

    """

    data: bytes
    links: list[Link]
    type: DocumentType | None
    sniffed: Sniffed | None
    own: str
    base: str


def different_tree(
    before: Reading, after: Reading, policy: Policy, *, transcoded: bool
) -> Difference | None:
    """Compare the trees of two documents, whose links are the same in number and kind.

    Args:
        before: the old document.
        after: the new one.
        policy: how both are read.
        transcoded: whether elements and attributes that name charsets may differ.

    Returns:
        The first difference that is more than another spelling of a link, or None.

    Raises:
        NotWellFormedError: libxml2 refuses a document.

    """
    if before.type in {"css", "json", "text", "http"}:
        return None
    changes = _Changes(before.links, after.links)
    how = _How(None if before.type != "html" else policy.scope.scripting, transcoded)
    difference = _different_nodes(how.trees((before, after), policy), changes, how)
    if difference is None or difference.place == _NODE:
        return difference
    return _different_by_position(before, after, policy, how)


class _How(NamedTuple):
    """How two documents are read.

    Attributes:
        scripting: how HTML is read (`html_nodes`); None for XML.
        transcoded: whether elements and attributes that name charsets may differ, and are left out.

    """

    scripting: bool | None
    transcoded: bool

    def trees(self, readings: Iterable[Reading], policy: Policy) -> list[Iterable[Node]]:
        """Return the nodes of each document."""
        return self.compared(
            map(partial(nodes, policy=policy, transcoded=self.transcoded), readings)
        )

    def compared(self, trees: Iterable[Iterable[Node]]) -> list[Iterable[Node]]:
        """Return the nodes of each tree that are compared."""
        return [*map(_without_labels, trees)] if self.transcoded else [*trees]


def _different_nodes(
    trees: list[Iterable[Node]], changes: _Changes, how: _How
) -> Difference | None:
    """Compare the nodes of two trees, and those of the documents that are embedded in them; `changes` explain differences."""
    for old, new in zip_longest(*trees):
        if old == new:
            continue
        if old is None or new is None or _shape(old) != _shape(new):
            return Difference("tree", _NODE, _show(old), _show(new))
        if how.transcoded and _names_utf8(old, new):
            continue
        for (element, name, one), (_, _, other) in zip(_values(old), _values(new), strict=True):
            if one == other:
                continue
            if (inner := _embedded(element, name, (one, other), how)) is not None:
                difference = _different_nodes(inner[0], changes, inner[1])
                if difference is not None:
                    return difference
            elif not changes.explain(element, name, one, other):
                return Difference("tree", _place(element, name), one, other)
    return None


def _embedded(
    element: str, attribute: str, values: tuple[str, str], how: _How
) -> tuple[list[Iterable[Node]], _How] | None:
    """Return the nodes of the documents in two values, and how they are read; None if they are no documents.

    Args:
        element: name of the element of the values.
        attribute: name of the attribute; "" for text.
        values: before and after.
        how: how the document around is read.

    """
    kind = None
    if attribute:
        kind = SRCDOC if (_local(element), attribute) == ("iframe", "srcdoc") else None
    elif how.scripting is not None and (element != _COMMENT or values[0].startswith("[if ")):
        kind = TEXTS.get(element.encode())
    if kind is None:
        return None
    scripting = how.scripting is not False and kind.scripting
    start, end = _AROUND if kind.is_text else ("", "")
    texts = (start + _newlines(text) + end for text in values)
    trees = how.compared(html_nodes(text, scripting=scripting) for text in texts)
    return trees, how._replace(scripting=scripting)


def _different_by_position(
    before: Reading, after: Reading, policy: Policy, how: _How
) -> Difference | None:
    """Compare the trees of two documents with the same mark in the place of each link whose spelling differs.

    So it is known where each link is in a value, although the same text is there elsewhere too.
    """
    masks = _Masks(before, after)
    trees = how.trees((before, after, masks.old, masks.new), policy)
    for old, new, masked, other in zip_longest(*trees):
        if old is None or new is None or masked is None or other is None:
            return Difference("tree", _NODE, _show(old), _show(new))
        if not _shape(old) == _shape(new) == _shape(masked) == _shape(other):
            return Difference("tree", _NODE, _show(old), _show(new))
        if how.transcoded and _names_utf8(old, new):
            continue
        values = zip(*map(_values, (old, new, masked, other)), strict=True)
        for (element, name, was), (_, _, now), (_, _, mask), (_, _, same) in values:
            fits = mask == same and masks.fills(mask, was, now)
            if was != now:
                inner = _embedded(element, name, (was, now), how)
                if inner and (marked := _embedded(element, name, (mask, same), how)):
                    # Declarations of charsets in an embedded document are left out, and no links.
                    fits = fits or (how.transcoded and _are_alike(marked[0], by_shape=False))
                    fits = fits and _are_alike(inner[0], by_shape=True)
            if not fits:
                return Difference("tree", _place(element, name), was, now)
    return None


def _are_alike(trees: list[Iterable[Node]], *, by_shape: bool) -> bool:
    """Return whether two trees have the same nodes, or nodes of the same shape."""
    return all(
        one is not None
        and other is not None
        and (_shape(one) == _shape(other) if by_shape else one == other)
        for one, other in zip_longest(*trees)
    )


def _values(node: Node) -> list[tuple[str, str, str]]:
    """Return every value of a node with the names of its element and attribute, "" for text."""
    values = [(node.name, name, value or "") for name, value in node.attributes.items()]
    return [*values, (node.parent or node.name, "", node.text)]


def _place(element: str, attribute: str) -> str:
    return f"{element}@{attribute}" if attribute else f"text of {element}"


def nodes(reading: Reading, policy: Policy, *, transcoded: bool) -> Iterator[Node]:
    """Return the nodes of a document."""
    sniffed = reading.sniffed
    if sniffed is None:
        return iter(())
    if reading.type == "html":
        text = sniffed.charset.decode(reading.data[sniffed.bom :])
        return html_nodes(_newlines(text), scripting=policy.scope.scripting)
    type_: Literal["", "xml", "xhtml"] = "xhtml" if reading.type == "xhtml" else "xml"
    return xml_nodes(
        reading.data, sniffed, recover=policy.xml.recover, transcoded=type_ if transcoded else ""
    )


def _without_labels(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes without declarations of a charset.

    A ``meta`` element that declares one is left out with the newline after it, and the texts around it are one. White
    space in the head is left out too.
    """
    text: Node | None = None
    follows_meta = False
    for node in nodes:
        if node.name != "#text":
            local = _local(node.name)
            if local == "meta" and _names_charset(node.attributes):
                follows_meta = True
                continue
            yield from _counted(text)
            text = None
            yield _unlabelled(node, local) if local in _LABELLED else node
        elif not follows_meta:
            yield from _counted(text)
            text = node
        else:
            rest = node.text.removeprefix("\n")
            before = text.text if text is not None and text.shape == node.shape else ""
            yield from () if before else _counted(text)
            text = node._replace(text=before + rest) if before + rest else None
        follows_meta = False
    yield from _counted(text)


def _counted(text: Node | None) -> list[Node]:
    """Return a text that is compared, and nothing for white space in the head."""
    if text is None:
        return []
    return [text] * (text.parent not in {"", "html", "head"} or bool(text.text.strip()))


def _unlabelled(node: Node, local: str) -> Node:
    """Return an element or instruction without attributes that name a charset; `local` is its name without a prefix."""
    if local.startswith("?"):
        return node._replace(text=_PSEUDO_LABEL.sub(" ", node.text, count=1).strip())
    labels = _LABELLED[local]
    if labels.isdisjoint(node.attributes):
        return node
    kept = {key: value for key, value in node.attributes.items() if key not in labels}
    return node._replace(attributes=kept)


def _names_utf8(old: Node, new: Node) -> bool:
    """Return whether two nodes are one XML declaration that names UTF-8 now."""
    label = _XML_LABEL.match(new.text)
    if label is None or new.name != "#comment" or new.shape:
        return False
    one, other = (_XML_LABEL.sub(r"\1", node.text, count=1) for node in (old, new))
    return one == other and label[2][1:-1].upper() == "UTF-8"


def _names_charset(attributes: Mapping[str, str | None]) -> bool:
    return "charset" in attributes or (
        (attributes.get("http-equiv") or "").lower() == "content-type"
    )


def _newlines(text: str) -> str:
    """Normalize newlines as parsers do (HTML Standard, 13.2.3.5; XML 1.0, 2.11)."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _shape(node: Node) -> tuple[int, str, list[str], str]:
    return node.shape, node.name, list(node.attributes), node.parent


def _show(node: Node | None) -> str:
    if node is None:
        return "nothing"
    return f"{node.name} {dict(node.attributes)} {node.text}".strip()


class _Changes:
    """The links whose spelling differs; they explain differences of the trees."""

    def __init__(self, old: list[Link], new: list[Link]) -> None:
        self._pairs = deque[tuple[Link, list[str], list[str]]]()
        for one, other in zip(old, new, strict=True):
            if one.raw != other.raw and (was := _readings(one)) != (now := _readings(other)):
                self._pairs.append((one, was, now))

    def explain(self, element: str, attribute: str, old: str, new: str) -> bool:
        """Consume the links whose replacement makes one text of the other.

        Args:
            element: name of the element of the value.
            attribute: name of the attribute; "" for text.
            old: the value before.
            new: the value after.

        Returns:
            Whether nothing but these links differs.

        """
        at = to = 0
        used: list[int] = []
        for index, (link, values, replacements) in enumerate(self._pairs):
            if old[at:] == new[to:]:
                break
            if not _stands_in(link, element, attribute):
                continue
            # Only one of the documents may be in a charset with two readings.
            for value, replacement in zip(values, cycle(replacements), strict=False):
                found = old.find(value, at)
                start = to + found - at
                if found < 0 or old[at:found] != new[to:start]:
                    continue
                if new.startswith(replacement, start):
                    at, to = found + len(value), start + len(replacement)
                    used.append(index)
                    break
        for index in reversed(used):
            del self._pairs[index]
        return old[at:] == new[to:]


class _Masks:
    """Two documents in which a mark of letters and digits stands for each link whose spelling differs.

    Attributes:
        old: the document before, with marks.
        new: the document after, with marks.

    """

    def __init__(self, before: Reading, after: Reading) -> None:
        word = "linkfix"
        while any(word.encode() in each.data.replace(b"\0", b"") for each in (before, after)):
            word += "x"
        self._mark = re.compile(f"{word}([0-9]+)z")
        self._pairs: list[tuple[Link, Link]] = []
        texts = []
        end = [0, 0]
        for pair in sorted(zip(before.links, after.links, strict=True), key=_start):
            old, new = pair
            apart = old.start >= end[0] and new.start >= end[1] and not (old.state or new.state)
            if old.raw != new.raw and apart:
                texts.append(f"{word}{len(self._pairs)}z")
                self._pairs.append(pair)
                end = [old.end, new.end]
        olds, news = ([pair[side] for pair in self._pairs] for side in (0, 1))
        self.old, self.new = _marked(before, olds, texts), _marked(after, news, texts)

    def fills(self, mask: str, old: str, new: str) -> bool:
        """Return whether the links in the place of their marks make both values of one."""
        marks = [int(match[1]) for match in self._mark.finditer(mask)]
        if not marks:
            return old == mask == new
        between = [re.escape(text) for text in self._mark.split(mask)[::2]]
        for value, side in ((old, 0), (new, 1)):
            pattern = between[0]
            for mark, text in zip(marks, between[1:], strict=True):
                readings = _readings(self._pairs[mark][side])
                pattern += f"(?:{'|'.join(map(re.escape, dict.fromkeys(readings)))}){text}"
            if re.fullmatch(pattern, value) is None:
                return False
        return True


def _start(pair: tuple[Link, Link]) -> int:
    return pair[0].start


def _marked(reading: Reading, links: list[Link], marks: list[str]) -> Reading:
    pairs = zip(links, marks, strict=True)
    edits = ((link.start, link.end, link.charset.encode(mark)) for link, mark in pairs)
    return reading._replace(data=apply(reading.data, edits))


def without_links(reading: Reading) -> Reading:
    """Return XML with a letter in the place of each link; HTML as it is, whose texts have no links."""
    links: list[Link] = []
    for link in sorted(reading.links, key=lambda link: link.start):
        if not link.state and (not links or link.start >= links[-1].end):
            links.append(link)
    return reading if reading.type == "html" else _marked(reading, links, ["x"] * len(links))


def _stands_in(link: Link, element: str, attribute: str) -> bool:
    """Return whether a link may be part of a value, by the names of its element and attribute."""
    if len(link.layers) > 1:  # of a document in this value, or of a style sheet
        return True
    if link.element == "!DOCTYPE":  # its system identifier
        return element == "#doctype"
    return (_local(link.element), _local(link.attribute)) == (_local(element), _local(attribute))


@lru_cache(1024)
def _local(name: str) -> str:
    """Return a name without its prefix or namespace, in lower case."""
    return name.rpartition("}")[2].rpartition(":")[2].lower()


def _readings(link: Link) -> list[str]:
    """Return the spelling of a link as parsers of the whole document may read it.

    The text of ``style`` is raw in HTML, and has character references in SVG: each layer but the
    innermost may be one that the parser removes. Where the readers of XML disagree on the tilde, which
    every rewrite keeps (`linkfix.charset.Charset.agrees`), libxml2 may read an overline, as in ISO 646-JP.
    """
    text = _newlines(link.charset.decode(link.raw, link.state))
    iana, readings = link.charset.iana, list[str]()
    has_overline = iana is not None and b"~" in iana.disputed
    for reading in (text, text.replace("~", "\u203e")) if has_overline else (text,):
        readings.append(reading)
        for layer in reversed(link.layers):
            readings.append(layer.read(readings[-1]).value)
    return readings
