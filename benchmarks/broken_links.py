"""linkfix, linkinator and LinkChecker look for broken links in the same site.

    python benchmarks/broken_links.py [FOLDER] [--documents N] [--linkinator PROGRAM] [--linkchecker PROGRAM]

Without a FOLDER the site is generated with known faults (``tests/site/target_generator.py``): missing files, case, folders
without index, fragments, redirects to nothing and without end. Of a FOLDER, an independent crawler says what is broken
(``tools/differential/crawl.py``). nginx serves the site on the loopback address, with a start page that links to all
documents. The peers ask nginx; linkfix reads the folder. Each program has the options that its documentation advises for
this work: the whole site, fragments too, no other site. What counts is the broken targets, each once, since linkinator
reports a target once.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import nginx  # noqa: E402
import target_generator  # noqa: E402
from differential.crawl import PAGES, Crawler  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["main"]

#: What linkfix reports of a link that leads to nothing.
RULES = "TGT001,TGT002,TGT003,TGT004,TGT005,TGT006,TGT008,REF002"
#: LinkChecker sends ten requests a second to a server that does not send this field, whatever its settings say.
SETTINGS = "[checking]\nmaxrequestspersecond=100000\n"
ANCHORS = "[AnchorCheck]\n"
HEADER = "add_header LinkChecker 1 always; keepalive_requests 1000000;"
#: The page at the root of the server, from which linkinator goes on only to what is below it.
START = "linkfix-start.html"
AT_ROOT = f"location = / {{ try_files /{START} =404; }}"
LAUNCHER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A site that is served.

    Attributes:
        root: its folder.
        origin: its address, without a slash at the end.
        broken: the targets of its links that are not there.
        options: how linkfix is told what nginx is told.
        asked: the paths that are judged; None for all, with queries and fragments.

    """

    root: Path
    origin: str
    broken: frozenset[str]
    options: tuple[str, ...] = ()
    asked: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of a program: seconds elapsed and of processor time, peak memory in MB, and its output."""

    elapsed: float
    processor: float
    peak: float
    output: str


def main() -> None:
    """Compare the programs that are installed, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--linkinator", default=shutil.which("linkinator"))
    parser.add_argument("--linkchecker", default=shutil.which("linkchecker"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        top.chmod(0o755)  # LinkChecker reads its settings as another user
        compare(top, arguments)


def compare(top: Path, arguments: argparse.Namespace) -> None:
    """Make the site, serve it, and run each program on it."""
    root, alias, rules = top / "site", top / "elsewhere", top / "rules"
    generated = None
    if arguments.folder is None:
        generated = target_generator.generate(arguments.documents)
        without_slashes(generated)
        generated.write(root, alias)
        rules.write_text(generated.for_nginx())
        more = target_generator.NGINX.format(alias=alias, redirects=rules)
    else:
        shutil.copytree(arguments.folder, root, ignore_dangling_symlinks=True)
        more = ""
    paths = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*")) if path.suffix in PAGES and path.is_file()]  # fmt: skip
    links = "".join(f'<a href="{escape(quote(path))}">x</a>\n' for path in paths)
    (root / START).write_text(f'<!doctype html><meta charset="utf-8">{links}')
    with nginx.serving(root, top / "state", HEADER + AT_ROOT + more) as origin:
        options: tuple[str, ...] = ()
        faults = crawled(origin, paths)
        if generated is not None:
            options = ("--clean-urls", "--alias", f"/img/={alias}", "--redirect-file", str(rules))  # fmt: skip
            faults = [
                (path, value)
                for path, links in generated.links.items()
                for value, fault in links.items()
                if fault not in {"", "redirected"}
            ]
        broken = frozenset(key(origin, path, value) for path, value in faults)
        site = Site(root, origin, broken, options)
        print(f"{len(paths):,} documents, {len(broken):,} broken targets; load {os.getloadavg()[0]:.1f}\n")  # fmt: skip
        print("| program | found | missed | false | seconds | of processor | peak MB |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        row("linkfix", linkfix, site)
        row(f"linkinator {version(arguments.linkinator)}", linkinator, site, arguments.linkinator)
        row(f"LinkChecker {version(arguments.linkchecker)}", linkchecker, site, arguments.linkchecker)  # fmt: skip
        print(f"\nload {os.getloadavg()[0]:.1f}")


def without_slashes(site: target_generator.TargetSite) -> None:
    """Remove the links to pages as folders (/about/): their relative links lead elsewhere from there, which is no fault."""
    for path, links in site.links.items():
        pages = [value for value, fault in links.items() if not fault and value.endswith("/") and f"{value[1:-1]}.html" in site.links]  # fmt: skip
        for value in pages:
            del links[value]
            site.files[path] = site.files[path].replace(f'<a href="{value}">x</a>\n'.encode(), b"")


def crawled(origin: str, paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield document and value of each broken link that an independent crawler finds."""
    with closing(Crawler(urlsplit(origin).port or 0)) as crawler:
        for path in paths:
            for _, value, fault in crawler.faults("/" + quote(path), path):
                if fault is not None:
                    yield path, value


def key(origin: str, path: str, value: str) -> str:
    """Return the target of a link, in one spelling."""
    return plain(urljoin(f"{origin}/{quote(path)}", value.strip()).removeprefix(origin))


def plain(target: str) -> str:
    """Return a target with a character for each of its octets."""
    return unquote_to_bytes(target).decode("latin-1")


def version(program: str | None) -> str:
    """Return the version of a program; "" if it is not installed."""
    if program is None:
        return ""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    words = done.stdout.split()
    return next((word for word in words if word[:1].isdigit()), "")


def row(name: str, run: Callable[..., tuple[Sample, set[str]]], site: Site, *programs: str | None) -> None:  # fmt: skip
    """Run a program, and print its line of the table."""
    if None in programs:
        print(f"| {name} | not installed |")
        return
    try:
        sample, found = run(site, *programs)
    except ValueError as error:  # it ended without its output
        print(f"| {name} | failed: {error} |")
        return
    found = (
        found if site.asked is None else {re.split("[?#]", each)[0] for each in found} & site.asked
    )
    missed, false = site.broken - found, found - site.broken
    print(
        f"| {name} | {len(found & site.broken):,} | {len(missed):,} | {len(false):,} "
        f"| {sample.elapsed:.1f} | {sample.processor:.1f} | {sample.peak:.0f} |",
        flush=True,
    )
    for what, targets in (("missed", missed), ("false", false)):
        if targets:
            print(f"{name}: {what}: {', '.join(sorted(targets)[:5])}", file=sys.stderr)


def measured(command: list[str]) -> Sample:
    """Run a command from a small process, whose memory it begins with; return the time and memory that it took."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        launcher = [sys.executable, "-c", LAUNCHER, *command]
        done = subprocess.run(launcher, stdout=output, stderr=subprocess.PIPE, check=True)
        elapsed = time.perf_counter() - begin
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    processor, peak = map(float, done.stderr.split())
    return Sample(elapsed, processor, peak, text)


def linkfix(site: Site) -> tuple[Sample, set[str]]:
    """Run linkfix; return the targets that it calls broken."""
    command = [sys.executable, "-m", "linkfix", "audit", "--format", "jsonl", "--select", RULES, "--exit-zero", "-q"]  # fmt: skip
    sample = measured([*command, *site.options, str(site.root)])
    rows = map(json.loads, sample.output.splitlines())
    found = ((os.path.relpath(row["file"], site.root), row["value"]) for row in rows)
    return sample, {key(site.origin, *each) for each in found}


def linkinator(site: Site, program: str) -> tuple[Sample, set[str]]:
    """Run linkinator; return the targets that it calls broken."""
    others = rf"^(?!{site.origin}/)"
    options = ["--recurse", "--format", "json", "--verbosity", "error", "--skip", others]
    options += ["--check-fragments"] * (site.asked is None)
    options += ["--retry-errors"] + ["--clean-urls"] * ("--clean-urls" in site.options)
    sample = measured([program, f"{site.origin}/", *options])
    rows = json.loads(sample.output)["links"]
    broken = {row["url"] for row in rows if row["state"] == "BROKEN"}
    return sample, {plain(url.removeprefix(site.origin)) for url in broken}


def linkchecker(site: Site, program: str) -> tuple[Sample, set[str]]:
    """Run LinkChecker; return the targets that it calls broken."""
    settings = site.root.parent / "linkcheckerrc"
    settings.write_text(SETTINGS + ANCHORS * (site.asked is None))
    sample = measured([program, "-f", str(settings), "-o", "csv", "--no-status", f"{site.origin}/"])  # fmt: skip
    lines = (line for line in sample.output.splitlines(keepends=True) if not line.startswith("#"))
    broken = set()
    for row in csv.DictReader(io.StringIO("".join(lines), newline=""), delimiter=";"):
        if row["valid"] != "True" or "anchor" in (row["warningstring"] or "").lower():
            base = row["base"] or row["parentname"] or site.origin
            broken.add(plain(urljoin(base, row["urlname"]).removeprefix(site.origin)))
    return sample, broken


if __name__ == "__main__":
    main()
