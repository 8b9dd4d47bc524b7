"""Patterns of paths: those of ``.gitignore``, of settings and of the command line.

Input: patterns, which anybody may have written, and paths. Output: whether they match. A pattern is a row of *runs* between
its stars, and a run matches only as many characters as it has: the first run matches at the beginning, the last one at the
end, each of the others where it is found first. That suffices, so nothing is tried twice: the cost is the length of the
pattern times that of the path. The folders of a path are matched in the same way, with ``**`` for the star.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

_ANY_FOLDERS = "**"
_SPECIAL = frozenset("*?[\\")
#: How a pattern of a ``.gitignore`` matches a path: not, only a folder that it is in, or itself.
_NOT, _INSIDE, _ITSELF = range(3)


class _OpenBracketError(ValueError):
    """A bracket has no end."""


class Wildcards(NamedTuple):
    """A pattern of one text: ``*`` stands for any characters, ``?`` for one, ``[a-z]`` for one of a set.

    Attributes:
        runs: the patterns between the stars; each matches a fixed number of characters.
        lengths: these numbers.

    """

    runs: tuple[re.Pattern[str], ...]
    lengths: tuple[int, ...]

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches the whole of a text."""
        first, *others = self.runs
        at, end = self.lengths[0], len(text)
        if not others:
            return at == end and first.match(text) is not None
        end -= self.lengths[-1]
        if end < at or first.match(text) is None or others.pop().match(text, end) is None:
            return False
        for run in others:
            found = run.search(text, at, end)
            if found is None:
                return False
            at = found.end()
        return True


@lru_cache(maxsize=4096)
def wildcards(pattern: str, *, escapes: bool = False) -> Wildcards:
    r"""Parse a pattern.

    Args:
        pattern: with ``*``, ``?`` and ``[a-z]``, ``[!a-z]``; a bracket without its end is a character.
        escapes: whether the backslash makes the next character an ordinary one, ``[^a-z]`` is ``[!a-z]``, and there is an
            error for what has no end, as in a ``.gitignore``.

    Raises:
        ValueError: a backslash or a bracket has no end.

    """
    negations = "!^" if escapes else "!"
    runs, at = [[""]], 0
    while at < len(pattern):
        char, at = pattern[at], at + 1
        if char == "*":
            runs.append([""])
        elif char == "?":
            runs[-1].append(".")
        elif char == "\\" and escapes:
            if at == len(pattern):
                raise ValueError(f"{pattern!r} ends with a backslash")
            runs[-1].append(re.escape(pattern[at]))
            at += 1
        elif char != "[":
            runs[-1].append(re.escape(char))
        elif end := pattern.find("]", at + 1 + (pattern[at : at + 1] in negations)) + 1:
            runs[-1].append(_set(pattern[at : end - 1], negations))
            at = end
        elif escapes:
            raise _OpenBracketError(f"{pattern!r} has a bracket without its end")
        else:
            runs[-1].append(re.escape(char))
    compiled = tuple(re.compile("".join(run), re.DOTALL) for run in runs)
    return Wildcards(compiled, tuple(len(run) - 1 for run in runs))


def _set(content: str, negations: str) -> str:
    """Return the regular expression of a set of characters between brackets."""
    is_negative = content[0] in negations
    content = content[is_negative:]
    pieces, at = [], 0
    while at < len(content):
        last = at + 2 if content[at + 1 : at + 2] == "-" and at + 2 < len(content) else at
        if content[at] <= content[last]:  # a range from the higher to the lower one is empty
            pieces.append(f"{re.escape(content[at])}-{re.escape(content[last])}")
        at = last + 1
    if not pieces:
        return "." if is_negative else "(?!)."
    return f"[{'^' * is_negative}{''.join(pieces)}]"


