"""The join over the facts of all documents: every rule that needs more than one document.

Input: the facts of each document, in the order of the documents. Output: for each document with findings what is wrong with which
links (`Wanted`). Rows wait in a `Shelf`, so that nothing is judged before all documents are read: names, files and pages are then
known. A value that is sound in a folder is looked up once for all documents of the folder. The cost is some microseconds for
each distinct value of a folder, in one process. Its result is never remembered: facts are.
"""

from __future__ import annotations

import json
from array import array
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from linkfix.auditing.catalogue import Choice, choice
from linkfix.auditing.files import is_wrong
from linkfix.auditing.finding import Finding, from_plain, to_plain
from linkfix.auditing.pages import Mention
from linkfix.auditing.rule import FileProblem, Hit
from linkfix.auditing.site import Site, Table, judged_key, page_findings
from linkfix.auditing.verdict import Verdict
from linkfix.charset import lookup
from linkfix.files.store import Shelf, StoredTexts
from linkfix.iri.resolution import base_url
from linkfix.jobs.wire import plain
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from linkfix.auditing.finding import Occurrence
    from linkfix.auditing.pages import Pages
    from linkfix.auditing.rule import Rule
    from linkfix.charset import Charset
    from linkfix.iri.resolution import BaseURL

#: How many sound values are remembered.
MOST_SOUND = 25_000
#: The places of some values in a row of an `Occurrence` as plain data.
_SPELLED, _HOLDER, _DIRECTORY, _TARGET, _ORDER, _COMPARED, _FOLLOWED, _LEAVES = range(1, 9)


class Origin(NamedTuple):
    """Where facts are from.

    Attributes:
        number: of the file in the run.
        name: of the document.
        root: the folder of its site; "" for none.
        path: of the document there.
        charset: the name of its charset.
        is_page: whether it is a page for readers.
        is_last: whether this is the last piece of its facts.

    """

    number: int
    name: str
    root: str
    path: str
    charset: str
    is_page: bool
    is_last: bool


class SiteFiles(Protocol):
    """The files of a site."""

    def problem(self, uri: str, charset: Charset, path: str = "") -> FileProblem | None:
        """Return what is wrong with a target; `path` is that of the document that has the link."""
        ...

    def file(self, uri: str, fragments: Iterable[str], path: str) -> str:
        """Return the path of the file of a target if nothing is wrong with links to these fragments; "" if `problem` has to say it."""
        ...

    def path(self, uri: str, charset: Charset) -> str:
        """Return the path of the file of a target, redirects followed; "" if there is none in the site."""
        ...

    def newly_linked(self) -> list[str]:
        """Return the paths to which links of other documents lead, of the links since the last call."""
        ...


class Known(NamedTuple):
    """What is known of the site of a document.

    Attributes:
        rules: in force for the document.
        files: of its site; None if they are not known.
        pages: of its site; None if no rule is about them.

    """

    rules: Sequence[Rule]
    files: SiteFiles | None
    pages: Pages | None


