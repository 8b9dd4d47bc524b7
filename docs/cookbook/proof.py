"""Prove by other parsers that a rewrite moved no link; show the first difference where one did.

Prints:

    None
    True
"""

import linkfix

page = b'<meta charset="utf-8"><a href="/a b?x=1&amp;y=2">x</a>'
new = linkfix.rewrite(page)
print(linkfix.verify(page, new, base="http://www.example.jp/"))
difference = linkfix.verify(page, new.replace(b"y=2", b"y=3"), base="http://www.example.jp/")
print(difference is not None)
