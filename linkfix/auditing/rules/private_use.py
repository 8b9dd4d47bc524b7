"""A private use character outside the query.

What it does
    Reports private use characters in a link where no IRI may contain them.

Why it is bad
    They mean something to one font or one system only, and nothing to anybody else.

Example
    <a href="/&#xE000;">

Instead
    The character that was meant. `linkfix rewrite` percent-encodes it.
"""
