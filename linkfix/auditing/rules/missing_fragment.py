"""A fragment that no element of another document has for its id.

What it does
    Reports links to a fragment of another document of the site, if that document has no `id`, and no `name` of an
    `a`, with its value. It looks into HTML, XHTML and SVG. REF002 does so for fragments of the same document.

Why it is bad
    The link leads to the top of the document, and not to the place that was meant.

Example
    <a href="guide.html#instalation"> (the id is installation)

Instead
    <a href="guide.html#installation">
"""
