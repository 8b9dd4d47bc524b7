"""Hold links in plain text against tests/iri/judged_links.tsv, beside linkify-it-py, which must be installed.

    python tools/differential/plain_text.py

Printed is for each language how many references there are, how many of them each finds with both ends, and how many
spans it finds that are none.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from linkify_it import LinkifyIt

from linkfix.iri import find

if TYPE_CHECKING:
    from collections.abc import Callable

Spans = set[tuple[int, int]]

CORPUS = Path(__file__).parents[2] / "tests" / "iri" / "judged_links.tsv"
LIBRARIES: dict[str, Callable[[str], Spans]] = {
    "linkfix": lambda text: {link[:2] for link in find(text)},
    "linkify-it-py": lambda text: {
        (link.index, link.last_index) for link in LinkifyIt().match(text) or ()
    },
}


def main() -> None:
    """Print the figures."""
    counts = Counter[tuple[str, str]]()
    for line in CORPUS.read_text("utf-8").splitlines():
        language, _, marked, _ = next(csv.reader([line], delimiter="\t", quoting=csv.QUOTE_NONE))
        text = re.sub("[⸠⸡]", "", marked)
        # The first mark has none in front of it, the second one has one, and so on.
        marks = [found.start() - i for i, found in enumerate(re.finditer("[⸠⸡]", marked))]
        expected: Spans = {*zip(marks[::2], marks[1::2], strict=True)}
        for name, spans in LIBRARIES.items():
            found = spans(text)
            for place in (language, "all"):
                counts[place, "references"] += len(expected) * (name == "linkfix")
                counts[place, name] += len(expected & found)
                counts[place, f"{name} wrongly"] += len(found - expected)
    columns = ("references", *(name + tail for name in LIBRARIES for tail in ("", " wrongly")))
    print("language  ", *(f"{name:>22}" for name in columns))
    for place in sorted({place for place, _ in counts}, key=lambda place: (place == "all", place)):
        print(f"{place:10}", *(f"{counts[place, name]:22}" for name in columns))


if __name__ == "__main__":
    main()
