"""What rules need of a value to find something in it.

The row of a rule says so (`rule_data.py`, `Rule.needs`); without it, a rule is asked about every value. Most values are
ordinary (`linkfix.iri.quick`), and no rule of spelling finds anything in them: such a row says ``odd``, and costs
them nothing.
"""

from linkfix.auditing.rule import Document
from linkfix.iri import chars
from linkfix.iri.quick import CANONICAL_URI, ORDINARY

#: The beginning of patterns that match no ordinary value.
ODD = rf"\A(?!(?:{ORDINARY.pattern})\Z)[\0-\U0010ffff]*?"


def odd(pattern: str) -> str:
    """Return a regular expression for values that are not ordinary and contain a pattern."""
    return f"{ODD}(?:{pattern})"


def unless_ordinary(_document: Document) -> None:
    """Need every link but those with an ordinary value whose base is that of the document."""


#: The beginning of an authority (RFC 3986, 3.2); browsers accept backslashes too.
HOST = odd(r"[/\\]{2}")
NOT_ASCII = odd(r"[^\0-\x7f]")
#: Characters that no IRI holds, or its query at most (3987bis, 2.2).
UNUSUAL = odd(chars.none_of("\0-\x7f" + chars.UCSCHAR))
#: Characters written from right to left (Bidi_Class R and AL), and some others of their blocks.
RIGHT_TO_LEFT = odd(r"[\u0590-\u08ff\u200f\ufb1d-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
#: Any character that is not visible ASCII; the space is one.
NOT_VISIBLE = odd(r"[^\x21-\x7e]")
#: The value is no canonical URI.
NOT_CANONICAL = odd(rf"\A(?!(?:{CANONICAL_URI})\Z)")
