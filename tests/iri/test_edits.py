from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri.model import Edit, apply, compose, difference, source_offset


@st.composite
def edited(draw: st.DrawFn, text: str) -> list[Edit]:
    """Edits of a text, ascending and without overlap."""
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return [Edit(start, end, draw(st.text("xyz", max_size=3))) for start, end in pairs]


texts = st.text("abc", max_size=12)


@given(st.data(), texts)
def test_two_steps_chain_into_one(data: st.DataObject, text: str) -> None:
    first = data.draw(edited(text))
    middle = apply(text, first)
    second = data.draw(edited(middle))
    both = compose(first, second, middle)
    assert apply(text, both) == apply(middle, second)
    end = 0
    for edit in both:
        assert end <= edit.start <= edit.end <= len(text)
        end = edit.end


@given(texts, texts, st.integers(0, 5))
def test_a_difference_is_an_edit_without_what_both_share(old: str, new: str, offset: int) -> None:
    edits = difference(old, new, offset)
    padding = "-" * offset
    assert apply(padding + old, edits) == padding + new
    for edit in edits:
        gone = old[edit.start - offset : edit.end - offset]
        assert not gone or not edit.text or (gone[0] != edit.text[0] and gone[-1] != edit.text[-1])


@given(st.data(), texts)
def test_characters_that_stay_are_found_again(data: st.DataObject, text: str) -> None:
    edits = data.draw(edited(text))
    result = apply(text, edits)
    for offset, character in enumerate(result):
        if character in "abc":
            assert text[source_offset(offset, edits)] == character


def test_a_span_that_was_replaced_leads_to_what_it_replaced() -> None:
    edits = [Edit(0, 2, ""), Edit(4, 6, "xyz")]
    assert apply("  ab--cd", edits) == "abxyzcd"
    assert [source_offset(offset, edits) for offset in (0, 2, 3, 5)] == [2, 4, 4, 6]
    assert [source_offset(offset, edits, behind=True) for offset in (2, 3, 5)] == [4, 6, 6]
