"""Instructions that put another file into a page: of Apache (mod_include), PHP, ASP and JSP.

A new kind of instruction is a row in `_SYNTAXES`. A name that a program makes up while it runs is not known.
"""

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from linkfix.errors import LinkfixError
from linkfix.files.access import chunks, open_document
from linkfix.files.paths import join
from linkfix.server.addresses import is_program
from linkfix.server.listing import Listing

#: A name in quotes, without variables.
_NAME = r"""(?:"(?P<double>[^"<>$]*)"|'(?P<single>[^'<>$]*)')"""
_SSI = r"#include\s+(?:(?P<rooted>virtual)|file)\s*=\s*"
#: The extensions of pages with code, of which parts may have any, and of parts.
_PHP, _ASP, _JSP = "php php3 php4 php5 phtml", "asp asa", "jsp jspf jspx tag"
_PARTS = ["inc", "ssi", "tpl"]
#: The extensions of the pages that have an instruction, "" for all, and what is before the name. Where the group ``rooted``
#: matches, a slash before the name is the root of the site; otherwise names are relative to the folder of the page.
_SYNTAXES = (
    ("", rf"<!--{_SSI}"),
    (_ASP, rf"<!--\s+{_SSI}"),
    (_JSP, r"<(?:%@\s*include|jsp:directive\.include)\s+(?P<rooted>)file\s*=\s*"),
    (_JSP, r"<jsp:include\s+(?P<rooted>)page\s*=\s*"),
    (_PHP, r"\b(?:include|require)(?:_once)?\b[\s(]*(?:(?:__DIR__|dirname\(__FILE__\)|(?P<rooted>\$_SERVER\[.DOCUMENT_ROOT.\]))\s*\.\s*)?"),
)  # fmt: skip
#: The declarations of XML that name another file (XML 1.0, 2.8 and 4.2.2), with what is before the name. The file says its own
#: charset, and its links are resolved against its own address. So it is no part.
DECLARATIONS = {
    keyword: re.compile(
        rb"""<!%s\s+(?:%%\s+)?[^\s"'<>]+\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?P<rooted>)%s"""
        % (keyword.encode(), _NAME.encode())
    )
    for keyword in ("DOCTYPE", "ENTITY")
}
#: What is named in a file: what a cache has, or what a function returns, by the path of the file.
Memo: TypeAlias = Callable[[str, Callable[[], list[tuple[str, bool]]]], list[tuple[str, bool]]]
#: How many bytes of an instruction are looked at.
_LONGEST = 4096


@lru_cache(maxsize=256)
def _patterns(extension: str) -> tuple[re.Pattern[bytes], ...]:
    """Return the instructions in the files with an extension."""
    return tuple(
        re.compile((before + _NAME).encode(), re.IGNORECASE | re.ASCII)
        for extensions, before in _SYNTAXES
        if not extensions or extension in _PARTS or extension in extensions.split()
    )


class Include(NamedTuple):
    """An instruction.

    Attributes:
        offset: of its first byte in the document.
        line: its line, from 1.
        name: what it names, percent escapes decoded, without a query.
        is_rooted: whether that is a path from the root of the site; otherwise it is one from the folder of the document.
        file: the path of the file in the site.

    """

    offset: int
    line: int
    name: str
    is_rooted: bool
    file: str

    def target(self, path: str) -> str:
        """Return the path from the root of the site of what it names in the document at a path."""
        return _target(path, self.name, is_rooted=self.is_rooted)


class Part(NamedTuple):
    """A file that pages include.

    Attributes:
        pages: the paths of these pages, themselves no parts, in the order of their names; a part may be in another one.
        charset: the name of the charset of the first page, in which readers have the part too; "" for one that is guessed.

    """

    pages: tuple[str, ...]
    charset: str

    @property
    def places(self) -> list[str]:
        """The first page of each folder, against whose address the relative links of the part are resolved."""
        return [*{posixpath.dirname(path): path for path in reversed(self.pages)}.values()][::-1]


def parts_of(
    paths: Iterable[str],
    listing: Listing,
    charset: Callable[[str], str],
    known: Memo | None = None,
) -> dict[str, Part]:
    """Return the parts of pages by their paths; a program is none: what it prints is not known.

    Args:
        paths: of the pages.
        listing: of the site.
        charset: returns the name of the charset of a page, "" for one that is guessed.
        known: as for `included`.

    """
    includers: dict[str, set[str]] = {}
    files = dict.fromkeys(paths)
    waiting = [*files]
    for path in waiting:
        for file in included(path, listing, known=known):
            if not listing.folders.is_program(file):
                includers.setdefault(file, set()).add(path)
                if file not in files:
                    files[file] = None
                    waiting.append(file)
    found = {part: tuple(sorted(pages_of(part, includers))) for part in sorted(includers)}
    return {part: Part(pages, charset(pages[0])) for part, pages in found.items() if pages}


