"""A scheme in upper case.

What it does
    Reports schemes with letters in upper case.

Why it is bad
    Case does not count there, but the link is another string than the canonical one.

Example
    <a href="HTTP://example.org/">

Instead
    <a href="http://example.org/">, which `linkfix rewrite --normalize syntax` writes.
"""
