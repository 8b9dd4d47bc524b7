"""Convert generated strings in every mode: none is invalid, none changes a second time, none moves.

    python tools/differential/conversion.py [--strings N] [--seed N]

The strings are put together from pieces that mean something to some part of the engine. Validity is judged by the
grammar of the engine itself (the tests hold it against two other packages), the place that a link leads to by
ada-url. The same strings are links of a page too, whose `resolved` must be what ada-url serializes, but for
percent-encoding that RFC 3986 asks for. Every fault is printed and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import linkfix
from linkfix.charset import lookup
from linkfix.iri import convert, violations

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

ENCODERS = (
    *(None, None, None),
    *(lookup(label).encode for label in ("windows-1252", "shift_jis", "iso-2022-jp")),
)
MORE = (
    "\u0338",
    "<",
    "*",
    "\\",
    "%CC%81",
    "%a4",
    "%ca%a4",
    "\x81",
    "\x1f",
    "|",
    "\u1e9e",
    "\u115f",
)
#: What no character reference of HTML writes, or a reader of HTML or of URLs replaces.
NOT_IN_PAGES = frozenset({"\x00", "\r", "\ud800", *map(chr, range(0x80, 0xA0))})
#: Bases of documents.
DOCUMENTS = (
    *(
        "http://h.example/d/f?q",
        "https://h.example",
        "http://u:p@h.example:8080/a/b/",
        "file:///d/f",
    ),
    *("ftp://h.example/x/y", "ws://h.example/q", "foo://h/a/b", "file:///C:/a/b"),
)
#: Bases of every kind that an unknown base may have.
UNKNOWN = ("http://h/d/f?q", "https://g/x")


def faults(count: int, seed: int, outcomes: Counter[str]) -> Iterator[str]:
    """Yield the faults, and count the results of the strings."""
    from iri.browser import destination
    from iri.strategies import BASES, PIECES, STARTS

    rng = random.Random(seed)
    pieces = (*PIECES, *MORE)
    for _ in range(count):
        text = rng.choice(STARTS) + "".join(rng.choices(pieces, k=rng.randint(0, 9)))
        base = rng.choice(BASES)
        options: dict[str, Any] = {
            "to": rng.choice(("uri", "iri")),
            "base": base,
            "syntax": rng.choice(("web", "web", "web", "leiri", "iri")),
            "query_encoder": rng.choice(ENCODERS),
            "normalize": rng.choice(("none", "none", "none", "syntax", "scheme")),
            "nfc": rng.random() < 0.2,
        }
        found = convert(text, **options)
        if not found.ok:
            outcomes["refused"] += 1
            continue
        outcomes["changed" if found.edits else "left"] += 1
        again = convert(found.text, **options)
        if not again.ok or again.text != found.text:
            yield f"not idempotent: {text!r} {options}: {found.text!r}, then {again.text!r}"
        if violations(found.text, syntax=options["to"]):
            yield f"invalid: {text!r} {options}: {found.text!r}"
        if options["syntax"] != "web" or options["query_encoder"] or options["nfc"]:
            continue
        outcomes["judged by ada-url"] += 1
        for known in (base,) if base else UNKNOWN:
            if destination(text, known) != destination(found.text, known):
                yield f"moved: {text!r} below {known} {options}: {found.text!r}"


def faults_of_links(count: int, seed: int, outcomes: Counter[str]) -> Iterator[str]:
    """Yield the faults of `Link.resolved`, for so many references below each of `DOCUMENTS`."""
    from iri.browser import destination, parse
    from iri.strategies import PIECES, STARTS

    rng = random.Random(seed)
    pieces = [each for each in (*PIECES, *MORE) if not NOT_IN_PAGES & {*each}]
    texts = [
        rng.choice(STARTS) + "".join(rng.choices(pieces, k=rng.randint(0, 6))) for _ in range(count)
    ]
    values = ("".join(f"&#{ord(char)};" for char in text) for text in texts)
    page = "".join(["<meta charset=utf-8>", *(f'<a href="{value}">' for value in values)])
    for base in DOCUMENTS:
        for text, link in zip(texts, linkfix.extract(page.encode(), base=base), strict=True):
            outcomes["links" if link.resolved else "links without a target"] += 1
            if link.resolved is None:
                continue
            if parse(link.resolved, None) != link.resolved:
                yield f"not serialized: {text!r} below {base}: {link.resolved!r}"
            elif destination(text, base) != destination(link.resolved, None):
                yield f"elsewhere: {text!r} below {base}: {link.resolved!r}"


def main() -> int:
    """Convert strings and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--strings", type=int, default=1_000_000)
    parser.add_argument("--links", type=int, default=5_000, help="references below each base")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes = Counter[str]()
    wrong = 0
    for fault in (
        *faults_of_links(options.links, options.seed, outcomes),
        *faults(options.strings, options.seed, outcomes),
    ):
        wrong += 1
        print(fault)
    for name, number in outcomes.items():
        print(f"{number:10,}  {name}")
    print(f"{wrong:10,}  faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
