"""What a rule is: facts about it, a page for its user, and a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.iri import violations

if TYPE_CHECKING:
    from linkfix.auditing.finding import Severity
    from linkfix.charset import Sniffed
    from linkfix.iri import Conversion, Violation
    from linkfix.links import Link
    from linkfix.markup.detect import DocumentType
    from linkfix.policy import Policy

__all__ = ["Check", "DocumentCheck", "Hit", "Rule", "Subject"]


class Subject:
    """A link under audit, with what several rules ask about it, worked out once.

    Attributes:
        link: as it stands in the document.
        policy: how it is read.
        base: what it is resolved against, None where that is not known.

    """

    def __init__(self, link: Link, policy: Policy, base: str | None) -> None:
        self.link = link
        self.policy = policy
        self.base = base

    @property
    def value(self) -> str:
        """The link, with character references replaced."""
        return self.link.value

    @cached_property
    def conversion(self) -> Conversion:
        """What a rewrite to URIs would make of it."""
        return self.policy.convert(self.link, self.base)

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Where the value departs from the grammar of an IRI reference (3987bis 2.2)."""
        return violations(self.value)


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


Check = Callable[[Subject], Iterator[Hit]]
DocumentCheck = Callable[["Sniffed", "DocumentType"], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue.

    Attributes:
        code: stable, for instance ``ENC001``: three letters for the concern, a number.
        name: kebab-case, for people.
        severity: how bad a finding is.
        section: the document and section that it comes from.
        page: what it does, why it is bad, an example, what to do instead.
        check: finds hits in a link; None for a rule about documents.
        document: finds what to say about a document; None for a rule about links.

    """

    code: str
    name: str
    severity: Severity
    section: str
    page: str
    check: Check | None
    document: DocumentCheck | None
