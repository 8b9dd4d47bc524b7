"""Text that people typed, pasted or wrote: convert it to a reference, or find references in it (3987bis, 8.2 and 8.3).

Input: text. Output: text or spans. Nothing is looked up. A reference in running text ends at white space, at a
delimiter of RFC 3986, Appendix C, or at punctuation of the sentence; a character beyond ASCII does not end it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from linkfix.iri import chars
from linkfix.iri.nfc import to_nfc
from linkfix.iri.scheme_data import HIERARCHICAL
from linkfix.iri.scheme_rules import RULES

if TYPE_CHECKING:
    from linkfix.iri.layout import Span

__all__ = ["find", "typed"]

#: Formatting characters of 4.1 and the ones that Unicode has got since.
_CONTROLS: Final = re.compile(f"[{chars.BIDI_FORMATTING}\u061c\u2066-\u2069]+")
#: Full-width forms of ASCII, half-width forms of others, and the ideographic space.
_WIDTHS: Final = re.compile("[\uff01-\uffee\u3000]+")


def typed(
    text: str,
    *,
    nfc: bool = True,
    widths: bool = True,
    controls: bool = True,
    blanks: Literal["keep", "remove"] = "keep",
) -> str:
    """Return the reference that a person entered (3987bis, 3.1 and 8.2; url-i18n-07, 4.2; weber, 4).

    Args:
        text: from a keyboard, a clipboard or paper.
        nfc: normalize it to Normalization Form C, as 3.1 demands for text from paper or speech.
        widths: write full-width forms of ASCII as ASCII, half-width forms of other scripts in full.
        controls: remove the characters that only control the display of text.
        blanks: ``remove`` to remove blocks of inner white space, the traces of a line break (weber, 4.2).

    Returns:
        The text without white space at its ends.

    """
    if controls:
        text = _CONTROLS.sub("", text)
    if widths:
        text = _WIDTHS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = text.strip(" \t\n\r\f")
    if blanks == "remove":
        text = re.sub("[ \t\n\r\f]+", "", text)
    # The last step: what was apart can be composed once nothing is between.
    return to_nfc(text) if nfc else text


#: RFC 3986, Appendix C: what encloses a reference in text, and quotation marks of other languages.
_END: Final = '\\x00-\\x20<>"\x7f-\xa0\u2028\u2029\u3000«»“”„‟‹›「」『』【】\ud800-\udfff'
#: Punctuation that belongs to the sentence at the end of a reference.
_PUNCTUATION: Final = ".,;:!?'…。、，．；：！？*_~"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted({*HIERARCHICAL, *RULES} - {"javascript", "data"}, key=len, reverse=True)
    schemes = "|".join(map(re.escape, names))
    head = rf"(?:{schemes}):|www\.(?!\.)"
    return re.compile(rf"(?:(?<![A-Za-z0-9_@./:%-])|(?<=URL:))({head})[^{_END}]+", re.IGNORECASE)


def find(text: str) -> list[Span]:
    """Find the IRIs in plain text (3987bis, 8.3; RFC 3986, Appendix C).

    Args:
        text: of a message or document without markup.

    Returns:
        The spans, in code points. ``URL:`` in front is left out, and so are brackets that open before a
        reference and close after it. What begins with ``www.`` is found too, though it has no scheme.

    """
    found = []
    for match in _pattern().finditer(text):
        start, end = match.span()
        counts = Counter(text[start:end])
        while end > start:
            last = text[end - 1]
            opening = _BRACKETS.get(last)
            if opening is not None:
                if counts[last] <= counts[opening]:
                    break
            elif last not in _PUNCTUATION:
                break
            counts[last] -= 1
            end -= 1
        if end > match.end(1):
            found.append((start, end))
    return found
