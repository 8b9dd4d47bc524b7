"""Document types that set quirks mode."""

from __future__ import annotations

import pytest

from linkfix.markup.html.treeconstruction.stage import is_quirky

HTML_4 = b"-//W3C//DTD HTML 4.01 Transitional//EN"


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        (b"<!DOCTYPE html", False),
        (b"<!doctypehtml", False),
        (b"<!DOCTYPE HTML   ", False),
        (b"<!DOCTYPE", True),
        (b"<!DOCTYPE html5", True),
        (b"<!DOCTYPE html x", True),
        (b"<!DOCTYPE html SYSTEM 'about:legacy-compat'", False),
        (b"<!DOCTYPE html SYSTEM x", True),
        (b"<!DOCTYPE html SYSTEM 'x", True),
        (b"<!DOCTYPE html PUBLIC", True),
        (b"<!DOCTYPE html PUBLIC 'x' y", True),
        (b"<!DOCTYPE html PUBLIC'x'\"y\" z", False),
        (b"<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'", True),
        (b"<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN' 'x'", True),
        (b"<!DOCTYPE html PUBLIC 'HTML'", True),
        (b"<!DOCTYPE html PUBLIC 'HTML 5'", False),
        (b"<!DOCTYPE html PUBLIC '" + HTML_4 + b"'", True),
        (b"<!DOCTYPE html PUBLIC '" + HTML_4 + b"' ''", False),
        (b"<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'", False),
        (b"<!DOCTYPE html SYSTEM 'http://www.ibm.com/data/dtd/v11/IBMxhtml1-transitional.dtd'", True),
    ],
)  # fmt: skip
def test_quirks(doctype: bytes, expected: bool) -> None:
    assert is_quirky(doctype) is expected
