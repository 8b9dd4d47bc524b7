"""An entry of a sitemap or a feed for a page that names another canonical page.

What it does
    Reports entries of sitemaps (`loc`) and feeds (`link`) that lead to a page of the site whose canonical link leads to
    another one. It needs the address of the site (`--base`, `--host`) where the links are whole URLs.

Why it is bad
    The sitemap says that the page counts, and the page says that it does not.

Example
    <loc>https://www.example.org/a.html?print</loc> (which says: canonical is a.html)

Instead
    <loc>https://www.example.org/a.html</loc>
"""

from linkfix.auditing.base import shown
from linkfix.auditing.pages import PageHit, PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all documents of a site."""
    for path, mention in pages.entries:
        canonical = pages.canonical.get(mention.path)
        if canonical is not None:
            message = f"that page names another canonical one: {shown(canonical.target)}"
            yield PageHit(path, mention, message)
