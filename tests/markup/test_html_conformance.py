"""The public tokenizer tests: start tags, their attributes and values, whole and in every split."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from conformance_data import conformance

from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag, State
from linkfix.markup.layers import html_attribute

pytestmark = pytest.mark.conformance

STATES = {
    "Data state": State.DATA,
    "PLAINTEXT state": State.PLAINTEXT,
    "RCDATA state": State.RCDATA,
    "RAWTEXT state": State.RAWTEXT,
    "Script data state": State.SCRIPT_DATA,
    "CDATA section state": State.CDATA_SECTION,
}


def unescaped(value: Any) -> Any:
    """Undo the second round of escapes that some cases have."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda m: chr(int(m[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    if isinstance(value, dict):
        return {unescaped(k): unescaped(v) for k, v in value.items()}
    return value


def cases() -> list[dict[str, Any]]:
    found = []
    for path in sorted(conformance("html", "tokenizer").glob("*.test")):
        for case in json.loads(path.read_text("utf-8")).get("tests", ()):
            if case.get("doubleEscaped"):
                case = {
                    **case,
                    "input": unescaped(case["input"]),
                    "output": unescaped(case["output"]),
                }
            found.append({**case, "file": path.name})
    return found


class Bare(TreeFeedback):
    """No feedback: only the test changes the state."""

    def start_tag(self, *_: object) -> tuple[str, State | None]:
        return "", None

    def end_tag(self, _name: bytes) -> None:
        pass


def tokens(chunks: list[bytes], state: State, last: str) -> list[StartTag]:
    tokenizer = HTMLTokenizer(Bare())
    tokenizer.state, tokenizer.last_start_tag = state, last.encode()
    found = [tag for chunk in chunks for tag in tokenizer.feed(chunk)]
    return [tag for tag in found + tokenizer.feed(b"", final=True) if isinstance(tag, StartTag)]


def rebuilt(tags: list[StartTag], source: bytes) -> list[list[Any]]:
    """The tags in the form of the test data, names and values read through their byte spans."""
    found: list[list[Any]] = []
    for tag in tags:
        assert source[tag.start : tag.end] == tag.raw
        attributes = {
            text(a.name): html_attribute(text(source[a.start : a.end])).value
            for a in tag.attributes()
        }
        token: list[Any] = ["StartTag", text(tag.name), attributes]
        found.append([*token, True] if tag.self_closing else token)
    return found


def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass").replace("\0", "\ufffd")


def expected(case: dict[str, Any]) -> list[list[Any]]:
    return [token for token in case["output"] if token[0] == "StartTag"]


def test_every_case() -> None:
    figures: Counter[str] = Counter()
    wrong: list[tuple[Any, ...]] = []
    for case in cases():
        source = case["input"].encode("utf-8", "surrogatepass")
        for name in case.get("initialStates", ["Data state"]):
            state, last = STATES[name], case.get("lastStartTag", "")
            whole = tokens([source], state, last)
            figures["cases"] += 1
            if rebuilt(whole, source) != expected(case):
                wrong.append((case["file"], case["description"], rebuilt(whole, source)))
            for cut in range(1, len(source)):
                figures["splits"] += 1
                if tokens([source[:cut], source[cut:]], state, last) != whole:
                    wrong.append((case["file"], case["description"], cut))
    print(
        f"html5lib tokenizer tests: {figures['cases']} runs, {figures['splits']} splits, {len(wrong)} wrong"
    )
    assert figures["cases"] > 6000
    assert not wrong[:10]
