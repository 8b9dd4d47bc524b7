"""The rungs of the ladder that are normal forms: syntax and scheme (3987bis, 5.3.2 and 5.3.3)."""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.components import NOT_DECODED
from linkfix.iri.decode import RUN, decode_text
from linkfix.iri.edits import difference
from linkfix.iri.host import is_local
from linkfix.iri.layout import SPECIAL
from linkfix.iri.model import Edit
from linkfix.iri.reference import Reference, parse
from linkfix.iri.resolution import remove_dot_segments
from linkfix.iri.schemes import names as schemes
from linkfix.iri.unicode.uts46 import Profile

Level: TypeAlias = Literal["syntax", "scheme"]

#: What is unreserved (RFC 3986, 2.3), percent-encoded.
UNRESERVED_OCTET: Final = pattern(
    "%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])"
)
_NOT_ASCII: Final = pattern("[^\x00-\x7f]+")
_STRAY: Final = pattern("%(?![0-9A-Fa-f]{2})")
_DRIVE: Final = pattern("/[A-Za-z][:|](?:/|$)")
_PLAIN: Final = r"A-Za-z0-9\-._~!$&()*+,;=:@/"
#: The usual URLs, which are their own normal form on every rung, and mean the same to all readers.
NORMAL: Final = pattern(
    r"https?://(?:(?!xn--|0x\.)[a-z0-9][a-z0-9-]*+\.)*+(?!xn--)[a-z][a-z0-9-]*+(?=/)"
    rf"(?:(?!/\.)[{_PLAIN}])*+(?:\?[{_PLAIN}?]*+)?+(?:#[{_PLAIN}?]*+)?+"
)


def normal_form(
    text: str, level: Level, *, to: Literal["uri", "iri"], idna: Profile = "uts46"
) -> str:
    """Return the normal form of a reference that is read as RFC 3986 reads it (`linkfix.iri.normalize`)."""
    if NORMAL.fullmatch(text):
        return text
    return str(_normal(parse(text), level, to=to, profile=idna, browser=False, fold=True))


def normalization_edits(
    text: str,
    level: Level,
    *,
    to: Literal["uri", "iri"],
    profile: Profile,
    browser: bool,
    base_scheme: str = "http",
    decode_query: bool = True,
    local_names: Collection[str] = (),
) -> list[Edit]:
    """Return the edits from a valid reference to its normal form.

    Args:
        text: a valid reference.
        level: the rung.
        to: the syntax of the normal form.
        profile: the variant of ToASCII.
        browser: apply only equivalences of browsers.
        base_scheme: the scheme of the base of a relative reference.
        decode_query: whether octets above 0x7F are decoded in the query of an IRI.
        local_names: hosts that stay in Unicode (`is_local`).

    """
    old = parse(text)
    fold = not browser or (old.scheme or base_scheme).lower() in SPECIAL
    new = _normal(
        old,
        level,
        to=to,
        profile=profile,
        browser=browser,
        fold=fold,
        decode_query=decode_query,
        local_names=local_names,
    )
    edits: list[Edit] = []
    position = 0
    for before, after in zip(old.parts(), new.parts(), strict=True):
        edits += difference(before, after, position)
        position += len(before)
    return edits


def _normal(
    old: Reference,
    level: Level,
    *,
    to: Literal["uri", "iri"],
    profile: Profile,
    browser: bool,
    fold: bool,
    decode_query: bool = True,
    local_names: Collection[str] = (),
) -> Reference:
    """Apply the rules of a rung; ``fold`` is whether the host has no letter case."""
    scheme = None if old.scheme is None else old.scheme.lower()
    if scheme == "javascript":
        return old._replace(scheme=scheme)  # what looks like a host or a dot segment is a program

    def percent(component: str, value: str | None) -> str | None:
        ascii_only = component == "query" and not decode_query
        return None if value is None else _percent(value, component, scheme, to, ascii_only)

    host = old.host
    # The apparent host and port of a file may be a drive letter, which a browser keeps.
    drive = scheme in {None, "file"} and old.port == "" and len(old.host or "") == 1
    if fold and host is not None and host.isascii() and not drive:
        host = host.lower()
    new = Reference(
        scheme=scheme,
        userinfo=percent("userinfo", old.userinfo),
        host=host,
        port=old.port,
        path=_percent(old.path, "path", scheme, to, False),
        query=percent("query", old.query),
        fragment=percent("fragment", old.fragment),
    )
    new = new._replace(path=_without_dots(new))
    if level == "scheme":
        in_unicode = to == "iri" or is_local(new.host or "", local_names)
        new = schemes.normal(new, to_iri=in_unicode, profile=profile, browser=browser)
    return new


def _percent(value: str, component: str, scheme: str | None, to: str, ascii_only: bool) -> str:
    """Align percent-encoding (3987bis, 5.3.2.3)."""
    if "%" not in value and (to == "iri" or value.isascii()):
        return value
    value = _STRAY.sub("%25", value)
    is_string = scheme == "tag"  # RFC 4151, 2.4: what a tag is written with is the tag
    if scheme not in NOT_DECODED and not is_string:
        if to == "iri":
            value = decode_text(value, component, ascii_only=True)
            value = decode_text(value, component, ascii_only=ascii_only)
        else:
            value = UNRESERVED_OCTET.sub(lambda octet: chr(int(octet[0][1:], 16)), value)
    if to == "uri":
        value = _NOT_ASCII.sub(lambda found: chars.quote(found[0]), value)
    return value if is_string else RUN.sub(lambda run: run[0].upper(), value)


def _without_dots(reference: Reference) -> str:
    """Remove dot segments where every reader removes the same ones (3987bis, 5.3.2.4)."""
    path = reference.path
    is_relative = reference.scheme is None and reference.host is None
    if is_relative and ":" in path.partition("/")[0]:
        return f"./{path}"  # RFC 3986, 4.2: what is before the colon would be a scheme
    if not path.startswith("/") or _DRIVE.match(path):
        return path  # relative or opaque, or a drive letter that ".." does not remove
    if reference.scheme != "file" and (
        reference.host == "" or (reference.scheme in SPECIAL and reference.host is None)
    ):
        return path  # a browser reads the first segment as the host
    cleaned = remove_dot_segments(path)
    if reference.scheme == "file" and cleaned.startswith("//") and not path.startswith("//"):
        return path  # readers do not agree on slashes at the start
    return f"/.{cleaned}" if reference.host is None and cleaned.startswith("//") else cleaned
