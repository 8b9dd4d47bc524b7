"""Say which links a rewrite leaves, and why.

Prints:

    1:32: http://[: '[' is no IPv6 address
    2:10: {{ url }}: it is a template, to be filled in by a program
"""

import linkfix
from linkfix import Outcome


def left(outcome: Outcome) -> None:
    if outcome.kept:
        print(f"{outcome.link.line}:{outcome.link.column}: {outcome.link.value}: {outcome.kept}")


page = b'<meta charset="utf-8"><a href="http://[">\n<a href="{{ url }}">\n<a href="/a b">'
linkfix.rewrite(page, on_change=left)
