"""The redirects of a server: rules that lead from one place to another.

Input: a URI. Output: what the first rule that matches it says. Rules for a single path, or for all below a path, are found by
that path, so that the time of a look-up depends only on the patterns; it has a bound (`work_of`). It opens no file; `files` reads the rules.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from heapq import merge
from itertools import chain, pairwise, takewhile
from operator import itemgetter
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _parser as sre  # type: ignore[attr-defined]
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qs, quote, unquote

from linkfix.errors import UnreadableError
from linkfix.iri import convert
from linkfix.iri.reference import split
from linkfix.iri.resolution import resolved

#: The status of a rule that shows another place without a redirect (Netlify, "Rewrites and proxies").
FOUND = 200
#: The least status of a rule that says that there is nothing.
GONE = 400
#: The status of a rule that depends on more than the URI.
UNKNOWN = 0
#: The status of a rule after which no other is asked: what it matches is shown as it is.
PASSED = 1
_URI = re.compile(
    r"(?P<origin>(?P<scheme>[^:/?#]+)://(?P<host>[^/?#]*))(?P<path>[^?#]*)(?P<query>\?[^#]*)?"
)
#: Regular expressions that PCRE reads as Python does, where the text is ASCII.
_PLAIN = re.compile(
    r"(?:[^\\\[({]|\\[dDwW]|\\[^A-Za-z0-9]|\((?![?*])|\(\?:|\{[0-9]+(?:,[0-9]*)?\}"
    r"|\[\^?\]?(?:[^\\\[\]]|\\[dDwW]|\\[^A-Za-z0-9])+\])*"
)
_NAMED_GROUP = re.compile(r"\(\?<(?=[A-Za-z_])")
#: Classes of POSIX, as characters inside of brackets.
_CLASSES = {
    "alnum": "A-Za-z0-9", "alpha": "A-Za-z", "blank": r" \t", "digit": "0-9", "lower": "a-z", "punct": r"!-/:-@\[-`{-~",
    "space": r"\s", "upper": "A-Z", "word": "A-Za-z0-9_", "xdigit": "A-Fa-f0-9",
}  # fmt: skip
#: The characters that stay as they are where a decoded path is inserted into a target.
_SAFE = "/!$&'()*+,;=:@~"


class Part(Enum):
    """A part of the request that a target can have, with its name in `_URI`; a query has its question mark."""

    PATH = "path"
    QUERY = "query"
    SCHEME = "scheme"
    HOST = "host"


#: A target: texts, numbers of groups of the pattern, and parts of the request.
Target: TypeAlias = "tuple[str | int | Part, ...]"


class Redirect(NamedTuple):
    """What a rule says about a URI.

    Attributes:
        status: of the answer; `FOUND`, `UNKNOWN`, at least `GONE`, or that of a redirect.
        target: the absolute URI that it leads to; "" if that is not known.
        is_forced: whether it counts where there is a file as well.
        is_certain: whether the server cannot have read its rules otherwise.

    """

    status: int
    target: str = ""
    is_forced: bool = True
    is_certain: bool = True

    @property
    def is_lasting(self) -> bool:
        """Whether it is a redirect for good (RFC 9110, 15.4.2 and 15.4.9)."""
        return self.status in {301, 308}


#: A source of redirects: returns what is said about an absolute URI without a fragment; None for nothing.
Source: TypeAlias = Callable[[str], Redirect | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for a path, or for all paths that match a pattern.

    Attributes:
        path: percent-decoded; None for a pattern.
        is_prefix: whether the rule is for all paths below its path as well; what follows it is group 1 of the target.
        pattern: searched in the percent-decoded path; None for a single path.
        target: where it leads; None if that is not known.
        status: as in `Redirect`.
        is_forced: whether it counts where there is a file as well.
        keeps_query: whether the query goes along where the target has none.
        joins_query: whether the query is appended to that of the target, where it has one.
        query: parameters that the query must have, each with its value.
        is_certain: whether every server reads the rule as linkfix does.
        is_foreign: whether the pattern is the server's, which matches octets there and characters here.

    """

    path: str | None
    pattern: re.Pattern[str] | None
    target: Target | None
    status: int = 301
    is_forced: bool = True
    keeps_query: bool = True
    query: tuple[tuple[str, str], ...] = ()
    is_certain: bool = True
    is_foreign: bool = False
    joins_query: bool = False
    is_prefix: bool = False

    def _groups(self, path: str) -> Sequence[str | None] | None:
        """Return what a target can have of a path, the groups of a match; None if the rule does not match."""
        if self.pattern is not None:
            match = self.pattern.search(path)
            return None if match is None else (match[0], *match.groups())
        if self.is_prefix and self.path is not None and path.startswith(self.path):
            rest = path[len(self.path) :]
            return (path, rest) if self.path.endswith("/") or rest[:1] in {"", "/"} else None
        return () if path == self.path else None

    def apply(self, uri: str, path: str, query: str, base: str = "") -> Redirect | None:
        """Return what the rule says about a URI; None if it does not match.

        Args:
            uri: absolute.
            path: of the URI, percent-decoded, as far as the rule reads it.
            query: of the URI, with its question mark, or "".
            base: absolute URI against which the target is resolved; "" for that of the request.

        """
        groups = self._groups(path)
        if groups is None:
            return None
        if self.query:
            given = parse_qs(query[1:], keep_blank_values=True)
            if any(value not in given.get(name, ()) for name, value in self.query):
                return None
        is_certain = self.is_certain and (path.isascii() or not self.is_foreign)
        if self.target is None:
            return Redirect(self.status, "", self.is_forced, is_certain)
        text = "".join([_piece(piece, groups, uri) for piece in self.target])
        path, own, fragment = split(text)
        if self.keeps_query and query and not own:
            text = f"{path}{query}{fragment}"
        elif self.joins_query and len(query) > 1:
            text = f"{path}{own}&{query[1:]}{fragment}"
        conversion = convert(text, to="uri", syntax="web")
        target = resolved(conversion.text, base or uri) if conversion.ok else None
        target = target or ""
        return Redirect(self.status, target, self.is_forced, is_certain)


