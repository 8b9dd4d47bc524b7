"""A script or style sheet that has another hash than the page names.

What it does
    Reports a `script`, or a `link` to a style sheet, preload or module, whose `integrity` names another hash than the file of
    the site has. Of several hashes those of the strongest algorithm count, and one of them has to match. What no browser reads
    as a hash checks nothing, and is not reported.

Why it is bad
    Browsers refuse the file: the script does not run, the sheet has no effect. Every change of the file does this, also that of a link
    in it: by `linkfix rewrite`, `migrate` or `mv`, or of its line ends.

Example
    <script src="app.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="> (and app.js is not empty)

Instead
    The hash that the message names, once the file is known to be the right one; or no `integrity` for files of the own site.
"""

from linkfix.auditing.pages import PageHit, PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path, mention, own in pages.refused:
        yield PageHit(path, mention, f"browsers refuse this file: its hash is {own}")
