"""A rule: its facts, its page for users, and its checks."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias
from urllib.parse import unquote

from linkfix import deferred
from linkfix.auditing.base import is_ordinary_target, shown
from linkfix.auditing.finding import Severity as Severity  # noqa: PLC0414 - rules import it from here
from linkfix.charset import Charset, Sniffed
from linkfix.iri import Conversion, Violation, comparison_form
from linkfix.iri.layout import Layout, read_generic
from linkfix.iri.quick import ORDINARY
from linkfix.iri.reference import without_fragment
from linkfix.iri.resolution import base_url, resolved
from linkfix.links import Link
from linkfix.links.templates import REASONS
from linkfix.markup.detect import DocumentType
from linkfix.policy import Policy
from linkfix.policy.bases import C0_OR_SPACE

if TYPE_CHECKING:
    from linkfix.auditing.pages import PageHit, Pages

#: Links that are script and no IRI; browsers remove tabs and line ends first.
SCRIPT = re.compile(
    r"[\0-\x20]*((?:j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a|v[\t\n\r]*b)"
    r"[\t\n\r]*s[\t\n\r]*c[\t\n\r]*r[\t\n\r]*i[\t\n\r]*p[\t\n\r]*t[\t\n\r]*:)",
    re.IGNORECASE | re.ASCII,
)


class Subject:
    """A link under audit, with the properties that several rules need, each computed once.

    Attributes:
        link: the link.
        policy: how it is read.
        base: its base URL; None if unknown.
        site_base: its base URL; if unknown, a placeholder that differs for each folder of the site.

    """

    def __init__(
        self, link: Link, policy: Policy, base: str | None, site_base: str | None = None
    ) -> None:
        self.link = link
        self.policy = policy
        self.base = base
        self.site_base: str | None = base if site_base is None else site_base

    @property
    def value(self) -> str:
        """The value of the link, with character references replaced."""
        return self.link.value

    @property
    def is_template(self) -> bool:
        """Whether the value is a template, from which a program or a reader makes a reference."""
        return self.link.fixed in REASONS

    @cached_property
    def conversion(self) -> Conversion:
        """The result of a rewrite to URIs."""
        return self.policy.convert(self.link, self.base)

    @property
    def is_read_alike(self) -> bool:
        """Whether readers agree on data: a rewrite is possible, or is not for white space in base64 alone, which all skip."""
        problems = [each.rule for each in self.conversion.problems]
        return self.conversion.ok or problems == ["data-white-space"]

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Where the value breaks the grammar of an IRI reference (3987bis, 2.2)."""
        from linkfix.iri import violations

        return violations(self.value)

    @cached_property
    def lookalikes(self) -> tuple[Violation, ...]:
        """The parts of the value that look like others (3987bis, 6.1; UTS #39)."""
        if self.value.isascii() and "xn--" not in self.value:
            return ()
        from linkfix.iri import lookalikes

        return lookalikes(self.value)

    @cached_property
    def bidi(self) -> tuple[Violation, ...]:
        """The parts of the value that bidi display mixes up (3987bis, 4.2)."""
        from linkfix.iri import bidi_violations

        return bidi_violations(self.value)

    @cached_property
    def layout(self) -> Layout:
        """The spans of the components; backslashes before the query of a Web Address count as slashes.

        Offsets are in `value`, and exclude the characters that a browser strips.
        """
        value = self.value
        stripped = len(value) - len(value.lstrip(C0_OR_SPACE))
        text = value.strip(C0_OR_SPACE)
        if "\\" in text and self.policy.syntax_of(self.link) == "web":
            head = re.match(r"[^?#]*", text)
            end = head.end() if head else 0
            text = text[:end].replace("\\", "/") + text[end:]
        layout = read_generic(text)
        if stripped:
            for name in ("lead", "userinfo", "host", "port", "path", "query", "fragment"):
                span = getattr(layout, name)
                if span is not None:
                    setattr(layout, name, (span[0] + stripped, span[1] + stripped))
        return layout

    @property
    def directory(self) -> str:
        """The folder of the base URL, to which relative paths are appended."""
        return base_url(self.site_base or "").directory

    @cached_property
    def target(self) -> str | None:
        """The absolute URI that the link resolves to; None if that fails."""
        if ORDINARY.fullmatch(self.value):
            return base_url(self.site_base or "").target(self.value)
        conversion = self.conversion
        # The file does not depend on what readers disagree about: the charset of its query.
        is_known = self.link.place.guessed or self.link.place.query == "disputed"
        if is_known and not conversion.ok:
            policy = replace(self.policy, trusts_guess=True, disputed="chromium")
            conversion = policy.convert(self.link, self.base)
        if not conversion.ok:
            return None

        web = self.policy.syntax_of(self.link) == "web"
        return resolved(conversion.text, self.site_base, web=web)

    @property
    def scheme(self) -> str:
        """The scheme of the value in lower case, or ""."""
        return self.layout.scheme

    def part(
        self, component: Literal["userinfo", "host", "port", "path", "query", "fragment"]
    ) -> str:
        """Return the characters of a component, "" if it is absent."""
        span = getattr(self.layout, component)
        return "" if span is None else self.value[slice(*span)]


