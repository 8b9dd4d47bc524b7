"""Streams that the functions of the library read."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

import linkfix

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


BROKEN = b"<r>\n<a x='1' x='2'/></r>"
CALLS: dict[str, Callable[[Any], object]] = {
    "extract": lambda source: [*linkfix.extract(source, type="xml")],
    "audit": lambda source: [*linkfix.audit(source, type="xml")],
    "rewrite": lambda source: linkfix.rewrite(source, type="xml"),
    "transcode": lambda source: linkfix.transcode(source, type="xml"),
    "edits": lambda source: linkfix.edits(source, type="xml"),
    "verify": lambda source: linkfix.verify(source, b"<r/>", type="xml"),
    "verify, the new one": lambda source: linkfix.verify(b"<r/>", source, type="xml"),
}


@pytest.mark.parametrize("call", CALLS)
def test_an_error_begins_with_the_place(call: str, tmp_path: Path) -> None:
    """It is in words where the document has no name."""
    path = tmp_path / "a.xml"
    path.write_bytes(BROKEN)
    for source, place in ((BROKEN, "line 2, column 10: "), (path, f"{path}:2:10: ")):
        with pytest.raises(linkfix.LinkfixError, match="duplicate attribute") as raised:
            CALLS[call](source)
        assert str(raised.value).startswith(place)


def test_edits_know_a_document_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_bytes(b"@import 'a b';")
    (edit,) = linkfix.edits(tmp_path / "a.css")
    assert edit.new == b"a%20b"
