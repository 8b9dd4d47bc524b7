"""Rules of one's own: each is asked about every link that it needs, and one that is written wrongly is refused."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from ordinary_values import VALUES
from sources import with_source
from tiers import examples

from linkfix.auditing import Auditor, Finding, Hit, Rule, Severity, Site, catalogue, rules
from linkfix.auditing.code_data import MODULES
from linkfix.auditing.needs import odd, unless_ordinary
from linkfix.auditing.rule import Watcher
from linkfix.auditing.rule_data import RULES
from linkfix.cli.group import cli
from linkfix.policy import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing import Subject
    from linkfix.auditing.rule import Document

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
RECIPE = re.findall(r"^   ```python\n(.*?)^   ```$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)  # fmt: skip


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Register the source of a rule as the next one of its concern."""

    def loaded(source: str, row: tuple[str, ...]) -> Rule:
        module = ModuleType("linkfix.auditing.rules.session_id")
        exec(compile(source, "session_id.py", "exec"), module.__dict__)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(MODULES, "PTH005", "session_id")
        _forget()
        monkeypatch.setitem(RULES, "PTH005", row)
        found = catalogue.rule("PTH005")
        assert found is not None
        return found

    yield loaded
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    catalogue._rules.cache_clear()


def recipe() -> tuple[str, tuple[str, ...]]:
    """The module that CONTRIBUTING shows, and its row."""
    module, row = (re.sub("^   ", "", block, flags=re.MULTILINE) for block in RECIPE)
    return module, ast.literal_eval(f"{{{row}}}")["PTH005"]


@pytest.mark.parametrize("needs", ["", "needs PHPSESSID="])
def test_the_recipe_of_contributing_finds_what_it_says(
    load: Any, tmp_path: Path, needs: str
) -> None:
    module, row = recipe()
    rule = load(module, (*row[:2], needs, *row[3:]))
    page = tmp_path / "s.html"
    page.write_text('<meta charset=utf-8><a href="cart.php?PHPSESSID=abc123">x</a>')
    done = CliRunner().invoke(cli, ["audit", "--select", "PTH005", str(page)])
    assert f"{page}:1:30: warning PTH005 session-id: it names one visit" in done.output
    done = CliRunner().invoke(cli, ["audit", str(page)])
    assert "PTH005" in done.output
    assert (rule.name, rule.needs) == ("session-id", "PHPSESSID=" * bool(needs))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (0, "warnin", "'warnin' is not a valid Severity"),
        (1, "", "the row of PTH005 has no section"),
        (2, "od [a-z]", "none of odd, percent, colon, host, foreign, needs, by"),
        (2, "[a-z]", "none of odd, percent, colon, host, foreign, needs, by"),
        (3, "fattal", "has fattal, which no rule has"),
        (3, "fatal ordinary", "has ordinary, which no rule has"),
        (4, "chek", "has chek, which no rule has"),
        (4, "", "or no function"),
    ],
)
def test_what_no_rule_has_is_an_error(load: Any, field: int, value: str, message: str) -> None:
    module, row = recipe()
    with pytest.raises(ValueError, match=re.escape(message)):
        load(module, (*row[:field], value, *row[field + 1 :]))


@pytest.mark.parametrize(
    ("field", "value"), [(2, "odd [a-z]"), (2, "percent"), (2, "by linkfix.auditing.needs.UNUSUAL"), (3, "fatal script names")]
)  # fmt: skip
def test_what_a_row_may_have(load: Any, field: int, value: str) -> None:
    module, row = recipe()
    assert load(module, (*row[:field], value, *row[field + 1 :])).code == "PTH005"


def intranet(**told: Any) -> Rule:
    def check(subject: Subject) -> Iterator[Hit]:
        yield Hit(0, len(subject.value), "seen")

    return Rule("ACME001", "intranet", Severity.WARNING, "house", "page", check=check, **told)


class _Every(Watcher):
    def check(self, subject: Subject, document: Document) -> Iterator[Hit]:
        del document
        yield Hit(0, len(subject.value), "seen")


def found(page: bytes, chosen: list[Rule], **told: Any) -> list[Finding]:
    auditor = Auditor(rules=chosen, **with_source(told))
    return [each for each in [*auditor.feed(page), *auditor.close()] if each.code == "ACME001"]


