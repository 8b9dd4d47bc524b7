"""The conversion of a link by the settings of a policy.

Input: a link, its base URL and a policy. Output: its conversion, or the reason why the link is left: it is a template, or readers
disagree on what it means. Only what reads or writes a link that is not ordinary loads this module, and with it the grammar of IRIs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.iri import Conversion, QueryEncoder, convert
from linkfix.iri.edits import apply
from linkfix.iri.quick import TWO_FOR_ONE
from linkfix.links.link import Kind, Link, is_spread
from linkfix.links.templates import IN_CODE, IS_TEMPLATE
from linkfix.policy.bases import C0_OR_SPACE
from linkfix.policy.guessing import reads_alike
from linkfix.policy.violation_data import BLANK, DECODERS, DISPUTED, GUESSED, SPREAD, TABLES

if TYPE_CHECKING:
    from linkfix.policy.policy import Policy


def converted(policy: Policy, link: Link, base: str | None) -> Conversion:
    """Convert a link that keeps its target, as `Policy.convert` does."""
    if link.fixed in {IS_TEMPLATE, IN_CODE}:
        from linkfix.policy.templates import TEMPLATE, literally

        templates = policy.scope.templates
        if link.fixed == IS_TEMPLATE and templates.convert:
            return literally(link, templates, lambda masked: _converted(policy, masked, base))
        return Conversion(link.value, (), (TEMPLATE,), ok=False)
    return _converted(policy, link, base)


def _converted(policy: Policy, link: Link, base: str | None) -> Conversion:
    syntax = policy.syntax_of(link)
    if syntax == "web" and link.value and not link.value.strip(C0_OR_SPACE):
        return Conversion(link.value, (), (BLANK,), ok=False)
    if is_spread(link) and syntax != "web":
        return Conversion(link.value, (), (SPREAD,), ok=False)
    nfc = policy.nfc
    if nfc is None:
        nfc = syntax != "web" and not link.charset.is_unicode
    encoder = policy.query_encoder(link) if "?" in link.value else None

    def mapped(encoder: QueryEncoder | None) -> Conversion:
        return convert(
            link.value,
            to="uri" if link.markup == "http" else policy.to,  # fields hold URIs (RFC 9110, 10.2.2)
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
    if link.kind is Kind.TEXT and policy.to == "iri":
        conversion = _found_again(link.value, conversion)
    leaves = link.place.guessed and not policy.trusts_guess
    if leaves and not reads_alike(policy, link, conversion, base):
        return Conversion(link.value, (), (GUESSED,), ok=False)
    if conversion.edits and link.charset.name == "Big5" and TWO_FOR_ONE.search(link.value):
        return Conversion(link.value, (), (DECODERS,), ok=False)
    # In a readable IRI an encoder keeps the characters of the query, which is right in both charsets.
    disputed = policy.query_charset is None and link.query == "disputed" and policy.to == "uri"
    if encoder and disputed and policy.disputed == "leave" and mapped(None).text != conversion.text:
        return Conversion(link.value, (), (DISPUTED,), ok=False)
    in_document = encoder is not None and policy.query_charset in {None, "document"}
    if in_document and not policy.is_for_browsers(link) and link.charset.disputes(link.value):
        readings = {mapped(other).text for other in (encoder, None, link.charset.encode_xml)}
        if len(readings) > 1:
            return Conversion(link.value, (), (TABLES,), ok=False)
    return conversion


def _found_again(text: str, conversion: Conversion) -> Conversion:
    """Leave percent-encoded what would make the end of a link in plain text uncertain (UTS #58)."""
    from linkfix.iri.text.detection import without_punctuation

    edits = [edit._replace(text=without_punctuation(edit.text)) for edit in conversion.edits]
    edits = [edit for edit in edits if edit.text != text[edit.start : edit.end].upper()]
    return conversion._replace(text=apply(text, edits), edits=tuple(edits))
