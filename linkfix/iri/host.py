"""Hosts: IP literals, registered names, and domains as browsers read them.

Input: a host as a string. Output: the string that replaces it, without offsets.
"""

import re
import struct
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.octets import decode_text, percent_decode
from linkfix.iri.unicode import ucd, uts46
from linkfix.iri.unicode.uts46 import Profile

#: URL Standard, 3.1: forbidden host code points, and those forbidden in a domain besides.
FORBIDDEN_HOST: Final = pattern(r"[\x00\t\n\r #/:<>?@\[\\\]^|]")
FORBIDDEN_DOMAIN: Final = pattern(r"[\x00-\x20\"#%/:<>?@\[\\\]^`{|}\x7f]")
_REG_NAME: Final = pattern(f"(?:[{chars.COMPONENT['host']}]|%[0-9A-Fa-f]{{2}})*")
#: ``ireg-name`` (3987bis, 2.2).
_IREG_NAME: Final = pattern(chars.one_of(chars.ICOMPONENT["host"]) + "*")
_PLAIN: Final = pattern(f"[{chars.COMPONENT['host']}]*")
_IPV_FUTURE: Final = pattern(rf"\[[vV][0-9A-Fa-f]+\.[{chars.COMPONENT['userinfo']}]+\]")
_NUMBER: Final = pattern(r"0[xX][0-9A-Fa-f]*|[0-9]+")
#: A number of at most 32 bits, zeros in front aside, or a little more: hexadecimal, octal or decimal.
_INTEGER: Final = pattern(r"0[xX]0*([0-9A-Fa-f]{0,8})|0+([0-7]{0,11})|([1-9][0-9]{0,9})")
_NOT_URI: Final = pattern(f"(%(?![0-9A-Fa-f]{{2}}))|[^%{chars.COMPONENT['host']}]+")


