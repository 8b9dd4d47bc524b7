"""Charsets of files by labels of the command line: ``LABEL`` or ``PATTERN=LABEL``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from linkfix.charset import Charset, lookup
from linkfix.files.globs import Patterns
from linkfix.markup.detect import DocumentType


@dataclass(frozen=True, slots=True)
class Labels:
    """Charsets by the paths of files.

    Attributes:
        rows: pattern, as in a ``.gitignore``, and label; "" for a pattern that every file has. The
            last one that matches counts.

    """

    rows: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, values: Iterable[str]) -> Labels:
        """Read the values of an option.

        Raises:
            UnknownCharsetError: a label names nothing.
            UnsupportedCharsetError: it names a charset that is refused.
            ValueError: the pattern is none.

        """
        rows = []
        for value in values:
            pattern, _, label = value.rpartition("=")
            lookup(label)
            _patterns(pattern)
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
        for pattern, label in reversed(self.rows):
            if _patterns(pattern).matches(path) if pattern else general:
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


@lru_cache(maxsize=1024)
def _patterns(pattern: str) -> Patterns:
    return Patterns([pattern])
