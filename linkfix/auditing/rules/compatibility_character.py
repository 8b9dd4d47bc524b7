"""A character that has a plainer equivalent.

What it does
    Reports characters that Unicode's normalization form KC replaces: full-width letters, ligatures,
    superscripts, circled numbers.

Why it is bad
    A reader sees the plain ones and types another link.

Example
    <a href="/ＡＢＣ">

Instead
    The plain characters where you rule the server; percent-encoded where you do not.
"""
