"""A word of several scripts outside of the host.

What it does
    Reports words of a path, query, fragment or user name with scripts that no writing system mixes.

Why it is bad
    One of the letters is hardly meant, and nobody who types the link from paper finds it.

Example
    <a href="/pаypal.html">, with a Cyrillic а

Instead
    One script for each word.
"""
