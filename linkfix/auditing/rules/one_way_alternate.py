"""A version in another language that does not point back.

What it does
    Reports `<link rel="alternate" hreflang="…">` to a page of the site that has no such link back.

Why it is bad
    Search engines ignore alternates that do not confirm each other.

Example
    <link rel="alternate" hreflang="de" href="de.html"> (and de.html has no link to this page)

Instead
    The same list of versions in each of them.
"""

from linkfix.auditing.pages import PageHit, PageHits, Pages


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path, mentions in pages.alternates.items():
        for mention in mentions:
            back = pages.alternates.get(mention.path, ())
            if mention.path in pages and all(each.path != path for each in back):
                yield PageHit(path, mention, "that version does not point back to this one")
