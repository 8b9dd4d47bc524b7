"""Charsets of pages that declare none, decided for the pages of a folder together.

Input: how each page was read. Output: for the pages of a folder with one extension, the charset that most of them, and of the pages beside
them that declare one, are in, if all of them are valid in it; else one decision a page. The user reads and corrects them in a
file of decisions, whose lines are ``PATTERN=LABEL  # evidence``. A decision is about pages without a declaration only.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from linkfix.charset import lookup
from linkfix.errors import LinkfixError
from linkfix.files.access import document_bytes, given_content
from linkfix.files.paths import join
from linkfix.migration.index import Facts, Index

#: How much a guess from the frequencies of characters counts; one that is a default counts nothing.
_VOTES = {"the frequencies of its characters": 1, "its first octets": 1}


class CharsetDecision(NamedTuple):
    """The charset for the pages that match a pattern as in ``.gitignore``, with the evidence."""

    pattern: str
    label: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.pattern}={self.label}  # {self.evidence}"


def decided(path: str) -> list[str]:
    """Return the decisions in a file, as ``PATTERN=LABEL``; nothing if there is no file.

    Raises:
        OSError: it cannot be read.

    """
    try:
        lines = given_content(path).decode("utf-8", "surrogateescape").splitlines()
    except FileNotFoundError:
        return []
    return [text for line in lines if (text := line.partition("#")[0].strip())]


def decisions(index: Index, root: str) -> Iterator[CharsetDecision]:
    """Yield a decision for each group of pages whose charset was guessed.

    Args:
        index: how the pages were read.
        root: folder of the old tree.

    """
    groups: dict[str, list[tuple[str, Facts, Counter[str]]]] = {}
    for path, reading, declared in index.guessed():
        folder, _, name = path.rpartition("/")
        pattern = f"/{folder}/*.{name.rpartition('.')[2]}".replace("//", "/")
        groups.setdefault(pattern, []).append((path, reading, declared))
    for pattern, pages in groups.items():
        votes = Counter(pages[0][2])
        for _, reading, _ in pages:
            votes[reading.charset] += _VOTES.get(reading.guess, 0)
        common = [name for name, _ in votes.most_common()]
        malformed = _malformed(root, [path for path, _, _ in pages], common)
        label = next((name for name in common if not malformed[name]), None)
        if label is not None:
            told = ", ".join(f"{name} {count}" for name, count in votes.most_common(4))
            yield CharsetDecision(pattern, label, f"{len(pages):,} pages; guessed or declared: {told}; all are valid in it")  # fmt: skip
        else:
            for path, reading, _ in pages:
                yield CharsetDecision(f"/{path}", reading.charset, f"guessed from {reading.guess}")


def _malformed(root: str, paths: Iterable[str], names: list[str]) -> Counter[str]:
    """Count the pages that are malformed in each charset."""
    found: Counter[str] = Counter()
    for path in paths:
        try:
            data = document_bytes(join(root, path))
        except LinkfixError:
            continue
        octets = data.count("\ufffd".encode())
        for name in names:
            found[name] += lookup(name).decode(data).count("\ufffd") > octets
    return found
