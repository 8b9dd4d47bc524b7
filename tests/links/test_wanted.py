"""There is a skip pattern for everything that can be asked of HTML."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.links.html.embedded import parse_kinds
from linkfix.links.scope import Scope
from linkfix.links.selectors import Addition, Pattern
from linkfix.links.table import conventions
from linkfix.links.wanted import wanted
from linkfix.markup.html import tokenizer
from linkfix.markup.html.skip import skip, skipping

CHOICES = [
    Scope(scripting=scripting, embedded=embedded, conventions=by, add=add, skip=passed)
    for scripting in (True, False)
    for embedded in (
        (),
        parse_kinds(["off"]),
        parse_kinds(["off", "noframes=list"]),
        parse_kinds(["json-ld=off", "import-map=off", "speculation-rules=off"]),
    )
    for by in ((), parse_kinds(["on"], conventions()))
    for add in ((), (Addition.parse("x-card@data-url"), Addition.parse("*@q=srcset")))
    for passed in ((), (Pattern.parse("a"),))
]


def test_there_is_a_pattern_for_everything_wanted() -> None:
    for scope, (names, simple) in product(CHOICES, product((True, False), repeat=2)):
        found = wanted(scope, names=names, simple=simple)
        most = 8500 if scope.conventions else 6300  # the names of conventions are many
        assert len(skipping(found).pattern) <= most, "nobody can read it"
        step = skipping(found).match(b"<p class='x'>a<b>c</b></p><a class=x href='b c'>")
        assert step is not None
        assert step.end() > 20
        assert (step.lastgroup != "stop") == (simple and not scope.add and not scope.skip)


def test_every_two_elements_with_text_are_skipped_one_after_the_other() -> None:
    """In any order: the groups of an alternative keep what they had at the step before."""
    names = (
        "script",
        "title",
        "textarea",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "p",
        "td",
    )
    for scope, named in product(CHOICES, (True, False)):
        pattern = skipping(wanted(scope, names=named, simple=True))
        for first, second in product(names, repeat=2):
            text = f"<p><{first}>a</{first}><{second.upper()}>b</{second}><b><a href=x>".encode()
            steps = [*pattern.finditer(text)]
            if scope == Scope():
                assert [step.groupdict().get("value") for step in steps][:1] == [b"x"], text


#: Tags that a skip, and the tokenizer alone, must read alike.
PIECES = (
    *("<a href=/x>", "<A HREF='/y' id=a>", "</a>", "<p class='x'>", "<img src=a srcset='b 1x, c 2x'>", "<img src=a data-src=b>", "<a href=h hx-get='g h'>", "<base href=/d/>"),
    *("<link rel=icon href=i>", "<link rel=x href=i>", "<meta http-equiv=refresh content='0;url=m'>", "<!-- <a href=no> -->"),
    *("<script>'<a href=no>'</script>", "<style>a{background:url(s)}</style>", "<title><a href=no></title>", "<textarea>", "</textarea>"),
    *("<svg><a xlink:href=/v>", "</svg>", "<iframe>i</iframe>", "<noscript>n</noscript>", "<textarea>t</textarea>", "<iframe srcdoc='&lt;a href=z>'></iframe>", "<noscript><a href=n></noscript>"),
    *("<input type=image src=t>", "<input src=t>", "<a name=é>", "<", "&amp;", "text", "<b", " q='>'", "<!doctype html>", "</p x>"),
)  # fmt: skip


@settings(max_examples=examples(100))
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.booleans())
def test_the_tokenizer_alone_finds_the_same_links(text: str, scripting: bool) -> None:
    ways = parse_kinds(["on"], conventions())
    policy = linkfix.Policy(scope=Scope(scripting=scripting, conventions=ways))
    found = []
    for read in (skip, lambda _wanted, _buffer, position, _offset, _tokens: position):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tokenizer, "skip", read)
            links = [*linkfix.extract(text.encode(), policy=policy, type="html")]
        found.append([(link.value, link.resolved, link.where()) for link in links])
    assert found[0] == found[1]
