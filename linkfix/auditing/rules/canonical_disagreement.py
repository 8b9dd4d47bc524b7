"""A page that says two things of its own address.

What it does
    Reports `og:url`, and a second canonical link, that lead elsewhere than the first canonical link of the page.

Why it is bad
    Search engines and social networks count two pages where there is one, or ignore what the page says.

Example
    <link rel="canonical" href="https://www.example.org/a"> <meta property="og:url" content="https://www.example.org/b">

Instead
    The same address in both.
"""

from linkfix.auditing.base import shown
from linkfix.auditing.pages import PageHit, PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path, mention, canonical in pages.contradictions:
        yield PageHit(
            path, mention, f"the canonical address of the page is another: {shown(canonical)}"
        )
