"""Charsets of files by labels of the command line: ``LABEL`` or ``PATTERN=LABEL``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkfix.charset import lookup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathspec import GitIgnoreSpec

    from linkfix.charset import Charset
    from linkfix.markup.detect import DocumentType

__all__ = ["Labels"]


@dataclass(frozen=True, slots=True)
class Labels:
    """Charsets by the paths of files.

    Attributes:
        rows: pattern, as in a ``.gitignore``, and label; "" for a pattern that every file has. The
            last one that matches counts.

    """

    rows: tuple[tuple[str, str], ...] = ()
    _specs: list[GitIgnoreSpec] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def parse(cls, values: Iterable[str]) -> Labels:
        """Read the values of an option.

        Raises:
            UnknownCharsetError: a label names nothing.
            UnsupportedCharsetError: it names a charset that is refused.

        """
        rows = []
        for value in values:
            pattern, _, label = value.rpartition("=")
            lookup(label)
            rows.append((pattern, label))
        return cls(tuple(rows))

    def label(self, path: str, *, general: bool = True) -> str | None:
        """Return the label for a file; None for none.

        Args:
            path: of the file, from the root of the tree.
            general: whether the rows without a pattern count.

        """
        if not self.rows:
            return None
        for (pattern, label), spec in zip(
            reversed(self.rows), reversed(self._compiled()), strict=True
        ):
            if spec.match_file(path) if pattern else general:
                return label
        return None

    def header(self, path: str, type: DocumentType | None) -> str | None:
        """Return the label that a server sends with a document; None for none.

        Labels without a pattern are for HTML only: the default charset of a server (Apache's AddDefaultCharset) does
        not apply to XML and style sheets.

        Args:
            path: of the document, from the root of the tree.
            type: of the document, ``text`` for a script; None if it depends on the content.

        """
        return self.label(path, general=type in {None, "html"})

    def charset(self, path: str) -> Charset | None:
        """Return the charset for a file, by its path from the root of the tree; None for none."""
        label = self.label(path)
        return None if label is None else lookup(label)

    def _compiled(self) -> list[GitIgnoreSpec]:
        if not self._specs:
            from pathspec import GitIgnoreSpec

            self._specs.extend(GitIgnoreSpec.from_lines([pattern]) for pattern, _ in self.rows)
        return self._specs
