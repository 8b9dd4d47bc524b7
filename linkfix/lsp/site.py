"""A folder of documents as an editor works on it: findings, targets and names for one document, links from all of them.

The texts of open documents stand in for their files. The folder is listed when the first question asks for it; `forget` after it changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple
from urllib.parse import quote, unquote

import linkfix
from linkfix.auditing import Auditor, Finding, Rule, select
from linkfix.auditing.base import made_up
from linkfix.charset import PREFIX, Charset, Sniffed, lookup, sniff
from linkfix.errors import LinkfixError, MoveError
from linkfix.files.access import is_folder
from linkfix.files.local import found_content
from linkfix.files.paths import absolute, join, relative
from linkfix.files.tree import Selection, documents
from linkfix.iri.reference import without_fragment
from linkfix.jobs.failures import salvaged
from linkfix.links import Link
from linkfix.links.stream import MARKUP
from linkfix.markup.detect import type_of_name
from linkfix.migration.moving import SiteMove, followed, plan_move
from linkfix.policy import Policy, Source
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.server import server_of
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from linkfix.library import TextEdit

#: How many octets of a file are read at most: more than editors open.
_LARGEST = 1 << 26


class Target(NamedTuple):
    """What a link leads to.

    Attributes:
        uri: absolute; where the address of the site is not known, a path from the root of the folder.
        path: absolute path of the file, "" if there is none in the folder.
        fragment: of the link, without "#".

    """

    uri: str
    path: str
    fragment: str


@dataclass(eq=False)
class Site:
    """A folder.

    Args:
        root: its path; one where no folder is for a document that is no file.
        base: its address; None where that is not known.
        rules: the rules in force; None for all.
        serving: how the server maps URLs to files.
        texts: the open documents, by their paths.
        unit: of the columns of texts.

    """

    root: str
    base: str | None
    rules: Sequence[Rule] | None
    serving: Serving
    texts: Mapping[str, Text]
    unit: str = "utf-16"

    def forget(self) -> None:
        """Forget the listing of the folder, which has changed."""
        vars(self).pop("_files", None)

    @cached_property
    def _address(self) -> SiteAddress:
        return SiteAddress.at(self.base or made_up(0))

    @cached_property
    def _files(self) -> TargetFiles:
        server = server_of(self.root, self._address, self.serving, lambda _: None)
        return TargetFiles(server, Policy())

    def _place(self, path: str) -> str:
        """Return the URI of a document."""
        return self._address.document(relative(path, self.root) or "", self.serving.index)

    def text(self, path: str) -> Text:
        """Return the text of a document: of an editor, or of its file; "" of what is no regular file."""
        if path in self.texts:
            return self.texts[path]
        data = found_content(path, _LARGEST)
        charset = Text(data.decode("latin-1"), path).charset
        return Text(charset.decode(data).removeprefix("\ufeff"), path, self.unit)

    def findings(self, text: Text) -> Iterator[Finding]:
        """Yield the findings about a document, in order.

        Raises:
            LinkfixError: it cannot be processed.

        """
        rules = select() if self.rules is None else self.rules
        auditor = Auditor(
            rules=rules,
            source=Source(name=text.path, base=self.base and self._place(text.path)),
            files=self._files if is_folder(self.root) else None,
            location=self._place(text.path),
        )
        for findings in salvaged(auditor, [text.data], auditor.end):
            yield from findings
        yield from auditor.late_findings()

    def links(self, text: Text) -> Iterator[Link]:
        """Yield the links of a document; after an error none.

        Their `resolved` is absolute, whether the address of the folder is known or not.
        """
        try:
            yield from linkfix.extract(text.file(), base=self._place(text.path))
        except LinkfixError:
            return

    def target(self, link: Link) -> Target | None:
        """Return what a link leads to; None for one that leads nowhere."""
        uri = link.resolved
        if uri is None:
            return None
        path = self._files.path(without_fragment(uri), link.charset)
        shown = uri if self.base else "/" + uri.removeprefix(self._address.root)
        _, _, fragment = uri.partition("#")
        is_inside = uri.startswith(self._address.root)
        return Target(shown if is_inside else uri, join(self.root, path) if path else "", fragment)

    def corrections(self, text: Text, to: Literal["uri", "iri"]) -> list[TextEdit]:
        """Return the edits that rewrite the links of a document; none of one that cannot be processed."""
        try:
            return self._edits(text, Policy(to=to), self.base and self._place(text.path))
        except LinkfixError:
            return []

    def _edits(self, text: Text, policy: Policy, base: str | None) -> list[TextEdit]:
        """Return what `linkfix.edits` returns; the edits count code points of the text.

        Raises:
            LinkfixError: the document cannot be processed, or its charset lacks characters of the text.

        """
        if text.charset.decode(text.data) != "\ufeff" * text.has_mark + text.source:
            raise LinkfixError("its charset lacks characters of the text", file=text.path)
        edits = linkfix.edits(text.file(), unit="codepoint", policy=policy, base=base)
        mark = int(text.has_mark)
        return [each._replace(start=each.start - mark, end=each.end - mark) for each in edits]

    def documents(self) -> Iterator[Text]:
        """Yield the documents of the folder."""
        for found in documents([self.root], Selection()):
            yield self.text(absolute(found.path))

    def completions(self, link: Link, before: str) -> list[str]:
        """Return what may follow in a link: names in its target behind "#", else names of files and folders.

        Args:
            link: under the cursor.
            before: its value before the cursor.

        Returns:
            Names, percent-encoded, without what is written already of their last segment; folders end in a slash.

        """
        start, mark, _ = before.partition("#")
        if mark:
            uri = link._replace(value=start).resolved
            path = uri and self._files.path(uri, link.charset)
            return sorted(map(quote, self._files.names(path) or ())) if path else []
        # "_" stands for any name: the URI of a folder would be that of its index.
        uri = link._replace(value=start[: start.rfind("/") + 1] + "_").resolved
        located = self._address.locate(uri) if uri else None
        if located is None:
            return []
        folder = located.path.removesuffix("_")
        head = len(self._address.uri(folder))
        return sorted(
            self._address.uri(path, is_folder=entry.kind == "folder")[head:]
            for path, entry in self._files.server.listing.entries.items()
            if path.startswith(folder) and "/" not in path[len(folder) :]
        )

    def moved(
        self, renames: Sequence[tuple[str, str]], complain: Callable[[LinkfixError], object]
    ) -> Iterator[tuple[Text, list[TextEdit]]]:
        """Yield the edits of all documents that keep every link after files or folders were renamed, all at once.

        Args:
            renames: the path of each, and its new path.
            complain: called with what has to be done by hand, and with what cannot be renamed.

        """
        planned: list[SiteMove] = []
        for old, new in renames:
            try:
                place = relative(new, self.root)
                if place is None:
                    raise MoveError("it leaves its folder, and no link follows it", file=old)
                move = plan_move(self._files.server, relative(old, self.root) or "", place)
            except LinkfixError as error:
                complain(error)
                continue
            planned.append(move)
        if not planned:
            return
        moves = followed(planned, self._files.server)

        def target(uri: str) -> str | None:
            now = uri
            for move in moves:
                now = move.target(now) or now
            return None if now == uri else now

        policy = replace(moves[0].policy(Policy()), target=target)
        for text in self.documents():
            path = relative(text.path, self.root) or ""
            try:
                for move in moves:
                    move.check_includes(path, [text.data])
                    path = move.renamed(path)
                edits = self._edits(text, policy, self._place(text.path))
                if edits and text.path not in self.texts:
                    text.check_elsewhere()
            except LinkfixError as error:
                complain(error)
                continue
            if edits:
                yield text, edits
        for move in planned:
            for path, changes, stale in move.renew(writes=False):
                if changes or stale:
                    complain(
                        LinkfixError("it names what moves; linkfix mv writes it anew", file=path)
                    )


# --- The text of a document in an editor: its positions, and its bytes in the charset of its file --
# Lines end at CR, LF or both, and nowhere else (Language Server Protocol 3.17, "Text Documents"). Columns count from 0, in the units
# that client and server agreed on.

#: The units of columns, as the protocol calls them: an encoding without a byte order mark, and its bytes for one unit.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_LINE_END = re.compile(r"\r\n?|\n")
#: What stands for a character that the charset of the file lacks: one code point.
_MISSING = "?"


class _Named(BytesIO):
    """Bytes with the name of a file."""

    name = ""


@dataclass(frozen=True)
class Text:
    """The text of a document, as an editor holds it.

    Args:
        source: the characters, without a byte order mark.
        path: of its file.
        unit: of columns: ``utf-8``, ``utf-16`` or ``utf-32``.
        before: the charset of its earlier text, which an editor keeps; None for no earlier one.

    """

    source: str
    path: str
    unit: str = "utf-16"
    before: Charset | None = None

    @cached_property
    def _starts(self) -> list[int]:
        """The code points at which lines begin."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.source))]

    def offset(self, line: int, column: int) -> int:
        """Return the code point at a position; a column behind the end of its line is that end."""
        if line >= len(self._starts):
            return len(self.source)
        start, end = [*self._starts, len(self.source)][line : line + 2]
        codec, size = _UNITS[self.unit]
        text = self.source[start:end].rstrip("\r\n")
        octets = text.encode(codec, "surrogatepass")[: column * size]
        return start + len(octets.decode(codec, "ignore"))

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a code point."""
        line = bisect_right(self._starts, offset) - 1
        codec, size = _UNITS[self.unit]
        before = self.source[self._starts[line] : offset]
        return line, len(before.encode(codec, "surrogatepass")) // size

    @cached_property
    def _sniffed(self) -> Sniffed | None:
        """What says in which charset the file is: Unicode of more than one octet a unit, the text, or the file."""
        kind = MARKUP[type_of_name(self.path) or "html"]
        octets = found_content(self.path, PREFIX)
        try:
            stored = sniff(octets, type=kind, final=True) if octets else None
        except LinkfixError:
            stored = None
        if stored is not None and (stored.charset.unit > 1 or stored.bom):
            return stored
        octets = self.source[:PREFIX].encode("utf-8", "surrogatepass")
        try:
            written = sniff(octets, type=kind, final=True)
        except LinkfixError:
            return stored
        return written if stored is None or (written is not None and written.declared) else stored

    @property
    def charset(self) -> Charset:
        """The charset of the document; UTF-8 where neither text nor file says it."""
        sniffed = self._sniffed
        if self.before is not None and not (sniffed is not None and sniffed.declared):
            return self.before
        is_known = sniffed is not None and (sniffed.declared or sniffed.step == "detected")
        found = sniffed.charset if sniffed is not None and is_known else None
        return found or lookup("utf-8")

    def check_elsewhere(self) -> None:
        """Check that every editor that opens the file reads this text, so that edits of it are at the same places.

        Raises:
            LinkfixError: its charset is a legacy one, or octets are malformed in it.

        """
        if "\ufffd" in self.source or not (self.charset.is_unicode or self.source.isascii()):
            raise LinkfixError(
                f"its links have to follow; it is {self.charset.name}, and the editor may read it as another charset",
                hint="open it in that charset before you rename, or use linkfix mv",
                file=self.path,
            )

    @property
    def has_mark(self) -> bool:
        """Whether the file begins with a byte order mark."""
        return self._sniffed is not None and self._sniffed.bom > 0

    @cached_property
    def data(self) -> bytes:
        """The bytes of the document, as the editor would save them; "?" stands for characters that its charset lacks."""
        charset = self.charset
        text = "\ufeff" * self.has_mark + self.source
        return charset.encode(text, missing=lambda _: charset.encode(_MISSING))

    def file(self) -> BinaryIO:
        """Return a file of `data` with the name of the document."""
        file = _Named(self.data)
        file.name = self.path
        return file

    def span(self, link: Link) -> tuple[int, int]:
        """Return the first code point of the spelling of a link, and the one behind its last."""
        start = self._starts[link.line - 1] + link.column - 1
        octets = self.data[link.start : link.end]
        return start, start + len(link.charset.decode(octets, link.state))

    def named(self, fragment: str) -> int:
        """Return the code point at which the element with a name begins; 0 if there is none."""
        name = re.escape(unquote(fragment))
        found = re.search(rf"""<[^<>]*\b(?:id|name)\s*=\s*["']?{name}(?=["'\s>])""", self.source)
        return found.start() if found and fragment else 0
