"""What a rule is: facts about it, a page for its user, and what finds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from linkfix.auditing.base import place_at
from linkfix.iri import bidi_violations, lookalikes, violations
from linkfix.iri.layout import read_generic
from linkfix.iri.ordinary import ORDINARY
from linkfix.links.templates import REASONS
from linkfix.policy.resolving import resolved

if TYPE_CHECKING:
    from linkfix.auditing.finding import Severity
    from linkfix.charset import Sniffed
    from linkfix.iri import Conversion, Violation
    from linkfix.iri.layout import Layout
    from linkfix.links import Link
    from linkfix.markup.detect import DocumentType
    from linkfix.policy import Policy

__all__ = [
    "C0_OR_SPACE",
    "SCRIPT",
    "Check",
    "Concerns",
    "Document",
    "DocumentCheck",
    "Hit",
    "Rule",
    "Sighting",
    "SiteWatcher",
    "Subject",
    "Watch",
    "Watcher",
    "matching",
    "violating",
]

#: URL Standard, 4.4: what is stripped at both ends.
C0_OR_SPACE = "".join(map(chr, range(0x21)))
#: Links that are script and no IRI: a browser drops tabs and line ends before it looks.
SCRIPT = re.compile(
    r"[\0-\x20]*((?:j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a|v[\t\n\r]*b)"
    r"[\t\n\r]*s[\t\n\r]*c[\t\n\r]*r[\t\n\r]*i[\t\n\r]*p[\t\n\r]*t[\t\n\r]*:)",
    re.IGNORECASE,
)


class Subject:
    """A link under audit, with what several rules ask about it, worked out once.

    Attributes:
        link: as it stands in the document.
        policy: how it is read.
        base: what it is resolved against, None where that is not known.
        place: the same, but where the document's own address is not known a made-up one, which
            tells the documents of a site apart.

    """

    def __init__(
        self, link: Link, policy: Policy, base: str | None, place: str | None = None
    ) -> None:
        self.link = link
        self.policy = policy
        self.base = base
        self.place = base if place is None else place

    @property
    def value(self) -> str:
        """The link, with character references replaced."""
        return self.link.value

    @property
    def is_template(self) -> bool:
        """Whether only a program, or whoever reads the document, makes a reference of it."""
        return self.link.fixed in REASONS

    @cached_property
    def conversion(self) -> Conversion:
        """What a rewrite to URIs would make of it."""
        return self.policy.convert(self.link, self.base)

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Where the value departs from the grammar of an IRI reference (3987bis 2.2)."""
        return violations(self.value)

    @cached_property
    def lookalikes(self) -> tuple[Violation, ...]:
        """What a reader of the value may take for something else (3987bis 6.1, UTS #39)."""
        return () if self.value.isascii() and "xn--" not in self.value else lookalikes(self.value)

    @cached_property
    def bidi(self) -> tuple[Violation, ...]:
        """What display cannot keep apart (3987bis 4.2)."""
        return bidi_violations(self.value)

    @cached_property
    def layout(self) -> Layout:
        """Where the components lie, backslashes before the query of a Web Address being slashes.

        The offsets are those of `value`; what a browser strips before it is passed over.
        """
        value = self.value
        lead = len(value) - len(value.lstrip(C0_OR_SPACE))
        text = value.strip(C0_OR_SPACE)
        if "\\" in text and self.policy.syntax_of(self.link) == "web":
            head = re.match(r"[^?#]*", text)
            end = head.end() if head else 0
            text = text[:end].replace("\\", "/") + text[end:]
        layout = read_generic(text)
        if lead:
            for name in ("lead", "userinfo", "host", "port", "path", "query", "fragment"):
                span = getattr(layout, name)
                if span is not None:
                    setattr(layout, name, (span[0] + lead, span[1] + lead))
        return layout

    @property
    def directory(self) -> str:
        """What is put before a relative path."""
        return place_at(self.place or "").directory

    @cached_property
    def target(self) -> str | None:
        """The absolute URI that the link leads to from its place; None where that fails."""
        if ORDINARY.fullmatch(self.value):
            return place_at(self.place or "").target(self.value)
        conversion = self.conversion
        if self.link.place.guessed and not conversion.ok:
            policy = replace(self.policy, trusts_guess=True)
            conversion = policy.convert(self.link, self.base)
        if not conversion.ok:
            return None
        web = self.policy.syntax_of(self.link) == "web"
        return resolved(conversion.text, self.place, web=web)

    @property
    def scheme(self) -> str:
        """The scheme that the value names, in lower case, or ""."""
        return self.layout.scheme

    def part(
        self, component: Literal["userinfo", "host", "port", "path", "query", "fragment"]
    ) -> str:
        """Give the characters of a component, "" where it is absent."""
        span = getattr(self.layout, component)
        return "" if span is None else self.value[slice(*span)]


@dataclass(frozen=True, slots=True)
class Hit:
    """Where in a value a rule found something.

    Attributes:
        first: the first code point concerned.
        last: just after the last of them.
        message: what is wrong there.

    """

    first: int
    last: int
    message: str


