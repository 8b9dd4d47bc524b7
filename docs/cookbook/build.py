"""Fail a build if links of its pages have errors.

Prints:

    [('DEL002', 25), ('DEL003', 12)] failed
"""

from collections import Counter
from pathlib import Path

import linkfix

counts: Counter[str] = Counter()
for page in sorted(Path("shop").glob("*.html")):
    counts.update(finding.code for finding in linkfix.audit(page) if finding.severity == "error")
print(counts.most_common(2), "failed" if counts else "passed")
