"""A dot segment that is percent-encoded.

What it does
    Reports segments such as `%2e%2e`.

Why it is bad
    Browsers read them as dot segments, others as names. They are a way to get around filters.

Example
    <a href="/a/%2e%2e/b">

Instead
    <a href="/b">
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(
    r"(?<![^/])(?=\.?%)(?:\.|%2[Ee]){1,2}(?![^/])",
    "{0} counts as a dot segment",
    component="path",
)
