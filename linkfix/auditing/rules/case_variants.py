"""Two targets that differ in letter case only.

What it does
    Reports a link which differs from an earlier one of the same run in the letter case of its path
    only. Fragments are not compared.

Why it is bad
    On a server whose file system tells case apart, one of the two leads nowhere; on others they are
    one page under two addresses.

Example
    <a href="Index.html"> and <a href="index.html">

Instead
    The case that the file has.
"""

from linkfix.auditing.rule import Comparison, case_form
from linkfix.iri import comparison_form


def _message(one: str, other: str) -> str | None:
    same = one.lower() == other.lower()
    if not same or comparison_form(one) == comparison_form(
        other
    ):  # SIT001 has spellings of one target
        return None
    return f"differs in letter case from {one}"


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(case_form, _message)
