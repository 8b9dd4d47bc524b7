"""The comparison ladder (3987bis, 5; draft-ietf-iri-comparison, 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from linkfix.iri import schemes, uts46
from linkfix.iri.layout import SPECIAL
from linkfix.iri.normalization import normalize
from linkfix.iri.reference import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linkfix.iri.uts46 import Profile

__all__ = ["Comparison", "Rung", "comparison_form", "equivalent"]

Rung: TypeAlias = Literal["simple", "syntax", "scheme", "protocol"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of a comparison.

    Attributes:
        outcome: ``equivalent``, ``different``, or ``unknown`` where it cannot be told.
        rung: the rung of the ladder that decided.
        reason: why, in plain English.

    """

    outcome: Literal["equivalent", "different", "unknown"]
    rung: Rung
    reason: str


def equivalent(
    one: str,
    other: str,
    *,
    level: Rung = "scheme",
    redirects: Mapping[str, str] | None = None,
    fragments: bool = True,
    idna: Profile = "uts46",
) -> Comparison:
    """Compare two IRIs, climbing the ladder up to a rung.

    Args:
        one: an IRI as it was written.
        other: the IRI to compare it with.
        level: the highest rung to climb.
        redirects: for ``protocol``, from IRI to IRI, as observed from the server.
        fragments: whether fragments count (3987bis, 5.1).
        idna: the variant of ToASCII.

    Returns:
        ``equivalent`` with the rung that showed it; ``different`` where every rung up to
        ``level`` tells the two apart; ``unknown`` where a rung cannot be applied: relative
        references (comparison draft, 2), domains without an ASCII form, schemes whose rules are
        not known, and what only the server knows.

    """
    if not fragments:
        one, other = (str(parse(text)._replace(fragment=None)) for text in (one, other))
    if one == other:
        return Comparison("equivalent", "simple", "the characters are the same")
    if level == "simple":
        return Comparison("different", "simple", "the characters are not the same")
    left, right = (normalize(text, "syntax", to="uri", idna=idna) for text in (one, other))
    if left == right:
        return Comparison("equivalent", "syntax", "the normal forms of the syntax are the same")
    if parse(one).scheme is None or parse(other).scheme is None:
        return Comparison("unknown", "syntax", "a relative reference has to be resolved first")
    if level == "syntax":
        return Comparison("different", "syntax", "the normal forms of the syntax differ")
    left, right = (_scheme_form(text, idna) for text in (one, other))
    if left == right:
        return Comparison("equivalent", "scheme", "the scheme's rules make them the same")
    if level == "protocol":
        return _protocol(left, right, redirects or {}, idna)
    for text in (left, right):
        reference = parse(text)
        if reference.scheme not in schemes.KNOWN:
            reason = f"the rules of the scheme {reference.scheme!r} are not known"
            return Comparison("unknown", "scheme", reason)
        if reference.scheme in SPECIAL and reference.host and not reference.host.startswith("["):
            try:
                uts46.to_ascii(reference.host, idna)
            except uts46.IDNAError as error:
                return Comparison("unknown", "scheme", f"a domain has no ASCII form: {error}")
    return Comparison("different", "scheme", "the scheme's rules do not make them the same")


def comparison_form(text: str, level: Rung = "scheme", *, idna: Profile = "uts46") -> str:
    """Give the form that is the same for equivalent IRIs, to look them up by.

    Args:
        text: an absolute IRI.
        level: the highest rung that counts; on ``protocol``, where only the server can tell, that
            of ``scheme``.
        idna: the variant of ToASCII.

    Returns:
        A URI, or for ``simple`` the text itself.

    """
    if level == "simple":
        return text
    return (
        normalize(text, "syntax", to="uri", idna=idna)
        if level == "syntax"
        else _scheme_form(text, idna)
    )


def _scheme_form(text: str, idna: Profile) -> str:
    form = normalize(text, "scheme", to="uri", idna=idna)
    if form.startswith("urn:"):
        # What follows the name takes no part in the comparison (RFC 8141, 3.2).
        return str(parse(form)._replace(query=None, fragment=None))
    return form


def _protocol(left: str, right: str, redirects: Mapping[str, str], idna: Profile) -> Comparison:
    """Follow the redirects that were observed (3987bis, 5.3.4)."""
    table = {
        _scheme_form(source, idna): _scheme_form(target, idna)
        for source, target in redirects.items()
    }

    def follow(text: str) -> str:
        seen = {text}
        while (target := table.get(text)) is not None and target not in seen:
            text = target
            seen.add(text)
        return text

    if follow(left) == follow(right):
        return Comparison("equivalent", "protocol", "observed redirects lead to the same IRI")
    return Comparison("unknown", "protocol", "no redirect between them has been observed")
