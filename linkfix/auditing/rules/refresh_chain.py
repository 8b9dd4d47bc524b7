"""A page that leads on by itself to a page that does so too.

What it does
    Reports `<meta http-equiv="refresh">` that leads to another page of the site with such an element: a chain, or a loop.
    A page that loads itself again is none.

Why it is bad
    Each step costs a whole page, and the button Back does not work; in a loop the reader never arrives.

Example
    <meta http-equiv="refresh" content="0; url=b.html"> (and in b.html: content="0; url=c.html")

Instead
    <meta http-equiv="refresh" content="0; url=c.html">, or a redirect of the server.
"""

from linkfix.auditing.pages import PageHit, PageHits, Pages

#: The most steps of a chain that are followed.
_MOST = 20


def check_pages(pages: Pages) -> PageHits:
    """Yield the hits in all pages of a site."""
    for path, mention in pages.refresh.items():
        met = [path]
        last = mention.path
        while last in pages.refresh and last not in met and len(met) <= _MOST:
            met.append(last)
            last = pages.refresh[last].path
        if last in met:
            yield PageHit(
                path, mention, f"these pages lead on for ever: {' → '.join([*met, last])}"
            )
        elif len(met) > 1:
            yield PageHit(path, mention, f"that page leads on: {' → '.join([*met, last])}")