class Hit(NamedTuple):
    """A hit of a rule in a value.

    Attributes:
        first: offset of the first code point concerned.
        last: offset after the last one.
        message: what is wrong there.
        target: of the link, if the rule is about that; else "".
        new_target: a URI that the link may have instead, if the rule knows one; else "".

    """

    first: int
    last: int
    message: str
    target: str = ""
    new_target: str = ""


#: What a check yields.
Hits: TypeAlias = Iterator[Hit]

#: What can be wrong with the target of a link.
Problem: TypeAlias = Literal[
    "missing", "case", "spelling", "no-index", "fragment", "outside", "redirected", "loop", "own"
]


class FileProblem(NamedTuple):
    """What is wrong with the target of a link.

    Attributes:
        what: ``missing``; ``case`` or ``spelling`` if the file exists under a name that differs so; ``no-index`` for a
            folder without an index file; ``fragment`` if the file has no such place; ``outside`` for a link that
            leaves the site; ``redirected`` if it is redirected, where nothing is missing; ``loop`` if its redirects have
            no end; ``own`` for a link to the document itself, which is no fault, but may be none of other documents.
        near: near misses: paths, or fragments without their number sign.
        to: the URI to which the link is redirected in the end, "?" if that is not known; "" for no redirect.
        new_target: the URI that the link may have instead, since every server redirects it there for good; else "".
        is_temporary: whether it is redirected for the time being only.

    """

    what: Problem
    near: tuple[str, ...] = ()
    to: str = ""
    new_target: str = ""
    is_temporary: bool = False


class FileRule(NamedTuple):
    """What a rule says of links whose targets have one problem.

    Attributes:
        what: the problem.
        message: about each link; near misses are added.
        about: what findings name: the ``place`` in a file, which one link has, or the ``file``, one cause for all links to it;
            None for what suits the problem.

    """

    what: Problem
    message: str = ""
    about: Literal["place", "file"] | None = None

    def hit(self, found: FileProblem, target: str, length: int) -> Hit:
        """Return what the rule says of a link.

        Args:
            found: what is wrong with its target.
            target: absolute URI.
            length: of its value.

        """
        message = self.message
        if found.to and found.what != "redirected":
            message += "; it is redirected"
        if found.to not in {"", "?"}:
            message += f" to {shown(found.to)}"
        if found.is_temporary:
            message += " for the time being"
        if found.near:
            message += f"; near: {' or '.join(found.near)}"
        about = self.about or ("place" if self.what == "fragment" else "file")
        named = target if about == "place" else without_fragment(target)
        return Hit(0, length, message, shown(named), found.new_target)


class Files(Protocol):
    """The files of a site."""

    def problem(self, uri: str, charset: Charset) -> FileProblem | None:
        """Return what is wrong with a target; None if nothing is, or if it is not in the site.

        Args:
            uri: absolute.
            charset: of the document that has the link.

        """
        ...


@dataclass(slots=True)
class Document:
    """The document under audit.

    Attributes:
        name: of its file.
        type: of the document.
        sniffed: its charset, with the evidence.
        prefix: its first bytes, at least those from which the charset was sniffed.
        names: the targets of fragments so far: its top, values of ``id``, and of ``name`` of ``a``.
        base: its base URL so far, or "".
        links: the number of links so far, without identifiers and links that set the base.
        site_base: its base URL so far; if unknown, its place in the site.
        files: the files of its site; None if they are not known.

    """

    name: str
    type: DocumentType
    sniffed: Sniffed
    prefix: bytes
    names: set[str]
    base: str = ""
    links: int = 0
    site_base: str = ""
    files: Files | None = None


class Watcher(ABC):
    """Checks the links of a document one after the other."""

    @abstractmethod
    def check(self, subject: Subject, document: Document) -> Hits:
        """Yield the findings about the next link."""

    def finish(self, document: Document) -> Iterator[tuple[Subject, Hit]]:
        """Yield the findings about earlier links that need the whole document: none."""
        del document
        return iter(())