class HostError(ValueError):
    """A host that cannot be used.

    Attributes:
        rule: kebab-case identifier of the reason.

    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def ipv6_literal(host: str) -> str | None:
    """Parse and serialize an IPv6 address in brackets (URL Standard, 3.5; RFC 3986, 3.2.2); None for no address.

    The first longest run of zeros is left out (RFC 5952, 4).
    """
    if host[:1] + host[-1:] != "[]" or "%" in host:
        return None
    from ipaddress import AddressValueError, IPv6Address

    try:
        pieces = struct.unpack(">8H", IPv6Address(host[1:-1]).packed)
    except AddressValueError:
        return None
    text = ":".join(f"{piece:x}" for piece in pieces)
    runs: list[str] = re.findall(r"(?<![^:])0(?::0)+(?![^:])", text)
    if runs:
        text = re.sub(rf"(?:\A|:){max(runs, key=len)}(?:\Z|:)", "::", text, count=1)
    return f"[{text}]"


def is_ip_literal(host: str) -> bool:
    """Return whether ``host`` is an IP-literal, brackets included (RFC 3986, 3.2.2)."""
    return ipv6_literal(host) is not None or _IPV_FUTURE.fullmatch(host) is not None


def ipv4(domain: str) -> int | None:
    """Parse a domain that ends in a number as browsers do (URL Standard, 3.5).

    Returns:
        The 32-bit address, or None where the last label is not a number.

    Raises:
        HostError: ``ipv4-invalid`` for a domain that ends in a number and is no address.

    """
    labels = domain[:-1].split(".") if domain.endswith(".") else domain.split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return None
    invalid = HostError("ipv4-invalid", f"{domain!r} ends in a number and is no IPv4 address")
    if len(labels) > 4:
        raise invalid
    numbers = []
    for label in labels:
        found = _INTEGER.fullmatch(label)
        if found is None:
            raise invalid
        hexadecimal, octal, decimal = found.groups()
        numbers.append(int(hexadecimal or "0", 16) or int(octal or "0", 8) or int(decimal or "0"))
    *heads, tail = numbers
    if any(number > 255 for number in heads) or tail >= 256 ** (4 - len(heads)):
        raise invalid
    return sum(number << 8 * (3 - i) for i, number in enumerate(heads)) + tail


def convert_domain(host: str, *, to_iri: bool, ulabels: bool, profile: Profile) -> str:
    """Convert the host of a URL whose scheme has domain names (URL Standard, 3.5; 3987bis, 3.4).

    Args:
        host: an IP-literal with its brackets, or a domain in any spelling, not empty.
        to_iri: whether the result must be an ``ireg-name``, which contains no percent-encoding.
        ulabels: whether A-labels become U-labels for an IRI.
        profile: the variant of ToASCII.

    Returns:
        The new host; a valid host is unchanged.

    Raises:
        HostError: for a host that a browser rejects, or no URI can contain.

    """
    convert = _domain_before if len(host) <= _REMEMBERED else _domain
    return convert(host, to_iri, ulabels, profile)


def is_local(host: str, names: Collection[str]) -> bool:
    """Return whether a host is looked up elsewhere than in DNS, as the user says (weber, 5.2.2).

    Args:
        host: in any spelling.
        names: of such hosts in lower case, in Unicode; one that begins with ``.`` is the end of their names.

    """
    name = percent_decode(host).decode("utf-8", "replace").lower()
    return any(name == each or (each[:1] == "." and name.endswith(each)) for each in names)


def _ip_literal(host: str) -> str:
    if ipv6_literal(host) is None:
        raise HostError("ip-literal-invalid", f"{host!r} is no IPv6 address")
    return host


def _domain(host: str, to_iri: bool, ulabels: bool, profile: Profile) -> str:
    if host.startswith("["):
        return _ip_literal(host)
    decoded = percent_decode(host).decode("utf-8", "replace") if "%" in host else host
    try:
        domain = uts46.to_ascii(decoded, profile)
    except uts46.IDNAError as error:
        raise HostError("idna-invalid", f"the host has no ASCII form: {error}") from None
    if not domain:
        raise HostError("host-missing", "nothing is left of the host")
    if forbidden := FORBIDDEN_DOMAIN.search(domain):
        raise HostError("host-forbidden-character", f"a host cannot hold {forbidden[0]!r}")
    ipv4(domain)
    if not decoded.isascii() and _has_unassigned(uts46.to_unicode(domain, profile)):
        # Browsers refuse what their Unicode version does not have, and theirs may be older.
        raise HostError("host-unassigned", f"{host!r} has a character that may be unassigned")
    if not to_iri:
        return host if _PLAIN.fullmatch(host) else domain
    return _display(host, domain, profile, ulabels=ulabels)


#: ASCII beside that of DNS.
_ODD: Final = pattern("[^A-Za-z0-9._-]")
#: Documents repeat their hosts. One of DNS has at most 253 characters.
_REMEMBERED: Final = 256
_domain_before = lru_cache(maxsize=4096)(_domain)


def _display(host: str, domain: str, profile: Profile, *, ulabels: bool) -> str:
    """Write percent-encoded labels of ``host``, and A-labels if asked to, as U-labels."""
    written = _IREG_NAME.fullmatch(host) is not None
    kept = host if written else domain
    # Readers do not agree on odd characters beside characters beyond ASCII.
    if _ODD.search(domain) or (written and not (ulabels and "xn--" in host.lower())):
        return kept
    labels = [
        _ulabel(label, profile) if label[:4].lower() == "xn--" else label
        for label in (host if written else domain).split(".")
    ]
    shown = ".".join(labels)
    try:
        if uts46.to_ascii(shown, profile) == domain:
            return shown
    except uts46.IDNAError:
        pass  # the labels are valid one by one and not together: the Bidi rule
    return kept


def _ulabel(label: str, profile: Profile) -> str:
    try:
        ulabel = uts46.to_unicode(label, profile)
        if uts46.to_ascii(ulabel, profile) != label.lower():
            return label
    except uts46.IDNAError:
        return label
    readable = _IREG_NAME.fullmatch(ulabel) and not re.search(f"[{chars.NOT_DECODED}]", ulabel)
    readable = readable and not mapped_differently().search(ulabel)
    return ulabel if readable and not _has_unassigned(ulabel) else label


@cache
def mapped_differently() -> re.Pattern[str]:
    """Match the characters of hosts that readers with tables of different Unicode versions map differently."""
    from linkfix.iri.compare.disputed_data import CHARACTERS

    return re.compile(f"[{CHARACTERS}]")


def _has_unassigned(text: str) -> bool:
    """Return whether a text has a code point that is no character in linkfix's version of Unicode."""
    return any(ucd.category(char) == "Cn" for char in text)


