"""A link to a file on one machine.

What it does
    Reports links with the scheme file, and paths that begin with a drive letter.

Why it is bad
    They lead to the reader's own disk, where nobody else has that file; and browsers refuse to
    follow them from the web.

Example
    <a href="file:///C:/My%20Documents/plan.html">

Instead
    A relative reference: <a href="plan.html">
"""
