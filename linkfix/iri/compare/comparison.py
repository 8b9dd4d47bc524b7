"""What a reference is to its readers, its normal form, and the comparison ladder (3987bis, 5; draft-ietf-iri-comparison, 4).

Input: references as written. A reader takes each for an IRI reference in which RFC 3986 sees what the reader sees (`Reading`);
every normal form and comparison starts from it. The outcome of a comparison has three values: `different` needs a rule that
distinguishes them. The rules of schemes are in `normalization`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.classes_data import DEPARTING
from linkfix.iri.compare.disputed import disputes
from linkfix.iri.compare.normalization import NORMAL, Level, aligned, form_of, normal_form, related
from linkfix.iri.conversion import web_address_to_iri
from linkfix.iri.grammar import violations
from linkfix.iri.layout import SPECIAL
from linkfix.iri.model import IDNA, TO, need, need_text
from linkfix.iri.octets import percent_decode
from linkfix.iri.quick import ORIGIN, canonical
from linkfix.iri.reference import parse
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.schemes.scheme_rules import domain_form, sip_pair
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.uts46 import Profile
from linkfix.iri.url import cleaned, parse_url

#: Who reads a reference: a browser, or RFC 3986 and 3987bis by the letter.
Reader: TypeAlias = Literal["chromium", "firefox", "webkit", "rfc"]

BROWSERS: Final = ("chromium", "firefox", "webkit")


class Reading(NamedTuple):
    """A reference as readers see it.

    Attributes:
        iri: the reference, without what is stripped and with the delimiters of RFC 3986; None where a reader refuses it.
        doubt: why readers do not see the same; "" where they do.
        in_fragment: whether `doubt` is about nothing but the fragment.

    """

    iri: str | None
    doubt: str = ""
    in_fragment: bool = False


#: Nothing is relative to it.
_NO_BASE: Final = "about:blank"
#: What may be a label without digits, which Firefox refuses.
_BARE_HEX: Final = pattern("(?:[^/?#]*//)?[^/?#]*0[xX]")
#: A start that all browsers read alike, and an end of which none strips anything.
_PLAIN: Final = pattern(rf"(?s)(?!{_BARE_HEX.pattern}){ORIGIN}[/?#](?:.*[^\0-\x20])?+")
_NO_READING: Final = Reading(None)
_ALABEL: Final = (
    "Firefox and WebKit refuse a host with this A-label, Chromium and the URL Standard do not"
)
_SLASH: Final = "WebKit refuses a scheme with nothing but a slash, Chromium, Firefox and the URL Standard resolve it"
_DRIVES: Final = "Firefox does not go above a drive letter of any scheme, Chromium, WebKit and the URL Standard do"
_SLASH_ALONE: Final = pattern(r"[A-Za-z]+:[/\\]")
_DRIVE: Final = pattern("/[A-Za-z]:/")
_UP: Final = pattern(r"(?:[^?#]*[/\\])?(?:\.|%2[Ee]){2}(?:[/\\?#]|\Z)")
_QUOTE: Final = (
    "Firefox refuses a quotation mark in a host, Chromium, WebKit and the URL Standard do not"
)


@lru_cache(maxsize=1024)
def read(
    text: str, reader: Reader | None = None, *, base: str | None = None, idna: Profile = "uts46"
) -> Reading:
    """Read a reference.

    Args:
        text: any string.
        reader: who reads it; None for all browsers.
        base: what a relative reference is relative to, for the disputes about it.
        idna: the variant of ToASCII.

    """
    if NORMAL.fullmatch(text) or (reader == "rfc" and not violations(text)):
        return Reading(text)
    if reader == "rfc":
        return _NO_READING
    if _PLAIN.fullmatch(text):
        is_iri = canonical("iri")(text) is not None
        return Reading(text if is_iri else web_address_to_iri(text, base=_NO_BASE).text)
    if base is None and canonical("uri")(text) and not _BARE_HEX.match(text):
        return Reading(text)
    url = parse_url(text, base, idna=idna)
    if url is None and base is not None:
        return _NO_READING
    base = None if url is None else base or _NO_BASE
    web = web_address_to_iri(text, base=base)
    reference = parse(web.text)
    if not web.ok or (url is None and reference.scheme is not None):
        return _NO_READING
    readers = frozenset(BROWSERS if reader is None else (reader,))
    # No browser follows these schemes, whose hosts are domain names.
    ignored = {"opaque-host-disputed"} if (reference.scheme or "").lower() in HIERARCHICAL else ()
    doubts = [
        dispute
        for dispute in disputes(text, base=base)
        if readers & DEPARTING[dispute.rule] and dispute.rule not in ignored
    ]
    if doubts:
        in_fragment = all(dispute.component == "fragment" for dispute in doubts)
        return Reading(web.text, doubts[0].message, in_fragment)
    if base is not None and base != _NO_BASE:
        written = cleaned(text)
        if "webkit" in readers and _SLASH_ALONE.fullmatch(written):
            return Reading(web.text, _SLASH)
        if "firefox" in readers and _DRIVE.search(base) and _UP.match(written):
            return Reading(web.text, _DRIVES)
    # Browsers look up no host of another scheme.
    host = url.hostname if url is not None and url.scheme in SPECIAL else ""
    return Reading(web.text, _doubt_of_host(host or "", readers))


def _doubt_of_host(host: str, readers: frozenset[str]) -> str:
    """Return which of some readers refuse a host that the URL Standard takes."""
    if '"' in host and "firefox" in readers:
        return _QUOTE
    if "xn--" in host and readers & {"firefox", "webkit"}:
        try:
            uts46.to_unicode(host)
        except uts46.IDNAError:
            return _ALABEL
    return ""


def normalize(
    text: str,
    level: Level = "syntax",
    *,
    to: Literal["uri", "iri"] = "iri",
    idna: Profile = "uts46",
) -> str:
    """Normalize a reference by a rung of the ladder.

    ``syntax`` (3987bis, 5.3.2): scheme and ASCII host in lower case, percent-encoding decoded as
    far as 3.7 allows and in upper-case digits otherwise, dot segments removed.  ``scheme`` (5.3.3): the equivalences
    of the scheme's own specification too.  Characters are never normalized (5.3.2.2).

    Args:
        text: a reference, as it was written.
        level: the rung.
        to: whether the normal form has decoded characters (``iri``) or none (``uri``).
        idna: the variant of ToASCII.

    Returns:
        The normal form of what browsers read (`read`). What they do not agree on, or refuse, is its own normal form.

    """
    need(("syntax", "scheme"), level=level)
    need(TO, to=to)
    need(IDNA, idna=idna)
    need_text(text=text)
    reading = read(text, idna=idna)
    if reading.iri is None or reading.doubt:
        return text
    form = normal_form(reading.iri, level, to=to, idna=idna)
    if to == "iri" or form.isascii():
        return form
    reference = parse(form)
    host = domain_form(reference.host or "", profile=idna)
    return str(reference._replace(host=host if host.isascii() else chars.quote(host)))


# --- The ladder -------------------------------------------------------------------------------------

Rung: TypeAlias = Literal["simple", "syntax", "url", "scheme", "protocol"]
_RUNGS: Final = get_args(Rung)
Outcome: TypeAlias = Literal["equivalent", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of a comparison.

    Attributes:
        outcome: ``equivalent``, ``different`` or ``unknown``.
        rung: the rung of the ladder that decided.
        reason: why, in plain English.
        resource: the outcome without the fragments (3987bis, 5.1).
        fragment: the outcome for the fragments alone; ``equivalent`` if both are absent.

    """

    outcome: Outcome
    rung: Rung
    reason: str
    resource: Outcome
    fragment: Outcome

    def __bool__(self) -> bool:
        """Raise `TypeError`: the outcome has three values.

        Raises:
            TypeError: always; ask for `outcome`.

        """
        raise TypeError("a comparison has three outcomes: compare .outcome with 'equivalent'")


