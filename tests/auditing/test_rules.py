"""Every rule finds its faults, and nothing in other values.

A case in ``cases/*.toml`` is the value of a link, or a table: ``html`` or ``xml`` is the document,
of that ``type`` or another one, ``charset`` and ``base`` are what the transport says of it, ``fill`` is how many spaces stand in the
place of ``FILL``, with ``bytes`` each ``\\xNN`` is that byte, and ``tree`` has the files of its site.
"""

from __future__ import annotations

import html
import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from sources import with_source

from linkfix.auditing import Auditor, Finding, Rule, Severity, catalogue, rules, select
from linkfix.auditing.code_data import MODULES
from linkfix.auditing.finding import Facts
from linkfix.auditing.needs import parts
from linkfix.auditing.pages import Pages
from linkfix.auditing.rule_data import RULES
from linkfix.facts.join import Join, Known, Origin, Wanted
from linkfix.iri.quick import ORDINARY
from linkfix.jobs.wire import plain
from linkfix.policy import Policy
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.listing import survey
from linkfix.server.redirects.files import configured
from linkfix.server.server import Server
from linkfix.server.targets import TargetFiles

CASES: dict[str, dict[str, list[Any]]] = {}
for path in sorted((Path(__file__).parent / "cases").glob("*.toml")):
    CASES |= tomllib.loads(path.read_text("utf-8"))


def document(case: str | dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a case, and the arguments of the auditor."""
    if isinstance(case, str):
        text = f'<meta charset="utf-8"><a href="{html.escape(case)}">x</a>'
        return text.encode("utf-8"), {}
    text = case.get("html") or case["xml"]
    text = text.replace("FILL", " " * int(case.get("fill", 0)))
    source = text.encode(case.get("charset", "utf-8"))
    if "bytes" in case:
        source = re.sub(rb"\\x(..)", lambda found: bytes.fromhex(found[1].decode()), source)
    type = case.get("type", "html" if "html" in case else "xml")
    told = {"type": type, "base": case.get("base")}
    return source, told | {"charset": case.get("charset")}


def findings(case: str | dict[str, Any], *wanted: str) -> list[Finding]:
    source, told = document(case)
    if isinstance(case, str) or "tree" not in case:
        auditor = Auditor(rules=select(wanted), **with_source(told))
        return auditor.feed(source) + auditor.close()
    with tempfile.TemporaryDirectory() as folder:
        files = in_tree(Path(folder), dict(case["tree"]), source, told["base"])
        return joined(Path(folder), files, told, select(wanted))


def joined(
    folder: Path, files: TargetFiles, told: dict[str, Any], chosen: list[Rule]
) -> list[Finding]:
    """The findings about page.html, by itself and in its site."""
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*ml"))
    pages = Pages(paths, shown=files.server.shown(), digest=files.digest)
    join = Join(chosen, lambda _: Known(chosen, files, pages))
    found: list[Finding] = []
    for number, path in enumerate(paths):
        known = told if path == "page.html" else {"name": path}
        place = {"location": files.server.address.uri(path), **known}
        facts = Facts()
        auditor = Auditor(rules=chosen, facts=facts, has_roles=True, **with_source(place))
        own = auditor.feed((folder / path).read_bytes()) + auditor.close()
        found += own if path == "page.html" else []
        files.add_names(path, auditor.names or ())
        is_page = auditor.type in {"html", "xhtml"}
        join.add(
            Origin(number, path, "/", path, facts.charset, is_page, True), plain(facts.taken())
        )
    join.run()
    for name, row in [map(json.loads, each.split(b"\n")) for each in join.found]:
        if name != ["page.html"]:
            continue
        some = Wanted.of([row], chosen)
        auditor = Auditor(
            rules=[rule for rule in chosen if rule.compare or rule.file],
            site=some, files=some, **with_source(told | {"location": files.server.address.uri("page.html")}),
        )  # fmt: skip
        ready, _ = some.ready(chosen, 0)
        found += auditor.feed((folder / "page.html").read_bytes()) + auditor.close() + ready
    return found


def in_tree(folder: Path, files: dict[str, str], source: bytes, base: str | None) -> TargetFiles:
    """Write the site of a document, and return its files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "page.html").write_bytes(source)
    address = SiteAddress.at(base.removesuffix("page.html")) if base else SiteAddress("file:///")
    listing = survey(str(folder))
    redirects, _ = configured(listing, address.root, Serving(), print)
    return TargetFiles(Server(listing, address, redirects=redirects), Policy())


def pairs(kind: str) -> list[tuple[str, Any]]:
    return [(code, case) for code, cases in CASES.items() for case in cases[kind]]


def test_there_are_many_rules_and_each_has_cases_of_both_kinds() -> None:
    assert len(MODULES) >= 45
    assert set(CASES) == set(MODULES)
    assert all(cases["bad"] and cases["good"] for cases in CASES.values())


@pytest.mark.parametrize(("code", "case"), pairs("bad"))
def test_it_finds(code: str, case: Any) -> None:
    assert {finding.code for finding in findings(case, code)} == {code}
    assert code in {finding.code for finding in findings(case)}


