"""A character written as %u and four digits.

What it does
    Reports `%u00E4` and the like, which JavaScript's `escape` writes.

Why it is bad
    It was never part of any standard. Servers accept it as it is or answer "400 Bad Request".

Example
    <a href="/caf%u00E9">

Instead
    <a href="/caf%C3%A9">. `linkfix rewrite` writes `%25u00E9`, which keeps the link going where it
    went.
"""
