"""Convert a link value to a URI or a readable IRI by its components, as edits of the text.

A conversion strips the characters that the syntax strips, reads the spans of the components, and scans each component
once for edits. All other characters stay. The time is linear in the length of the text.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.disputed import disputes_of
from linkfix.iri.components import Job, component_edits, problem_of
from linkfix.iri.layout import Base, ConversionError, read_generic, read_web
from linkfix.iri.model import (
    IDNA,
    Conversion,
    Edit,
    Violation,
    apply,
    compose,
    need,
    need_text,
    source_offset,
)
from linkfix.iri.quick import REMEMBERED
from linkfix.iri.reference import split
from linkfix.iri.unicode.ucd import nfc_edits
from linkfix.iri.unicode.uts46 import Profile
from linkfix.iri.url import ENDS, known_base

_HTTP: Final = Base("http")
_HTTPS: Final = Base("https")

#: URL Standard, 4.4: what the parser removes everywhere, and at both ends.
_REMOVED: Final = pattern(r"[\t\n\r]+")
_STRIPPED: Final = pattern(rf"\A[\0-\x20]+|(?<![\0-\x20])[\0-\x20]++\Z|{_REMOVED.pattern}")
#: With the same scheme as the base's these are relative, otherwise an authority follows.
_BASE_DEPENDENT: Final = pattern(r"https?:(?![/\\]{2})", re.IGNORECASE | re.ASCII)

#: Script is no identifier: to change it is to change a program.
_SCRIPT: Final = re.compile("javascript:", re.IGNORECASE | re.ASCII)
_DATA: Final = pattern("data:", re.IGNORECASE | re.ASCII)


_LOWER_OCTET: Final = re.compile("%(?=[89A-Fa-f])(?:[0-9A-F][a-f]|[a-f][0-9A-Fa-f])")
_LEIRI_ONLY: Final = pattern(f"[{chars.LEIRI_ONLY}]+")
_NO_LEIRI: Final = pattern("[\ud800-\udfff\ufffe\uffff]")

#: To an IRI, with nothing but what must be percent-encoded or decoded.
_UNDECODED: Final = Job(to_iri=True, web=True, generic=True)


def _converted(
    text: str, job: Job, nfc: bool, normalize: Literal["none", "syntax", "scheme"]
) -> Conversion:
    """Convert a text by its components, as `convert`."""
    converted = _run(text, job, nfc=nfc)
    if normalize == "none" or not converted.ok:
        return converted
    from linkfix.iri.compare.normalization import normalization_edits

    more = normalization_edits(converted.text, normalize, job)
    edits = compose(converted.edits, more, converted.text)
    return converted._replace(text=apply(text, edits), edits=tuple(edits))


_converted_before = lru_cache(maxsize=1024)(_converted)


def converted(
    text: str, job: Job, *, nfc: bool, normalize: Literal["none", "syntax", "scheme"]
) -> Conversion:
    """Convert a text by its components, as `convert`."""
    changed = _converted_before if len(text) <= REMEMBERED else _converted
    return changed(text, job, nfc, normalize)


def _run(text: str, job: Job, *, nfc: bool = False) -> Conversion:
    edits = _strip(text) if job.web else []
    cleaned = apply(text, edits) if edits else text
    if nfc:
        composed = nfc_edits(cleaned)
        edits = compose(edits, composed, cleaned)
        cleaned = apply(text, edits)
    script = _SCRIPT.match(cleaned) is not None
    if script:
        job = job._replace(to_iri=False)
    problems: list[Violation] = []
    try:
        converted = _edits(cleaned, text, job, problems)
        if script and (edits or converted):
            message = "script is left as it is, though it is no valid URI"
            raise ConversionError("scheme-opaque", "path", (0, len(cleaned)), message)
    except ConversionError as failure:
        return Conversion(text, (), _located((problem_of(failure),), edits), ok=False)
    located = _located(problems, edits)
    edits = compose(edits, converted, cleaned) if edits else converted
    return Conversion(apply(text, edits), tuple(edits), located, ok=True)


def _located(problems: Sequence[Violation], edits: Sequence[Edit]) -> tuple[Violation, ...]:
    """Convert the offsets of problems in the stripped text to offsets in the text."""
    if not edits:
        return tuple(problems)
    return tuple(
        problem._replace(
            start=source_offset(problem.start, edits, behind=problem.start == problem.end),
            end=source_offset(problem.end, edits, behind=True),
        )
        for problem in problems
    )


def _strip(text: str) -> list[Edit]:
    """Return the edits that remove what the URL parser strips."""
    if text.isprintable() and text[:1] != " " != text[-1:]:
        return []
    return [Edit(*found.span(), "") for found in _STRIPPED.finditer(text)]


def _edits(cleaned: str, text: str, job: Job, problems: list[Violation]) -> list[Edit]:
    """Return the edits of ``cleaned`` that make it valid, or raise ``ConversionError``."""
    if not job.web:
        layout = read_generic(cleaned)
        layout.scheme = layout.scheme or (job.base.scheme if job.base else "http")
        return component_edits(cleaned, layout, job, problems)
    whole = (0, len(cleaned))
    if _DATA.match(cleaned) and _REMOVED.search(text.strip(ENDS)):
        message = "the URL Standard drops tabs and line ends in data, browsers keep them"
        raise ConversionError("data-newline-disputed", "path", whole, message)
    if job.base is not None or not _BASE_DEPENDENT.match(cleaned):
        return _read_and_convert(cleaned, text, job.base or _HTTP, job, problems)
    try:
        edits = _read_and_convert(cleaned, text, _HTTP, job, problems)
        is_same = edits == _read_and_convert(cleaned, text, _HTTPS, job, problems)
    except ConversionError:
        if not job.encode_any:
            raise
        # One scheme makes a reference like ``http:?q=é`` invalid. To percent-encode its query is right with the other.
        base = _HTTPS if cleaned[:5].lower() == "https" else _HTTP
        edits = _read_and_convert(cleaned, cleaned, base, job, problems)
        path = split(cleaned)[0]
        is_same = all(edit.start >= len(path) for edit in edits)
    if not is_same:
        message = "what this means depends on the scheme of the base"
        raise ConversionError("base-dependent", "reference", whole, message)
    return edits


def _read_and_convert(
    cleaned: str, text: str, base: Base, job: Job, problems: list[Violation]
) -> list[Edit]:
    layout = read_web(cleaned, base)
    edits = component_edits(cleaned, layout, job, problems)
    if not job.generic and (edits or cleaned != text):
        for dispute in disputes_of(text, cleaned, layout):
            if _moves(dispute, edits):
                raise ConversionError(
                    dispute.rule, dispute.component, (dispute.start, dispute.end), dispute.message
                )
    return edits


def _moves(dispute: Violation, edits: Sequence[Edit]) -> bool:
    """Return whether edits of a disputed reference may change the target for some reader."""
    if dispute.component == "host":
        start, end = dispute.start, dispute.end
        return any(
            (start < edit.start <= end)
            if edit.start == edit.end
            else (edit.start < end and start < edit.end)
            for edit in edits
        )
    return dispute.rule not in _KEPT


#: Parts that a conversion does not change.
_KEPT: Final = frozenset({"dots-disputed", "file-slashes-disputed", "quote-disputed"})


def uri_to_iri(uri: str, *, idna: Profile | None = "uts46") -> Conversion:
    """Convert a URI to an IRI (3987bis, 3.7, all six steps).

    Args:
        uri: a URI reference; characters outside of the URI syntax are percent-encoded.
        idna: the variant of ToASCII that must map U-labels back; None to omit step 6, so that A-labels stay.

    Returns:
        The IRI; its remaining octets above 0x7F have upper-case digits.

    """
    need((*IDNA, None), idna=idna)
    need_text(uri=uri)
    job = _UNDECODED._replace(
        web=False, profile=idna or "uts46", decode="octets", ulabels=idna is not None
    )
    converted = _run(uri, job)
    if not converted.ok:
        return converted
    text = converted.text
    more = [Edit(*found.span(), found[0].upper()) for found in _LOWER_OCTET.finditer(text)]
    edits = compose(converted.edits, more, text)
    return converted._replace(text=apply(uri, edits), edits=tuple(edits))


def web_address_to_iri(text: str, *, base: str | None = None) -> Conversion:
    """Preprocess a Web Address to an IRI reference (3987bis, 7.2).

    The URL Standard decides what the draft leaves open: tab, LF and CR are removed everywhere, C0 controls and space at
    both ends, and a backslash before the query is a slash for a special scheme. Delimiters are written so that RFC 3986
    reads the components that a browser reads. Only a percent-encoded host is decoded.

    Args:
        text: any string.
        base: its base URL; None for any of ``http`` or ``https``.

    Returns:
        The IRI reference; not ``ok`` for a failure in the URL Standard.

    """
    known = None if base is None else known_base(base)
    return _run(text, _UNDECODED._replace(base=known))


def leiri_to_iri(text: str) -> Conversion:
    """Percent-encode the characters that a LEIRI may contain and an IRI may not (3987bis, 7.1).

    Args:
        text: a LEIRI.

    Returns:
        The IRI, which is valid if the LEIRI differed from an IRI only in its characters; not ``ok`` for a lone
        surrogate, U+FFFE or U+FFFF, which no LEIRI contains.

    """
    if alien := _NO_LEIRI.search(text):
        message = "no LEIRI holds this code point"
        problem = Violation("not-leiri", "reference", *alien.span(), "3987bis, 7.1", message)
        return Conversion(text, (), (problem,), ok=False)
    edits = [Edit(*found.span(), chars.quote(found[0])) for found in _LEIRI_ONLY.finditer(text)]
    return Conversion(apply(text, edits), tuple(edits), (), ok=True)
