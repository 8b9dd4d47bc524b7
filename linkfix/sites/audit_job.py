"""What an audit of a site is to do: its settings, and what they mean for each document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

from linkfix.auditing import Finding, Rule, rules
from linkfix.auditing.base import made_up
from linkfix.auditing.baseline import Baseline
from linkfix.auditing.catalogue import all_meant, check_rules
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.files.paths import is_remote, relative, split_packed
from linkfix.files.tree import Found, as_folder
from linkfix.policy import gate
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.sites.batch import SiteSettings
from linkfix.sites.documents import Sources

if TYPE_CHECKING:
    from linkfix.files.cache import Cache
    from linkfix.files.revisions import Changes
    from linkfix.server.server import Server
    from linkfix.server.targets import TargetFiles

#: The beginnings of the codes of the rules about files.
_FILES = "TGT"
#: What is done with documents.
Mode: TypeAlias = Literal["report", "fix", "diff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings(SiteSettings):
    """What is audited, and how.

    Attributes:
        mode: ``report`` findings; ``fix`` the links for which there is a suggestion, in place; or show that as a ``diff``.
        rules: the rules in force, from `linkfix.auditing.select`; None for all.
        ignored: returns the selectors of the rules that are not in force for a document, by its name.
        serving: how the server maps URLs to files.
        baseline: known findings, which are neither reported nor fixed.
        changed: a revision of git; only documents that differ from it are audited, and links to files that are gone; None for
            all documents.
        cache: keeps results; documents that have not changed are not read again. None for none.
        fix_temporary: whether suggestions follow temporary redirects too.
        verify: whether independent parsers compare each fixed document with the old one.
        render: makes bytes of some findings about the document of a name, in the process that has found them: events are then
            `Rendered`, and no `Findings`. None for none.
        form: differs for different functions `render`, for the cache.

    """

    mode: Mode = "report"
    rules: Sequence[Rule] | None = None
    ignored: Callable[[str], Sequence[str]] = lambda _: ()
    serving: Serving = field(default_factory=Serving)
    baseline: Baseline = field(default_factory=Baseline)
    changed: str | None = None
    cache: Cache | None = None
    fix_temporary: bool = False
    verify: bool = True
    render: Callable[[str, Sequence[Finding]], bytes] | None = None
    form: str = ""
    KINDS: ClassVar[dict[str, gate.Kind]] = {
        **SiteSettings.KINDS,
        "mode": get_args(Mode),
        "ignored": gate.Instance(Callable, "function", required=True),
        "serving": gate.Instance(Serving, "Serving", required=True),
        "baseline": gate.Instance(Baseline, "Baseline", required=True),
        "changed": gate.Instance(str, "revision of git"),
        "render": gate.FUNCTION,
    }

    def __post_init__(self) -> None:
        SiteSettings.__post_init__(self)
        check_rules(self.rules)
        if self.cache is not None:
            from linkfix.files.cache import Cache

            gate.check({"cache": gate.Instance(Cache, "Cache")}, cache=self.cache)
        if self.cache is not None and (self.mode != "report" or self.changed is not None):
            raise ArgumentError("cache is for reports on whole sites")
        if self.mode == "diff" and self.render is not None:
            raise ArgumentError("render is for findings; a diff has other bytes")


@dataclass(slots=True)
class Tally:
    """The numbers of links and findings of a document.

    Attributes:
        links: how many links it has.
        suppressed: how many findings comments in it suppress.
        known: how many findings are in the baseline.
        fixed: how many findings a fix has removed.
        embedded: how many of the links are in embedded documents.
        counts: how many findings were reported, by the codes of their rules.

    """

    links: int = 0
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    embedded: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    def plain(self) -> list[Any]:
        """Return it as plain data."""
        return [getattr(self, name) for name in self.__slots__]

    @classmethod
    def of(cls, plain: list[Any]) -> Tally:
        """Return the tally that `plain` returned as plain data."""
        return cls(*plain[:4], *map(Counter, plain[4:]))


class AuditJob:
    """What is audited, and what is known of the sites of the documents: one for a run.

    Args:
        settings: of the audit.
        paths: the paths that are audited.
        found: their documents.
        changes: what differs from a revision; None where all documents are audited.

    Attributes:
        settings: that argument.
        changes: that argument.
        rules: the rules in force.
        whole: the folders of which all documents are read.
        problems: what was wrong with the files of servers.

    """

    def __init__(
        self,
        settings: AuditSettings,
        paths: Sequence[str],
        found: Sequence[Found],
        changes: Changes | None = None,
    ) -> None:
        self.settings: AuditSettings = settings
        self.changes: Changes | None = changes
        chosen = rules() if settings.rules is None else settings.rules
        self._is_partial = changes is not None and not all(map(self.differs, found))
        if self._is_partial:  # rules that compare documents need all of a site
            chosen = [rule for rule in chosen if rule.compare is None and rule.pages is None]
        self.rules: list[Rule] = [*chosen]
        self.whole: list[str] = []
        if not settings.selection.include:
            self.whole = [folder for path in paths if (folder := as_folder(path))]
        self.problems: list[LinkfixError] = []
        roots = dict.fromkeys(each.root for each in found if each.root)
        self._numbers = {root: number for number, root in enumerate(roots)}
        self._files: dict[str, TargetFiles] = {}
        #: The servers whose charsets matter, by the folders of their sites; they are read before processes are forked.
        self._servers: dict[str, Server] = {}
        if settings.sources.charset is None:
            places = (settings.sources.place(each) for each in found)
            for root in dict.fromkeys(root for root, _ in places):
                if root and not is_remote(root) and split_packed(root) is None:
                    self._servers[root] = self.files(root).server

    @cached_property
    def joins(self) -> dict[str, Rule]:
        """The rules that the join reports, by their codes; no document is read for its names again."""
        return {
            rule.code: replace(rule, names=False)
            for rule in self.rules
            if rule.compare or rule.file
        }

    @property
    def knows_files(self) -> bool:
        """Whether rules about the files of sites are in force, and their addresses can be known."""
        is_known = self.settings.sources.base is None or self.settings.sources.root
        return bool(is_known) and _FILES in {rule.code[:3] for rule in self.rules}

    def differs(self, found: Found) -> bool:
        """Return whether a document differs from the revision."""
        return self.changes is None or os.path.realpath(found.path) in self.changes.changed

    def rules_for(self, name: str, found: Found) -> list[Rule]:
        """Return the rules in force for the document of a name in a file."""
        ignored, chosen = self.settings.ignored(name), self.rules
        if ignored:
            left_out = all_meant(ignored)
            chosen = [rule for rule in chosen if rule.code not in left_out]
        sources = self.settings.sources
        if name in sources.parts or name in sources.including:  # the page is in several files
            chosen = [rule for rule in chosen if rule.code != "REF002"]
        if self._is_partial and not self.differs(found):
            chosen = [rule for rule in chosen if rule.code.startswith(_FILES)]
        return chosen

    def site_of(self, name: str, found: Found, rules: Sequence[Rule]) -> tuple[str, str] | None:
        """Return the `Sources.place` of a document if the files of its site matter: not in an archive, or where it was named itself."""
        sources = self.settings.sources
        place = sources.place(found)
        is_known = found.path == name and place[0] and (sources.base is None or sources.root)
        if is_known and any(rule.code.startswith(_FILES) for rule in reversed(rules)):
            return place
        return None

    def address(self, root: str) -> SiteAddress:
        """Return the address of a folder; it is made up without a base."""
        base, site = self.settings.sources.base, self.settings.sources.root
        if base is None:
            return SiteAddress(made_up(self._numbers.get(root, 0))).of(root)
        address = SiteAddress.at(base)
        inside = relative(root, site) if site and split_packed(root) else None
        if inside not in {None, "."}:  # a container in the folder whose address is known
            address = SiteAddress(address.uri(inside or "", is_folder=True))
        return address.of(root)

    def sources(self, found: Found) -> Sources:
        """Return what is known about the documents of a file, with the charset that the server of its site sends."""
        root, path = self.settings.sources.place(found)
        server = self._servers.get(root)
        label = None if server is None else server.label(path)
        sources = self.settings.sources
        return sources if label is None else replace(sources, charset=label)

    def files(self, root: str) -> TargetFiles:
        """Return the files of a folder; list it the first time."""
        if root not in self._files:
            from linkfix.server.server import server_of
            from linkfix.server.targets import TargetFiles

            settings, sources, cache = self.settings, self.settings.sources, self.settings.cache
            report = self.problems.append if self.knows_files else lambda _: None
            self._files[root] = TargetFiles(
                server_of(root, self.address(root), settings.serving, report),
                settings.policy,
                sources.charset,
                None if sources.type == "warc" else sources.kind,
                follows_temporary=settings.fix_temporary,
                known=cache if cache is None else partial(cache.values, b"includes"),
            )
        return self._files[root]
