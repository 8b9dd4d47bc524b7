"""A clause of a source document with its check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sources import with_source

import linkfix
from linkfix import iri
from linkfix.auditing import Auditor
from linkfix.charset import lookup

__all__ = [
    "Clause",
    "Document",
    "audited",
    "deviates",
    "done",
    "kept",
    "link",
    "partly",
    "readable",
    "refused",
    "rewritten",
    "rules",
    "uri",
]

State = Literal["done", "deviates", "partly"]
#: The check of a clause: a function that returns whether it is fulfilled, or the node id of a pytest test.
Check = Callable[[], bool] | str


@dataclass(frozen=True, slots=True)
class Clause:
    """A row of docs/clauses.md.

    Attributes:
        section: of the document.
        asks: the demand of the clause, or its example.
        check: the check of the row.
        state: whether it is done, done otherwise for a reason, or done in part.
        why: the reason, or what is missing; "" for what is done.

    """

    section: str
    asks: str
    check: Check
    state: State = "done"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A source document with its clauses."""

    name: str
    title: str
    clauses: tuple[Clause, ...]


def done(section: str, asks: str, check: Check) -> Clause:
    """Make the row of a clause that is done."""
    return Clause(section, asks, check)


def deviates(section: str, asks: str, why: str, check: Check) -> Clause:
    """Make the row of a clause that linkfix departs from for a reason."""
    return Clause(section, asks, check, "deviates", why)


def partly(section: str, asks: str, why: str, check: Check) -> Clause:
    """Make the row of a clause of which something is missing."""
    return Clause(section, asks, check, "partly", why)


def uri(text: str, **options: Any) -> str:
    """Return the URI that a Web Address is converted to."""
    found = iri.convert(text, to="uri", **options)
    return found.text if found.ok else f"refused: {found.problems[0].rule}"


def readable(text: str, **options: Any) -> str:
    """Return the IRI that a Web Address is converted to."""
    found = iri.convert(text, to="iri", **options)
    return found.text if found.ok else f"refused: {found.problems[0].rule}"


def refused(text: str, **options: Any) -> str:
    """Return the rule for which a Web Address is no URI, or ""."""
    return uri(text, **options).partition("refused: ")[2]


def rules(text: str, syntax: Literal["uri", "iri"] = "iri") -> list[str]:
    """Return the rules of the grammar that a reference breaks."""
    return [found.rule for found in iri.violations(text, syntax=syntax)]


def document(value: str, charset: str) -> bytes:
    """Return an HTML page with one link."""
    text = f'<meta charset={charset}><a href="{value}">x</a>'
    return lookup(charset).encode(text)


def rewritten(
    value: str, to: Literal["uri", "iri"] = "uri", charset: str = "utf-8", **options: Any
) -> str:
    """Return what a rewrite writes for the link of a page, as Latin-1."""
    rewriter = linkfix.Rewriter(to, **with_source(options))
    out = rewriter.feed(document(value, charset)) + rewriter.close()
    return out.partition(b'href="')[2].partition(b'"')[0].decode("latin-1")


def kept(source: str, **options: Any) -> bool:
    """Return whether a rewrite to URIs leaves a document as it is."""
    rewriter = linkfix.Rewriter("uri", **with_source(options))
    return rewriter.feed(source.encode()) + rewriter.close() == source.encode()


def link(source: str, **options: Any) -> list[str]:
    """Return the values of the links of a document."""
    return [found.value for found in linkfix.extract(source.encode(), **options)]


def audited(value: str, charset: str = "utf-8", **options: Any) -> set[str]:
    """Return the codes of what the audit finds in a page with one link."""
    auditor = Auditor(**with_source({"type": "html"} | options))
    found = auditor.feed(document(value, charset)) + auditor.close()
    return {finding.code for finding in found}