def convert_opaque(host: str, *, to_iri: bool) -> str:
    """Convert the host of a URL whose scheme browsers do not know (URL Standard, 3.5).

    Args:
        host: an IP-literal with its brackets, or any name.
        to_iri: whether the result must be an ``ireg-name``, which contains no percent-encoding.

    Returns:
        The host, percent-encoded where a URI needs it, or decoded.

    Raises:
        HostError: for a host that a browser rejects, or the target syntax cannot contain.

    """
    if host.startswith("["):
        return _ip_literal(host)
    if forbidden := FORBIDDEN_HOST.search(host):
        raise HostError("host-forbidden-character", f"a host cannot hold {forbidden[0]!r}")
    if not to_iri:
        return _NOT_URI.sub(lambda found: "%25" if found[1] else chars.quote(found[0]), host)
    if _IREG_NAME.fullmatch(host):
        return host
    decoded = decode_text(host, "host")
    if not _IREG_NAME.fullmatch(decoded):
        raise HostError("host-percent-encoded", "an IRI cannot hold a percent-encoded host")
    return decoded


def convert_generic(host: str, *, to_iri: bool, profile: Profile) -> str:
    """Convert the host of an IRI whose scheme is not known to have domain names (3987bis, 3.4).

    Args:
        host: an IP-literal with its brackets, or a registered name.
        to_iri: whether the result must be an ``ireg-name``, which contains no percent-encoding.
        profile: the variant of ToASCII, for a name that is not ASCII.

    Returns:
        The host; a valid one is unchanged.

    Raises:
        HostError: for a host that the target syntax cannot contain.

    """
    if is_ip_literal(host):
        return host
    decoded = decode_text(host, "host") if "%" in host else host
    valid = not to_iri and _REG_NAME.fullmatch(host)
    if valid and (decoded.isascii() or not _IREG_NAME.fullmatch(decoded)):
        return host
    if not _IREG_NAME.fullmatch(decoded):
        raise HostError("host-invalid", f"a URI or IRI cannot hold the host {host!r}")
    if to_iri and (decoded == host or decoded.isascii()):
        return decoded
    try:
        domain = uts46.to_ascii(decoded, profile)
    except uts46.IDNAError as error:
        if valid:
            return host
        raise HostError("idna-invalid", f"the host has no ASCII form: {error}") from None
    if to_iri:
        return decoded
    if not _REG_NAME.fullmatch(domain):
        raise HostError("host-invalid", f"a URI cannot hold the host {domain!r}")
    return domain


# --- Registrable domains ----------------------------------------------------------------------------
# By a public suffix list (URL Standard, 3.2; https://publicsuffix.org/list/). Input: a domain of A-labels, and the
# lines of a list. Output: the public suffix with one more label. The list changes from week to week, so none is part of
# linkfix: the user gives one, or a package with one is installed.

#: The file of each package with a list; the one with newer lists first.
PACKAGES: Final = {"tldextract": ".tld_set_snapshot", "publicsuffix2": "public_suffix_list.dat"}


def registrable(domain: str, lines: Iterable[str] | None) -> str | None:
    """Return the registrable domain of a domain; None for a public suffix.

    Args:
        domain: of A-labels, in lower case.
        lines: of a public suffix list; None for that of an installed package.

    Raises:
        ModuleNotFoundError: for None where no package is installed.

    """
    rules = _installed() if lines is None else _rules(lines)
    labels = domain.removesuffix(".").split(".")
    start = len(labels) - 1  # without a rule the last label is the suffix
    for i in range(len(labels)):
        name, above = ".".join(labels[i:]), ".".join(labels[i + 1 :])
        if f"!{name}" in rules:
            start = i + 1
            break
        if name in rules or f"*.{above}" in rules:
            start = i
            break
    return ".".join(labels[start - 1 :]) if start else None


def _rules(lines: Iterable[str]) -> frozenset[str]:
    """Return the rules of a list, in A-labels."""
    rules = set()
    for line in lines:
        rule = line.strip().split(" ")[0]
        if rule and not rule.startswith("//"):
            name = rule.lstrip("!*.")
            rules.add(rule.removesuffix(name) + uts46.to_ascii(name))
    return frozenset(rules)


@cache
def _installed() -> frozenset[str]:
    """Return the rules of the list in a package."""
    from importlib import resources, util

    for package, name in PACKAGES.items():
        if util.find_spec(package):
            text = resources.files(package).joinpath(name).read_text("utf-8")
            return _rules(text.splitlines())
    raise ModuleNotFoundError(
        "a public suffix list is needed: give its lines, or install publicsuffix2 or tldextract"
    )
