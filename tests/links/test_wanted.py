"""There is a skip pattern for everything that can be asked of HTML."""

from __future__ import annotations

from itertools import product

from linkfix.links.html.embedded import parse_kinds
from linkfix.links.scope import Addition, Pattern, Scope
from linkfix.links.wanted import wanted
from linkfix.markup.html.skip import skipping

CHOICES = [
    Scope(scripting=scripting, data_blocks=blocks, embedded=embedded, add=add, skip=skip)
    for scripting, blocks in product((True, False), repeat=2)
    for embedded in ((), parse_kinds(["off"]), parse_kinds(["off", "noframes=list"]))
    for add in ((), (Addition.parse("x-card@data-url"), Addition.parse("*@q=srcset")))
    for skip in ((), (Pattern.parse("a"),))
]


def test_there_is_a_pattern_for_everything_wanted() -> None:
    for scope, (names, simple) in product(CHOICES, product((True, False), repeat=2)):
        found = wanted(scope, names=names, simple=simple)
        assert len(skipping(found).pattern) <= 6000, "nobody can read it"
        step = skipping(found).match(b"<p class='x'>a<b>c</b></p><a class=x href='b c'>")
        assert step is not None
        assert step.end() > 20
        assert (step.lastgroup != "stop") == (simple and not scope.add and not scope.skip)