def equivalent(
    one: str,
    other: str,
    *,
    level: Rung = "scheme",
    base: str | None = None,
    redirects: Mapping[str, str] | None = None,
    fragments: bool = True,
    idna: Profile = "uts46",
    reader: Reader | None = None,
) -> Comparison:
    """Compare two IRIs, climbing the ladder up to a rung.

    Args:
        one: an IRI as it was written.
        other: the IRI to compare it with.
        level: the highest rung to climb; ``url`` compares what the URL Standard serializes, for its special
            schemes, and nothing else.
        base: the base URL of relative references, resolved as browsers do; None for none.
        redirects: for ``protocol``, from IRI to IRI, as observed from the server.
        fragments: whether fragments count (3987bis, 5.1).
        idna: the variant of ToASCII.
        reader: whose reading counts: ``chromium``, ``firefox``, ``webkit``, or ``rfc`` for RFC 3986 and 3987bis by the
            letter; None if all browsers must agree.

    Returns:
        ``equivalent`` with the rung that showed it; ``different`` if the rules of the scheme distinguish the two,
        and on
        ``simple`` for other characters; otherwise ``unknown``: relative references without a base (comparison
        draft, 2), references that a reader refuses, schemes with unknown rules, references that readers do not agree on
        (`disputes`), and differences that only the server can judge.

    """
    need(_RUNGS, level=level)
    need(IDNA, idna=idna)
    need_text(one=one, other=other)
    texts = one, other
    bases = [None if base is None or _ABSOLUTE.match(text) else base for text in texts]
    readings = [
        read(text, reader, base=base, idna=idna) for text, base in zip(texts, bases, strict=True)
    ]
    doubts = [reading for reading in readings if reading.doubt and one != other]
    if any(bases):
        if one != other and any(reading.iri is None for reading in readings):
            return _unknown(level)
        one, other = (_absolute(text, base) for text, base in zip(texts, bases, strict=True))
        readings = [read(text, reader, idna=idna) for text in (one, other)]
    found = _compared(one, other, readings, level, redirects or {}, fragments, idna)
    if doubts and level != "simple":
        in_fragment = all(doubt.in_fragment for doubt in doubts)
        resource = found.resource if in_fragment else "unknown"
        outcome: Outcome = resource if in_fragment and not fragments else "unknown"
        fragment = "unknown" if in_fragment else found.fragment
        return Comparison(outcome, level, doubts[0].doubt, resource, fragment)
    return found


