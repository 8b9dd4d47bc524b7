"""Alternatives in regular expressions, always in a group of their own."""

import re
from collections.abc import Iterable
from itertools import groupby


def either(alternatives: Iterable[bytes]) -> bytes:
    """Return a pattern for the first alternative that matches; for no alternatives, one that never matches.

    The pattern is a group without capture. So it can be used like an atom, also in a branch of ``(?(group)yes|no)``,
    in which a bare ``|`` begins another branch.
    """
    return b"(?:" + (b"|".join(found) if (found := list(alternatives)) else b"(?!)") + b")"


def one_of(names: Iterable[str], *, folds: bool = True) -> bytes:
    """Return a pattern for one of several names, one that never matches for none.

    Args:
        names: the names, in ASCII.
        folds: whether they match in any ASCII case.

    """
    if not (found := sorted(names)):
        return either([])
    return (b"(?i:" if folds else b"(?:") + _tree(found).encode() + b")"


def _tree(names: list[str]) -> str:
    """Return a pattern for one of several sorted names, in which names that begin alike share the beginning."""
    groups = [[*group] for _, group in groupby(names, lambda name: name[:1])]
    parts = []
    for group in groups:
        pairs = enumerate(zip(group[0], group[-1], strict=False))
        start = group[0][: next((n for n, (a, b) in pairs if a != b), len(group[0]))]
        rest = _tree([name[len(start) :] for name in group]) if len(group) > 1 else ""
        parts.append(re.escape(start) + (f"(?:{rest})" if rest else ""))
    return "|".join([*filter(None, parts), *([""] if names[:1] == [""] else [])])
