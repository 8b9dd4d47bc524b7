"""Whole sites: several processes beside one, and many small files beside lxml.html doing the same.

    python benchmarks/site.py [--large MB] [--files N] [--rounds N]

The sites are made up and the same each time. Every run rewrites a fresh copy of its site in place.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAGE = """<!doctype html><meta charset="utf-8"><title>Page {n}</title>
<link rel="stylesheet" href="/style/main.css"><ul class="nav">{links}</ul>
{prose}
"""
LINK = '<li><a href="{href}">Section {n}</a></li>\n'
PROSE = "<p>The value of this option is read when a server starts, and may be set for each folder.</p>\n"
#: Where links go; pages that do not change have but the first two.
HREFS = ("/docs/{n}/index.html", "../{n}.html#top", "/a b/{n}", "/search?q={n}&amp;r=1", "/é/{n}")

#: What a program does with every file of a folder: parse, rewrite_links, write.
LXML = """
import sys
from pathlib import Path
from urllib.parse import quote
import lxml.html
for path in sorted(Path(sys.argv[1]).rglob("*.html")):
    document = lxml.html.document_fromstring(path.read_bytes())
    document.rewrite_links(lambda link: quote(link, safe="/?#&=;:%"))
    path.write_bytes(lxml.html.tostring(document, encoding="utf-8"))
"""


def page(number: int, size: int, *, changes: bool) -> bytes:
    """Make a page of about so many bytes, a third of them links."""
    links = max(4, size // 160)
    hrefs = HREFS if changes else HREFS[:2]
    return PAGE.format(
        n=number,
        links="".join(
            LINK.format(n=n, href=hrefs[n % len(hrefs)].format(n=n)) for n in range(links)
        ),
        prose=PROSE * (size // 200),
    ).encode()


def make(root: Path, count: int, size: int, *, every: int = 1) -> Path:
    """Make a site of so many pages, a hundred in a folder; one of `every` so many changes, 0 for none."""
    for number in range(count):
        changes = every > 0 and number % every == 0
        path = root / f"{number // 100:03}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page(number, size * (1 + number % 3) // 2, changes=changes))
    return root


def seconds(site: Path, *command: str) -> float:
    """Run a command on a fresh copy of a site, which comes last on its command line."""
    with tempfile.TemporaryDirectory(dir=site.parent) as folder:
        copy = shutil.copytree(site, Path(folder) / "site")
        os.sync()
        began = time.monotonic()
        subprocess.run(
            [*command, str(copy)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return time.monotonic() - began


def report(title: str, site: Path, commands: dict[str, list[str]], rounds: int) -> None:
    """Measure commands in turn, and print a table of medians beside the first."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(site, *command))
    files = [path.stat().st_size for path in site.rglob("*.html")]
    load = os.getloadavg()[0]
    print(f"\n{title}: {len(files):,} files, {sum(files) / 1e6:.0f} MB; load {load:.1f}\n")
    print("| | seconds | files/s | MB/s | times the first |\n| --- | ---: | ---: | ---: | ---: |")
    first = next(iter(times.values()))
    for name, each in times.items():
        median = statistics.median(each)
        ratio = statistics.median(one / other for one, other in zip(first, each, strict=True))
        rates = f"{len(files) / median:,.0f} | {sum(files) / 1e6 / median:.1f}"
        print(f"| {name} | {median:.2f} | {rates} | {ratio:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=int, default=200, help="MB of the site of large pages")
    parser.add_argument("--files", type=int, default=20_000, help="of the site of small pages")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    linkfix = [sys.executable, "-m", "linkfix", "rewrite", "-q", "-i"]
    audit = [sys.executable, "-m", "linkfix", "audit", "--fail-on", "never"]
    with tempfile.TemporaryDirectory() as folder:
        large = make(Path(folder) / "large", options.large * 10, 100_000)
        jobs = {f"-j {n}": [*linkfix, "-j", str(n)] for n in (1, 2)}
        report("Rewrite pages of 100 kB in place", large, jobs, options.rounds)
        jobs = {f"-j {n}": [*audit, "-j", str(n)] for n in (1, 2)}
        report("Audit the same", large, jobs, options.rounds)
        commands = {
            "lxml.html": [sys.executable, "-c", LXML],
            "linkfix -j 1": [*linkfix, "-j", "1"],
            "linkfix -j 2": [*linkfix, "-j", "2"],
        }
        for every, which in ((1, "all"), (10, "one in ten"), (0, "none")):
            small = make(Path(folder) / f"small-{every}", options.files, 2000, every=every)
            title = f"Rewrite pages of 2 kB in place, {which} of which change"
            report(title, small, commands, options.rounds)


if __name__ == "__main__":
    main()
