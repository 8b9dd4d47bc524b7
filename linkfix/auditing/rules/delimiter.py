"""A character that ends links in text.

What it does
    Reports `<`, `>` and `"` in a link.

Why it is bad
    They are what links in text and in markup are delimited by, so no URI or IRI contains them. Often a
    quote or a bracket was left out next to it, and the link swallowed what follows.

Example
    <a href='/say?"hello"'>

Instead
    <a href="/say?%22hello%22">, which `linkfix rewrite` writes.
"""
