"""The site: what one run knows of all its documents, for the rules that compare links across documents.

Input: lists of the values of ordinary links, and occurrences of all other links. Output: findings. Ordinary links
are compared by their targets, a list at a time, and remembered if no rule objects. Several processes may
audit the documents of a run. Each then has a `WorkerSite`, which compares the links of its own documents. It
sends the values of ordinary links that it accepted, and the occurrences, to the `Site` of the run, which
processes them in the order of the documents. Where an ordinary link of one process resembles a link of another
one, its document is audited once more with the `Site` of the run. The cost is memory: a site remembers at most
`MOST` links and targets, and compares no more after that.
"""

from __future__ import annotations

from itertools import filterfalse
from typing import TYPE_CHECKING, cast

from linkfix.auditing.base import base_url
from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.finding import Finding
from linkfix.auditing.verdict import Verdicts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from linkfix.auditing.base import BaseURL
    from linkfix.auditing.choice import Choice
    from linkfix.auditing.rule import Occurrence, Rule, SiteWatcher
    from linkfix.policy import Policy

__all__ = ["Site", "WorkerSite"]

#: How many links and targets a site remembers, which bounds its memory.
MOST = 200_000
#: For how many choices of rules and policies the verdicts about links are remembered.
_MOST_VERDICTS = 16


