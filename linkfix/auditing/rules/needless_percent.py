"""A percent-encoding that nothing asks for.

What it does
    Reports percent-encoded ASCII letters and digits, and `-`, `.`, `_` and `~`.

Why it is bad
    These never need it, and the link is another string than the one without.

Example
    <a href="/%7Euser/">

Instead
    <a href="/~user/">, which `linkfix rewrite --normalize syntax` writes.
"""
