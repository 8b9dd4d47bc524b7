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

from linkfix.auditing.pages import PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Return the hits in all pages of a site."""
    return pages.not_canonical(pages.canonical.items())
