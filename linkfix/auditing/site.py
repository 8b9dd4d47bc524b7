"""What is known of the documents of one run, for rules that compare links across them.

The documents of a run may be audited in several processes. Each then has an `Outpost`, which tells the
links that those rules have to see; they are shown to the `Site` of the run in the order of the documents,
and it finds the same as if it had seen every link itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.finding import Finding
from linkfix.auditing.verdict import Verdicts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from linkfix.auditing.choice import Choice
    from linkfix.auditing.plain import Place
    from linkfix.auditing.rule import Rule, Sighting, SiteWatcher
    from linkfix.policy import Policy

__all__ = ["Outpost", "Site"]

#: How many links and targets a site remembers: what a run may take up in memory.
MOST = 200_000
#: For how many choices of rules and policies it is remembered what was said about links.
_MOST_VERDICTS = 16


class Outpost:
    """Tells which links the rules that compare documents have to see, in one process.

    Args:
        rules: the rules in force; None for all.

    Attributes:
        rules: those that compare documents.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        chosen = catalogue() if rules is None else rules
        self.rules = [rule for rule in chosen if rule.watch_site is not None]
        self._seen: set[tuple[str, str]] = set()
        self._quiet: dict[tuple[str, str], set[bytes]] = {}
        self._kept = 0
        self._verdicts: dict[tuple[int, int], tuple[Choice, Policy, Verdicts]] = {}

    def verdicts(self, choice: Choice, policy: Policy) -> Verdicts:
        """Give what is remembered of links, the same for all documents alike.

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

    def quiet(self, place: Place, base: str) -> set[bytes]:
        """Give the bytes of links about which there is nothing to say, as far as they are kept.

        Args:
            place: what they are resolved against, a made-up one if need be.
            base: the same, or "" where it is not known.

        """
        return self._quiet.setdefault((place.directory, base.partition(":")[0]), set())

    def keep(self, quiet: set[bytes], raw: Collection[bytes]) -> None:
        """Add the bytes of links to those about which there is nothing to say."""
        if self._kept + len(raw) <= MOST:
            self._kept += len(raw)
            quiet.update(raw)

    def is_new(self, value: str, directory: str) -> bool:
        """Tell whether a link of this value has not come from the same folder before.

        Links within one document do not count, nor does anything once `MOST` have come.

        Args:
            value: of the link.
            directory: the place of its document up to the last slash; "" for an identifier, which
                is the same thing wherever it stands.

        """
        key = (directory, value)
        if not value or value[0] in "#?" or key in self._seen or self._is_full:
            return False
        self._seen.add(key)
        return True

    @property
    def _is_full(self) -> bool:
        return len(self._seen) >= MOST

    def takes(self, values: Iterable[str], place: Place) -> bool:
        """Take plain links about which there is nothing to say.

        Args:
            values: of the links, in their order.
            place: what they are resolved against.

        Returns:
            False if there may be something to say about one of them. To find out about which, they
            are to be taken one by one; what has been taken may be taken again.

        """
        if not self.rules or self._is_full:
            return True
        directory, seen = place.directory, self._seen  # of any other only the site knows
        return all((directory, value) in seen for value in values if value[0] not in "#?")


class Site(Outpost):
    """The rules that compare documents, with what they have seen.

    Args:
        rules: the rules in force; None for all.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        super().__init__(rules)
        #: Where the plain links lead that have been taken.
        self._settled: set[str] = set()
        self._watchers: list[tuple[Rule, SiteWatcher]] = [
            (rule, rule.watch_site(self._settled))
            for rule in self.rules
            if rule.watch_site is not None
        ]

    @property
    def _is_full(self) -> bool:
        return len(self._seen) + len(self._settled) >= MOST

    def takes(self, values: Iterable[str], place: Place) -> bool:
        """See `Outpost.takes`."""
        if not self._watchers:
            return True
        targets = place.targets([value for value in values if value[0] not in "#?"])
        new = [target for target in dict.fromkeys(targets) if target not in self._settled]
        left = MOST - len(self._seen) - len(self._settled)
        if not new or left <= 0:
            return True
        known = [target for target in new if target is not None]
        if len(known) < len(new) or len(new) > left:
            return False
        normal = place.is_normal
        if all(watcher.takes(known, are_normal=normal) for _, watcher in self._watchers):
            self._settled.update(known)
            return True
        return False

    def judge(self, sighting: Sighting) -> tuple[list[Finding], int]:
        """Give what is found about a link that is new, and how many findings are suppressed."""
        findings = []
        suppressed = 0
        link = sighting.link
        for rule, watcher in self._watchers:
            if rule.code in sighting.silent:
                continue
            for hit in watcher.see(sighting):
                if rule.code in sighting.suppressed:
                    suppressed += 1
                    continue
                place = (link.line, link.column, link.start, link.end)
                about = (rule.code, rule.name, rule.severity, hit.message, rule.section)
                findings.append(Finding(*about, *place, link, hit.first, hit.last))
        return findings, suppressed
