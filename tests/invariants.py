"""The invariants I1 to I5 and I8 (docs/decisions.md), checked on one document."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from oracles import destination, is_iri_reference, is_uri_reference
from sources import with_source

import linkfix
from linkfix.links import LinkStream, Scope
from linkfix.links.html.embedded import parse_kinds
from linkfix.links.table import conventions

if TYPE_CHECKING:
    from linkfix.charset import Sniffed
    from linkfix.markup.detect import DocumentType

__all__ = ["PRESCAN", "BrokenError", "check", "rewritten"]

#: The charset of HTML is unknown before so many bytes (HTML Standard, 13.2.3.2), and no link is returned. Documents for
#: tests of chunks are longer.
PRESCAN = 1024

#: What browsers may guess where a document declares nothing.
GUESSES = (
    "windows-1252",
    "utf-8",
    "shift_jis",
    "euc-jp",
    "gbk",
    "big5",
    "euc-kr",
    "koi8-u",
    "windows-1251",
    "iso-8859-7",
)

#: Everything that can be read is read, and rewritten.
SCOPE = Scope(embedded=parse_kinds(["on"]), conventions=parse_kinds(["on"], conventions()))
POLICY = linkfix.Policy(scope=SCOPE)

BASE = "http://base.example/dir/page?query#fragment"


class BrokenError(AssertionError):
    """An invariant is broken."""


def rewritten(
    source: bytes,
    to: Literal["uri", "iri"],
    *,
    type: DocumentType | None = None,
    charset: str | None = None,
    name: str = "",
    cuts: list[int] | None = None,
) -> tuple[bytes, list[linkfix.Outcome]]:
    """The rewritten document and what became of each link; with `cuts`, fed in those chunks."""
    outcomes: list[linkfix.Outcome] = []
    rewriter = linkfix.Rewriter(
        to,
        policy=POLICY,
        source=linkfix.Source(type=type, charset=charset, name=name),
        on_outcome=outcomes.append,
    )
    edges = [0, *(cuts or ()), len(source)]
    out = BytesIO()
    for start, end in pairwise(edges):
        out.write(rewriter.feed(source[start:end]))
    out.write(rewriter.close())
    return out.getvalue(), outcomes


def check(
    source: bytes,
    to: Literal["uri", "iri"],
    *,
    type: DocumentType | None = None,
    charset: str | None = None,
    name: str = "",
    cuts: tuple[list[int], ...] = (),
) -> int:
    """Check I1 (by a URL parser), I2, I3, I4, I5 and I8; return the number of links that changed.

    Raises:
        BrokenError: naming the invariant, with what breaks it.

    """
    settings = {"type": type, "charset": charset, "name": name}
    new, outcomes = rewritten(source, to, **settings)  # type: ignore[arg-type]
    _values_are_valid(outcomes, to)
    _charset_is_the_same(source, new, settings)
    _other_bytes_are_untouched(source, new, outcomes)
    if not _sniffed(source, settings).guessed:
        _links_go_where_they_went(source, new, settings)
    again, second = rewritten(new, to, **settings)  # type: ignore[arg-type]
    if again != new:
        changed = [(o.link.value, o.conversion.text) for o in second if o.new is not None]
        raise BrokenError(f"I4: rewriting again changes {changed[:3]}")
    _asking_for_no_outcome_changes_nothing(source, new, outcomes, to, settings, cuts)
    for chunks in cuts:
        pieces, told = rewritten(source, to, **settings, cuts=chunks)  # type: ignore[arg-type]
        if pieces != new:
            raise BrokenError(f"I5: another output when cut at {chunks[:5]}…")
        if [_told(outcome) for outcome in told] != [_told(outcome) for outcome in outcomes]:
            raise BrokenError(f"I5: other outcomes when cut at {chunks[:5]}…")
    return sum(o.new is not None for o in outcomes)


def _asking_for_no_outcome_changes_nothing(
    source: bytes,
    new: bytes,
    outcomes: list[linkfix.Outcome],
    to: Literal["uri", "iri"],
    settings: dict[str, str | None],
    cuts: tuple[list[int], ...],
) -> None:
    """Compare with runs in which nobody asks for ordinary links, fed in chunks and whole."""
    rewriter = linkfix.Rewriter(to, policy=POLICY, **with_source(settings))
    half = len(source) // 2
    passed = rewriter.feed(source[:half]) + rewriter.feed(source[half:]) + rewriter.close()
    if passed != new:
        raise BrokenError("another output where nobody asks for ordinary links")
    whole = linkfix.Rewriter(to, policy=POLICY, **with_source(settings))
    if (whole.whole(source), whole.report) != (new, rewriter.report):
        raise BrokenError("another output or report where the document is given as a whole")
    for chunks in ([half], *cuts):
        cut = linkfix.Rewriter(to, policy=POLICY, **with_source(settings))
        edges = pairwise([0, *chunks, len(source)])
        pieces = [cut.feed(source[start:end]) for start, end in edges]
        if b"".join(pieces) + cut.close() != new:
            raise BrokenError(f"another output where it is cut at {chunks[:5]}…")
        if cut.report != rewriter.report:
            raise BrokenError(f"another report where it is cut at {chunks[:5]}…: {cut.report}")
    report = rewriter.report
    counts = (
        len(outcomes),
        sum(o.new is not None for o in outcomes),
        sum(bool(o.kept) for o in outcomes),
    )
    if (report.links, report.changed, report.kept) != counts:
        raise BrokenError(f"other counts where nobody asks for ordinary links: {report} {counts}")


def _told(outcome: linkfix.Outcome) -> tuple[int, int, int, int, str, bytes | None, str]:
    link = outcome.link
    return link.start, link.end, link.line, link.column, link.value, outcome.new, outcome.kept


def _values_are_valid(outcomes: list[linkfix.Outcome], to: str) -> None:
    valid = is_uri_reference if to == "uri" else is_iri_reference
    for outcome in outcomes:
        if outcome.new is not None and not valid(outcome.conversion.text):
            raise BrokenError(f"I2: {outcome.link.value!r} became {outcome.conversion.text!r}")


def _other_bytes_are_untouched(source: bytes, new: bytes, outcomes: list[linkfix.Outcome]) -> None:
    pieces, position = [], 0
    for outcome in outcomes:
        if outcome.new is not None:
            pieces += [source[position : outcome.link.start], outcome.new]
            position = outcome.link.end
    pieces.append(source[position:])
    if b"".join(pieces) != new:
        raise BrokenError("I3: bytes outside the reported spans differ")


def _charset_is_the_same(source: bytes, new: bytes, settings: dict[str, str | None]) -> None:
    """Compare the sniffed charsets; without a declaration, compare the links in every guessed charset."""
    before, after = (_sniffed(document, settings) for document in (source, new))
    if (before.declared, before.guessed) != (after.declared, after.guessed):
        raise BrokenError(f"I8: the charset was {before}, it is {after}")
    if before.declared and before.charset is not after.charset:
        raise BrokenError(f"I8: the charset was {before}, it is {after}")
    if before.guessed and before.charset.is_own_view:
        for charset in GUESSES:
            _links_go_where_they_went(source, new, {**settings, "charset": charset})


def _sniffed(source: bytes, settings: dict[str, str | None]) -> Sniffed:
    stream = LinkStream(**settings, scope=SCOPE)  # type: ignore[arg-type]
    stream.feed(source)
    stream.close()
    assert stream.sniffed is not None
    return stream.sniffed


def _links_go_where_they_went(source: bytes, new: bytes, settings: dict[str, str | None]) -> None:
    before, after = (_links(document, settings) for document in (source, new))
    if [_place(link) for link in before] != [_place(link) for link in after]:
        raise BrokenError("I1: there are other links than before")
    for old, link in zip(before, after, strict=True):
        if old.raw == link.raw or old.syntax != "web":
            continue
        charset = linkfix.Policy().charset(old)
        was, now = (destination(item.value, BASE, charset) for item in (old, link))
        if was != now:
            raise BrokenError(f"I1: {old.value!r} went to {was}, {link.value!r} goes to {now}")


def _links(source: bytes, settings: dict[str, str | None]) -> list[linkfix.Link]:
    stream = LinkStream(**settings, scope=SCOPE)  # type: ignore[arg-type]
    return stream.feed(source) + stream.close()


def _place(link: linkfix.Link) -> tuple[str, str, str, str]:
    return link.namespace, link.element, link.attribute, link.kind
