"""A link that goes up beyond the root of the site.

What it does
    Reports relative links with more `..` than there are folders above the document in the folder that is audited.
    With `--base` the address of the site is known, and PTH003 does so for its host.

Why it is bad
    On a disk such a link leads to files that are not published; a server ignores the steps, and finds another file.

Example
    <img src="../../shared/logo.png"> (in a document at the root)

Instead
    Copy the file into the site, or audit the folder that is the root of the site.
"""
