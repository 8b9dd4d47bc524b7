"""Rewrite the templates of packages, and print the templated values that changed.

    python tools/differential/templates.py FOLDER [--offline]

FOLDER gets the packages of templates.toml: Debian's by apt-get, npm's and PyPI's by npm and pip, each unpacked into
a folder of its own; what is there is not downloaded again. A template is a file with an extension of templates or
of HTML, and an attribute that holds a link. Each is rewritten to URIs. A changed value is *templated* if it has a sign that
no reference has and that engines mark expressions with; linkfix is not asked. Prints the number of templates, of their links,
of those left as templates, and each templated value that changed. Any such value makes the exit status 1.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import linkfix
from linkfix.links.templates import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix import Outcome

__all__ = ["examine", "templates"]

EXTENSIONS = """
    asp comp ejs epl erb ftl genshi hbs htm html inc j2 jinja jinja2 jsp jspx kid liquid mak mako mas mustache php phtml pt
    rhtml shtml tag tal tem template tm tmpl tpl tt tt2 twig vm wml xhtml zpt
"""
_LINKS = re.compile(rb"(?:href|src|action)\s*=", re.IGNORECASE)
#: What engines mark expressions with, and no reference has.
_SIGN = re.compile(r"[{}\[\]<>|^`\"\\]|%(?![0-9A-Fa-f]{2})|#[^#]*#|\$\w*(?:::|->)")
_COMMANDS = {
    "debian": "apt-get -qq download {name} && dpkg-deb -x *.deb unpacked",
    "npm": "npm pack --silent {name} && mkdir unpacked && tar xzf *.tgz -C unpacked",
    "pypi": "pip download -q --no-deps {name} && mkdir unpacked && for f in *.whl *.tar.gz *.zip; do"
    ' [ ! -e "$f" ] || python3 -m tarfile -e "$f" unpacked 2>/dev/null || python3 -m zipfile -e "$f" unpacked; done',
}


def download(table: dict[str, Any], folder: Path) -> None:
    """Download and unpack the packages that are not there yet; say which could not be had."""
    folder.mkdir(parents=True, exist_ok=True)
    for registry, command in _COMMANDS.items():
        for name in table[registry]:
            place = folder / f"{registry}-{name}"
            if place.exists():
                continue
            with tempfile.TemporaryDirectory(dir=folder) as work:
                shell = ["sh", "-c", command.format(name=name)]
                done = subprocess.run(shell, cwd=work, capture_output=True, check=False)
                unpacked = Path(work, "unpacked")
                if done.returncode or not unpacked.exists():
                    print(f"not to be had: {registry} {name}", file=sys.stderr)
                else:
                    unpacked.rename(place)


def templates(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the templates of a folder with their bytes, in the order of their paths."""
    for path in sorted(folder.rglob("*")):
        if (
            path.suffix[1:].lower() in EXTENSIONS.split()
            and path.is_file()
            and not path.is_symlink()
        ):
            data = path.read_bytes()
            if _LINKS.search(data):
                yield path, data


def examine(data: bytes) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Rewrite a template.

    Returns:
        How many links it has, how many were left as templates, how many changed; and the old and new values of those that
        changed and have a sign of templates.

    """
    counts: Counter[str] = Counter()
    harmed = []

    def note(outcome: Outcome) -> None:
        old = outcome.link.value
        counts["links"] += 1
        counts["left as templates"] += outcome.link.fixed in REASONS
        if outcome.new is not None and outcome.new != outcome.link.raw:
            counts["changed"] += 1
            if _SIGN.search(old):
                harmed.append((old, outcome.conversion.text))

    linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"), on_outcome=note).whole(
        data
    )
    return counts, harmed


def main() -> int:
    """Examine the packages of a folder; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--offline", action="store_true", help="Download nothing.")
    arguments = parser.parse_args()
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    if not arguments.offline:
        download(table, arguments.folder)
    counts: Counter[str] = Counter()
    faults = 0
    for path, data in templates(arguments.folder):
        try:
            found, harmed = examine(data)
        except linkfix.LinkfixError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        counts["templates"] += 1
        counts += found
        for old, new in harmed:
            if not any(fnmatchcase(old, pattern) for pattern in table["judged"]):
                faults += 1
                print(f"{path}: {old!r} became {new!r}")
    print("".join(f"{number:9,} {what}\n" for what, number in counts.items()), end="")
    print(f"{faults:9,} templated values changed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
