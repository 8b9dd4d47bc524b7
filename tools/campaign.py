"""Rewrite documents drawn at random, as they are and with planted dirt, and judge each rewrite by other means.

    python tools/campaign.py FOLDER... [--documents N] [--seed S]

A document is drawn from all files of the folders whose names are those of documents. In half of them, characters that no URI
may contain are planted in some links. Each is rewritten to URIs and to IRIs. Then

* each link has to lead where it led: ada-url resolves it before and after, lexbor or libxml2 compares the trees;
* the bytes outside the links that were reported as changed have to be the same;
* the rewritten document has to stay as it is in a second rewrite;
* a document that is well-formed for expat stays so.

Prints the figures, and each fault with its file; a fault makes the exit status 1.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import time
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from xml.parsers import expat

import linkfix
from linkfix.markup.detect import type_of_name
from linkfix.policy import Policy
from linkfix.verifying import Settings, verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.markup.detect import DocumentType

DIRT = (
    b" ",
    b"|",
    b"%",
    b"{",
    b"[",
    b"\\",
    b"^",
    b"%zz",
    b"%e4",
    b"&#233;",
    b"&#x7a7a;",
    b"&#12288;",
    b"?&#233;",
    b"#a#",
)
LARGEST = 2_000_000


def drawn(folders: list[Path], count: int, rng: random.Random) -> list[Path]:
    files = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and type_of_name(path.name) is not None
    )
    return rng.sample(files, min(count, len(files)))


def planted(data: bytes, type: DocumentType | None, rng: random.Random) -> bytes:
    """Plant dirt in up to five links."""
    links = [
        link
        for link in linkfix.extract(data, type=type)
        if link.end > link.start and link.charset.unit == 1 and not link.state
    ]
    for link in sorted(rng.sample(links, min(5, len(links))), key=lambda link: -link.start):
        at = rng.randint(link.start, link.end)
        dirt = rng.choice(DIRT)
        if type == "css" or dirt.startswith(b"&") or b"&" not in data[link.start : link.end]:
            data = data[:at] + dirt + data[at:]
    return data


def is_well_formed(data: bytes) -> bool:
    try:
        expat.ParserCreate().Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        return False
    return True


def judge(
    data: bytes, type: DocumentType | None, to: Literal["uri", "iri"], figures: Counter[str]
) -> Iterator[str]:
    policy = Policy(to=to)
    outcomes: list[linkfix.Outcome] = []
    sink = BytesIO()
    report = linkfix.rewrite(
        data, sink, to=to, policy=policy, type=type, on_outcome=outcomes.append
    )
    new = sink.getvalue()
    figures["links"] += report.links
    figures["changed"] += report.changed
    spans = [
        (each.link.start, each.link.end, each.new) for each in outcomes if each.new is not None
    ]
    pieces, end = [], 0
    for start, stop, text in sorted(spans):
        pieces += [data[end:start], text]
        end = stop
    if b"".join((*pieces, data[end:])) != new:
        yield "bytes outside links changed"
    left = {each.link.start for each in outcomes if each.kept}
    difference = verify(
        data, new, Settings(policy=policy, source=linkfix.Source(type=type), left=left)
    )
    if difference is not None:
        yield f"moved or harmed: {difference}"
    again = BytesIO()
    linkfix.rewrite(new, again, to=to, policy=policy, type=type)
    if again.getvalue() != new:
        yield "a second rewrite changes it"
    if new != data and is_well_formed(data) and not is_well_formed(new):
        yield "it was well-formed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, figures, faults, begin = random.Random(options.seed), Counter[str](), 0, time.monotonic()
    for path in drawn(options.folders, options.documents, rng):
        data = path.read_bytes()
        data = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)[:LARGEST]
        type = type_of_name(path.name)
        try:
            if rng.random() < 0.5:
                data = planted(data, type, rng)
                figures["planted"] += 1
            for to in ("uri", "iri"):
                for fault in judge(data, type, to, figures):
                    faults += 1
                    print(f"{path}: --to {to}: {fault}")
            figures["documents"] += 1
        except linkfix.LinkfixError as error:
            figures[f"refused: {error.__class__.__name__}"] += 1
    print(
        f"seed {options.seed}: {dict(figures)}, {faults} faults, {time.monotonic() - begin:.0f} s"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
