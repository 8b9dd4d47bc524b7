"""Find the links among the tokens of HTML, in documents and in values that contain documents.

Input: tokens. Output: batches and single links, in the order of the document. Columns of simple links become
batches without a look at each link. The attributes of other tags are looked up in the table, and their values are split
into links by their kind. A document inside a value has a tokenizer of its own, and is read once for each level.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import accumulate
from typing import TypeAlias

from linkfix.charset.model import text_view
from linkfix.deferred import pattern
from linkfix.errors import LimitExceededError
from linkfix.links.batch import LAYERS, Batch, InnerBatch, left_as, place_of
from linkfix.links.builder import Builder, Slot, Target, Value
from linkfix.links.html import embedded as docs
from linkfix.links.html.hashes import hashed
from linkfix.links.link import Kind, Link
from linkfix.links.parts import UNKNOWN, links_of_value, looks_like_links
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.table import Element, Entry, html_table
from linkfix.links.templates import FOR_READERS, Templates, is_for_readers
from linkfix.links.wanted import wanted
from linkfix.markup import layers
from linkfix.markup.html.elements_data import HTML, SVG
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.skip import Wanted, skip
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import Attribute, LinkColumns, Names, RawText, StartTag, Token

_Part = Callable[[int, int, layers.Layer], tuple[Value, Slot]]

#: Why the address in a ``base`` is left (`Link.fixed`).
INERT = "it is in a template or a frameset, and is no base of this document"
#: The longest name of an element whose rows are cached.
_LONGEST_NAME = 256
#: The most documents that may be nested in values.
_MAX_DOCUMENTS = 32
#: The attributes that HTML 4.01, 13.3 and 13.4, resolves against the ``codebase`` of the element.
_OF_CODEBASE = frozenset({"archive", "classid"})
#: What is put around documents that are read together.
_MARK = '<a href="">'
#: Occurs in every tag that names the target of fragments.
_NAMING = pattern(rb"""[\t\n\f\r /"'](?:id|name)[\t\n\f\r ]*=""", re.IGNORECASE)
#: The content of a foreign element that is a single text, or a single CDATA section.
_FOREIGN_TEXT = pattern(
    r"[\t\n\f\r ]*+<!\[CDATA\[(?P<section>(?:[^\]]|\](?!\]>))*+)\]\]>[\t\n\f\r ]*+"
    r"|(?P<text>(?:[^<]|<(?![!?/]))*+)"
)


_Row: TypeAlias = "tuple[re.Pattern[bytes], dict[bytes, tuple[str, tuple[Entry, ...]]]]"


