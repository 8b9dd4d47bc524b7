"""A label that looks like one in ASCII.

What it does
    Reports labels without a Latin letter all of whose characters look like one.

Why it is bad
    Nobody can tell such a name from the one it looks like.

Example
    <a href="http://сохо.example/">, all Cyrillic

Instead
    Check which host is meant.
"""
