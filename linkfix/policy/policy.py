"""The policy: settings for reading and writing links, and the conversion of a link by these settings."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal, TypedDict

from linkfix.charset import Charset, lookup
from linkfix.errors import LinkfixError
from linkfix.iri import Conversion, QueryEncoder
from linkfix.iri.reference import without_fragment
from linkfix.links import Kind, Link, LinkStream, Scope
from linkfix.links.link import WEB_NAMESPACES, WITHOUT_SCHEME, Place
from linkfix.links.scope import EVERYTHING
from linkfix.links.settings import XMLSettings
from linkfix.markup.detect import DocumentType
from linkfix.policy import gate

# --- The source of a document: what is known about it before its first byte is read ---------------


class Known(TypedDict, total=False):
    """The fields of a `Source` that are arguments of the library's functions."""

    type: DocumentType | None
    charset: str | None
    environment: str | None
    base: str | None


_SOURCE: dict[str, gate.Kind] = {
    **{name: gate.ARGUMENTS[name] for name in Known.__annotations__},
    "name": gate.Instance(str, "string", required=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is known about a document before it is read.

    Attributes:
        type: ``html``, ``xhtml``, ``xml``, ``css``, ``http`` or ``text``; None to detect it by the name and the first bytes.
        charset: the label from the transport; None for none. Whether it is one of a charset, the reader says.
        environment: label of the charset of the page that uses a style sheet or a script, which applies without a
            declaration of its own; None if unknown.
        base: absolute IRI of the document; None if unknown.
        name: of the document, for its extension, errors and the report.
        keeps: returns why a link that would get a new value and its bytes has to stay as it is; "" if it may change. None
            for no such link.

    Raises:
        ArgumentError: a field has a value that is not allowed.
        UnknownCharsetError: `environment` is no label of any encoding.

    """

    type: DocumentType | None = None
    charset: str | None = None
    environment: str | None = None
    base: str | None = None
    name: str = ""
    keeps: Callable[[Link, str, bytes], str] | None = None

    def __post_init__(self) -> None:
        gate.check(_SOURCE, self)


#: A document about which nothing is known.
UNKNOWN = Source()


# --------------------------------------------------------------------------------------------------

_XML = XMLSettings()


def _query_charset(name: str, value: object) -> None:
    if value != "document":
        gate.label(name, value)


_POLICY: dict[str, gate.Kind] = {
    "to": gate.TO,
    "syntax": gate.SYNTAX,
    "idna": gate.IDNA,
    "normalize": ("none", "syntax", "scheme"),
    "disputed": ("leave", "chromium"),
    "style": ("keep", "absolute", "relative", "root-relative"),
    "query_charset": _query_charset,
    "default_charset": gate.label,
    "local_names": gate.Instance(tuple, "tuple of hosts"),
    "scope": gate.Instance(Scope, "Scope"),
    "xml": gate.Instance(XMLSettings, "XMLSettings"),
    "target": gate.FUNCTION,
    "each": gate.FUNCTION,
    **dict.fromkeys(("nfc", "trusts_guess", "keeps_spelling"), gate.BOOL),
}


class Keep:
    """What `Policy.each` returns to leave a link as it is."""


#: What `Policy.each` is.
Each = Callable[[Link], str | type[Keep] | None]
#: Elements whose disputed queries Chromium reads in the charset of the document.
_IN_CHARSET = frozenset({"?xml-stylesheet", "script"})
_NEVER_REWRITTEN = frozenset({Kind.IDENTITY, Kind.HASH_NAME, Kind.UNKNOWN, *WITHOUT_SCHEME})


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings for reading and writing links.

    Attributes:
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        syntax: how a value is read; ``auto`` by its element and attribute (docs/decisions.md, decision 1).
        query_charset: ``document``, or the label of the charset that queries are mapped to; None for that of the document,
            except where readers disagree on it (`disputed`).
        document_charset: label of the charset of documents that are at hand as text; None for the charset of each link.
        idna: the profile for host names (docs/decisions.md, decision 4).
        local_names: hosts without DNS, which stay in Unicode; see `linkfix.iri.convert`.
        normalize: how far up the comparison ladder a new value climbs (docs/decisions.md, decision 5).
        scope: the values that count as links.
        xml: how XML documents are read.
        disputed: ``leave`` leaves a link if browsers and standards disagree on the charset of its query;
            ``chromium`` reads it as Chromium does. Malformed bytes are left as well, or become U+FFFD.
        default_charset: label of the charset of HTML that declares none; None to guess it.
        trusts_guess: whether a guessed charset counts as declared. Otherwise a link is left unless all charsets that a
            browser may guess read it alike.
        nfc: whether values are normalized to NFC first; None for the default (docs/decisions.md, decision 6).
        target: maps an absolute URI to its replacement; None keeps the link (`LinkMap.follow` is such a
            function).
        each: called with each link that may be rewritten, in the order of the document; its `resolved` is known where its
            base is. Returns the absolute IRI of its new target, `Keep` to leave it as it is, or None for what the other
            settings say.
        style: the style of references within the site; ``keep`` keeps the author's.
        keeps_spelling: whether only those links change that must, because of a new target or a new base. What the old value
            and the new one have in common is spelled as before; `to` and `normalize` apply to no link.

    Raises:
        ArgumentError: a setting has a value that is not allowed.
        UnknownCharsetError: `query_charset` or `default_charset` is no label of any encoding.

    """

    to: Literal["uri", "iri"] = "uri"
    syntax: Literal["auto", "web", "leiri", "iri"] = "auto"
    query_charset: str | None = None
    document_charset: str | None = None
    idna: Literal["uts46", "2008", "2003"] = "uts46"
    local_names: tuple[str, ...] = ()
    normalize: Literal["none", "syntax", "scheme"] = "none"
    nfc: bool | None = None
    scope: Scope = EVERYTHING
    disputed: Literal["leave", "chromium"] = "leave"
    default_charset: str | None = None
    trusts_guess: bool = False
    xml: XMLSettings = _XML
    target: Callable[[str], str | None] | None = None
    each: Each | None = None
    style: Literal["keep", "absolute", "relative", "root-relative"] = "keep"
    keeps_spelling: bool = False
    _reading: "Policy | None" = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        gate.check(_POLICY, self)

    @property
    def again(self) -> "Policy":
        """The policy for a document that was read before: it reports no second time how the document is read."""
        if not self.xml.recover:
            return self
        return replace(self, xml=self.xml._replace(on_recover=None))

    @property
    def reading(self) -> "Policy":
        """The policy for the URI that a link leads to, whatever it is to become."""
        if self._reading is None:
            usual: dict[str, Any] = {"to": "uri", "normalize": "none", "local_names": ()}
            object.__setattr__(self, "_reading", replace(self, trusts_guess=True, **usual))
        return self._reading or self

    def stream(
        self,
        source: Source = UNKNOWN,
        *,
        names: set[str] | None = None,
        declarations: bool = False,
        unknown: bool = False,
    ) -> LinkStream:
        """Return a stream of the links of a document with these settings.

        The other arguments are those of `LinkStream` and `XMLSettings`.
        """
        return LinkStream(
            type=source.type,
            charset=source.charset,
            environment=source.environment,
            default_charset=self.default_charset,
            name=source.name,
            scope=self.scope,
            xml=self.xml._replace(
                declarations=declarations or self.xml.declarations,
                unknown=unknown or self.xml.unknown,
            ),
            names=names,
        )

    def is_for_browsers(self, link: Link) -> bool:
        """Return whether only browsers count for a disputed link: in XHTML, SVG and MathML, if Chromium decides."""
        return self.disputed == "chromium" and link.namespace in WEB_NAMESPACES

    @property
    def moves(self) -> bool:
        """Whether links may have new targets or another style; `move` then converts them."""
        return self.target is not None or self.each is not None or self.style != "keep"

    def places(
        self, base: str | None, moved_to: str | None = None
    ) -> tuple[str | None, str | None]:
        """Return the URI of a document, and its URI after the move.

        Args:
            base: absolute IRI of the document; None if unknown.
            moved_to: absolute IRI of the document after the move; None for the new target of `base`, or `base` without
                one.

        Raises:
            LinkfixError: `target` returns a target that is refused.

        """
        base = base and _uri(base)
        moved_to = moved_to and _uri(moved_to)
        if moved_to is None and base is not None and self.target is not None:
            moved_to = self.mapped(without_fragment(base))
        return base, base if moved_to is None else moved_to

    def mapped(self, uri: str | None) -> str | None:
        """Return the replacement of an absolute URI by `target`, None if it has none, or is not known.

        Raises:
            LinkfixError: `target` returns no absolute IRI, or one with a refused scheme.

        """
        new = None if self.target is None or uri is None else self.target(uri)
        return None if new is None or uri is None else checked(new, uri)

    def applies(self, link: Link | Place) -> bool:
        """Return whether a link, or the links of a place, may be rewritten (docs/decisions.md, decision 7)."""
        return link.kind not in _NEVER_REWRITTEN

    def keeps(self, place: Place) -> bool:
        """Return whether the links of a place are spelled anew only where they get another target or another base."""
        embedded = place.embedded
        return self.keeps_spelling or (embedded != "" and self.scope.how(embedded) == "moves")

    def syntax_of(self, link: Link) -> Literal["web", "leiri", "iri"]:
        """Return the syntax of a link's value."""
        return link.syntax if self.syntax == "auto" else self.syntax

    def query_encoder(self, link: Link) -> QueryEncoder | None:
        """Return the encoder for a link's query; None for UTF-8 (3987bis, 3.5)."""
        charset = self.charset(link)
        return None if charset is None else charset.encode

    def charset(self, link: Link) -> Charset | None:
        """Return the charset of a link's query; None for UTF-8.

        A query is never mapped in EBCDIC: its octets would be other ASCII characters in a URI, and no browser
        supports it.
        """
        if link.query == "utf-8":
            return None
        label = self.query_charset
        if link.query == "disputed" and self.disputed == "chromium" and label is None:
            in_charset = link.kind in {Kind.CSS, Kind.REFRESH} or link.element in _IN_CHARSET
            if not in_charset:  # Chromium reads a base in UTF-8, and no such text
                return None
        if label in {None, "document"}:
            label = self.document_charset
        charset = link.charset if label is None else lookup(label)
        return None if charset.is_unicode or not _has_ascii(charset) else charset

    def convert(self, link: Link, base: str | None = None) -> Conversion:
        """Convert a link that keeps its target (`move` converts others).

        Args:
            link: of a document.
            base: its base URL; None if unknown.

        """
        from linkfix.policy.converting import converted

        return converted(self, link, base)


gate.ARGUMENTS["policy"] = gate.Instance(Policy, "Policy")
gate.ARGUMENTS["source"] = gate.Instance(Source, "Source")


def checked(target: str, of: str) -> str:
    """Return the new target of a link, as a function of the policy gave it.

    Args:
        target: what the function returned.
        of: the old target, for the message.

    Raises:
        LinkfixError: it is no absolute IRI, or has a refused scheme.

    """
    from linkfix.policy.linkmap import refusal

    if (why := refusal(target)) is not None:
        raise LinkfixError(
            f"the target of {of} is refused: {why}",
            hint="let the function return an absolute address, or None",
        )
    return target


def _uri(iri: str) -> str:
    from linkfix.iri.converter import iri_to_uri

    return iri_to_uri(iri).text


@cache
def _has_ascii(charset: Charset) -> bool:
    """Return whether a charset encodes ASCII characters as themselves."""
    return charset.encode("?") == b"?"