Check = Callable[[Subject], Hits]
Needs = str | Callable[[Document], Callable[[str], bool] | None]
DocumentCheck = Callable[[Document], Iterator[str]]
Watch = Callable[[], Watcher]
Compare = Callable[[], "Comparison"]
PagesCheck = Callable[["Pages"], Iterator["PageHit"]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue, with one of `check`, `document`, `watch`, `file`, `compare` and `pages`.

    Attributes:
        code: stable, for instance ``ENC001``: three letters for the subject, and a number.
        name: kebab-case, for people.
        severity: how bad a finding is.
        section: the document and section of its source.
        page: the user's page: what the rule does, why it is bad, an example, what to do instead.
        check: yields the hits in a link.
        needs: which values `check` or the watcher of a document is asked about (`needs.py`): a regular expression that
            they contain, "" for all; or a function, for ordinary values whose base is that of the document. It is called
            when this base is set or changes, and returns a test of them, or None to need none; the test may depend only on
            the base, except for fragments. With a function, every other link is needed.
        script: whether `check` checks script, which is no IRI.
        template: whether `check` checks templates, and nothing else.
        names: whether it needs `Document.names`.
        unknown: whether it needs the values of unknown attributes that look like links.
        fatal: whether it precedes other rules of the same severity about the same characters: no browser
            follows the link, so mending those would not help.
        document: yields messages about a document.
        watch: returns a watcher for one document.
        file: what it says of links whose targets have one problem.
        compare: returns how the links of all documents are compared with earlier ones.
        pages: yields the hits in all documents of a site, once all are read.

    """

    code: str
    name: str
    severity: Severity
    section: str
    page: str
    check: Check | None = None
    needs: Needs = ""
    script: bool = False
    template: bool = False
    names: bool = False
    unknown: bool = False
    fatal: bool = False
    document: DocumentCheck | None = None
    watch: Watch | None = None
    file: FileRule | None = None
    compare: Compare | None = None
    pages: PagesCheck | None = None


def matching(pattern: str, message: str, *, component: str | None = None) -> Check:
    """Return a check that hits every match of a regular expression.

    Args:
        pattern: the regular expression; with a group, the hit is the group.
        message: about each hit; ``{0}`` is replaced by the match, ``{1}`` by its first code point, which may be
            percent-encoded.
        component: the component to search; None for the whole value.

    """
    compiled = deferred.pattern(pattern)

    def check(subject: Subject) -> Hits:
        span = (0, len(subject.value)) if component is None else getattr(subject.layout, component)
        for found in compiled.finditer(subject.value, *span) if span else ():
            group = found.lastindex or 0
            number = ord(unquote(found[group])[:1] or "\0")
            yield Hit(*found.span(group), message.format(found[group], number))

    return check


def violating(attribute: str, *rules: str) -> Check:
    """Return a check that hits the engine's violations of some names.

    Args:
        attribute: the property of the subject that has the violations: ``violations``, ``lookalikes`` or ``bidi``.
        rules: names of the engine's rules.

    """

    def check(subject: Subject) -> Hits:
        for violation in getattr(subject, attribute):
            if violation.rule in rules:
                yield Hit(violation.start, violation.end, violation.message)

    return check


# --- The forms of the targets of links: what those share that a rule compares ----------------------

#: A hierarchical URI with a path, and nothing after it.
_TO_PATH = re.compile(r"[^:/?]+://[^/?]*/[^?]*")


class Comparison(NamedTuple):
    """How a rule compares links with earlier ones. An ordinary target, except for its letter case and http, is its own form.

    Attributes:
        form: returns what all spellings of a target share; None for a target that is not compared.
        message: returns how another target differs from the first one of its form; None if that is no finding.
        identities: whether identifiers are compared instead of links.

    """

    form: Callable[[str], str | None]
    message: Callable[[str, str], str | None]
    identities: bool = False


def normal_form(target: str) -> str | None:
    """Return the normal form of a target by the rules of its scheme (3987bis, 5.3.3)."""
    return target if is_ordinary_target(target) else comparison_form(target)


def case_form(target: str) -> str | None:
    """Return a hierarchical target in lower case; None for one with a query."""
    return target.lower() if _TO_PATH.fullmatch(target) else None


def without_scheme(target: str) -> str | None:
    """Return an http or https target as one of http, which is its own form."""
    if target.startswith("https:"):
        return f"http:{target[len('https:') :]}"
    return target if target.startswith("http:") else None


def coarse(form: str) -> str:
    """Return a key that forms of one target share, whichever rule made them."""
    lower = form.lower()
    return f"http:{lower[len('https:') :]}" if lower.startswith("https:") else lower