def _compared(
    one: str,
    other: str,
    readings: Sequence[Reading],
    level: Rung,
    redirects: Mapping[str, str],
    fragments: bool,
    idna: Profile,
) -> Comparison:
    """Compare absolute references, or relative ones without a base, on which readers agree."""
    is_read_alike = False
    if level != "simple" and one != other:
        left_iri, right_iri = readings[0].iri, readings[1].iri
        if left_iri is None or right_iri is None:
            return _unknown(level)
        if level == "url":
            return _urls(one, other, fragments=fragments, idna=idna)
        is_read_alike = left_iri == right_iri
        one, other = left_iri, right_iri
    (left, left_end), (right, right_end) = (_parted(text) for text in (one, other))
    fragment = _fragments(left_end, right_end)
    outcome, rung, reason = _resources(left, right, level, redirects, idna)
    whole = outcome
    if outcome == "equivalent" and fragments and left_end != right_end:
        if level == "simple":
            whole, reason = "different", _OTHER
        elif _is_urn(left) and level != "syntax":
            rung, reason = "scheme", "what follows the name takes no part (RFC 8141, 3.2)"
        elif fragment != "equivalent":
            whole, reason = fragment, "the fragments are not the same"
        elif rung == "simple":
            rung, reason = "syntax", _ALIKE
    if is_read_alike:
        rung, reason = "syntax", _ALIKE
    return Comparison(whole, rung, reason, outcome, fragment)


def _unknown(level: Rung) -> Comparison:
    rung: Rung = level if level in {"syntax", "url"} else "scheme"
    return Comparison("unknown", rung, _REFUSED, "unknown", "unknown")


_ALIKE: Final = "the normal forms of the syntax are the same"
_SAME: Final = "the characters are the same"
_OTHER: Final = "the characters are not the same"
_REFUSED: Final = "a reader refuses one of them"
_Found: TypeAlias = tuple[Outcome, Rung, str]


#: What is relative to no base.
_ABSOLUTE: Final = pattern(chars.SCHEME.pattern + "//")


def _absolute(text: str, base: str | None) -> str:
    url = None if base is None else parse_url(text, base)
    return text if url is None or url == parse_url(text) else url.href


def _is_urn(text: str) -> bool:
    return text[:4].lower() == "urn:"


def _parted(text: str) -> tuple[str, str | None]:
    resource, hash_, fragment = text.partition("#")
    return resource, fragment if hash_ else None


def _fragments(one: str | None, other: str | None) -> Outcome:
    """Compare fragments; how one is read is the matter of the media type (RFC 3986, 3.5)."""
    if one is None or other is None:
        return "equivalent" if one is other else "different"
    one, other = (aligned(text, "fragment") for text in (one, other))
    if one == other:
        return "equivalent"
    return "unknown" if percent_decode(one) == percent_decode(other) else "different"


