"""Parsing and converting links beside other libraries, as ratios within one run.

    python benchmarks/conversion.py [--corpus FILE] [--seconds S]

The corpus is a file with a link a line, as it stands in a document with character references
resolved; without one a small corpus is made up. Each library does what its users call for
a valid URI; yarl and linkfix remember what they have seen. "many" is `convert_many` of all links, and "columns" what a
rewrite of documents does with many values at once, both beside ada-url, with links that are new in each round. Behind it
comparisons of neighbours, and of two spellings of a link, for the other libraries what their users compare; there too each
link is new in each round. All is processor time. hyperlink, rfc3986, yarl, w3lib and ada-url must
be installed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import ada_url
import hyperlink
import rfc3986
import yarl
from w3lib.url import safe_url_string

from linkfix import iri
from linkfix.iri.quick import plain_uris

Convert: TypeAlias = Callable[[str], object]

BASE = "http://example.com/a/b"


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


#: Of two links: whether they are the same.
COMPARISONS: dict[str, Callable[[str, str], object]] = {
    "equivalent": lambda one, other: iri.equivalent(one, other).outcome,
    "below a base": lambda one, other: iri.equivalent(one, other, base=BASE).outcome,
    "normalize": lambda one, other: iri.normalize(one) == iri.normalize(other),
    "hyperlink": lambda one, other: (
        hyperlink.URL.from_text(one).normalize() == hyperlink.URL.from_text(other).normalize()
    ),
    "rfc3986": lambda one, other: rfc3986.uri_reference(one) == rfc3986.uri_reference(other),
    "yarl": lambda one, other: yarl.URL(one) == yarl.URL(other),
    "ada-url": lambda one, other: ada_url.URL(one, BASE).href == ada_url.URL(other, BASE).href,
}


def respelled(link: str) -> str:
    """Write a link of `made_up` in another way."""
    for old, new in (("http://www.example.com", "HTTP://WWW.Example.COM:80"), ("https:", "HTTPS:")):
        link = link.replace(old, new)
    return link.replace("a-b_c", "a%2Db_c").replace("ü", "%C3%BC")


def compare_pairs(links: list[str], seconds: float, *, spelled: bool) -> None:
    """Print how long a comparison of two absolute links takes, by the quickest of several rounds.

    Args:
        links: the links.
        seconds: for all libraries.
        spelled: compare each with another spelling of it, not with its neighbour.

    """
    absolute = [link for link in links if "://" in link]
    number = 0
    print(f"comparison    microseconds a pair of {'spellings' if spelled else 'neighbours'}")
    for name, are_same in COMPARISONS.items():
        until, best = time.perf_counter() + seconds / len(COMPARISONS), float("inf")
        while time.perf_counter() < until:
            number += 1
            new = [f"{link}{number}" for link in absolute]
            pairs = [(link, respelled(link)) for link in new] if spelled else [*pairwise(new)]
            start = time.process_time()
            for pair in pairs:
                are_same(*pair)
            best = min(best, (time.process_time() - start) / max(1, len(pairs)))
        print(f"{name:14}{best * 1e6:12.1f}")


def compare_many(links: list[str]) -> None:
    """Print how long a link takes of many at once, beside ada-url."""
    ways: dict[str, Callable[[list[str]], object]] = {
        "ada-url": lambda links: [ada_url.URL(link, BASE).href for link in links],
        "many": lambda links: iri.convert_many(links, to="uri"),
        "columns": lambda links: plain_uris(links, web=True),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(5):
        for name, way in ways.items():
            new = [f"{link}{name}{number}-{place}" for place, link in enumerate(links)]
            start = time.process_time()
            way(new)
            taken[name].append(time.process_time() - start)
    for name, times in taken.items():
        ratio = statistics.median(
            there / here for there, here in zip(taken["ada-url"], times, strict=True)
        )
        print(
            f"{name:10}{len(links) / statistics.median(times):10.0f} links/s{ratio:6.1f} x ada-url"
        )


def made_up() -> list[str]:
    """Links of the kinds that pages have, in about their proportions."""
    chosen = random.Random(3987)
    words = ["news", "index.html", "img", "a-b_c", "2024", "archive", "über", "日本", "a b", "x|y"]
    weights = [9, 9, 9, 6, 6, 6, 1, 1, 1, 1]
    links = []
    for _ in range(2000):
        path = "/".join(chosen.choices(words, weights, k=chosen.randint(1, 4)))
        start = chosen.choice(["", "/", "../", "http://www.example.com/", "https://example.org/"])
        query = chosen.choice(["", "", "", f"?id={chosen.randint(1, 99)}&l=en", "?q=é"])
        links.append(start + path + query + chosen.choice(["", "", "", "#top"]))
    return links


def usable(convert: Convert, links: list[str]) -> list[str]:
    """Return the links that a library raises no error for."""
    found = []
    for link in links:
        try:
            convert(link)
        except (ValueError, UnicodeError, rfc3986.exceptions.RFC3986Exception):
            continue
        found.append(link)
    return found


def compare(links: list[str], seconds: float) -> None:
    """Print the speed of each library; the rounds alternate, so that all have the same machine."""
    work = {name: usable(convert, links) for name, convert in LIBRARIES.items()}
    taken: dict[str, list[float]] = {name: [] for name in LIBRARIES}
    until = time.perf_counter() + seconds
    while len(taken["linkfix"]) < 5 or time.perf_counter() < until:
        for name, convert in LIBRARIES.items():
            start = time.process_time()
            for link in work[name]:
                convert(link)
            taken[name].append((time.process_time() - start) / max(1, len(work[name])))
    print("library      links/s   linkfix is    errors")
    for name, times in taken.items():
        ratio = statistics.median(
            other / own for own, other in zip(taken["linkfix"], times, strict=True)
        )
        errors = len(links) - len(work[name])
        print(f"{name:10}{1 / statistics.median(times):10.0f}{ratio:12.2f}x{errors:10}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a file with a link a line")
    parser.add_argument("--seconds", type=float, default=6.0, help="for each kind of link")
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
        compare(chosen, options.seconds)
        compare_many(chosen * 10)
        for spelled in (False, True):
            compare_pairs(chosen, options.seconds, spelled=spelled)


if __name__ == "__main__":
    main()
