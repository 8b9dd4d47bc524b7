"""What is known of the documents of one run, for rules that compare links across them.

The documents of a run may be audited in several processes. Each then has an `Outpost`, which compares what
it sees itself. It tells where ordinary links have come from of which it has nothing to say, by their values,
and of any other link all that there is to know; the `Site` of the run takes both, document by document in
their order. Nothing else is to be known where the links of a document agree with those of other
processes too. Where they do not, the document has to be audited once more with the `Site` of the run.
"""

from __future__ import annotations

from itertools import filterfalse
from typing import TYPE_CHECKING, cast

from linkfix.auditing.base import place_at
from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.finding import Finding
from linkfix.auditing.verdict import Verdicts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from linkfix.auditing.base import Place
    from linkfix.auditing.choice import Choice
    from linkfix.auditing.rule import Rule, Sighting, SiteWatcher
    from linkfix.policy import Policy

__all__ = ["Outpost", "Site"]

#: How many links and targets a site remembers: what a run may take up in memory.
MOST = 200_000
#: For how many choices of rules and policies it is remembered what was said about links.
_MOST_VERDICTS = 16


class Site:
    """The rules that compare documents, with what they have seen.

    Args:
        rules: the rules in force; None for all.

    Attributes:
        rules: those that compare documents.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        chosen = catalogue() if rules is None else rules
        self.rules = [rule for rule in chosen if rule.watch_site is not None]
        #: The links that have been judged one by one, by their folder and value.
        self._seen: set[tuple[str | None, str]] = set()
        #: Where the ordinary links lead that have been taken.
        self._settled: set[str] = set()
        self._watchers: list[tuple[Rule, SiteWatcher]] = [
            (rule, rule.watch_site(self._settled))
            for rule in self.rules
            if rule.watch_site is not None
        ]
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

    @property
    def _room(self) -> int:
        """How many links and targets may still be remembered; once there is no room, nothing counts."""
        return MOST - len(self._seen) - len(self._settled)

    def is_new(self, value: str, directory: str | None) -> bool:
        """Tell whether a link of this value has not come from the same folder before.

        Nothing is new once `MOST` have come.

        Args:
            value: of the link, which leads out of its document.
            directory: see `Sighting`.

        """
        key = (directory, value)
        if key in self._seen or self._room <= 0:
            return False
        self._seen.add(key)
        return True

    def takes(self, values: Iterable[str], place: Place) -> bool:
        """Take ordinary links about which there is nothing to say.

        Args:
            values: of the links, each once.
            place: what they are resolved against.

        Returns:
            False if there may be something to say about one of them, none of them being taken. To find
            out about which, they are to be taken in smaller parts, down to one by one, in their order.

        """
        return not self._watchers or self._accepted(_leading_out(values), place) is not None

    def _accepted(self, values: list[str], place: Place) -> list[str] | None:
        """Take ordinary links; give those that have not been judged before, None if none is taken."""
        normal = place.is_normal
        if not values or self._has_taken(place.targets(values), are_normal=normal):
            return values
        unseen = self._unseen(values, place)
        if len(unseen) < len(values) and self._has_taken(place.targets(unseen), are_normal=normal):
            return unseen
        return None

    def takes_all(self, told: Mapping[str, str], more: int) -> bool:
        """Take what an `Outpost` has taken of a document.

        Args:
            told: see `Outpost.told`.
            more: how many other links the document has.

        Returns:
            False if the document has to be audited again, nothing being taken.

        """
        if not told or not self._watchers or self._room <= 0:
            return True
        taken = [(place_at(uri), values.split(" ")) for uri, values in told.items()]
        are_normal = all(place.is_normal for place, _ in taken)
        targets = [target for place, values in taken for target in place.targets(values)]
        if self._has_taken(targets, are_normal=are_normal, more=more):
            return True
        taken = [(place, self._unseen(values, place)) for place, values in taken]
        targets = [target for place, values in taken for target in place.targets(values)]
        return self._has_taken(targets, are_normal=are_normal, more=more)

    def has_taken(self, sighting: Sighting) -> bool:
        """Take a ordinary link that an `Outpost` has not taken; tell whether there is nothing to say about it."""
        return sighting.is_ordinary and self._has_taken([sighting.target], are_normal=False)

    def _unseen(self, values: Iterable[str], place: Place) -> list[str]:
        """Give the values that have not been judged from the same folder."""
        directory, seen = place.directory, self._seen
        return [value for value in values if (directory, value) not in seen]

    def _has_taken(self, targets: Iterable[str | None], *, are_normal: bool, more: int = 0) -> bool:
        """Take links by where they lead, if there is nothing to say about any of them."""
        settled, room = self._settled, self._room
        new = dict.fromkeys(filterfalse(settled.__contains__, targets))
        if not new or room <= 0:
            return True
        if None in new or len(new) + more > room:
            return False
        known = cast("list[str]", [*new])
        said = []
        for _, watcher in self._watchers:
            forms = watcher.new(known, are_normal=are_normal)
            if forms is None:
                return False
            said.append((watcher, forms))
        for watcher, forms in said:
            watcher.take(forms)
        settled.update(known)
        return True

    def judge(self, sighting: Sighting) -> tuple[list[Finding], int]:
        """Give what is found about a link that is new, and how many findings are suppressed."""
        findings = []
        suppressed = 0
        link = sighting.link
        for rule, watcher in self._watchers:
            for hit in watcher.see(sighting):
                if rule.code in sighting.silent:
                    continue
                if rule.code in sighting.suppressed:
                    suppressed += 1
                    continue
                place = (link.line, link.column, link.start, link.end)
                about = (rule.code, rule.name, rule.severity, hit.message, rule.section)
                findings.append(Finding(*about, *place, link, hit.first, hit.last))
        return findings, suppressed


class Outpost(Site):
    """What one process knows of the documents of a run, which it tells the `Site` of the run.

    Args:
        rules: the rules in force; None for all.

    Attributes:
        shows_all: whether every link is told by itself, so that no document has to be audited again.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        super().__init__(rules)
        self.shows_all = False
        self._told: dict[str, dict[str, None]] = {}

    def told(self) -> dict[str, str]:
        """Give the values of the ordinary links that have been taken since this was asked last.

        Returns:
            By the URI of what they are resolved against, parted by spaces, of which they have none;
            without those that lead nowhere else.

        """
        told, self._told = self._told, {}
        return {uri: " ".join(values) for uri, values in told.items()}

    def takes(self, values: Iterable[str], place: Place) -> bool:
        """See `Site.takes`."""
        if not self._watchers or self._room <= 0:
            return True
        values = _leading_out(values)
        if self.shows_all:
            return not self._unseen(values, place)
        accepted = self._accepted(values, place)
        if accepted:
            self._told.setdefault(place.uri, {}).update(dict.fromkeys(accepted))
        return accepted is not None


def _leading_out(values: Iterable[str]) -> list[str]:
    """Give the values that lead out of their document."""
    return [value for value in values if value[0] not in "#?"]
