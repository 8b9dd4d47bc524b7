"""A mail address that lacks its scheme.

What it does
    Reports links that are nothing but a mail address.

Why it is bad
    They are relative references: the link leads to a file of that name beside the page.

Example
    <a href="info@example.org">

Instead
    <a href="mailto:info@example.org">
"""
