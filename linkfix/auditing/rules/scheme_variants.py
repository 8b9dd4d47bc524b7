"""One target by http and by https.

What it does
    Reports a link that differs from an earlier one of the same run only by http instead of https, or
    the reverse. Fragments are not compared.

Why it is bad
    The two are different pages to caches and search engines, and the one by http can be read and
    changed on the way.

Example
    <a href="http://example.org/"> and <a href="https://example.org/">

Instead
    https, each time.
"""

from linkfix.auditing.rule import Comparison, without_scheme


def _message(one: str, other: str) -> str | None:
    schemes = {one.partition(":")[0], other.partition(":")[0]}
    return f"differs in its scheme only from {one}" if schemes == {"http", "https"} else None


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(without_scheme, _message)
