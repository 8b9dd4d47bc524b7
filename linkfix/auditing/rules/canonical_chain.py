"""A canonical link to a page that names another canonical page.

What it does
    Reports `<link rel="canonical">` that leads to a page of the site which names yet another one as canonical. It needs a
    folder, and the address of the site (`--base`, `--host`) where the links are whole URLs.

Why it is bad
    Search engines follow one step, or ignore both links: it is not clear which of three pages is meant.

Example
    <link rel="canonical" href="b.html"> (and in b.html: <link rel="canonical" href="c.html">)

Instead
    <link rel="canonical" href="c.html">
"""

from linkfix.auditing.base import shown
from linkfix.auditing.pages import PageHit, PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path, mention in pages.canonical.items():
        following = pages.canonical.get(mention.path)
        if following is not None:
            message = f"that page names another canonical one: {shown(following.target)}"
            yield PageHit(path, mention, message)
