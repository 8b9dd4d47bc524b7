"""A bidirectional formatting character in a link.

What it does
    Reports left-to-right and right-to-left marks, embeddings, overrides and isolates inside a
    link. Percent-encoded ones have a rule of their own.

Why it is bad
    They make a link look like another one, and cannot be typed from what is seen. No IRI may contain
    them.

Example
    <a href="/&#x202E;gnp.exe">, which looks like /exe.png

Instead
    Leave them out. `linkfix rewrite` percent-encodes them, and never decodes them.
"""