@pytest.mark.parametrize(("code", "case"), pairs("good"))
def test_it_leaves_alone(code: str, case: Any) -> None:
    assert findings(case, code) == []


@pytest.mark.parametrize("case", [case for _, case in pairs("bad")])
def test_spans_lie_in_the_value_and_overlap_no_other(case: Any) -> None:
    """But for rules that compare a link with the others of its document or site."""
    comparing = {each.code for each in rules() if each.check is None}
    found = [finding for finding in findings(case) if finding.link is not None]
    for finding in found:
        assert finding.link is not None
        assert 0 <= finding.first <= finding.last <= len(finding.link.value)
        for other in found:
            same_link = other.link == finding.link and other.code != finding.code
            same_link &= other.code[:3] == finding.code[:3]
            if same_link and not comparing & {finding.code, other.code}:
                assert other.last <= finding.first or finding.last <= other.first


@pytest.mark.parametrize("code", MODULES)
def test_the_page_is_whole(code: str) -> None:
    (rule,) = select([code])
    headings = re.findall(r"^[A-Z][a-z ]+$", rule.page, re.MULTILINE)
    assert headings == ["What it does", "Why it is bad", "Example", "Instead"]
    assert rule.page.splitlines()[0].endswith(".")
    assert rule.section
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
    ways = [rule.check, rule.document, rule.compare, rule.watch, rule.file, rule.pages]
    assert sum(way is not None for way in ways) == 1


@pytest.mark.parametrize(("code", "case"), pairs("bad"))
def test_rules_that_need_odd_values_find_nothing_in_ordinary_ones(code: str, case: Any) -> None:
    (rule,) = select([code])
    if isinstance(case, str) and isinstance(rule.needs, str) and parts(rule.needs)[0]:
        assert not ORDINARY.fullmatch(case)


@pytest.mark.parametrize(
    "value",
    ["index.html", "../a/b.html#c", "/", "/a/", "?a=b&c=d", "#x", "http://example.org/a;b,c?d/e",
     "https://www.example.co.uk/~user/index.html", "../", "../../", "a-b_c.d~e/f"],
)  # fmt: skip
def test_common_links_are_ordinary_and_have_no_findings(value: str) -> None:
    assert ORDINARY.fullmatch(value)
    assert findings({"html": f"<meta charset=utf-8><a href='{value}'><p id=x>", "base": "http://e.example/"}) == []  # fmt: skip


@pytest.mark.parametrize(
    ("tag", "codes"),
    [
        ("<a href='info@example.org'>", ["REF007"]),
        ("<a href='www.example.org/a.html'>", ["REF006"]),
        ("<a href='none@example'>", ["TGT001"]),
        ("<img src=\"data:image/svg+xml; utf8, <svg xmlns='x'>\">", ["SYN001"]),
        ("<img src='data:text/html,<p>a b[1]|'>", ["SCH012"]),
        ("<img src='data:text/html,%3ca b'>", ["SCH012"]),
        ("<img src='data:image/png;base64,iVBOR w0KG=='>", ["SCH012"]),
        ("<img src=\"data:image/svg+xml,<svg fill='#f00'/>\">", ["SCH012"]),
        ("<a href='http://example.org'><a href='http://example.org/'>", ["SCH003"]),
        ("<img src=''>", ["REF001"]),
    ],
)
def test_one_fault_is_one_finding(tag: str, codes: list[str]) -> None:
    found = findings({"html": f"<meta charset=utf-8>{tag}", "tree": {"index.html": "<a href=page.html>"}})  # fmt: skip
    assert [each.code for each in found] == codes


def test_every_error_is_really_broken() -> None:
    """Errors are departures from the grammar, or links that no browser follows, or lost bytes."""
    broken = {rule.code for rule in rules() if rule.severity is Severity.ERROR}
    advice = {rule.code for rule in rules() if rule.severity is Severity.ADVICE}
    assert not {code for code in broken if code.startswith(("SIT", "DOC", "SCH", "PTH"))}
    assert {"SIT001", "SCH001", "PTH001", "HST007", "ENC008", "ENC009"} <= advice


@pytest.mark.parametrize("code", MODULES)
def test_a_module_has_the_functions_of_its_row_and_declares_no_facts(code: str) -> None:
    names = vars(catalogue.module_of(code))
    functions = RULES[code][4].split()
    is_whole = functions[0] not in catalogue.FUNCTIONS  # the row is the whole rule
    assert names.keys() & catalogue.FUNCTIONS.keys() == {*functions * (not is_whole)}
    facts = {"severity", "section", "needs", *catalogue.FLAGS}
    assert not {name for name in names if name.isupper() and name.lower() in facts}


def test_the_catalogue_can_be_asked_for_after_rules_have_been_loaded() -> None:
    import linkfix.auditing

    assert len(linkfix.auditing.rules()) == len(MODULES)
    assert len(linkfix.auditing.rules()) == len(MODULES)


def test_a_scheme_that_is_written_twice_is_named() -> None:
    messages = [
        findings(value, "SCH002")[0].message for value in ("http://https://a.b/", "http://a:/")
    ]
    assert messages == [
        "no port follows the colon, since the scheme is written twice",
        "no port follows the colon",
    ]
