r"""A backslash in a link.

What it does
    Reports each backslash.

Why it is bad
    No URI or IRI may contain one. Before the query, browsers read it as a slash; every other reader
    asks for a file with a backslash in its name.

Example
    <a href="images\logo.png">

Instead
    <a href="images/logo.png">, which `linkfix rewrite` writes.
"""
