"""Convert a page to UTF-8; queries keep the charset that the server expects, and one folder moves.

Prints:

    <meta charset="utf-8"><a href="?q=%8B%F3">空</a> <a href="/new/空">x</a>
"""

import linkfix
from linkfix import Link


def moved(link: Link) -> str | None:
    old, new = "http://www.example.jp/old/", "http://www.example.jp/new/"
    return (
        link.resolved.replace(old, new) if link.resolved and link.resolved.startswith(old) else None
    )


page = '<meta charset="shift_jis"><a href="?q=空">空</a> <a href="/old/空">x</a>'.encode(
    "shift_jis"
)
print(linkfix.transcode(page, base="http://www.example.jp/", to="iri", each=moved).decode())
