"""The conversion of a link by the settings of a policy.

Input: a link, its base URL and a policy. Output: its conversion, or the reason why the link is left: it is a template, or readers
disagree on what it means. Only what reads or writes a link that is not ordinary loads this module, and with it the grammar of IRIs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import linkfix.policy.violation_data as reasons
from linkfix.charset import Charset, lookup, names
from linkfix.iri import Conversion, Edit, QueryEncoder, Violation, convert
from linkfix.iri.chars import quote
from linkfix.iri.model import apply
from linkfix.iri.octets import RUN
from linkfix.iri.quick import TWO_FOR_ONE
from linkfix.links.html.embedded import is_address
from linkfix.links.link import IMPORT_MAP, XML_BASE, Kind, Link, is_spread
from linkfix.links.templates import IN_CODE, IS_TEMPLATE
from linkfix.markup.layers import read_layers
from linkfix.policy.bases import C0_OR_SPACE

if TYPE_CHECKING:
    from linkfix.policy.policy import Policy

# --- Convert the literal parts of a template around its expressions -------------------------------

TEMPLATE = Violation(
    "template", "reference", 0, 0, "RFC 6570", "it is a template, to be filled in by a program"
)
#: ASCII characters that every component percent-encodes, except the host, which cannot contain them.
_SAFE = frozenset(' "<>^`|')
#: A letter, which no component converts.
_FILL = "x"


def _literally(policy: Policy, link: Link, base: str | None) -> Conversion:
    """Return a template with the literal parts around its expressions converted.

    Only percent-encoding that is right in every component is applied: an expression may expand to delimiters, so that
    the text after it may be in the query.

    Returns:
        The conversion, or the template unchanged and not ok, if an expression is cut off or more would have to
        change.

    """
    masked = value = link.value
    templates = policy.scope.templates
    for first, last in templates.expressions(value):
        masked = masked[:first] + _FILL * (last - first) + masked[last:]
    conversion = _converted(policy, link._replace(value=masked), base)
    changes = conversion.edits
    is_right = conversion.ok and all(_is_safe(value, edit, link) for edit in changes)
    if not is_right or not templates.is_whole(value):
        return Conversion(value, (), (TEMPLATE,), ok=False)
    return Conversion(apply(value, changes), changes, (), ok=True)


def _is_safe(value: str, edit: Edit, link: Link) -> bool:
    """Return whether an edit percent-encodes characters that every component encodes alike."""
    text = value[edit.start : edit.end]
    known = all(char in _SAFE or (char > "\x7f" and link.charset.is_unicode) for char in text)
    return known and edit.text == quote(text)


# --------------------------------------------------------------------------------------------------


# --- Test whether every browser reads a link alike, where the document declares no charset --------
# Browsers guess such a charset from the bytes, each in its own way; WebKit never guesses and reads windows-1252. A
# rewrite changes the bytes, and so may change the guess. So a link is only rewritten if every charset with ASCII
# markup reads it alike. Then the guess does not matter, before and after the rewrite. Most links are ASCII and cost
# one test of their bytes.


def reads_alike(policy: Policy, link: Link, conversion: Conversion, base: str | None) -> bool:
    """Return whether a link has the same target in every charset, and can be rewritten in each.

    Args:
        policy: how links are read.
        link: of a document whose charset is a guess.
        conversion: of the link in the charset that was guessed.
        base: its base URL; None if unknown.

    """
    if not link.charset.is_own_view:
        # Another charset may read other markup, without this link.
        return not conversion.edits
    is_ascii = link.raw.isascii()
    if is_ascii and link.value.isascii():
        return conversion.text.isascii()
    if not is_ascii and not conversion.text.isascii():
        return False
    if not all(edit.text.isascii() for edit in conversion.edits):
        return False
    readings = (_read(policy.reading, link, charset, base) for charset in _charsets())
    first = next(readings)
    return first is not None and all(other == first for other in readings)


def _read(policy: Policy, link: Link, charset: Charset, base: str | None) -> str | None:
    """Return the URI of a link in a charset; None if it has none."""
    value = link.value
    if not link.raw.isascii():
        value = read_layers(charset.decode(link.raw), link.layers)
    place = replace(link.place, charset=charset)
    conversion = policy.convert(link._replace(value=value, place=place), base)
    return conversion.text if conversion.ok else None


@cache
def _charsets() -> tuple[Charset, ...]:
    """Return the ASCII-compatible charsets of HTML, the most different ones first."""
    common = ["windows-1252", "UTF-8", "Shift_JIS", "EUC-JP", "windows-1253"]
    found = [lookup(name) for name in dict.fromkeys([*common, *names(xml=False)])]
    return tuple(charset for charset in found if charset.is_own_view)


# --------------------------------------------------------------------------------------------------


def converted(policy: Policy, link: Link, base: str | None) -> Conversion:
    """Convert a link that keeps its target, as `Policy.convert` does."""
    if link.fixed == IS_TEMPLATE and policy.scope.templates.convert:
        return _literally(policy, link, base)
    if link.fixed in {IS_TEMPLATE, IN_CODE}:
        return Conversion(link.value, (), (TEMPLATE,), ok=False)
    return _converted(policy, link, base)


def _converted(policy: Policy, link: Link, base: str | None) -> Conversion:
    syntax = policy.syntax_of(link)
    if syntax == "web" and (first := link.value.lstrip(C0_OR_SPACE)[:1]) != link.value[:1]:
        if not first:
            return Conversion(link.value, (), (reasons.BLANK,), ok=False)
        if first == "#" and link.place.names:
            return Conversion(link.value, (), (reasons.LOCAL,), ok=False)
    if is_spread(link) and syntax != "web":
        return Conversion(link.value, (), (reasons.SPREAD,), ok=False)
    nfc = policy.nfc
    if nfc is None:
        nfc = syntax != "web" and not link.charset.is_unicode
    encoder = policy.query_encoder(link) if "?" in link.value else None

    # Fields hold URIs (RFC 9110, 10.2.2).
    is_uri = link.markup == "http" or _is_opened(link)
    form: Literal["uri", "iri"] = "uri" if is_uri else policy.to

    def mapped(
        encoder: QueryEncoder | None, text: str = link.value, to: Literal["uri", "iri"] = form
    ) -> Conversion:
        return convert(
            text,
            to=to,
            syntax=syntax,
            query_encoder=encoder,
            base=base,
            idna=policy.idna,
            local_names=policy.local_names,
            normalize=policy.normalize,
            nfc=nfc,
            encode_any=policy.disputed == "chromium",
        )

    conversion = mapped(encoder)
    is_address_of_map = link.place.embedded == IMPORT_MAP and is_address(link.value)
    if is_address_of_map and not is_address(conversion.text):
        return Conversion(link.value, (), (reasons.BARE,), ok=False)
    if form == "iri" and link.kind is Kind.TEXT:
        conversion = _found_again(link.value, conversion)
    elif form == "iri" and syntax == "web" and policy.normalize == "none":
        conversion = _named_again(link.value, conversion)
    leaves = link.place.guessed and not policy.trusts_guess
    if leaves and not reads_alike(policy, link, conversion, base):
        return Conversion(link.value, (), (reasons.GUESSED,), ok=False)
    if conversion.edits and link.charset.name == "Big5" and TWO_FOR_ONE.search(link.value):
        return Conversion(link.value, (), (reasons.DECODERS,), ok=False)
    # The characters that a readable IRI keeps in the query are right in both charsets.
    disputed = policy.query_charset is None and link.query == "disputed"
    if encoder and disputed and policy.disputed == "leave":
        before, after = (mapped(None, text, "uri").text for text in (link.value, conversion.text))
        if before != after:
            return Conversion(link.value, (), (reasons.DISPUTED,), ok=False)
    in_document = encoder is not None and policy.query_charset in {None, "document"}
    if in_document and not policy.is_for_browsers(link) and link.charset.disputes(link.value):
        readings = {mapped(other).text for other in (encoder, None, link.charset.encode_xml)}
        if len(readings) > 1:
            return Conversion(link.value, (), (reasons.TABLES,), ok=False)
    return conversion


#: The namespaces of XInclude, XSLT, XML Schema, RELAX NG and XML catalogs.
_PROCESSED = frozenset({
    "http://www.w3.org/2001/XInclude", "http://www.w3.org/2003/XInclude", "http://www.w3.org/1999/XSL/Transform",
    "http://www.w3.org/2001/XMLSchema", "http://relaxng.org/ns/structure/1.0", "urn:oasis:names:tc:entity:xmlns:xml:catalog",
})  # fmt: skip
_LOCATIONS = frozenset({"noNamespaceSchemaLocation", "schemaLocation"})


def _is_opened(link: Link) -> bool:
    """Return whether processors of XML open the target of a link, or resolve it: libxml2 does so for URIs only, and refuses IRIs."""
    if link.markup != "xml":
        return False
    return (
        link.namespace in _PROCESSED
        or link.element in {"!DOCTYPE", "?xml-stylesheet"}
        or link.attribute == XML_BASE
        or link.attribute.rpartition(":")[2] in _LOCATIONS
    )


def _found_again(text: str, conversion: Conversion) -> Conversion:
    """Leave percent-encoded what would make the end of a link in plain text uncertain (UTS #58)."""
    from linkfix.iri.text.detection import without_punctuation

    edits = [edit._replace(text=without_punctuation(edit.text)) for edit in conversion.edits]
    return _with(conversion, text, [x for x in edits if x.text != text[x.start : x.end].upper()])


def _named_again(text: str, conversion: Conversion) -> Conversion:
    """Leave percent-encoded in a fragment what browsers would not percent-encode the same way again.

    An element may have it as its id: they look for the fragment as it is, then for what it decodes to (HTML, 7.4.6.3).
    """
    fragment = text.find("#")
    if fragment < 0 or "%" not in text[fragment:]:
        return conversion

    def is_same(edit: Edit) -> bool:
        old = text[edit.start : edit.end]
        new = "".join(char if char.isascii() else quote(char) for char in edit.text)
        return edit.start < fragment or new == old or not RUN.fullmatch(old)

    return _with(conversion, text, [*filter(is_same, conversion.edits)])


def _with(conversion: Conversion, text: str, edits: list[Edit]) -> Conversion:
    return conversion._replace(text=apply(text, edits), edits=tuple(edits))
