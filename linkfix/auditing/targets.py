"""Compare the targets of links across the documents of a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.auditing.plain import is_plain_target
from linkfix.auditing.rule import Hit
from linkfix.iri import normalize
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from linkfix.auditing.rule import Sighting

__all__ = ["Targets", "case_form", "normal_form", "without_scheme"]

#: A hierarchical URI with a path, and nothing after it.
_TO_PATH = re.compile(r"[^:/?#]+://[^/?#]*/[^?#]*")


class Targets:
    """Remember the first spelling of each target, and tell of other spellings.

    Args:
        form: gives what is the same for all spellings of a target, None for what is not compared.
        message: says how two targets of the same form differ; None where they do not.
        identities: whether to look at identifiers, at links otherwise.
        keeps_plain: whether the form of a plain target is that target.

    """

    def __init__(
        self,
        form: Callable[[str], str | None],
        message: Callable[[str, str], str | None],
        *,
        identities: bool = False,
        keeps_plain: bool = False,
    ) -> None:
        self._form = form
        self._message = message
        self._identities = identities
        self._keeps_plain = keeps_plain
        self._first: dict[str, str] = {}

    def see(self, sighting: Sighting) -> Iterator[Hit]:
        """Compare a link with the first one of the same form."""
        if (sighting.link.kind is Kind.IDENTITY) != self._identities:
            return
        target = sighting.value if self._identities else sighting.target
        form = None if target is None else self._form(target)
        if target is None or form is None:
            return
        first = self._first.setdefault(form, target)
        if first != target and (message := self._message(first, target)) is not None:
            yield Hit(0, len(sighting.value), message)

    def takes(self, targets: Iterable[str], *, are_plain: bool) -> bool:
        """Take the targets of plain links; False if there is something to say about one of them."""
        if self._identities:
            return True
        forms = targets if are_plain and self._keeps_plain else map(self._form, targets)
        first_of = self._first.setdefault
        for form, target in zip(forms, targets, strict=True):
            if form is not None:
                first = first_of(form, target)
                if first != target and self._message(first, target) is not None:
                    return False
        return True


def normal_form(target: str) -> str | None:
    """Give the normal form by the scheme's rules (3987bis, 5.3.3), as a URI."""
    return target if is_plain_target(target) else normalize(target, "scheme", to="uri")


def case_form(target: str) -> str | None:
    """Give a hierarchical target in lower case, without its query and fragment."""
    return target.lower() if _TO_PATH.fullmatch(target) else None


def without_scheme(target: str) -> str | None:
    """Give an http or https target without its scheme."""
    if target[:4] != "http":
        return None
    scheme, colon, rest = target.partition(":")
    return rest if colon and scheme in {"http", "https"} else None
