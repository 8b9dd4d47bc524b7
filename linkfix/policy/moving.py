"""Rewrite links to new targets, and references whose base moves.

Input: a link with its old and its new base. Output: the new value. The old reference is resolved as browsers do, its
target is mapped, and a new reference to the new target is written, relative to the new base. The old reference
stays if it resolves to the new target. Each new reference is resolved again before it is used, which costs one more
resolution; a link that readers do not agree on is left.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from reprlib import repr as short
from typing import Literal, TypeAlias
from urllib.parse import unquote_to_bytes

from linkfix.errors import LinkfixError
from linkfix.iri import Conversion, comparison_form, disputes, parse, relativize
from linkfix.iri.conversion import leiri_to_iri, uri_to_iri, web_address_to_iri
from linkfix.iri.model import difference
from linkfix.iri.quick import canonical
from linkfix.iri.reference import Reference
from linkfix.iri.resolution import base_url, without_dots
from linkfix.links import Link
from linkfix.links.html.embedded import is_address
from linkfix.links.link import IMPORT_MAP
from linkfix.policy.bases import C0_OR_SPACE, Bases, below_codebase, resolved_link
from linkfix.policy.converting import TEMPLATE
from linkfix.policy.policy import Keep, Policy, checked
from linkfix.policy.violation_data import CODEBASE, LOST

Style: TypeAlias = Literal["absolute", "network-path", "root-relative", "relative"]

_STYLED = frozenset({"http", "https", "file"})


@dataclass(frozen=True, slots=True)
class Move:
    """The result for a link.

    Attributes:
        conversion: the new value.
        resolved: the absolute URI of the old target; None if unknown.
        target: the new target from `Policy.target` or `Policy.each`; None if that returned none.
        unmatched: whether `Policy.target` returned no target for a link out of its document, or the old target is
            unknown.

    """

    conversion: Conversion
    resolved: str | None
    target: str | None
    unmatched: bool


def move(policy: Policy, link: Link, bases: Bases) -> Move:
    """Convert a link with a new target, a new base or a new style.

    Args:
        policy: with `target`, `each` and `style`.
        link: of a document.
        bases: of the document; they have processed the earlier links and their new values.

    Returns:
        A conversion as from `Policy.convert`, with one edit if the reference is another one. An empty reference (to
        the document itself) stays empty; a fragment alone keeps its style.

    Raises:
        LinkfixError: `Policy.target` or `Policy.each` returns a target that is refused.

    """
    told = _told(policy, link, bases)
    if isinstance(told, type):  # it is `Keep`
        return Move(Conversion(link.value, (), (), ok=True), None, None, unmatched=False)
    conversion = policy.convert(link, bases.of(link))
    keeps_spelling = policy.keeps(link.place)
    unchanged = Conversion(link.value, (), (), ok=True) if keeps_spelling else None
    # A link in code or with an expression is left; its new target is known unless it begins with an expression.
    in_code = conversion.problems == (TEMPLATE,) and not _begins_with_expression(policy, link)
    read = link._replace(fixed="") if in_code else link
    old = bases.resolve(read, policy) if conversion.ok or in_code else None
    old = old and without_dots(old)
    try:
        target = policy.mapped(old) if told is None else checked(told, old or link.value)
    except LinkfixError as error:
        error.line, error.column, error.offset = link.line, link.column, link.start
        raise
    final, base = target or (old and bases.moved(old)) or old, bases.after(link)
    if final is None:
        if conversion.ok and bases.of(link) != base:
            # An IRI that no reader disputes as such may be read against the scheme of its base.
            conversion = _disputed(policy, link, bases.of(link)) or conversion
        if not conversion.ok and _scheme(bases.of(link)) != _scheme(base):
            unchanged = None  # what it has after its scheme may be read otherwise now
        return Move(unchanged or conversion, None, None, unmatched=policy.target is not None)
    unmatched = policy.target is not None and target is None and not _stays(conversion.text)

    def become(new: Conversion) -> Move:
        return Move(new, old, target, unmatched)

    if in_code:
        keeps_target = _same(resolved_link(read, policy, base), final)
        if keeps_target:
            return Move(unchanged or conversion, old, None, unmatched)
        return Move(conversion, old, final, unmatched)
    if link.fixed and told is not None:
        return become(conversion)
    is_empty = not conversion.text and told is None
    if is_empty or (final == old and policy.style == "keep" and base == bases.of(link)):
        return become(unchanged or conversion)
    written = _style(conversion.text, old or final)
    wanted = _wanted(policy, conversion.text, written, final, base)
    overshoots = (
        keeps_spelling
        and base != bases.of(link)
        and base_url(base or "").is_left_by(conversion.text)
        and not base_url(bases.of(link) or "").is_left_by(conversion.text)
    )
    if wanted == written and not overshoots and _same(resolved_link(link, policy, base), final):
        return become(unchanged or policy.convert(link, base))
    if told is None and (disputed := _disputed(policy, link, bases.of(link))) is not None:
        return become(disputed)
    for reference in _references(final, base, wanted):
        if link.place.embedded == IMPORT_MAP and not is_address(reference):
            reference = f"./{reference}"
        if keeps_spelling:
            alike = respelled(link, reference)
            if alike is not None and _same(
                resolved_link(link._replace(value=alike), policy, base), final
            ):
                edits = tuple(difference(link.value, alike))
                return become(Conversion(alike, edits, (), ok=True))
            is_guess = link.place.guessed and target is None and not link.value.isascii()
            if is_guess or (link.query == "disputed" and "?" in reference):
                continue  # the reference is what only some readers have read
        candidate = link._replace(value=reference)
        if _same(resolved_link(candidate, policy, base), final):
            new = policy.convert(candidate, base)
            edits = tuple(difference(link.value, new.text))
            return become(Conversion(new.text, edits, new.problems, ok=new.ok))
    return become(Conversion(link.value, (), (LOST,), ok=False))


def _told(policy: Policy, link: Link, bases: Bases) -> str | type[Keep] | None:
    """Ask `Policy.each` about a link."""
    if policy.each is None:
        return None
    told = policy.each(link._replace(resolver=bases.resolver(bases.of(link), policy)))
    if not (told is None or told is Keep or isinstance(told, str)):
        raise LinkfixError(
            f"`each` returns {short(told)}, which is none of an absolute IRI, Keep and None",
            line=link.line,
            column=link.column,
            offset=link.start,
        )
    return told


def _begins_with_expression(policy: Policy, link: Link) -> bool:
    """Return whether a template has nothing before its first expression."""
    found = policy.scope.templates.expressions(link.value)
    return bool(found) and not link.value[: found[0][0]].strip(C0_OR_SPACE)


def _disputed(policy: Policy, link: Link, base: str | None) -> Conversion | None:
    """Return why a disputed link is left: a new reference would be right for one reader only."""
    if policy.syntax_of(link) != "web":
        return None
    if base is not None and below_codebase(link, base) is not None:
        return Conversion(link.value, (), (CODEBASE,), ok=False)
    if (base is None or base[:4].lower() == "http") and canonical("uri")(link.value):
        return None  # the most common case, so it is tested first
    found = disputes(link.value, base=base)
    return Conversion(link.value, (), found[:1], ok=False) if found else None


def _scheme(base: str | None) -> str:
    """Return the scheme of a base URL; "" if there is none."""
    return (base or "").partition(":")[0]


def _stays(text: str) -> bool:
    """Return whether a reference stays inside its document."""
    return not text or text[0] == "#" or text.partition(":")[0].lower() in {"javascript", "data"}


def _style(text: str, target: str) -> Style:
    """Return the style of a reference; one like ``http:x`` may be relative (RFC 3986, 5.2.2)."""
    reference = parse(text)
    if reference.scheme is not None:
        inherits = reference.host is None and parse(target).host is not None
        return "relative" if inherits else "absolute"
    if reference.host is not None:
        return "network-path"
    return "root-relative" if reference.path.startswith("/") else "relative"


def _wanted(policy: Policy, text: str, written: Style, final: str, base: str | None) -> Style:
    """Return the style for the new reference."""
    forced = policy.style
    if forced == "keep" or base is None or text.startswith("#"):
        return written
    if parse(final).scheme not in _STYLED:
        return written
    return forced if forced == "absolute" or _origin(final) == _origin(base) else written


def _references(final: str, base: str | None, style: Style) -> Iterator[str]:
    """Yield references to an absolute URI, first the one in the wanted style."""
    target = parse(final)
    if style == "network-path":
        yield str(target._replace(scheme=None))
    elif style != "absolute" and base is not None and _origin(final) == _origin(base):
        here = parse(base)
        if style == "relative":
            # The same origin may have another spelling.
            near = target._replace(scheme=here.scheme, userinfo=here.userinfo, host=here.host)
            yield relativize(base, str(near._replace(port=here.port)), rootless=True)
        else:
            path = f"/.{target.path}" if target.path.startswith("//") else target.path or "/"
            path_only = target._replace(scheme=None, userinfo=None, host=None, port=None)
            yield str(path_only._replace(path=path))
    yield final


def _origin(uri: str) -> str:
    """Return the comparison form of scheme and authority."""
    host = uri.find("//") + 2
    ends = [end for mark in "/?#" if (end := uri.find(mark, host)) >= 0]
    return _normal_origin(uri[: min(ends, default=len(uri))])


@lru_cache(maxsize=64)
def _normal_origin(uri: str) -> str:
    reference = parse(comparison_form(uri))
    return str(reference._replace(path="", query=None, fragment=None))


def _same(one: str | None, other: str) -> bool:
    """Return whether two absolute URIs are the same address for a browser (3987bis, 5.3.2 and 5.3.3)."""
    if one is None or one == other:
        return one is not None
    return comparison_form(one) == comparison_form(other)


# --- Spell a new reference as the old one was spelled ----------------------------------------------
# Input: the old value of a link, and a new reference as a URI. Output: the new reference, in which every part that the
# old one has too is spelled as there: scheme and host, the names in the path, query and fragment. New names in the path
# are characters where the old path has characters beyond ASCII, and percent-encoded otherwise. The result is a valid
# IRI reference.

#: Web Addresses may have backslashes between the names of a path (URL Standard, 4.4).
_SLASHES = re.compile(r"[/\\]")
_DOTS = frozenset({"", ".", ".."})


def respelled(link: Link, reference: str) -> str | None:
    """Spell a new reference as the value of a link is spelled.

    Args:
        link: with the old value.
        reference: the new one, a URI reference with query and fragment of the old target.

    Returns:
        An IRI reference; None if there is none in such a spelling. Where the charset is a guess, and the old value is not
        ASCII, its characters stay whatever they are: another reader may read others.

    """
    before, after = parse(link.value.strip(C0_OR_SPACE)), parse(reference)
    if before.host and after.host and (before.scheme is None) == (after.scheme is None):
        after = after._replace(
            scheme=before.scheme, userinfo=before.userinfo, host=before.host, port=before.port
        )
    new = str(
        after._replace(
            path=_path(link, before, after),
            query=before.query if before.query and after.query else after.query,
            fragment=before.fragment if before.fragment and after.fragment else after.fragment,
        )
    )
    if _is_uncertain(link):
        return new
    converted = web_address_to_iri(new) if link.syntax == "web" else leiri_to_iri(new)
    return converted.text if converted.ok else None


def _path(link: Link, before: Reference, after: Reference) -> str:
    """Return the new path, with the names of the old one as they are spelled there."""
    known = {_octets(name): name for name in _SLASHES.split(before.path) if name not in _DOTS}
    has_characters = not before.path.isascii() and not _is_uncertain(link)
    names = []
    for name in after.path.split("/"):
        spelled = name if name in _DOTS else known.get(_octets(name))
        if spelled is None:
            spelled = name
            if has_characters:
                text = uri_to_iri(f"/{name}").text[1:]
                spelled = text if all(map(link.charset.encodable, text)) else name
        names.append(spelled)
    here = before.path.startswith("./") and names[0] not in _DOTS
    return "./" * here + "/".join(names)


def _is_uncertain(link: Link) -> bool:
    return link.place.guessed and not link.value.isascii()


def _octets(name: str) -> bytes:
    """Return the octets that a name in a path stands for."""
    return unquote_to_bytes(name.encode("utf-8", "surrogatepass"))