class Join:
    """Judge documents by the facts of all.

    Args:
        rules: the rules in force.
        known: returns what is known of the site of a document.

    Attributes:
        found: what the join has found, as a line with the name of a document and a line of the plain data of `Wanted`.
        numbers: of the file of each row in `found`.

    """

    def __init__(self, rules: Sequence[Rule], known: Callable[[Origin], Known]) -> None:
        self._rules = rules
        self._site = Site(rules, StoredTexts)
        self._known = known
        self._rows = Shelf()
        self.found: Shelf = Shelf()
        self.numbers: array[int] = array("Q")
        self._sound: dict[tuple[object, ...], set[str]] = {}
        self._sound_count = 0
        self._choice: tuple[Sequence[Rule], Choice] = (rules, choice(rules))

    def add(self, origin: Origin, piece: bytes) -> None:
        """Add a piece of the facts of a document: `Facts.taken` as JSON."""
        self._rows.add(plain([*origin]) + b"\n" + piece)

    def run(self) -> None:
        """Judge all documents."""
        document: _Document | None = None
        sites: dict[str, Pages] = {}
        for row in self._rows:
            place, piece = map(json.loads, row.split(b"\n"))
            origin = Origin(*place)
            if document is None or document.origin[:2] != origin[:2]:
                document = _Document(self, origin)
                if document.pages is not None:
                    sites[origin.root] = document.pages
            document.read(piece)
            if not document.wanted.is_empty and (document.wanted.are_many or origin.is_last):
                self._keep(origin.number, origin.name, document.wanted)
                document.wanted = Wanted()
            if origin.is_last:
                document.end(origin.is_page)
        self._find_pages(sites)
        # What follows is done in forks of this process, which need nothing of this.
        del self._sound, self._site

    def _find_pages(self, sites: dict[str, Pages]) -> None:
        """Judge the pages of whole sites."""
        found = {root: page_findings(pages, self._rules) for root, pages in sites.items()}
        if not any(found.values()):
            return
        for row in self._rows:
            origin = Origin(*json.loads(row.partition(b"\n")[0]))
            if not origin.is_last or origin.path not in found.get(origin.root, ()):
                continue
            wanted = Wanted()
            codes = self.chosen(self._known(origin).rules).codes
            for rule, message, link in found[origin.root].pop(origin.path):
                if rule.code in codes:
                    wanted.add(rule, message, link)
            self._keep(origin.number, origin.name, wanted)

    def _keep(self, number: int, name: str, wanted: Wanted) -> None:
        if not wanted.is_empty:
            self.numbers.append(number)
            self.found.add(plain([name]) + b"\n" + plain(wanted.plain()))

    def chosen(self, rules: Sequence[Rule]) -> Choice:
        """Return the choice of the rules in force; most documents have the same rules."""
        if rules is not self._choice[0]:
            self._choice = rules, choice(rules)
        return self._choice[1]

    def sound(self, *key: object) -> set[str]:
        """Return the values that are sound under a key: a base, and what else they depend on."""
        if self._sound_count > MOST_SOUND:
            self._sound.clear()
            self._sound_count = 0
        return self._sound.setdefault(key, set())

    def keep_sound(self, sound: set[str], values: Sequence[str]) -> None:
        """Remember sound values."""
        sound.update(values)
        self._sound_count += len(values)


