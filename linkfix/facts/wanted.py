"""The findings of a join about one document, and the places of its links.

Input: what the join has found, by the targets and the values of links. Output: findings with their places, in the order of the
links. The document is read once more by an `Auditor` with the same rules, for which this is both its site and its files. Links that
came with their places need no second reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkfix.auditing.facts import from_plain, to_plain
from linkfix.auditing.finding import Finding
from linkfix.auditing.rule import FileProblem, Hit
from linkfix.auditing.site import Site, judged_key
from linkfix.auditing.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linkfix.auditing.facts import Occurrence
    from linkfix.auditing.rule import Rule
    from linkfix.charset import Charset
    from linkfix.iri.resolution import BaseURL

#: How many links make a part of a document with very many findings.
_MANY = 50_000


class Wanted(Site):
    """What a join has found in a document.

    Args:
        rules: the rules in force.

    Attributes:
        problems: what is wrong with targets, by their URIs.
        values: of the links with findings, as `Site.only` has them, in the order of the links.
        is_read: whether the document has to be read for the places of links.

    """

    def __init__(self, rules: Sequence[Rule] = ()) -> None:
        super().__init__(rules)
        self.problems: dict[str, FileProblem] = {}
        self.is_read: bool = False
        self.values: dict[str, None] = {}
        #: For the folder and the value of each link (`judged_key`) the code of a rule and its message.
        self._hits: dict[str, list[tuple[str, str]]] = {}
        self._ready: list[tuple[str, str, list[Any] | None]] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is no finding."""
        return not (self.is_read or self._ready)

    @property
    def are_many(self) -> bool:
        """Whether the findings are enough for a part of the document."""
        return len(self.problems) + len(self._hits) + len(self._ready) > _MANY

    def want(self, directory: str, value: str, hits: Iterable[tuple[Rule, Hit]]) -> None:
        """Add what rules say of the first link with a value."""
        for rule, hit in hits:
            pairs = self._hits.setdefault(judged_key(directory, value), [])
            pairs.append((rule.code, hit.message))
            self.values[value] = None
            self.is_read = True

    def follow(self, value: str, target: str, problem: FileProblem) -> None:
        """Add what is wrong with the target of each link with a value; "" for one that is not known by its spelling."""
        self.problems[target] = problem
        self.values[value] = None
        self.is_read = True

    def add(self, rule: Rule, message: str, link: Occurrence | None) -> None:
        """Add a finding about a link whose place is known, or about the whole document."""
        self._ready.append((rule.code, message, link and to_plain(link)))

    def plain(self) -> list[Any]:
        """Return it as plain data."""
        return [self.is_read, self.problems, [*self.values], self._hits, self._ready]

    @classmethod
    def of(cls, rows: Iterable[list[Any]], rules: Sequence[Rule]) -> Wanted:
        """Return what `plain` returned as plain data, part by part."""
        wanted = cls(rules)
        for is_read, problems, values, hits, ready in rows:
            wanted.is_read |= is_read
            wanted.values |= dict.fromkeys(values)
            wanted._hits |= hits
            wanted._ready += ready
            for uri, (what, near, *others) in problems.items():
                wanted.problems[uri] = FileProblem(what, tuple(near), *others)
        return wanted

    def ready(self, rules: Iterable[Rule], suppressed: int) -> tuple[list[Finding], int]:
        """Return the findings that need no reading, in the order of the links, and how many findings comments suppress.

        Args:
            rules: the rules in force.
            suppressed: how many others comments suppress.

        """
        by_code = {rule.code: rule for rule in rules}
        findings = []
        for code, message, link in self._ready:
            rule, occurrence = by_code[code], link and from_plain(link)
            if occurrence and code in occurrence.suppressed:
                suppressed += 1
            elif occurrence:
                hit = Hit(0, len(occurrence.value), message)
                findings.append(Verdict(rule, hit).finding(occurrence.link))
            else:
                about = (code, rule.name, rule.severity, message, rule.section)
                findings.append(Finding(*about, 1, 1, 0, 0))
        return sorted(findings, key=lambda each: (each.start, each.code)), suppressed

    def problem(self, uri: str, charset: Charset) -> FileProblem | None:
        """Return what is wrong with a target (`Files.problem`)."""
        del charset
        return self.problems.get(uri)

    def accepts(self, values: Iterable[str], base: BaseURL) -> bool:
        """Return whether no rule says anything of the links."""
        keys = (judged_key(base.directory, value) for value in values)
        return not self._hits or self._hits.keys().isdisjoint(keys)

    def differences(
        self, directory: str | None, value: str, target: str | None
    ) -> list[tuple[Rule, Hit]]:
        """Return what the rules say of a link, the first time."""
        del target
        said = self._hits.pop(judged_key(directory, value), ())
        by_code = {rule.code: rule for rule in self.rules}
        return [(by_code[code], Hit(0, len(value), message)) for code, message in said]
