"""The rungs of the ladder that are normal forms: syntax and scheme (3987bis, 5.3.2 and 5.3.3)."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.components import NOT_DECODED, Job
from linkfix.iri.host import is_local
from linkfix.iri.layout import SPECIAL
from linkfix.iri.model import Edit, difference
from linkfix.iri.octets import RUN, decode_text, percent_decode
from linkfix.iri.reference import Reference, parse
from linkfix.iri.resolution import remove_dot_segments
from linkfix.iri.schemes import scheme_rules as schemes
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.schemes.scheme_rules import domain_form, host_form, other_port
from linkfix.iri.unicode import uts46
from linkfix.iri.unicode.ucd import folded
from linkfix.iri.unicode.uts46 import Profile
from linkfix.iri.url import URL, cleaned, parse_url

Level: TypeAlias = Literal["syntax", "scheme"]

_NOT_ASCII: Final = pattern("[^\x00-\x7f]+")
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
    job = Job(to_iri=to == "iri", web=False, profile=idna)
    return str(_normal(parse(text), level, job, fold=True))


def normalization_edits(text: str, level: Level, job: Job) -> list[Edit]:
    """Return the edits from a valid reference to its normal form.

    Args:
        text: a valid reference.
        level: the rung.
        job: the conversion that it is the result of; of a Web Address only the equivalences of browsers are applied.

    """
    old = parse(text)
    fold = (
        not job.web or (old.scheme or (job.base.scheme if job.base else "http")).lower() in SPECIAL
    )
    new = _normal(old, level, job, fold=fold)
    edits: list[Edit] = []
    position = 0
    for before, after in zip(old.parts(), new.parts(), strict=True):
        edits += difference(before, after, position)
        position += len(before)
    return edits


def _normal(old: Reference, level: Level, job: Job, *, fold: bool) -> Reference:
    """Apply the rules of a rung; ``fold`` is whether the host has no letter case."""
    scheme = None if old.scheme is None else old.scheme.lower()
    if scheme == "javascript":
        return old._replace(scheme=scheme)  # what looks like a host or a dot segment is a program

    host = old.host
    # The apparent host and port of a file may be a drive letter, which a browser keeps.
    drive = scheme in {None, "file"} and old.port == "" and len(old.host or "") == 1
    if fold and host is not None and host.isascii() and not drive:
        host = host.lower()
    as_ascii = set() if job.decode_query else {"query"}
    new = old.mapped(lambda name, text: _percent(text, name, scheme, job, name in as_ascii))
    new = new._replace(scheme=scheme, host=host)
    new = new._replace(path=_without_dots(new))
    if level == "scheme":
        in_unicode = job.to_iri or is_local(new.host or "", job.local_names)
        new = schemes.normal(new, to_iri=in_unicode, profile=job.profile, browser=job.web)
    return new


def _percent(value: str, component: str, scheme: str | None, job: Job, ascii_only: bool) -> str:
    """Align percent-encoding (3987bis, 5.3.2.3)."""
    if "%" not in value and (job.to_iri or value.isascii()):
        return value
    value = chars.STRAY.sub("%25", value)
    is_string = scheme == "tag"  # RFC 4151, 2.4: what a tag is written with is the tag
    if not job.to_iri:
        value = _NOT_ASCII.sub(chars.quoted, value)
    if scheme not in NOT_DECODED and not is_string:
        value = decode_text(value, component, ascii_only=True)
        if job.to_iri:
            value = decode_text(value, component, ascii_only=ascii_only)
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


# --- The comparison forms of identifiers, by the rules of their schemes (3987bis, 5.3.3) ------------
# Input: an absolute identifier without its fragment. Output: a pair of strings. Two identifiers with equal first
# strings are equivalent by the rules of their scheme; two with different second strings are different; all others are
# unknown. So a scheme with unknown rules, or a rule that only the server knows, never makes two identifiers different.
# The rules of single schemes are in `scheme_rules`.


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
    text = _NOT_ALLOWED[component].sub(chars.quoted, text)
    if "%" not in text:
        return text
    text = decode_text(text, component, ascii_only=True)
    return RUN.sub(lambda run: run[0].upper(), text)


_NOT_ALLOWED: Final = {
    name: pattern(rf"%(?![0-9A-Fa-f]{{2}})|[^%{allowed}]+")
    for name, allowed in chars.COMPONENT.items()
}


#: Octets that are no ASCII.
_BEYOND_ASCII: Final = pattern("(?:%[89A-Fa-f][0-9A-Fa-f])+")


def _characters(found: re.Match[str]) -> str:
    return percent_decode(found[0]).decode(errors="surrogateescape")


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
    reference = parse(text).mapped(lambda name, part: _NOT_ALLOWED[name].sub(chars.quoted, part))
    reference = parse(normal_form(str(reference), "syntax", to="uri", idna=idna))
    scheme = reference.scheme or ""
    if scheme in SPECIAL:
        if reference.host:
            reference = reference._replace(host=domain_form(reference.host, profile=idna))
        return Form(str(reference), None, f"no browser can parse {text!r}")
    rule = schemes.RULES.get(scheme)
    if rule is not None:
        same, loose, reason = rule(reference, idna)
        if reference.host is not None or reference.path.startswith("/"):
            return Form(str(reference), None, f"the scheme {scheme!r} has no hierarchy")
        return Form(same, loose, reason)
    if scheme in HIERARCHICAL:
        known = _of_hierarchical(reference, idna)
        return Form(known, None, f"not all rules of the scheme {scheme!r} are known")
    return Form(str(reference), None, f"the rules of the scheme {scheme!r} are not known")


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
    """Write a URL without its fragment, with another host and path."""
    user, password = (
        aligned(text, "userinfo") if with_user else "" for text in (url.username, url.password)
    )
    query = None if url.query is None else aligned(url.query, "query")
    other = replace(
        url, username=user, password=password, hostname=host, pathname=path, query=query
    )
    return other.without_fragment


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
    default, has_root = HIERARCHICAL[reference.scheme or ""]
    if reference.host is None:
        return str(reference)
    host, port = host_form(reference.host, profile=idna), other_port(reference.port, default)
    path = reference.path or ("/" if has_root else "")
    return str(reference._replace(host=host, port=port, path=path))
