"""A folder of documents as an editor works on it: findings, targets and names for one document, links from all of them.

The texts of open documents stand in for their files. The folder is listed when the first question asks for it; `forget` after it changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote

import linkfix
from linkfix.auditing import Auditor, select
from linkfix.auditing.base import made_up
from linkfix.errors import LinkfixError
from linkfix.files.access import found_content
from linkfix.files.paths import absolute, join, relative
from linkfix.files.tree import Selection, documents
from linkfix.iri.reference import without_fragment
from linkfix.jobs.failures import salvaged
from linkfix.lsp.texts import Text
from linkfix.migration.moving import plan_move
from linkfix.policy import Policy, Source
from linkfix.server.addresses import SiteAddress
from linkfix.server.server import server_of
from linkfix.server.serving import Serving
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from linkfix.auditing import Finding, Rule
    from linkfix.library import TextEdit
    from linkfix.links import Link

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
        root: its path.
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
            files=self._files,
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

    def links_to(self, path: str) -> Iterator[tuple[Text, Link]]:
        """Yield the links of all documents that lead to a file, each with its document."""
        for text in self.documents():
            for link in self.links(text):
                target = self.target(link)
                if target is not None and target.path == path:
                    yield text, link

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
        self, old: str, new: str, complain: Callable[[LinkfixError], object]
    ) -> Iterator[tuple[Text, list[TextEdit]]]:
        """Yield the edits of all documents that keep every link after a file or folder was renamed.

        Args:
            old: its path.
            new: its new path.
            complain: called with what has to be done by hand.

        Raises:
            MoveError: the move is impossible.

        """
        move = plan_move(
            self._files.server, relative(old, self.root) or "", relative(new, self.root) or ""
        )
        policy = Policy(
            target=move.target, keeps_spelling=True, disputed="chromium", trusts_guess=True
        )
        for text in self.documents():
            path = relative(text.path, self.root) or ""
            try:
                move.check_includes(path, [text.data])
                edits = self._edits(text, policy, self._place(text.path))
            except LinkfixError as error:
                complain(error)
                continue
            if edits:
                yield text, edits
        for path, changes, stale in move.renew(writes=False):
            if changes or stale:
                complain(LinkfixError("it names what moves; linkfix mv writes it anew", file=path))
