"""What a reader takes a reference for: where every normal form and comparison starts.

Input: a reference as it was written. Output: the IRI reference in which RFC 3986 sees what the reader sees, and why other
readers may see something else. A text that a reader refuses has no such reference.
"""

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.classes_data import DEPARTING
from linkfix.iri.compare.disputed import disputes
from linkfix.iri.compare.normalization import NORMAL, Level, normal_form
from linkfix.iri.conversion import web_address_to_iri
from linkfix.iri.grammar import violations
from linkfix.iri.layout import SPECIAL
from linkfix.iri.model import IDNA, TO, need, need_text
from linkfix.iri.quick import ORIGIN, canonical
from linkfix.iri.reference import parse
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.schemes.scheme_rules import domain_form
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
_REFUSED: Final = Reading(None)
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
        return _REFUSED
    if _PLAIN.fullmatch(text):
        is_iri = canonical("iri")(text) is not None
        return Reading(text if is_iri else web_address_to_iri(text, base=_NO_BASE).text)
    if base is None and canonical("uri")(text) and not _BARE_HEX.match(text):
        return Reading(text)
    url = parse_url(text, base, idna=idna)
    if url is None and base is not None:
        return _REFUSED
    base = None if url is None else base or _NO_BASE
    web = web_address_to_iri(text, base=base)
    reference = parse(web.text)
    if not web.ok or (url is None and reference.scheme is not None):
        return _REFUSED
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
