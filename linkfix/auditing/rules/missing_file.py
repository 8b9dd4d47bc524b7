"""A link to a file that does not exist.

What it does
    Reports links of a folder's documents to a path of the site where there is no file and no folder. Links to other
    sites are not followed. `--served` names the paths that programs answer.

Why it is bad
    Whoever follows the link gets the answer 404; a missing image, style sheet or script makes a page that is broken.

Example
    <a href="old/instal.html">

Instead
    A link to a file that exists. Files of the same name in other folders are named.
"""
