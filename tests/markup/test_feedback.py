"""Open elements are found as if the stack of them were searched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup.feedback import HTML, TreeFeedback

TAGS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from(
            b"svg math g foreignobject desc mi annotation-xml b p div li font mglyph table x".split()
        ),
    ),
    max_size=40,
)


@given(TAGS)
def test_the_places_of_open_elements(tags: list[tuple[bool, bytes]]) -> None:
    feedback = TreeFeedback()
    seen: set[str | tuple[str, bytes]] = set()
    for is_start, name in tags:
        if is_start:
            feedback.start_tag(name, b"<" + name + b">", self_closing=False)
        else:
            feedback.end_tag(name)
        last = {kind: n for n, element in enumerate(feedback.open) for kind in element.kinds}
        seen |= last.keys()
        assert {kind: feedback.open.last(kind) for kind in seen} == dict.fromkeys(seen, -1) | last


def test_depth_makes_no_difference() -> None:
    """What is unmatched closes nothing, and what is matched closes all that is inside it."""
    feedback = TreeFeedback()
    for name in (b"svg", b"foreignobject", b"div"):
        feedback.start_tag(name, b"<" + name + b">", self_closing=False)
    for _ in range(100_000):
        feedback.start_tag(b"b", b"<b>", self_closing=False)
    for _ in range(100_000):
        feedback.end_tag(b"i")
    assert feedback.start_tag(b"path", b"<path>", self_closing=False) == (HTML, None)
    feedback.end_tag(b"div")
    assert [element.name for element in feedback.open] == [b"svg", b"foreignobject"]
    feedback.end_tag(b"svg")
    assert feedback.is_plain