@dataclass(slots=True)
class Document:
    """The document under audit.

    Attributes:
        name: of its file.
        type: what it is.
        sniffed: its charset and what says so.
        prefix: its first bytes: as many as its charset was sniffed from at least.
        names: what its fragments can lead to so far: its top, and values of ``id``, and ``name`` of ``a``.
        base: what its links are resolved against as far as is known, or "".
        links: how many links have come so far, without identifiers and those that set the base.

    """

    name: str
    type: DocumentType
    sniffed: Sniffed
    prefix: bytes
    names: set[str]
    base: str = ""
    links: int = 0


class Watcher(Protocol):
    """Looks at one link after the other, of a document or of a whole site."""

    def see(self, subject: Subject, document: Document) -> Iterator[Hit]:
        """Take a link and give what is found about it now."""
        ...

    def end(self, document: Document) -> Iterator[tuple[Subject, Hit]]:
        """Give what is found about earlier links once all of a document is known."""
        ...


class Sighting(NamedTuple):
    """A link as the rules see it that compare the links of several documents.

    Attributes:
        link: as it stands in its document.
        directory: the place of the document up to its last slash; None for an identifier, which is the
            same thing wherever it stands.
        target: the absolute URI that the link leads to; None where it leads nowhere.
        is_ordinary: whether nothing but what `SiteWatcher.new` asks for is to be known of it.
        suppressed: codes of the rules whose findings are suppressed here.
        silent: codes of the rules that are not in force in the document.

    """

    link: Link
    directory: str | None
    target: str | None
    is_ordinary: bool
    suppressed: frozenset[str]
    silent: frozenset[str]

    @property
    def value(self) -> str:
        """The link, with character references replaced."""
        return self.link.value


class SiteWatcher(Protocol):
    """Looks at one link after the other of a whole site."""

    def see(self, sighting: Sighting) -> Iterator[Hit]:
        """Take a link and give what is found about it now."""
        ...

    def new(self, targets: list[str], *, are_normal: bool) -> dict[str, str] | None:
        """Give what to remember of ordinary links, by where they lead; None if `see` may find something.

        Nothing is remembered yet. The order of the links makes no difference to what is given.

        Args:
            targets: absolute URIs, each once, that the site has not taken.
            are_normal: whether they are known to be in normal form (`Place.is_normal`).

        """
        ...

    def take(self, new: dict[str, str]) -> None:
        """Remember it, the site having taken the links."""
        ...


Check = Callable[[Subject], Iterator[Hit]]
Concerns = Callable[[Document], Callable[[str], bool] | None]
DocumentCheck = Callable[[Document], Iterator[str]]
Watch = Callable[[], Watcher]
WatchSite = Callable[[Set[str]], SiteWatcher]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue, which has one of the four ways to find something.

    Attributes:
        code: stable, for instance ``ENC001``: three letters for the concern, a number.
        name: kebab-case, for people.
        severity: how bad a finding is.
        section: the document and section that it comes from.
        page: what it does, why it is bad, an example, what to do instead.
        check: finds hits in a link.
        needs: a regular expression without which `check` finds nothing in a value, see `needs.py`.
        ordinary: whether `check` can find something in a value that matches `ORDINARY`.
        concerns: gives what tells of a value that matches `ORDINARY`, in no time, whether `check` or what
            `watch` makes has to be given the link, or None for none; asked as soon as the document's
            base is known, and when it changes. But for a fragment in the same document, only the base
            may matter to that. None for none but links that set a base for others.
        script: whether `check` looks at script, which is no IRI.
        template: whether `check` looks at templates, which no other rule is asked about, and at nothing else.
        names: whether it needs `Document.names`.
        fatal: whether it goes before others as bad about the same characters, since no
            browser follows the link and to mend those would be of no use.
        document: finds what to say about a document.
        watch: makes a watcher for one document.
        watch_site: makes a watcher for all the documents of a run; it is given the set of targets that
            all the watchers of the site have taken, which grows.

    """

    code: str
    name: str
    severity: Severity
    section: str
    page: str
    check: Check | None = None
    needs: str = ""
    ordinary: bool = False
    concerns: Concerns | None = None
    script: bool = False
    template: bool = False
    names: bool = False
    fatal: bool = False
    document: DocumentCheck | None = None
    watch: Watch | None = None
    watch_site: WatchSite | None = None


def matching(
    pattern: str,
    message: str,
    *,
    component: Literal["userinfo", "host", "port", "path", "query", "fragment"] | None = None,
    flags: re.RegexFlag = re.NOFLAG,
) -> Check:
    """Make a check that hits whatever matches a regular expression.

    Args:
        pattern: of what is hit, or of what is around its only group, which is then hit.
        message: about each hit; ``{0}`` stands for what matched.
        component: where it has to be; anywhere in the value if None.
        flags: of the regular expression.

    """
    compiled = re.compile(pattern, flags)

    def check(subject: Subject) -> Iterator[Hit]:
        span = (0, len(subject.value)) if component is None else getattr(subject.layout, component)
        for found in compiled.finditer(subject.value, *span) if span else ():
            group = found.lastindex or 0
            yield Hit(*found.span(group), message.format(found[group]))

    return check


def violating(attribute: Literal["violations", "lookalikes", "bidi"], *rules: str) -> Check:
    """Make a check that hits what the engine found by rules of these names.

    Args:
        attribute: of the subject, where the engine's findings are.
        rules: names of the engine's rules.

    """

    def check(subject: Subject) -> Iterator[Hit]:
        for violation in getattr(subject, attribute):
            if violation.rule in rules:
                yield Hit(violation.start, violation.end, violation.message)

    return check
