"""Whole sites: several processes beside one, and many small files beside lxml.html doing the same.

    python benchmarks/site.py [--pages N] [--large MB] [--files N] [--rounds N] [--only processes|large|small]

The sites are made up and the same each time. Every run works on a fresh copy of its site, as a user's does: with modules
that were compiled before, and a buffered standard output, whatever variables of Python say here. Processor time
is that of all processes of a run; it says what several processes cost where the machine is busy, when the
seconds say little.
"""

from __future__ import annotations

import argparse
import os
import resource
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


def archive(site: Path, path: Path) -> Path:
    """Make a WARC file of the pages of a site."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for page in sorted(site.rglob("*.html")):
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            uri = f"http://e.example/{page.relative_to(site)}"
            with page.open("rb") as payload:
                writer.write_record(
                    writer.create_warc_record(uri, "response", payload=payload, http_headers=head)
                )
    return path


def cost(site: Path, *command: str) -> tuple[float, float]:
    """Run a command on a fresh copy of a site, which replaces ``SITE`` or is the last argument.

    ``NEW`` is replaced by a folder that does not exist yet.

    Returns:
        Elapsed time and processor time in seconds.

    """
    with tempfile.TemporaryDirectory(dir=site.parent) as folder:
        make_copy = shutil.copytree if site.is_dir() else shutil.copyfile
        copy = str(make_copy(site, Path(folder) / site.name))
        places = {"SITE": copy, "NEW": str(Path(folder) / "new")}
        line = [places.get(each, each) for each in command]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        os.sync()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        done = subprocess.run(
            line if "SITE" in command else [*line, copy],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        passed = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in {0, 1}:
            raise SystemExit(f"{' '.join(line)}: exit status {done.returncode}")
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(title: str, site: Path, commands: dict[str, list[str]], rounds: int) -> None:
    """Measure commands in turn, and print a table of medians beside the first."""
    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            costs[name].append(cost(site, *command))
    files = [path.stat().st_size for path in (site.rglob("*.html") if site.is_dir() else [site])]
    load = os.getloadavg()[0]
    print(f"\n{title}: {len(files):,} files, {sum(files) / 1e6:.0f} MB; load {load:.1f}\n")
    print("| | seconds | files/s | MB/s | times the first | processor s | of the first |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    first = next(iter(costs.values()))
    for name, each in costs.items():
        median = statistics.median(passed for passed, _ in each)
        used = statistics.median(used for _, used in each)
        pairs = [*zip(first, each, strict=True)]
        faster = statistics.median(one[0] / other[0] for one, other in pairs)
        dearer = statistics.median(other[1] / one[1] for one, other in pairs)
        rates = f"{len(files) / median:,.0f} | {sum(files) / 1e6 / median:.1f}"
        print(
            f"| {name} | {median:.2f} | {rates} | {faster:.2f} | {used:.2f} | {dearer:.2f} |",
            flush=True,
        )


def processes(folder: Path, pages: int, rounds: int) -> None:
    """Compare two processes with one, by command: those that only read on a site four times as large.

    So each site is as large as one that linkfix starts several processes for unasked (`linkfix.jobs.pool`).
    """
    linkfix = [sys.executable, "-m", "linkfix"]
    site = make(folder / "site", pages, 10_000)
    large = make(folder / "large", 4 * pages, 10_000)
    cost(site, *linkfix, "audit", "--fail-on", "never")  # compiles the modules
    commands = {
        "Audit with many findings": ["audit", "--fail-on", "never", "--format", "jsonl"],
        "Extract": ["extract", "--format", "jsonl"],
        "Rewrite in place": ["rewrite", "-q", "-i"],
        "Rewrite to a folder": ["rewrite", "-q", "-o", "NEW"],
        "Migrate": ["migrate", "-q", "--to", "uri", "SITE", "NEW"],
    }
    for title, command in commands.items():
        jobs = {f"-j {n}": [*linkfix, command[0], "-j", str(n), *command[1:]] for n in (1, 2)}
        report(title, large if command[0] in {"audit", "extract"} else site, jobs, rounds)
    shutil.rmtree(large)
    whole = archive(site, folder / "site.warc.gz")
    command = [*linkfix, "audit", "--fail-on", "never", "--format", "jsonl"]
    jobs = {f"-j {n}": [*command, "-j", str(n)] for n in (1, 2)}
    report("Audit one archive, which one process reads whatever -j says", whole, jobs, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=int, default=200, help="MB of the site of large pages")
    parser.add_argument("--files", type=int, default=20_000, help="of the site of small pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=5000, help="pages of 10 kB, for each command")
    parser.add_argument("--only", choices=["processes", "large", "small"])
    options = parser.parse_args()
    wanted = [options.only] if options.only else ["processes", "large", "small"]
    linkfix = [sys.executable, "-m", "linkfix", "rewrite", "-q", "-i"]
    audit = [sys.executable, "-m", "linkfix", "audit", "--fail-on", "never"]
    with tempfile.TemporaryDirectory() as folder:
        if "processes" in wanted:
            processes(Path(folder), options.pages, options.rounds)
        if "large" in wanted:
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
            if "small" in wanted:
                small = make(Path(folder) / f"small-{every}", options.files, 2000, every=every)
                title = f"Rewrite pages of 2 kB in place, {which} of which change"
                report(title, small, commands, options.rounds)


if __name__ == "__main__":
    main()
