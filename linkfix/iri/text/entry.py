"""Convert text that people typed or pasted to a reference (3987bis, 8.2). Nothing is looked up."""

import re
from typing import Final, Literal

from linkfix.iri import chars
from linkfix.iri.arguments import need, need_text
from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.ucd import to_nfc

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
    need(("keep", "remove"), blanks=blanks)
    need_text(text=text)
    if controls:
        text = _CONTROLS.sub("", text)
    if widths:
        text = _WIDTHS.sub(lambda found: ucd.normalize("NFKC", found[0]), text)
    text = text.strip(" \t\n\r\f")
    if blanks == "remove":
        text = re.sub("[ \t\n\r\f]+", "", text)
    # The last step: what was apart can be composed once nothing is between.
    return to_nfc(text) if nfc else text
