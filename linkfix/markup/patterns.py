"""Alternatives in regular expressions, and patterns that are compiled where that saves more time than it costs."""

import re
from collections.abc import Callable, Iterable


class Patient:
    """A pattern that compiles for milliseconds: tags are read without it until they are many.

    Args:
        make: returns the source of the pattern; None for no pattern.
        patience: the number of tags, of any documents, that are read without it.

    """

    def __init__(self, make: Callable[[], bytes] | None, patience: int) -> None:
        self._make = make
        self._patience = patience
        self._pattern: re.Pattern[bytes] | None = None

    @property
    def pattern(self) -> re.Pattern[bytes] | None:
        """The pattern for the next tags; None to read the next one without it."""
        if self._pattern is None and self._make is not None:
            self._patience -= 1
            if self._patience < 0:
                self._pattern = re.compile(self._make())
        return self._pattern


def either(alternatives: Iterable[bytes]) -> bytes:
    """Return a pattern for the first alternative that matches; for no alternatives, one that never matches.

    The pattern is a group without capture. So it can be used like an atom, also in a branch of ``(?(group)yes|no)``,
    in which a bare ``|`` begins another branch.
    """
    return b"(?:" + (b"|".join(found) if (found := list(alternatives)) else b"(?!)") + b")"
