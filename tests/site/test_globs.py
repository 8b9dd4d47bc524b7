"""Patterns of paths: as pathspec and fnmatch read them, in linear time."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from effort import growth
from hypothesis import example, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from linkfix.files.globs import PathPattern, Patterns, wildcards

NAMES = st.text("ab.-!^", min_size=1, max_size=4).filter(lambda name: name.strip("."))
PATHS = st.builds(
    "{}{}".format, st.lists(NAMES, min_size=1, max_size=5).map("/".join), st.sampled_from(["", "/"])
)
PIECES = st.sampled_from(
    ["a", "b", ".", "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-b.]", "[]a]", "[!]]", "[b-]", "\\a", "\\*", "**/", "/**"]
)  # fmt: skip
LINES = st.builds(
    "{}{}".format,
    st.sampled_from(["", "", "", "!", "#", "/"]),
    # pathspec takes the slash for one of a negated set.
    st.lists(PIECES.filter(lambda piece: piece[1:2] not in {"!", "^"}), min_size=1, max_size=6).map(
        "".join
    ),
)


@given(st.lists(LINES, min_size=1, max_size=4), PATHS)
@example(["foo", "!foo/bar"], "foo/bar")
@example(["foo/**/bar/"], "foo/bar/x")
@example(["[a"], "[a")
def test_lines_match_as_pathspec_has_it(lines: list[str], path: str) -> None:
    try:
        expected = GitIgnoreSpec.from_lines(lines).match_file(path)
    except ValueError:
        with pytest.raises(ValueError, match=r"pattern|backslash"):
            Patterns(lines)
        return
    assert Patterns(lines).matches(path) == expected


@given(st.lists(PIECES, max_size=8).map("".join), st.text("ab./[]-!\\", max_size=12))
@example("[b-a]", "a")
@example("[!b-a]", "a")
@example("[", "[")
def test_wildcards_match_as_fnmatch_has_it(pattern: str, text: str) -> None:
    assert bool(wildcards(pattern).fullmatch(text)) == fnmatchcase(text, pattern)


HOSTILE = [
    ("*a" * 12 + "*b", "a"),
    ("?*" * 12 + "b", "a"),
    ("**/a/" * 12 + "b", "a/"),
    ("*/**/" * 12 + "b", "a/"),
    ("[!b]*" * 12 + "[b]", "a"),
    ("*[ab]" * 12 + "*c/x", "ab"),
    ("**/*a*b*/" * 6 + "c", "ab/"),
    ("a/**/" + "*b*a/**/" * 6 + "*c", "ab/ba/"),
]


@pytest.mark.parametrize(("pattern", "piece"), HOSTILE)
def test_work_grows_as_the_path(pattern: str, piece: str) -> None:
    assert growth(lambda count: Patterns([pattern]).matches(piece * count), 1000) < 2.1
    names = tuple(pattern.split("/"))
    assert growth(lambda count: PathPattern(names).matches(piece * count), 1000) < 2.1


@pytest.mark.parametrize("pieces", ["*a", "**/a/", "*/", "a/**/*/", "[!b]*"])
def test_work_grows_as_the_pattern(pieces: str) -> None:
    path = "a/" * 50 + "a" * 50
    assert growth(lambda count: Patterns([pieces * count + "b"]).matches(path), 200) < 2.1


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**", "a", True),
        ("**", "a/b", True),
        ("a/**", "a", False),
        ("a/**", "a/b/c", True),
        ("a/**/c", "a/c", True),
        ("a/**/c", "a/b/b/c", True),
        ("**/*.html", "x.html", True),
        ("a*", "b/a", False),
    ],
)  # fmt: skip
def test_paths_match_name_by_name(pattern: str, path: str, expected: bool) -> None:
    assert PathPattern(tuple(pattern.split("/"))).matches(path) == expected


@given(st.lists(PIECES.filter(lambda piece: "/" not in piece), min_size=1, max_size=4), PATHS)
def test_what_matches_in_a_folder_may_lead_there(names: list[str], path: str) -> None:
    pattern = PathPattern(tuple(names))
    path = path.rstrip("/")
    if pattern.matches(path):
        folders = path.split("/")[:-1]
        assert all(pattern.may_lead("/".join(folders[: at + 1])) for at in range(len(folders)))
