"""What single schemes declare equivalent (3987bis, 5.3.3): comparison rules and normal forms, each by its own document.

Input of a rule: a reference in the normal form of the syntax as a URI, without a fragment. Output: a form that is
equal for equivalent identifiers; a form that differs only for different identifiers, or None if the document does not
decide; and who can decide the rest.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.host import FORBIDDEN_DOMAIN, HostError, convert_domain, ipv6_literal
from linkfix.iri.layout import SPECIAL
from linkfix.iri.octets import percent_decode
from linkfix.iri.reference import Reference
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.ucd import folded
from linkfix.iri.unicode.uts46 import Profile

#: The form that is equal, the form that differs for different identifiers only, and who decides the rest.
Rule: TypeAlias = "Callable[[Reference, Profile], tuple[str, str | None, str]]"

_PRINTABLE: Final = pattern(r"[^!-~]|[%#?/]")


def _decoded(text: str) -> str:
    """Return the octets of a text, printed so that equal octets are equal texts."""
    octets = percent_decode(text).decode("latin-1")
    return _PRINTABLE.sub(lambda found: f"%{ord(found[0]):02X}", octets)


def _loose(text: str) -> str:
    """Return the key of a text without regard to letter case and composition."""
    return folded(percent_decode(text).decode(errors="surrogateescape")).removesuffix(".")


def _mailto(reference: Reference, profile: Profile) -> tuple[str, str | None, str]:
    """Compare mail addresses and header fields (RFC 6068, 2).

    How often a field may stand, and whether an encoded comma separates addresses, RFC 6068 does not say.
    """
    reference = normal(reference, to_iri=False, profile=profile, browser=False)
    addresses = [each for each in reference.path.split(",") if each]
    loose = [f"to:{_loose(each)}" for each in addresses]
    fields = []
    for field in (reference.query or "").split("&"):
        name, equals, value = field.partition("=")
        each = [address for address in value.split(",") if address]
        if name in ADDRESSES:
            loose += [f"{name}:{_loose(a)}" for a in _decoded(value).split(",") if a]
        elif field:
            loose.append(_loose(field))
        if name == "to" and "%2c" not in value.lower():
            addresses += each
        elif name in ADDRESSES:
            fields.append(name + equals + ",".join(each))
        elif field:
            fields.append(field)
    path, query = ",".join(addresses), "&".join(fields)
    same = f"mailto:{path}?{query}" if query else f"mailto:{path}"
    return same, "mailto:" + " ".join(sorted(loose)), "only the mail server can tell"


def _tel(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare telephone numbers (RFC 3966, 4)."""
    number = telephone(reference)
    if number is None:
        return str(reference), None, "a telephone number holds no percent-encoding, slash or query"
    return str(number), str(number), ""


