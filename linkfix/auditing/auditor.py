"""The auditor: bytes of a document in, findings about its links out."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.finding import Finding, Severity
from linkfix.auditing.rule import PLAIN, SCRIPT, Document, Subject, plain_target
from linkfix.auditing.suppression import Suppressions
from linkfix.links import Kind
from linkfix.markup.references import Spelled
from linkfix.policy import Bases, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from linkfix.auditing.rule import Concerns, Hit, Rule, SiteWatcher, Watcher
    from linkfix.iri import Conversion
    from linkfix.links import Link
    from linkfix.markup.detect import DocumentType

__all__ = ["Auditor", "Site"]

#: How many first bytes of a document its rules get to see (HTML Standard, 13.2.3.2: the prescan).
_PREFIX = 1024
#: How many links a site remembers: what a run may take up in memory.
MOST = 200_000


class Site:
    """What is known of the documents of one run, for rules that compare links across them.

    Args:
        rules: the rules in force; None for all.

    """

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        chosen = catalogue() if rules is None else rules
        self.watchers: list[tuple[Rule, SiteWatcher]] = [
            (rule, rule.watch_site()) for rule in chosen if rule.watch_site is not None
        ]
        self._seen: set[tuple[str, str]] = set()

    def is_new(self, subject: Subject) -> bool:
        """Tell whether a link of this value has not come from the same folder before.

        Links within one document do not count, nor does anything once `MOST` have come.
        """
        value = subject.value
        key = (subject.directory, value)
        if not value or value[0] in "#?" or key in self._seen or len(self._seen) >= MOST:
            return False
        self._seen.add(key)
        return True

    def passes(self, value: str, place: str | None, directory: str) -> bool:
        """Take a plain link about which there is nothing to say.

        Args:
            value: of the link.
            place: what it is resolved against.
            directory: the place up to its last slash.

        Returns:
            False if there may be something to say; it then has not been taken.

        """
        if value[0] in "#?" or not self.watchers:
            return True
        seen = self._seen
        key = (directory, value)
        if key in seen or len(seen) >= MOST:
            return True
        target = plain_target(value, place)
        if target is None or not all(watcher.passes(target) for _, watcher in self.watchers):
            return False
        seen.add(key)
        return True


class Auditor:
    """Audit one document, chunk by chunk. No input or output of its own.

    Args:
        policy: how links are to be read, and what is suggested for them.
        rules: the rules in force; None for all.
        site: the other documents of the run; None where there are none.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document, None where it is not known.
        name: of the document, for its extension and errors.

    Attributes:
        links: how many have come.
        passed: how many of them no rule about links by themselves had to look at.
        suppressed: how many findings comments in the document suppress.

    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        rules: Sequence[Rule] | None = None,
        site: Site | None = None,
        type: DocumentType | None = None,
        charset: str | None = None,
        environment: str | None = None,
        base: str | None = None,
        name: str = "",
    ) -> None:
        chosen = catalogue() if rules is None else rules
        site = Site(chosen) if site is None else site
        self._policy = replace(policy or Policy(), to="uri")
        self._name = name
        self._suppressions = Suppressions()
        self._names: set[str] = set()
        wants_names = any(rule.names for rule in chosen)
        self._stream = self._policy.stream(
            type=type,
            charset=charset,
            environment=environment,
            name=name,
            on_view=self._suppressions.feed,
            on_name=self._names.add if wants_names else None,
        )
        self._bases = Bases(base)
        self._places = Bases(base or f"file:///{quote(name.removeprefix('./')).lstrip('/')}")
        self._of_links = [rule for rule in chosen if rule.check is not None]
        self._of_scripts = [rule for rule in self._of_links if rule.script]
        self._of_plain_links = [rule for rule in self._of_links if rule.plain]
        self._concerns: list[Concerns] = [
            rule.concerns for rule in chosen if rule.concerns is not None
        ]
        self._of_documents = [rule for rule in chosen if rule.document is not None]
        own = [(rule, rule.watch()) for rule in chosen if rule.watch is not None]
        self._own_watchers: list[tuple[Rule, Watcher]] = own
        self._site = site
        self._prefix = b""
        self._document: Document | None = None
        self.links = 0
        self.passed = 0
        self.suppressed = 0

    def feed(self, data: bytes) -> list[Finding]:
        """Take the next bytes and give what is found in the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        if len(self._prefix) < _PREFIX:
            self._prefix += data[: _PREFIX - len(self._prefix)]
        return self._findings(self._stream.feed(data))

    def close(self) -> list[Finding]:
        """Say that the document has ended and give what was still to be found.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        found = self._findings(self._stream.close())
        document = self._document
        if document is not None:
            for rule, watcher in self._own_watchers:
                for subject, hit in watcher.end(document):
                    if not self._is_suppressed(rule, subject.link):
                        found.append(_finding(rule, hit, subject))
        return found

    def _findings(self, links: list[Link]) -> list[Finding]:
        found: list[Finding] = []
        document = self._document or self._begin(found)
        if document is None:
            return found
        self.links += len(links)
        for link in links:
            kind = link.kind
            if kind is not Kind.HASH_NAME:
                if kind is Kind.IDENTITY:
                    found += self._about_link(link, document)
                elif link.sets_base or link.sets_inner_base:
                    self._bases.see(link)
                    self._places.see(link)
                    found += self._about_link(link, document)
                    document.links += not link.sets_base
                else:
                    if self._passes(link, document):
                        self.passed += 1
                    else:
                        found += self._about_link(link, document)
                    document.links += 1
        return found

    def _passes(self, link: Link, document: Document) -> bool:
        """Tell of the most common kinds of links that there is nothing to say about them."""
        value = link.value
        if link.bases or PLAIN.fullmatch(value) is None:
            return False
        for concerns in self._concerns:
            if concerns(link, document):
                return False
        place = self._places.of(link)
        return self._site.passes(
            value, place, "" if place is None else place[: place.rfind("/") + 1]
        )

    def _begin(self, found: list[Finding]) -> Document | None:
        """Look at the document as a whole, as soon as its type and charset are known."""
        sniffed, type = self._stream.sniffed, self._stream.type
        if sniffed is None or type is None:
            return None
        self._suppressions.locate(sniffed.bom, sniffed.charset.unit)
        self._document = Document(self._name, type, sniffed, self._prefix, self._names)
        for rule in self._of_documents:
            messages = rule.document(self._document) if rule.document else ()
            found += [
                Finding(rule.code, rule.name, rule.severity, message, rule.section, 1, 1, 0, 0)
                for message in messages
            ]
        return self._document

    def _about_link(self, link: Link, document: Document) -> Iterator[Finding]:
        subject = Subject(link, self._policy, self._bases.of(link), self._places.of(link))
        if PLAIN.fullmatch(link.value):
            rules = self._of_plain_links
        elif SCRIPT.match(link.value):
            rules = self._of_scripts
        else:
            rules = self._of_links
        if link.kind is Kind.IDENTITY:  # to be compared as a string, however it could be better
            rules = [rule for rule in rules if rule.severity is not Severity.ADVICE]
        hits = [(rule, hit) for rule in rules if rule.check for hit in rule.check(subject)]
        if len(hits) > 1:
            hits = _once(_worst(hits))
        watchers = self._own_watchers
        if self._site.watchers and self._site.is_new(subject):
            watchers = [*watchers, *self._site.watchers]
        for rule, watcher in watchers:
            hits += [(rule, hit) for hit in watcher.see(subject, document)]
        for rule, hit in hits:
            if not self._is_suppressed(rule, link):
                yield _finding(rule, hit, subject)

    def _is_suppressed(self, rule: Rule, link: Link) -> bool:
        suppressed = self._suppressions.covers(link.start, rule)
        self.suppressed += suppressed
        return suppressed


