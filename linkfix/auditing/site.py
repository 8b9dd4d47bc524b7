"""The site: what the documents of one run share, and how links are compared across them.

Input: lists of the values of ordinary links, and single links, in the order of the documents. Output: how a link differs from an
earlier one. Links are compared without their fragments, which are no part of the address of a document. Each target is
remembered by a coarse key, which the forms of one target share whichever rule made them (`linkfix.auditing.rule`).
Only where two targets share a key the rules themselves compare them. So most links cost one look-up. What is remembered is in tables
that move to a disk where they are large: no link is ever passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import filterfalse
from typing import TYPE_CHECKING, Protocol

from linkfix.auditing.base import is_normal, is_ordinary_target, shown
from linkfix.auditing.catalogue import Choice, check_rules
from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.finding import Finding, Occurrence
from linkfix.auditing.rule import Comparison, Hit, Rule, coarse
from linkfix.auditing.verdict import Verdict, Verdicts
from linkfix.iri.resolution import BaseURL
from linkfix.links import Kind
from linkfix.policy import Policy

if TYPE_CHECKING:
    from linkfix.auditing.pages import Pages

#: How many raw values that need no further check are remembered; others are checked again.
MOST_FINISHED = 30_000
#: For how many choices of rules and policies the verdicts about links are remembered.
_MOST_VERDICTS = 16


class Site:
    """The rules that compare documents, with the links that they compared.

    Args:
        rules: the rules in force; None for all.
        disk: returns a new table on a disk, for what does not fit in memory (`linkfix.files.store.StoredTexts`); None for
            unlimited memory.

    Attributes:
        rules: the rules that compare links.
        only: the values that are looked at, as `linkfix.iri.quick.read` returns them; None for all.

    """

    def __init__(
        self, rules: Sequence[Rule] | None = None, disk: Callable[[], Disk] | None = None
    ) -> None:
        self.only: set[str] | None = None
        check_rules(rules)
        chosen = catalogue() if rules is None else rules
        self.rules: list[Rule] = [rule for rule in chosen if rule.compare is not None]
        #: The links that were judged, by their folder and value (`judged_key`).
        self._judged = Table(disk)
        #: The only target of each coarse key; "" where there are several.
        self._alone = Table(disk)
        #: The first target of each form, by the number of the rule and the form: those that share a coarse key.
        self._first = Table(disk)
        self._finished: dict[tuple[str, str, frozenset[str]], set[bytes]] = {}
        self._finished_count = 0
        self._verdicts: dict[tuple[int, int], tuple[Choice, Policy, Verdicts]] = {}

    @cached_property
    def _comparisons(self) -> list[tuple[Rule, Comparison]]:
        return [(rule, rule.compare()) for rule in self.rules if rule.compare is not None]

    @cached_property
    def _compares_links(self) -> bool:
        return any(not (c.identities or rule.unknown) for rule, c in self._comparisons)

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

    def accepts(self, values: Iterable[str], base: BaseURL) -> bool:
        """Record ordinary links that resemble no other link.

        Args:
            values: of the links.
            base: their base URL.

        Returns:
            False if one may; then none is recorded. The caller compares each by itself, in their order (`differences`).

        """
        whole = dict.fromkeys(value.partition("#")[0] for value in values if value[0] not in "#?")
        return not whole or self.accepts_targets(map(base.target, whole), base)

    def accepts_targets(self, targets: Iterable[str | None], base: BaseURL) -> bool:
        """Record ordinary links to other documents by their targets, as `accepts` does."""
        if not self._compares_links:
            return True
        if not is_normal(base) or "%" in base.directory:
            return False
        targets = dict.fromkeys(targets)
        keys = {coarse(target): target for target in targets if target is not None}
        if len(keys) < len(targets):
            return False
        known = self._alone.find(keys)
        if any(keys[key] != target for key, target in known.items()):
            return False
        self._alone.add({key: keys[key] for key in keys.keys() - known.keys()})
        return True

    def differences(
        self, directory: str | None, value: str, target: str | None
    ) -> list[tuple[Rule, Hit]]:
        """Compare a link with earlier ones, and remember it; one from the same folder with the same value is compared once.

        Args:
            directory: as in `Occurrence`.
            value: of the link.
            target: the absolute URI that it resolves to, without its fragment; None if that fails.

        """
        key = judged_key(directory, value)
        if not self._judged.new([key]):
            return []
        self._judged.add({key: ""})
        if directory is None:
            target = value
        if target is None:
            return []
        return [
            (rule, Hit(0, len(value), shown(message)))
            for rule, message in self._compared(target, identities=directory is None)
        ]

    def _compared(self, target: str, *, identities: bool) -> list[tuple[Rule, str]]:
        """Return what the rules say of a target and the first one of its form."""
        mark = "\0" if identities else ""
        if is_ordinary_target(target):  # it is its own form
            key = mark + coarse(target)
            if self._alone.find((key,)).get(key, target) == target:
                self._alone.add({key: target})
                return []
        found = []
        for number, (rule, comparison) in enumerate(self._comparisons):
            if comparison.identities != identities or rule.unknown:
                continue
            form = comparison.form(target)
            if form is None:
                continue
            key = mark + coarse(form)
            other = self._alone.find((key,)).get(key, target)
            if other == target:
                self._alone.add({key: target})
                continue
            if other:
                self._part(key, other, mark)
            first = self._first_of(number, form, target)
            message = None if first == target else comparison.message(first, target)
            if message is not None:
                found.append((rule, message))
        return found

    def _part(self, key: str, target: str, mark: str) -> None:
        """Keep the only target of a key by its forms, since there are others."""
        for number, (rule, comparison) in enumerate(self._comparisons):
            if comparison.identities == bool(mark) and not rule.unknown:
                form = comparison.form(target)
                if form is not None and mark + coarse(form) == key:
                    self._first_of(number, form, target)
        self._alone.add({key: ""})

    def _first_of(self, number: int, form: str, target: str) -> str:
        """Return the first target of a form, which this one is if there is none."""
        key = f"{number} {form}"
        first = self._first.find((key,)).get(key)
        if first is None:
            self._first.add({key: target})
        return target if first is None else first

    def hits(self, occurrence: Occurrence) -> list[tuple[Rule, Hit]]:
        """Compare a link with earlier ones, and remember it (`differences`)."""
        link = occurrence.link
        if link.kind is Kind.UNKNOWN:
            return self._unknown(f"{link.element}@{link.attribute}", link.value)
        return self.differences(occurrence.directory, link.value, occurrence.resource)

    def judge(self, occurrence: Occurrence) -> tuple[list[Finding], int]:
        """Compare a link with earlier ones; return the findings, and the number of suppressed ones."""
        link, hits = occurrence.link, self.hits(occurrence)
        in_force = [pair for pair in hits if pair[0].code not in occurrence.suppressed]
        findings = [Verdict(rule, hit).finding(link) for rule, hit in in_force]
        return findings, len(hits) - len(in_force)

    def is_new(self, start: int, code: str, message: str, target: str) -> bool:
        """Return whether no earlier reading of the document has had a finding."""
        del start, code, message, target
        return True

    def _unknown(self, name: str, value: str) -> list[tuple[Rule, Hit]]:
        """Return what the rules say of an attribute that no table has, the first time."""
        key = f"\0\0{name}"
        if not self._judged.new([key]):
            return []
        self._judged.add({key: ""})
        pairs = [(rule, c.message(name, name)) for rule, c in self._comparisons if rule.unknown]
        return [(rule, Hit(0, len(value), message)) for rule, message in pairs if message]


def page_findings(
    pages: Pages, rules: Sequence[Rule]
) -> dict[str, list[tuple[Rule, str, Occurrence | None]]]:
    """Return the findings about the pages of a site by the paths of their documents.

    Args:
        pages: all pages of the site.
        rules: the rules in force.

    Returns:
        For each path the rules with their messages and links; None for no link.

    """
    found: dict[str, list[tuple[Rule, str, Occurrence | None]]] = {}
    for rule in rules:
        for hit in rule.pages(pages) if rule.pages is not None else ():
            link = None if hit.mention is None else hit.mention.link()
            found.setdefault(hit.path, []).append((rule, hit.message, link))
    return found


def judged_key(directory: str | None, value: str) -> str:
    """Return the key of a link that is compared from a folder; None is the folder of identifiers, whose fragments count."""
    return f"\0{value}" if directory is None else f"{directory} {value.partition('#')[0]}"


# --- What a site remembers of its links: texts by keys, in tables that never forget ----------------
# A table is a mapping that grows. At its limit it moves to a disk, if the caller has one, and a text that is asked for comes
# back. So memory is bounded. Nothing here opens a file: `linkfix.files.store` is such a disk. Beyond the limit, a key
# that is not in memory is looked up on the disk if another one of its hash is there.

#: How many bytes of texts and keys of a table are in memory, and how many each text needs besides its characters.
MOST = 8 * 1024 * 1024
_EACH = 160
#: How many hashes a table distinguishes, so that the disk is seldom asked for a key that it has not; a power of two.
_HASHES = 2 * 1024 * 1024


class Disk(Protocol):
    """A table of texts outside of memory."""

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        ...

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        ...


class Table:
    """Texts by keys.

    Args:
        disk: returns a new, empty table on a disk; None for unlimited memory.

    """

    def __init__(self, disk: Callable[[], Disk] | None = None) -> None:
        self._disk = disk
        self._size = 0
        self._texts: dict[str, str] = {}
        self._moved: Disk | None = None
        #: For each hash one bit, whether a key of this hash has moved.
        self._hashes = bytearray()

    def find(self, keys: Collection[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        texts = self._texts
        found = {key: texts[key] for key in texts.keys() & keys}
        if self._moved is not None and len(found) < len(keys):
            hashes, last = self._hashes, _HASHES - 1
            rest = [
                key
                for key in keys
                if key not in found and hashes[(bit := hash(key) & last) >> 3] >> (bit & 7) & 1
            ]
            if rest and (moved := self._moved.find(rest)):
                found |= moved
                self.add(moved)
        return found

    def new(self, keys: Iterable[str]) -> list[str]:
        """Return the keys without a text, each once."""
        new = [*dict.fromkeys(filterfalse(self._texts.__contains__, keys))]
        if self._moved is None or not new:
            return new
        return [*filterfalse(self.find(new).__contains__, new)]

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        self._texts.update(texts)
        if self._disk is not None:
            self._size += sum(map(len, texts)) + sum(map(len, texts.values())) + _EACH * len(texts)
            if self._size > MOST:
                self._move(self._disk)

    def _move(self, disk: Callable[[], Disk]) -> None:
        """Move everything to a disk."""
        if self._moved is None:
            self._moved, self._hashes = disk(), bytearray(_HASHES // 8)
        hashes, last = self._hashes, _HASHES - 1
        for key in self._texts:
            bit = hash(key) & last
            hashes[bit >> 3] |= 1 << (bit & 7)
        self._moved.add(self._texts)
        self._texts.clear()
        self._size = 0
