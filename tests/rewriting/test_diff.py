"""A diff of bytes, applied by ``patch``, gives the rewritten document in any charset."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix.rewriting.diff import changes_of, unified_diff

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch program")


def rewritten(source: bytes) -> tuple[bytes, list[tuple[int, int, bytes]]]:
    outcomes: list[linkfix.Outcome] = []
    sink = BytesIO()
    linkfix.rewrite(source, sink, on_outcome=outcomes.append)
    return sink.getvalue(), changes_of(outcomes)


def patched(folder: Path, name: str, source: bytes, diff: bytes) -> bytes:
    (folder / name).write_bytes(source)
    subprocess.run(
        ["patch", "--binary", "-p0"], input=diff, cwd=folder, check=True, capture_output=True
    )
    return (folder / name).read_bytes()


PAGE = "<meta charset={0}>\n" + "<p>\n" * 9 + "<a href='/日本 語'>\n<a\nhref='/a\nb'>" + "\n本" * 9
DOCUMENTS = {
    "UTF-8": PAGE.format("utf-8").encode(),
    "Shift_JIS": PAGE.format("shift_jis").encode("shift_jis"),
    "ISO-2022-JP": PAGE.format("iso-2022-jp").encode("iso-2022-jp"),
    "UTF-16LE": b"\xff\xfe" + PAGE.encode("utf-16-le"),
    "UTF-16BE": b"\xfe\xff" + PAGE.encode("utf-16-be"),
    "CR LF": PAGE.format("utf-8").replace("\n", "\r\n").encode(),
    "CR only": PAGE.format("utf-8").replace("\n", "\r").encode(),
    "no line end": b"<meta charset=utf-8><a href='/a b'>",
    "malformed bytes": b"<meta charset=utf-8>\xff\0\x0c\x85\n<a href='/a b'>\n\xe2\x80\xa8\n",
}


@needs_patch
@pytest.mark.parametrize("source", DOCUMENTS.values(), ids=DOCUMENTS.keys())
@pytest.mark.parametrize("name", ["page.html", "a page.html", "日本.html"])
def test_patch_applies_it(tmp_path: Path, source: bytes, name: str) -> None:
    new, changes = rewritten(source)
    assert new != source
    assert patched(tmp_path, name, source, unified_diff(source, changes, name.encode())) == new


@needs_patch
@given(
    lines=st.lists(
        st.sampled_from([b"a\n", b"bb\n", b"\n", b"c\r\n", b"d"]), min_size=1, max_size=40
    ),
    data=st.data(),
)
def test_any_changes(lines: list[bytes], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:  # fmt: skip
    source = b"".join(lines)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(source)), max_size=8)))
    changes: list[tuple[int, int, bytes]] = []
    new, position = b"", 0
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        text = data.draw(st.sampled_from([b"X", b"", b"Y\nZ"]))
        changes.append((start, end, text))
        new += source[position:start] + text
        position = end
    new += source[position:]
    if new == source or not new:
        return
    folder = tmp_path_factory.mktemp("diff")
    assert patched(folder, "f", source, unified_diff(source, changes, b"f")) == new


def test_nothing_changes() -> None:
    assert unified_diff(b"a\n", [], b"f") == b""


def test_a_hunk_is_written_as_diff_writes_it() -> None:
    source = b"".join(b"%d\n" % n for n in range(1, 10))
    diff = unified_diff(source, [(8, 9, b"five")], b"n")
    assert diff == b"--- n\n+++ n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
