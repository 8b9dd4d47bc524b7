"""Let Chromium judge what linkfix finds and rewrites in random tag soup around foreign content.

    python tools/differential/chromium_tree.py [--documents N] [--seed S] [--inputs FOLDER]

The documents and the verdict are those of tests/browser/soup.py. With --inputs, the inputs of html5lib's
tree-construction tests in that folder are judged, each with eight tails. A document that fails is printed, and
makes the exit status 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from browser.harness import Browser
from browser.soup import Figures, inputs, judge, soup, with_tails

BATCH = 500


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=Path)
    options = parser.parse_args()
    source = random.Random(options.seed)
    documents = (soup(source) for _ in range(options.documents))
    if options.inputs:
        documents = (each for text in inputs(options.inputs) for each in with_tails(text))
    figures, start = Figures(), time.monotonic()
    with Browser() as browser:
        while batch := list(islice(documents, BATCH)):
            judge(browser, batch, options.seed, figures)
    for document, problem in figures.failures:
        print(f"{document!r}\n    {problem}")
    print(f"seed {options.seed}: {dict(figures.counts)} in {time.monotonic() - start:.0f} s")
    return int(bool(figures.failures))


if __name__ == "__main__":
    sys.exit(main())
