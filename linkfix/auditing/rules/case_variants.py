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
from linkfix.policy.bases import same


def _message(one: str, other: str) -> str | None:
    # SIT001 has the spellings of one target.
    differs = one.lower() == other.lower() and not same(one, other)
    return f"differs in letter case from {one}" if differs else None


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(case_form, _message)
