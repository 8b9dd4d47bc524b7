"""The link map: what its rules match, and what is no rule."""

from __future__ import annotations

import pickle
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix import LinkMap, LinkMapError
from linkfix.iri import equivalent
from linkfix.iri.resolution import without_dots
from linkfix.policy.linkmap_syntax import parse_toml

RULES = """\
old,new,kind
http://old.example/a?id=1,https://new.example/b
http://OLD.example/docs,https://new.example/d,prefix
http://old.example/docs/*.htm,https://new.example/dd/*.html,extension
http://old.example/docs/deep/,https://deep.example/,prefix
http://old.example,https://new.example/,prefix
http://old.example/p#top,https://new.example/top
http://old.example/frag,https://new.example/frag#own
mailto:a@b.example,mailto:c@d.example
http://old.example/kept,http://old.example/kept
"""


@pytest.mark.parametrize(
    ("uri", "target", "line"),
    [
        ("http://old.example/a?id=1", "https://new.example/b", 2),
        ("http://old.example/a?id=1#x", "https://new.example/b#x", 2),
        ("http://old.example/a?id=2#x", "https://new.example/a?id=2#x", 6),
        ("http://old.example/a", "https://new.example/a", 6),
        ("http://old.example/docs", "https://new.example/d", 3),
        ("http://old.example/docs?q#f", "https://new.example/d?q#f", 3),
        ("http://old.example/docs/", "https://new.example/d/", 3),
        ("http://old.example/%64ocs/%61", "https://new.example/d/%61", 3),
        ("http://old.example/docsx", "https://new.example/docsx", 6),
        ("http://old.example/docs/%61/b.htm?q#f", "https://new.example/dd/%61/b.html?q#f", 4),
        ("http://old.example/docs/b%2Ehtm", "https://new.example/dd/b.html", 4),
        ("http://old.example/docs/b.HTM", "https://new.example/d/b.HTM", 3),
        ("http://old.example/docs/.htm", "https://new.example/d/.htm", 3),
        ("http://old.example/docs/a.htm/b", "https://new.example/d/a.htm/b", 3),
        ("http://old.example/docs/deep/b.htm", "https://deep.example/b.htm", 5),
        ("http://old.example/docs/deep", "https://new.example/d/deep", 3),
        ("HTTP://old.EXAMPLE:80", "https://new.example/", 6),
        ("http://old.example?x", "https://new.example/?x", 6),
        ("http://old.example/docs/%2e%2E/%7ex", "https://new.example/%7ex", 6),
        ("http://old.example/docs/../a?id=1", "https://new.example/b", 2),
        ("http://old.example/docs//x", "https://new.example/d//x", 3),
        ("http://old.example/p#top", "https://new.example/top", 7),
        ("http://old.example/p#bottom", "https://new.example/p#bottom", 6),
        ("http://old.example/frag#x", "https://new.example/frag#own", 8),
        ("mailto:a@B.example", "mailto:c@d.example", 9),
        ("http://old.example/kept", "http://old.example/kept", 10),
        ("http://old.example:8080/docs", None, None),
        ("https://old.example/docs", None, None),
        ("http://old.example.org/", None, None),
        ("urn:x:y", None, None),
    ],
)
def test_rules(uri: str, target: str | None, line: int | None) -> None:
    match = LinkMap.parse(RULES, format="csv").target(uri)
    assert (match and match.target, match and match.rule.line) == (target, line)


def test_the_same_rules_in_toml() -> None:
    text = """\
# where the old site went
[exact]
"http://old.example/a" = "https://new.example/b"
'http://old.example/\u00e9' = 'https://new.example/\u65b0'

[prefix]
"http://old.example/" = "https://new.example/"
[extension]
"http://old.example/*.htm" = "https://new.example/*.html"
"""
    link_map = LinkMap.parse(text, format="toml", name="map.toml")
    assert [(rule.kind, rule.line) for rule in link_map.rules] == [
        ("exact", 3),
        ("exact", 4),
        ("prefix", 7),
        ("extension", 9),
    ]
    assert link_map.follow("http://old.example/%c3%a9") == "https://new.example/%E6%96%B0"
    assert link_map.follow("http://old.example/x.htm") == "https://new.example/x.html"


