"""Files that can be opened and not read, as on a damaged disk: each is named, and costs no other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from packages import run

from linkfix.errors import UnreadableError
from linkfix.files import packed, tree
from linkfix.files.local import found_content, open_local
from linkfix.migration.transfer import _copy_bytes
from linkfix.server.headers import MOST_BYTES

#: Its first byte is in no memory: EIO.
FAILING = "/proc/self/mem"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads of this file fail on Linux")


def test_a_file_without_a_known_extension_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").write_bytes(b"<p>")
    (tmp_path / "a.html").write_bytes(b"<a href='a b'>")
    monkeypatch.setattr(tree, "open_file", lambda _: open_local(FAILING))
    done = run("extract", tmp_path, status=3)
    assert done.stdout.count("\n") == 1
    assert done.stderr == f"linkfix: {tmp_path}/notes: cannot read it: Input/output error\n"


def test_a_container_that_cannot_be_read_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.eml").write_bytes(b"Subject: x\n\n")
    (tmp_path / "a.html").write_bytes(b"<a href='a b'>")
    monkeypatch.setattr(packed, "open_local", lambda _: open_local(FAILING))
    done = run("extract", tmp_path, status=3)
    assert done.stdout.count("\n") == 1
    assert done.stderr == f"linkfix: {tmp_path}/m.eml: cannot read it: Input/output error\n"


def test_a_file_that_was_found_is_named() -> None:
    with pytest.raises(UnreadableError, match=f"{FAILING}: cannot read it"):
        found_content(FAILING, 10)


def test_a_copy_names_the_file_that_cannot_be_read(tmp_path: Path) -> None:
    with (
        open_local(FAILING) as source,
        (tmp_path / "new").open("wb") as sink,
        pytest.raises(UnreadableError, match=f"{FAILING}: cannot read it"),
    ):
        _copy_bytes(source, sink)


def test_a_symbolic_link_to_nothing_is_not_what_was_meant(tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to("nowhere")
    assert "did you mean" not in run("extract", tmp_path / "link.html", status=3).stderr


@pytest.mark.parametrize("command", [("audit", "--ignore", "TGT014"), ("graph",)])
def test_a_file_of_a_server_that_cannot_be_read_is_a_failure(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_bytes(b"<meta charset=utf-8><a href=a.html>")
    file = tmp_path / "two/.htaccess"
    file.write_bytes(b"RedirectMatch ( /x\n")
    said = run(*command, tmp_path / "one", tmp_path / "two").stderr
    assert f"{file}:1: RedirectMatch has no regular expression" in said
    file.write_bytes(b"#" * (MOST_BYTES + 1))
    said = run(*command, tmp_path / "one", tmp_path / "two", status=3).stderr
    assert f"{file}: it is too large" in said
