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
from linkfix.policy.bases import C0_OR_SPACE, Bases, below_codebase, resolved_link, same
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
    told = asked(policy, link, bases)
    if isinstance(told, type):  # it is `Keep`
        return Move(_as_it_is(link), None, None, unmatched=False)
    conversion = policy.convert(link, bases.of(link))
    # A link in code or with an expression is left; its new target is known unless it begins with an expression.
    in_code = conversion.problems == (TEMPLATE,) and not _begins_with_expression(policy, link)
    read = link._replace(fixed="") if in_code else link
    old = bases.resolve(read, policy) if conversion.ok or in_code else None
    old = old and without_dots(old)
    target = _target(policy, link, told, old)
    final, base = target or (old and bases.moved(old)) or old, bases.after(link)
    if final is None:
        new = _unresolved(policy, link, bases, conversion)
        return Move(new, None, None, unmatched=policy.target is not None)
    unmatched = policy.target is not None and target is None and not _stays(conversion.text)
    if in_code and same(resolved_link(read, policy, base), final):
        new = _as_it_is(link) if policy.keeps(link.place) else conversion
        return Move(new, old, None, unmatched)
    if in_code:
        return Move(conversion, old, final, unmatched)
    new = conversion
    if not (link.fixed and told is not None):
        is_told, is_mapped = told is not None, target is not None
        new = _moved(
            policy, link, bases, conversion, old, final, is_told=is_told, is_mapped=is_mapped
        )
    return Move(new, old, target, unmatched)


def _as_it_is(link: Link) -> Conversion:
    """Return the value of a link without a change."""
    return Conversion(link.value, (), (), ok=True)


def _target(policy: Policy, link: Link, told: str | None, old: str | None) -> str | None:
    """Return the new target of a link: `told` by `Policy.each`, or from `Policy.target`; None for none."""
    try:
        return policy.mapped(old) if told is None else checked(told, old or link.value)
    except LinkfixError as error:
        error.line, error.column, error.offset = link.line, link.column, link.start
        raise


def _unresolved(policy: Policy, link: Link, bases: Bases, conversion: Conversion) -> Conversion:
    """Return the new value of a link whose target is not known."""
    before, after = bases.of(link), bases.after(link)
    if conversion.ok and before != after:
        # An IRI that no reader disputes as such may be read against the scheme of its base.
        conversion = _disputed(policy, link, before) or conversion
    # What a disputed reference has after its scheme may be read otherwise against another one.
    is_read_alike = conversion.ok or _scheme(before) == _scheme(after)
    return _as_it_is(link) if policy.keeps(link.place) and is_read_alike else conversion


def _moved(
    policy: Policy,
    link: Link,
    bases: Bases,
    conversion: Conversion,
    old: str | None,
    final: str,
    *,
    is_told: bool,
    is_mapped: bool,
) -> Conversion:
    """Return the new value of a link.

    Args:
        policy: as for `move`.
        link: in no code.
        bases: of the document.
        conversion: of the link, if it stays.
        old: its old target; None if unknown.
        final: the new one.
        is_told: whether `Policy.each` returned it.
        is_mapped: whether `Policy.each` or `Policy.target` returned it; else it is the old one, or that at its moved base.

    """
    before, base = bases.of(link), bases.after(link)
    keeps_spelling = policy.keeps(link.place)
    is_empty = not conversion.text and not is_told
    if is_empty or (final == old and policy.style == "keep" and base == before):
        return _as_it_is(link) if keeps_spelling else conversion
    written = _style(conversion.text, old or final)
    wanted = _wanted(policy, conversion.text, written, final, base)
    overshoots = (
        keeps_spelling
        and base != before
        and base_url(base or "").is_left_by(conversion.text)
        and not base_url(before or "").is_left_by(conversion.text)
    )
    if wanted == written and not overshoots and same(resolved_link(link, policy, base), final):
        return _as_it_is(link) if keeps_spelling else policy.convert(link, base)
    if not is_told and (disputed := _disputed(policy, link, before)) is not None:
        return disputed
    references = _references(final, base, wanted)
    found = (_spelled(policy, link, x, final, base, is_mapped=is_mapped) for x in references)
    return next(filter(None, found), Conversion(link.value, (), (LOST,), ok=False))


def _spelled(
    policy: Policy, link: Link, reference: str, final: str, base: str | None, *, is_mapped: bool
) -> Conversion | None:
    """Return a new reference as the value of a link; None if readers would resolve that to another target than the final one."""

    def leads_there(value: str) -> bool:
        return same(resolved_link(link._replace(value=value), policy, base), final)

    if link.place.embedded == IMPORT_MAP and not is_address(reference):
        reference = f"./{reference}"
    if policy.keeps(link.place):
        alike = respelled(link, reference)
        if alike is not None and leads_there(alike):
            return Conversion(alike, tuple(difference(link.value, alike)), (), ok=True)
        is_guess = link.place.guessed and not is_mapped and not link.value.isascii()
        if is_guess or (link.query == "disputed" and "?" in reference):
            return None  # the reference is what only some readers have read
    if not leads_there(reference):
        return None
    new = policy.convert(link._replace(value=reference), base)
    return new._replace(edits=tuple(difference(link.value, new.text)))


def asked(policy: Policy, link: Link, bases: Bases) -> str | type[Keep] | None:
    """Return what `Policy.each` says of a link; None for nothing."""
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
    if (parse(final).scheme or "").lower() not in _STYLED:
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
