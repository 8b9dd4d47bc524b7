"""Which paths are remote, and how paths and URLs are joined and compared."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.files.paths import (
    absolute,
    common,
    is_remote,
    join,
    name_of,
    parent,
    real,
    relative,
    split,
)

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("fsspec", reason="remote paths need the extra remote")

REMOTE = ["s3://bucket/page.html", "S3://bucket", "https://example.org/", "zip://::site.zip", "memory://a"]  # fmt: skip
LOCAL = ["page.html", "/s3://bucket", "./s3://bucket", "s3:/bucket", "foo://bar", "c:\\page.html", "-", "", "//host/page", "s3:bucket"]  # fmt: skip
ROOTS = ["s3://bucket", "s3://bucket/", "s3://bucket/sub", "zip://::s3://b/site.zip", "zip://sub::/tmp/a.zip", "/tmp", "/tmp/sub"]  # fmt: skip
NAMES = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1).filter(
    lambda name: name not in {".", ".."}
)


@pytest.mark.parametrize("path", REMOTE)
def test_a_scheme_that_fsspec_knows_is_remote(path: str) -> None:
    assert is_remote(path)


@pytest.mark.parametrize("path", LOCAL)
def test_every_other_path_is_of_this_machine(path: str) -> None:
    assert not is_remote(path)


def test_a_path_of_this_machine_imports_no_fsspec() -> None:
    code = (
        "import sys; from linkfix.files.tree import documents; import linkfix.cli.rewrite; "
        "[*documents(['.', 'nothing', 'a:b/*.html'])]; assert 'fsspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


@given(st.sampled_from(ROOTS), st.lists(NAMES, min_size=1, max_size=3))
def test_what_is_joined_is_found_again(root: str, names: list[str]) -> None:
    path = "/".join(names)
    joined = join(root, path)
    assert is_remote(joined) == is_remote(root)
    assert split(joined)[1] == split(root)[1]
    assert relative(joined, root) == path
    assert name_of(joined) == names[-1]
    assert relative(joined, parent(joined)) == names[-1]


def test_the_folder_itself() -> None:
    for root in ROOTS:
        assert relative(root, root) == os.curdir


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("s3://bucket/ab", "s3://bucket/a"),
        ("s3://other/a", "s3://bucket"),
        ("gs://bucket/a", "s3://bucket"),
        ("s3://bucket/a", "/tmp"),
        ("/tmp/a", "s3://bucket"),
        ("zip://a::/tmp/b.zip", "zip://::/tmp/a.zip"),
        ("/tmpo", "/tmp"),
        ("/", "/tmp"),
    ],
)
def test_what_is_outside(path: str, root: str) -> None:
    assert relative(path, root) is None


def test_only_archives_are_chained() -> None:
    assert split("s3://b/Foo::Bar.html") == ("s3://b/Foo::Bar.html", "")
    assert split("zip://x::file:///etc/passwd::/tmp/a.zip") == (
        "zip://x::file:///etc/passwd",
        "::/tmp/a.zip",
    )


def test_absolute_and_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("a") == str(tmp_path / "a")
    assert absolute("s3://b/../a") == "s3://b/../a"
    assert real("s3://b/a//") == "s3://b/a"
    assert real("zip://::a.zip") == "zip://::a.zip"


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["s3://b/a/x", "s3://b/a/y"], "s3://b/a"),
        (["s3://b/a", "s3://b/ab"], "s3://b"),
        (["s3://b/a", "s3://b/a/"], "s3://b/a"),
        (["s3://b", "s3://c"], None),
        (["s3://b", "/tmp"], None),
        (["/tmp/a", "/tmp/b"], "/tmp"),
        (["zip://a::/x.zip", "zip://b::/x.zip"], "zip://::/x.zip"),
    ],
)
def test_the_common_folder(folders: list[str], expected: str | None) -> None:
    assert common(folders) == expected


@pytest.mark.parametrize(
    ("url", "name", "folder"),
    [
        ("https://example.org/", "index.html", "https://example.org"),
        ("https://example.org", "index.html", "https://"),
        ("https://example.org/a/b.html?c=/d", "b.html", "https://example.org/a"),
    ],
)
def test_names_of_documents_of_the_web(url: str, name: str, folder: str) -> None:
    assert parent(url) == folder
    assert name_of(url) == name