def _resources(
    one: str, other: str, level: Rung, redirects: Mapping[str, str], idna: Profile
) -> _Found:
    """Compare two IRIs without their fragments."""
    if one == other:
        return "equivalent", "simple", _SAME
    if level == "simple":
        return "different", "simple", _OTHER
    are_absolute = chars.SCHEME.match(one) and chars.SCHEME.match(other)
    if are_absolute and level == "scheme":
        found = _by_scheme(one, other, idna)
        if found[0] == "different":
            return found
    left, right = (normal_form(text, "syntax", to="uri", idna=idna) for text in (one, other))
    if left == right:
        return "equivalent", "syntax", _ALIKE
    if not are_absolute:
        return "unknown", "syntax", "a relative reference has to be resolved first"
    found = _by_scheme(one, other, idna)
    if level == "syntax":
        if found[0] == "different":
            return "different", "syntax", "the normal forms of the syntax differ"
        return "unknown", "syntax", "the syntax alone cannot tell"
    if level == "protocol" and found[0] != "equivalent":
        return _protocol(one, other, redirects, idna)
    return found


def _urls(one: str, other: str, *, fragments: bool, idna: Profile) -> Comparison:
    """Compare what browsers serialize (URL Standard, 4.6)."""
    left, right = (parse_url(text, idna=idna) for text in (one, other))
    if left is None or right is None:
        reason = "no browser can parse one of them without a base"
        return Comparison("unknown", "url", reason, "unknown", "unknown")
    is_known = left.scheme in SPECIAL and right.scheme in SPECIAL
    differs: Outcome = "different" if is_known else "unknown"
    resource = "equivalent" if left.without_fragment == right.without_fragment else differs
    fragment: Outcome = "equivalent" if left.fragment == right.fragment else "different"
    if resource == "equivalent" and (not fragments or fragment == "equivalent"):
        return Comparison("equivalent", "url", "browsers serialize them alike", resource, fragment)
    reason = "the URL Standard does not know one of the schemes"
    reason = "browsers serialize them differently" if is_known else reason
    return Comparison(differs, "url", reason, resource, fragment)


def _by_scheme(one: str, other: str, idna: Profile) -> _Found:
    """Compare by the rules of the schemes (3987bis, 5.3.3)."""
    left, right = form_of(one, idna), form_of(other, idna)
    if left.same == right.same:
        return "equivalent", "scheme", "the scheme's rules make them the same"
    for form in (left, right):
        if form.loose is None:
            return "unknown", "scheme", form.reason
    here, there = (form.same.partition(":")[0] for form in (left, right))
    is_loosely = left.loose == right.loose
    if here == there and here in {"sip", "sips"}:
        first, second = parse(left.same), parse(right.same)
        if sip_pair(first, second, idna):
            return "equivalent", "scheme", "the scheme's rules make them the same"
        is_loosely = is_loosely or sip_pair(first, second, idna, loose=True)
    if is_loosely:
        return "unknown", "scheme", left.reason
    if here != there and related(here, there):
        return "unknown", "scheme", "both schemes may name the same thing"
    return "different", "scheme", "the scheme's rules do not make them the same"


def comparison_form(text: str, level: Rung = "scheme", *, idna: Profile = "uts46") -> str:
    """Return the form that is equal for equivalent IRIs, and for no others, as a key for look-ups.

    Parameters that only one of two ``sip`` addresses has are the exception: no form can leave them out.

    Args:
        text: an absolute IRI.
        level: the highest rung that counts; ``protocol``, which only the server can judge, counts as ``scheme``.
        idna: the variant of ToASCII.

    Returns:
        A URI; the text itself for ``simple``, and for what browsers refuse or do not agree on.

    """
    need(_RUNGS, level=level)
    need(IDNA, idna=idna)
    if level == "simple":
        return text
    reading = read(text, idna=idna)
    if reading.iri is None or reading.doubt:
        return text
    if level == "url":
        url = parse_url(text, idna=idna)
        return text if url is None else url.href
    resource, fragment = _parted(reading.iri)
    if level == "syntax":
        form = normal_form(resource, "syntax", to="uri", idna=idna)
    else:
        form = form_of(resource, idna).same
        fragment = None if _is_urn(form) else fragment
    return form if fragment is None else f"{form}#{aligned(fragment, 'fragment')}"


def _protocol(one: str, other: str, redirects: Mapping[str, str], idna: Profile) -> _Found:
    """Follow the redirects that were observed (3987bis, 5.3.4)."""
    table = {
        comparison_form(source, idna=idna): comparison_form(target, idna=idna)
        for source, target in redirects.items()
    }
    left, right = (followed(comparison_form(text, idna=idna), table) for text in (one, other))
    if left == right:
        return "equivalent", "protocol", "observed redirects lead to the same IRI"
    return "unknown", "protocol", "no redirect between them has been observed"


def followed(form: str, redirects: Mapping[str, str]) -> str:
    """Follow redirects between comparison forms to the end, or once around a circle."""
    seen = set[str]()
    while form not in seen and (target := redirects.get(form)) is not None:
        seen.add(form)
        form = target
    return form
