"""No pattern over text ignores the case of letters beyond ASCII.

With re.IGNORECASE alone, ``[A-Z]`` matches İ, ſ and the Kelvin sign as well, and ``[^\\0-\\x7f]`` does not. Syntax is
ASCII, so every such pattern has re.ASCII. Patterns over bytes need none.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    [*ROOT.glob("linkfix/**/*.py"), *ROOT.glob("tools/**/*.py"), *ROOT.glob("benchmarks/*.py")]
)
#: Flags at the beginning of a pattern or of a group.
INLINE = re.compile(r"\(\?([aiLmsux]+)[-:)]")


def flags_of(node: ast.AST) -> dict[int, str]:
    """The flags that an expression names, by their nodes."""
    return {
        id(inner): inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == "re"
        and inner.attr.isupper()
    }


def is_bytes(node: ast.AST) -> bool:
    """Whether an expression has a bytes literal in it."""
    return any(isinstance(n, ast.Constant) and isinstance(n.value, bytes) for n in ast.walk(node))


def faults(source: str) -> list[int]:
    """The lines that ignore the case of letters beyond ASCII."""
    found, right = [], set[int]()
    for node in ast.walk(ast.parse(source)):
        flags = flags_of(node)
        of_bytes = isinstance(node, ast.Call) and node.args and is_bytes(node.args[0])
        joined = isinstance(node, ast.BinOp) and {"ASCII", "A"} & {*flags.values()}
        if of_bytes or joined:
            right |= {*flags}
        if id(node) in flags and flags[id(node)] in {"IGNORECASE", "I"} and id(node) not in right:
            found.append(node.lineno)  # type: ignore[attr-defined]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [
                node.lineno
                for flags in INLINE.findall(node.value)
                if "i" in flags and "a" not in flags
            ]
    return found


@pytest.mark.parametrize("source", [
    "re.compile('a', re.IGNORECASE)", "re.search('a', t, flags=re.I | re.M)", "re.compile(x, re.IGNORECASE)", "re.compile(r'(?i)a')",
    "re.compile(r'(?i:a)b')", "compile_all('a', re.IGNORECASE)", "flags = re.IGNORECASE if x else 0",
])  # fmt: skip
def test_it_is_found(source: str) -> None:
    assert faults(source) == [1]


@pytest.mark.parametrize("source", [
    "re.compile('a', re.IGNORECASE | re.ASCII)", "re.compile(b'a', re.IGNORECASE)", "re.compile(b'|'.join(x), re.I)", "re.compile('a')",
    "re.compile(r'(?ai)a')", "re.search('a', t, re.A | re.I)",
])  # fmt: skip
def test_what_is_right_is_not_found(source: str) -> None:
    assert faults(source) == []


def test_no_module_has_such_a_pattern() -> None:
    assert len(MODULES) > 300
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in MODULES
        for line in faults(path.read_text("utf-8"))
    ]
    assert found == []
