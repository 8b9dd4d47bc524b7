"""A generated feed of any size through rewrite: memory, and speed beside lxml's iterparse.

Usage: python benchmarks/feeds.py [MEGABYTES]...

Every fourth item has links that need rewriting. The feed is written to a temporary folder, which is
removed afterwards. Each measurement is a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITEM = """<item>
  <title>Entry {n}: some words about nothing in particular, às ever</title>
  <link>http://example.org/{year}/{n}?ref=feed&amp;lang={lang}</link>
  <guid isPermaLink="false">tag:example.org,{year}:{n}</guid>
  <pubDate>Mon, 01 Jan {year} 00:00:00 GMT</pubDate>
  <category domain="http://example.org/topics">News</category>
  <enclosure url="http://media.example.org/{n}.mp3" length="{n}" type="audio/mpeg"/>
  <media:thumbnail url="http://media.example.org/{n}.jpg" width="75" height="50"/>
  <description>{text}</description>
</item>
"""
TEXT = (
    "Words that stand between the links, as in any feed, with a few of them in &quot;quotes&quot;. "
    * 8
)


def generate(path: Path, megabytes: int) -> None:
    items = [
        ITEM.format(n=n, year=2000 + n % 25, lang="é" if n % 4 == 0 else "e", text=TEXT)
        for n in range(200)
    ]
    block = "".join(items).encode()
    with path.open("wb") as file:
        file.write(
            b'<?xml version="1.0" encoding="utf-8"?>\n'
            b'<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>\n'
        )
        while file.tell() < megabytes * 1_000_000:
            file.write(block)
        file.write(b"</channel></rss>\n")


def run_linkfix(path: Path) -> str:
    import linkfix

    with path.open("rb") as source, Path("/dev/null").open("wb") as sink:
        report = linkfix.rewrite(source, sink, type="xml")
    return f"{report.changed} of {report.links} links rewritten"


def run_lxml(path: Path) -> str:
    from lxml import etree

    count = 0
    for _, element in etree.iterparse(str(path)):
        count += 1
        element.clear()
        while element.getprevious() is not None and (parent := element.getparent()) is not None:
            del parent[0]
    return f"{count} elements"


RUNS = {"linkfix": run_linkfix, "lxml": run_lxml}


def measure(name: str, path: Path) -> None:
    start = time.perf_counter()
    what = RUNS[name](path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds}\t{peak}\t{what}")


def main(sizes: list[int]) -> None:
    print(f"{'size':>8}  {'program':<8} {'seconds':>8} {'MB/s':>7} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / "feed.xml"
            generate(path, size)
            megabytes = path.stat().st_size / 1e6
            speeds = {}
            for name in RUNS:
                command = [sys.executable, __file__, "--measure", name, str(path)]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                seconds, peak, what = output.strip().split("\t")
                speeds[name] = megabytes / float(seconds)
                print(
                    f"{megabytes:6.0f}MB  {name:<8} {float(seconds):8.1f} {speeds[name]:7.1f} "
                    f"{float(peak):8.0f}  {what}"
                )
            print(f"          linkfix / lxml = {speeds['linkfix'] / speeds['lxml']:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], Path(sys.argv[3]))
    else:
        main([int(size) for size in sys.argv[1:]] or [20, 200])
