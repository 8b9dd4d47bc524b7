"""Compare the targets of links across the documents of a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.auditing.base import is_ordinary_target, shown
from linkfix.auditing.rule import Hit
from linkfix.iri import comparison_form
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.auditing.memory import Memory
    from linkfix.auditing.occurrence import Occurrence

#: A hierarchical URI with a path, and nothing after it.
_TO_PATH = re.compile(r"[^:/?]+://[^/?]*/[^?]*")


class Targets:
    """Remember the first spelling of each target, and report other spellings.

    Args:
        form: returns the normal form of a target, the same for all spellings; None for a target that is not compared.
        message: returns how two targets of the same form differ; None if that is no finding.
        memory: of the site; an accepted target that is its own form is not remembered twice.
        identities: whether identifiers are compared instead of links.
        normal: selects the targets to compare from targets in normal form, and returns them with their forms;
            None to call `form` for each.

    """

    def __init__(
        self,
        form: Callable[[str], str | None],
        message: Callable[[str, str], str | None],
        memory: Memory,
        *,
        identities: bool = False,
        normal: Callable[[list[str]], tuple[list[str], list[str]]] | None = None,
    ) -> None:
        self._form = form
        self._message = message
        self._identities = identities
        self._accepted = memory.table() if identities else memory.accepted
        self._normal = normal
        #: The first target of each form, without accepted targets that are their own form.
        self._first = memory.table()

    def check(self, occurrence: Occurrence) -> Iterator[Hit]:
        """Compare a link with the first one of the same form."""
        kind = occurrence.link.kind
        if kind is Kind.UNKNOWN or (kind is Kind.IDENTITY) != self._identities:
            return
        target = occurrence.value if self._identities else occurrence.target
        form = None if target is None else self._form(target)
        if target is None or form is None:
            return
        message = self._compare(form, target)
        if message is not None:
            yield Hit(0, len(occurrence.value), shown(message))

    def prepare(self, targets: list[str], *, are_normal: bool) -> dict[str, str] | None:
        """Return the forms of targets that no link contradicts (`SiteWatcher.prepare`)."""
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
            if len({*forms}) < len(forms) or self._accepted.find(new):
                return None
        if known := first.find(forms):
            pairs = zip(forms, targets, strict=True)
            if any(known.get(form, target) != target for form, target in pairs):
                return None
        return new

    def commit(self, new: dict[str, str]) -> None:
        """Remember these forms (`SiteWatcher.commit`)."""
        self._first.add(new)

    def _compare(self, form: str, target: str) -> str | None:
        """Return how a target differs from the first one of its form."""
        first = self._first.find((form,)).get(form)
        if first is None:
            first = form if self._accepted.find((form,)) else target
            if first is target:
                self._first.add({form: target})
        return None if first == target else self._message(first, target)


def normal_form(target: str) -> str | None:
    """Return the normal form of a target by the rules of its scheme (3987bis, 5.3.3)."""
    return target if is_ordinary_target(target) else comparison_form(target)


def as_they_are(targets: list[str]) -> tuple[list[str], list[str]]:
    """Return all targets, with themselves as their forms."""
    return targets, targets


def case_form(target: str) -> str | None:
    """Return a hierarchical target in lower case; None for one with a query."""
    return target.lower() if _TO_PATH.fullmatch(target) else None


def case_forms(targets: list[str]) -> tuple[list[str], list[str]]:
    """Return the targets of ordinary links that `case_form` compares, and their forms."""
    targets = [target for target in targets if "?" not in target]
    return targets, [target.lower() for target in targets]


def without_scheme(target: str) -> str | None:
    """Return an http or https target as one of http, which is its own form."""
    if target.startswith("https:"):
        return f"http:{target[len('https:') :]}"
    return target if target.startswith("http:") else None


def without_schemes(targets: list[str]) -> tuple[list[str], list[str]]:
    """Return the http and https targets, and their forms as those of http."""
    targets = [target for target in targets if target.startswith(("http:", "https:"))]
    return targets, [
        target if target[4] == ":" else f"http:{target[len('https:') :]}" for target in targets
    ]
