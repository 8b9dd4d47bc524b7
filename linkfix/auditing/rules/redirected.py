"""A link to a place from which the server redirects.

What it does
    Reports links into the site that the server redirects: by a rule in the files that `--server-config` names, in
    `_redirects` or in a `.htaccess` file of the site, and from a folder without its slash at the end. The place to
    which the last redirect leads is named. TGT001 and TGT005 report redirects that lead to nothing. `--fix` rewrites the
    link where all redirects are for good, and certain; with `--fix-temporary` those for the time being too.

Why it is bad
    Every visit needs one more request, and the link breaks when the redirect is removed.

Example
    <a href="old.html"> (the server says: 301, new.html)

Instead
    <a href="new.html">
"""