def _worst(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """Keep one hit for the same characters: the worst, of two as bad the fatal or more precise.

    The hits come in the order of the value.
    """
    order = {id(hit): n for n, (_, hit) in enumerate(hits)}

    def rank(pair: tuple[Rule, Hit]) -> tuple[int, bool, int, int]:
        rule, hit = pair
        return rule.severity.rank, not rule.fatal, hit.last - hit.first, order[id(hit)]

    kept: list[tuple[Rule, Hit]] = []
    taken: list[tuple[int, int, str]] = []  # spans of what is kept, apart from each other
    for rule, hit in sorted(hits, key=rank):
        span = (hit.first, hit.last, rule.code)
        at = bisect_left(taken, span)
        near = [other for other in taken[max(0, at - 1) : at + 1] if _overlap(hit, other)]
        if all(code == rule.code for _, _, code in near):
            kept.append((rule, hit))
            if not near:
                taken.insert(at, span)
    return sorted(kept, key=lambda pair: (pair[1].first, order[id(pair[1])]))


def _once(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """Report a rule once for a link: where it finds something first, and how often besides."""
    counts = Counter(rule.code for rule, _ in hits)
    first: dict[str, tuple[Rule, Hit]] = {}
    for rule, hit in hits:
        first.setdefault(rule.code, (rule, hit))
    return [
        (rule, replace(hit, message=f"{hit.message} ({counts[rule.code] - 1} more in this link)"))
        if counts[rule.code] > 1
        else (rule, hit)
        for rule, hit in first.values()
    ]


def _overlap(hit: Hit, span: tuple[int, int, str]) -> bool:
    first, last, _ = span
    if hit.first == hit.last or first == last:
        return (hit.first, hit.last) == (first, last)
    return hit.first < last and first < hit.last


def _finding(rule: Rule, hit: Hit, subject: Subject) -> Finding:
    link = subject.link
    suggested = _suggestion(rule, subject)
    return Finding(
        rule.code,
        rule.name,
        rule.severity,
        hit.message,
        rule.section,
        link.line,
        link.column,
        link.start,
        link.end,
        link,
        hit.first,
        hit.last,
        None if suggested is None else suggested.text,
        () if suggested is None else suggested.edits,
    )


def _suggestion(rule: Rule, subject: Subject) -> Conversion | None:
    """Give what a rewrite makes of the link, where that leaves the rule nothing to find."""
    link, conversion = subject.link, subject.conversion
    if rule.check is None or not conversion.ok or not conversion.edits:
        return None
    if link.fixed or link.malformed or not subject.policy.applies(link):
        return None
    new = replace(link, value=conversion.text, spelling=Spelled(conversion.text, conversion.text))
    settled: Iterable[Hit] = rule.check(Subject(new, subject.policy, subject.base))
    return None if any(True for _ in settled) else conversion
