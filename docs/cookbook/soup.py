"""Give the links of a BeautifulSoup tree new targets.

Prints:

    2 <a href="https://new.example/a%20b">1</a><img srcset="https://new.example/s.png 1x, /m.png 2x"/>
"""

from bs4 import BeautifulSoup

import linkfix
from linkfix import Link


def moved(link: Link) -> str | None:
    old, new = "http://www.example.jp/old/", "https://new.example/"
    return (
        link.resolved.replace(old, new) if link.resolved and link.resolved.startswith(old) else None
    )


soup = BeautifulSoup(
    b'<a href="old/a b">1</a><img srcset="/old/s.png 1x, /m.png 2x">', "html.parser"
)
count = linkfix.trees.rewrite_links(soup, base="http://www.example.jp/", each=moved)
print(count, soup)
