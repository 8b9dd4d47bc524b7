"""A percent sign that begins no percent-encoding.

What it does
    Reports a `%` that is not followed by two hexadecimal digits.

Why it is bad
    No URI or IRI may contain one. Servers disagree on what it means: some send it as it is, others
    answer "400 Bad Request". `%u1234` has a rule of its own.

Example
    <a href="/100%.html">

Instead
    <a href="/100%25.html">, which `linkfix rewrite` writes.
"""
