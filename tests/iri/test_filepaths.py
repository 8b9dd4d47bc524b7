"""Names of files and their URIs (RFC 8089)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import path_to_uri, uri_to_path, violations

if TYPE_CHECKING:
    from linkfix.iri.filepaths import Flavour

names = st.text(
    st.characters(exclude_characters="/\\\0", exclude_categories=["Cs"]), min_size=1
).filter(lambda name: name not in {".", ".."})


@given(st.lists(names, min_size=1), st.sampled_from(["posix", "windows"]))
def test_a_path_comes_back(segments: list[str], flavour: Flavour) -> None:
    path = "/" + "/".join(segments) if flavour == "posix" else "C:\\" + "\\".join(segments)
    uri = path_to_uri(path, flavour)
    assert not violations(uri, syntax="uri")
    assert uri_to_path(uri, flavour) == path


@pytest.mark.parametrize(
    ("path", "flavour", "uri"),
    [
        ("/a b/é#?%", "posix", "file:///a%20b/%C3%A9%23%3F%25"),
        ("/a\udcffb", "posix", "file:///a%FFb"),
        ("C:\\My Docs\\é.txt", "windows", "file:///C:/My%20Docs/%C3%A9.txt"),
        ("\\\\server\\share\\x", "windows", "file://server/share/x"),
    ],
)
def test_paths(path: str, flavour: Flavour, uri: str) -> None:
    assert path_to_uri(path, flavour) == uri
    assert uri_to_path(uri, flavour) == path


def test_what_windows_takes_as_it_is() -> None:
    assert path_to_uri("\\\\?\\C:\\x", "windows") == "file:///C:/x"
    assert path_to_uri("\\\\?\\UNC\\server\\share\\x", "windows") == "file://server/share/x"
    for path in ("\\\\my srv\\s", "\\\\?\\x", "\\\\a?b\\s"):
        with pytest.raises(ValueError, match=r"host|drive"):
            path_to_uri(path, "windows")


def test_two_slashes_of_posix_come_back() -> None:
    assert path_to_uri("//a") == "file:////a"
    assert uri_to_path("file:////a") == "//a"


@pytest.mark.parametrize(
    ("uri", "flavour", "path"),
    [
        ("file:/etc/x", "posix", "/etc/x"),
        ("FILE://localhost/etc/é", "posix", "/etc/é"),
        ("file:///c|/x", "windows", "c:\\x"),
        ("file:///C:", "windows", "C:\\"),
    ],
)
def test_other_spellings(uri: str, flavour: Flavour, path: str) -> None:
    assert uri_to_path(uri, flavour) == path


@pytest.mark.parametrize(
    ("uri", "flavour"),
    [("http://h/", "posix"), ("file:x", "posix"), ("file://h/x", "posix"), ("file:///a%2Fb", "posix"),
     ("file:///a%00", "posix"), ("file:///x", "windows"), ("file:///C:/a%5Cb", "windows")],
)  # fmt: skip
def test_what_names_no_file(uri: str, flavour: Flavour) -> None:
    with pytest.raises(ValueError, match="file"):
        uri_to_path(uri, flavour)


@pytest.mark.parametrize(
    ("path", "flavour"), [("a", "posix"), ("a\\b", "windows"), ("C:a", "windows")]
)
def test_what_is_not_absolute(path: str, flavour: Flavour) -> None:
    with pytest.raises(ValueError, match=r"absolute|drive"):
        path_to_uri(path, flavour)
