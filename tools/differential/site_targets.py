"""Compare the verdicts about the links of a generated site with the answers of Apache and nginx.

    python tools/differential/site_targets.py [DOCUMENTS]

It is the comparison of ``tests/site/test_target_servers.py`` for a larger site, of 2,000 documents, and that of
``tests/site/test_page_roles.py`` (what pages say of each other) for another one. Where Chromium is installed, the fragments
of the first site are looked for there, as ``tests/browser/test_fragments.py`` does.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "site")]

import apache  # noqa: E402
import nginx  # noqa: E402
from browser.harness import Browser, missing_programs  # noqa: E402
from browser.test_fragments import compare_fragments  # noqa: E402
from test_page_roles import compare_roles  # noqa: E402
from test_target_servers import compare  # noqa: E402

__all__ = ["main"]


def main(documents: int) -> None:
    """Compare, and print the number of links."""
    for program in (apache, nginx):
        if why := program.missing():
            print(f"{program.__name__}: skipped: {why}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            links = compare(program, Path(folder), documents)
        print(
            f"{program.__name__}: {documents:,} documents, {links:,} links: each verdict is the answer"
        )
        with tempfile.TemporaryDirectory() as folder:
            counts = compare_roles(program, Path(folder), documents)
        print(
            f"{program.__name__}: pages: each finding is what the server shows: {dict(sorted(counts.items()))}"
        )
    if missing_programs() or nginx.missing():
        print("fragments: skipped: Chromium or nginx is not installed")
        return
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        print(
            f"fragments: Chromium agrees about {compare_fragments(browser, Path(folder), documents):,}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