class _Document:
    """Judge the links of one document.

    Args:
        join: has judged the documents before it.
        origin: of the document.

    Attributes:
        origin: that argument.
        wanted: what is found.
        pages: of its site; None if no rule is about them.

    """

    def __init__(self, join: Join, origin: Origin) -> None:
        rules, self._files, self.pages = join._known(origin)
        self.origin, self.wanted = origin, Wanted()
        self._join, self._site = join, join._site
        self._path = origin.path
        self._charset: Charset = lookup(origin.charset, xml=True)
        self._codes, self._rules = join.chosen(rules).codes, join.chosen(rules).files
        self._mentions: list[Mention] = []
        self._count = 0

    def read(self, piece: list[Any]) -> None:
        """Judge the links of a piece, in their order."""
        lists, odd, roles = piece
        waiting = iter(odd)
        following = next(waiting, None)
        for uri, is_known, values in lists:
            base, start = base_url(uri), 0
            while following is not None and following[_ORDER] < self._count + len(values):
                end = max(start, following[_ORDER] - self._count)
                self._judge(base, is_known, values[start:end])
                self._judge_odd(following)
                start, following = end, next(waiting, None)
            self._judge(base, is_known, values[start:])
            self._count += len(values)
        while following is not None:
            self._judge_odd(following)
            following = next(waiting, None)
        files = self._files
        for name, language, link in roles if files is not None else ():
            target = link[_TARGET]
            path = "" if files is None else files.path(target, self._charset)
            if path or name in {"canonical", "refresh"}:
                text = json.dumps(link, ensure_ascii=False)
                self._mentions.append(Mention(name, path, target, language, text))

    def end(self, is_page: bool) -> None:
        """Add the document to the pages of its site."""
        if self.pages is not None and self._files is not None:
            linked = self._files.newly_linked()
            self.pages.add(self._path, self._mentions, linked, is_page=is_page)

    def _judge(self, base: BaseURL, is_known: bool, values: list[str]) -> None:
        """Judge ordinary links to other documents."""
        sound = self._join.sound(self._files, base.directory, is_known)
        new = [value for value in values if value not in sound]
        if not new:
            return
        by_path: dict[str, list[str]] = {}
        for value in new:
            by_path.setdefault(value.partition("#")[0], []).append(value)
        links = [(path, base.target(path), some) for path, some in by_path.items()]
        if not self._site.accepts_targets((target for _, target, _ in links), base):
            for _, target, (first, *_) in links:
                hits = self._site.differences(base.directory, first, target)
                hits = [(rule, hit) for rule, hit in hits if rule.code in self._codes]
                self.wanted.want(base.directory, first, hits)
        if self._files is not None:
            new = [*self._sound(self._files, base, links, is_known=is_known)]
        self._join.keep_sound(sound, new)

    def _sound(
        self,
        files: SiteFiles,
        base: BaseURL,
        links: Iterable[tuple[str, str | None, list[str]]],
        *,
        is_known: bool,
    ) -> Iterator[str]:
        """Look up the targets of ordinary links, each once; yield the values of links with which nothing is wrong.

        Args:
            files: of the site.
            base: of the links.
            links: a path, its target, and the values with this path.
            is_known: whether the address of the site is known.

        """
        for path, target, some in links:
            leaves = not is_known and ".." in path and base.is_left_by(path)
            fragments = (value[len(path) + 1 :] for value in some)
            file = "" if leaves or target is None else files.file(target, fragments, self._path)
            if file and file != self._path:
                yield from some
            for value in () if file else some:
                problem = self._problem(whole := base.target(value), leaves=leaves)
                if problem is None or whole is None:
                    yield value
                elif problem.what in self._rules:
                    # The value says whether a link leaves the folder; other links may have the same target.
                    self.wanted.follow(value, whole, None if leaves else problem)

    def _judge_odd(self, row: list[Any]) -> None:
        """Judge a link that has its place."""
        value, directory, target = row[_SPELLED][0], row[_DIRECTORY], row[_TARGET]
        holder = row[_HOLDER]
        name = f"{holder[0]}@{holder[1]}" if holder[2] == Kind.UNKNOWN.value else ""
        flags = row[_COMPARED], row[_FOLLOWED], row[_LEAVES]
        sound, key = self._join.sound(self._files, directory, name, *flags), f"{target} {value}"
        if key in sound:
            return
        occurrence = from_plain(row)
        problem = self._problem(target, leaves=row[_LEAVES]) if row[_FOLLOWED] else None
        if problem is None:
            self._join.keep_sound(sound, [key])
        elif (
            problem.new_target and problem.what in self._rules
        ):  # the suggestion depends on the bases of the link
            self.wanted.follow("", target, problem)
        elif is_wrong(problem, occurrence.link):
            for rule, said in self._rules.get(problem.what, ()):
                hit = said.hit(problem, target, len(value))
                self.wanted.add(rule, hit.message, occurrence, hit.target)
        for rule, hit in self._site.hits(occurrence) if row[_COMPARED] else ():
            if rule.code in self._codes:
                self.wanted.add(rule, hit.message, occurrence)

    def _problem(self, target: str | None, *, leaves: bool) -> FileProblem | None:
        """Return what is wrong with the target of a link."""
        if target is None or self._files is None:
            return None
        if leaves:
            return FileProblem("outside")
        return self._files.problem(target, self._charset, self._path)


# --- The findings of a join about one document, and the places of its links ------------------------
# Input: what the join has found, by the targets and the values of links. Output: findings with their places, in the order of the
# links. The document is read once more by an `Auditor` with the same rules, for which this is both its site and its files. Links that
# came with their places need no second reading.

