"""What single schemes declare equivalent (3987bis, 5.3.3), each from its own specification."""

import re
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri.decode import percent_decode
from linkfix.iri.host import FORBIDDEN_DOMAIN, HostError, convert_domain, ipv6
from linkfix.iri.layout import SPECIAL
from linkfix.iri.reference import Reference
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.uts46 import Profile
from linkfix.iri.url import ipv6_text

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
        return _mailto(reference, to_iri=to_iri, profile=profile)
    if scheme == "urn":
        return urn(reference)
    if scheme == "tel":
        return telephone(reference) or reference
    if scheme == "data":
        return _data(reference)
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
        pieces = ipv6(host[1:-1]) if host.endswith("]") else None
        return host if pieces is None else f"[{ipv6_text(pieces)}]"
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
    port = reference.port
    if port is not None:
        number = port.lstrip("0")
        if not port or number == str(SPECIAL[reference.scheme or ""]):
            port = None
    return reference._replace(host=host, port=port, path=reference.path or "/")


#: Header fields that hold addresses (RFC 5322, 3.6).
ADDRESSES: Final = frozenset({"to", "cc", "bcc", "from", "reply-to", "sender"})


def _mailto(reference: Reference, *, to_iri: bool, profile: Profile) -> Reference:
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


def _data(reference: Reference) -> Reference:
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
