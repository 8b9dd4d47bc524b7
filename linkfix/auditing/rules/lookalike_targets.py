"""Two targets of one site that look the same.

What it does
    Reports a link whose target looks like the different target of an earlier link of the same run: characters that
    look like ASCII replace the ASCII ones (the skeletons of UTS #39). Fragments are not compared.

Why it is bad
    Readers confuse one page with the other.

Example
    <a href="paypal.html"> and <a href="pаypal.html">, with a Cyrillic а

Instead
    Names that can be told apart.
"""

import re

from linkfix.auditing.rule import Comparison
from linkfix.iri import skeleton
from linkfix.iri.conversion import uri_to_iri

#: What a target has that is read as characters beyond ASCII.
_BEYOND_ASCII = re.compile("%[89A-Fa-f]|xn--")


def _form(target: str) -> str:
    if _BEYOND_ASCII.search(target) is None:
        return target
    return skeleton(uri_to_iri(target).text)


def _message(one: str, other: str) -> str | None:
    first, second = uri_to_iri(one).text, uri_to_iri(other).text
    return None if first == second else f"it looks like {first}, which is another target"


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(_form, _message)