def _urn(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare URNs (RFC 8141, 3.1), and those of some namespaces by their own rules."""
    namespace, colon, name = urn(reference).path.partition(":")
    reason = f"the namespace {namespace!r} may have rules of its own"
    if not colon or reference.host is not None:
        return str(reference), None, "it is no URN"
    same = f"urn:{namespace}:{name}"
    if namespace in {"uuid", "oid", "ietf"}:  # RFC 9562, 4; RFC 3061; RFC 2648
        same = same.lower()
        return same, same, reason
    if namespace in {"isbn", "issn"}:  # RFC 3187, 3044 and their successors: hyphens do not count
        same = f"urn:{namespace}:{name.replace('-', '').upper()}"
        return same, same if namespace == "issn" else None, reason
    return same, None, reason


def _data(reference: Reference, profile: Profile) -> tuple[str, str | None, str]:
    """Compare data by its media type and octets (RFC 2397, 3)."""
    whole = str(normal(reference, to_iri=False, profile=profile, browser=False))
    head, comma, body = whole.removeprefix("data:").partition(",")
    if not comma:
        return whole, None, "it has no comma, so it is no data"
    octets = percent_decode(body)
    kind = percent_decode(head).decode("latin-1").lower()
    if kind.endswith(";base64"):
        import base64

        kind = kind.removesuffix(";base64")
        try:
            octets = base64.b64decode(re.sub(rb"[\t\n\f\r =]", b"", octets) + b"==")
        except ValueError:
            return whole, None, "its base64 cannot be decoded"
    media, *parameters = kind.replace(" ", "").replace('"', "").split(";")
    # The same characters may be the same octets in two charsets.
    named = sorted(each for each in parameters if not each.startswith("charset="))
    loose = f"data:{';'.join([media, *named])},{octets.hex()}"
    return whole, loose, "they hold the same octets, written in two ways"


def _javascript(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare scripts as they are run, percent-decoded (HTML Standard, 7.4.2.3.2)."""
    script = str(reference).partition(":")[2]
    return f"javascript:{_decoded(script)}", None, "two programs may do the same"


def _content(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare identifiers of messages and their parts (RFC 2392, 2): the octets count."""
    same = f"{reference.scheme}:" + "/".join(map(_decoded, reference.path.split("/")))
    return same, _loose(same), "only who made the identifier knows whether case counts"


def _news(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare news groups and articles (RFC 5538, 2)."""
    same = f"news:{_decoded(reference.path)}"
    return same, _loose(same), "only the server knows whether case counts"


_NUMBER: Final = r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?"
_PLACE: Final = pattern(
    rf"(?P<numbers>{_NUMBER},{_NUMBER}(?:,{_NUMBER})?)(?:;crs=(?P<system>[a-z0-9-]+))?"
    rf"(?:;u=(?P<u>{_NUMBER}))?(?P<rest>(?:;.*)?)",
    re.IGNORECASE | re.ASCII,
)


def _geo(reference: Reference, _: Profile) -> tuple[str, str | None, str]:
    """Compare places by their numbers (RFC 5870, 3.4.4); case in the values of unknown parameters may count."""
    found = _PLACE.fullmatch(percent_decode(reference.path).decode("latin-1"))
    if found is None or reference.query is not None:
        return str(reference), None, "it is no place"
    from decimal import Decimal

    numbers = [Decimal(number) for number in found["numbers"].split(",")]
    system = (found["system"] or "wgs84").lower()
    uncertainty = [Decimal(found["u"])] if found["u"] else []
    parted = [each.partition("=") for each in found["rest"].split(";") if each]
    named = [name.lower() + equals + value for name, equals, value in parted]
    if system == "wgs84":
        if abs(numbers[0]) == 90:
            numbers[1] = Decimal(0)  # at the poles the longitude says nothing
        elif numbers[1] == -180:
            numbers[1] = Decimal(180)
    written = ",".join(f"{number.normalize() + 0:f}" for number in numbers)
    sure = "".join(f";u={number.normalize() + 0:f}" for number in uncertainty)
    same = ";".join([f"geo:{written};crs={system}{sure}", *sorted(named)])
    is_known = system == "wgs84" and not named
    return same, same if is_known else None, "the parameters are not known"


def _xmpp(reference: Reference, profile: Profile) -> tuple[str, str | None, str]:
    """Compare addresses of XMPP (RFC 5122, 2.3 and 2.7.2; RFC 7622, 3)."""
    address, slash, resource = reference.path.partition("/")
    node, at, domain = address.rpartition("@")
    user = _decoded(node)
    is_plain = "%" not in user
    user = user.lower() if is_plain else user
    domain = host_form(domain.removesuffix("."), profile=profile)
    start = f"xmpp:{user}{at}{domain}"
    query = "" if reference.query is None else f"?{reference.query}"
    loose = start if is_plain and not query else None
    return f"{start}{slash}{resource}{query}", loose, "only the server can tell"


#: RFC 3261, 19.1.4: parameters that count even where only one of two has them.
_SIP_PARAMETERS: Final = frozenset({"user", "ttl", "method", "maddr", "transport"})


#: RFC 2396, 2.3: the marks that RFC 3986 reserves.
_MARKS: Final = pattern("%(?:21|27|28|29|2A)")


def _plain(text: str) -> str:
    return _MARKS.sub(chars.character, text)


def _sip_parts(
    reference: Reference, profile: Profile, *, loose: bool = False
) -> tuple[str, dict[str, str], list[str]]:
    """Return the address, the parameters and the header fields of an address of SIP.

    Args:
        reference: of SIP.
        profile: the variant of ToASCII.
        loose: leave out what RFC 3261 does not say to count: zeros in front of a port, the last dot of a host.

    """
    user, at, rest = reference.path.rpartition("@")
    host, *named = rest.split(";")
    host, colon, port = host.rpartition(":") if _PORT.search(host) else (host, "", "")
    host = host_form(_BRACKET.sub(chars.character, host).lower(), profile=profile)
    if loose:
        host, port = host.removesuffix("."), port.lstrip("0")
    parameters: dict[str, str] = {}
    for parameter in named:
        name, _, value = parameter.partition("=")
        parameters[_plain(name).lower()] = _plain(value).lower()
    headers = []
    for header in (reference.query or "").split("&") if reference.query else []:
        name, _, value = header.partition("=")
        headers.append(f"{_plain(name).lower()}={_plain(value)}")
    address = f"{reference.scheme}:{_plain(user)}{at}{host}{colon}{port}"
    return address, parameters, sorted(headers)


_PORT: Final = pattern(r":[0-9]*\Z")
#: The brackets of an IPv6 address, which the generic syntax does not have in a path.
_BRACKET: Final = pattern("%5[BbDd]")


def _sip(reference: Reference, profile: Profile) -> tuple[str, str | None, str]:
    """Return the address of SIP with its parameters in order; `sip_pair` compares two (RFC 3261, 19.1.4)."""
    same, loose = (
        f"{address}{''.join(f';{name}={value}' for name, value in sorted(parameters.items()))}"
        + (f"?{'&'.join(headers)}" if headers else "")
        for is_loose in (False, True)
        for address, parameters, headers in [_sip_parts(reference, profile, loose=is_loose)]
    )
    return same, loose, "RFC 3261 does not say whether they are the same"


def sip_pair(
    one: Reference, other: Reference, profile: Profile = "uts46", *, loose: bool = False
) -> bool:
    """Return whether two addresses of SIP are equivalent (RFC 3261, 19.1.4), which no form can express.

    A parameter that only one of the two has does not count, unless it is one of five.

    Args:
        one: an address.
        other: another one.
        profile: the variant of ToASCII.
        loose: count them as equivalent where RFC 3261 does not decide.

    """
    address, left, headers = _sip_parts(one, profile, loose=loose)
    address2, right, headers2 = _sip_parts(other, profile, loose=loose)
    common = left.keys() & right.keys()
    alone = left.keys() ^ right.keys()
    return (
        address == address2
        and headers == headers2
        and all(left[name] == right[name] for name in common)
        and alone.isdisjoint(_SIP_PARAMETERS)
    )


RULES: Final[dict[str, Rule]] = {
    "cid": _content,
    "data": _data,
    "geo": _geo,
    "javascript": _javascript,
    "mailto": _mailto,
    "mid": _content,
    "news": _news,
    "sip": _sip,
    "sips": _sip,
    "tag": lambda reference, _: (str(reference), str(reference), ""),  # RFC 4151, 2.4: strings
    "tel": _tel,
    "urn": _urn,
    "xmpp": _xmpp,
}


# --- What single schemes declare equivalent (3987bis, 5.3.3) ----------------------------------------

_BASE64: Final = pattern(";base64$", re.IGNORECASE | re.ASCII)


def normal(reference: Reference, *, to_iri: bool, profile: Profile, browser: bool) -> Reference:
    """Apply the scheme's own rules to a reference in the normal form of the syntax.

    Args:
        reference: with its scheme in lower case.
        to_iri: whether domain names become U-labels, A-labels otherwise.
        profile: the variant of ToASCII.
        browser: apply only the rules that browsers know.

    Returns:
        The normal form; without rules for the scheme, or an ASCII form of the domain, the reference is normalized as
        far as possible.

    """
    scheme = reference.scheme
    if scheme in SPECIAL:
        return _special(reference, to_iri=to_iri, profile=profile)
    if browser:
        return reference
    if scheme == "mailto":
        return _normal_mailto(reference, to_iri=to_iri, profile=profile)
    if scheme == "urn":
        return urn(reference)
    if scheme == "tel":
        return telephone(reference) or reference
    if scheme == "data":
        return _normal_data(reference)
    return reference


def domain_form(name: str, *, to_iri: bool = False, profile: Profile) -> str:
    """Write a domain name in one form; one without such a form, or that is none, as it is."""
    try:
        decoded = percent_decode(name).decode() if "%" in name else name
        domain = uts46.to_ascii(decoded, profile)
        if FORBIDDEN_DOMAIN.search(domain):
            return name
    except (uts46.IDNAError, UnicodeDecodeError):
        return name
    if not to_iri or "xn--" not in domain:
        return domain
    try:
        return convert_domain(domain, to_iri=True, ulabels=True, profile=profile)
    except HostError:
        return domain


def host_form(host: str, *, profile: Profile) -> str:
    """Write a host in one form: an IP-literal as RFC 5952, 4, has it, a domain name as `domain_form`."""
    if host.startswith("["):
        return ipv6_literal(host) or host
    return domain_form(host, profile=profile) if host else host


def _special(reference: Reference, *, to_iri: bool, profile: Profile) -> Reference:
    """Default port, empty path, host name (RFC 9110, 4.2.3; RFC 6455, 3; RFC 8089, 2)."""
    host = reference.host
    file = reference.scheme == "file"
    if host is None or (not file and not host):
        return reference  # no authority, or one that a browser reads as a path
    if file and reference.port is not None and host.isascii():
        return reference  # a drive letter, as in file://C:/x
    if not host.startswith("["):
        host = domain_form(host, to_iri=to_iri, profile=profile)
    if file and reference.port is not None:
        return reference._replace(host=host)
    if file and host == "localhost":
        host = ""
    port = other_port(reference.port, SPECIAL[reference.scheme or ""])
    return reference._replace(host=host, port=port, path=reference.path or "/")


def other_port(port: str | None, default: int | None) -> str | None:
    """Return a port unless it is empty, or the default (RFC 3986, 6.2.3)."""
    return None if not port or port.lstrip("0") == str(default) else port


#: Header fields that hold addresses (RFC 5322, 3.6).
ADDRESSES: Final = frozenset({"to", "cc", "bcc", "from", "reply-to", "sender"})


def _normal_mailto(reference: Reference, *, to_iri: bool, profile: Profile) -> Reference:
    """Domains of addresses and names of header fields have no case (RFC 6068, 2)."""

    def written(address: str) -> str:
        local, at, domain = address.rpartition("@")
        return local + at + domain_form(domain, to_iri=to_iri, profile=profile) if at else address

    def addresses(text: str) -> str:
        return ",".join(map(written, text.split(",")))

    fields = []
    for field in (reference.query or "").split("&"):
        name, equals, value = field.partition("=")
        name = name.lower()
        fields.append(name + equals + (addresses(value) if name in ADDRESSES else value))
    query = None if reference.query is None else "&".join(fields)
    return reference._replace(path=addresses(reference.path), query=query)


def urn(reference: Reference) -> Reference:
    """Write the namespace identifier, which has no case, in lower case (RFC 8141, 3.1)."""
    namespace, colon, name = reference.path.partition(":")
    return reference._replace(path=namespace.lower() + colon + name)


_SEPARATORS: Final = pattern(r"[-.()]")
_NO_NUMBER: Final = pattern("[^!-~]|[%/]")


def telephone(reference: Reference) -> Reference | None:
    """Write a telephone number without visual separators, case and order of parameters (RFC 3966, 4); None for none."""
    number, *parameters = reference.path.lower().split(";")
    written = []
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        if name == "ext" or (name == "phone-context" and value.startswith("+")):
            value = _SEPARATORS.sub("", value)
        written.append(name + equals + value)
    path = ";".join([_SEPARATORS.sub("", number), *sorted(written)])
    is_none = _NO_NUMBER.search(path) or reference.query is not None or reference.host is not None
    return None if is_none else reference._replace(path=path)


def _normal_data(reference: Reference) -> Reference:
    """Media types have no case and a default (RFC 2397, 2 and 3)."""
    head, comma, data = reference.path.partition(",")
    if not comma:
        return reference
    base64 = _BASE64.search(head)
    media = head[: base64.start()] if base64 else head
    kind, *parameters = media.split(";")
    named = [parameter.partition("=") for parameter in parameters]
    parts = [kind.lower(), *(name.lower() + equals + value for name, equals, value in named)]
    media = ";".join(parts)
    if media in {"", "text/plain"}:
        media = "text/plain;charset=US-ASCII"
    elif media.startswith(";"):
        media = f"text/plain{media}"
    return reference._replace(path=media + (";base64" if base64 else "") + comma + data)
