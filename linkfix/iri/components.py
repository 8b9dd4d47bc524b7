"""One pass over the components of a reference, collecting what must change in each."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.classes_data import CLASSES
from linkfix.iri.host import HostError, convert_domain, convert_generic, convert_opaque, is_local
from linkfix.iri.layout import DRIVE, Base, ConversionError, Layout, Span, port_of
from linkfix.iri.model import Edit, QueryEncoder, Violation, apply, compose, difference
from linkfix.iri.octets import NEEDS_ENCODER, decode_run, encoded_query
from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.uts46 import Profile

#: The schemes whose rest 3.7 must not touch: their percent-encoding is part of the name or of
#: the data (RFC 8141, 3; RFC 3966, 4; RFC 2397, 3), or of a program.
NOT_DECODED: Final = frozenset({"data", "javascript", "tel", "urn"})


Decode: TypeAlias = Literal["", "runs", "octets"]

_SOLIDUS_OR_COLON: Final = pattern("[/:]")
_SLASH_OR_COLON: Final = pattern(r"[/\\:]")
_NO_SCHEME: Final = "what is before the colon is no scheme, so this is no reference"
#: The end of the header of data in base64, and the white space that readers skip there.
_BASE64: Final = pattern(r"; *base64\Z", re.IGNORECASE | re.ASCII)
_SPACE: Final = pattern(r"[\t\n\f\r ]")


class Job(NamedTuple):
    """The options of one conversion.

    Attributes:
        to_iri: whether the result is an IRI, otherwise a URI.
        web: whether the text is read as a browser does.
        base: the known part of the base of a relative reference, or None.
        encoder: maps a query to octets, or None for UTF-8.
        profile: the variant of ToASCII.
        decode: the percent-encoding that is decoded for an IRI: none, runs of UTF-8 as a whole, or all legal UTF-8 in a
            run.
        decode_query: whether octets above 0x7F in the query are decoded too.
        ulabels: whether A-labels become U-labels for an IRI.
        encode_any: whether `encoder` applies to the query of any scheme with a hierarchy in a Web Address, as in
            Chromium, and not only to the schemes of the URL Standard.
        generic: whether delimiters are written so that RFC 3986 reads the same components as a browser, even if
            the text is valid without.
        local_names: hosts that stay in Unicode in a URI too (`is_local`).

    """

    to_iri: bool
    web: bool
    base: Base | None = None
    encoder: QueryEncoder | None = None
    profile: Profile = "uts46"
    decode: Decode = ""
    decode_query: bool = True
    ulabels: bool = False
    encode_any: bool = False
    generic: bool = False
    local_names: frozenset[str] = frozenset()


def problem_of(error: ConversionError) -> Violation:
    """Return what ends a conversion, with the section of its rule."""
    section = _SECTION.get(error.rule, _URL)
    return Violation(error.rule, error.component, *error.span, section, str(error))


_URL: Final = "URL Standard, 4.4"
_SECTION: Final = {
    "colon-in-first-segment": "RFC 3986, 4.2",
    "data-header": "RFC 2397, 3; Fetch Standard, 6",
    "data-white-space": "RFC 2397, 3; Fetch Standard, 6",
    "host-percent-encoded": "3987bis, 2.2",
    "idna-invalid": "3987bis, 3.4",
    "query-charset-disputed": "3987bis, 3.5",
    "query-unencodable": "3987bis, 3.5",
    "scheme-opaque": "3987bis, 3.2",
}


def component_edits(text: str, layout: Layout, job: Job, problems: list[Violation]) -> list[Edit]:
    """Return the edits of ``text`` that make its components valid (3987bis, 3.3 to 3.7).

    Args:
        text: the text that was read.
        layout: where its components lie.
        job: what to make of it.
        problems: where what the reader should know of the result is added.

    Raises:
        ConversionError: for a text that cannot be made valid.

    """
    decode = job.decode if job.to_iri and layout.scheme not in NOT_DECODED else ""
    edits: list[Edit] = []
    if job.generic and layout.inherits:
        edits.append(Edit(0, layout.lead[0], ""))
    if job.web:
        edits += _lead(text, layout, job)
    if layout.userinfo:
        edits += _fix(text, layout.userinfo, _rule("userinfo", job.to_iri, decode))
    if layout.host is not None:
        edits += _host(text, layout.host, layout, job)
    if layout.port:
        port_of(text, layout.port)
    edits += _path(text, layout, job, decode=decode)
    if layout.query:
        edits += _query(text, layout.query, layout, job, problems, decode=decode)
    if layout.fragment:
        edits += _fix(text, layout.fragment, _rule("fragment", job.to_iri, decode))
    return edits


def _lead(text: str, layout: Layout, job: Job) -> list[Edit]:
    """Write the slashes in front of an authority as the generic syntax has them."""
    start, end = layout.lead
    slashes = text[start:end]
    if slashes == "//" or (layout.host is None and start == end):
        return []
    # The generic syntax reads a path behind other slashes, and a path cannot contain brackets.
    bracket = layout.host is not None and text.startswith("[", layout.host[0])
    if bracket or job.generic:
        return difference(slashes, "//", start)
    return [
        Edit(start + found.start(), start + found.end(), "/" * len(found[0]))
        for found in re.finditer(r"\\+", slashes)
    ]


def _host(text: str, span: Span, layout: Layout, job: Job) -> list[Edit]:
    old = text[slice(*span)]
    if not old:
        if layout.special and layout.scheme != "file" and layout.absolute:
            # RFC 9110, 4.2.1; where a browser reads, the layout says so already.
            raise ConversionError("host-missing", "host", span, "the host is missing")
        return []
    if job.local_names and not job.to_iri and is_local(old, job.local_names):
        job = job._replace(to_iri=True, ulabels=False)
    try:
        if layout.special:
            new = convert_domain(old, to_iri=job.to_iri, ulabels=job.ulabels, profile=job.profile)
        elif job.web:
            new = convert_opaque(old, to_iri=job.to_iri)
            if "%" in new and old.isascii() and "%" not in old and not job.generic:
                raise HostError("opaque-host-disputed", CLASSES["opaque-host-disputed"])
        else:
            new = convert_generic(old, to_iri=job.to_iri, profile=job.profile)
    except HostError as error:
        raise ConversionError(error.rule, "host", span, str(error)) from None
    if old == new:
        return []
    olds, news = old.split("."), new.split(".")
    if len(olds) != len(news):
        return difference(old, new, span[0])
    edits: list[Edit] = []
    position = span[0]
    for before, after in zip(olds, news, strict=True):
        edits += difference(before, after, position)
        position += len(before) + 1
    return edits


def _path(text: str, layout: Layout, job: Job, *, decode: Decode) -> list[Edit]:
    start, end = layout.path
    backslash = job.web and layout.special
    rule = _rule("path", job.to_iri, decode, False, backslash)
    if layout.drive < 0:
        edits = _fix(text, layout.path, rule)
    else:
        drive = layout.drive
        edits = _fix(text, (start, drive), rule)
        edits.append(Edit(drive, drive + 1, ":"))
        edits += _fix(text, (drive + 1, end), rule)
    front = ""
    if layout.scheme == "file" and job.web and DRIVE.match(text, start, end):
        # A drive letter is neither the scheme of a relative reference nor a host.
        relative = not layout.absolute or (job.generic and layout.inherits)
        front = "/" if relative or (job.generic and layout.lead[0] < layout.lead[1]) else ""
    elif (not layout.absolute or (job.generic and layout.inherits)) and layout.host is None:
        first = (_SLASH_OR_COLON if backslash else _SOLIDUS_OR_COLON).search(text, start, end)
        # RFC 3986, 4.2: a colon in the first segment would be the end of a scheme.
        if first and first[0] == ":":
            if not job.web:
                raise ConversionError("colon-in-first-segment", "path", (start, end), _NO_SCHEME)
            front = "./"
    if layout.scheme == "data" and layout.absolute:
        _check_data(text, layout.path, edits)
    return [Edit(start, start, front), *edits] if front else edits


def _check_data(text: str, span: Span, edits: list[Edit]) -> None:
    """Refuse edits of data that change what some reader decodes (RFC 2397, 3; Fetch Standard, 6)."""
    start, end = span
    comma = text.find(",", start, end)
    comma = end if comma < 0 else comma
    if any(edit.start < comma for edit in edits):
        message = "a character before the comma is not allowed, and no reader decodes percent-encoding there"
        raise ConversionError("data-header", "path", (start, comma), message)
    if _BASE64.search(text, start, comma) and any(
        _SPACE.search(text, edit.start, edit.end) for edit in edits
    ):
        message = "readers skip white space in base64, and not all of them decode %20 there"
        raise ConversionError("data-white-space", "path", (comma, end), message)


def _query(
    text: str, span: Span, layout: Layout, job: Job, problems: list[Violation], *, decode: Decode
) -> list[Edit]:
    rule = _rule("query", job.to_iri, decode, not job.decode_query)
    encoder = job.encoder
    if encoder is None or not NEEDS_ENCODER.search(text, *span):
        return _fix(text, span, rule)
    if layout.scheme in {"http", "https"} or (
        job.web and layout.special and layout.scheme not in {"ws", "wss"}
    ):
        return _encoded_query(text, span, rule, job, encoder, problems)
    if job.web and not layout.opaque:
        # Chromium follows no link with a scheme of one's own and a host beyond ASCII.
        has_plain_host = layout.host is None or text[slice(*layout.host)].isascii()
        if job.encode_any and (layout.special or has_plain_host):
            return _encoded_query(text, span, rule, job, encoder, problems)
        message = "browsers disagree on the charset of a query with this scheme"
        raise ConversionError("query-charset-disputed", "query", span, message)
    return _fix(text, span, rule)


def _encoded_query(
    text: str, span: Span, rule: _Rule, job: Job, encoder: QueryEncoder, problems: list[Violation]
) -> list[Edit]:
    old = text[slice(*span)]
    if not job.web:
        try:
            encoded_query(old, encoder, references=False)
        except UnicodeEncodeError:
            message = "the charset lacks a character of the query, which is mapped in UTF-8"
            problems.append(Violation("query-unencodable", "query", *span, "3987bis, 3.5", message))
            # Octets in UTF-8 beside raw characters would be read in the charset next time.
            quoted = _fix(text, span, _rule("query", False))
            # Then no raw mark follows an octet that is decoded, as none will next time.
            new = apply(text, quoted)
            end = span[1] + len(new) - len(text)
            decoded = _fix(new, (span[0], end), _rule("query", False, rule.decode, True))
            return compose(quoted, decoded, new)
    encoded = rule._replace(
        ascii_only=True, quote=lambda run: encoded_query(run, encoder, references=job.web)
    )
    edits = _fix(text, span, encoded)
    if not job.to_iri:
        # An encoder with states may write a run differently when it begins in another state.
        new = encoded_query(old, encoder, references=job.web)
        local = [Edit(edit.start - span[0], edit.end - span[0], edit.text) for edit in edits]
        if apply(old, local) != new:
            return difference(old, new, span[0])
    return edits


class _Rule(NamedTuple):
    """How a component is scanned for changes.

    Attributes:
        pattern: matches candidates for a change, each kind in a group of its own.
        bare: the pattern for text without ``%``, and without backslashes that are slashes.
        component: the component.
        decode: the octets that are decoded, as in `Job`.
        backslash: whether backslashes are slashes.
        ascii_only: whether octets above 0x7F stay as they are.
        quote: percent-encodes.

    """

    pattern: re.Pattern[str]
    bare: re.Pattern[str]
    component: str
    decode: Decode = ""
    backslash: bool = False
    ascii_only: bool = False
    quote: Callable[[str], str] = chars.quote


@cache
def _rule(
    component: str,
    to_iri: bool,
    decode: Decode = "",
    ascii_only: bool = False,
    backslash: bool = False,
) -> _Rule:
    """Build the rule for a component, once; by position, which the cache finds sooner."""
    allowed = (chars.ICOMPONENT if to_iri else chars.COMPONENT)[component]
    kinds = []
    if decode and component == "path":
        # Dot segments and what would look like a drive letter are not decoded: the octets
        # mean the same to a browser, but not to everybody.
        slash = r"/\\" if backslash else "/"
        kinds.append(rf"(?P<kept>(?<![^{slash}:])(?:\.|%2[Ee]){{1,2}}(?![^{slash}])")
        letter = "(?:[46][1-9A-Fa-f]|[57][0-9Aa])"
        kinds.append(rf"(?<![^{slash}:])%{letter}(?=(?::|\||%7[Cc])(?![^{slash}])))")
    if decode:
        kinds.append(r"(?P<octets>(?:%[0-9A-Fa-f]{2})+)")
    if backslash:
        kinds.append(r"(?P<backslash>\\+)")
    kinds.append(r"(?P<stray>(?:%(?![0-9A-Fa-f]{2}))+)")
    known = f"%{allowed}" + (r"\\" if backslash else "")
    kinds.append(f"(?P<bad>{chars.none_of(known)}+)")
    pattern, bare = re.compile("|".join(kinds)), re.compile(chars.none_of(allowed) + "+")
    return _Rule(pattern, bare, component, decode, backslash, ascii_only)


def _fix(text: str, span: Span, rule: _Rule) -> list[Edit]:
    """Return the edits that one component needs."""
    start, end = span
    if text.find("%", start, end) < 0 and not (rule.backslash and text.find("\\", start, end) >= 0):
        return [_quoted(text, found, end, rule) for found in rule.bare.finditer(text, start, end)]
    edits: list[Edit] = []
    stop = end
    for found in rule.pattern.finditer(text, start, end):
        start, end = found.span()
        kind = found.lastgroup
        if kind == "bad":
            edits.append(_quoted(text, found, stop, rule))
        elif kind == "octets":
            edits += decode_run(
                text,
                start,
                end,
                rule.component,
                ascii_only=rule.ascii_only,
                backslash=rule.backslash,
                whole=rule.decode == "runs",
            )
        elif kind == "stray":
            edits.append(Edit(start, end, "%25" * (end - start)))
        elif kind == "backslash":
            edits.append(Edit(start, end, "/" * (end - start)))
    return edits


def _quoted(text: str, found: re.Match[str], stop: int, rule: _Rule) -> Edit:
    """Percent-encode a match, and marks that NFC would compose with its last digit."""
    start, end = found.span()
    octets = rule.quote(found[0])
    while end < stop and text[end] >= _FIRST_MARK and not ucd.is_nfc(octets[-1] + text[end]):
        octets += rule.quote(text[end])
        end += 1
    return Edit(start, end, octets)


_FIRST_MARK: Final = "\u0300"
