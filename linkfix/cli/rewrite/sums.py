"""Sums over the documents of ``linkfix rewrite``; processes exchange them, and the journal stores them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.cli.output import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.rewriting import Report


@dataclass(slots=True)
class Sums:
    """Sums over documents.

    Attributes:
        documents: how many were processed.
        touched: how many of these have a rewritten link.
        guessed: how many of the touched ones declare no charset.
        changed: how many links were rewritten.
        kept: how many links were left as they were because they cannot be rewritten.
        mapped: how many links the map moved.
        unmatched: how many links have no rule in the map.

    """

    documents: int = 0
    touched: int = 0
    guessed: int = 0
    changed: int = 0
    kept: int = 0
    mapped: int = 0
    unmatched: int = 0

    def add(self, report: Report) -> None:
        """Add a document."""
        touched = bool(report.changed)
        guessed = touched and not report.declared
        self.merge((1, touched, guessed, report.changed, report.kept, report.mapped, report.unmatched))  # fmt: skip

    def merge(self, sums: Iterable[int]) -> None:
        """Add the sums that `plain` returned."""
        for name, value in zip(self.__slots__, sums, strict=True):
            setattr(self, name, getattr(self, name) + value)

    def plain(self) -> tuple[int, ...]:
        """Return the sums as plain data."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def text(self, verb: str) -> str:
        """Return the number of documents and of rewritten links as text."""
        documents = number(self.documents, "document")
        if not self.changed:
            return f"{documents}, nothing to rewrite"
        links = number(self.changed, "link")
        return f"{documents}: {links} {verb} in {number(self.touched, 'document')}"