class PathPattern:
    """A pattern of a path, name by name: ``**`` stands for any number of folders.

    Args:
        names: the patterns of names; a ``**`` at the end stands for at least one name.
        escapes: as `wildcards`.

    Raises:
        ValueError: as `wildcards`.

    """

    def __init__(self, names: tuple[str, ...], *, escapes: bool = False) -> None:
        #: The patterns of names between the ``**``.
        self._runs: list[list[Wildcards]] = [[]]
        for name in (*names, "*") if names[-1:] == (_ANY_FOLDERS,) else names:
            if name == _ANY_FOLDERS:
                self._runs.append([])
            else:
                # No name is empty.
                text = "?*" if name == "*" else name
                self._runs[-1].append(wildcards(text, escapes=escapes))

    def matches(self, names: Sequence[str]) -> bool:
        """Return whether the pattern matches all names of a path."""
        last = self._runs[-1]
        start = len(names) - len(last)
        if len(self._runs) == 1:
            return not start and _end(last, names, range(1)) is not None
        return (
            start >= 0
            and _end(last, names, range(start, start + 1)) is not None
            and self._end(self._runs[:-1], names[:start]) is not None
        )

    def matches_folder(self, names: Sequence[str]) -> bool:
        """Return whether the pattern matches a folder that a path is in."""
        return self._end(self._runs, names[:-1]) is not None

    def may_lead(self, names: Sequence[str]) -> bool:
        """Return whether the pattern can match a path in a folder."""
        first = self._runs[0]
        is_long = len(first) > len(names) or len(self._runs) > 1
        return is_long and all(each.matches(name) for each, name in zip(first, names, strict=False))

    @staticmethod
    def _end(runs: Sequence[list[Wildcards]], names: Sequence[str]) -> int | None:
        """Return the index after the first place where runs match; None for none."""
        at = 0
        for number, run in enumerate(runs):
            starts = range(at, len(names) - len(run) + 1) if number else range(1)
            found = _end(run, names, starts)
            if found is None:
                return None
            at = found
        return at


def _end(run: list[Wildcards], names: Sequence[str], starts: range) -> int | None:
    """Return the index after the first place where patterns match names that follow each other; None for none."""
    for start in starts:
        found = names[start : start + len(run)]
        if len(found) == len(run) and all(map(Wildcards.matches, run, found)):
            return start + len(run)
    return None


class _Line:
    """A line of a ``.gitignore``.

    Attributes:
        is_negative: whether what it matches is taken out again.

    Raises:
        ValueError: it is no pattern.

    """

    def __init__(self, line: str) -> None:
        self.is_negative = line.startswith("!")
        text = line[self.is_negative :]
        names = text.split("/")
        if not names[0]:
            del names[0]
        elif names[1:] in ([], [""]):
            names.insert(0, _ANY_FOLDERS)
        if not names:
            raise ValueError(f"{line!r} is no pattern")
        self._is_folder = not names[-1]
        if self._is_folder:
            names[-1] = _ANY_FOLDERS
        # What matches all in a folder does not match the folder.
        self._is_inside = names[-1] == _ANY_FOLDERS
        while names and names[-1] == _ANY_FOLDERS:
            names.pop()
        self._is_all = not self._is_folder and (not names or text in {"*", "**/*"})
        self._pattern = PathPattern(tuple(names) or (_ANY_FOLDERS, "*"), escapes=True)
        #: A name that every path has that it matches, "" for none: most paths are told apart by it.
        self._name = next((name for name in names if _SPECIAL.isdisjoint(name)), "")

    def matches(self, names: Sequence[str]) -> int:
        """Return how the line matches the names of a path; the last one is empty for a folder."""
        if self._name and self._name not in names:
            return _NOT
        if self._is_all:
            return _ITSELF
        if not self._is_inside and self._pattern.matches(names):
            return _ITSELF
        if not self._pattern.matches_folder(names):
            return _NOT
        return _ITSELF if self._is_inside and not self._is_folder else _INSIDE


class Patterns:
    """The patterns of a ``.gitignore``.

    A path counts as matched by the last line that matches it, or, if there is none, by the last one that matches a folder
    that it is in. Empty lines, comments and lines with brackets without end are passed over.

    Args:
        lines: the patterns.

    Raises:
        ValueError: one of them is no pattern.

    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines: list[_Line] = []
        for line in lines:
            text = line if line.endswith("\\ ") else line.rstrip()
            if text not in {"", "/"} and not text.startswith("#"):
                with suppress(_OpenBracketError):
                    self._lines.append(_Line(text))
        self._lines.reverse()

    def matches(self, path: str) -> bool:
        """Return whether a path is matched.

        Args:
            path: relative, with slashes; one at the end for a folder.

        """
        names = path.removeprefix("./" if path.startswith("./") else "/").split("/")
        best, result = _NOT, False
        for line in self._lines:
            how = line.matches(names)
            if how > best:
                best, result = how, not line.is_negative
            if how == _ITSELF:
                break
        return result