#: How many links make a part of a document with very many findings.
_MANY = 50_000


class Wanted(Site):
    """What a join has found in a document.

    Args:
        rules: the rules in force.

    Attributes:
        problems: what is wrong with targets, by their URIs.
        values: of the links with findings, as `Site.only` has them, in the order of the links.
        told: the findings of links that came with their places; and of all links where it is read part by part.
        is_part: whether it is.

    """

    def __init__(self, rules: Sequence[Rule] = ()) -> None:
        super().__init__(rules)
        self.problems: dict[str, FileProblem] = {}
        self.values: dict[str, None] = {}
        self.told: Table = Table(StoredTexts)
        self.is_part: bool = False
        #: For the folder and the value of each link (`judged_key`) the code of a rule and its message.
        self._hits: dict[str, list[tuple[str, str]]] = {}
        self._ready: list[tuple[str, str, str, list[Any] | None]] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is no finding."""
        return not (self.values or self._ready)

    @property
    def is_read(self) -> bool:
        """Whether the document has to be read for the places of links."""
        return bool(self.values)

    @property
    def are_many(self) -> bool:
        """Whether the findings are enough for a part of the document."""
        return len(self.values) + len(self._hits) + len(self._ready) > _MANY

    def want(self, directory: str, value: str, hits: Iterable[tuple[Rule, Hit]]) -> None:
        """Add what rules say of the first link with a value."""
        for rule, hit in hits:
            pairs = self._hits.setdefault(judged_key(directory, value), [])
            pairs.append((rule.code, hit.message))
            self.values[value] = None

    def follow(self, value: str, target: str, problem: FileProblem | None) -> None:
        """Add what is wrong with the target of each link with a value; "" for one that is not known by its spelling.

        Args:
            value: of the links.
            target: what they mean.
            problem: what is wrong; None where the reading of the document says it by the value.

        """
        if problem is not None:
            self.problems[target] = problem
        self.values[value] = None

    def add(self, rule: Rule, message: str, link: Occurrence | None, target: str = "") -> None:
        """Add a finding about a link whose place is known, or about the whole document; `target` as a finding has it."""
        self._ready.append((rule.code, message, target, link and to_plain(link)))

    def plain(self) -> list[Any]:
        """Return it as plain data."""
        return [self.is_read, self.problems, [*self.values], self._hits, self._ready]

    @classmethod
    def of(cls, rows: Iterable[list[Any]], rules: Sequence[Rule]) -> Wanted:
        """Return what `plain` returned as plain data, part by part."""
        wanted = cls(rules)
        for _, problems, values, hits, ready in rows:
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
        findings, told = [], dict[str, str]()
        for code, message, target, link in self._ready:
            rule, occurrence = by_code[code], link and from_plain(link)
            key = _key(occurrence.link.start if occurrence else 0, code, message, target)
            told[key] = ""
            if self.is_part and self.told.find([key]):
                continue
            if occurrence and code in occurrence.suppressed:
                suppressed += 1
            elif occurrence:
                hit = Hit(0, len(occurrence.link.value), message, target)
                findings.append(Verdict(rule, hit).finding(occurrence.link))
            else:
                about = (code, rule.name, rule.severity, message, rule.section)
                findings.append(Finding(*about, 1, 1, 0, 0))
        self.told.add(told)
        return sorted(findings, key=attrgetter("start")), suppressed

    def is_new(self, start: int, code: str, message: str, target: str) -> bool:
        """Return whether the document has not had a finding: one target can be wanted in several parts."""
        key = _key(start, code, message, target)
        if self.told.find([key]):
            return False
        if self.is_part:
            self.told.add({key: ""})
        return True

    def has_not(self, finding: Finding) -> bool:
        """Return whether the document has not had a finding (`is_new`)."""
        return self.is_new(finding.start, finding.code, finding.message, finding.target)

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


def _key(start: int, code: str, message: str, target: str) -> str:
    """Return what distinguishes the findings about a document."""
    return f"{start} {code} {target} {message}"