class _Rows(dict[tuple[str, bytes], _Row]):
    """The rows of the table, by namespace and name of an element.

    Each has a pattern that occurs in every tag with one of the attributes, and the name and the rows of each attribute.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __missing__(self, key: tuple[str, bytes]) -> _Row:
        of_element = html_table(self._scope.conventions).of_element(
            key[0], key[1].decode("latin-1")
        )
        of_element |= dict.fromkeys(self._scope.added_names - of_element.keys(), ())
        named = {
            name.encode(): (name, of_element[name]) for name in of_element if isinstance(name, str)
        }
        names = re.compile(b"|".join(map(re.escape, named)) or b"(?!)", re.IGNORECASE)
        if len(self) < 1024 and len(key[1]) <= _LONGEST_NAME:  # documents can invent names
            self[key] = names, named
        return names, named


_rows = lru_cache(maxsize=16)(_Rows)


class HTMLFinder:
    """Find links in the tokens of an HTML document.

    Args:
        builder: source and lines of the document.
        names: the set to which the targets of fragments are added; None to add none.
        scope: which values count as links.

    Attributes:
        templates: which values are templates.
        embedded: the numbers of links in embedded documents (`linkfix.links.html.embedded.counted_as`).
        unknown: whether links by their look alone are returned too (the kind ``unknown``); set it before the first token.
        on_tag: called with the tags of the document that may say how another file is read (`linkfix.links.wanted.SAYING`), and
            with others, each before its links; set it before the first token.

    """

    def __init__(
        self, builder: Builder, names: set[str] | None = None, scope: Scope = EVERYTHING
    ) -> None:
        self._builder = builder
        self._fragments = names
        self._scope = scope
        self.templates: Templates = scope.templates
        self.embedded: Counter[str] = Counter()
        self.unknown = False
        self.on_tag: Callable[[StartTag], None] | None = None
        #: The number of documents in values around the current one.
        self._nested = 0
        #: The elements whose text may be hashed from here on (`hashed`).
        self._hashed = frozenset[str]()
        self._rows = _rows(scope)
        self._place = lru_cache(maxsize=1024)(partial(place_of, builder))
        self._wanted: dict[tuple[bool, bool], Wanted] = {}

    def tokenizer(self, inside: docs.Inside = docs.OUTERMOST) -> HTMLTokenizer:
        """Return a tokenizer for the document, or for an embedded one; `links` reads the tokens of the former."""
        is_outermost = inside is docs.OUTERMOST
        scripting, names = self._names_wanted(inside)
        return HTMLTokenizer(
            TreeFeedback(
                scripting=scripting,
                is_srcdoc=not is_outermost,
                is_body=inside.kind.layer is not None,
            ),
            wanted=None if self.unknown else names,
            wants_text=self._wants_text,
            wants_comments=names.comments,
            unit=self._builder.charset.unit if is_outermost else 1,
        )

    def _names_wanted(self, inside: docs.Inside) -> tuple[bool, Wanted]:
        """Return whether the readers of a document run scripts, and the wanted names in it."""
        scripting = self._scope.scripting and inside.scripting
        key = scripting, inside.is_of_page and self._fragments is not None
        if key not in self._wanted:
            scope = self._scope._replace(scripting=scripting)
            simple = not self._builder.charset.has_states
            says = self.on_tag is not None
            self._wanted[key] = wanted(scope, names=key[1], simple=simple, says=says)
        return scripting, self._wanted[key]

    def _wants_text(self, tag: StartTag) -> str | None:
        """Return the type of the text of an element if it may be wanted, else None."""
        if tag.name not in {b"style", b"script"}:
            text = docs.TEXTS.get(tag.name) if tag.namespace == HTML else None
            return None if text is None or self._scope.how(text.name) == "off" else text.name
        if not self._scope.links:
            return None
        # No wanted type has bytes beyond ASCII.
        raw = tag.raw.decode("latin-1")

        def value_of(name: str) -> str | None:
            text = lambda a, b: raw[a - tag.start : b - tag.start]  # noqa: E731
            return _value_of(tag.attributes(), text, name)

        kind = value_of("type")
        kind = kind and kind.lower()
        if tag.name == b"style":  # HTML 4.2.6; SVG 2, 6.2
            wanted = tag.namespace in {HTML, SVG} and kind in {None, "", "text/css"}
        else:
            wanted = tag.namespace == HTML and kind in docs.SCRIPTS
            wanted = wanted and self._scope.how(docs.SCRIPTS[kind or ""].name) != "off"
            wanted = wanted and value_of("src") is None
        scope = self._scope
        if wanted and scope.restricts:
            wanted = scope.allows(Element(_name(tag), value_of, tag.namespace == HTML), "")
        return (kind or "") if wanted else None

    def links(
        self, tokenizer: HTMLTokenizer, view: bytes, *, final: bool
    ) -> Iterator[Batch | Link]:
        """Return the links of the document that the next bytes of the view complete; the arguments are those of `feed`."""
        tokens, builder = tokenizer.feed(view, final=final), self._builder

        def part(start: int, end: int, layer: layers.Layer) -> tuple[Value, Slot]:
            value = builder.value(start, end, layer)
            return value, value.slot

        def batch(columns: LinkColumns) -> Batch:
            places = lambda indices: [*map(self._place, columns.keys(indices))]  # noqa: E731
            return Batch(builder, columns.values, columns.starts, places, are_single=True)

        return self._of_tokens(tokens, batch, part, builder.text, docs.OUTERMOST)

    def _of_tokens(
        self,
        tokens: Iterable[Token],
        batch: Callable[[LinkColumns], Batch],
        part: _Part,
        text: Callable[[int, int], str],
        inside: docs.Inside,
    ) -> Iterator[Batch | Link]:
        """Yield the links of tokens, in the order of the document.

        Args:
            tokens: the tokens.
            batch: returns the batch of simple links.
            part: returns the value between two offsets in a layer, and its part there.
            text: maps a span to its characters.
            inside: the document of the tokens.

        """
        for token in tokens:
            if isinstance(token, LinkColumns):
                yield batch(token)
            elif isinstance(token, Names):
                if self._fragments is not None:
                    self._fragments.update(token.read())
            elif isinstance(token, RawText):
                kind = docs.TEXTS.get(token.name)
                layer = (kind and kind.layer) or layers.RAW_TEXT
                found = part(token.start, token.end, layer)
                yield from self._of_text(token, *found, inside)
            else:
                if self.on_tag is not None and inside is docs.OUTERMOST:
                    self.on_tag(token)
                if token.name == b"meta":
                    self._hashed |= hashed(partial(_value_of, [*token.attributes()], text))
                yield from self._of_tag(token, text, part, inside)

    def _of_tag(
        self, tag: StartTag, text: Callable[[int, int], str], part: _Part, inside: docs.Inside
    ) -> Iterator[Batch | Link]:
        """Yield the links of a tag; the other arguments are those of `_of_tokens`."""
        if inside.is_of_page and self._fragments is not None and b"=" in tag.raw:
            self._fragments.update(self._names(tag, text))
        if not self._scope.links:
            return
        element, is_base = _name(tag), _is_base(tag)
        for attribute, name, entry in self._found(tag, text):
            value, slot = part(attribute.start, attribute.end, LAYERS[attribute.quote])
            bases, codebase, sets_base = inside.bases, "", False
            if name in _OF_CODEBASE:
                own = _value_of(tag.attributes(), text, "codebase")
                bases += () if own is None else (own,)
            elif name == "data":
                codebase = _value_of(tag.attributes(), text, "codebase") or ""
            elif is_base:
                sets_base = name == "href" and inside is docs.OUTERMOST and not tag.is_inert
                bases = bases[:-1] if tag is inside.base else bases
            target = Target(element, tag.namespace, name, "html", bases, codebase)
            is_hashed = name == "style" and name in self._hashed
            target = target._replace(
                embedded=inside.kind.name, sets_base=sets_base, hashed=is_hashed
            )
            found = links_of_value(self, value, slot, target, entry, inside.query)
            is_left = is_base and tag.is_inert
            yield from (left_as(each, INERT) for each in found) if is_left else found

    def _names(self, tag: StartTag, text: Callable[[int, int], str]) -> Iterator[str]:
        """Yield the targets of fragments in a tag; `text` maps a span to its characters."""
        if _NAMING.search(tag.raw) is None:
            return
        for attribute in tag.attributes():
            if attribute.name == b"id" or (attribute.name == b"name" and tag.name == b"a"):
                yield LAYERS[attribute.quote].read(text(attribute.start, attribute.end)).value

    def simple(self, texts: Mapping[int, str], inside: docs.Inside) -> dict[int, list[LinkColumns]]:
        """Return the links of embedded documents that the skip alone can read, all by one skip.

        A link without a value is put around each document. Where the skip finds it, no token of the document before
        goes on.

        Args:
            texts: the documents, each by its offset.
            inside: how they are read, with no base of their own.

        Returns:
            The links of each document by its offset; `document` has to read the others.

        """
        if self._nested or self.unknown or self._scope.how(inside.kind.name) != "on":
            return {}
        lengths = (len(_MARK) + len(text) for text in texts.values())
        marks = [*accumulate(lengths, initial=0)]
        view, at = text_view(_MARK.join(["", *texts.values(), ""])), 0
        steps, columns, stopped = list[re.Match[bytes]](), list[Token](), set[int]()
        while at < len(view):
            at = skip(self._names_wanted(inside)[1], view, at, 0, columns)
            if at < len(view):  # go on after the document
                number = bisect_right(marks, at)
                stopped.add(number - 1)
                at = marks[number] if number < len(marks) else len(view)
        for each in columns:
            steps += each.steps if isinstance(each, LinkColumns) else ()
        index_of = {step.start("element") - 1: index for index, step in enumerate(steps)}
        found = dict[int, list[LinkColumns]]()
        for number, offset in enumerate(texts):
            first, last = index_of.get(marks[number]), index_of.get(marks[number + 1])
            if first is not None and last is not None and number not in stopped:
                own = steps[first + 1 : last]
                begin = marks[number] + len(_MARK)
                found[offset] = [LinkColumns(own, -begin)] if own else []
                if own:
                    self.embedded[docs.counted_as(inside.kind, "on", "")] += len(own)
        return found

    def document(self, value: Value, slot: Slot, inside: docs.Inside) -> Iterator[Batch | Link]:
        """Yield the links of an embedded document.

        Args:
            value: the value of the outer document.
            slot: the part of the value that is the inner document.
            inside: how it is read.

        Raises:
            LimitExceededError: too many documents are nested. Each level is read once for every level around it, so
                the work grows with the square of their number.

        """
        if self._nested == _MAX_DOCUMENTS:
            raise LimitExceededError(
                f"there are more than {_MAX_DOCUMENTS} documents in one another's attributes",
                hint="look for a srcdoc attribute that contains itself",
                offset=value.start - self._builder.origin,
            )
        how = self._scope.how(inside.kind.name)
        if how == "off":
            return
        text, tokenizer = slot.value, self.tokenizer(inside)
        view = text_view(text)
        tokens = tokenizer.feed(view, final=True)
        base, href = _base_in(tokens, text) if b"<base" in view.lower() else (None, "")
        left = docs.NOT_FOLLOWED if how == "list" else ""
        if inside.kind.is_text and (base is not None or not tokenizer.is_whole):
            left = left or docs.DISAGREED
        elif inside.kind.has_base and base is not None:
            inside = inside._replace(bases=(*inside.bases, href), base=base)
        found_links = self._of_tokens(
            tokens,
            lambda columns: InnerBatch(self._builder, lambda: (value, slot), columns, inside),
            lambda start, end, layer: (value, slot.part(start, end, layer)),
            lambda start, end: text[start:end],
            inside,
        )
        yield from self._counted(inside.kind, found_links, left)

    def _counted(
        self, kind: docs.Embedding, links: Iterable[Batch | Link], left: str
    ) -> Iterator[Batch | Link]:
        """Yield the links of an embedded document, and count those that are in no other; `left` says why none is followed."""
        is_outermost, how = not self._nested, self._scope.how(kind.name)
        hashed_around = self._hashed
        self._nested += 1
        for found in links:
            if left:
                found = left_as(found, left)
            if is_outermost and not (isinstance(found, Link) and found.kind is Kind.IDENTITY):
                number = len(found) if isinstance(found, Batch) else 1
                self.embedded[docs.counted_as(kind, how, found.fixed)] += number
            yield found
        self._nested -= 1
        self._hashed = hashed_around

    def _of_text(
        self, token: RawText, value: Value, slot: Slot, inside: docs.Inside
    ) -> Iterator[Batch | Link]:
        element, namespace = token.name.decode(), token.namespace
        kind = docs.TEXTS.get(token.name) if namespace in {HTML, ""} else None
        if kind is not None:
            slot = slot.part(0, kind.end(slot.value))
            if kind not in inside.texts:
                yield from self.document(value, slot, inside.within(kind))
            return
        target = Target(element, namespace, "", "html", inside.bases, embedded=inside.kind.name)
        # A script of data is not run, and so not compared with a hash.
        if element in self._hashed and token.purpose != "application/ld+json":
            target = target._replace(hashed=True)
        if namespace != HTML:
            found = _FOREIGN_TEXT.fullmatch(slot.value)
            if found is None:
                return
            layer = layers.HTML_TEXT if found["section"] is None else layers.CDATA
            slot = slot.part(*found.span(found.lastgroup or ""), layer)
        elif element == "script":
            yield from self.data(token.purpose, value, slot, target)
            return
        entry = html_table(()).contents[namespace, element]
        yield from links_of_value(self, value, slot, target, entry, inside.query)

    def json(self, value: Value) -> Iterator[Batch | Link]:
        """Yield the links of a JSON document: a web app manifest, JSON Feed, JSON-LD.

        All are Web Addresses in UTF-8 (Web Application Manifest; JSON Feed 1.1; JSON-LD 1.1). Only a string itself is
        spelled anew.
        """
        slot = value.slot
        return self.data(docs.json_type(slot.value), value, slot, Target("", "", "", "json"))

    def data(self, type: str, value: Value, slot: Slot, target: Target) -> Iterator[Batch | Link]:
        """Yield the links of JSON.

        Args:
            type: of the JSON (`docs.members`).
            value: the value in the document.
            slot: the part of the value that is JSON.
            target: the element of the value; with "" each member is one of its own, which the user may have excluded.

        """
        kind = docs.SCRIPTS.get(type)
        if kind is None:
            return self._members(type, value, slot, target)
        left = {"list": docs.NOT_FOLLOWED}.get(self._scope.how(kind.name), "")
        found = self._members(type, value, slot, target._replace(embedded=kind.name))
        return self._counted(kind, found, left)

    def _members(
        self, type: str, value: Value, slot: Slot, target: Target
    ) -> Iterator[Batch | Link]:
        """Yield the links of JSON; the arguments are those of `data`."""
        from linkfix.markup.json import JSON_STRING

        for name, first, last, kind in docs.members(type, slot.value):
            part = slot.part(first, last, JSON_STRING)
            if kind is Kind.DOCUMENT:
                inside = docs.OUTERMOST._replace(kind=docs.HTML_IN_JSON, query="utf-8")
                yield from self.document(value, part, inside)
            elif target.element or self._scope.allows_name(name):
                own = target if target.element else target._replace(element=name)
                is_template = kind is Kind.TEMPLATE
                link = value.link(part, own, Kind.DATA_BLOCK if is_template else kind, "utf-8")
                is_template = is_template and is_for_readers(link.value)
                yield link._replace(fixed=FOR_READERS) if is_template else link

    def _found(
        self, tag: StartTag, text: Callable[[int, int], str]
    ) -> Iterator[tuple[Attribute, str, Entry]]:
        """Yield the attributes of a tag that are in the table.

        Args:
            tag: the tag.
            text: maps a span to its characters.

        """
        names, rows = self._rows[tag.namespace, tag.name]
        if not self.unknown and names.search(tag.raw) is None:
            return
        attributes = list(tag.attributes())
        value_of = lambda name: _value_of(attributes, text, name)  # noqa: E731
        element = lambda: Element(_name(tag), value_of, tag.namespace == HTML, tag.namespace)  # noqa: E731
        for attribute in attributes:
            name, entries = rows.get(attribute.name, ("", ()))
            if self.unknown and attribute.name != b"id" and _looks_like_links(attribute, text):
                name, entries = attribute.name.decode("ascii", "replace"), (*entries, UNKNOWN)
            if name:
                entry = self._scope.choose(entries, value_of, element, name)
                if entry is not None:
                    yield attribute, name, entry


def _base_in(tokens: Iterable[Token], text: str) -> tuple[StartTag | None, str]:
    """Return the first ``base`` element of an embedded document that has an ``href``, and its value; None for none."""
    for token in tokens:
        if isinstance(token, StartTag) and _is_base(token) and not token.is_inert:
            value = _value_of(token.attributes(), lambda a, b: text[a:b], "href")
            if value is not None:
                return token, value
    return None, ""


def _is_base(tag: StartTag) -> bool:
    return tag.name == b"base" and tag.namespace == HTML


def _looks_like_links(attribute: Attribute, text: Callable[[int, int], str]) -> bool:
    """Return whether an attribute looks like a link, and declares no namespace, which means nothing in HTML."""
    spelled = LAYERS[attribute.quote].read(text(attribute.start, attribute.end))
    return looks_like_links(spelled.value) and not attribute.name.startswith(b"xmlns")


def _name(tag: StartTag) -> str:
    return tag.name.decode("ascii", "replace")


def _value_of(
    attributes: Iterable[Attribute], text: Callable[[int, int], str], name: str
) -> str | None:
    """Return the value of an attribute, None where there is none."""
    wanted = name.encode()
    found = next((each for each in attributes if each.name == wanted), None)
    return None if found is None else LAYERS[found.quote].read(text(found.start, found.end)).value
