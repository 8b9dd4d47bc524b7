"""Make every link of a page absolute, for a feed or a mail.

Prints:

    <meta charset="utf-8"><a href="http://www.example.jp/blog/a%20b"> <img srcset="http://www.example.jp/blog/post/s.png 1x, http://www.example.jp/m.png 2x"> <a href="#top">
"""

import linkfix
from linkfix import Policy

page = b'<meta charset="utf-8"><a href="../a b"> <img srcset="s.png 1x, /m.png 2x"> <a href="#top">'
print(
    linkfix.rewrite(
        page, base="http://www.example.jp/blog/post/", policy=Policy(style="absolute")
    ).decode()
)
