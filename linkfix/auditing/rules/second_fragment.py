"""A second number sign in a link.

What it does
    Reports each `#` after the one that begins the fragment.

Why it is bad
    A fragment cannot contain one. Browsers read it as part of the fragment, other readers cut the link
    off at the first or the last.

Example
    <a href="page.html#part#2">

Instead
    <a href="page.html#part%232">, which `linkfix rewrite` writes.
"""
