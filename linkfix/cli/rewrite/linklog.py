"""Lines about the links of documents that are rewritten: what changed, what no rule of a map is for."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from linkfix.cli.linkmap import unmatched_record
from linkfix.cli.output import json_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.rewriting import Outcome

#: The largest log in characters that stays in memory; more goes to a temporary file.
SPOOL = 16 * 1024 * 1024


class _Log:
    """Lines about the links of one document, kept until it is known that it was written.

    Args:
        sink: of the lines, None for no log.
        record: returns the line about a link, None for none.

    """

    def __init__(
        self, sink: IO[str] | None, record: Callable[[Outcome], dict[str, Any] | None]
    ) -> None:
        self._sink = sink
        self._record = record
        self._lines: IO[str] | None = None
        if sink is not None:
            self._lines = tempfile.SpooledTemporaryFile(SPOOL, "w+", encoding="ascii")  # noqa: SIM115 - closed by close()

    @property
    def lines(self) -> IO[str] | None:
        """What has been kept so far; None where nothing is."""
        return self._lines

    def add(self, outcome: Outcome) -> None:
        if self._lines is not None and (record := self._record(outcome)) is not None:
            self._lines.write(json_line(record) + "\n")

    def commit(self) -> None:
        if self._sink is not None and self._lines is not None:
            self._lines.seek(0)
            shutil.copyfileobj(self._lines, self._sink)

    def close(self) -> None:
        if self._lines is not None:
            self._lines.close()


class Logs:
    """Everything that is noted about the links of one document, or of the documents in an archive.

    Args:
        sinks: of the lines about changes, and of those about links that no rule is for.
        name: of the document.

    """

    def __init__(self, sinks: tuple[IO[str] | None, IO[str] | None], name: str) -> None:
        changes, unmatched = sinks
        self._logs = (
            _Log(changes, partial(changed_record, name)),
            _Log(unmatched, partial(unmatched_record, name)),
        )

    def add(self, outcome: Outcome) -> None:
        """Note what became of a link."""
        for log in self._logs:
            log.add(outcome)

    def within(self, name: str) -> Logs:
        """Return the logs of one document of this archive; their commit writes to these logs."""
        changes, unmatched = (log.lines for log in self._logs)
        return Logs((changes, unmatched), name)

    def commit(self) -> None:
        """Hand on what was noted: the document was written."""
        for log in self._logs:
            log.commit()

    def close(self) -> None:
        """Forget the rest."""
        for log in self._logs:
            log.close()


def changed_record(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Return the record of a changed link; None for other links."""
    link = outcome.link
    if outcome.new is None:
        return None
    return {"file": name, **link.where(), "old": link.value, "new": outcome.conversion.text}
