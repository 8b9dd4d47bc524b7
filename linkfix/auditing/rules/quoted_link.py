"""A link that begins with a quotation mark.

What it does
    Reports links whose first character is a quotation mark, straight or typographic.

Why it is bad
    It comes from quoting twice, or from a word processor that made the quotes pretty. The link is
    then relative, and leads nowhere.

Example
    <a href=“http://example.org/”>

Instead
    <a href="http://example.org/">
"""
