"""Rewrite the links to one host, and no others.

Prints:

    <meta charset="utf-8"><a href="/a%20b">ours</a> <a href="http://other.example/c d">theirs</a>
"""

import linkfix
from linkfix import Keep, Link


def ours(link: Link) -> type[Keep] | None:
    return None if link.resolved and link.resolved.startswith("http://www.example.jp/") else Keep


page = (
    b'<meta charset="utf-8"><a href="/a b">ours</a> <a href="http://other.example/c d">theirs</a>'
)
print(linkfix.rewrite(page, base="http://www.example.jp/", each=ours).decode())
