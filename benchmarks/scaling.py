"""Twice the input, twice the time: the doubling test on documents made to be hard.

    python benchmarks/scaling.py [--size BYTES] [--only WORDS]

For each kind of document the rewriter runs over it at a size and at twice that size; the ratio of the
times says how the work grows (2 is linear, 4 is quadratic). The goal is 2.3 at the most. Chunks of one
byte are measured on a fortieth of the size.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import linkfix

Make = Callable[[int], bytes]
DECLARED = b"<meta charset=utf-8>"
ATTRIBUTES = b" ".join(b"a%d='1'" % i for i in range(500))


def filled(head: bytes, unit: bytes, tail: bytes = b"") -> Make:
    return lambda size: DECLARED + head + unit * (size // len(unit)) + tail


HTML: dict[str, Make] = {
    "text without a <": filled(b"", b"x"),
    "nothing but <": filled(b"", b"<"),
    "one long attribute": filled(b"<a title='", b"x", b"' href='a b'>"),
    "one long link": filled(b"<a href='/", b"x", b" y'>"),
    "one long dirty link": filled(b"<a href='/", b" \xc3\xa9", b"'>"),
    "many attributes on one tag": lambda n: DECLARED + b"<a " + b" ".join(b"a%d=1" % i for i in range(n // 9)) + b">",
    "nested tags": filled(b"", b"<div>"),
    "nested foreign tags": filled(b"<svg>", b"<g>"),
    "unclosed comment": filled(b"<!--", b"-x"),
    "unclosed script": filled(b"<script>", b"<!-- "),
    "unclosed style": filled(b"<style>", b"a{b:url(c)}"),
    "unclosed quote": filled(b"<a href='", b"<a href=x>"),
    "ampersands in a link": filled(b"<a href='?", b"&", b" '>"),
    "references in a link": filled(b"<a href='?", b"&amp;", b" '>"),
    "percents in a link": filled(b"<a href='?", b"%", b" '>"),
    "dots in a link": filled(b"<a href='", b"../", b" '>"),
    "many links": filled(b"", b"<a href='/a b'>\n"),
    "many links in one srcset": filled(b"<img srcset='", b"/a\xc3\xa9 1x, ", b"'>"),
    "many links in one style": filled(b"<p style='", b"a:url(\xc3\xa9);", b"'>"),
    "one line of links": filled(b"", b"\xc3\xa9<a href=/x>"),
}  # fmt: skip
XML: dict[str, Make] = {
    "XML, many elements": lambda n: b"<rss>" + b"<link>http://a/b c</link>" * (n // 25) + b"</rss>",
    "XML, elements without attributes": lambda n: b"<r>" + b"<a/>" * (n // 4) + b"</r>",
    "XML, one long text": lambda n: b"<rss><link>" + b"x " * (n // 2) + b"</link></rss>",
    "XML, nested elements": lambda n: b"<r>" + (b"<a>" * 5000 + b"</a>" * 5000) * (n // 35_000) + b"</r>",
    "XML, one long attribute": lambda n: b"<rss><a url='" + b"x" * n + b"'/></rss>",
    "XML, one long comment": lambda n: b"<rss><!--" + b"x " * (n // 2) + b"--></rss>",
    "XML, many attributes on each tag": lambda n: b"<r>" + (b"<a " + ATTRIBUTES + b"/>") * (n // len(ATTRIBUTES)) + b"</r>",
    "XML, references in a link": lambda n: b"<rss><link>?" + b"&amp;" * (n // 5) + b" </link></rss>",
    "XML, many namespaces": lambda n: b"<r>" + b"<a xmlns:x='u' x:b='c'/>" * (n // 24) + b"</r>",
}  # fmt: skip


def seconds(document: bytes, type: str, chunk: int) -> float:
    rewriter = linkfix.Rewriter("uri", type="xml" if type == "xml" else "html")
    start = time.process_time()
    for at in range(0, len(document), chunk):
        rewriter.feed(document[at : at + chunk])
    rewriter.close()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="the doubling test")
    parser.add_argument("--size", type=int, default=2_000_000)
    parser.add_argument("--only", default="", help="kinds of documents that have this in the name")
    options = parser.parse_args()
    print(f"{'document':32} {'chunk':>7} {'MB':>6} {'seconds':>9} {'doubled':>9} {'ratio':>6}")
    worst = 0.0
    for type, kinds in (("html", HTML), ("xml", XML)):
        chosen = {name: make for name, make in kinds.items() if options.only in name}
        for name, make in chosen.items():
            for chunk, size in ((65536, options.size), (1, options.size // 40)):
                once = min(seconds(make(size), type, chunk) for _ in range(2))
                twice = min(seconds(make(2 * size), type, chunk) for _ in range(2))
                ratio = twice / max(once, 1e-6)
                worst = max(worst, ratio) if twice > 0.05 else worst
                print(
                    f"{name:32} {chunk:7} {size / 1e6:6.2f} {once:9.3f} {twice:9.3f} {ratio:6.2f}"
                )
    print(f"worst ratio among those that take 50 ms: {worst:.2f}")


if __name__ == "__main__":
    main()
