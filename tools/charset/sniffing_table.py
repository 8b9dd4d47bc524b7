"""Print how often linkfix and other tools find the charset of a document.

    python tools/charset/sniffing_table.py [FOLDER]

FOLDER has documents in folders named by their charset, and `index.tsv`; the default is the conformance data beside the
project. A document counts as right if it is read as the same text as in its
true charset. It is looked at twice: as it is, and with the labels in it blanked, so that there is
nothing to go by but the text. charset-normalizer has a column where it is installed.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import chardet

from linkfix.charset import Charset, lookup, sniff
from linkfix.errors import LinkfixError

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
#: The contexts of labels: `encoding="…"` and `charset=…`, in one byte a character.
LABEL = re.compile(rb"(?i)(?<=encoding=[\"'])[\w.:-]+|(?<=charset=)[\"']?[\w.:-]+")


def by_linkfix(data: bytes) -> str | None:
    """Sniff as linkfix does: XML if it begins like it, HTML otherwise."""
    xml = re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|rss|rdf|feed)", data) and b"<html" not in data
    try:
        found = sniff(data, type="xml" if xml else "html", final=True)
    except LinkfixError:
        return None
    return found.charset.name if found else None


def by_linkfix_html(data: bytes) -> str | None:
    """Sniff as linkfix does in HTML, where the text counts in the end."""
    found = sniff(data, type="html", final=True)
    return found.charset.name if found else None


def by_chardet(data: bytes) -> str | None:
    """Ask chardet."""
    return chardet.detect(data)["encoding"]


def by_charset_normalizer(data: bytes) -> str | None:
    """Ask charset-normalizer."""
    from charset_normalizer import from_bytes  # type: ignore[import-not-found,unused-ignore]

    best = from_bytes(data).best()
    return best.encoding if best else None


def read(data: bytes, label: str | None) -> str | None:
    """Decode with the charset of this name, or with the codec of Python; without byte order mark."""
    if not label:
        return None
    charset: Charset | None = None
    try:
        charset = lookup(label.replace("_", "-"), xml=True)
    except LinkfixError:
        try:
            return data.decode(label, "replace").removeprefix("\ufeff")
        except LookupError:
            return None
    return charset.decode(data).removeprefix("\ufeff")


def main() -> None:
    """Print the table."""
    default = ROOT.parent / "shared" / "conformance" / "documents"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    with (folder / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    tools: dict[str, tuple[Callable[[bytes], str | None], bool]] = {
        "linkfix": (by_linkfix, False),
        "chardet": (by_chardet, False),
        "linkfix*": (by_linkfix_html, True),
        "chardet*": (by_chardet, True),
    }
    if find_spec("charset_normalizer"):
        tools["normalizer"] = by_charset_normalizer, False
        tools["normalizer*"] = by_charset_normalizer, True
    right = {tool: Counter[str]() for tool in tools}
    total = Counter[str]()
    for row in rows:
        name = row["folder_charset"]
        total[name] += 1
        data = (folder / row["path"]).read_bytes()
        blank = LABEL.sub(lambda match: b" " * len(match[0]), data)
        for tool, (ask, blanked) in tools.items():
            seen = blank if blanked else data
            truth = read(seen, row["whatwg_encoding"] or name)
            right[tool][name] += read(seen, ask(seen)) == truth

    width = max(map(len, total))
    print(f"{'charset':{width}} documents " + " ".join(f"{tool:>11}" for tool in tools))
    for name, count in sorted(total.items()):
        figures = " ".join(f"{right[tool][name]:11}" for tool in tools)
        print(f"{name:{width}} {count:9} {figures}")
    everything = total.total()
    figures = " ".join(f"{right[tool].total() / everything:11.1%}" for tool in tools)
    print(f"{'right':{width}} {everything:9} {figures}")
    print(f"* labels blanked; chardet {chardet.__version__}")


if __name__ == "__main__":
    main()
