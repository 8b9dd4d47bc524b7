"""Two spellings of one target.

What it does
    Reports a link to the target of an earlier link of the same run, in another spelling, and names the
    rung of the comparison ladder that shows it. References are resolved first, so that relative and
    absolute ones are no aliases. Fragments are not compared, and SCH003 is about a slash that is missing after the host.

Why it is bad
    Caches, search engines, logs and visited-link colours read them as two pages.

Example
    <a href="http://example.org/~a"> and <a href="HTTP://Example.ORG:80/%7Ea">

Instead
    One spelling, which `linkfix rewrite --normalize scheme` writes.
"""

from linkfix.auditing.rule import Comparison, normal_form
from linkfix.iri import equivalent


def _message(one: str, other: str) -> str | None:
    shown = equivalent(one, other)
    is_slash = one.removesuffix("/") == other.removesuffix("/")
    if shown.outcome != "equivalent" or shown.rung == "simple" or is_slash:
        return None
    return f"another spelling of {one} ({shown.rung}-based normalization)"


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(normal_form, _message)
