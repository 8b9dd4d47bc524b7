"""Compare a document before and after a change: its charset, its links, and its tree.

linkfix lists the links of both documents, and an independent URL parser resolves each. An independent parser of the
syntax builds the trees of both documents, which may differ only in the values of those links. So a fault of
linkfix's own reader shows: a value that only linkfix reads as a link is a difference of the trees. The cost is
memory: both documents and their trees are kept there.
"""

import contextlib
import re
from collections.abc import Container
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from operator import attrgetter
from urllib.parse import quote

from linkfix import iri
from linkfix.charset import Charset, lookup
from linkfix.deferred import pattern
from linkfix.errors import LinkfixError
from linkfix.iri.converter import iri_to_uri
from linkfix.links import Link
from linkfix.links.builder import Position
from linkfix.links.templates import READ_DIFFERENTLY, REASONS
from linkfix.policy import Bases, Policy
from linkfix.policy.policy import UNKNOWN, Keep, Source
from linkfix.verifying.trees import Difference, Reading, different_tree, nodes, without_links

#: The base of a document whose own address is not known.
_FIELDS = frozenset({"input", "select", "option", "textarea", "button"})
_SOMEWHERE = "http://linkfix.invalid/folder/document"
#: No reader follows a base with these schemes (HTML Standard, 4.2.3).
_NO_BASES = ("data:", "javascript:")
_URI = "!#$&'()*+,/:;=?@[]-._~%"
#: The declaration of a style sheet (CSS Syntax, 3.2), which a migration writes.
_AT_CHARSET = pattern(r'\A\ufeff?@charset "[^"]*";\s*')
_SCHEME = pattern("[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How both documents are read, and how they may differ.

    Attributes:
        policy: how links are read; its `target` and `each` map links to new targets.
        source: what is known about the document before.
        moved_to: absolute URI of the document after; None if it did not move.
        new_name: of the document after, for errors; "" for the same name.
        transcoded: whether the new document is in UTF-8, and elements and attributes that name
            charsets may differ.
        new_charset: the label that the transport declares for a transcoded document; None for none.
        left: byte offsets in the old document of the links that were left although they have a new target:
            each has its old value, or the target that one reader of the old value reached.

    """

    policy: Policy
    source: Source = UNKNOWN
    moved_to: str | None = None
    new_name: str = ""
    transcoded: bool = False
    new_charset: str | None = None
    left: Container[int] = ()


def verify(old: bytes, new: bytes, settings: Settings) -> Difference | None:
    """Compare a document before and after a change of its links.

    Args:
        old: the bytes before.
        new: the bytes after.
        settings: how both are read, and how they may differ.

    Returns:
        The first difference that is more than another spelling of a link, or None.

    Raises:
        LinkfixError: one of the documents cannot be read.

    """
    policy, source, transcoded = settings.policy, settings.source, settings.transcoded
    base, moved_to = policy.places(source.base, settings.moved_to)
    before = _read(old, policy, source, base)
    if transcoded:
        source = replace(source, charset=settings.new_charset, environment="utf-8")
    elif before.sniffed is not None and before.sniffed.guessed:
        # A browser may now guess otherwise; only links that every guess reads alike were changed.
        policy = replace(policy, default_charset=before.sniffed.charset.name)
    try:
        after = _read(new, policy, source, moved_to)
    except LinkfixError as error:
        error.file = settings.new_name or error.file
        raise
    return (
        _different_document(before, after, transcoded=transcoded)
        or _different_link(before, after, policy, (base, moved_to), settings)
        or different_tree(before, after, policy, transcoded=transcoded)
    )


def seen(data: bytes, source: Source, policy: Policy) -> tuple[list[str], list[str]]:
    """Return what readers see of a document, whatever its charset is: its texts but for links, and the fields of its forms.

    The URLs that its links lead to follow, "" for none, in one form.

    Args:
        data: its bytes.
        source: what is known about it.
        policy: how it is read.

    Raises:
        LinkfixError: it cannot be read.

    """
    reading = _read(data, policy, source, source.base)
    found, text, trees = [], "", [without_links(reading)]
    if reading.type not in {"html", "xhtml", "xml"}:  # a style sheet, say
        charset = lookup("utf-8") if reading.sniffed is None else reading.sniffed.charset
        text = _AT_CHARSET.sub("", charset.decode(trees.pop().data))
    for node in chain.from_iterable(nodes(each, policy, transcoded=True) for each in trees):
        if node.name == "#text":
            text += node.text
        elif node.name in _FIELDS:
            found.append(
                f"{node.name} {node.attributes.get('name')}={node.attributes.get('value')}"
            )
    # Of a query that readers of feeds send in UTF-8 , that reading counts.
    urls = (_where(link, reading, policy)[-1] for link in reading.links)
    return [*found, " ".join(text.split())], [normalized(url) if url else "" for url in urls]


def _read(data: bytes, policy: Policy, source: Source, url: str | None) -> Reading:
    stream = policy.stream(source, declarations=True)
    stream.counts_lines = False
    links = stream.whole(data)
    own = _SOMEWHERE if url is None else iri_to_uri(url).text
    return Reading(data, links, stream.type, stream.sniffed, own, _base(links, own))


def _base(links: list[Link], own: str) -> str:
    """Return the base URL of a document (HTML Standard, 2.4.3).

    The query of a base is read in UTF-8, as Chromium does; it counts only for references without a
    path. The base itself is a link too, which is compared in every reading.

    Args:
        links: of the document, in order.
        own: absolute URL of the document.

    """
    declared = next(filter(attrgetter("place.sets_base"), links), None)
    base = None if declared is None else destination(declared.value, own, None)
    return own if base is None or base.startswith(_NO_BASES) else base


def _different_document(before: Reading, after: Reading, *, transcoded: bool) -> Difference | None:
    if before.type != after.type:
        return Difference("type", "document", str(before.type), str(after.type))
    if before.sniffed is None or after.sniffed is None:
        return None
    old, new = before.sniffed.charset, after.sniffed.charset
    if new.name != "UTF-8" if transcoded else old is not new:
        return Difference("charset", "document", old.name, new.name)
    return None


def _mapping(
    link: Link, policy: Policy, bases: Bases, *, applies: bool
) -> tuple[str | type[Keep] | None, str | None]:
    """Return what `Policy.each` says of a link, and its target as the document spells it, for a map."""
    from linkfix.iri.resolution import without_dots
    from linkfix.policy.moving import asked

    bases.see(link)
    own = bases.resolve(link, policy) if applies else None
    return asked(policy, link, bases) if applies else None, own and without_dots(own)


def _moved(
    url: str, own: str | None, policy: Policy, base: str | None, moved_to: str | None
) -> str:
    """Return the new target of a link: by the policy's target, or with the moved document.

    Args:
        url: its old target, in one form.
        own: the same as the document spells it, which a map may depend on; None if it is not known.
        policy: maps it.
        base: absolute URL of the document.
        moved_to: the same after the move.

    """
    page, mark, fragment = url.partition("#")
    spelled = own if own and destination(own, _SOMEWHERE, None) == url else url
    moved = None if policy.target is None else policy.target(spelled)
    if moved is not None:
        return destination(moved, _SOMEWHERE, None) or moved
    if moved_to is None or base is None or page != destination(base, _SOMEWHERE, None):
        return url
    return (destination(moved_to, _SOMEWHERE, None) or "") + mark + fragment


def _different_link(
    before: Reading,
    after: Reading,
    policy: Policy,
    places: tuple[str | None, str | None],
    settings: Settings,
) -> Difference | None:
    transcoded, left = settings.transcoded, settings.left
    bases = Bases(places[0]) if policy.target or policy.each else None
    stays = before.base == after.base and not policy.moves
    is_still = not transcoded and bases is None and places[1] is None
    for old, new in zip_longest(before.links, after.links):
        if old is None or new is None:
            return Difference(
                "links", "their number", str(len(before.links)), str(len(after.links))
            )
        if (old.element, old.attribute, old.kind) != (new.element, new.attribute, new.kind):
            return _link_difference("links", before, old, new)
        same = old.raw == new.raw and (old.charset is new.charset or old.value.isascii())
        if stays and same and old.bases == new.bases:
            continue
        if transcoded and old.fixed == READ_DIFFERENTLY:
            continue  # the trees are compared by the table that the new document was decoded by
        applies, told, own = policy.applies(old), None, None
        if bases is not None:
            told, own = _mapping(old, policy, bases, applies=applies)
            applies = applies and told is not Keep
        is_left = old.fixed in REASONS or old.start in left or not applies
        if is_left and old.value == new.value:
            continue
        was, now = _where(old, before, policy), _where(new, after, policy)
        if is_still and was == now:
            continue
        went, goes = (
            [None if url is None else normalized(url) for url in urls] for urls in (was, now)
        )
        if isinstance(told, str):
            went = [destination(told, _SOMEWHERE, None)] * len(went)
        elif applies:
            went = [None if url is None else _moved(url, own, policy, *places) for url in went]
        if transcoded and len(went) > 1:
            #: In another charset it can have the target of one reader only: Chromium's.
            is_first = replace(policy, disputed="chromium").charset(old) is not None
            went = [went[0 if is_first else 1]] * len(goes)
        # The rules of a scheme are for all readers of XML.
        if goes != went and policy.syntax_of(new) != "web":
            went, goes = ([url and iri.normalize(url, "scheme") for url in urls] for urls in (went, goes))  # fmt: skip
        if goes != went and not (is_left and set(goes) <= set(went)):
            return _link_difference("link", before, old, new)
    return None


def _link_difference(what: str, before: Reading, old: Link, new: Link) -> Difference:
    at, place = Position(old.charset), f"{old.element}@{old.attribute}"
    at.advance(before.data, 0 if before.sniffed is None else before.sniffed.bom, old.start)
    return Difference(what, place, old.value, new.value, at.line, at.column, old.start)


def _where(link: Link, reading: Reading, policy: Policy) -> list[str | None]:
    """Return the URL of the target of a link in a document as a browser serializes it; None for none.

    If readers disagree on the charset of the query, a second URL has the query in UTF-8.
    """
    base = reading.own if link.sets_base else reading.base
    for inner in link.bases:
        below = inner if link.place.base_syntax == "web" else _leiri_to_uri(inner, base, None)
        inside = destination(below, base, None)
        if inside is not None and not inside.startswith(_NO_BASES):
            base = inside
    charset = None if link.query == "utf-8" or link.charset.is_unicode else link.charset
    if policy.query_charset is not None:
        charset = policy.charset(link)
    is_disputed = link.query == "disputed" and policy.query_charset is None
    found = []
    for each in (charset, None) if is_disputed else (charset,):
        is_web = policy.syntax_of(link) == "web"
        value = link.value if is_web else _leiri_to_uri(link.value, base, each)
        found.append(destination(value, base, each, exact=True))
    return found


def _leiri_to_uri(text: str, base: str, charset: Charset | None) -> str:
    """Percent-encode every character that no URI may contain (3987bis, 3.5 and 7.1).

    Args:
        text: the LEIRI.
        base: absolute URL that it is resolved against.
        charset: of the query of an http or https URL; None for UTF-8.

    """
    text = text.strip(" \t\r\n")
    before, hash_, fragment = text.partition("#")
    path, mark, query = before.partition("?")
    scheme = _SCHEME.match(path) or _SCHEME.match(base)
    octets = query.encode("utf-8", "surrogatepass")
    if charset is not None and scheme is not None and scheme[0].lower() in {"http:", "https:"}:
        with contextlib.suppress(UnicodeEncodeError):
            octets = charset.encode(query)
    path, fragment = (
        quote(part.encode("utf-8", "surrogatepass"), safe=_URI) for part in (path, fragment)
    )
    return path + mark + quote(octets, safe=_URI) + hash_ + fragment


# --- Where a browser goes from a link, by an independent URL parser --------------------------------
# ada-url implements the URL Standard in C++. It encodes queries in UTF-8 only, so the query is
# percent-encoded in the charset of the document first (URL Standard, 1.3).

_C0_OR_SPACE = "".join(map(chr, range(0x21)))
_SPECIAL = ("http:", "https:", "ftp:", "file:")
#: RFC 3986 3.3 to 3.5: the characters of a path, a query or a fragment.
_PCHAR = "!$&'()*+,;=:@-._~%"
_URL = pattern(r"([^:]*:?)(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)


def destination(
    value: str, base: str, charset: Charset | None, *, exact: bool = False
) -> str | None:
    """Return the URL that a browser resolves a link to; None if it resolves to nothing.

    Args:
        value: of the link, character references replaced.
        base: absolute URL of the document.
        charset: of the query; None for UTF-8.
        exact: return what the parser serializes, and no normal form of it.

    """
    import ada_url

    cleaned = re.sub("[\t\n\r]", "", value.strip(_C0_OR_SPACE))
    cleaned = cleaned.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    scheme = _SCHEME.match(cleaned)
    if charset is not None and (scheme is None or scheme[0].lower() in _SPECIAL):
        before, hash_, fragment = cleaned.partition("#")
        path, mark, query = before.partition("?")
        cleaned = path + mark + _encoded(query, charset) + hash_ + fragment
    try:
        url = ada_url.URL(cleaned, base)
    except ValueError:
        return None
    return url.href if exact else normalized(url.href)


def _encoded(query: str, charset: Charset) -> str:
    """Percent-encode a query after encoding it in a charset (URL Standard, 1.3)."""

    def run(match: re.Match[str]) -> str:
        text = match[0]
        apart = iter([char for char in text if char == "\x01" or not charset.has(char)])
        octets = charset.encode(text, missing=lambda _: b"\x01")
        return "".join(_reference(next(apart)) if o == 1 else _octet(o) for o in octets)

    # An encoder with states may write ASCII beside other characters in a state of theirs.
    return re.sub(r"[\s\S]+" if charset.has_states else "[^\x00-\x7f]+", run, query)


def _octet(octet: int) -> str:
    char = chr(octet)
    return char if "\x20" < char < "\x7f" and char not in "#<>'" else f"%{octet:02X}"


def _reference(char: str) -> str:
    """Return the replacement of a character that the charset lacks; U+0001 replaces itself."""
    if char == "\x01":
        return "%01"
    number = 0xFFFD if char in "\x0e\x0f\x1b" else ord(char)
    return f"%26%23{number}%3B"


def normalized(href: str) -> str:
    """Return a URL in one form: RFC 3986, 6.2.2.1 and 6.2.2.2, and no character that it forbids."""
    found = _URL.fullmatch(href)
    assert found is not None  # noqa: S101 - the pattern matches every text
    scheme, authority, path, query, fragment = found.groups("")
    parts = (
        quote(authority, safe="/[]" + _PCHAR),
        quote(path, safe="/" + _PCHAR),
        quote(query, safe="/?" + _PCHAR),
        fragment[:1] + quote(fragment[1:], safe="/?" + _PCHAR),
    )
    return scheme + "".join(map(_percent, parts))


def _percent(text: str) -> str:
    if "%" not in text:
        return text
    text = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char.isascii() and (char.isalnum() or char in "-._~") else match[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", one, text)