#: A rule of no path, for what cannot be read: the rules after it are uncertain.
DOUBT = Rule("", None, None, UNKNOWN, is_certain=False)


def compiled(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile a regular expression of PCRE.

    Raises:
        re.error: Python has no such expression, or a search may cost too much (`work`).

    """
    pattern = _NAMED_GROUP.sub("(?P<", pattern).replace(r"\z", r"\Z")
    for name, characters in _CLASSES.items():
        pattern = pattern.replace(f"[:{name}:]", characters)
    try:
        # A bracket in a class is a warning.
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            work_of(pattern)
            return re.compile(pattern, flags)
    except (OverflowError, RecursionError, ValueError):  # of `re`: numbers, groups in groups, flags
        raise re.error(
            "it is too deep, or has a number or a flag that Python refuses", pattern
        ) from None


def is_plain(pattern: str) -> bool:
    """Return whether PCRE and Python read a regular expression alike."""
    return _PLAIN.fullmatch(pattern) is not None


def _piece(piece: str | int | Part, groups: Sequence[str | None], uri: str) -> str:
    """Return the text of a piece of a target."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, int):
        inserted = groups[piece] if piece < len(groups) else ""
        return quote(inserted or "", safe=_SAFE, errors="surrogateescape")
    found = _URI.match(uri)
    return (found and found[piece.value]) or ""


def target_of(
    text: str,
    variables: re.Pattern[str],
    meaning: Callable[[re.Match[str]], Sequence[str | int | Part] | None],
) -> Target | None:
    """Return a target.

    Args:
        text: as a server's file has it.
        variables: matches what is not written as it is.
        meaning: returns the pieces that a match of it stands for; None if they are not known.

    Returns:
        None if a piece is not known.

    """
    pieces: list[str | int | Part] = []
    at = 0
    for found in variables.finditer(text):
        meant = meaning(found)
        if meant is None:
            return None
        pieces += [text[at : found.start()], *meant]
        at = found.end()
    return (*pieces, text[at:])


class Redirects:
    """Rules, of which the first that matches counts. Those after an uncertain one are uncertain too.

    Args:
        rules: in their order.

    Attributes:
        rules: in their order.
        is_certain: whether all of them are.

    Raises:
        UnreadableError: there are too many patterns.

    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        #: Rules with their numbers and the work of a search, by path; and those with a pattern.
        self._by_path: dict[str, list[tuple[int, Rule, Work | None]]] = {}
        self._patterns: list[tuple[int, Rule, Work | None]] = []
        self.is_certain: bool = True
        self.rules: tuple[Rule, ...] = (*rules,)
        for number, rule in enumerate(self.rules):
            self.is_certain &= rule.is_certain
            if not self.is_certain:
                rule = replace(rule, is_certain=False)
            if rule.path is not None:
                self._by_path.setdefault(rule.path, []).append((number, rule, None))
            elif rule.pattern is not None:
                self._patterns.append((number, rule, work_of(rule.pattern.pattern)))
                check_number(len(self._patterns))
        #: How long the paths are that stand for all paths below them.
        self._lengths = sorted({len(rule.path or "") for rule in self.rules if rule.is_prefix})

    def __bool__(self) -> bool:
        """Return whether there is any rule."""
        return bool(self.rules)

    def find(self, uri: str, below: str = "", *, forced: bool = False) -> Redirect | None:
        """Return what the first rule that matches says about a URI (`Source`).

        Args:
            uri: absolute.
            below: percent-decoded path of a folder; the rules read what follows it, and targets are relative to it.
            forced: pass over the rules that do not count where there is a file.

        """
        found = _URI.match(uri)
        if found is None:
            return None
        path = path_of(uri)
        if not path.startswith(below):
            return None
        base = below and found["origin"] + quote(below, safe=_SAFE, errors="surrogateescape")
        path, query = path[len(below) :], found["query"] or ""
        lengths = {len(path), *takewhile(len(path).__ge__, self._lengths)}
        found_by_path = chain.from_iterable(self._by_path.get(path[:n], ()) for n in lengths)
        known = sorted(found_by_path, key=itemgetter(0))
        left = MOST_STEPS
        for _, rule, work in merge(known, self._patterns, key=itemgetter(0)):
            left -= 0 if work is None else work.steps(len(path))
            if left < 0:
                return Redirect(UNKNOWN, is_forced=False, is_certain=False)
            redirect: Redirect | None = rule.apply(uri, path, query, base)
            if redirect is not None and (redirect.is_forced or not forced):
                return None if redirect.status == PASSED else redirect
        return None


def path_of(uri: str) -> str:
    """Return the path of an absolute URI, percent-decoded."""
    found = _URI.match(uri)
    return unquote(found["path"], errors="surrogateescape") if found and found["path"] else "/"


def first_of(sources: Iterable[Source], uri: str) -> Redirect | None:
    """Return what the first source that knows a URI says about it; None for nothing."""
    return next(filter(None, (source(uri) for source in sources)), None)


# --- How much work a regular expression may cost: those of a server's files are not trusted ---------
# Input: a regular expression, as the parser of `re` reads it. Output: an upper bound of the steps that a search takes, by the length
# of the path. All searches for one path together take at most `MOST_STEPS`; where they could take more, the answer is
# unknown. Each repetition without an end multiplies the steps by the length of the path, unless a certain character
# ends it that it cannot repeat. Alternatives and bounded repetitions multiply them by their number, repetitions of what may
# match nothing by the least number. A repetition of choices has no bound. So some harmless expressions are refused, but none in
# Apache's documentation.

#: The most steps for one path, and the length from which paths are never searched.
MOST_STEPS = 10_000_000
#: The most regular expressions of one file: each is asked for each path.
MOST_EXPRESSIONS = 5000
_LONGEST = 65_536
#: The parts of an expression that repeat others, that match one character, that match at the beginning only, and that match
#: nothing themselves but others, whose first value is no part.
_REPEATS = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})
_CHARACTERS = frozenset({sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN})
_ANCHORS = ((sre.AT, sre.AT_BEGINNING), (sre.AT, sre.AT_BEGINNING_STRING))
_AROUND = frozenset({sre.ASSERT, sre.ASSERT_NOT, sre.GROUPREF_EXISTS})
#: The flags that an expression, or a part of it, may have, as the parser names them.
_FLAGS = [
    case | unicode for case in (0, sre.SRE_FLAG_IGNORECASE) for unicode in (0, sre.SRE_FLAG_UNICODE)
]
#: A part of an expression: its kind, and what depends on that.
_Node: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """An upper bound of the steps of a search: so many choices, times a power of the length of the path."""

    choices: int
    degree: int

    def steps(self, length: int) -> int:
        """Return the bound for a path of a length in code points; more than `MOST_STEPS` if it must not be searched."""
        return self.choices * length**self.degree if length <= _LONGEST else MOST_STEPS + 1


def check_number(count: int) -> None:
    """Refuse a file with too many regular expressions.

    Raises:
        UnreadableError: there are more than `MOST_EXPRESSIONS`.

    """
    if count > MOST_EXPRESSIONS:
        raise UnreadableError(
            f"it has more than {MOST_EXPRESSIONS:,} regular expressions, each of which would be searched for every link",
            hint="name other files with --server-config, or redirect single paths without expressions",
        )


@lru_cache(maxsize=4096)
def work_of(pattern: str) -> Work:
    """Return the work of a search.

    Args:
        pattern: the regular expression.

    Raises:
        re.error: there is no bound, or Python has no such expression.

    """
    tree = sre.parse(pattern)
    degree, choices = 0, 1
    #: 1 if there are repetitions that a certain character ends: all of them together are one scan.
    scans = 0

    def has_choice(parts: Sequence[_Node], after: _Node | None = None) -> bool:
        """Count the work of parts of the expression, before another one; return whether they can match in several ways."""
        nonlocal degree, choices, scans
        found = False
        for (kind, about), following in zip(parts, [*parts[1:], after], strict=False):
            if kind in _REPEATS:
                least, most, repeated = about
                if has_choice(repeated) and most > 1:
                    raise re.error("a repetition of choices may cost any time", pattern)
                if not repeated.getwidth()[0]:
                    # What matches nothing is matched so often at one place.
                    choices *= max(least, 1)
                if most is sre.MAXREPEAT and _ends(repeated, following):
                    scans = 1
                    continue
                degree += most is sre.MAXREPEAT
                choices *= 1 if most is sre.MAXREPEAT else most - least + 1
                found |= least < most
            elif kind is sre.BRANCH:
                several = [has_choice(each) for each in about[1]]
                are_apart = _are_apart(about[1])
                choices *= 1 if are_apart else len(several)
                found |= any(several) or not are_apart
            elif kind is sre.GROUPREF:  # a group again, of any length
                degree += 1
            elif kind is sre.SUBPATTERN:
                found |= has_choice(about[-1], following)
            elif kind is sre.ATOMIC_GROUP:
                found |= has_choice(about)
            elif kind in _AROUND:
                found |= max([has_choice(each) for each in about[1:] if each is not None])
            elif kind is not sre.AT and kind not in _CHARACTERS:
                raise re.error(f"what it costs is not known: {kind}", pattern)
        return found

    has_choice(tree)
    if not tree or tree[0] not in _ANCHORS:
        degree += 1  # a search begins at each character
    if choices > MOST_STEPS:
        raise re.error("its choices may cost too much time", pattern)
    return Work(choices, max(degree + scans, 1))


def _are_apart(alternatives: Sequence[Sequence[_Node]]) -> bool:
    """Return whether alternatives are plain texts in ASCII of which none begins with another in any case: at most one matches."""
    plain = [
        [chr(about).lower() for kind, about in each if kind is sre.LITERAL and about < 128]
        for each in alternatives
    ]
    texts = sorted(plain)
    is_plain = [*map(len, plain)] == [*map(len, alternatives)]
    return is_plain and all(one != other[: len(one)] for one, other in pairwise(texts))


def _ends(repeated: Any, following: _Node | None) -> bool:
    """Return whether a repetition is of one character, and another one follows that it cannot repeat with any flags."""
    if following is None or following[0] is not sre.LITERAL or len(repeated) != 1:
        return False
    kind, about = repeated[0]
    key = tuple(about) if kind is sre.IN else about
    return kind in _CHARACTERS and not _may_match(kind, key, chr(following[1]))


@lru_cache(maxsize=4096)
def _may_match(kind: Any, about: Any, character: str) -> bool:
    """Return whether a part that matches one character, as a pair, matches a certain one with any flags."""
    part = sre.SubPattern(sre.State(), [(kind, about)])
    return any(compiler.compile(part, flags | re.DOTALL).fullmatch(character) for flags in _FLAGS)
