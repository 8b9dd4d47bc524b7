"""The stack of open elements and the list of active formatting elements against plain lists."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from effort import growth, lines_of
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix.errors import LimitExceededError
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.html.treeconstruction import elements
from linkfix.markup.html.treeconstruction.elements import (
    ActiveFormatting,
    Element,
    OpenElements,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

NAMES = b"p b div li ol svg desc mi x".split()
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["push", "push", "pop", "remove", "insert"]),
        st.sampled_from([HTML, HTML, SVG, MATHML]),
        st.sampled_from(NAMES),
        st.integers(0, 30),
    ),
    max_size=60,
)


@given(STEPS)
def test_elements_are_found_as_by_a_walk(steps: list[tuple[str, str, bytes, int]]) -> None:
    stack, plain = OpenElements(), list[Element]()
    for step, namespace, name, number in steps:
        if step == "push" or not plain:
            plain.append(Element(namespace, name))
            stack.append(plain[-1])
        elif step == "pop":
            assert stack.pop() is plain.pop()
        elif step == "remove":
            stack.remove(plain.pop(number % len(plain)))
        else:
            at = number % len(plain)
            plain.insert(at + 1, Element(namespace, name))
            stack.insert_after(plain[at], plain[at + 1])
        assert list(stack) == plain
        assert stack.current is (plain[-1] if plain else None)
        ranks = [element.rank for element in plain]
        assert ranks == sorted(set(ranks))
        kinds: set[Hashable] = {b"p", "scope"}
        kinds.update(kind for element in plain for kind in element.kinds)
        for kind in kinds:
            found = [element for element in plain if kind in element.kinds]
            assert stack.innermost(kind) is (found[-1] if found else None)
        if plain and plain[-1].namespace != HTML:
            html = [at for at, element in enumerate(plain) if element.namespace == HTML]
            for at, element in enumerate(plain):
                assert stack.is_in_foreign_content(element) == (at > max(html, default=-1))
        for name in NAMES:
            assert stack.in_scope(name, b"ol") is walk(plain, name)
        for at, element in enumerate(plain):
            inside = [each for each in plain[at + 1 :] if "special" in each.kinds]
            assert stack.outermost_special_inside(element) is (inside[0] if inside else None)


def walk(plain: list[Element], name: bytes) -> Element | None:
    """Have an element in a scope that ``ol`` ends too (13.2.4.2)."""
    for element in reversed(plain):
        if element.namespace == HTML and element.name == name:
            return element
        if "scope" in element.kinds or (element.namespace == HTML and element.name == b"ol"):
            return None
    return None


def listed(formatting: ActiveFormatting) -> list[bytes]:
    return [b"|" if entry.element is None else entry.element.name for entry in formatting]


def formatting_elements(formatting: ActiveFormatting, *names: bytes) -> list[Element]:
    made = [Element(HTML, name) for name in names]
    for number, element in enumerate(made):
        formatting.push(element, (element.name, number))
    return made


def test_a_marker_hides_what_stands_before_it() -> None:
    formatting = ActiveFormatting()
    (b,) = formatting_elements(formatting, b"b")
    formatting.add_marker()
    (i,) = formatting_elements(formatting, b"i")
    assert formatting.find(b"b") is None
    assert formatting.find(b"i") is i
    formatting.clear_to_marker()
    assert i.entry is None
    assert formatting.find(b"b") is b
    formatting.clear_to_marker()
    assert listed(formatting) == []
    assert formatting.find(b"b") is None


def test_of_four_alike_the_earliest_goes() -> None:
    formatting = ActiveFormatting()
    made = [Element(HTML, b"b") for _ in range(4)]
    for element in made:
        formatting.push(element, "alike")
    assert made[0].entry is None
    assert listed(formatting) == [b"b"] * 3
    formatting.push(Element(HTML, b"b"), "other")
    assert listed(formatting) == [b"b"] * 4


def test_an_element_moves_after_another() -> None:
    formatting = ActiveFormatting()
    a, b, _, code = formatting_elements(formatting, b"a", b"b", b"i", b"code")
    formatting.move_after(a, b)
    assert listed(formatting) == [b"b", b"a", b"i", b"code"]
    formatting.move_after(b, code)
    assert listed(formatting) == [b"a", b"i", b"code", b"b"]
    formatting.discard(a)
    formatting.discard(a)
    assert listed(formatting) == [b"i", b"code", b"b"]


def test_reconstruction_begins_after_the_last_open_element() -> None:
    formatting, stack = ActiveFormatting(), OpenElements()
    _, b, i = formatting_elements(formatting, b"a", b"b", b"i")
    stack.append(b)
    formatting.reconstruct(stack)
    assert list(stack) == [b, i]
    formatting.reconstruct(stack)
    assert list(stack) == [b, i]


def test_reconstruction_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "_MANY", 0)
    monkeypatch.setattr(elements, "_MAX_REOPENED", 5)
    formatting, stack = ActiveFormatting(), OpenElements()
    formatting_elements(formatting, b"a", b"b")
    formatting.reconstruct(stack)
    stack.pop(), stack.pop()
    formatting.reconstruct(stack)
    stack.pop(), stack.pop()
    with pytest.raises(LimitExceededError, match="more than 5 formatting elements"):
        formatting.reconstruct(stack)


@pytest.mark.nightly
@pytest.mark.parametrize("count", [5, 32, 33, 90, 400])
def test_work_has_a_bound_for_each_tag(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each paragraph opens unlike elements again: those that are opened often are refused soon."""
    monkeypatch.setattr(elements, "_MAX_REOPENED", 2000)
    opened = b"".join(b"<b class=%d>" % number for number in range(count))

    def read(paragraphs: int) -> None:
        with contextlib.suppress(LimitExceededError):
            list(linkfix.extract(b"<body><svg><desc><p>%b%b" % (opened, b"<p>x" * paragraphs)))

    assert growth(read, 400) < 2.1
    assert lines_of(lambda: read(400)) < 2000 * (400 + count)
