"""The site: what one run knows of all its documents, for the rules that compare links across documents.

Input: lists of the values of ordinary links, and occurrences of all other links. Output: findings. Links are compared
without their fragments, which are no part of the address of a document. Ordinary links
are compared by their targets, a list at a time, and remembered if no rule objects. Several processes may
audit the documents of a run. Each then has a `WorkerSite`, which compares the links of its own documents. It
sends the values of ordinary links that it accepted, and the occurrences, to the `Site` of the run, which
processes them in the order of the documents. Where an ordinary link of one process resembles a link of another
one, its document is audited once more with the `Site` of the run. What is remembered is in a `Memory`, which moves to a
disk where it is large: no link is ever passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.base import is_normal
from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.choice import Choice, check_rules
from linkfix.auditing.finding import Finding
from linkfix.auditing.memory import Disk, Memory
from linkfix.auditing.rule import Hit
from linkfix.auditing.verdict import Verdict, Verdicts
from linkfix.iri.resolution import BaseURL, base_url

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from linkfix.auditing.occurrence import Occurrence
    from linkfix.auditing.pages import Pages
    from linkfix.auditing.rule import Rule, SiteWatcher
    from linkfix.policy import Policy

#: How many raw values that need no further check are remembered; others are checked again.
MOST_FINISHED = 30_000
#: For how many choices of rules and policies the verdicts about links are remembered.
_MOST_VERDICTS = 16


class Site:
    """The rules that compare documents, with the links that they compared.

    Args:
        rules: the rules in force; None for all.
        disk: returns a new table on a disk, for what does not fit in memory (`linkfix.files.store.Store.table`); None for
            unlimited memory.

    Attributes:
        rules: the rules that compare documents.

    """

    def __init__(
        self, rules: Sequence[Rule] | None = None, disk: Callable[[], Disk] | None = None
    ) -> None:
        check_rules(rules)
        chosen = catalogue() if rules is None else rules
        self.rules: list[Rule] = [rule for rule in chosen if rule.watch_site is not None]
        memory = Memory(disk)
        #: The links that were judged one by one, by their folder and value (`judged_key`).
        self._judged = memory.table()
        #: The targets of the ordinary links that were accepted.
        self._targets = memory.accepted
        self._watchers: list[tuple[Rule, SiteWatcher]] = [
            (rule, rule.watch_site(memory)) for rule in self.rules if rule.watch_site is not None
        ]
        self._finished: dict[tuple[str, str, frozenset[str]], set[bytes]] = {}
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

    def finished(self, base: BaseURL, known: str, codes: frozenset[str]) -> set[bytes]:
        """Return the raw values that need no further check under a base; the caller may add to it with `finish`.

        Args:
            base: the base URL of the links, a placeholder if the real one is unknown.
            known: the base URL, or "" if it is unknown.
            codes: of the rules in force.

        """
        key = (base.directory, known.partition(":")[0], codes)
        return self._finished.setdefault(key, set())

    def finish(self, finished: set[bytes], raw: Collection[bytes]) -> None:
        """Add raw values to a set of `finished`; where there are too many, the earlier ones are forgotten."""
        if self._finished_count + len(raw) > MOST_FINISHED:
            self._finished.clear()
            finished.clear()
            self._finished_count = 0
        self._finished_count += len(raw)
        finished.update(raw)

    def is_new(self, value: str, directory: str | None) -> bool:
        """Return whether this value was not judged from the same folder before, and remember it.

        Args:
            value: of a link to another document.
            directory: as in `Occurrence`.

        """
        new = self._judged.new([judged_key(directory, value)])
        self._judged.add(dict.fromkeys(new, ""))
        return bool(new)

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
        normal = is_normal(base)
        if not values or self._accepts_targets(base.targets(values), are_normal=normal):
            return values
        rest = self._unjudged(values, base)
        if len(rest) < len(values) and self._accepts_targets(base.targets(rest), are_normal=normal):
            return rest
        return None

    def accepts_all(self, values: Mapping[str, str]) -> bool:
        """Accept the ordinary links of a document that a `WorkerSite` accepted.

        Args:
            values: from `WorkerSite.collect`.

        Returns:
            False if the document must be audited again; then none is accepted.

        """
        if not values or not self._watchers:
            return True
        pairs = [(base_url(uri), joined.split(" ")) for uri, joined in values.items()]
        are_normal = all(is_normal(base) for base, _ in pairs)
        targets = [target for base, some in pairs for target in base.targets(some)]
        if self._accepts_targets(targets, are_normal=are_normal):
            return True
        pairs = [(base, self._unjudged(some, base)) for base, some in pairs]
        targets = [target for base, some in pairs for target in base.targets(some)]
        return self._accepts_targets(targets, are_normal=are_normal)

    def accepts_occurrence(self, occurrence: Occurrence) -> bool:
        """Accept an ordinary link that a `WorkerSite` did not accept; return False if it must be judged."""
        return occurrence.is_ordinary and self._accepts_targets(
            [occurrence.target], are_normal=False
        )

    def _unjudged(self, values: Iterable[str], base: BaseURL) -> list[str]:
        """Return the values that were not judged from the same folder."""
        keys = {judged_key(base.directory, value): value for value in values}
        return [keys[key] for key in self._judged.new(keys)]

    def _accepts_targets(self, targets: Collection[str | None], *, are_normal: bool) -> bool:
        """Accept targets of links, if no rule can object to any of them."""
        resolved = [target for target in targets if target is not None]
        if len(resolved) < len(targets):
            return False
        added = self._targets.new(resolved)
        if not added:
            return True
        prepared = []
        for _, watcher in self._watchers:
            forms = watcher.prepare(added, are_normal=are_normal)
            if forms is None:
                return False
            prepared.append((watcher, forms))
        for watcher, forms in prepared:
            watcher.commit(forms)
        self._targets.add(dict.fromkeys(added, ""))
        return True

    def judge(self, occurrence: Occurrence) -> tuple[list[Finding], int]:
        """Return the findings about a new link, and the number of suppressed findings."""
        findings = []
        suppressed = 0
        for rule, watcher in self._watchers:
            for hit in watcher.check(occurrence):
                if rule.code in occurrence.silent:
                    continue
                if rule.code in occurrence.suppressed:
                    suppressed += 1
                    continue
                findings.append(Verdict(rule, hit).finding(occurrence.link))
        return findings, suppressed


def page_findings(
    pages: Pages, rules: Sequence[Rule]
) -> dict[str, list[tuple[Finding, Occurrence | None]]]:
    """Return the findings about the pages of a site by the paths of their documents.

    Args:
        pages: all pages of the site.
        rules: the rules in force.

    Returns:
        For each path the findings, each with its link, which says where it is suppressed.

    """
    found: dict[str, list[tuple[Finding, Occurrence | None]]] = {}
    for rule in rules:
        for hit in rule.pages(pages) if rule.pages is not None else ():
            link = None if hit.mention is None else hit.mention.link()
            if link is None:
                about = (rule.code, rule.name, rule.severity, hit.message, rule.section)
                finding = Finding(*about, 1, 1, 0, 0)
            else:
                whole = Hit(0, len(link.value), hit.message)
                finding = Verdict(rule, whole).finding(link.link)
            found.setdefault(hit.path, []).append((finding, link))
    for some in found.values():
        some.sort(key=lambda pair: (pair[0].start, pair[0].code))
    return found


class WorkerSite(Site):
    """The site of one of several processes, which knows only the documents of this process.

    Args:
        rules: the rules in force; None for all.
        disk: as for `Site`.

    Attributes:
        shows_all: whether every link becomes an occurrence, so that no document is audited again.

    """

    def __init__(
        self, rules: Sequence[Rule] | None = None, disk: Callable[[], Disk] | None = None
    ) -> None:
        super().__init__(rules, disk)
        self.shows_all = False
        self._collected: dict[str, dict[str, None]] = {}

    def anew(self) -> WorkerSite:
        """Return a site that knows no documents; both share the verdicts about links, which depend on no documents."""
        site = WorkerSite(self.rules)
        site.shows_all, site._verdicts = self.shows_all, self._verdicts
        return site

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
        if not self._watchers:
            return True
        values = _external(values)
        if self.shows_all:
            return not self._unjudged(values, base)
        accepted = self._accept(values, base)
        if accepted:
            self._collected.setdefault(base.uri, {}).update(dict.fromkeys(accepted))
        return accepted is not None


def judged_key(directory: str | None, value: str) -> str:
    """Return the key of a link that is judged from a folder; None is the folder of identifiers, whose fragments count."""
    return f"\0{value}" if directory is None else f"{directory} {value.partition('#')[0]}"


def _external(values: Iterable[str]) -> list[str]:
    """Return the values that lead out of their document, each once, without fragments."""
    whole = [value.partition("#")[0] for value in values if value[0] not in "#?"]
    return [*dict.fromkeys(whole)]
