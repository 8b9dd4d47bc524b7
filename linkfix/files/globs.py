"""Patterns of paths: those of ``.gitignore``, of settings and of the command line.

Input: patterns, which anybody may have written, and paths. Output: whether they match. A pattern is a row of *runs* between
its stars, and a run matches only as many characters as it has: the first run matches at the beginning, the last one at the
end, each of the others where it is found first. That suffices, so each of these is an atomic group of one regular expression,
and nothing is tried twice: the cost is the length of the pattern times that of the path. The folders of a path are matched in
the same way, with ``**`` for the star.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

_ANY_FOLDERS = "**"
_SPECIAL = frozenset("*?[\\")
#: How a pattern of a ``.gitignore`` matches a path: not, only a folder that it is in, or itself.
_NOT, _INSIDE, _ITSELF = range(3)


class _OpenBracketError(ValueError):
    """A bracket has no end."""


@lru_cache(maxsize=4096)
def wildcards(pattern: str) -> re.Pattern[str]:
    """Return the expression for the whole of a text: ``*`` stands for any characters, ``?`` for one, ``[a-z]`` for one of a set.

    ``[!a-z]`` stands for one that is not in the set; a bracket without its end is a character.
    """
    return re.compile(_expression(pattern, "."), re.DOTALL)


def _expression(pattern: str, char: str, *, escapes: bool = False) -> str:
    r"""Return the regular expression of a pattern of a text or a name.

    Args:
        pattern: as that of `wildcards`.
        char: the expression of any character.
        escapes: whether the backslash makes the next character an ordinary one, ``[^a-z]`` is ``[!a-z]``, and there is an
            error for what has no end, as in a ``.gitignore``.

    Raises:
        ValueError: a backslash or a bracket has no end.

    """
    negations = "!^" if escapes else "!"
    runs, at = [""], 0
    while at < len(pattern):
        one, at = pattern[at], at + 1
        if one == "*":
            runs.append("")
        elif one == "?":
            runs[-1] += char
        elif one == "\\" and escapes:
            if at == len(pattern):
                raise ValueError(f"{pattern!r} ends with a backslash")
            runs[-1] += re.escape(pattern[at])
            at += 1
        elif one != "[":
            runs[-1] += re.escape(one)
        elif end := pattern.find("]", at + 1 + (pattern[at : at + 1] in negations)) + 1:
            runs[-1] += f"(?={char}){_set(pattern[at : end - 1], negations)}"
            at = end
        elif escapes:
            raise _OpenBracketError(f"{pattern!r} has a bracket without its end")
        else:
            runs[-1] += re.escape(one)
    if len(runs) == 1:
        return runs[0]
    return f"{runs[0]}{''.join(f'(?>{char}*?{run})' for run in runs[1:-1])}{char}*{runs[-1]}"


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
        escapes: as `_expression`.

    Raises:
        ValueError: as `_expression`.

    """

    def __init__(self, names: tuple[str, ...], *, escapes: bool = False) -> None:
        # The patterns of names between the ``**``.
        runs: list[list[str]] = [[]]
        for name in (*names, "*") if names[-1:] == (_ANY_FOLDERS,) else names:
            if name == _ANY_FOLDERS:
                runs.append([])
            else:
                # No name is empty.
                text = "?*" if name == "*" else name
                runs[-1].append(_expression(text, "[^/]", escapes=escapes))
        self._is_open = len(runs) > 1
        self._first = [re.compile(name, re.DOTALL) for name in runs[0]]
        first, *others = ("".join(f"{name}/" for name in run) for run in runs)
        found = [first, *(f"(?>(?:[^/]*/)*?{run})" for run in others)]
        self._folder = re.compile("".join(found), re.DOTALL)
        last = f"(?:[^/]*/)*{others[-1]}" if others else first
        self._whole = re.compile("".join(found[:-1]) + last[:-1], re.DOTALL)

    def matches(self, path: str) -> bool:
        """Return whether the pattern matches the whole of a path."""
        return self._whole.fullmatch(path) is not None

    def matches_folder(self, path: str) -> bool:
        """Return whether the pattern matches a folder that a path is in."""
        return self._folder.match(path) is not None

    def may_lead(self, path: str) -> bool:
        """Return whether the pattern can match a path in a folder."""
        names = path.split("/")
        is_long = len(self._first) > len(names) or self._is_open
        return is_long and all(
            each.fullmatch(name) for each, name in zip(self._first, names, strict=False)
        )


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

    def matches(self, path: str) -> int:
        """Return how the line matches a path, which has a slash at its end for a folder."""
        if self._name not in path:
            return _NOT
        if self._is_all:
            return _ITSELF
        if not self._is_inside and self._pattern.matches(path):
            return _ITSELF
        if not self._pattern.matches_folder(path):
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
        path = path.removeprefix("./" if path.startswith("./") else "/")
        best, result = _NOT, False
        for line in self._lines:
            how = line.matches(path)
            if how > best:
                best, result = how, not line.is_negative
            if how == _ITSELF:
                break
        return result
