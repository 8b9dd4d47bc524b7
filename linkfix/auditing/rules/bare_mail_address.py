"""A mail address that lacks its scheme.

What it does
    Reports links that are nothing but a mail address.

Why it is bad
    They are relative references: the link leads to a file of that name beside the page.

Example
    <a href="info@example.org">

Instead
    <a href="mailto:info@example.org">
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(
    r"\A[\0-\x20]*([A-Za-z0-9._+\-]+@(?:[A-Za-z0-9\-]+\.)+"
    r"(?!(?:png|jpe?g|gif|svg|webp|avif|css|js|html?|pdf|json)\b)[A-Za-z]{2,})[\0-\x20]*\Z",
    "no mailto: stands before this address",
)
