"""Which charset a label of the command line gives to which files: ``LABEL`` or ``PATTERN=LABEL``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkfix.charset import lookup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathspec import GitIgnoreSpec

    from linkfix.charset import Charset

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

    def label(self, path: str) -> str | None:
        """Give the label for a file, by its path from the root of the tree; None for none."""
        if not self.rows:
            return None
        for (pattern, label), spec in zip(
            reversed(self.rows), reversed(self._compiled()), strict=True
        ):
            if not pattern or spec.match_file(path):
                return label
        return None

    def charset(self, path: str) -> Charset | None:
        """Give the charset for a file, by its path from the root of the tree; None for none."""
        label = self.label(path)
        return None if label is None else lookup(label)

    def _compiled(self) -> list[GitIgnoreSpec]:
        if not self._specs:
            from pathspec import GitIgnoreSpec

            self._specs.extend(GitIgnoreSpec.from_lines([pattern]) for pattern, _ in self.rows)
        return self._specs
