"""Alternatives in regular expressions, always in a group of their own."""

from collections.abc import Iterable


def either(alternatives: Iterable[bytes]) -> bytes:
    """Return a pattern for the first alternative that matches; for no alternatives, one that never matches.

    The pattern is a group without capture. So it can be used like an atom, also in a branch of ``(?(group)yes|no)``,
    in which a bare ``|`` begins another branch.
    """
    return b"(?:" + (b"|".join(found) if (found := list(alternatives)) else b"(?!)") + b")"
