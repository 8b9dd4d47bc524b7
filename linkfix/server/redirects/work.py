"""How much work a regular expression may cost: those of a server's files are not trusted.

Input: a regular expression of PCRE or Python. Output: an upper bound of the steps that a search takes, by the length of the
path. All searches for one path together take at most `MOST_STEPS`; where they could take more, the answer is unknown. Each repetition without an end multiplies the steps by the length of the path, unless a certain
character ends it that it cannot repeat. Alternatives and bounded repetitions multiply them by their number. A repetition
of choices has no bound. So some harmless expressions are refused, but none in Apache's documentation.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from linkfix.errors import UnreadableError

#: The most steps for one path, and the length from which paths are never searched.
MOST_STEPS = 10_000_000
#: The most regular expressions of one file: each is asked for each path.
MOST_EXPRESSIONS = 5000
_LONGEST = 65_536
_TOKEN = re.compile(
    r"""(?P<atom>\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\\.)|(?P<open>\((?:\?(?:P?<\w+>|<?[=!]|[A-Za-z^-]*:))?)|(?P<close>\))"""
    r"""|(?P<other>\|)|(?P<repeat>[*+?]|\{[0-9]*(?:,[0-9]*)?\})[?+]?|(?P<edge>[\^$])|(?P<char>.)""",
    re.DOTALL,
)
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9/_|-]+")
_ANCHORED = re.compile(r"(?:\(\?[a-z]+\))?(?:\^|\\A)")
#: A group again, of any length.
_AGAIN = re.compile(r"\\[1-9k]")
#: Comments, which may have parentheses.
_COMMENT = re.compile(r"\(\?(?:#|[A-Za-z]*x)")
_COUNTS = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")
_ENDLESS = 1 << 30


@dataclass(slots=True)
class _Group:
    """A group: where its content starts, how many alternatives it has, and whether it can match in several ways."""

    start: int
    alternatives: int = 1
    has_choice: bool = False


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
    re.compile(pattern)
    if _COMMENT.search(pattern):
        raise re.error("it may have comments", pattern)
    tokens = [*_TOKEN.finditer(pattern)]
    degree, choices = 0, 1
    #: 1 if there are repetitions that a certain character ends: all of them together are one scan.
    scans = 0
    groups = [_Group(0)]
    closed = groups[0]
    for index, token in enumerate(tokens):
        kind = token.lastgroup
        if kind == "open":
            groups.append(_Group(token.end()))
        elif kind == "other":
            groups[-1].alternatives += 1
        elif kind == "close" and len(groups) > 1:
            closed = groups.pop()
            if closed.alternatives > 1 and not _is_list(pattern[closed.start : token.start()]):
                choices *= closed.alternatives
                closed.has_choice = True
            groups[-1].has_choice |= closed.has_choice
        elif kind == "repeat" and index:
            least, most = _counts(token["repeat"])
            is_group = tokens[index - 1].lastgroup == "close"
            if is_group and closed.has_choice and most > 1:
                raise re.error("a repetition of choices may cost any time", pattern)
            if most == _ENDLESS and not is_group and _ends(tokens, index):
                scans = 1
                continue
            if most == _ENDLESS:
                degree += 1
            else:
                choices *= most - least + 1
            groups[-1].has_choice |= least < most
        elif _AGAIN.match(token[0]):
            degree += 1
    choices *= groups[0].alternatives
    if groups[0].alternatives > 1 or not _ANCHORED.match(pattern):
        degree += 1  # a search begins at each character
    if choices > MOST_STEPS:
        raise re.error("its choices may cost too much time", pattern)
    return Work(choices, max(degree + scans, 1))


def _counts(repeat: str) -> tuple[int, int]:
    """Return the least and the greatest number of a repetition."""
    found = _COUNTS.fullmatch(repeat)
    if found is None:
        return {"*": (0, _ENDLESS), "+": (1, _ENDLESS)}.get(repeat, (0, 1))
    least = int(found[1] or 0)
    return least, least if found[2] is None else int(found[3] or _ENDLESS)


def _is_list(content: str) -> bool:
    """Return whether alternatives are plain texts of which none begins with another, so that at most one matches."""
    texts = sorted(content.split("|"))
    is_plain = _PLAIN_TEXT.fullmatch(content) is not None
    return is_plain and not any(map(str.startswith, texts[1:], texts))


def _ends(tokens: list[re.Match[str]], index: int) -> bool:
    """Return whether a character must follow the repetition at `index` that it cannot repeat."""
    repeated = tokens[index - 1]
    for following, after in zip(tokens[index + 1 :], [*tokens[index + 2 :], None], strict=False):
        if following.lastgroup == "close":
            continue
        text = following[0].removeprefix("\\")
        is_character = following.lastgroup == "char" and text != "."
        is_character |= following.lastgroup == "atom" and len(text) == 1 and not text.isalnum()
        if not is_character or (after is not None and after.lastgroup == "repeat"):
            return False
        return re.fullmatch(repeated[0], text, re.IGNORECASE | re.ASCII) is None
    return False
