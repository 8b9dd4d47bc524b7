"""The audit names the links that a rewrite leaves for the sake of the declaration of the charset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.auditing import Auditor, select
from linkfix.policy import Source
from linkfix.rewriting.border import MOVES_DECLARATION

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome

RULES = select(["ENC015"], [])
DECLARATIONS = [
    "<meta charset=windows-1251>",
    "<meta charset='koi8-r'>",
    "<meta charset=windows-1252>",
]
LINKS = [
    "<a href='/a b'>", f"<a href='/{'a b ' * 30}'>", f"<a href='/{'%D0%96' * 15}'>", "<a href=x>", "<a href='/é'>",
    "<a href='{{ a b }}'>", "<style>a{b:url('x<meta charset=koi8-r>')}</style>", "<img srcset='a b 1x, %D0%96 2x'>",
    "<base href='/d é/'>", "<iframe srcdoc=\"<a href='/a b c'>\">", "<p itemscope itemtype='a b'>",
]  # fmt: skip
STARTS = ["", "<head>", "<body>", "<?xml version='1.0' encoding='windows-1251'?><body>", "\ufeff"]
PIECES = st.one_of(
    st.sampled_from(LINKS + DECLARATIONS[:2]),
    st.sampled_from([7, 50, 400, 800, 950]).map(lambda size: f"<p>{'y' * size}"),
)
PAGES = st.builds(
    lambda start, pieces, at, declaration, rest: (
        (start + "".join(pieces)).ljust(at, "y") + declaration + "".join(rest)
    ),
    st.sampled_from(STARTS),
    st.lists(PIECES, max_size=5),
    st.integers(0, 1200),
    st.sampled_from(DECLARATIONS),
    st.lists(st.sampled_from(LINKS), max_size=2),
)


def left(page: bytes, to: Literal["uri", "iri"], label: str | None) -> set[int]:
    """Return the offsets of the links that a rewrite leaves for this reason."""
    found = set()

    def note(outcome: Outcome) -> None:
        if outcome.kept == MOVES_DECLARATION:
            found.add(outcome.link.start)

    rewriter = linkfix.Rewriter(
        to, source=linkfix.Source(type="html", charset=label), on_outcome=note
    )
    rewriter.feed(page)
    rewriter.close()
    return found


def named(page: bytes, label: str | None, size: int) -> set[int]:
    auditor = Auditor(rules=RULES, source=Source(type="html", charset=label))
    findings = []
    for at in range(0, len(page), size):
        findings += auditor.feed(page[at : at + size])
    return {finding.start for finding in findings + auditor.close()}


@given(PAGES, st.sampled_from([None, "windows-1251", "utf-8"]))
@example("<p>" + LINKS[1] + "y" * 780 + DECLARATIONS[0] + LINKS[0], None)
@settings(max_examples=examples(300), deadline=None)
def test_what_a_rewrite_leaves_is_named(text: str, label: str | None) -> None:
    page = text.encode("utf-8")
    wanted = left(page, "uri", label) | left(page, "iri", label)
    for size in (len(page), 1024, 100):
        assert named(page, label, size) == wanted


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_pages_at_the_border(to: Literal["uri", "iri"]) -> None:
    """Some are left, some are not, one byte beside the other."""
    counts = {True: 0, False: 0}
    for at in range(800, 1060):
        link = LINKS[1 if to == "uri" else 2]
        page = (f"{STARTS[3]}{link}".ljust(at, "y") + DECLARATIONS[1]).encode()
        found = left(page, to, None)
        assert found <= named(page, None, len(page))
        counts[bool(found)] += 1
    assert min(counts.values()) > 10