def pages_of(part: str, includers: Mapping[str, set[str]]) -> set[str]:
    """Return the pages that include a part, itself or in another one, by the files that include each part."""
    pages, seen, waiting = set[str](), {part}, [part]
    while waiting:
        including = includers.get(waiting.pop(), set()) - seen
        inner = including & includers.keys()
        pages |= including - inner
        seen |= including
        waiting += inner
    return pages


def _target(path: str, name: str, *, is_rooted: bool) -> str:
    folder = "" if is_rooted else posixpath.dirname(path)
    return posixpath.normpath(posixpath.join("/", folder, name.lstrip("/"))).lstrip("/")


class IncludeScanner:
    """Find the instructions of one document that include a file of its site.

    Args:
        path: of the document; its extension says which instructions there are.
        listing: of the site.
        declarations: which of `DECLARATIONS` count as well.

    Attributes:
        window: the bytes that were looked at last.
        patterns: of the instructions.

    """

    def __init__(self, path: str, listing: Listing, declarations: Iterable[str] = ()) -> None:
        self.window: bytes = b""
        self._path, self._listing = path, listing
        is_off = listing.folders.of(posixpath.dirname(path)).includes is False and not is_program(path)  # fmt: skip
        instructions = () if is_off else _patterns(path.rpartition(".")[2].lower())
        self.patterns: tuple[re.Pattern[bytes], ...] = (*instructions, *map(DECLARATIONS.__getitem__, declarations))  # fmt: skip
        self._offset = 0
        self._line = 1

    def feed(self, data: bytes) -> Iterator[Include]:
        """Yield the instructions in the next bytes, which are ASCII where markup is; some of them twice."""
        for start, name, is_rooted in self.named(data):
            if (file := self.file(name, is_rooted)) is not None:
                line = self._line + self.window.count(b"\n", 0, start)
                yield Include(self._offset + start, line, name, is_rooted, file)

    def named(self, data: bytes) -> Iterator[tuple[int, str, bool]]:
        """Yield what instructions in the next bytes name, each with its offset in the window and whether it is rooted."""
        kept = max(len(self.window) - _LONGEST, 0)
        self._offset += kept
        self._line += self.window.count(b"\n", 0, kept)
        self.window = self.window[kept:] + data
        for match in chain.from_iterable(each.finditer(self.window) for each in self.patterns):
            octets = (match["double"] or match["single"] or b"").partition(b"?")[0]
            name = os.fsdecode(unquote_to_bytes(octets))
            yield match.start(), name, match["rooted"] is not None and name.startswith("/")

    def file(self, name: str, is_rooted: bool) -> str | None:
        """Return the path of a file that is named so; None if there is none."""
        return self._listing.real(_target(self._path, name, is_rooted=is_rooted))


def entities_of(paths: Iterable[str], listing: Listing) -> set[str]:
    """Return the paths of the files that XML documents name in `DECLARATIONS`, themselves or in their DTDs and entities."""
    found, waiting = set[str](), [*paths]
    for path in waiting:
        new = set(included(path, listing, DECLARATIONS)) - found
        found |= new
        waiting += new
    return found


def included(
    path: str, listing: Listing, declarations: Iterable[str] = (), *, known: Memo | None = None
) -> list[str]:
    """Return the paths of the files that a document of a site includes; none if it cannot be read.

    Args:
        path: of the document.
        listing: of the site.
        declarations: which of `DECLARATIONS` count as well.
        known: returns what is named in a file, from an earlier run or by the function that is given; None to read it.

    """
    scanner, full = IncludeScanner(path, listing, declarations), join(listing.root, path)

    def named() -> list[tuple[str, bool]]:
        with open_document(full) as file:
            found = chain.from_iterable(map(scanner.named, chunks(file)))
            return [*dict.fromkeys((name, is_rooted) for _, name, is_rooted in found)]

    if not scanner.patterns:
        return []
    try:
        names = named() if known is None else known(full, named)
    except LinkfixError:  # who reads the document reports it
        return []
    files = (scanner.file(name, is_rooted) for name, is_rooted in names)
    return [*dict.fromkeys(file for file in files if file is not None)]
