"""Codings are undone piece by piece, however much they have put into few bytes."""

from __future__ import annotations

import gzip
import sys
import tracemalloc
import zlib
from types import SimpleNamespace
from typing import TYPE_CHECKING

import brotli
import pytest

from linkfix.errors import UnreadableError
from linkfix.warc.codings import Body

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1024 * 1024
SPACES = b" " * (64 * MEGABYTE)


@pytest.mark.parametrize(
    ("coding", "compress"),
    [("br", brotli.compress), ("gzip", gzip.compress), ("deflate", zlib.compress)],
)
def test_memory_does_not_grow_with_the_output(
    coding: str, compress: Callable[[bytes], bytes]
) -> None:
    body = compress(SPACES)
    tracemalloc.start()
    size = sum(map(len, Body(content=coding).decode(iter([body]))))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == len(SPACES)
    assert peak < 4 * MEGABYTE


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_damage_far_behind_the_output(cut: int) -> None:
    content = b"".join(b"%d," % number for number in range(60_000))
    body = brotli.compress(content, quality=5)
    assert b"".join(Body(content="br").decode(iter([body]))) == content
    damaged = body[:-cut] + bytes(octet ^ 0x55 for octet in body[-cut:])
    with pytest.raises(UnreadableError):
        for _ in Body(content="br").decode(iter([damaged])):
            pass


def test_a_package_that_cannot_stop_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "brotli", SimpleNamespace(Decompressor=SimpleNamespace))
    with pytest.raises(UnreadableError, match=r"older than 1\.2"):
        Body(content="br")


@pytest.mark.parametrize("content", [b"x", b"<a href=/x>" * 100])
def test_bytes_behind_the_coded_content_are_a_damage(content: bytes) -> None:
    with pytest.raises(UnreadableError, match="damaged"):
        list(Body(content="br").decode(iter([brotli.compress(content) + b"\r\njunk"])))
    plain = b"\x06" + content  # the coded content of nothing, and a body that is not coded at all
    assert b"".join(Body(content="br").decode(iter([plain]))) == plain


@pytest.mark.parametrize("coding", ["br", "deflate", "gzip"])
@pytest.mark.parametrize(
    "plain", [b"/* one */\na { b: url(c) }\n", b"body { }", b"{}", b"<a>", b""]
)
@pytest.mark.parametrize("times", [1, 1000])
def test_a_body_that_is_not_coded_is_read_as_it_is(coding: str, plain: bytes, times: int) -> None:
    """Archivers decode bodies and leave the header; the beginnings of some texts look coded."""
    body = Body(content=coding)
    assert b"".join(body.decode(iter([plain * times]))) == plain * times
    assert b"".join(body.encode(iter([plain * times]))) == plain * times


@pytest.mark.parametrize(
    ("coding", "compress"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_bytes_behind_a_deflated_content_are_kept(
    coding: str, compress: Callable[[bytes], bytes]
) -> None:
    body = Body(content=coding)
    content = b"".join(body.decode(iter([compress(b"<a href=/x>") + b"\r\njunk"])))
    assert content == b"<a href=/x>"
    assert b"".join(body.encode(iter([content]))).endswith(b"\r\njunk")
    with pytest.raises(UnreadableError, match="too many bytes after the compressed data"):
        list(body.decode(iter([compress(b"x") + b" " * MEGABYTE])))
