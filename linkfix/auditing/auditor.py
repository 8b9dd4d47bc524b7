"""The auditor: bytes of a document in, findings about its links out."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress, filterfalse
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from linkfix.auditing.base import place_at
from linkfix.auditing.choice import choice, everything
from linkfix.auditing.finding import Finding
from linkfix.auditing.rule import Document, Sighting, Subject
from linkfix.auditing.site import Site
from linkfix.auditing.suppression import Suppressions
from linkfix.auditing.verdict import Verdict, judged
from linkfix.charset import PREFIX
from linkfix.iri.conversion import known_base
from linkfix.iri.ordinary import ORDINARY, has_references, not_ordinary, read
from linkfix.links import Batch, Kind
from linkfix.policy import Bases, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from linkfix.auditing.rule import Rule, Watcher
    from linkfix.links import Link, LinkStream
    from linkfix.markup.detect import DocumentType

__all__ = ["Auditor"]

_AS_URIS = Policy(to="uri")
#: What every document has for a fragment to lead to (HTML Standard, 7.4.6.3): its top.
_ALWAYS_THERE = ("", "top")
#: What a link that leads nowhere out of its document begins with.
_LOCAL = frozenset({"", "#", "?"})

#: A rule and what it watches the document with, if it does.
_Concerned: TypeAlias = "tuple[Rule, Watcher | None]"


class Auditor:
    """Audit one document, chunk by chunk. No input or output of its own.

    Args:
        policy: how links are to be read, and what is suggested for them.
        rules: the rules in force; None for all.
        site: the other documents of the run; None where there are none.
        on_sighting: called for each link that the `Site` of the run is to judge, with the number of
            findings that come before what it finds, of those that the present call gives; None
            where that is the site at hand.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document, None where it is not known.
        name: of the document, for its extension and errors.

    Attributes:
        suppressed: how many findings comments in the document suppress.
        links: how many links there were.
        passed: how many of them no rule about links by themselves had to look at.

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
        on_sighting: Callable[[int, Sighting], None] | None = None,
    ) -> None:
        self._choice = everything() if rules is None else choice(rules)
        site = Site(self._choice.rules) if site is None else site
        self._policy = policy or _AS_URIS
        if self._policy.to != "uri":
            self._policy = replace(self._policy, to="uri")
        self._verdicts = site.verdicts(self._choice, self._policy)
        self._name = name
        self._suppressions = Suppressions()
        self._names: set[str] = {*_ALWAYS_THERE}
        #: Until it has had all of the document: it keeps this auditor alive, which is to go at once.
        self._stream: LinkStream | None = self._policy.stream(
            type=type,
            charset=charset,
            environment=environment,
            name=name,
            names=self._names if self._choice.names else None,
            declarations=True,
        )
        self._bases = Bases(base)
        self._places = Bases(base or f"file:///{_as_path(name).lstrip('/')}")
        own = [(rule, rule.watch()) for rule in self._choice.watching if rule.watch is not None]
        self._own_watchers: list[tuple[Rule, Watcher]] = own
        self._site = site
        self._on_sighting = on_sighting
        self._prefix = b""
        self._document: Document | None = None
        self._found: list[Finding] = []
        #: What tells the base apart for rules, see `Verdicts`.
        self._base: Hashable = None
        #: What links are resolved against, and the bytes of those there is nothing to say about.
        self._place = place_at("")
        self._quiet: set[bytes] = set()
        #: How many links there were, how many of them no rule looked at, how many are identifiers or bases.
        self.links = 0
        self.passed = 0
        self._apart = 0
        #: What tells of ordinary values that a rule has to be given the link, and that rule.
        self._concerns: list[tuple[Callable[[str], bool], _Concerned]] = []
        self.suppressed = 0

    def feed(self, data: bytes) -> list[Finding]:
        """Take the next bytes and give what is found in the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        if self._document is None and len(self._prefix) < PREFIX:
            self._prefix += data[: PREFIX - len(self._prefix)]
        return self._read(data, final=False)

    def close(self) -> list[Finding]:
        """Say that the document has ended and give what was still to be found.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return [*self.end(), *self.unsettled()]

    def end(self) -> list[Finding]:
        """Say that the document has ended and give what is found in its last links.

        Instead of `close`, where there may be much that only the end tells.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        found = self._read(b"", final=True)
        self._stream = None
        return found

    def unsettled(self) -> Iterator[Finding]:
        """Give what the `end` of the document tells about earlier links, one by one."""
        document = self._document
        if document is not None:
            for rule, watcher in self._own_watchers:
                for subject, hit in watcher.end(document):
                    if not self._is_suppressed(rule, subject.link):
                        yield Verdict(rule, hit).finding(subject.link)

    def _read(self, data: bytes, *, final: bool) -> list[Finding]:
        """Read the next bytes, and return what is found in the links that they complete."""
        stream = self._open()
        links = stream.read(data, final=final)
        self._suppressions.feed(stream.view)
        for found in links:
            if isinstance(found, Batch):
                self._see_batch(found)
            else:
                self._see(found)
        if self._document is None and stream.sniffed is not None:
            self._begin()
        findings, self._found = self._found, []
        return findings

    def _open(self) -> LinkStream:
        if self._stream is None:
            raise RuntimeError("the document has ended")
        return self._stream

    def _see(self, link: Link) -> None:
        """Take the next link of the document."""
        document = self._document or self._begin()
        kind = link.kind
        document.links = self.links - self._apart
        self.links += 1
        if kind is Kind.IDENTITY:
            self._apart += 1
            self._look_at(link, document)
        elif link.sets_base or link.sets_inner_base:
            self._apart += link.sets_base
            self._bases.see(link)
            self._places.see(link)
            self._look_at(link, document)
            self._settle(document)
        elif kind is Kind.HASH_NAME:
            self._apart += 1
        elif link.bases or ORDINARY.fullmatch(link.value) is None:
            self._look_at(link, document)
        else:
            concerned = [rule for concerns, rule in self._concerns if concerns(link.value)]
            if not concerned and self._site.takes((link.value,), self._place):
                self.passed += 1
            else:
                self._look_at(link, document, concerned)

    def _see_batch(self, batch: Batch) -> None:
        """Take links by their values, and look at those that stand out."""
        if self._document is None:
            self._begin()
        if not batch.are_single:
            for link in batch.links():
                self._see(link)
            return
        self.links += len(batch)
        self.passed += len(batch)
        for indices in self._stand_out(batch.views):
            self.links -= len(indices)
            self.passed -= len(indices)
            for link in batch.links(indices):
                self._see(link)

    def _stand_out(self, raw: list[bytes]) -> Iterator[list[int]]:
        """Take links by their spelled values; yield the indices of those that have to be looked at.

        They have to be looked at before more are asked for.
        """
        fresh = [*dict.fromkeys(filterfalse(self._quiet.__contains__, raw))]
        if not fresh:
            return
        values = read(fresh)
        loud = not_ordinary(values)
        for concerns, _ in self._concerns:
            loud.update(filter(concerns, values))
        if has_references(b"\0".join(fresh)):
            loud.update(compress(values, map(has_references, fresh)))
        if not loud and self._site.takes(values, self._place):
            self._keep(fresh, values)
            return
        ordinary = {
            one: value for one, value in zip(fresh, values, strict=True) if value not in loud
        }
        picked = {*fresh} - ordinary.keys()
        # The site looks at what leads out of the document, in that order.
        is_apart = all(value[:1] in _LOCAL for value in loud)
        if is_apart and self._site.takes(ordinary.values(), self._place):
            self._keep(ordinary, ordinary.values())
            yield [index for index, one in enumerate(raw) if one in picked]
            return
        waiting: dict[bytes, str] = {}
        some: list[int] = []
        for index, one in enumerate(raw):
            if one in picked:
                if waiting:
                    yield from self._take(waiting, raw)
                    waiting = {}
                some.append(index)
            elif one in ordinary:
                if some:
                    yield some
                    some = []
                waiting[one] = ordinary.pop(one)
        if some:
            yield some
        yield from self._take(waiting, raw)

    def _take(self, values: dict[bytes, str], raw: list[bytes]) -> Iterator[list[int]]:
        """Take ordinary links that no rule is concerned with, but for those that the site has to see.

        Args:
            values: by their bytes, each where it comes first.
            raw: the bytes of these links and others.

        Returns:
            The indices in `raw` of the links that are not taken.

        """
        are_taken = self._site.takes(values.values(), self._place)
        if are_taken or len(values) == 1:
            self._keep(values, values.values())
            if not are_taken:
                yield [raw.index(one) for one in values]
            return
        pairs = [*values.items()]  # few of them stand out: each half is tried as a whole
        for half in (pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]):
            yield from self._take(dict(half), raw)

    def _keep(self, raw: Iterable[bytes], values: Iterable[str]) -> None:
        """Remember that there is nothing to say about ordinary links, but for fragments, nor again."""
        pairs = zip(raw, values, strict=True)
        self._site.keep(self._quiet, [one for one, value in pairs if value[0] != "#"])

    def _begin(self) -> Document:
        """Look at the document as a whole, as soon as its type and charset are known."""
        stream = self._open()
        sniffed, type = stream.sniffed, stream.type
        if sniffed is None or type is None:
            raise RuntimeError("nothing is known of the document yet")
        self._suppressions.locate(sniffed.bom, sniffed.charset.unit)
        document = Document(self._name, type, sniffed, self._prefix, self._names)
        self._document = document
        self._settle(document)
        for rule in self._choice.documents:
            messages = rule.document(document) if rule.document else ()
            self._found += [
                Finding(rule.code, rule.name, rule.severity, message, rule.section, 1, 1, 0, 0)
                for message in messages
            ]
        return document

    def _settle(self, document: Document) -> None:
        """Take note of what links are resolved against from here on."""
        document.base = base = self._bases.current or ""
        self._base = (base[: len("https:")], known_base(base) if base else None)
        self._place = place_at(self._places.current or "")
        self._quiet = self._site.quiet(self._place, document.base)
        tests = [(concerns(document), rule) for concerns, rule in self._choice.concerns]
        watchers = {rule.code: watcher for rule, watcher in self._own_watchers}
        self._concerns = [
            (test, (rule, watchers.get(rule.code))) for test, rule in tests if test is not None
        ]

    def _look_at(
        self, link: Link, document: Document, concerned: list[_Concerned] | None = None
    ) -> None:
        """Add what is found about a link; `concerned` are the rules to ask, None for all."""
        subject = Subject(link, self._policy, self._bases.of(link), self._places.of(link))
        if concerned is None:
            has_own_base = link.bases or link.sets_base
            found = self._verdicts.about(subject, None if has_own_base else self._base)
            watchers = self._own_watchers
        else:
            found = judged(subject, [rule for rule, _ in concerned])
            watchers = [(rule, watcher) for rule, watcher in concerned if watcher is not None]
        is_template = subject.is_template
        for rule, watcher in () if is_template else watchers:
            found += tuple([Verdict(rule, hit) for hit in watcher.see(subject, document)])
        for verdict in found:
            if not self._is_suppressed(verdict.rule, link):
                self._found.append(verdict.finding(link))
        if self._site.rules and not is_template and link.value[:1] not in _LOCAL:
            directory = None if link.kind is Kind.IDENTITY else subject.directory
            if self._site.is_new(link.value, directory):
                self._sight(subject, directory, is_ordinary=concerned == [])

    def _sight(self, subject: Subject, directory: str | None, *, is_ordinary: bool) -> None:
        """Let the rules that compare documents see a link."""
        rules, at = self._site.rules, subject.link.start
        suppressed = frozenset(r.code for r in rules if self._suppressions.covers(at, r))
        silent = frozenset(r.code for r in rules if r.code not in self._choice.codes)
        target = subject.target
        sighting = Sighting(subject.link, directory, target, is_ordinary, suppressed, silent)
        findings, count = self._site.judge(sighting)
        if self._on_sighting is not None:
            self._on_sighting(len(self._found), sighting)
        else:
            self._found += findings
            self.suppressed += count

    def _is_suppressed(self, rule: Rule, link: Link) -> bool:
        suppressed = self._suppressions.covers(link.start, rule)
        self.suppressed += suppressed
        return suppressed


def _as_path(name: str) -> str:
    """Percent-encode the name of a file; octets that are not UTF-8 (PEP 383) as they are."""
    return quote(name.removeprefix("./").encode("utf-8", "surrogateescape"))
