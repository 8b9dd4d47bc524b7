"""Parsing and converting links beside other libraries, as ratios within one run.

    python benchmarks/iri.py [--corpus FILE] [--seconds S]

The corpus is a file with a link a line, as it stands in a document with character references
resolved; without one a small corpus is made up. Each library does the work that its users call it for
when they want a valid URI. hyperlink, rfc3986, yarl, w3lib and ada-url must be installed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import ada_url
import hyperlink
import rfc3986
import yarl
from w3lib.url import safe_url_string

from linkfix import iri

Convert: TypeAlias = Callable[[str], object]

BASE = "http://example.com/a/b"
#: What is aimed at: (library, kind of link) and how many times its speed.
GOALS = {
    ("hyperlink", "canonical"): 10,
    ("rfc3986", "canonical"): 10,
    ("w3lib", "canonical"): 5,
    ("w3lib", "dirty"): 2,
}


def convert_with_rfc3986(text: str) -> object:
    return rfc3986.iri_reference(text).encode().normalize().unsplit()


#: The first is the one that the others are compared with.
LIBRARIES: dict[str, Convert] = {
    "linkfix": lambda text: iri.convert(text, to="uri").text,
    "hyperlink": lambda text: hyperlink.URL.from_text(text).to_uri().to_text(),
    "rfc3986": convert_with_rfc3986,
    "yarl": lambda text: str(yarl.URL(text)),
    "w3lib": safe_url_string,
    "ada-url": lambda text: ada_url.URL(text, BASE).href,
}


def made_up() -> list[str]:
    """Links of the kinds that pages have, in about their proportions."""
    chosen = random.Random(3987)
    words = ["news", "index.html", "img", "a-b_c", "2024", "archive", "über", "日本", "a b", "x|y"]
    weights = [9, 9, 9, 6, 6, 6, 1, 1, 1, 1]
    links = []
    for _ in range(2000):
        path = "/".join(chosen.choices(words, weights, k=chosen.randint(1, 4)))
        start = chosen.choice(["", "/", "../", "http://www.example.com/", "https://example.org/"])
        query = chosen.choice(["", "", "", "?id=%d&l=en" % chosen.randint(1, 99), "?q=é"])
        links.append(start + path + query + chosen.choice(["", "", "", "#top"]))
    return links


def speed(convert: Convert, links: list[str], seconds: float) -> tuple[float, int]:
    """Return links a second (median of rounds) and how many links it raised an error for."""
    usable = []
    for link in links:
        try:
            convert(link)
        except (ValueError, UnicodeError, rfc3986.exceptions.RFC3986Exception):
            continue
        usable.append(link)
    rates = []
    until = time.perf_counter() + seconds
    while len(rates) < 5 or time.perf_counter() < until:
        start = time.perf_counter()
        for link in usable:
            convert(link)
        rates.append(len(usable) / (time.perf_counter() - start))
    return statistics.median(rates), len(links) - len(usable)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a file with a link a line")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each library and kind")
    options = parser.parse_args()
    links = options.corpus.read_text("utf-8").split("\n") if options.corpus else made_up()
    links = [link for link in links if link]
    kinds: dict[str, list[str]] = {"canonical": [], "dirty": []}
    for link in links:
        clean = not iri.convert(link, to="uri").edits
        kinds["canonical" if clean else "dirty"].append(link)
    for kind, chosen in kinds.items():
        if not chosen:
            print(f"no {kind} links")
            continue
        print(
            f"\n{len(chosen)} {kind} links, {statistics.mean(map(len, chosen)):.0f} characters each"
        )
        print("library      links/s   linkfix is   goal   errors")
        reference = 0.0
        for name, convert in LIBRARIES.items():
            rate, errors = speed(convert, chosen, options.seconds)
            reference = reference or rate
            goal = GOALS.get((name, kind))
            aim = f"{goal}x" if goal else ""
            print(f"{name:10}{rate:10.0f}{reference / rate:12.2f}x{aim:>7}{errors:9}")


if __name__ == "__main__":
    main()
