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

from linkfix.auditing.pages import PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Return the hits in all documents of a site."""
    return pages.not_canonical(pages.entries)
