"""Compare what several processes write with what one process writes, byte for byte, over and over.

    python tools/differential/processes.py [--runs N] [--jobs N] [--pages N] [--links N] [--length N]
                                             [--only WORDS]...

The pages are made up: many findings, one page much larger than the others, and links that rules of the site compare.
Each format of extract and audit, the diffs, and the files that rewrite, audit --fix and migrate leave are compared
with those of ``-j 1``; with the defaults every text output has more than ten megabytes. A difference is
printed, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: Commands whose standard output is compared.
OUTPUTS = [
    *(["extract", "--format", form] for form in ("text", "jsonl", "csv")),
    *(["audit", "-q", "--fail-on", "never", "--format", form] for form in ("text", "jsonl", "sarif", "github", "junit", "csv", "html")),
    ["audit", "-q", "--fail-on", "never", "--diff"],
    ["rewrite", "-q", "--diff"],
]  # fmt: skip
#: Commands whose files are compared; NEW is a folder beside the pages.
FILES = [
    ["audit", "-q", "--fail-on", "never", "--fix", "SITE"],
    ["rewrite", "-q", "-i", "--report", "NEW", "SITE"],
    ["rewrite", "-q", "-o", "NEW", "SITE"],
    ["migrate", "-q", "--to", "uri", "SITE", "NEW"],
]


def make(root: Path, pages: int, links: int, length: int) -> None:
    """Make the pages; one has ten times as many links as the others. Every second link is so long."""
    root.mkdir()
    path = f"/a b/{'c' * length}"
    for number in range(pages):
        count = links * (10 if number == pages // 3 else 1)
        lines = [
            f'<a href="{path}{number}-{link}">x</a> <a href="{"Xx"[link % 2]}{link % 97}.html">y</a>\n'
            for link in range(count)
        ]
        (root / f"{number:04}.html").write_text(f"<meta charset=utf-8>{''.join(lines)}")


def output(line: list[str]) -> tuple[str, int]:
    """Run a command; return the digest of its output and standard error, and the bytes of the output."""
    done = subprocess.run(
        [sys.executable, "-m", "linkfix", *line], capture_output=True, check=False
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{line}: exit status {done.returncode}: {done.stderr.decode()[-500:]}")
    digest = hashlib.sha256(done.stdout + b"\0" + done.stderr).hexdigest()
    return digest, len(done.stdout)


def files(line: list[str], site: Path, jobs: str) -> tuple[str, int]:
    """Run a command on a copy of the pages; return the digest of the files it leaves, and their bytes."""
    with tempfile.TemporaryDirectory(dir=site.parent) as folder:
        copy = shutil.copytree(site, Path(folder) / "site")
        places = {"SITE": str(copy), "NEW": str(Path(folder) / "new")}
        output([line[0], "-j", jobs, *(places.get(each, each) for each in line[1:])])
        digest, size = hashlib.sha256(), 0
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                data = path.read_bytes().replace(folder.encode(), b"")
                digest.update(f"{path.relative_to(folder)}\0{len(data)}\0".encode() + data)
                size += len(data)
    return digest.hexdigest(), size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--links", type=int, default=70, help="pairs of links of a page")
    parser.add_argument("--length", type=int, default=2300, help="characters of a long link")
    parser.add_argument("--only", action="append", default=[], help="commands with these words")
    options = parser.parse_args()
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        make(site, options.pages, options.links, options.length)

        def done(line: list[str], jobs: str) -> tuple[str, int]:
            if line in FILES:
                return files(line, site, jobs)
            return output([line[0], "-j", jobs, *line[1:], str(site)])

        for line in [*OUTPUTS, *FILES]:
            if options.only and not any(words in " ".join(line) for words in options.only):
                continue
            expected, size = done(line, "1")
            wrong = sum(done(line, options.jobs)[0] != expected for _ in range(options.runs))
            print(f"{' '.join(line)}: {size:,} bytes, {wrong} of {options.runs} differ", flush=True)
            differences += wrong
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
