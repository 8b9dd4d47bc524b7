"""From a link value as it is written to a URI or a readable IRI, as edits of the text.

A conversion strips what the syntax strips, reads where the components lie, and goes over each
component once, collecting what must change. Everything that is not in an edit stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal

from linkfix.iri import chars, query
from linkfix.iri.decode import decode_run
from linkfix.iri.edits import apply, compose, difference, source_offset
from linkfix.iri.host import HostError, convert_domain, convert_generic, convert_opaque
from linkfix.iri.layout import (
    Base,
    Layout,
    LayoutError,
    Span,
    base_of,
    read_generic,
    read_web,
)
from linkfix.iri.model import Conversion, Edit, Violation
from linkfix.iri.normalize import nfc_edits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linkfix.iri.model import QueryEncoder
    from linkfix.iri.uts46 import Profile

__all__ = ["convert"]

_HTTP: Final = Base("http")
_HTTPS: Final = Base("https")

#: URL Standard, 4.4: what the parser trims from both ends and removes everywhere.
_ENDS: Final = "".join(map(chr, range(0x21)))
_REMOVED: Final = re.compile(r"[\t\n\r]+")
#: With the same scheme as the base's these are relative, otherwise an authority follows.
_BASE_DEPENDENT: Final = re.compile(r"https?:(?![/\\]{2})", re.IGNORECASE)

#: The schemes whose rest 3.7 must not touch: their percent-encoding is part of the name or of
#: the data (RFC 8141, 3; RFC 3966, 4; RFC 2397, 3), or of a program.
_NOT_DECODED: Final = frozenset({"data", "javascript", "tel", "urn"})
#: Script is no identifier: to change it is to change a program.
_SCRIPT: Final = re.compile("javascript:", re.IGNORECASE)
_DATA: Final = re.compile("data:", re.IGNORECASE)


def _canonical() -> dict[str, re.Pattern[str]]:
    """Return patterns that values which need no conversion match, the common kinds at least.

    They must not match a value that needs one: hosts are plain labels, of which the last begins
    with a letter and so is no number.
    """
    label = r"(?!xn--)[a-z0-9_](?:[a-z0-9_-]*+)"
    host = rf"(?:{label}\.)*+(?=[a-z]){label}(?::[0-9]{{0,4}}+)?+"
    patterns = {}
    for to, classes, octet in (
        ("uri", chars.COMPONENT, "|%[0-9A-Fa-f]{2}"),
        ("iri", chars.ICOMPONENT, ""),
    ):
        path, iquery, fragment = (
            rf"(?:[{classes[name]}]{octet})*+" for name in ("path", "query", "fragment")
        )
        first = classes["path"].replace(":", "").replace("/", "")
        patterns[to] = re.compile(
            rf"(?:https?://{host}(?:/{path})?"
            rf"|/(?!/){path}"
            rf"|(?!/)(?:(?:[{first}]{octet})++(?:/{path})?+)?+)"
            rf"(?:\?{iquery})?+(?:\#{fragment})?+",
            re.IGNORECASE,
        )
    return patterns


_CANONICAL: Final = _canonical()


@dataclass(frozen=True, slots=True)
class _Job:
    """The options of one conversion, and what follows from them."""

    to_iri: bool
    web: bool
    base: Base | None
    encoder: QueryEncoder | None
    profile: Profile
    decode: bool
    decode_query: bool


class _FailureError(Exception):
    """A text that cannot be converted; ends the conversion."""

    def __init__(self, rule: str, component: str, span: Span, message: str) -> None:
        super().__init__(message)
        self.problem = Violation(rule, component, *span, _SECTION.get(rule, _URL), message)


_URL: Final = "URL Standard, 4.4"
_SECTION: Final = {
    "host-percent-encoded": "3987bis, 2.2",
    "idna-invalid": "3987bis, 3.4",
    "query-charset-disputed": "3987bis, 3.5",
    "query-unencodable": "3987bis, 3.5",
    "scheme-opaque": "3987bis, 3.2",
}


def convert(
    text: str,
    *,
    to: Literal["uri", "iri"],
    syntax: Literal["web", "leiri", "iri"] = "web",
    query_encoder: QueryEncoder | None = None,
    base: str | None = None,
    idna: Profile = "uts46",
    nfc: bool = False,
    normalize: Literal["none", "syntax", "scheme"] = "none",
    decode_query: bool = True,
) -> Conversion:
    """Convert a link value to a URI reference or to a readable IRI reference.

    Args:
        text: the value, character references already resolved.
        to: ``uri`` for a URI-reference of RFC 3986, ``iri`` for an IRI-reference of 3987bis with
            as little percent-encoding as possible.
        syntax: how ``text`` is read: as a Web Address (3987bis, 7.2; the URL Standard), a LEIRI
            (7.1) or an IRI.
        query_encoder: maps a query to octets in the charset of the document; None for UTF-8.
        base: the IRI that the reference would be resolved against; None where it is unknown
            and may be any ``http`` or ``https`` IRI.
        idna: the variant of ToASCII.
        nfc: put the text in NFC first (3987bis, 3.1), for text from a legacy charset.
        normalize: the rung of the ladder (3987bis, 5.3) that the result is brought to.
        decode_query: whether percent-encoding that is not ASCII is decoded in the query for
            ``iri``; never done with a ``query_encoder``.

    Returns:
        The result with its edits, whose offsets are code points of ``text``; nothing is raised
        for any ``text``.

    """
    known = None if base is None else _known_base(base)
    if (
        normalize == "none"
        and (known is None or known.scheme in {"http", "https"})
        and (not nfc or text.isascii())
        and _CANONICAL[to].fullmatch(text)
    ):
        return Conversion(text, (), (), ok=True)
    job = _Job(
        to_iri=to == "iri",
        web=syntax == "web",
        base=known,
        encoder=query_encoder,
        profile=idna,
        decode=to == "iri",
        decode_query=decode_query and query_encoder is None,
    )
    return _run(text, job, nfc=nfc)


@lru_cache(maxsize=256)
def _known_base(iri: str) -> Base:
    """Read a base; one that a browser cannot parse is a base that nothing resolves against."""
    job = _Job(False, True, Base("", opaque=True), None, "uts46", False, False)
    parsed = _run(iri, job)
    return base_of(parsed.text) if parsed.ok else Base("", opaque=True)


def _run(text: str, job: _Job, *, nfc: bool = False) -> Conversion:
    edits = _strip(text) if job.web else []
    cleaned = apply(text, edits)
    if nfc:
        composed = nfc_edits(cleaned)
        edits = compose(edits, composed, cleaned)
        cleaned = apply(text, edits)
    script = _SCRIPT.match(cleaned) is not None
    if script:
        job = replace(job, to_iri=False)
    problems: list[Violation] = []
    try:
        converted = _edits(cleaned, text, job, problems)
        if script and (edits or converted):
            message = "script is left as it is, though it is no valid URI"
            raise _FailureError("scheme-opaque", "path", (0, len(cleaned)), message)
    except _FailureError as failure:
        return Conversion(text, (), _located((failure.problem,), edits), ok=False)
    located = _located(problems, edits)
    edits = compose(edits, converted, cleaned)
    return Conversion(apply(text, edits), tuple(edits), located, ok=True)


def _located(problems: Sequence[Violation], edits: Sequence[Edit]) -> tuple[Violation, ...]:
    """Give the offsets of problems in the cleaned text as offsets in the text."""
    if not edits:
        return tuple(problems)
    return tuple(
        replace(
            problem,
            start=source_offset(problem.start, edits, behind=problem.start == problem.end),
            end=source_offset(problem.end, edits, behind=True),
        )
        for problem in problems
    )


def _strip(text: str) -> list[Edit]:
    """Return the edits that remove what the URL parser does not see."""
    start = len(text) - len(text.lstrip(_ENDS))
    end = max(start, len(text.rstrip(_ENDS)))
    edits = [Edit(0, start, "")] if start else []
    edits += [Edit(*found.span(), "") for found in _REMOVED.finditer(text, start, end)]
    if end < len(text):
        edits.append(Edit(end, len(text), ""))
    return edits


def _edits(cleaned: str, text: str, job: _Job, problems: list[Violation]) -> list[Edit]:
    """Return the edits of ``cleaned`` that make it valid, or raise ``_FailureError``."""
    if not job.web:
        layout = read_generic(cleaned)
        layout.scheme = layout.scheme or (job.base.scheme if job.base else "http")
        return _convert_layout(cleaned, layout, job, problems)
    whole = (0, len(cleaned))
    if _DATA.match(cleaned) and _REMOVED.search(text.strip(_ENDS)):
        message = "the URL Standard drops tabs and line ends in data, browsers keep them"
        raise _FailureError("data-newline-disputed", "path", whole, message)
    if job.base is not None or not _BASE_DEPENDENT.match(cleaned):
        return _read_and_convert(cleaned, job.base or _HTTP, job, problems)
    edits = _read_and_convert(cleaned, _HTTP, job, problems)
    if edits != _read_and_convert(cleaned, _HTTPS, job, problems):
        message = "what this means depends on the scheme of the base"
        raise _FailureError("base-dependent", "reference", whole, message)
    return edits


def _read_and_convert(text: str, base: Base, job: _Job, problems: list[Violation]) -> list[Edit]:
    try:
        layout = read_web(text, base)
    except LayoutError as error:
        raise _FailureError(error.rule, error.component, error.span, str(error)) from None
    return _convert_layout(text, layout, job, problems)


def _convert_layout(text: str, layout: Layout, job: _Job, problems: list[Violation]) -> list[Edit]:
    """Go over the components in the order of the text."""
    decode = job.to_iri and job.decode and layout.scheme not in _NOT_DECODED
    edits: list[Edit] = []
    if job.web and layout.lead[0] < layout.path[1]:
        edits += _lead(text, layout)
    if layout.userinfo:
        edits += _fix(text, layout.userinfo, _rule("userinfo", job, decode=decode))
    if layout.host:
        edits += _host(text, layout.host, layout, job)
    if layout.port:
        _check_port(text, layout.port, layout, job)
    edits += _path(text, layout, job, decode=decode)
    if layout.query:
        edits += _query(text, layout.query, layout, job, problems, decode=decode)
    if layout.fragment:
        edits += _fix(text, layout.fragment, _rule("fragment", job, decode=decode))
    return edits


def _lead(text: str, layout: Layout) -> list[Edit]:
    """Write the slashes in front of an authority as the generic syntax has them."""
    start, end = layout.lead
    slashes = text[start:end]
    if layout.host and text.startswith("[", layout.host[0]) and slashes != "//":
        return difference(slashes, "//", start)  # a path could not hold the brackets
    return [
        Edit(start + found.start(), start + found.end(), "/" * len(found[0]))
        for found in re.finditer(r"\\+", slashes)
    ]


def _host(text: str, span: Span, layout: Layout, job: _Job) -> list[Edit]:
    old = text[slice(*span)]
    if not old:
        return []
    try:
        if layout.special:
            new = convert_domain(old, to_iri=job.to_iri, profile=job.profile)
        elif job.web:
            new = convert_opaque(old, to_iri=job.to_iri)
        else:
            new = convert_generic(old, to_iri=job.to_iri, profile=job.profile)
    except HostError as error:
        raise _FailureError(error.rule, "host", span, str(error)) from None
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


def _check_port(text: str, span: Span, layout: Layout, job: _Job) -> None:
    port = text[slice(*span)]
    if port.strip("0123456789"):
        raise _FailureError("port-invalid", "port", span, "a port is written in decimal digits")
    significant = port.lstrip("0")
    if (job.web or layout.special) and (len(significant) > 5 or int(significant or 0) > 65535):
        raise _FailureError("port-out-of-range", "port", span, "a port is at most 65535")


def _path(text: str, layout: Layout, job: _Job, *, decode: bool) -> list[Edit]:
    start, end = layout.path
    backslash = job.web and layout.special
    rule = _rule("path", job, decode=decode, backslash=backslash)
    if layout.drive >= 0:
        drive = layout.drive
        edits = [Edit(start, start, "/")] if layout.rooted else []
        edits += _fix(text, (start, drive), rule)
        edits.append(Edit(drive, drive + 1, ":"))
        return edits + _fix(text, (drive + 1, end), rule)
    edits = _fix(text, layout.path, rule)
    if not layout.absolute and layout.lead[0] == layout.lead[1]:
        first = re.compile(r"[/\\:]" if backslash else "[/:]").search(text, start, end)
        if first and first[0] == ":":
            # RFC 3986, 4.2: a colon in the first segment would be the end of a scheme.
            edits.insert(0, Edit(start, start, "./"))
    return edits


def _query(
    text: str, span: Span, layout: Layout, job: _Job, problems: list[Violation], *, decode: bool
) -> list[Edit]:
    rule = _rule("query", job, decode=decode, ascii_only=not job.decode_query)
    encoder = job.encoder
    if encoder is None or not query.NEEDS_ENCODER.search(text, *span):
        return _fix(text, span, rule)
    if layout.scheme in {"http", "https"} or (
        job.web and layout.special and layout.scheme not in {"ws", "wss"}
    ):
        return _encoded_query(text, span, rule, job, encoder, problems)
    if job.web and not layout.opaque:
        message = "browsers disagree on the charset of a query with this scheme"
        raise _FailureError("query-charset-disputed", "query", span, message)
    return _fix(text, span, rule)


def _encoded_query(
    text: str,
    span: Span,
    rule: _Rule,
    job: _Job,
    encoder: QueryEncoder,
    problems: list[Violation],
) -> list[Edit]:
    old = text[slice(*span)]
    if not job.web:
        try:
            query.encode(old, encoder, references=False)
        except UnicodeEncodeError:
            message = "the charset lacks a character of the query, which is mapped in UTF-8"
            problems.append(Violation("query-unencodable", "query", *span, "3987bis, 3.5", message))
            return _fix(text, span, _Rule(_pattern("query", to_iri=False)))
    encoded = _Rule(
        rule.pattern,
        "query",
        decode=rule.decode,
        ascii_only=True,
        quote=lambda run: query.encode(run, encoder, references=job.web),
    )
    edits = _fix(text, span, encoded)
    if not job.to_iri:
        # An encoder with states may write a run differently when it begins in another state.
        new = query.encode(old, encoder, references=job.web)
        local = [Edit(edit.start - span[0], edit.end - span[0], edit.text) for edit in edits]
        if apply(old, local) != new:
            return difference(old, new, span[0])
    return edits


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a component is gone over: what must change, and into what."""

    pattern: re.Pattern[str]
    component: str = ""
    decode: bool = False
    ascii_only: bool = False
    quote: Callable[[str], str] = chars.quote


