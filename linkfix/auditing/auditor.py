"""The auditor: bytes of a document in, findings about its links out.

It reads batches and single links. An ordinary value needs no check but by the rules of the site, and those compare a whole list
of values at a time; the bytes of a value without findings are remembered, since sites repeat their links. Only the other values
become `Link` objects and go to the rules. So the cost is that of different values; pages of many odd ones are slow.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import compress, filterfalse, groupby
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from linkfix.auditing.base import LOCAL
from linkfix.auditing.catalogue import choice, meets
from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.files import is_followed, leaves
from linkfix.auditing.finding import Facts, Finding, Occurrence, Role
from linkfix.auditing.roles import Roles
from linkfix.auditing.rule import Document, Files, Hit, Rule, Subject, Watcher
from linkfix.auditing.site import Site
from linkfix.auditing.suppression import Suppressions
from linkfix.auditing.verdict import Verdict, judged, of_file, watched
from linkfix.charset import PREFIX
from linkfix.iri.quick import ORDINARY, examined, values_of
from linkfix.iri.resolution import base_url
from linkfix.iri.url import known_base
from linkfix.links import Batch, Kind, Link, LinkStream
from linkfix.links.link import WITHOUT_SCHEME, Place
from linkfix.policy import UNKNOWN, Bases, Policy, Source, gate

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from linkfix.markup.detect import DocumentType

_AS_URIS = Policy(to="uri")
_DATA = {"data": gate.Instance(bytes, "bytes; encode text: text.encode()")}
#: The fragments that every document has (HTML Standard, 7.4.6.3): its top.
_ALWAYS_THERE = ("", "top")
#: The elements of sitemaps and feeds that lead to a page.
_ENTRIES = frozenset({"loc", "link"})
_SITEMAPS = frozenset(
    f"http://{name}" for name in ("www.sitemaps.org/schemas/sitemap/0.9", "www.sitemaps.org/schemas/sitemap/0.84",
                                  "www.google.com/schemas/sitemap/0.84")
)  # fmt: skip
#: The rules about links without a scheme: another target was meant, so that nothing else is said of their files.
_OTHER_MEANT = frozenset({"REF006", "REF007"})
#: How many unknown attributes of a document are remembered.
_MOST_UNKNOWN = 1000

#: A rule and its watcher of the document, if it has one.
_Concerned: TypeAlias = "tuple[Rule, Watcher | None]"


class Auditor:
    """Audit one document, chunk by chunk; sans-IO.

    Args:
        policy: how links are read, and what a suggestion looks like.
        rules: the rules in force; None for all.
        site: shared with other documents, with whose links those of this one are compared; None for one document.
        facts: takes what other documents matter for, in place of `site`; None to compare links at once.
        source: what is known about the document.
        files: the files of its site, for the rules about them; None for no such rules.
        has_roles: whether what the document says of pages of its site is kept in `facts`.
        location: absolute URI of the document in its site, where its base is unknown; None for one of its name.

    Attributes:
        suppressed: how many findings comments in the document suppress.
        links: the number of links.
        embedded: how many of them are in embedded documents, as ``noscript: followed``; complete after the end.
        ordinary: how many of them are ordinary values that no rule about single links had to check.
        address: absolute URI of the document, or of its place in the site where that is unknown.

    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        rules: Sequence[Rule] | None = None,
        site: Site | None = None,
        source: Source = UNKNOWN,
        facts: Facts | None = None,
        files: Files | None = None,
        location: str | None = None,
        has_roles: bool = False,
    ) -> None:
        gate.check(policy=policy, source=source)
        self._choice = choice(catalogue() if rules is None else rules)
        site = Site(self._choice.rules) if site is None else site
        self._policy = policy or _AS_URIS
        if self._policy.to != "uri":
            self._policy = replace(self._policy, to="uri")
        self._verdicts = site.verdicts(self._choice, self._policy)
        self._name = source.name
        self._suppressions = Suppressions()
        self._names: set[str] = {*_ALWAYS_THERE}
        #: None after the end: the stream refers to this auditor, which is then freed at once.
        self._stream: LinkStream | None = self._policy.stream(
            source,
            names=self._names if self._choice.names else None,
            declarations=True,
            unknown=self._choice.unknown,
        )
        #: The names of unknown attributes that were reported to the site.
        self._unknown: set[str] = set()
        self._bases = Bases(source.base)
        self._files = files
        self._facts = facts
        self._has_roles = has_roles and facts is not None
        self._roles = Roles()
        # octets of a file name that are not UTF-8 (PEP 383) are percent-encoded as they are
        path = quote(source.name.removeprefix("./").encode("utf-8", "surrogateescape")).lstrip("/")
        self.address: str = source.base or location or f"file:///{path}"
        self._site_bases = Bases(self.address)
        watching = self._choice.watching
        self._own_watchers = [(rule, rule.watch()) for rule in watching if rule.watch is not None]
        self._site = site
        self._prefix = b""
        self._document: Document | None = None
        self._found: list[Finding] = []
        #: Ordinary values that are recorded with their places.
        self._suspected: set[str] = set()
        #: The part of the base URL on which verdicts depend (`Verdicts`).
        self._base: Hashable = None
        #: The base URL of links, and the raw values under it that need no further check.
        self._base_url = base_url("")
        self._finished: set[bytes] = set()
        #: The numbers of all links, of ordinary ones, and of identifiers and bases.
        self.links: int = 0
        self.embedded: Counter[str] = Counter()
        self.ordinary: int = 0
        self._apart = 0
        #: How many ordinary values precede each odd one of a batch, by its bytes; and those of the present link.
        self._orders: dict[bytes, int] = {}
        self._view = b""
        #: Tests for ordinary values that rules have to check nevertheless, each with its rules.
        self._concerns: list[tuple[Callable[[str], bool], list[_Concerned]]] = []
        self.suppressed: int = 0

    def feed(self, data: bytes) -> list[Finding]:
        """Read the next bytes; return the findings about the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        gate.check(_DATA, data=data)
        if self._document is None and len(self._prefix) < PREFIX:
            self._prefix += data[: PREFIX - len(self._prefix)]
        return self._read(data, final=False)

    def close(self) -> list[Finding]:
        """End the document; return the remaining findings.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return [*self.end(), *self.late_findings()]

    def end(self) -> list[Finding]:
        """End the document; return the findings about its last links.

        `end` with `late_findings` replaces `close`, for documents with many late findings.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        found = self._read(b"", final=True)
        self._stream = None
        return found

    def salvage(self) -> list[Finding]:
        """Return, after an error, the findings about links before it that no call has returned."""
        findings, self._found = self._found, []
        return findings

    @property
    def type(self) -> DocumentType | None:
        """The type of the document; None while it is unknown."""
        return None if self._document is None else self._document.type

    @property
    def names(self) -> Iterable[str] | None:
        """The targets of fragments in the document so far; None if no rule in force needs them."""
        return self._names if self._choice.names else None

    def late_findings(self) -> Iterator[Finding]:
        """Yield the findings about earlier links that need the whole document, one by one."""
        document = self._document
        if document is not None:
            for rule, watcher in self._own_watchers:
                for subject, hit in watcher.finish(document):
                    if not self._is_suppressed(rule, hit, subject.link):
                        yield Verdict(rule, hit).finding(subject.link)

    def _read(self, data: bytes, *, final: bool) -> list[Finding]:
        """Read the next bytes; return the findings about the links that they complete."""
        stream = self._open()
        links = stream.read(data, final=final)
        self._suppressions.feed(stream.view)
        if self._has_roles and stream.type != "xml":
            self._roles.feed(stream.view)
        try:
            for found in links:
                if isinstance(found, Batch):
                    self._read_batch(found)
                else:
                    self._read_link(found)
        finally:
            if self._document is None and stream.sniffed is not None:
                self._begin()
            if final:
                self.embedded = stream.embedded
        return self.salvage()

    def _open(self) -> LinkStream:
        if self._stream is None:
            raise RuntimeError("the document has ended")
        return self._stream

    def _read_link(self, link: Link) -> None:
        """Process the next link of the document."""
        document = self._document or self._begin()
        kind = link.kind
        if kind is Kind.UNKNOWN:
            self._read_unknown(link)
            return
        if self._has_roles and not link.place.embedded:
            self._read_role(link, document)
        document.links = self.links - self._apart
        self.links += 1
        if kind is Kind.IDENTITY:
            self._apart += 1
            self._check(link, document)
        elif link.sets_base or link.sets_inner_base:
            self._apart += link.sets_base
            self._bases.see(link)
            self._site_bases.see(link)
            self._check(link, document)
            self._set_base(document)
        elif kind is Kind.HASH_NAME or kind in WITHOUT_SCHEME:
            self._apart += 1
        elif link.bases or link.place.codebase or ORDINARY.fullmatch(link.value) is None:
            if self._site.only is None:  # the facts have the place
                self._check(link, document)
        else:
            value = link.value
            concerned = [rule for test, rules in self._concerns if test(value) for rule in rules]
            is_accepted = value not in self._suspected and self._accepts((value,))
            if is_accepted and not concerned:
                self.ordinary += 1
            else:
                self._check(link, document, concerned, is_accepted=is_accepted)

    def _read_unknown(self, link: Link) -> None:
        """Report the first value of each unknown attribute to the site."""
        name = f"{link.element}@{link.attribute}"
        if name not in self._unknown:
            if len(self._unknown) >= _MOST_UNKNOWN:
                self._unknown.clear()  # the site knows them
            self._unknown.add(name)
            self._report(Subject(link, self._policy, None), None)

    def _read_batch(self, batch: Batch) -> None:
        """Process a batch by its values; check the candidates one by one."""
        if self._document is None:
            self._begin()
        if not batch.are_single or (self._has_roles and _has_entries(batch)):
            for link in batch.links():
                self._read_link(link)
            return
        self.links += len(batch)
        self.ordinary += len(batch)
        for indices in self._candidates(batch.views):
            self.links -= len(indices)
            self.ordinary -= len(indices)
            for index, link in zip(indices, batch.links(indices), strict=True):
                self._view = batch.views[index]
                self._read_link(link)
        self._view = b""

    def _candidates(self, raw: list[bytes]) -> Iterator[list[int]]:
        """Yield the indices of the links that have to be checked, list by list.

        The caller checks each list before it asks for the next one.

        Args:
            raw: the spelled values of the links.

        """
        only = self._site.only
        if only is not None:
            values = values_of(raw)
            if not only.isdisjoint(values):
                yield [index for index, value in enumerate(values) if value in only]
            return
        finished, roles = self._finished, self._roles.raw
        is_finished = finished.__contains__
        if roles:
            is_finished = lambda one: one in finished and one not in roles  # noqa: E731
        new = [*dict.fromkeys(filterfalse(is_finished, raw))]
        if not new:
            return
        values, odd = examined(new)
        candidates = odd.copy()
        if roles:
            candidates.update(compress(values, map(roles.__contains__, new)))
        for test, _ in self._concerns:
            candidates.update(filter(test, values))
        ordinary = [value for value in values if value not in odd] if odd else values
        if self._facts is not None:
            suspected = self._facts.suspected(self._base_url, ordinary)
            if suspected:
                self._suspected |= suspected
                candidates |= suspected
                ordinary = [value for value in ordinary if value not in suspected]
            self._orders = self._facts.orders(zip(new, values, strict=True), odd | suspected)
            is_accepted = self._accepts(ordinary)
        else:  # links that lead out are compared in the order of the document
            is_accepted = all(value[:1] in LOCAL for value in odd) and self._accepts(ordinary)
        if is_accepted and not candidates:
            self._finish(new, values)
            return
        known = dict(zip(new, values, strict=True))
        checked = {one: value for one, value in known.items() if value not in candidates}
        if is_accepted:
            yield [i for i, one in enumerate(raw) if one in known and one not in checked]
        else:  # a run of ordinary links is accepted at once
            indices = (i for i, one in enumerate(raw) if one in known)
            for is_ordinary, run in groupby(indices, lambda i: raw[i] in checked):
                at = [*run]
                if not (is_ordinary and self._accepts([known[raw[i]] for i in at])):
                    yield at
        self._finish(checked, checked.values())

    def _accepts(self, values: Sequence[str]) -> bool:
        """Record ordinary links; return False where each has to be compared by itself."""
        facts = self._facts
        if facts is None:
            return self._site.accepts(values, self._base_url)
        if facts.keeps_places:
            return all(value[:1] in LOCAL for value in values)
        facts.add(values)
        return True

    def _finish(self, raw: Iterable[bytes], values: Iterable[str]) -> None:
        """Remember that ordinary links, except fragments, need no further check."""
        pairs = zip(raw, values, strict=True)
        self._site.finish(self._finished, [one for one, value in pairs if value[0] != "#"])

    def _begin(self) -> Document:
        """Check the document as a whole, once its type and charset are known."""
        stream = self._open()
        sniffed, type = stream.sniffed, stream.type
        if sniffed is None or type is None:
            raise RuntimeError("nothing is known of the document yet")
        self._suppressions.locate(sniffed.bom, sniffed.charset.unit)
        if self._facts is not None:
            self._facts.charset = sniffed.charset.name
        document = Document(self._name, type, sniffed, self._prefix, self._names, files=self._files)
        self._document = document
        self._set_base(document)
        for rule in self._choice.documents:
            messages = rule.document(document) if rule.document else ()
            self._found += [
                Finding(rule.code, rule.name, rule.severity, message, rule.section, 1, 1, 0, 0)
                for message in messages
            ]
        return document

    def _set_base(self, document: Document) -> None:
        """Set the base URL of the following links."""
        document.base = base = self._bases.current or ""
        document.site_base = self._site_bases.current or ""
        self._base = (base[: len("https:")], known_base(base) if base else None)
        self._base_url = base_url(self._site_bases.current or "")
        if self._facts is None:
            self._finished = self._site.finished(self._base_url, document.base, self._choice.codes)
        else:  # each document has the facts about all of its links
            self._finished, self._suspected = set(), set()
            self._facts.begin(self._base_url.uri, is_known=bool(base))
        watchers = {rule.code: watcher for rule, watcher in self._own_watchers}
        self._concerns = []
        for test_of, rules in self._choice.demands:
            test = test_of(document)
            if test is not None:
                concerned = [(rule, watchers.get(rule.code)) for rule in rules]
                self._concerns.append((test, concerned))

    def _check(
        self,
        link: Link,
        document: Document,
        concerned: list[_Concerned] | None = None,
        *,
        is_accepted: bool = False,
    ) -> None:
        """Add the findings about a link; `concerned` are the rules to run on an ordinary one that the site may have accepted."""
        link = link._replace(resolver=self._bases.resolver(self._bases.of(link), self._policy))
        subject = Subject(link, self._policy, self._bases.of(link), self._site_bases.of(link))
        is_doubtful = concerned is None or any(rule.file for rule, _ in concerned)
        if concerned is None:
            has_own_base = link.bases or link.sets_base or link.place.codebase
            found = self._verdicts.of(subject, None if has_own_base else self._base)
            watchers = [each for each in self._own_watchers if meets(each[0], link.value)]
        else:
            found = judged(subject, [rule for rule, _ in concerned])
            watchers = [(rule, watcher) for rule, watcher in concerned if watcher is not None]
        is_template = subject.is_template
        is_meant = _OTHER_MEANT.isdisjoint(verdict.rule.code for verdict in found)
        for rule, watcher in () if is_template else watchers:
            hits = watcher.check(subject, document)
            found += tuple([watched(rule, hit, subject, self._site_bases) for hit in hits])
        if is_doubtful and is_meant and not is_template:
            found += of_file(subject, document, self._choice.files, self._site_bases)
        for verdict in found:
            if not self._is_suppressed(verdict.rule, verdict.hit, link):
                self._found.append(verdict.finding(link))
        if not (is_accepted or is_template):
            self._report(subject, document, is_meant)

    def _read_role(self, link: Link, document: Document) -> None:
        """Record a link by which the document says something of a page."""
        place = link.place
        name, language = "", ""
        if place.kind is Kind.REFRESH:
            name = "refresh"
        elif _is_entry(place):
            name = "entry"
        elif self._roles.raw and place.markup != "css":
            sniffed = document.sniffed
            offset = (link.start - sniffed.bom) // sniffed.charset.unit
            name, language = self._roles.of(offset)
        if not name or link.fixed or self._facts is None:
            return
        subject = Subject(link, self._policy, self._bases.of(link), self._site_bases.of(link))
        if subject.target is not None:
            found = self._occurrence(subject, document, self._choice.pages)
            self._facts.roles.append(Role(name, language, found))

    def _occurrence(
        self, subject: Subject, document: Document | None, rules: Iterable[Rule]
    ) -> Occurrence:
        """Return a link with the rules that are suppressed where it is."""
        link = subject.link
        is_identity = link.kind is Kind.IDENTITY
        followed = document is not None and is_followed(subject)
        return Occurrence(
            link,
            None if is_identity else subject.directory,
            None if document is None or is_identity else subject.target,
            self._orders.get(self._view, 0 if self._facts is None else self._facts.count),
            link.value[:1] not in LOCAL,
            followed,
            followed and document is not None and leaves(document, subject),
            self._suppressions.covering(link.start, rules),
        )

    def _report(self, subject: Subject, document: Document | None, is_meant: bool = True) -> None:
        """Record a link for the rules that need more than this document, or compare it."""
        link, facts = subject.link, self._facts
        if facts is not None:
            occurrence = self._occurrence(subject, document, self._choice.joined)
            if not is_meant:
                occurrence = occurrence._replace(is_followed=False)
            if occurrence.is_compared or occurrence.is_followed:
                facts.record(occurrence)
        elif self._site.rules and link.value[:1] not in LOCAL:
            occurrence = self._occurrence(subject, document, self._site.rules)
            findings, count = self._site.judge(occurrence)
            self._found += findings
            self.suppressed += count

    def _is_suppressed(self, rule: Rule, hit: Hit, link: Link) -> bool:
        suppressed = self._suppressions.covers(link.start, rule)
        about = (link.start, rule.code, hit.message, hit.target)
        self.suppressed += suppressed and self._site.is_new(*about)
        return suppressed


def _is_entry(place: Place) -> bool:
    """Return whether a link is that of an entry of a sitemap or a feed."""
    is_list = place.feed or place.namespace in _SITEMAPS
    return is_list and place.element.rpartition(":")[2] in _ENTRIES and place.kind is Kind.SINGLE


def _has_entries(batch: Batch) -> bool:
    """Return whether a batch may have entries of a sitemap or a feed."""
    place = batch.places([0])[0] if len(batch) else None
    return place is not None and (place.feed or place.namespace in _SITEMAPS)
