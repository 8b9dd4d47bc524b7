"""What becomes of a link that is to lead elsewhere, or of a reference whose base moves.

The old reference is resolved as a browser does, what it leads to is mapped, and the new reference
is written for the base that will be in force. Nothing is written where the old one leads there too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from linkfix.errors import LinkfixError
from linkfix.iri import Conversion, Violation, comparison_form, disputes, parse, relativize
from linkfix.iri.edits import difference
from linkfix.iri.quick import canonical
from linkfix.links.templates import IN_CODE
from linkfix.policy.linkmap_rules import without_dots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links import Link
    from linkfix.policy.bases import Bases
    from linkfix.policy.policy import Policy

__all__ = ["Move", "move"]

Style: TypeAlias = Literal["absolute", "network-path", "root-relative", "relative"]

_STYLED = frozenset({"http", "https", "file"})
_LOST = Violation(
    "no-reference",
    "reference",
    0,
    0,
    "RFC 3986, 4.2",
    "no reference in this place leads where the link is to lead",
)


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of a link.

    Attributes:
        conversion: what is to stand in its place.
        resolved: the absolute URI that it led to; None where that cannot be told.
        target: where `Policy.target` leads it instead; None where it names no other place.
        unmatched: whether `Policy.target` names no other place although the link leads out of its
            document, or to nowhere that could be told.

    """

    conversion: Conversion
    resolved: str | None
    target: str | None
    unmatched: bool


def move(policy: Policy, link: Link, bases: Bases) -> Move:
    """Give what a link becomes where it is mapped, its base moves, or its style is to be another.

    Args:
        policy: with `target` and `style`.
        link: of a document.
        bases: that have seen the links before, and noted what became of them.

    Returns:
        A conversion of the link's value, as `Policy.convert` gives it, with one edit where it is
        another reference. An empty reference, which is the document itself, stays one; a fragment
        alone keeps its style.

    Raises:
        LinkfixError: `Policy.target` returns what no link is led to.

    """
    conversion = policy.convert(link, bases.of(link))
    # A link in code is left; where it is to lead is known if it is no expression.
    in_code = link.fixed == IN_CODE
    read = link._replace(fixed="") if in_code else link
    old = bases.resolve(read, policy) if conversion.ok or in_code else None
    if old is None:
        return Move(conversion, None, None, unmatched=policy.target is not None)
    old = without_dots(old)
    try:
        target = policy.led(old)
    except LinkfixError as error:
        error.line, error.column, error.offset = link.line, link.column, link.start
        raise
    unmatched = policy.target is not None and target is None and not _stays(conversion.text)

    def become(new: Conversion) -> Move:
        return Move(new, old, target, unmatched)

    goal, base = target or bases.moved(old) or old, bases.after(link)
    if in_code:
        arrives = _same(bases.leads(read, policy, base), goal)
        return Move(conversion, old, None if arrives else goal, unmatched)
    if not conversion.text:
        return become(conversion)
    if goal == old and policy.style == "keep" and base == bases.of(link):
        return become(conversion)
    written = _style(conversion.text, old)
    wanted = _wanted(policy, conversion.text, written, goal, base)
    if wanted == written and _same(bases.leads(link, policy, base), goal):
        return become(policy.convert(link, base))
    disputed = _disputed(policy, link, bases.of(link))
    if disputed is not None:
        return become(disputed)
    for reference in _references(goal, base, wanted):
        candidate = link._replace(value=reference)
        if _same(bases.leads(candidate, policy, base), goal):
            new = policy.convert(candidate, base)
            edits = tuple(difference(link.value, new.text))
            return become(Conversion(new.text, edits, new.problems, ok=new.ok))
    return become(Conversion(link.value, (), (_LOST,), ok=False))


def _disputed(policy: Policy, link: Link, base: str | None) -> Conversion | None:
    """Return why a link stays that readers do not agree on: a new reference is right for one of them only."""
    if policy.syntax_of(link) != "web":
        return None
    if (base is None or base[:4].lower() == "http") and canonical("uri")(link.value):
        return None  # as is so of most links, so that it is told first
    found = disputes(link.value, base=base)
    return Conversion(link.value, (), found[:1], ok=False) if found else None


def _stays(text: str) -> bool:
    """Tell whether a reference leads nowhere outside its document."""
    return not text or text[0] == "#" or text.partition(":")[0].lower() in {"javascript", "data"}


def _style(text: str, target: str) -> Style:
    """Tell how a reference is written; one like ``http:x`` may be relative (RFC 3986, 5.2.2)."""
    reference = parse(text)
    if reference.scheme is not None:
        inherits = reference.host is None and parse(target).host is not None
        return "relative" if inherits else "absolute"
    if reference.host is not None:
        return "network-path"
    return "root-relative" if reference.path.startswith("/") else "relative"


def _wanted(policy: Policy, text: str, written: Style, goal: str, base: str | None) -> Style:
    """Give the style that a new reference is to have."""
    forced = policy.style
    if forced == "keep" or base is None or text.startswith("#"):
        return written
    if parse(goal).scheme not in _STYLED:
        return written
    return forced if forced == "absolute" or _origin(goal) == _origin(base) else written


def _references(goal: str, base: str | None, style: Style) -> Iterator[str]:
    """Yield references to an absolute URI, the one in the style that is wanted first."""
    target = parse(goal)
    if style == "network-path":
        yield str(target._replace(scheme=None))
    elif style != "absolute" and base is not None and _origin(goal) == _origin(base):
        here = parse(base)
        if style == "relative":
            # The same origin may be spelled otherwise.
            near = target._replace(scheme=here.scheme, userinfo=here.userinfo, host=here.host)
            yield relativize(base, str(near._replace(port=here.port)), rootless=True)
        else:
            path = f"/.{target.path}" if target.path.startswith("//") else target.path or "/"
            path_only = target._replace(scheme=None, userinfo=None, host=None, port=None)
            yield str(path_only._replace(path=path))
    yield goal


def _origin(uri: str) -> str:
    """Give scheme and authority in the form in which they are compared."""
    host = uri.find("//") + 2
    ends = [end for mark in "/?#" if (end := uri.find(mark, host)) >= 0]
    return _normal_origin(uri[: min(ends, default=len(uri))])


@lru_cache(maxsize=64)
def _normal_origin(uri: str) -> str:
    reference = parse(comparison_form(uri))
    return str(reference._replace(path="", query=None, fragment=None))


def _same(one: str | None, other: str) -> bool:
    """Tell whether two absolute URIs are one address to a browser (3987bis, 5.3.2 and 5.3.3)."""
    if one is None or one == other:
        return one is not None
    return comparison_form(one) == comparison_form(other)
