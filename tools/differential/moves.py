"""Move files and folders of a generated site, and compare the graph of links before and after by its own means.

    python tools/differential/moves.py [--documents N] [--moves N] [--seed N] [--json]

The links are found by the numbers that the generator wrote beside them, resolved by ada-url, and looked up among the
files on the disk; nothing of linkfix is asked. After each move every link has to lead to the same file, wherever that
is now, with the same query and fragment; one to no file has to lead where it led, or to the same place in the folder that
moved. `linkfix graph` has to find the same graph as well. No byte outside of links may change. A difference is printed, and makes the exit status 1. In the end everything moves
back.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import ada_url

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
import site_generator
from site_generator import BASE, os_path, uri_of

_BASE = re.compile(r'<base href="([^"]*)"')
_ATTRIBUTE = re.compile(r'(data-n="\d+" [\w:-]+=)"[^"]*"')
_STYLE = re.compile(r"(/\*n\d+\*/\s*url)\(\"[^\"]*\"\)")
_TEXT = re.compile(r'(data-n="\d+">)[^<]*')


class Edge(NamedTuple):
    """What a link leads to: a file, or an address where there is none; with query and fragment."""

    file: bytes | None
    address: str
    query: str
    fragment: str


@dataclass(frozen=True)
class Move:
    old: bytes
    new: bytes

    def path(self, path: bytes) -> bytes:
        if path == self.old or path.startswith(self.old + b"/"):
            return self.new + path[len(self.old) :]
        return path

    def address(self, url: str) -> str:
        """Return the address that a missing file in a folder that moves has afterwards."""
        if not url.startswith(BASE):
            return url
        rest = re.split("[?#]", url[len(BASE) :], maxsplit=1)[0]
        path = unquote_to_bytes(rest)
        return (
            url
            if self.path(path) == path
            else uri_of(self.path(path)) + url[len(BASE) + len(rest) :]
        )


class Graph:
    """The links of a site, read from the disk."""

    def __init__(
        self, folder: Path, documents: dict[bytes, site_generator.GeneratedDocument]
    ) -> None:
        self.files = {
            os.fsencode(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        self.edges: dict[bytes, dict[int, Edge]] = {}
        self.rest: dict[bytes, str] = {}
        for path, document in documents.items():
            if document.kind == "js":
                continue
            text = self.files[path].decode(document.charset.codec)
            found = _BASE.search(text)
            own = uri_of(path)
            base = own if found is None else ada_url.join_url(own, html.unescape(found[1]))
            codec = document.charset.codec
            self.edges[path] = {
                number: self._edge(value, base, codec)
                for number, value in site_generator.found(text)
            }
            for pattern in (_BASE, _ATTRIBUTE, _STYLE, _TEXT):
                text = pattern.sub(lambda match: match[1] if pattern is not _BASE else "", text)  # noqa: B023 - used at once
            self.rest[path] = text

    def _edge(self, value: str, base: str, codec: str) -> Edge:
        before, hash_, fragment = value.partition("#")
        before, mark, query = before.partition("?")
        # The query is sent in the charset of the document; ada knows UTF-8 only.
        sent = "".join(
            c if c.isascii() else "".join(f"%{octet:02X}" for octet in c.encode(codec))
            for c in query
        )
        url = ada_url.URL(before + mark + sent + hash_ + fragment, base)
        address = url.href.partition("#")[0].partition("?")[0]
        file = None
        if address.startswith(BASE):
            path = unquote_to_bytes(address[len(BASE) :])
            file = path if path in self.files else None
        return Edge(file, "" if file is not None else address, url.search, url.hash)


def differences(before: Graph, after: Graph, move: Move) -> list[str]:
    """Return what the move has made of the graph that it must not."""
    problems = []
    if {move.path(path) for path in before.files} != after.files.keys():
        problems.append("the files are other ones")
    for path, data in before.files.items():
        if path not in before.edges and after.files.get(move.path(path)) != data:
            problems.append(f"{path!r} changed, which has no links")
    for path, edges in before.edges.items():
        place = move.path(path)
        if before.rest[path] != after.rest[place]:
            problems.append(f"{place!r}: more than links changed")
        now = after.edges[place]
        for number, edge in edges.items():
            wanted = edge._replace(
                file=None if edge.file is None else move.path(edge.file),
                address=move.address(edge.address),
            )
            if now.get(number) != wanted:
                problems.append(f"{place!r}, link {number}: {edge} became {now.get(number)}")
        if now.keys() != edges.keys():
            problems.append(f"{place!r}: links were lost")
    return problems


def own_graph(folder: Path, move: Move | None = None) -> Counter[tuple[str, str, str, str]]:
    """Return the edges that `linkfix graph` finds; with a move, as they have to be after it."""
    line = [sys.executable, "-m", "linkfix", "graph", "-q", str(folder), "--base", BASE]
    done = subprocess.run(line, capture_output=True, check=True)
    edges: Counter[tuple[str, str, str, str]] = Counter()
    for row in map(json.loads, done.stdout.splitlines()):
        if row["record"] == "link":
            ends = [
                row[end] if move is None else move.address(row[end]) for end in ("source", "target")
            ]
            edges[ends[0], ends[1], row["fragment"], str(row["found"])] += 1
    return edges


def chosen(graph: Graph, chance: random.Random) -> Move:
    """Choose a file or a folder at random, and a new place for it."""
    folders = sorted(
        {path[:at] for path in graph.files for at in range(len(path)) if path[at : at + 1] == b"/"}
    )
    what = chance.choice(folders if chance.random() < 0.5 else sorted(graph.files))
    others = [b"", *(f for f in folders if f != what and not f.startswith(what + b"/"))]
    names = [b"moved", "neu é".encode(), what.rpartition(b"/")[2], "表".encode("cp932")]
    while True:
        new = b"/".join(
            filter(
                None, [chance.choice(others), *[b"new"] * chance.randrange(2), chance.choice(names)]
            )
        )
        taken = new in graph.files or new in folders
        # A URI in the generated documents has the name of the file in it; its extension says what it is.
        name = what.rpartition(b"/")[2]
        suffix = b"" if what in folders or b"." not in name else name[name.rindex(b".") :]
        new = new if new.endswith(suffix) else new + suffix
        if (
            not taken
            and new not in graph.files
            and new not in folders
            and not new.startswith(what + b"/")
            and new != what
        ):
            return Move(what, new)


def run(documents: int, moves: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Move things about; return counts, and the problems."""
    site = site_generator.generate(documents, seed=seed)
    chance = random.Random(seed)
    sums: Counter[str] = Counter(moves=0, links=0, rewritten=0)
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        folder = site.write(Path(made) / "site")
        known = dict(site.documents)
        graph = original = Graph(folder, known)
        done: list[Move] = []
        for number in range(2 * moves):
            move = chosen(graph, chance) if number < moves else Move(done[-1].new, done.pop().old)
            if number < moves:
                done.append(move)
            wanted = own_graph(folder, move)
            line = [
                sys.executable,
                "-m",
                "linkfix",
                "mv",
                "-q",
                "--root",
                str(folder),
                "--base",
                BASE,
            ]
            ended = subprocess.run(
                [*line, "--", os_path(move.old), os_path(move.new)],
                capture_output=True,
                check=False,
            )
            if ended.returncode not in {0, 1}:
                return sums, [f"{move}: status {ended.returncode}: {ended.stderr.decode()[-800:]}"]
            known = {move.path(path): document for path, document in known.items()}
            after = Graph(folder, known)
            sums["moves"] += 1
            sums["links"] += sum(map(len, after.edges.values()))
            sums["rewritten"] += sum(
                data != after.files.get(move.path(path)) for path, data in graph.files.items()
            )
            problems += [f"{move}: {each}" for each in differences(graph, after, move)]
            found = own_graph(folder)
            problems += [f"{move}: linkfix graph lost {each}" for each in wanted - found]
            problems += [f"{move}: linkfix graph finds {each}" for each in found - wanted]
            if problems:
                return sums, problems
            graph = after
        problems += differences(original, graph, Move(b"-", b"-"))
    return sums, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sums, problems = run(options.documents, options.moves, options.seed)
    print(json.dumps(sums) if options.json else dict(sums))
    for problem in problems[:20]:
        print(problem, file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
