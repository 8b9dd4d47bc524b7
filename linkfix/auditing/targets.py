"""Compare the targets of links across the documents of a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.auditing.base import is_ordinary_target
from linkfix.auditing.rule import Hit
from linkfix.iri import comparison_form
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

    from linkfix.auditing.rule import Sighting

__all__ = [
    "Targets",
    "as_they_are",
    "case_form",
    "case_forms",
    "normal_form",
    "without_scheme",
    "without_schemes",
]

#: A hierarchical URI with a path, and nothing after it.
_TO_PATH = re.compile(r"[^:/?#]+://[^/?#]*/[^?#]*")


class Targets:
    """Remember the first spelling of each target, and tell of other spellings.

    Args:
        form: gives what is the same for all spellings of a target, None for what is not compared.
        message: says how two targets of the same form differ; None where they do not.
        taken: the targets that the site has taken, a table that all its watchers share: one that is
            its own form is not remembered again. None to look at identifiers, at links otherwise.
        normal: gives the targets of ordinary links that are compared, and their forms, of targets in
            normal form; None to ask `form`.

    """

    def __init__(
        self,
        form: Callable[[str], str | None],
        message: Callable[[str, str], str | None],
        taken: Set[str] | None,
        *,
        normal: Callable[[list[str]], tuple[list[str], list[str]]] | None = None,
    ) -> None:
        self._form = form
        self._message = message
        self._identities = taken is None
        self._taken: Set[str] = set() if taken is None else taken
        self._normal = normal
        #: By form, but for targets that are their own and have been taken.
        self._first: dict[str, str] = {}

    def see(self, sighting: Sighting) -> Iterator[Hit]:
        """Compare a link with the first one of the same form."""
        if (sighting.link.kind is Kind.IDENTITY) != self._identities:
            return
        target = sighting.value if self._identities else sighting.target
        form = None if target is None else self._form(target)
        if target is None or form is None:
            return
        message = self._compare(form, target)
        if message is not None:
            yield Hit(0, len(sighting.value), message)

    def new(self, targets: list[str], *, are_normal: bool) -> dict[str, str] | None:
        """See `SiteWatcher.new`."""
        if self._identities:
            return {}
        if are_normal and self._normal is not None:
            targets, forms = self._normal(targets)
        else:
            compared = [(t, form) for t in targets if (form := self._form(t)) is not None]
            targets, forms = [target for target, _ in compared], [form for _, form in compared]
        first, new = self._first, dict[str, str]()
        if forms != targets:
            pairs = zip(forms, targets, strict=True)
            new = {form: target for form, target in pairs if form != target}
            if len({*forms}) < len(forms) or not self._taken.isdisjoint(new):
                return None
        if not first.keys().isdisjoint(forms):
            pairs = zip(forms, targets, strict=True)
            if any(first.get(form, target) != target for form, target in pairs):
                return None
        return new

    def take(self, new: dict[str, str]) -> None:
        """See `SiteWatcher.take`."""
        self._first.update(new)

    def _compare(self, form: str, target: str) -> str | None:
        """Say how a target differs from the first one of its form."""
        first = self._first.get(form)
        if first is None:
            first = form if form in self._taken else self._first.setdefault(form, target)
        return None if first == target else self._message(first, target)


def normal_form(target: str) -> str | None:
    """Return what is the same for equivalent targets by the rules of their scheme (3987bis, 5.3.3)."""
    return target if is_ordinary_target(target) else comparison_form(target)


def as_they_are(targets: list[str]) -> tuple[list[str], list[str]]:
    """Give targets in normal form, and that form."""
    return targets, targets


def case_form(target: str) -> str | None:
    """Give a hierarchical target in lower case, without its query and fragment."""
    return target.lower() if _TO_PATH.fullmatch(target) else None


def case_forms(targets: list[str]) -> tuple[list[str], list[str]]:
    """Give the targets of ordinary links that are compared by `case_form`, and their forms."""
    targets = [target for target in targets if "?" not in target and "#" not in target]
    return targets, [target.lower() for target in targets]


def without_scheme(target: str) -> str | None:
    """Give an http or https target without its scheme."""
    if target[:4] != "http":
        return None
    scheme, colon, rest = target.partition(":")
    return rest if colon and scheme in {"http", "https"} else None


def without_schemes(targets: list[str]) -> tuple[list[str], list[str]]:
    """Give the http and https targets among others, and these without their schemes."""
    targets = [target for target in targets if target.startswith(("http:", "https:"))]
    return targets, [target[target.index(":") + 1 :] for target in targets]
