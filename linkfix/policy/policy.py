"""The policy: settings for reading and writing links, and the conversion of a link by these settings."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from linkfix.charset import Charset, lookup
from linkfix.errors import LinkfixError
from linkfix.iri import Conversion, QueryEncoder, Violation, convert, iri_to_uri
from linkfix.iri.edits import apply
from linkfix.iri.quick import TWO_FOR_ONE
from linkfix.iri.text.detection import without_punctuation
from linkfix.links import Kind, Link, LinkStream, Scope
from linkfix.links.link import WEB_NAMESPACES, WITHOUT_SCHEME, Place
from linkfix.links.scope import EVERYTHING
from linkfix.links.settings import XMLSettings
from linkfix.links.templates import IN_CODE, IS_TEMPLATE
from linkfix.policy import gate
from linkfix.policy.bases import C0_OR_SPACE
from linkfix.policy.guessing import reads_alike
from linkfix.policy.linkmap_rules import refusal
from linkfix.policy.templates import TEMPLATE, literally

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.detect import DocumentType

_XML = XMLSettings()
_DISPUTED = Violation(
    "query-charset-disputed",
    "query",
    0,
    0,
    "3987bis, 3.5; URL Standard, 4.4",
    "readers and standards disagree on the charset of a query in this place: say it with --query-charset",
)
_GUESSED = Violation(
    "charset-guessed",
    "reference",
    0,
    0,
    "HTML Standard, 13.2.3.2",
    "what it means depends on the charset of the document, which is a guess: say it with --charset",
)
_DECODERS = Violation(
    "decoder-disputed",
    "reference",
    0,
    0,
    "Encoding Standard, 12.1",
    "Chromium decodes these octets of Big5 wrongly, Firefox, WebKit and the Encoding Standard as Ê or ê with a mark",
)
_TABLES = Violation(
    "charset-disputed",
    "query",
    0,
    0,
    "XML 1.0, 4.3.3; 3987bis, 3.5",
    "readers of XML and browsers map a character of its query to other octets in the declared charset",
)
_BLANK = Violation(
    "white-space-alone",
    "reference",
    0,
    0,
    "HTML Standard, 4.8.11.5 and 4.10.21.3; URL Standard, 4.4",
    "white space alone is resolved by browsers, an empty value is often not",
)
_SPREAD = Violation(
    "white-space-run",
    "reference",
    0,
    0,
    "XML Schema Part 2, 4.3.6; 3987bis, 7.1",
    "it depends on the type of the value whether this white space is a single space: name the schema with --schema",
)
#: White space in a value of XML that an application may collapse.
_RUN = re.compile("[\t\n\r]|  ")
_REWRITTEN = frozenset(Kind) - {Kind.IDENTITY, Kind.HASH_NAME, Kind.UNKNOWN, *WITHOUT_SCHEME}


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
    style: Literal["keep", "absolute", "relative", "root-relative"] = "keep"
    keeps_spelling: bool = False

    def __post_init__(self) -> None:
        gate.one_of(gate.TO, to=self.to)
        gate.one_of(gate.SYNTAX, syntax=self.syntax)
        gate.one_of(gate.IDNA, idna=self.idna)
        gate.one_of(("none", "syntax", "scheme"), normalize=self.normalize)
        gate.one_of(("leave", "chromium"), disputed=self.disputed)
        styles = ("keep", "absolute", "relative", "root-relative")
        gate.one_of(styles, style=self.style)
        named = None if self.query_charset == "document" else self.query_charset
        gate.labels(query_charset=named, default_charset=self.default_charset)
        gate.instances(tuple, "tuple of hosts", local_names=self.local_names)
        gate.instances(Scope, "Scope", scope=self.scope)
        gate.instances(XMLSettings, "XMLSettings", xml=self.xml)
        flags = {"trusts_guess": self.trusts_guess, "keeps_spelling": self.keeps_spelling}
        gate.instances(bool, "bool", nfc=self.nfc, **flags)
        gate.functions(target=self.target)

    def stream(
        self,
        *,
        type: DocumentType | None = None,
        charset: str | None = None,
        environment: str | None = None,
        name: str = "",
        names: set[str] | None = None,
        declarations: bool = False,
        unknown: bool = False,
    ) -> LinkStream:
        """Return a stream of the links of a document with these settings.

        The arguments are those of `LinkStream` and `XMLSettings`.
        """
        gate.document(type=type, charset=charset, environment=environment, name=name)
        return LinkStream(
            type=type,
            charset=charset,
            environment=environment,
            default_charset=self.default_charset,
            name=name,
            scope=self.scope,
            xml=replace(self.xml, declarations=declarations, unknown=unknown)
            if declarations or unknown
            else self.xml,
            names=names,
        )

    def is_for_browsers(self, link: Link) -> bool:
        """Return whether only browsers count for a disputed link: in XHTML, SVG and MathML, if Chromium decides."""
        return self.disputed == "chromium" and link.namespace in WEB_NAMESPACES

    @property
    def leaves_ordinary(self) -> bool:
        """Whether every link with an ordinary value (`linkfix.iri.ordinary`) stays as it is.

        Its base URL, if known, must be of the scheme ``http`` or ``https``.
        """
        return self.normalize == "none" and not self.moves

    @property
    def goes_by_value(self) -> bool:
        """Whether `plain_uris` returns the new value of a link, if its query is mapped in UTF-8.

        Its base URL, if known, must be of the scheme ``http`` or ``https``.
        """
        return (
            self.to == "uri"
            and self.normalize == "none"
            and not self.nfc
            and self.idna == "uts46"
            and self.query_charset in {None, "document"}
            and not self.moves
        )

    @property
    def moves(self) -> bool:
        """Whether links may have new targets or another style; `move` then converts them."""
        return self.target is not None or self.style != "keep"

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
        base, moved_to = (None if iri is None else iri_to_uri(iri).text for iri in (base, moved_to))
        if moved_to is None and base is not None and self.target is not None:
            moved_to = self.led(base.partition("#")[0])
        return base, base if moved_to is None else moved_to

    def led(self, uri: str) -> str | None:
        """Return the replacement of an absolute URI by `target`, None if it has none.

        Raises:
            LinkfixError: `target` returns no absolute IRI, or one with a refused scheme.

        """
        led = None if self.target is None else self.target(uri)
        if led is not None and (why := refusal(led)) is not None:
            raise LinkfixError(
                f"the target of {uri} is refused: {why}",
                hint="let the function return an absolute address, or None",
            )
        return led

    def applies(self, link: Link | Place) -> bool:
        """Return whether a link, or the links of a place, may be rewritten (docs/decisions.md, decision 7)."""
        return link.kind in _REWRITTEN

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
            of_style = link.kind is Kind.CSS or link.element == "?xml-stylesheet"
            if not of_style:  # Chromium reads a base in UTF-8, and no such text
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
        if link.fixed in {IS_TEMPLATE, IN_CODE}:
            templates = self.scope.templates
            if link.fixed == IS_TEMPLATE and templates.convert:
                return literally(link, templates, lambda masked: self._converted(masked, base))
            return Conversion(link.value, (), (TEMPLATE,), ok=False)
        return self._converted(link, base)

    def _converted(self, link: Link, base: str | None) -> Conversion:
        syntax = self.syntax_of(link)
        if syntax == "web" and link.value and not link.value.strip(C0_OR_SPACE):
            return Conversion(link.value, (), (_BLANK,), ok=False)
        if is_spread(link) and syntax != "web":
            return Conversion(link.value, (), (_SPREAD,), ok=False)
        nfc = self.nfc
        if nfc is None:
            nfc = syntax != "web" and not link.charset.is_unicode
        encoder = self.query_encoder(link) if "?" in link.value else None

        def mapped(encoder: QueryEncoder | None) -> Conversion:
            return convert(
                link.value,
                to="uri"
                if link.markup == "http"
                else self.to,  # fields hold URIs (RFC 9110, 10.2.2)
                syntax=syntax,
                query_encoder=encoder,
                base=base,
                idna=self.idna,
                local_names=self.local_names,
                normalize=self.normalize,
                nfc=nfc,
                encode_any=self.disputed == "chromium",
            )

        conversion = mapped(encoder)
        if link.kind is Kind.TEXT and self.to == "iri":
            conversion = _found_again(link.value, conversion)
        leaves = link.place.guessed and not self.trusts_guess
        if leaves and not reads_alike(self, link, conversion, base):
            return Conversion(link.value, (), (_GUESSED,), ok=False)
        if conversion.edits and link.charset.name == "Big5" and TWO_FOR_ONE.search(link.value):
            return Conversion(link.value, (), (_DECODERS,), ok=False)
        # In a readable IRI an encoder keeps the characters of the query, which is right in both charsets.
        disputed = self.query_charset is None and link.query == "disputed" and self.to == "uri"
        if (
            encoder
            and disputed
            and self.disputed == "leave"
            and mapped(None).text != conversion.text
        ):
            return Conversion(link.value, (), (_DISPUTED,), ok=False)
        in_document = encoder is not None and self.query_charset in {None, "document"}
        if in_document and not self.is_for_browsers(link) and link.charset.disputes(link.value):
            readings = {mapped(other).text for other in (encoder, None, link.charset.encode_xml)}
            if len(readings) > 1:
                return Conversion(link.value, (), (_TABLES,), ok=False)
        return conversion


def _found_again(text: str, conversion: Conversion) -> Conversion:
    """Leave percent-encoded what would make the end of a link in plain text uncertain (UTS #58)."""
    edits = [replace(edit, text=without_punctuation(edit.text)) for edit in conversion.edits]
    edits = [edit for edit in edits if edit.text != text[edit.start : edit.end].upper()]
    return replace(conversion, text=apply(text, edits), edits=tuple(edits))


def is_spread(link: Link) -> bool:
    """Return whether a LEIRI has white space that is a single space if the type of the value is anyURI."""
    return link.place.syntax == "leiri" and _RUN.search(link.value) is not None


@cache
def _has_ascii(charset: Charset) -> bool:
    """Return whether a charset encodes ASCII characters as themselves."""
    return charset.encode("?") == b"?"
