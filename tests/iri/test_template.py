"""URI Templates expand as RFC 6570, 3.2 prints them, on all four levels."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import violations
from linkfix.iri.template import Template, TemplateError, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

#: RFC 6570, 3.2: the variables of the examples.
VALUES = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": dict[str, str](),
    "undef": None,
    "number": 42,
}
EXAMPLES = {
    # 1.2 and 3.2.1
    "{count}": "one,two,three", "{count*}": "one,two,three", "{/count}": "/one,two,three",
    "{/count*}": "/one/two/three", "{;count}": ";count=one,two,three",
    "{;count*}": ";count=one;count=two;count=three", "{?count}": "?count=one,two,three",
    "{?count*}": "?count=one&count=two&count=three", "{&count*}": "&count=one&count=two&count=three",
    # 3.2.2
    "{var}": "value", "{hello}": "Hello%20World%21", "{half}": "50%25", "O{empty}X": "OX",
    "O{undef}X": "OX", "{x,y}": "1024,768", "{x,hello,y}": "1024,Hello%20World%21,768",
    "?{x,empty}": "?1024,", "?{x,undef}": "?1024", "?{undef,y}": "?768", "{var:3}": "val",
    "{var:30}": "value", "{list}": "red,green,blue", "{list*}": "red,green,blue",
    "{keys}": "semi,%3B,dot,.,comma,%2C", "{keys*}": "semi=%3B,dot=.,comma=%2C",
    # 3.2.3
    "{+var}": "value", "{+hello}": "Hello%20World!", "{+half}": "50%25",
    "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex", "{+base}index": "http://example.com/home/index",
    "O{+empty}X": "OX", "O{+undef}X": "OX", "{+path}/here": "/foo/bar/here",
    "here?ref={+path}": "here?ref=/foo/bar", "up{+path}{var}/here": "up/foo/barvalue/here",
    "{+x,hello,y}": "1024,Hello%20World!,768", "{+path,x}/here": "/foo/bar,1024/here",
    "{+path:6}/here": "/foo/b/here", "{+list}": "red,green,blue", "{+list*}": "red,green,blue",
    "{+keys}": "semi,;,dot,.,comma,,", "{+keys*}": "semi=;,dot=.,comma=,",
    # 3.2.4
    "{#var}": "#value", "{#hello}": "#Hello%20World!", "{#half}": "#50%25", "foo{#empty}": "foo#",
    "foo{#undef}": "foo", "{#x,hello,y}": "#1024,Hello%20World!,768", "{#path,x}/here": "#/foo/bar,1024/here",
    "{#path:6}/here": "#/foo/b/here", "{#list*}": "#red,green,blue", "{#keys}": "#semi,;,dot,.,comma,,",
    "{#keys*}": "#semi=;,dot=.,comma=,",
    # 3.2.5
    "{.who}": ".fred", "{.who,who}": ".fred.fred", "{.half,who}": ".50%25.fred", "www{.dom*}": "www.example.com",
    "X{.var}": "X.value", "X{.empty}": "X.", "X{.undef}": "X", "X{.var:3}": "X.val", "X{.list}": "X.red,green,blue",
    "X{.list*}": "X.red.green.blue", "X{.keys}": "X.semi,%3B,dot,.,comma,%2C",
    "X{.keys*}": "X.semi=%3B.dot=..comma=%2C", "X{.empty_keys}": "X", "X{.empty_keys*}": "X",
    # 3.2.6
    "{/who}": "/fred", "{/who,who}": "/fred/fred", "{/half,who}": "/50%25/fred", "{/who,dub}": "/fred/me%2Ftoo",
    "{/var}": "/value", "{/var,empty}": "/value/", "{/var,undef}": "/value", "{/var,x}/here": "/value/1024/here",
    "{/var:1,var}": "/v/value", "{/list}": "/red,green,blue", "{/list*}": "/red/green/blue",
    "{/list*,path:4}": "/red/green/blue/%2Ffoo", "{/keys}": "/semi,%3B,dot,.,comma,%2C",
    "{/keys*}": "/semi=%3B/dot=./comma=%2C",
    # 3.2.7
    "{;who}": ";who=fred", "{;half}": ";half=50%25", "{;empty}": ";empty", "{;v,empty,who}": ";v=6;empty;who=fred",
    "{;v,bar,who}": ";v=6;who=fred", "{;x,y}": ";x=1024;y=768", "{;x,y,empty}": ";x=1024;y=768;empty",
    "{;x,y,undef}": ";x=1024;y=768", "{;hello:5}": ";hello=Hello", "{;list}": ";list=red,green,blue",
    "{;list*}": ";list=red;list=green;list=blue", "{;keys}": ";keys=semi,%3B,dot,.,comma,%2C",
    "{;keys*}": ";semi=%3B;dot=.;comma=%2C",
    # 3.2.8
    "{?who}": "?who=fred", "{?half}": "?half=50%25", "{?x,y}": "?x=1024&y=768", "{?x,y,empty}": "?x=1024&y=768&empty=",
    "{?x,y,undef}": "?x=1024&y=768", "{?var:3}": "?var=val", "{?list}": "?list=red,green,blue",
    "{?list*}": "?list=red&list=green&list=blue", "{?keys}": "?keys=semi,%3B,dot,.,comma,%2C",
    "{?keys*}": "?semi=%3B&dot=.&comma=%2C",
    # 3.2.9
    "{&who}": "&who=fred", "{&half}": "&half=50%25", "?fixed=yes{&x}": "?fixed=yes&x=1024",
    "{&x,y,empty}": "&x=1024&y=768&empty=", "{&var:3}": "&var=val", "{&list*}": "&list=red&list=green&list=blue",
    "{&keys*}": "&semi=%3B&dot=.&comma=%2C",
    # 3.1, and numbers
    "é %41%{number}|": "%C3%A9%20%41%2542%7C",
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), EXAMPLES.items())
def test_expansion(text: str, expected: str) -> None:
    assert Template.parse(text).expand(VALUES) == expected


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("a}", 1, 2), ("{", 0, 1), ("a{b", 1, 3), ("{}", 0, 2), ("{a b}", 0, 5), ("{=a}", 0, 4), ("{a,,b}", 0, 6),
     ("{a:0}", 0, 5), ("{a:10000}", 0, 9), ("{a*:1}", 0, 6), ("{a..b}", 0, 6), ("x{{a}}", 1, 5), ("{é}", 0, 3)],
)  # fmt: skip
def test_what_is_no_template(text: str, start: int, end: int) -> None:
    with pytest.raises(TemplateError) as error:
        Template.parse(text)
    assert (error.value.start, error.value.end) == (start, end)


def test_members_are_texts_or_numbers_and_may_be_undefined() -> None:
    template = Template.parse("{?a*}")
    assert template.expand({"a": [1, "x", 2.5]}) == "?a=1&a=x&a=2.5"
    assert template.expand({"a": {"b": 1, "c": None, "d": ""}}) == "?b=1&d="
    assert template.expand({"a": {"b": None}}) == ""
    wrong: Any
    for wrong in ([["x"]], {"b": ["x"]}, b"x", [b"x"], [None]):
        with pytest.raises(TypeError, match="which is neither text nor a number"):
            template.expand({"a": wrong})


def test_a_list_has_no_prefix() -> None:
    with pytest.raises(TemplateError, match="prefix"):
        Template.parse("{list:1}").expand(VALUES)


def test_the_names_of_a_template() -> None:
    template = Template.parse("/{a.b,c:3}{?d*,a.b}")
    assert template.names == ("a.b", "c", "d")


def test_literals_are_converted_and_expressions_never() -> None:
    found = Template.parse("/é {a}|{?b}%").to_uri()
    assert found.text == "/%C3%A9%20{a}%7C{?b}%25"
    assert Template.parse(found.text).to_uri().edits == ()


@given(st.text("{}ab:*,+?é %/", max_size=12), st.text(max_size=5), st.lists(st.text(max_size=3)))
def test_an_expansion_is_a_uri(text: str, a: str, b: list[str]) -> None:
    try:
        template = Template.parse(text)
        expanded = template.expand({"a": a, "b": b})
    except TemplateError:
        return
    # Which component a piece falls in decides about brackets, colons and further number signs.
    rules = {found.rule for found in violations(expanded, syntax="uri")}
    assert rules <= {"bracket", "second-fragment", "colon-in-first-segment", "port-invalid",
                     "misplaced-character", "ip-literal-invalid"}  # fmt: skip


def test_parsing_takes_linear_time() -> None:
    assert Template.parse("{a}" * 100_000).names == ("a",)


def expanded(text: str, values: Mapping[str, Value]) -> str | bool:
    """An expansion as the suite writes it: false for what is no template."""
    try:
        return Template.parse(text).expand(values)
    except TemplateError:
        return False


@pytest.mark.conformance
@pytest.mark.parametrize(
    "name", ["spec-examples", "spec-examples-by-section", "extended-tests", "negative-tests"]
)
def test_the_suite_of_rfc_6570(name: str) -> None:
    """The files of github.com/uri-templates/uritemplate-test; a list holds the results that are equally good."""
    groups = json.loads(conformance("template", f"{name}.json").read_text("utf-8"))
    passed, faults = Counter[int](), []
    for group in groups.values():
        for text, expected in group["testcases"]:
            found = expanded(text, group["variables"])
            if found == expected or (isinstance(expected, list) and found in expected):
                passed[group.get("level", 4)] += 1
            else:
                faults.append((text, found, expected))
    print(f"{name}: {passed.total()} passed, by levels {dict(passed)}, {len(faults)} failed")
    assert passed
    assert not faults
