"""Count the links of a site by the host that they lead to.

Prints:

    112 www.example.jp
    6 none
    4 xn--hxtr43dszbp4h.example
"""

from collections import Counter
from pathlib import Path

import linkfix
from linkfix import iri

hosts: Counter[str] = Counter()
for page in sorted(Path("shop").glob("page-*.html")):
    for link in linkfix.extract(page, base=f"http://www.example.jp/{page.name}"):
        if link.resolved:
            hosts[iri.parse(link.resolved).host or "none"] += 1
for host, count in hosts.most_common(3):
    print(count, host)