PAGES = {
    "html": b"<meta charset=utf-8>"
    b"<a href='http://intra.example/x'><a href=/x><a href=/x><a href='a b'><a href='#y'><img src='/b?c=%20'>"
    b"<base href='http://intra.example/c/'><a href=d><a href=\xc3\xa9><a href='mailto:a@b.example'><object codebase=/k/ data=z>",
    "xml": b"<r xmlns:l='http://www.w3.org/1999/xlink'><a l:href='http://intra.example/x'/><b xml:base='/b/'><a l:href='y'/>"
    b"<a l:href='y'/></b><a l:href='y z'/></r>",
    "css": b"a { background: url(x) } b { background: url('x') }",
}  # fmt: skip


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("watches", [False, True])
def test_a_rule_sees_every_link(kind: Any, beside: bool, watches: bool) -> None:
    rule = intranet()
    if watches:
        rule = replace(rule, check=None, watch=_Every)
    for base in (None, "http://intra.example/", "https://h.example/a/b"):
        auditor = Auditor(rules=[], source=Source(type=kind, base=base))
        assert auditor.feed(PAGES[kind]) + auditor.close() == []
        assert auditor.links > 1
        seen = found(PAGES[kind], [*rules() * beside, rule], type=kind, base=base)
        assert len({each.start for each in seen}) == len(seen) == auditor.links


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.one_of(VALUES, st.sampled_from(["a b", "é", "//x", ""])), min_size=1, max_size=5),
    st.sampled_from(
        [
            "",
            "a",
            "/",
            "[0-9]",
            r"\?",
            "^[^:]*$",
            odd("b"),
            odd("[^a]"),
            odd("b", "percent"),
            odd("", "host"),
        ]
    ),
    st.booleans(),
)
def test_a_rule_sees_what_it_needs_and_nothing_else(
    values: list[str], needs: str, watches: bool
) -> None:
    tags = "".join("<a href='{}'>".format(value.replace("&", "&amp;").replace("'", "&#39;")) for value in values)  # fmt: skip
    rule = intranet(needs=needs)
    if watches:
        rule = replace(rule, check=None, watch=_Every)
    page = f"<meta charset=utf-8>{tags}".encode()
    expected = [value for value in values if re.search(needs, value, re.DOTALL)]
    for chosen in ([rule], [*rules(), rule]):
        seen = found(page, chosen)
        assert sorted(each.link.value for each in seen if each.link) == sorted(expected)


def test_functions_are_asked_for_ordinary_values_under_the_base_of_the_document() -> None:
    def needs(document: Document) -> Any:
        return (lambda value: value == "d") if document.base else None

    page = PAGES["html"]
    seen = [each.link.value for each in found(page, [intranet(needs=needs)]) if each.link]
    assert seen == ["a b", "http://intra.example/c/", "d", "é", "mailto:a@b.example", "/k/", "z"]
    seen = [each.link.value for each in found(page, [intranet(needs=unless_ordinary)]) if each.link]
    assert seen == ["a b", "http://intra.example/c/", "é", "mailto:a@b.example", "/k/", "z"]


def test_a_document_that_ignores_a_rule_hides_nothing_from_the_next() -> None:
    site = Site()
    assert found(PAGES["html"], rules(), site=site, name="a/one.html") == []
    assert len(found(PAGES["html"], [*rules(), intranet()], site=site, name="a/two.html")) > 8


def test_no_rule_of_linkfix_hides_one_s_own() -> None:
    page = b"<meta charset=utf-8><a href='http://[x/ y'><a href='  '><a href='/a b'><a href='%zz'>"
    for severity in Severity:
        mine = replace(intranet(), severity=severity)
        assert len(found(page, [*rules(), mine])) == 4
        auditor = Auditor(rules=[*rules(), mine])
        every = auditor.feed(page) + auditor.close()
        alone = Auditor(rules=rules())
        others = [each.code for each in every if each.code != "ACME001"]
        assert others == [each.code for each in alone.feed(page) + alone.close()]


def test_the_example_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/audit.md").read_text("utf-8"), re.DOTALL)  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(
        "<meta charset=utf-8>\n<a href='http://intra.example/x'><a href=/x>\n<a href=y>"
    )
    exec(compile(block, "docs/audit.md", "exec"), {})
    assert capsys.readouterr().out.count("ACME001 it leads to the intranet") == 3