class Site:
    """The rules that compare documents, with the links that they compared.

    Args:
        rules: the rules in force; None for all.

    Attributes:
        rules: the rules that compare documents.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        chosen = catalogue() if rules is None else rules
        self.rules = [rule for rule in chosen if rule.watch_site is not None]
        #: The links that were judged one by one, by their folder and value.
        self._judged: set[tuple[str | None, str]] = set()
        #: The targets of the ordinary links that were accepted.
        self._targets: set[str] = set()
        self._watchers: list[tuple[Rule, SiteWatcher]] = [
            (rule, rule.watch_site(self._targets))
            for rule in self.rules
            if rule.watch_site is not None
        ]
        self._finished: dict[tuple[str, str], set[bytes]] = {}
        self._finished_count = 0
        self._verdicts: dict[tuple[int, int], tuple[Choice, Policy, Verdicts]] = {}

    def verdicts(self, choice: Choice, policy: Policy) -> Verdicts:
        """Return the verdicts that all documents with the same rules and policy share.

        Args:
            choice: the rules in force.
            policy: how links are read.

        """
        key = (id(choice), id(policy))
        known = self._verdicts.get(key)
        if known is None:
            if len(self._verdicts) == _MOST_VERDICTS:
                self._verdicts.clear()
            known = self._verdicts[key] = (choice, policy, Verdicts(choice))
        return known[2]

    def finished(self, base: BaseURL, known: str) -> set[bytes]:
        """Return the raw values that need no further check under a base; the caller may add to it with `finish`.

        Args:
            base: the base URL of the links, a placeholder if the real one is unknown.
            known: the base URL, or "" if it is unknown.

        """
        return self._finished.setdefault((base.directory, known.partition(":")[0]), set())

    def finish(self, finished: set[bytes], raw: Collection[bytes]) -> None:
        """Add raw values to a set of `finished`, as long as there is room."""
        if self._finished_count + len(raw) <= MOST:
            self._finished_count += len(raw)
            finished.update(raw)

    @property
    def _room(self) -> int:
        """How many more links and targets can be remembered; without room, nothing is compared."""
        return MOST - len(self._judged) - len(self._targets)

    def is_new(self, value: str, directory: str | None) -> bool:
        """Return whether this value was not judged from the same folder before, and remember it.

        Nothing is new once `MOST` links and targets are remembered.

        Args:
            value: of a link to another document.
            directory: as in `Occurrence`.

        """
        key = (directory, value)
        if key in self._judged or self._room <= 0:
            return False
        self._judged.add(key)
        return True

    def accepts(self, values: Iterable[str], base: BaseURL) -> bool:
        """Accept ordinary links that no rule can object to.

        Args:
            values: of the links, each once.
            base: their base URL.

        Returns:
            False if a rule may object to one of them; then none is accepted. The caller tries smaller parts,
            down to single links, in their order.

        """
        return not self._watchers or self._accept(_external(values), base) is not None

    def _accept(self, values: list[str], base: BaseURL) -> list[str] | None:
        """Accept ordinary links; return those that were not judged before, None if none is accepted."""
        normal = base.is_normal
        if not values or self._accepts_targets(base.targets(values), are_normal=normal):
            return values
        rest = self._unjudged(values, base)
        if len(rest) < len(values) and self._accepts_targets(base.targets(rest), are_normal=normal):
            return rest
        return None

    def accepts_all(self, values: Mapping[str, str], more: int) -> bool:
        """Accept the ordinary links of a document that a `WorkerSite` accepted.

        Args:
            values: from `WorkerSite.collect`.
            more: the number of the document's other links.

        Returns:
            False if the document must be audited again; then none is accepted.

        """
        if not values or not self._watchers or self._room <= 0:
            return True
        pairs = [(base_url(uri), joined.split(" ")) for uri, joined in values.items()]
        are_normal = all(base.is_normal for base, _ in pairs)
        targets = [target for base, some in pairs for target in base.targets(some)]
        if self._accepts_targets(targets, are_normal=are_normal, more=more):
            return True
        pairs = [(base, self._unjudged(some, base)) for base, some in pairs]
        targets = [target for base, some in pairs for target in base.targets(some)]
        return self._accepts_targets(targets, are_normal=are_normal, more=more)

    def accepts_occurrence(self, occurrence: Occurrence) -> bool:
        """Accept an ordinary link that a `WorkerSite` did not accept; return False if it must be judged."""
        return occurrence.is_ordinary and self._accepts_targets(
            [occurrence.target], are_normal=False
        )

    def _unjudged(self, values: Iterable[str], base: BaseURL) -> list[str]:
        """Return the values that were not judged from the same folder."""
        directory, judged = base.directory, self._judged
        return [value for value in values if (directory, value) not in judged]

    def _accepts_targets(
        self, targets: Iterable[str | None], *, are_normal: bool, more: int = 0
    ) -> bool:
        """Accept targets of links, if no rule can object to any of them."""
        known, room = self._targets, self._room
        new = dict.fromkeys(filterfalse(known.__contains__, targets))
        if not new or room <= 0:
            return True
        if None in new or len(new) + more > room:
            return False
        added = cast("list[str]", [*new])
        prepared = []
        for _, watcher in self._watchers:
            forms = watcher.prepare(added, are_normal=are_normal)
            if forms is None:
                return False
            prepared.append((watcher, forms))
        for watcher, forms in prepared:
            watcher.commit(forms)
        known.update(added)
        return True

    def judge(self, occurrence: Occurrence) -> tuple[list[Finding], int]:
        """Return the findings about a new link, and the number of suppressed findings."""
        findings = []
        suppressed = 0
        link = occurrence.link
        for rule, watcher in self._watchers:
            for hit in watcher.check(occurrence):
                if rule.code in occurrence.silent:
                    continue
                if rule.code in occurrence.suppressed:
                    suppressed += 1
                    continue
                place = (link.line, link.column, link.start, link.end)
                about = (rule.code, rule.name, rule.severity, hit.message, rule.section)
                findings.append(Finding(*about, *place, link, hit.first, hit.last))
        return findings, suppressed


class WorkerSite(Site):
    """The site of one of several processes, which knows only the documents of this process.

    Args:
        rules: the rules in force; None for all.

    Attributes:
        shows_all: whether every link becomes an occurrence, so that no document is audited again.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        super().__init__(rules)
        self.shows_all = False
        self._collected: dict[str, dict[str, None]] = {}

    def collect(self) -> dict[str, str]:
        """Return the values of the ordinary links that were accepted since the last call.

        Returns:
            For each base URL the values, separated by spaces (an ordinary value has none), without links inside
            the document.

        """
        collected, self._collected = self._collected, {}
        return {uri: " ".join(values) for uri, values in collected.items()}

    def accepts(self, values: Iterable[str], base: BaseURL) -> bool:
        """Accept ordinary links as `Site.accepts` does, and collect their values."""
        if not self._watchers or self._room <= 0:
            return True
        values = _external(values)
        if self.shows_all:
            return not self._unjudged(values, base)
        accepted = self._accept(values, base)
        if accepted:
            self._collected.setdefault(base.uri, {}).update(dict.fromkeys(accepted))
        return accepted is not None


def _external(values: Iterable[str]) -> list[str]:
    """Return the values that lead out of their document."""
    return [value for value in values if value[0] not in "#?"]
