"""Write the links to our hosts with https, wherever they are and however they are written.

Prints:

    <meta charset="shift_jis"><img src="https://img.example.jp/%E7%A9%BA.png"><a href="https://www.example.jp/?q=%8B%F3"><a href="http://other.example/">
"""

import linkfix
from linkfix import Link

OURS = ("http://www.example.jp/", "http://img.example.jp/")


def https(link: Link) -> str | None:
    resolved = link.resolved or ""
    return resolved.replace("http:", "https:", 1) if resolved.startswith(OURS) else None


page = '<meta charset="shift_jis"><img src="//img.example.jp/空.png"><a href="HTTP://www.Example.jp/?q=空">'
page += '<a href="http://other.example/">'
print(
    linkfix.rewrite(page.encode("shift_jis"), base="http://www.example.jp/", each=https).decode(
        "shift_jis"
    )
)
