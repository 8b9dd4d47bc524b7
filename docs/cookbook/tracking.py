"""Take the parameters of a tracker out of every link.

Prints:

    <meta charset="utf-8"><a href="/a?id=1"> <a href="/b#top">
"""

import linkfix
from linkfix import Link
from linkfix.iri import URL


def untracked(link: Link) -> str | None:
    url = URL.parse(link.resolved or "")
    if url is None or "utm_" not in (url.query or ""):
        return None
    kept = [part for part in (url.query or "").split("&") if not part.startswith("utm_")]
    return str(url.with_query("&".join(kept) or None))


page = (
    b'<meta charset="utf-8"><a href="/a?utm_source=mail&amp;id=1"> <a href="/b?utm_medium=x#top">'
)
print(linkfix.rewrite(page, base="http://www.example.jp/", each=untracked).decode())
