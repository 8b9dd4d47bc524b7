"""Charsets of pages that declare none, decided over the site.

Input: how each page was read, and the links between pages. Output: for the pages of a folder with one extension, the charset with the
most evidence, and one decision for each page that is malformed in it; else one decision a page. Folders beside each other with few pages count as one. The evidence: guesses from
the frequencies of characters, the charsets that pages of the folder and pages linked with it declare, and what links say of a
page (``charset``, ``hreflang``). A charset in which a page is malformed counts for nothing there. The user reads and corrects the
decisions in a file, whose lines are ``PATTERN=LABEL  # evidence``. A decision is about pages without a declaration only.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from linkfix.charset import lookup
from linkfix.charset.sniff import PREFIX, likely
from linkfix.errors import LinkfixError
from linkfix.files.access import document_bytes
from linkfix.files.local import given_content
from linkfix.files.paths import join
from linkfix.migration.index import BY_DEFAULT, Index, Reading

#: How likely a charset must be for a page to count against that of its group; and how likely that must be then, as a part.
_SURE, _LEAST = 0.2, 0.25
#: So many pages of a folder are enough to decide on their own.
_MANY = 4
#: How much a page counts that is linked with one of a group, and the group of a page that is decided alone. The likelihood of a charset
#: is at most 1, and so much counts what a link says, and a page of the folder that declares its charset.
_LINKED, _NEAR = 0.25, 0.1
#: The charsets of pages in a language, by the beginning of its tag; after the locales of the HTML Standard, 13.2.3.2.
_OF_LANGUAGE = {
    "ar": ("windows-1256", "ISO-8859-6"), "bg": ("windows-1251", "ISO-8859-5"), "cs": ("windows-1250", "ISO-8859-2"),
    "el": ("ISO-8859-7", "windows-1253"), "fa": ("windows-1256",), "he": ("windows-1255", "ISO-8859-8"),
    "hu": ("ISO-8859-2", "windows-1250"), "ja": ("Shift_JIS", "EUC-JP", "ISO-2022-JP"), "ko": ("EUC-KR",),
    "lt": ("windows-1257", "ISO-8859-13"), "lv": ("windows-1257", "ISO-8859-13"), "pl": ("ISO-8859-2", "windows-1250"),
    "ru": ("windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "x-mac-cyrillic"), "sk": ("windows-1250", "ISO-8859-2"),
    "th": ("windows-874",), "tr": ("windows-1254",), "uk": ("windows-1251", "KOI8-U"), "vi": ("windows-1258",),
    "zh": ("GBK", "gb18030", "Big5"), "zh-tw": ("Big5",), "zh-hk": ("Big5",),
}  # fmt: skip

#: The last folder that a pattern names.
_FOLDER = re.compile(r"/[^/*]+((?:/\*)*/\*\.[^/]*)$")


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


@dataclass
class _Page:
    """A page whose charset was guessed.

    Attributes:
        path: from the root of the tree.
        reading: how it was read.
        linked: the charsets that pages which it links to, or that link to it, declare, by their paths.
        said: the charsets that links to it name, or that pages in its language are in.
        chances: how much speaks for each charset in which it is well-formed, but for pages around.

    """

    path: str
    reading: Reading
    linked: dict[str, str] = field(default_factory=dict)
    said: Counter[str] = field(default_factory=Counter)
    chances: dict[str, float] = field(default_factory=dict)

    @property
    def guess(self) -> str:
        """The charset that was guessed, "" if it is the default."""
        return "" if self.reading.guess == BY_DEFAULT else self.reading.charset

    def weigh(self, root: str, names: list[str]) -> None:
        """Read the page, and find the chances of charsets."""
        try:
            data = document_bytes(join(root, self.path))
        except LinkfixError:
            return
        octets = data.count("\ufffd".encode())
        found = likely(data[:PREFIX]) if len(names) > 1 else {lookup(name): 1.0 for name in names}
        for name in names:
            charset = lookup(name)
            if charset.decode(data).count("\ufffd") <= octets:
                self.chances[name] = found.get(charset, 0) + (name in self.said)

    def fits(self, name: str) -> bool:
        """Return whether the page may be in the charset of its group: it is well-formed, and no other is much likelier."""
        best = max(self.chances.values(), default=0)
        if name not in self.chances:
            return not self.chances
        return best < _SURE or self.chances[name] >= _LEAST * best


def decisions(index: Index, root: str) -> Iterator[CharsetDecision]:
    """Yield a decision for each group of pages whose charset was guessed, and for each page that is in another one.

    Args:
        index: how the pages were read.
        root: folder of the old tree.

    """
    pages: dict[str, _Page] = {}
    groups: dict[str, tuple[Counter[str], list[_Page]]] = {}
    for path, reading, declared in index.guessed():
        pages[path] = _Page(path, reading)
        groups.setdefault(_pattern(path), (declared, []))[1].append(pages[path])
    for path, lead in index.leads() if pages else ():
        for one, other in ((path, lead.path), (lead.path, path)):
            beside = index.documents.get(other)
            if one in pages and beside is not None and beside.declared and beside.type == "html":
                pages[one].linked[other] = beside.charset
        if lead.path in pages:
            named = _OF_LANGUAGE.get(lead.language) or _OF_LANGUAGE.get(lead.language[:2], ())
            pages[lead.path].said.update({lead.charset, *named} - {""})
    _join(groups)
    # The last line about a page counts.
    for pattern in sorted(groups, key=lambda each: -each.count("/*/")):
        declared, group = groups[pattern]
        yield from _decided(root, pattern, group, declared)


def _pattern(path: str) -> str:
    """Return the pattern for the pages of a folder with the extension of one of them."""
    folder, _, name = path.rpartition("/")
    return f"/{folder}/*.{name.rpartition('.')[2]}".replace("//", "/")


def _join(groups: dict[str, tuple[Counter[str], list[_Page]]]) -> None:
    """Put together the pages of folders beside each other that have few of them, and none that declares a charset."""
    while True:
        few = [each for each, (declared, group) in groups.items() if len(group) < _MANY and not declared]  # fmt: skip
        wider = {each: _FOLDER.sub(r"/*\1", each) for each in few}
        number = Counter(wider.values())
        for pattern, wide in list(wider.items()):
            if pattern == wide or (number[wide] < 2 and wide not in groups):
                del wider[pattern]
        for pattern, wide in wider.items():
            groups.setdefault(wide, (Counter(), []))[1].extend(groups.pop(pattern)[1])
        if not wider:
            return


def _decided(
    root: str, pattern: str, pages: list[_Page], declared: Counter[str]
) -> Iterator[CharsetDecision]:
    """Yield the decisions about the pages of a group; `declared` are the charsets of the others in their folder."""
    guessed = Counter(page.guess for page in pages if page.guess)
    said = sum((page.said for page in pages), Counter[str]())
    linked = Counter({path: name for page in pages for path, name in page.linked.items()}.values())
    names = [*dict.fromkeys([*guessed, *declared, *said, *linked])]
    votes = Counter[str]()
    votes.update({name: count * _LINKED for name, count in linked.items()})
    for page in pages:
        page.weigh(root, names)
        votes.update(page.chances)
    votes.update(declared)
    fitting = Counter(name for page in pages for name in page.chances)
    label = next((name for name, _ in votes.most_common() if 2 * fitting[name] > len(pages)), "")
    alone = [page for page in pages if not page.fits(label)]
    if "/*/" in pattern and 2 * guessed[label] <= len(pages):  # folders that do not agree
        folders: dict[str, list[_Page]] = {}
        for page in pages:
            folders.setdefault(_pattern(page.path), []).append(page)
        for each, group in folders.items():
            yield from _decided(root, each, group, declared)
        return
    if label and 2 * len(alone) < len(pages):
        told = _told({"guessed": guessed, "declared beside them": declared, "declared by linked pages": linked, "said by links": said})  # fmt: skip
        evidence = f"{len(pages):,} pages, {fitting[label]:,} are valid in it; {told}"
        yield CharsetDecision(pattern, label, evidence)
    else:
        alone = pages
    most = max(votes.values(), default=0) or 1
    for page in alone:
        own = page.reading.charset
        chances = {name: chance + _NEAR * votes[name] / most for name, chance in page.chances.items()}  # fmt: skip
        best = max(chances, key=lambda name: (chances[name], name == own), default=own)
        told = _told({"declared by linked pages": Counter(page.linked.values()), "said by links": page.said})  # fmt: skip
        yield CharsetDecision(
            f"/{page.path}",
            best,
            f"guessed from {page.reading.guess}{'; ' * bool(told)}{told}",
        )


def _told(evidence: dict[str, Counter[str]]) -> str:
    """Return evidence in words: of each kind the charsets, each with the number of pages."""
    return "; ".join(
        f"{what} {', '.join(f'{name} {count:,}' for name, count in counts.most_common(4))}"
        for what, counts in evidence.items()
        if counts
    )
