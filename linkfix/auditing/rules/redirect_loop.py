"""A link whose redirects never end.

What it does
    Reports links into the site from which the redirects of the server (see TGT007) lead back to a place that they have
    been to, or go on for more than 20 steps.

Why it is bad
    No browser shows anything but an error.

Example
    <a href="a.html"> (a.html is redirected to b.html, and b.html to a.html)

Instead
    Correct the redirects, or lead the link to where a document is.
"""