@cache
def _pattern(
    component: str, *, to_iri: bool, decode: bool = False, backslash: bool = False
) -> re.Pattern[str]:
    """Match what may have to change in a component, each kind in a group of its own."""
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
    kinds.append(r"(?P<stray>%(?![0-9A-Fa-f]{2}))")
    kinds.append(f"(?P<bad>[^%{allowed}" + (r"\\" if backslash else "") + "]+)")
    return re.compile("|".join(kinds))


@cache
def _cached_rule(
    component: str, to_iri: bool, decode: bool, ascii_only: bool, backslash: bool
) -> _Rule:
    pattern = _pattern(component, to_iri=to_iri, decode=decode, backslash=backslash)
    return _Rule(pattern, component, decode, ascii_only)


def _rule(
    component: str,
    job: _Job,
    *,
    decode: bool = False,
    ascii_only: bool = False,
    backslash: bool = False,
) -> _Rule:
    return _cached_rule(component, job.to_iri, decode, ascii_only, backslash)


def _fix(text: str, span: Span, rule: _Rule) -> list[Edit]:
    """Return the edits that one component needs."""
    edits: list[Edit] = []
    for found in rule.pattern.finditer(text, *span):
        start, end = found.span()
        kind = found.lastgroup
        if kind == "bad":
            edits.append(Edit(start, end, rule.quote(found[0])))
        elif kind == "octets":
            edits += decode_run(text, start, end, rule.component, ascii_only=rule.ascii_only)
        elif kind == "stray":
            edits.append(Edit(start, end, "%25"))
        elif kind == "backslash":
            edits.append(Edit(start, end, "/" * (end - start)))
    return edits
