"""There are patterns for everything that can be asked of HTML."""

from __future__ import annotations

from itertools import product

import pytest

from linkfix.iri import canonical_ascii
from linkfix.links.interest import interest
from linkfix.links.scope import Addition, Pattern, Scope
from linkfix.markup.glance import worth_a_look
from linkfix.markup.skipping import Clean, simple_link, skipping

CHOICES = [
    Scope(scripting=scripting, data_blocks=blocks, conditional_comments=blocks, add=add, skip=skip)
    for scripting, blocks in product((True, False), repeat=2)
    for add in ((), (Addition.parse("x-card@data-url"), Addition.parse("*@q=srcset")))
    for skip in ((), (Pattern.parse("a"),))
]


@pytest.mark.parametrize("clean", [None, canonical_ascii("uri"), canonical_ascii("iri")])
def test_there_is_a_pattern_for_every_interest(clean: Clean | None) -> None:
    for scope, names, simple, count in product(CHOICES, *[(True, False)] * 3):
        found = interest(scope, clean, names=names, simple=simple, count=count)
        for pattern in (skipping(found), skipping(found.of_elements())):
            step = pattern.match(b"<p class='x'>a<!-- b --></p>")
            assert step is not None
        if found.links and not names:
            assert simple_link(found).match(b"<a href='b c'>")
        if found.worth is not None:
            assert worth_a_look(found.worth).search(b"<a href='b c'>")
