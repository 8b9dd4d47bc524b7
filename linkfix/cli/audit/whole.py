"""What the documents of a run say of each other's pages: the findings that are known when all are read.

Input: the events ``page`` of all documents, in their order. Output: findings for each document that has some, in the
order of the documents. They are written after those of all documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkfix.auditing.pages import Mention, Pages
from linkfix.auditing.site import page_findings
from linkfix.files.paths import real, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linkfix.auditing import Finding, Rule
    from linkfix.auditing.occurrence import Occurrence
    from linkfix.files.tree import Found


class WholeSites:
    """The pages of the sites of a run.

    Args:
        documents: all documents of the run.
        place: returns the root of a document's site and its path there.
        whole: the folders of which all documents are read.

    """

    def __init__(
        self,
        documents: Sequence[Found],
        place: Callable[[Found], tuple[str, str]],
        whole: Sequence[str],
    ) -> None:
        self._documents = documents
        self._place = place
        self._whole = [real(folder) for folder in whole]
        self._sites: dict[str, Pages] = {}
        #: The roots of sites with a document that could not be processed.
        self._partial: set[str] = set()

    def add(
        self,
        root: str,
        path: str,
        home: str,
        mentions: list[list[Any]],
        linked: list[str],
        is_page: bool,
    ) -> None:
        """Process the event of a document (`linkfix.cli.audit.worker`)."""
        if root not in self._sites:
            places = (self._place(each) for each in self._documents)
            paths = (path for own, path in places if own == root)
            self._sites[root] = Pages(paths, is_whole=self._is_whole(root), home=home)
        made = [Mention(*mention) for mention in mentions]
        self._sites[root].add(path, made, linked, is_page=is_page)

    def lose(self, found: Found) -> None:
        """Record a document that could not be processed: its links are not known."""
        root, _ = self._place(found)
        self._partial.add(root)
        if root in self._sites:
            self._sites[root].lose()

    def _is_whole(self, root: str) -> bool:
        """Return whether all documents of a site are read."""
        place = real(root)
        return root not in self._partial and any(
            relative(place, each) is not None for each in self._whole
        )

    def findings(
        self, rules: Sequence[Rule]
    ) -> Iterator[tuple[str, list[tuple[Finding, Occurrence | None]]]]:
        """Yield the name of each document with findings, and the findings, each with its link.

        Args:
            rules: the rules in force.

        """
        for root, pages in self._sites.items():
            found = page_findings(pages, rules)
            if not found:
                continue
            for each in self._documents:
                own, path = self._place(each)
                if own == root and path in found:
                    yield each.path, found.pop(path)
