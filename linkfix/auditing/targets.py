"""The forms of the targets of links: what those share that a rule compares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from linkfix.auditing.base import is_ordinary_target
from linkfix.iri import comparison_form

if TYPE_CHECKING:
    from collections.abc import Callable

#: A hierarchical URI with a path, and nothing after it.
_TO_PATH = re.compile(r"[^:/?]+://[^/?]*/[^?]*")


class Comparison(NamedTuple):
    """How a rule compares links with earlier ones. An ordinary target, except for its letter case and http, is its own form.

    Attributes:
        form: returns what all spellings of a target share; None for a target that is not compared.
        message: returns how another target differs from the first one of its form; None if that is no finding.
        identities: whether identifiers are compared instead of links.

    """

    form: Callable[[str], str | None]
    message: Callable[[str, str], str | None]
    identities: bool = False


def normal_form(target: str) -> str | None:
    """Return the normal form of a target by the rules of its scheme (3987bis, 5.3.3)."""
    return target if is_ordinary_target(target) else comparison_form(target)


def case_form(target: str) -> str | None:
    """Return a hierarchical target in lower case; None for one with a query."""
    return target.lower() if _TO_PATH.fullmatch(target) else None


def without_scheme(target: str) -> str | None:
    """Return an http or https target as one of http, which is its own form."""
    if target.startswith("https:"):
        return f"http:{target[len('https:') :]}"
    return target if target.startswith("http:") else None


def coarse(form: str) -> str:
    """Return a key that forms of one target share, whichever rule made them."""
    lower = form.lower()
    return f"http:{lower[len('https:') :]}" if lower.startswith("https:") else lower
