"""Tables that move to a disk are the same mappings as those in memory."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from linkfix.auditing import site
from linkfix.auditing.site import Table
from linkfix.files.store import StoredTexts

KEYS = st.one_of(st.sampled_from(["", "a", "b", "\0", "\ud800", "é", "e\u0301"]), st.text())
#: What is done with one of three tables: texts are added, and keys are looked up.
STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.dictionaries(KEYS, KEYS, max_size=4), st.lists(KEYS)),
    max_size=20,
)


@given(STEPS, st.sampled_from([0, 300, 1000]))
def test_nothing_is_forgotten(
    steps: list[tuple[int, dict[str, str], list[str]]], most: int
) -> None:
    with patch.object(site, "MOST", most):
        tables = [Table(StoredTexts) for _ in range(3)]
        models: list[dict[str, str]] = [{}, {}, {}]
        for number, added, keys in steps:
            table, model = tables[number], models[number]
            asked = [*keys, *added]
            assert table.find(asked) == {key: model[key] for key in asked if key in model}
            table.add(added)
            model.update(added)
            assert table.find(asked) == {key: model[key] for key in asked if key in model}
            assert table.new(keys) == [key for key in dict.fromkeys(keys) if key not in model]


def test_without_a_disk_everything_stays_in_memory() -> None:
    with patch.object(site, "MOST", 0):
        table = Table()
        table.add({str(number): "" for number in range(1000)})
        assert len(table.find([*map(str, range(2000))])) == 1000
