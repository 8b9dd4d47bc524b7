"""Trees are walked from beginning to end, whatever their elements are called."""

from __future__ import annotations

import pytest

from linkfix.verifying import is_available
from linkfix.verifying.readers import html_nodes

pytestmark = pytest.mark.skipif(
    not is_available(), reason="the extra verify (ada-url, selectolax) is not installed"
)


def seen(text: str) -> list[tuple[int, str]]:
    return [(node.shape, node.name) for node in html_nodes(text, scripting=False)]


@pytest.mark.parametrize("parent", ["svg", "math"])
def test_an_element_of_foreign_content_that_is_called_template(parent: str) -> None:
    assert seen(f"<{parent}><template><a></a></template><b></b>")[-3:] == [
        (3, "template"),
        (4, "a"),
        (2, "b"),
    ]


def test_the_contents_of_a_template() -> None:
    assert seen("<div><template><a></a></template><i></i>")[-3:] == [
        (3, "template"),
        (4, "a"),
        (3, "i"),
    ]
