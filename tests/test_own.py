"""Rules, severities, vocabularies and kinds of value of one's own: docs/own.md is so, and what is wrong is said."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import linkfix
from linkfix.auditing import Rule, Severity, rules
from linkfix.auditing.code_data import MODULES
from linkfix.cli.group import cli
from linkfix.links import Addition, Kind, Scope, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing import Subject

PAGE = (Path(__file__).parents[1] / "docs" / "own.md").read_text("utf-8")
HTML = '<meta charset="utf-8"><a href="http://intra.example/x">x</a><a href="/100%">'
HOUSE = """
import linkfix

@linkfix.rule("ACME001", severity="warning")
def no_intranet(subject):
    "A link into the intranet."
    if "intra" in subject.value:
        yield "it leads into the intranet"
"""


pytestmark = pytest.mark.system


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text(HTML)
    (tmp_path / "house.py").write_text(HOUSE)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    return done.exit_code, done.output


@pytest.mark.parametrize("form", ["text", "jsonl", "sarif", "junit", "csv", "html", "github"])
def test_every_format_has_own_rules_and_severities(form: str) -> None:
    own = ("--rules", "house.py", "--severity", "ENC001=advice", "--severity", "ACME=error")
    status, output = run("audit", *own, "--select", "ACME,ENC", "--format", form, "page.html")
    assert status == 1
    assert "ACME001" in output or "no-intranet" in output
    levels = {
        "text": "error ACME001",
        "jsonl": '"severity": "advice"',
        "csv": "advice",
        "sarif": '"level": "note"',
    }
    assert levels.get(form, "") in output
    assert {rule.code for rule in rules()} == {*MODULES}


def test_workers_and_groups_know_them(folder: Path) -> None:
    (folder / "two.html").write_text(HTML)
    own = ("audit", "--rules", "house.py", "--select", "ACME", "-j", "2")
    status, output = run(*own, "--group-by", "rule", "page.html", "two.html")
    assert (status, output.count("ACME001")) == (0, 1)
    assert "2  ACME001  warning" in output


def test_comments_of_documents_suppress_them(folder: Path) -> None:
    (folder / "page.html").write_text(
        f'<!-- linkfix: off ACME -->{HTML}<!-- linkfix: on --><p id="intra"><a href="#intra">'
    )
    _, output = run("audit", "--rules", "house.py", "--select", "ACME", "page.html")
    assert output.count("ACME001") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rules", "no.py"], "no.py cannot be loaded: FileNotFoundError"),
        (["--rules", "empty.py"], "empty.py has no rules; make one with @linkfix.rule"),
        (["--rules", "broken.py"], "broken.py cannot be loaded: ZeroDivisionError"),
        (["--rules", "nobody"], "no installed package has rules under the name 'nobody'"),
        (["--rules", "house.py", "--rules", "house.py"], "linkfix has a rule ACME001"),
        (["--severity", "ENC001=fatal"], "'ENC001=fatal' is not RULES=error"),
        (["--severity", "stray-percnt=error"], "did you mean stray-percent?"),
        (["--severity", "ENC001"], "'ENC001' is not RULES=error"),
        (["--rules", "house.py", "--cache", "c"], "--cache cannot follow the files of"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "empty.py").write_text("x = 1\n")
    (folder / "broken.py").write_text("1 / 0\n")
    status, output = run("audit", *arguments, "page.html")
    assert status == 2
    assert said in output


def test_settings_name_no_code(folder: Path) -> None:
    (folder / "linkfix.toml").write_text('[audit]\nrules = ["house.py"]\n')
    assert "written or executed" in run("audit", "page.html")[1]
    (folder / "linkfix.toml").write_text("[audit]\nseverity = 'error'\n")
    assert "is not a table of rules, each with a severity" in run("audit", "page.html")[1]


def test_a_package_offers_rules_by_its_entry_point(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = folder / "site"
    info = site / "acme-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[linkfix.rules]\nacme = acme_rules\n")
    (site / "acme_rules.py").write_text(HOUSE)
    monkeypatch.syspath_prepend(site)
    assert "ACME001" in run("audit", "--rules", "acme", "page.html")[1]
    # What lies in the current folder is no installed package.
    monkeypatch.chdir(site)
    (site / "page.html").write_text(HTML)
    assert "no installed package" in run("audit", "--rules", "acme", "page.html")[1]
    assert metadata.version("acme") == "1.0"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"code": "acme1"}, "code='acme1' is no code"),
        ({"code": "ENC001"}, "linkfix has a rule ENC001"),
        ({"code": "ACME1", "name": "stray-percent"}, "linkfix has a rule stray-percent"),
        ({"code": "ACME1", "name": "Bad name"}, "is no name"),
        ({"code": "ACME1", "severity": "fatal"}, "severity='fatal'"),
        ({"code": "ACME1", "needs": "("}, "is no regular expression"),
        ({"code": "ACME1", "needs": 3}, "needs=3 is no function"),
    ],
)
def test_wrong_arguments_of_a_rule(arguments: dict[str, str], said: str) -> None:
    def nothing(_: Subject) -> Iterator[str]:
        return iter(())

    with pytest.raises(linkfix.ArgumentError, match=re.escape(said)):
        linkfix.rule(**arguments)(nothing)


def test_a_rule_that_fails_costs_the_document_and_says_where() -> None:
    @linkfix.rule("ACME001")
    def failing(subject: Subject) -> Iterator[str]:
        yield {"a": "never"}[subject.value]

    assert isinstance(failing, Rule)
    assert failing.severity is Severity.ERROR
    with pytest.raises(
        linkfix.LinkfixError, match="line 1, column 32: the rule ACME001 failed: KeyError"
    ):
        list(linkfix.audit(HTML.encode(), rules=[failing]))


def test_a_severity_moves_no_finding_about_identifiers() -> None:
    """A rule that gives advice says nothing of identifiers, whatever its severity."""
    feed = '<feed xmlns="http://www.w3.org/2005/Atom"><id>HTTP://example.org/%7ea</id></feed>'
    Path("feed.xml").write_text(feed)
    every = ("--severity", "ALL=error", "--format", "jsonl", "feed.xml")
    before = run("audit", "--format", "jsonl", "feed.xml")[1].splitlines()
    after = run("audit", *every)[1].splitlines()
    cut = re.compile(r'"severity": "\w+"')
    assert [cut.sub("", x) for x in before if "{" in x] == [cut.sub("", x) for x in after if "{" in x]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a", "Expected"),
        ("", "it has no links"),
        ("a = 1", "a is no vocabulary"),
        ("[a]\nlink = 3", "a.link is no list of tables"),
        ("[a]\nnamespaces = 'x'", "did you mean namespace?"),
        ("[[a.link]]\nelements = ['x']\natribute = 'y'", "did you mean attribute?"),
        ("[[a.link]]\nelements = ['x']", "has not elements, and either an attribute or content"),
        ("[[a.link]]\nattribute = 'x'", "has not elements"),
        ("[[a.link]]\nelements = 'x'\nattribute = 'y'\ncontent = true", "has not elements, and either"),
        ("[[a.link]]\nelements = [1]\nattribute = 'y'", "has a elements that is neither"),
        ("[[a.link]]\nelements = 'x'\nattribute = 'y'\nkind = 'sngle'", "has kind = 'sngle', which is none"),
        ("[[a.link]]\nelements = 'x'\nattribute = 'y'\nkind = 'unknown'", "which is none"),
        ("[[a.link]]\nelements = 'x'\nattribute = 'y'\nquery = 'latin-1'", "has query = 'latin-1'"),
        ("[[a.link]]\nelements = 'x'\nattribute = 'y'\nwhen = 'z'", "has a when that is no table"),
    ],
)  # fmt: skip
def test_wrong_vocabularies(text: str, said: str, folder: Path) -> None:
    with pytest.raises(linkfix.ArgumentError, match=re.escape(said)):
        vocabulary.read(text)
    (folder / "v.toml").write_text(text)
    status, output = run("extract", "--vocabulary", "v.toml", "page.html")
    assert (status, said in output) == (2, True)


def test_a_kind_with_separators_survives_processes_and_rewrites() -> None:
    assert Kind("between |;") is Kind("between |;")
    for text in ("between", "between ", "between a", "between \n"):
        with pytest.raises(ValueError, match="is not a valid Kind"):
            Kind(text)
    scope = Scope(add=(Addition.parse("x@data-more=between |,"),))
    policy = linkfix.Policy(scope=scope)
    page = b'<meta charset=utf-8><x data-more=" a b |c,, /d e "><x data-more="">'
    values = [link.value for link in linkfix.extract(page, policy=policy)]
    assert values == ["a b", "c", "/d e"]
    assert linkfix.rewrite(page, policy=policy) == page.replace(b"a b", b"a%20b").replace(
        b"d e", b"d%20e"
    )
    # A separator in a new target would make two links of one.
    moved = linkfix.rewrite(page, policy=policy, base="http://h/", each=lambda _: "http://h/x,y")
    assert moved == page


def test_the_tables_of_linkfix_are_vocabularies_too() -> None:
    folder = Path(linkfix.links.__path__[0]) / "tables"
    for name in ("atom", "opml", "rss"):
        text = re.sub(r"(?m)^(feed|roots|publics|fixed) = .*\n", "", (folder / f"{name}.toml").read_text("utf-8"))  # fmt: skip
        assert vocabulary.read(text)