def test_rules_relative_to_the_site() -> None:
    text = "a/../b,/c\n*.htm,*.html,extension\n./,/new/,prefix\n"
    link_map = LinkMap.parse(text, format="csv", site="http://h.example/s/index")
    assert [(rule.old, rule.new) for rule in link_map.rules] == [
        ("http://h.example/s/b", "http://h.example/c"),
        ("http://h.example/s/*.htm", "http://h.example/s/*.html"),
        ("http://h.example/s/", "http://h.example/new/"),
    ]


@pytest.mark.parametrize(
    "value",
    ["http://h/../../etc", "http://h/%2e%2E/x", "http://h/a/./b/.%2e", "../../x", "/a/../../.."],
)
@pytest.mark.parametrize("kind", ["exact", "prefix"])
def test_no_rule_keeps_dot_segments(value: str, kind: str) -> None:
    slash = "/" if kind == "prefix" else ""
    text = f"{value}/o{slash},{value}/n{slash},{kind}"
    (rule,) = LinkMap.parse(text, format="csv", site="http://site.example/a/").rules
    for uri in (rule.old, rule.new):
        assert not {".", "..", "%2e%2E", ".%2e"} & set(uri.split("/"))


@pytest.mark.parametrize(
    ("text", "format", "errors"),
    [
        ("http://a/,b\n", "csv", ["m:1:11: 'b' is no absolute IRI; "]),
        ("http://a/,\n", "csv", ["m:1:"]),
        ("x\n", "csv", ["m:1: there are 1 values in this line; "]),
        ("old,new,status\nhttp://a/,http://b/,301\n", "csv", ["m:1: a column is none of old, new and kind; "]),
        ('"http://a/,http://b/\n', "csv", ["m:1: this is no CSV: "]),
        ("http://a/,http://b/\n\nHTTP://A,http://c/\n", "csv", ["m:3:1: line 1 leads http://a/ to http://b/ already; "]),
        ("http://a/,http://b/\nhttp://a/,http://b/\n", "csv", ["m:2:1: this is the same rule as line 1; "]),
        ("http://a/,http://b/,regex\n", "csv", ["m:1:21: 'regex' is no kind of rule; "]),
        ("http://a/,JavaScript:x\nhttp://b/,data:x\n", "csv", ["m:1:11: links are not led to javascript:", "m:2:11: links are not led to data:"]),
        ("http://p/a,http://q/,prefix\n", "csv", ["m:1:12: one of the prefixes ends in a slash"]),
        ("http://p/?a,http://q/,prefix\n", "csv", ["m:1:1: a prefix has neither query nor fragment"]),
        ("urn:a:,http://q/,prefix\n", "csv", ["m:1:1: there is nothing below 'urn:a:'"]),
        ("http://a/*,http://q/*,extension\n", "csv", ["m:1:1: 'http://a/*' is no pattern"]),
        ("http://a/*.htm,http://q/a*.html,extension\n", "csv", ["m:1:16: 'http://q/a*.html' is no pattern"]),
        ("http://a b/,http://q/\n", "csv", ["m:1:1: 'http://a b/' cannot be made a URI: "]),
        ("[exact\n", "toml", ["m:1:7: this is no TOML: "]),
        ("[exact]\n'http://a/' = 'http://b/'\n'http://a/' = 'http://c/'\n", "toml", ["m:3:"]),
        ("a = 'b'\n", "toml", ["m:1:1: 'a' is in no table; "]),
        ("[exact]\n'http://b/' = 1\n[other]\nx = 'y'\n", "toml", ["m:2:15: what 'http://b/' leads to is no string; ", "m:4: 'other' is no kind of rule; "]),
    ],
)  # fmt: skip
def test_what_is_no_rule(text: str, format: Any, errors: list[str]) -> None:  # noqa: A002
    with pytest.raises(LinkMapError) as caught:
        LinkMap.parse(text, format=format, name="m")
    found = [caught.value, *caught.value.others]
    assert len(found) == len(errors)
    for error, beginning in zip(found, errors, strict=True):
        assert isinstance(error, linkfix.LinkfixError)
        assert str(error).startswith(beginning)
        assert error.hint


def test_columns_of_csv_are_where_the_values_stand() -> None:
    text = 'new,old\nhttp://a/,"b, c"\n'
    with pytest.raises(LinkMapError) as caught:
        LinkMap.parse(text, format="csv")
    assert (caught.value.line, caught.value.column) == (2, 12)


