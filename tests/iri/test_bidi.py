from __future__ import annotations

import json
from typing import Literal

import pytest
from bidi import get_display  # type: ignore[import-untyped]
from conformance_data import conformance

from linkfix import iri

#: Bidi Notation of 3987bis, 1.4: upper case stands for letters written right to left.
TO_HEBREW = {letter: 0x5D0 + letter - ord("A") for letter in range(ord("A"), ord("Z") + 1)}
FROM_HEBREW = {hebrew: latin for latin, hebrew in TO_HEBREW.items()}


@pytest.mark.parametrize("form", ["embedding", "isolate"])
def test_display_gives_the_visual_order_of_the_eleven_examples(
    form: Literal["embedding", "isolate"],
) -> None:
    path = conformance("rfc", "draft-ietf-iri-3987bis-01.json")
    examples = [
        example
        for example in json.loads(path.read_text("utf-8"))
        if example["operation"] == "bidi-visual-order"
    ]
    assert len(examples) == 11
    for example in examples:
        logical = example["input"].translate(TO_HEBREW)
        shown = iri.display(logical, form)
        # The text around is right to left: without the wrapping the order would be another one.
        visual = str(get_display(shown, base_dir="R")).translate(FROM_HEBREW)
        assert visual != str(get_display(logical, base_dir="R")).translate(FROM_HEBREW)
        assert visual.strip("\u202a\u202c\u2066\u2069") == example["expected"], example


def test_display_leaves_what_needs_no_wrapping() -> None:
    assert iri.display("http://example.com/rosé") == "http://example.com/rosé"


def test_display_cannot_be_broken_out_of() -> None:
    shown = iri.display("http://example.com/\u202cא\u2069", "isolate")
    assert shown == "\u2066http://example.com/%E2%80%ACא%E2%81%A9\u2069"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("http://example.com/א\u200eב", [("bidi-mixed-direction", 19), ("bidi-formatting", 20)]),
        ("http://אb.com/", [("bidi-mixed-direction", 7), ("bidi-edge", 7)]),
        ("http://example.com/1א", [("bidi-edge", 19)]),
        ("http://example.com/אב/ab?אב=גד&x=1#אב", []),
        ("http://example.com/ab/rosé", []),
        ("http://example.com/א\u05b0", []),
        ("http://example.com/אב.html", []),  # example 4: an extension is a component of its own
        ("http://example.com/אב.htmlג", [("bidi-mixed-direction", 22), ("bidi-edge", 22)]),
    ],
)
def test_findings(text: str, rules: list[tuple[str, int]]) -> None:
    assert [(found.rule, found.start) for found in iri.bidi_violations(text)] == rules


@pytest.mark.parametrize("form", ["components", "marks"])
def test_components_stand_from_left_to_right(form: Literal["components", "marks"]) -> None:
    logical = "http://AB.CD.ef/GH/IJ.html?K=l#M"
    shown = iri.display(logical.translate(TO_HEBREW), form)
    visual = str(get_display(shown, base_dir="L")).translate(FROM_HEBREW)
    bare = "".join(char for char in visual if char not in "\u200e\u2066\u2068\u2069")
    assert bare == "http://BA.DC.ef/HG/JI.html?K=l#M"


def test_what_the_reader_lacks_is_percent_encoded() -> None:
    def has(char: str) -> bool:
        return char < "\u0100"

    assert iri.display("http://納豆.example/納豆é?豆#é", repertoire=has) == (
        "http://xn--99zt52a.example/%E7%B4%8D%E8%B1%86é?%E8%B1%86#é"
    )
    assert iri.display("/納é", repertoire=has) == "/%E7%B4%8Dé"
    assert iri.display("http://\u0378.example/", repertoire=has) == "http://%CD%B8.example/"
