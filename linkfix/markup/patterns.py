"""Alternatives in regular expressions, always in a group of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["either"]


def either(alternatives: Iterable[bytes]) -> bytes:
    """Return a pattern that matches the first alternative that does, and none where there are none.

    It is a group that does not capture. So it can stand wherever an atom can, also in a branch of
    ``(?(group)yes|no)``, in which a bare ``|`` begins another branch.
    """
    return b"(?:" + (b"|".join(found) if (found := list(alternatives)) else b"(?!)") + b")"
