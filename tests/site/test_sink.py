"""A file that is created late is whole, or raises an error."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest

from linkfix.files.commit import LateFile

if TYPE_CHECKING:
    from pathlib import Path


class Full(io.BytesIO):
    """A file on a disk without room."""

    def write(self, _data: object, /) -> int:
        raise OSError(28, "No space left on device")


def test_little_needs_no_file() -> None:
    late = LateFile(lambda: pytest.fail("nobody asked for it"))
    assert late.write(b"abc") == 3
    assert late.tell() == 3
    late.close()


def test_all_that_was_written_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with LateFile(lambda: path.open("w+b")) as late:
        late.write(b"abc")
        assert not path.exists()
        late.write(b"d" * 2_000_000)
        late.write(b"e")
        late.rollover()
        assert path.read_bytes() == b"abc" + b"d" * 2_000_000 + b"e"


def test_a_failure_is_not_forgotten() -> None:
    late = LateFile(Full)
    late.write(b"abc")
    with contextlib.suppress(OSError):
        late.rollover()
    for again in (late.rollover, late.fileno, lambda: late.write(b"d")):
        with pytest.raises(OSError, match="No space left"):
            again()
    late.close()
