"""Every kind of embedded document, in every command: the table of the docs is what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from embedded_documents import KINDS, MODES, measured, shown

from linkfix.links.html import embedded
from linkfix.links.table import conventions

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system


def test_the_table_of_the_docs_is_what_is_measured(tmp_path: Path) -> None:
    columns = measured(tmp_path)
    assert {name: cells for name, cells in shown().items() if name not in MODES} == columns


def test_the_table_has_every_kind() -> None:
    assert {kind.switch for kind in KINDS} == {"", *embedded.KINDS, *conventions()}