@pytest.mark.parametrize(
    ("level", "taken"),
    [
        ("simple", {"http://h.example/~a"}),
        ("syntax", {"http://h.example/~a", "HTTP://H.example/%7ea"}),
        ("scheme", {"http://h.example/~a", "HTTP://H.example/%7ea", "http://h.example:80/~a"}),
    ],
)
@pytest.mark.parametrize("kind", ["exact", "prefix"])
def test_levels(level: Any, taken: set[str], kind: str) -> None:
    rule = f"http://h.example/~a,http://n.example/,{kind}\n".replace("n.example/", "n.example/b")
    link_map = LinkMap.parse(rule, format="csv", level=level)
    uris = {"http://h.example/~a", "HTTP://H.example/%7ea", "http://h.example:80/~a"}
    assert {uri for uri in uris if link_map.target(uri)} == taken


def test_observed_redirects_count_on_the_highest_level() -> None:
    redirects = {
        "http://h.example/": "https://h.example/",
        "https://h.example/": "https://h.example/home",
    }
    rules = "https://h.example/home,https://n.example/\n"
    for level, target in (("protocol", "https://n.example/#x"), ("scheme", None)):
        link_map = LinkMap.parse(rules, format="csv", level=level, redirects=redirects)  # type: ignore[arg-type]
        assert link_map.follow("http://H.example#x") == target


pieces = st.sampled_from(["a", "%61", "~", "%7e", "%C3%A9", "/", ".", "?q", ":80", "%2F"])
uris = st.builds(
    lambda scheme, host, rest: f"{scheme}://{host}/" + "".join(rest),
    st.sampled_from(["http", "HTTP", "https"]),
    st.sampled_from(["h.example", "H.example", "h.example:80"]),
    st.lists(pieces, max_size=4),
)


@given(uris, uris, st.sampled_from(["simple", "syntax", "scheme"]))
def test_an_exact_rule_matches_equivalent_uris(old: str, uri: str, level: Any) -> None:
    link_map = LinkMap.parse(f"{old},http://n.example/", format="csv", level=level)
    # Dot segments are resolved before anything is compared.
    one, other = (without_dots(text) for text in (old, uri))
    same = equivalent(one, other, level=level).outcome == "equivalent"
    assert (link_map.target(uri) is not None) == same


def test_uses_are_counted_across_processes() -> None:
    link_map = LinkMap.parse(RULES, format="csv")
    link_map.target("http://old.example/docs")
    follow = pickle.loads(pickle.dumps(link_map.follow))
    copy = follow.__self__
    copy.used.clear()
    assert follow("mailto:a@b.example") == "mailto:c@d.example"
    assert follow("http://old.example/docs/x") == "https://new.example/d/x"
    link_map.merge(copy.used)
    assert link_map.used == {1: 2, 7: 1}
    assert [rule.line for rule in link_map.unused()] == [2, 4, 5, 6, 7, 8, 10]
    assert link_map.anew().follow("mailto:a@b.example") == "mailto:c@d.example"
    assert link_map.used == {1: 2, 7: 1}, "a map made anew counts for itself"


def test_a_byte_order_mark_and_empty_lines_do_not_matter() -> None:
    text = "\ufeffold,new\r\n\r\n http://a.example/x , http://b.example/ \r\n"
    (rule,) = LinkMap.parse(text, format="csv").rules
    assert (rule.old, rule.new, rule.line) == ("http://a.example/x", "http://b.example/", 3)


DOCS = (Path(__file__).parents[2] / "docs" / "linkmap.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("syntax", ["csv", "toml"])
def test_the_table_of_the_documentation(syntax: Any) -> None:
    link_map = LinkMap.parse(block(syntax), format=syntax)
    rows = re.findall(r"^\| `(\S+)` \| (.+?) \|", DOCS, re.MULTILINE)
    assert len(rows) == 8
    for uri, target in rows:
        wanted = None if target == "nowhere else" else target.strip("`")
        assert link_map.follow(uri) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "a." * 40 + "b = 1",
        "[" + "a ." * 40 + "b]",
        "x = { " + "'a'." * 40 + "b = 1 }",
        "x = {y = 1, " + '"\\"." . ' * 40 + "b = 1}",
    ],
)
def test_a_key_of_many_names_is_refused(line: str) -> None:
    """Python's parser takes quadratic time for them: minutes for 100 kB."""
    with pytest.raises(tomllib.TOMLDecodeError, match=r"more than 32 names \(at line 2,"):
        parse_toml(f"# {'a.' * 100}\n{line}\n")
    text = "[" + "a." * 20 + "b]\nc = 'a." + "a." * 50 + "'\n"
    assert parse_toml(text) == tomllib.loads(text)
