"""A link that lacks its scheme.

What it does
    Reports links that begin with `www.` and a host, or with `http` and slashes but no colon.

Why it is bad
    They are relative references: the link leads to a file of that name beside the page.

Example
    <a href="www.example.org/">, <a href="http//example.org/">

Instead
    <a href="http://www.example.org/">
"""
