from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.iri import parse, relativize, resolve, violations
from linkfix.iri.steps import remove_dot_segments

from .strategies import links

segments = st.lists(st.sampled_from(("", ".", "..", "a", "b:c", "é", "%2e")), max_size=6)
paths = segments.map("/".join)
absolute = st.builds(
    lambda start, path, tail: start + path + tail,
    st.sampled_from(("http://h/", "http://h", "http://u@h:8/", "foo:", "foo:/", "foo://h/")),
    paths,
    st.sampled_from(("", "?q", "?", "#f", "?q#f")),
).filter(lambda text: not violations(text))


def removed_literally(path: str) -> str:
    """The algorithm of RFC 3986, 5.2.4, step by step as it is printed."""
    output = ""
    while path:
        if path.startswith("../"):
            path = path[3:]
        elif path.startswith(("./", "/./")):
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../") or path == "/..":
            path = "/" + path[4:]
            output = output[: max(output.rfind("/"), 0)]
        elif path in {".", ".."}:
            path = ""
        else:
            cut = path.find("/", 1)
            cut = len(path) if cut < 0 else cut
            output, path = output + path[:cut], path[cut:]
    return output


@given(paths)
def test_dot_segments_go_as_the_rfc_prints_it(path: str) -> None:
    assert remove_dot_segments(path) == removed_literally(path)


@settings(max_examples=examples(500))
@given(absolute, absolute)
def test_a_relative_reference_leads_back(base: str, target: str) -> None:
    reference = relativize(base, target)
    assert resolve(base, reference) == resolve(base, target)
    assert len(reference) <= len(target)
    assert not violations(reference)


@given(absolute, links)
def test_a_target_has_a_scheme_and_resolves_to_itself(base: str, reference: str) -> None:
    target = resolve(base, reference)
    assert parse(target).scheme is not None
    if parse(reference).path:  # otherwise the path is the base's as it stands (5.2.2)
        assert resolve(base, target) == target


def test_resolution_takes_linear_time() -> None:
    deep = "/a" * 200_000 + "/.." * 200_000
    assert resolve("http://h/", deep) == "http://h/"


@pytest.mark.parametrize(
    ("base", "target", "expected"),
    [
        ("http://h/a/b/c", "http://h/a/b/d", "d"),
        ("http://h/a/b/c", "http://h/a/x?q", "../x?q"),
        ("http://h/a/b/c", "http://h/x", "/x"),
        ("http://h/a/b/c", "http://h/a/b/c#f", "#f"),
        ("http://h/a?x", "http://h/a?y", "?y"),
        ("http://h/a?x", "http://h/a", "a"),
        ("http://h/a/b", "http://h/a/", "./"),
        ("http://h/a/", "http://h/a/b:c", "./b:c"),
        ("http://h/a", "http://i/a", "//i/a"),
        ("http://h/a", "https://h/a", "https://h/a"),
        ("http://h", "http://h/x", "/x"),
        ("urn:a", "urn:b", "urn:b"),
    ],
)
def test_relative_references(base: str, target: str, expected: str) -> None:
    assert relativize(base, target) == expected


def test_a_base_must_have_a_scheme() -> None:
    with pytest.raises(ValueError, match="has no scheme"):
        resolve("/a", "b")


def test_only_the_scheme_of_a_base_is_asked_for() -> None:
    assert resolve("http://a b/c", "d") == "http://a b/d"
    assert violations("http://a b/c")
    for base in ("", "c", "//a/c", "1http://a/"):
        with pytest.raises(ValueError, match="has no scheme"):
            resolve(base, "http://a/d")
