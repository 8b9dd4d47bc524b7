"""What rules need of a value to find something in it.

The row of a rule says so (`rule_data.py`, `Rule.needs`); without it, a rule is asked about every value. Most values are
ordinary (`linkfix.iri.quick`), and no rule of spelling finds anything in them: such a row begins with a word of `ODD`, and costs
them nothing. A value is searched for the pattern of a row only where it contains what the word says.
"""

from linkfix.auditing.rule import Document
from linkfix.iri import chars
from linkfix.iri.quick import CANONICAL_URI, ORDINARY

#: What the values that are not ordinary contain, by the first word of a row; browsers accept backslashes in front of a host too
#: (RFC 3986, 3.2).
ODD = {"odd": "", "percent": "%", "colon": ":", "host": r"[/\\]{2}", "foreign": r"[^\0-\x7f]"}
#: The beginnings of patterns that match no ordinary value, and no value that lacks what the word says.
_BEGINNINGS = {
    word: rf"\A(?!(?:{ORDINARY.pattern})\Z)(?=[\0-\U0010ffff]*?{contained})[\0-\U0010ffff]*?"
    for word, contained in ODD.items()
}


def odd(pattern: str, word: str = "odd") -> str:
    """Return a regular expression for values that are not ordinary and contain a pattern, and what a word of `ODD` says."""
    return f"{_BEGINNINGS[word]}(?:{pattern})"


def parts(needs: str) -> tuple[str, str]:
    """Return the word and the pattern of `odd`; "" and the pattern for another one."""
    for word, beginning in _BEGINNINGS.items():
        if needs.startswith(beginning):
            return word, needs.removeprefix(beginning)
    return "", needs


def unless_ordinary(_document: Document) -> None:
    """Need every link but those with an ordinary value whose base is that of the document."""


#: Characters that no IRI holds, or its query at most (3987bis, 2.2).
UNUSUAL = odd(chars.none_of("\0-\x7f" + chars.UCSCHAR), "foreign")
#: Any character that is not visible ASCII; the space is one.
NOT_VISIBLE = odd(r"[^\x21-\x7e]")
#: The value is no canonical URI.
NOT_CANONICAL = odd(rf"\A(?!(?:{CANONICAL_URI})\Z)")
