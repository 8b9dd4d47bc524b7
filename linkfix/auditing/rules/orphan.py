"""A page that nothing links to.

What it does
    Reports pages of an audited folder to which no link of another document leads: no page, style sheet, feed or sitemap.
    The index page of the root, pages for errors (`404.html`), and those that lead on by themselves
    (`<meta http-equiv="refresh">`), are none. It needs a folder that is audited whole:
    links of documents that `--exclude` leaves out, and those that scripts make, are not known.

Why it is bad
    No reader finds it. It was forgotten when the site changed, or a link to it is missing.

Example
    old/draft.html (no document of the site has a link to it)

Instead
    A link to it, or no such file.
"""

import re

from linkfix.auditing.pages import PageHit, PageHits, Pages

#: The pages that servers show for errors.
_ERROR_PAGE = re.compile(r"(?:.*/)?[45](?:[0-9]{2}|xx|0x)\.x?html?", re.IGNORECASE | re.ASCII)


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path in pages.unlinked():
        if not _ERROR_PAGE.fullmatch(path):
            yield PageHit(path, None, "no other document of the site leads to this page")
