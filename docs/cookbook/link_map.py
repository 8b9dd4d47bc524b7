"""Follow a link map: what moved, and where to.

Prints:

    <meta charset="utf-8"><a href="https://new.example/archive/a.html#x"> <a href="/other">
"""

import linkfix
from linkfix import LinkMap, Policy

moves = LinkMap.parse(
    "http://www.example.jp/old/,https://new.example/archive/,prefix\n", format="csv"
)
page = b'<meta charset="utf-8"><a href="old/a.html#x"> <a href="/other">'
print(
    linkfix.rewrite(
        page, base="http://www.example.jp/", policy=Policy(target=moves.follow)
    ).decode()
)
