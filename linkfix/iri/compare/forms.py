"""The comparison forms of identifiers, by the rules of their schemes (3987bis, 5.3.3).

Input: an absolute identifier without its fragment. Output: a pair of strings. Two identifiers with equal first
strings are equivalent by the rules of their scheme; two with different second strings are different; all others are
unknown. So a scheme with unknown rules, or a rule that only the server knows, never makes two identifiers different.
The rules of single schemes are in `scheme_rules`.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.normalization import NORMAL, UNRESERVED_OCTET, normal_form
from linkfix.iri.decode import RUN, percent_decode
from linkfix.iri.layout import SPECIAL
from linkfix.iri.reference import Reference, parse
from linkfix.iri.schemes import scheme_rules
from linkfix.iri.schemes.names import domain_form, host_form
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.ucd import folded
from linkfix.iri.unicode.uts46 import Profile
from linkfix.iri.url import URL, cleaned, parse_url


class Form(NamedTuple):
    """The comparison forms of an identifier.

    Attributes:
        same: equal for identifiers that are equivalent by the rules of their scheme.
        loose: differs for identifiers that are different; None if no identifier is known to differ from this one.
        reason: why nothing is known, or who could distinguish identifiers with the same `loose`.

    """

    same: str
    loose: str | None
    reason: str


#: Schemes that may name the same thing, so that identifiers of two of them may be equivalent.
_FAMILIES: Final = ({"cid", "mid"}, {"news", "nntp"}, {"sip", "tel"}, {"sips", "tel"})


def related(one: str, other: str) -> bool:
    """Return whether two schemes may name the same things, or the rules of one are unknown."""
    return one == other or any({one, other} <= family for family in _FAMILIES)


def aligned(text: str, component: str) -> str:
    """Write a component as a URI has it, with as little percent-encoding as RFC 3986, 6.2.2 allows."""
    text = _NOT_ALLOWED[component].sub(_quote, text)
    if "%" not in text:
        return text
    text = UNRESERVED_OCTET.sub(lambda octet: chr(int(octet[0][1:], 16)), text)
    return RUN.sub(lambda run: run[0].upper(), text)


_NOT_ALLOWED: Final = {
    name: pattern(rf"%(?![0-9A-Fa-f]{{2}})|[^%{allowed}]+")
    for name, allowed in chars.COMPONENT.items()
}


#: Octets that are no ASCII.
_BEYOND_ASCII: Final = pattern("(?:%[89A-Fa-f][0-9A-Fa-f])+")


def _characters(found: re.Match[str]) -> str:
    return percent_decode(found[0]).decode(errors="surrogateescape")


def _quote(found: re.Match[str]) -> str:
    return chars.quote(found[0])


@lru_cache(maxsize=1024)
def form_of(text: str, idna: Profile = "uts46") -> Form:
    """Return what an identifier is compared by on the rung of its scheme.

    Args:
        text: an absolute IRI without its fragment, as it was written.
        idna: the variant of ToASCII.

    """
    if NORMAL.fullmatch(text):
        return Form(text, text, "readers do not agree on the authority")
    text = cleaned(text)
    url = parse_url(text, idna=idna)
    if url is not None and url.scheme in SPECIAL:
        # A browser drops an empty user name and password, RFC 1738 (3.1) and the comparison draft (4.3) do not.
        userinfo = parse(text).userinfo
        user, colon, password = ("x" if userinfo is None else userinfo).partition(":")
        return _of_special(url, ("" if user else "@") + ("" if password else colon))
    reference = _quoted(parse(text))
    reference = parse(normal_form(str(reference), "syntax", to="uri", idna=idna))
    scheme = reference.scheme or ""
    if scheme in SPECIAL:
        if reference.host:
            reference = reference._replace(host=domain_form(reference.host, profile=idna))
        return Form(str(reference), None, f"no browser can parse {text!r}")
    rule = scheme_rules.RULES.get(scheme)
    if rule is not None:
        same, loose, reason = rule(reference, idna)
        if reference.host is not None or reference.path.startswith("/"):
            return Form(str(reference), None, f"the scheme {scheme!r} has no hierarchy")
        return Form(same, loose, reason)
    if scheme in HIERARCHICAL:
        known = _of_hierarchical(reference, idna)
        return Form(known, None, f"not all rules of the scheme {scheme!r} are known")
    return Form(str(reference), None, f"the rules of the scheme {scheme!r} are not known")


def _quoted(reference: Reference) -> Reference:
    """Percent-encode what a URI cannot contain, except in the host (3987bis, 3.6)."""

    def quoted(component: str, text: str | None) -> str | None:
        if text is None:
            return None
        return _NOT_ALLOWED[component].sub(_quote, text)

    return reference._replace(
        userinfo=quoted("userinfo", reference.userinfo),
        path=quoted("path", reference.path) or "",
        query=quoted("query", reference.query),
        fragment=quoted("fragment", reference.fragment),
    )


def _of_special(url: URL, at: str) -> Form:
    """Compare what browsers serialize, aligned by RFC 3986, 6.2.2 and 6.2.3.

    Args:
        url: with a special scheme.
        at: ``@`` and ``:`` where the text has an empty user name and an empty password.

    """
    path = aligned(url.pathname, "path")
    same = _text(url, at + (url.hostname or ""), path)
    host = _loose_host(url.hostname or "")
    if url.scheme == "file":
        loose = _text(url, "", folded(_BEYOND_ASCII.sub(_characters, path)))
        return Form(same, loose, "only the file system can tell them apart")
    if url.scheme == "ftp":
        path = re.sub(r";type=[a-z]\Z", "", path, flags=re.IGNORECASE | re.ASCII)
        loose = _text(url, host, path, with_user=url.username != "anonymous")
        return Form(same, loose, "only the server can tell them apart")
    loose = same if host == url.hostname and not at else _text(url, host, path)
    return Form(same, loose, "readers do not agree on the authority")


def _text(url: URL, host: str, path: str, *, with_user: bool = True) -> str:
    port = "" if url.port is None else f":{url.port}"
    user = ""
    if with_user and (url.username or url.password):
        password = f":{aligned(url.password, 'userinfo')}" if url.password else ""
        user = f"{aligned(url.username, 'userinfo')}{password}@"
    query = "" if url.query is None else f"?{aligned(url.query, 'query')}"
    return f"{url.scheme}://{user}{host}{port}{path}{query}"


def _loose_host(host: str) -> str:
    """Return a host as the most tolerant reader compares it: no last dot, IDNA2003."""
    host = host.removesuffix(".")
    if "xn--" not in host:
        return host
    try:
        return uts46.to_ascii(uts46.to_unicode(host), "2003")
    except uts46.IDNAError:
        return host


def _of_hierarchical(reference: Reference, idna: Profile) -> str:
    """Apply what is known of the host, default port and root of a scheme."""
    port, has_root = HIERARCHICAL[reference.scheme or ""]
    host = reference.host
    if host is None:
        return str(reference)
    host = host_form(host, profile=idna)
    own = reference.port
    if own is not None and own.lstrip("0") in {"", str(port)} and (not own or int(own)):
        own = None
    path = reference.path or ("/" if has_root else "")
    return str(reference._replace(host=host, port=own, path=path))
