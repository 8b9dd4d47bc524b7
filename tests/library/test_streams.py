"""Streams that the functions of the library read."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, BinaryIO

import pytest

import linkfix

if TYPE_CHECKING:
    from collections.abc import Callable

LINK = b"<a href='/a b'>x</a>"
each_kind = pytest.mark.parametrize(
    "opened", [io.FileIO, lambda fd: io.BufferedReader(io.FileIO(fd))]
)


@pytest.fixture
def pipe() -> tuple[int, int]:
    """Return both ends of a pipe whose reader does not wait."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    return reader, writer


@each_kind
def test_a_stream_that_does_not_wait_never_ends_early(
    pipe: tuple[int, int], opened: Callable[[int], BinaryIO]
) -> None:
    reader, writer = pipe
    os.write(writer, LINK)
    out = io.BytesIO()
    with opened(reader) as source, pytest.raises(linkfix.UnreadableError, match="does not wait"):
        linkfix.rewrite(source, out)
    os.close(writer)
    assert out.getvalue() == b""


@each_kind
def test_a_stream_that_does_not_wait_is_read_to_its_end(
    pipe: tuple[int, int], opened: Callable[[int], BinaryIO]
) -> None:
    reader, writer = pipe
    os.write(writer, LINK)
    os.close(writer)
    out = io.BytesIO()
    with opened(reader) as source:
        linkfix.rewrite(source, out)
    assert out.getvalue() == b"<a href='/a%20b'>x</a>"
