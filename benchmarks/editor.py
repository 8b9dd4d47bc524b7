"""Measure what one keystroke costs in an editor: the processor time of the audit of a page of one megabyte.

    python benchmarks/editor.py

The page has a link in every 400 characters; every hundredth of them has a finding.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from linkfix.lsp.server import diagnostics
from linkfix.lsp.site import Site, Text
from linkfix.server.addresses import Serving

SIZE, RUNS = 1_000_000, 5


def page() -> str:
    """Return the page."""
    parts = ["<!DOCTYPE html><meta charset=utf-8><title>x</title>\n"]
    for number in range(SIZE // 400):
        link = f"/a b{number}" if number % 100 == 0 else f"#n{number}"
        parts.append(f'<p id=n{number}><a href="{link}">{"words and more " * 24}</a>\n')
    return "".join(parts)


def main() -> None:
    """Print the median."""
    with tempfile.TemporaryDirectory() as folder:
        path, source = f"{folder}/page.html", page()
        Path(path).write_text(source)
        site, spent = Site(folder, None, None, Serving(), {}), []
        for number in range(RUNS + 1):
            start = time.process_time()
            count = len([*diagnostics(site, Text(source + "x" * number, path))])
            spent.append(time.process_time() - start)
    median = sorted(spent[1:])[RUNS // 2]
    print(f"{len(source):,} characters, {count} findings: {median * 1000:.0f} ms of processor time")


if __name__ == "__main__":
    main()
