"""Rewrite the links of one document that have suggestions (``linkfix audit --fix``).

Input: the findings about a document. Output: a rewriter for it, and afterwards the links that it changed. A link with a
new target changes by its target, every other link by its spelling; all else stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from linkfix.auditing import Finding
from linkfix.cli.output import complain
from linkfix.policy import Policy, Source

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome
    from linkfix.verifying import Settings


class Fix:
    """The changes to one document.

    Args:
        source: what is known about the document.
        findings: those whose suggestions are wanted.
        policy: how links are read and written.
        address: absolute URI of the document; made up if it is not known.

    Attributes:
        rewriter: reads the document, and returns the new one.
        changes: the links that were changed so far.
        left: byte offsets of the links that were left so far although others with their target were led elsewhere.

    """

    def __init__(
        self,
        source: Source,
        findings: Iterable[Finding],
        policy: Policy,
        address: str,
    ) -> None:
        from linkfix.rewriting import Rewriter

        self._name = source.name
        self._wanted: set[int] = set()
        self._led: set[int] = set()
        self.changes: list[Outcome] = []
        self.left: set[int] = set()
        targets: dict[str, str] = {}
        for finding in findings:
            if finding.suggestion is not None:
                self._wanted.add(finding.start)
            if finding.led is not None:
                self._led.add(finding.start)
                targets.update([finding.led])
        self._moved_to: str | None = None
        if targets:
            policy, source = replace(policy, target=targets.get), replace(source, base=address)
            self._moved_to = address
        self._policy, self._source = policy, source
        self.rewriter: Rewriter = Rewriter(
            policy=policy,
            source=source,
            moved_to=self._moved_to,
            wants=self._wants,
            on_outcome=self._note,
        )

    def settings(self) -> Settings:
        """Return how the old document and the new one are compared, once it is rewritten."""
        from linkfix.verifying import Settings

        return Settings(
            policy=self._policy, source=self._source, moved_to=self._moved_to, left=self.left
        )

    def _wants(self, outcome: Outcome) -> bool:
        start = outcome.link.start
        return start in self._wanted and (outcome.target is None or start in self._led)

    def _note(self, outcome: Outcome) -> None:
        """Keep what became of a link; report why one with a suggestion stays as it was."""
        link = outcome.link
        if outcome.new is not None:
            self.changes.append(outcome)
            return
        if outcome.target is not None:
            self.left.add(link.start)
        if outcome.kept and link.start in self._wanted:
            complain(f"{self._name}:{link.line}:{link.column}: the link is left: {outcome.kept}")
