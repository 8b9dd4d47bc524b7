"""Growth with the size of a site: audits with and without the rules about files, migrations, and near misses.

    python benchmarks/growth.py [--documents N ...] [--links N] [--only audit|migrate|near] [--folder FOLDER]

Makes a site for each number of documents, a hundred in a folder. Each document has so many links: to other documents of its folder
and of others, to fragments in them, to images, to other sites; every hundredth leads nowhere. For migrations, the documents of a
folder are in one of four charsets, with text, links and queries beyond ASCII; the old site is in the page cache, the new one is removed.
Reports processor time of all processes, in all and for a document, memory of all processes at its highest (PSS, by samples), and
the exponent of growth against the row of the same command before it; beside it the processor time of a loop of a million steps after
the command, which says how fast the machine is just then.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.server.listing import Entry, Listing
from linkfix.server.nearmiss import NearMisses

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = '<!doctype html><meta charset="utf-8"><title>Page {n}</title><link rel="stylesheet" href="/style.css">\n'
SECTION = '<h2 id="section-{n}">Section {n}</h2>\n<p>The value of this option is read when a server starts.</p>\n'
LINK = '<li><a href="{href}">See there</a></li>\n'
#: The charsets of documents to migrate, by folder, with a word for their text and links.
CHARSETS = (
    ("utf-8", "Straße"),
    ("windows-1252", "élève"),
    ("shift_jis", "検索"),
    ("koi8-r", "поиск"),
)
#: Documents in a folder, and sections in a document.
FOLDER, SECTIONS = 100, 20
#: What names are made of.
NAMES = ["alpha", "beta", "gamma", "delta", "server", "config", "module", "index", "option", "page"]
LINKFIX = [sys.executable, "-m", "linkfix"]


def path_of(number: int) -> str:
    return f"part-{number // FOLDER}/page-{number}.html"


def hrefs(number: int, count: int, documents: int) -> Iterator[str]:
    """Yield the links of a document; the same each time."""
    chance = random.Random(number)
    for n in range(count):
        near = number - number % FOLDER + chance.randrange(FOLDER)
        other = near if n % 4 else chance.randrange(documents)
        other = min(other, documents - 1)
        name = f"page-{other}.html"
        place = name if other // FOLDER == number // FOLDER else f"../{path_of(other)}"
        match n % 10:
            case 0 | 1 | 2 | 3:
                yield place
            case 4 | 5:
                yield f"{place}#section-{chance.randrange(SECTIONS)}"
            case 6:
                yield f"#section-{chance.randrange(SECTIONS)}"
            case 7:
                yield f"/images/{chance.randrange(200)}.png"
            case 8:
                yield f"https://example.org/{chance.randrange(documents)}"
            case _:
                is_broken = n // 10 % 10 == 0
                yield place.replace("page", "pgae") if is_broken else f"../{path_of(other)}"


def make(root: Path, documents: int, links: int, *, legacy: bool = False) -> int:
    """Make a site, in UTF-8 or in several charsets, and return its size in bytes."""
    size = 0
    (root / "images").mkdir(parents=True)
    (root / "style.css").write_text("p { margin: 0 }")
    for number in range(200):
        (root / "images" / f"{number}.png").write_bytes(b"")
    for number in range(documents):
        path = root / path_of(number)
        path.parent.mkdir(exist_ok=True)
        charset, word = CHARSETS[number // FOLDER % len(CHARSETS)] if legacy else ("utf-8", "")
        section = SECTION.replace("option", word or "option")
        sections = [section.format(n=n) for n in range(SECTIONS)]
        page = [LINK.format(href=href) for href in hrefs(number, links, documents)]
        if legacy:
            page[::10] = [LINK.format(href=f"/cgi-bin/find?q={word}") for _ in page[::10]]
        share = -(-len(page) // SECTIONS)
        parts = [
            section + "".join(page[n * share : (n + 1) * share])
            for n, section in enumerate(sections)
        ]
        head = HEAD.format(n=number).replace("utf-8", charset)
        size += path.write_bytes((head + "".join(parts)).encode(charset))
    return size


def memory_of(process: int) -> float:
    """Return the memory of a process and its children, in MB."""
    waiting, total = [process], 0
    while waiting:
        each = waiting.pop()
        with suppress(OSError):
            rollup = Path(f"/proc/{each}/smaps_rollup").read_text("ascii")
            total += next(
                int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")
            )
            waiting += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return total / 1024


def cost(command: list[str]) -> tuple[float, float, float]:
    """Run a command; return processor time and elapsed time in seconds, and its memory at its highest in MB."""
    before, began, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None:
            peak = max(peak, memory_of(child.pid))
            time.sleep(0.25)
    passed = time.monotonic() - began
    if child.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(command)}: exit status {child.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed, peak


def loop() -> float:
    """Return the processor time of a loop in milliseconds."""
    began, total = time.process_time(), 0
    for step in range(1_000_000):
        total += step * step % 7
    return (time.process_time() - began) * 1000


def commands(only: str) -> dict[str, list[str]]:
    """Return the commands to measure; ``SITE`` is replaced by the site."""
    audit = [*LINKFIX, "audit", "-q", "--fail-on", "never", "--format", "jsonl"]
    migrate = [*LINKFIX, "migrate", "-q", "SITE", "SITE.new"]
    return {
        name: command
        for name, command in {
            "audit without TGT": [*audit, "-j", "1", "--ignore", "TGT", "SITE"],
            "audit": [*audit, "-j", "1", "SITE"],
            "audit -j 2": [*audit, "-j", "2", "SITE"],
            "migrate --dry-run": [*migrate, "--dry-run", "-j", "1"],
            "migrate": [*migrate, "-j", "1"],
        }.items()
        if name.startswith(only)
    }


@contextmanager
def folder_of(given: str | None) -> Iterator[Path]:
    if given is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
    else:
        yield Path(given)


def sites(documents: list[int], links: int, only: str, folder: Path) -> None:
    """Print a table of commands over sites of several sizes."""
    print(
        "| documents | links | command | processor s | ms a document | elapsed s | MB | exponent | load | loop ms |"
    )
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    last: dict[str, tuple[int, float]] = {}
    for count in documents:
        for name, command in commands(only).items():
            legacy = name.startswith("migrate")
            root = folder / f"site-{count}-{links}{'-legacy' * legacy}"
            if not root.exists():
                begun = folder / f"{root.name}.begun"
                make(begun, count, links, legacy=legacy)
                begun.rename(root)
            line = [each.replace("SITE", str(root)) for each in command]
            used, passed, peak = cost(line)
            shutil.rmtree(f"{root}.new", ignore_errors=True)
            exponent = "-"
            if name in last:
                fewer, before = last[name]
                exponent = f"{math.log(used / before) / math.log(count / fewer):.2f}"
            last[name] = count, used
            figures = (
                f"{used:.1f} | {used / count * 1000:.2f} | {passed:.1f} | {peak:.0f} | {exponent}"
            )
            load = f"{os.getloadavg()[0]:.1f} | {loop():.0f}"
            print(f"| {count:,} | {count * links:,} | {name} | {figures} | {load} |", flush=True)


def near(counts: list[int]) -> None:
    """Print a table of searches for near misses: as many broken links as names, in one folder."""
    chance = random.Random(1)
    print("\n| names | broken links | names like | processor s | for each, µs |")
    print("| ---: | ---: | --- | ---: | ---: |")
    for count in counts:
        kinds = {
            "chapter100000.html": [f"chapter{100_000 + n}.html" for n in range(count)],
            "four words": [
                "-".join(chance.choices(NAMES, k=4)) + f"-{n % 7}.html" for n in range(count)
            ],
            "190 letters a and b": [
                "".join(chance.choices("ab", k=185)) + ".html" for _ in range(count)
            ],
        }
        for kind, names in kinds.items():
            places = [chance.randrange(len(name) - 5) for name in names]
            wanted = [
                name[:at] + "x" + name[at + 1 :] for name, at in zip(names, places, strict=True)
            ]
            search = NearMisses(Listing("", {name: Entry("file") for name in names}))
            began = time.process_time()
            for each in wanted:
                search.files(each)
            used = time.process_time() - began
            print(
                f"| {count:,} | {count:,} | {kind} | {used:.2f} | {used / count * 1e6:.0f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[5000, 20_000])
    parser.add_argument("--links", type=int, default=100, help="in each document")
    parser.add_argument("--names", type=int, nargs="+", default=[5000, 20_000], help="in a folder")
    parser.add_argument("--only", choices=["audit", "migrate", "migrate --dry-run", "near"])
    parser.add_argument("--folder", help="keep the sites there")
    options = parser.parse_args()
    if options.only != "near":
        with folder_of(options.folder) as folder:
            sites(options.documents, options.links, options.only or "", folder)
    if options.only in {None, "near"}:
        near(options.names)


if __name__ == "__main__":
    main()
