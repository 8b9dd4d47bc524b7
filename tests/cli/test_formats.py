"""The formats of ``linkfix audit``: well-formed, whole, and no hostile value acts in them."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import jsonschema
import processes
import pytest
from lxml import etree
from terminals import on_a_terminal

import linkfix
from linkfix.auditing import rules
from linkfix.cli.audit import command
from linkfix.sites.auditing import AuditTotals

if TYPE_CHECKING:
    import subprocess


#: The choices of ``--format``.
FORMATS = next(each.type.choices for each in command.params if isinstance(each.type, click.Choice))


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, input=stdin, cwd=cwd)


DIRTY = b"<meta charset=utf-8>\n<a href='/a b'>\n<a href='/%7Ea%zz'>\n"


def test_junit_has_one_suite_for_a_document_that_has_findings_across_documents_too(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href='/a b'><a href='none.html'>")
    (tmp_path / "b.html").write_text("<meta charset=utf-8><a href='a.html'><a href='b.html'>")
    done = run("audit", "--format", "junit", "--select", "DEL002,TGT001", ".", cwd=tmp_path)
    suites = [*etree.fromstring(done.stdout)]
    assert [Path(suite.get("name")).name for suite in suites] == ["a.html", "b.html"]
    assert [(each.get("tests"), each.get("failures"), len(each)) for each in suites] == [
        ("3", "3", 3),
        ("1", "0", 1),
    ]
    names = [case.get("name") for case in suites[0]]
    assert [name.partition(" ")[0] for name in names] == ["DEL002", "TGT001", "TGT001"]


# --- output ---------------------------------------------------------------------------------------


def test_output_goes_to_a_file_whole_or_not_at_all(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    done = run("audit", "--format", "jsonl", "-o", report, stdin=DIRTY)
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(report.read_bytes().splitlines()) == 3
    assert run("audit", "-o", tmp_path / "no" / "x", stdin=DIRTY).returncode == 3
    assert [path.name for path in tmp_path.iterdir()] == ["report.jsonl"]


def test_a_document_that_fails_is_reported_in_every_format(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"<rss><link>http://a/</rss>")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "damaged.epub").write_bytes(b"PK")
    for name in FORMATS:
        for paths, why in (
            ([bad, tmp_path / "missing.html"], b"mismatched tag"),
            ([tmp_path / "site"], b"the container is damaged"),
        ):
            done = run("audit", "--format", name, *paths)
            assert done.returncode == 3
            assert why in done.stderr
            if name in ("sarif", "junit", "html"):
                assert why in done.stdout
            if name == "sarif":
                (ended,) = json.loads(done.stdout)["runs"][0]["invocations"]
                assert not ended["executionSuccessful"]


HOSTILE = (
    "/</script><img src=x onerror=alert(1)>",
    "/\u202egnp.exe\u2066",
    "/\x1b]0;title\x07\x1b[31m\x9b31m",
    "=cmd|' /C calc'!A0",
    "+1\t@SUM(1)",
    "/a\r\n::error::b%0A::set-output name=x::y",
    "/]]>&<!--\0-->\u2028\ud800\ufffe",
    "/\U000e0041\u200b\xad",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "a\x1b[31m\u202e<b>\n::error::,x=1.html"
    links = "".join(
        "<a href='" + "".join(f"&#{ord(char)};" for char in value) + "'>" for value in HOSTILE
    )
    path.write_bytes(f"<meta charset=utf-8>{links}".encode())
    return path


#: Controls, bidirectional formatting and other characters that a display obeys.
ACTING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufffe\ufeff\U000e0000-\U000e0fff]"
)


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_values_are_inert(hostile: Path, name: str) -> None:
    done = run("audit", "--format", name, "--fail-on", "never", hostile)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("utf-8")
    assert len(text) > 1000
    assert not ACTING.search(text)
    assert not ACTING.search(done.stderr.decode("utf-8"))
    if name == "text":
        assert not any(line.startswith("::") for line in text.splitlines())
    if name == "github":
        lines = text.splitlines()
        assert all(re.match(r"::(error|warning|notice) file=[^,:]+,line=\d+,", x) for x in lines)
    if name == "html":
        assert text.count("<script") == 3
        assert text.count("</script>") == 3
        assert "<img" not in text
        assert "onerror=" not in re.sub(
            r'(?s)<script type="application/json".*?</script>', "", text
        )
    if name == "csv":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        assert not any(
            cell.startswith(("=", "+", "-", "@", "\t", "\r")) for r in rows for cell in r
        )
    if name == "junit":
        root = etree.fromstring(done.stdout)
        assert int(root[0].get("failures", "")) == len(root.findall(".//failure")) > 5


# --- machine-readable formats ---------------------------------------------------------------------

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-used.schema.json").read_text("utf-8"))


def sarif(*arguments: str | Path, stdin: bytes = b"") -> dict[str, Any]:
    done = run("audit", "--format", "sarif", "--fail-on", "never", *arguments, stdin=stdin)
    log: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_files_have_the_names_that_a_repository_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b.html").write_text("<meta charset=utf-8><a href='a b'>")
    monkeypatch.chdir(tmp_path)
    (found, *_) = sarif(".")["runs"][0]["results"]
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "a%20b.html"
    assert run("audit", "--format", "github", ".").stdout.startswith(b"::error file=a b.html,")


def test_sarif_is_valid_and_points_at_the_bytes(hostile: Path, tmp_path: Path) -> None:
    sarif(hostile)
    sarif(stdin=b"<a href=x>")
    page = tmp_path / "a page.html"
    page.write_bytes("<meta charset=utf-8>é\n<a href='/ä b'>".encode())
    (run_,) = sarif(page)["runs"]
    (result,) = run_["results"]
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    start = region["byteOffset"]
    assert page.read_bytes()[start : start + region["byteLength"]] == "/ä b".encode()
    assert (region["startLine"], region["startColumn"]) == (2, 10)
    assert (region["endLine"], region["endColumn"]) == (2, 14)
    assert place["artifactLocation"]["uri"] == page.as_uri()
    assert (
        run_["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "DEL002"
    )
    assert len(run_["tool"]["driver"]["rules"]) == len(rules())


def test_sarif_explains_each_rule() -> None:
    described = sarif(stdin=DIRTY)["runs"][0]["tool"]["driver"]["rules"]
    for entry, rule_ in zip(described, rules(), strict=True):
        assert entry["fullDescription"]["text"].endswith(".")
        assert entry["help"]["markdown"].startswith(f"### {rule_.code} {rule_.name}\n")
        assert "**Why it is bad.**" in entry["help"]["markdown"]
        assert entry["properties"]["tags"][0] == "links"
    without = {entry["id"] for entry in described if "helpUri" not in entry}
    assert len(without) < 10
    uris = {entry["id"]: entry.get("helpUri") for entry in described}
    assert uris["UNI001"] != uris["HST005"] == "https://www.unicode.org/reports/tr39/"


def test_a_rule_of_a_released_package_has_the_address_of_its_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from linkfix.cli.formats import sarif as module

    assert module._documentation() == ""  # the checkout names a reserved one
    monkeypatch.setattr(module, "_documentation", lambda: "https://docs.test/linkfix/")
    assert [module._rule(each)["helpUri"] for each in rules()] == [
        f"https://docs.test/linkfix/rules/{each.code}/" for each in rules()
    ]


def test_sarif_has_several_runs_where_one_cannot_take_all_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from linkfix.cli.formats import sarif as module

    monkeypatch.setattr(module, "_MOST_RESULTS", 4)
    out = io.StringIO()
    writer = module.Writer(out)
    writer.begin()
    source = b"<meta charset=utf-8>" + b"<a href='/a b'>" * 5
    for number in range(2):
        writer.put(f"{number}.html", writer.rendered(f"{number}.html", linkfix.audit(source)))
    writer.end(AuditTotals(documents=2))
    log = json.loads(out.getvalue())
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    runs = log["runs"]
    assert [len(run_["results"]) for run_ in runs] == [4, 4, 2]
    assert [run_.get("automationDetails", {}).get("id") for run_ in runs] == [
        None, "linkfix/2/", "linkfix/3/"
    ]  # fmt: skip
    assert ["invocations" in run_ for run_ in runs] == [False, False, True]
    files = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for run_ in runs
        for result in run_["results"]
    ]
    assert files == ["0.html"] * 5 + ["1.html"] * 5


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("utf-8", "<meta charset=utf-8>é\n<a href='/ä b'><a href=\"/c\r\n\r\nd\">"),
        ("cp932", "<meta charset=shift_jis>\r<p>表<a href=/表&amp;\\x?空|>"),
        ("utf-16-le", "\ufeff<a href='/a b'>\n\n<a href='/ü|'>"),
        ("iso-2022-jp", "<meta charset=iso-2022-jp><p>空<a href='/空 x'>"),
    ],
)
def test_the_fixes_of_sarif_are_those_of_fix(tmp_path: Path, codec: str, text: str) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(text.encode(codec))
    (run_,) = sarif(page)["runs"]
    fixes = [fix for result in run_["results"] for fix in result.get("fixes", ())]
    replacements: dict[int, dict[str, Any]] = {}
    for fix in fixes:
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"]["uri"] == page.as_uri()
        (replacement,) = change["replacements"]
        offset = replacement["deletedRegion"]["byteOffset"]
        assert replacements.setdefault(offset, replacement) == replacement
    octets = page.read_bytes()
    lines = [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", text))]
    mark = text.startswith("\ufeff")
    for offset, replacement in sorted(replacements.items(), reverse=True):
        region, new = replacement["deletedRegion"], replacement["insertedContent"]
        last = offset + region["byteLength"]
        octets = octets[:offset] + base64.b64decode(new["binary"]) + octets[last:]
        first, last = (
            lines[region[f"{end}Line"] - 1] + region[f"{end}Column"] - 1 for end in ("start", "end")
        )
        if mark and region["startLine"] == 1:  # no column is the mark's
            first, last = first + 1, last + 1
        text = text[:first] + new["text"] + text[last:]
    run("audit", "--fix", "--fail-on", "never", page)
    assert replacements
    assert octets == page.read_bytes()
    assert text == octets.decode(codec)


def test_the_sarif_schema_refuses_what_is_wrong() -> None:
    log = sarif(stdin=DIRTY)
    log["runs"][0]["results"][0]["level"] = "advice"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(log)


def test_junit_counts() -> None:
    root = etree.fromstring(run("audit", "--format", "junit", stdin=DIRTY).stdout)
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "3", "0")
    (suite,) = etree.fromstring(run("audit", "--format", "junit", stdin=b"<meta charset=utf-8>").stdout)  # fmt: skip
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_text_marks_what_is_wrong() -> None:
    source = "<meta charset=utf-8><a href='/検索 x'>".encode()
    lines = run("audit", "--select", "DEL", stdin=source).stdout.decode("utf-8").splitlines()
    assert lines[1:] == ["    /検索 x", "         ^", "    rewrite: /%E6%A4%9C%E7%B4%A2%20x"]


# --- terminals ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose findings are megabytes, in characters of three bytes, and a page without links."""
    folder = tmp_path_factory.mktemp("large")
    links = "".join(f"<a href='/検 {number}{'-' * 60}'>" for number in range(2200))
    page = f"<meta charset=utf-8><a href='/{'検 ' * 30_000}'>{links}"
    (folder / "a.html").write_text(page, "utf-8")
    (folder / "b.html").write_text("<meta charset=utf-8>")
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize(
    "arguments",
    [
        *(f"audit --format {form}" for form in FORMATS if form not in ("junit", "html")),
        *("audit --diff", "extract", "extract --format csv", "extract --format jsonl"),
    ],
)
def test_a_worker_hands_over_long_outputs_as_they_are(large: Path, arguments: str) -> None:
    """A document alone is processed in this process."""
    alone = run(*arguments.split(), "a.html", cwd=large)
    by_workers = run(*arguments.split(), "-j", "1", "a.html", "b.html", cwd=large)
    assert len(alone.stdout) > 262_144
    same = by_workers.stdout == alone.stdout  # pytest would compare megabytes line by line
    assert same
    assert by_workers.returncode == alone.returncode


@pytest.mark.parametrize("form", ["junit", "html"])
def test_long_outputs_of_workers_are_well_formed(large: Path, form: str) -> None:
    done = run("audit", "--format", form, "--ignore", "TGT014", "-j", "1", large)
    if form == "junit":
        assert len(etree.fromstring(done.stdout, etree.XMLParser(huge_tree=True))) == 2
    else:
        text = done.stdout.decode().partition('id="findings">')[2].partition("</script>")[0]
        assert len(json.loads(text)) > 2200


def test_a_worker_hands_over_a_long_baseline_as_it_is(tmp_path: Path) -> None:
    links = "".join(f"<a href='/検 {number}'>" for number in range(7000))
    (tmp_path / "a.html").write_text(f"<meta charset=utf-8>{links}", "utf-8")
    (tmp_path / "b.html").write_text("<meta charset=utf-8>")
    for name, arguments in (("alone", ["a.html"]), ("workers", ["-j", "1", "a.html", "b.html"])):
        done = run(
            "audit", "--write-baseline", "--baseline", tmp_path / name, *arguments, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "alone").stat().st_size > 262_144
    same = (tmp_path / "alone").read_bytes() == (tmp_path / "workers").read_bytes()
    assert same


def test_a_terminal_gets_colours_and_nothing_that_acts(hostile: Path, tmp_path: Path) -> None:
    shown = on_a_terminal("audit", "--group-by=none", hostile, stream="stdout", cwd=tmp_path)
    colours = re.compile(r"\x1b\[[0-9;]*m")
    assert len(colours.findall(shown)) > 20
    plain = colours.sub("", shown.replace("\r\n", "\n"))
    assert not ACTING.search(plain)
    assert plain == run("audit", hostile).stdout.decode("utf-8")


def test_a_missing_file_is_one_cause_whatever_place_links_name_in_it(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    links = "".join(f"<a href='{one}'>" for one in ("no.html", "no.html#a", "b.html#x", "b.html#y"))
    page.write_text(f"<!doctype html><meta charset=utf-8>{links}")
    (tmp_path / "b.html").write_text("<!doctype html><meta charset=utf-8>")
    told = ["audit", "--select", "TGT001,TGT005", "--exit-zero", str(tmp_path), "--group-by"]
    causes = run(*told, "cause").stdout.decode()
    assert (
        causes.count("/no.html:")
        == causes.count("/no.html: there is no such file; 2 findings")
        == 1
    )
    targets = run(*told, "target").stdout.decode()
    assert [causes.count(name) for name in ("/b.html#x", "/b.html#y")] == [1, 1]
    assert targets.count("/no.html:") == targets.count("/b.html#x:") == 1


@pytest.mark.parametrize("name", ["jsonl", "csv"])
@pytest.mark.parametrize("by", ["cause", "rule", "file", "target"])
def test_groups_of_hostile_values_are_inert(hostile: Path, by: str, name: str) -> None:
    done = run("audit", "--group-by", by, "--format", name, "--exit-zero", hostile)
    assert done.stdout
    assert not ACTING.search(done.stdout.decode("utf-8"))


def test_a_table_of_links_is_inert_on_a_terminal(hostile: Path, tmp_path: Path) -> None:
    shown = on_a_terminal("extract", "--format", "csv", hostile, stream="stdout", cwd=tmp_path)
    assert not ACTING.search(shown)
    assert "\u202e" in run("extract", "--format", "csv", hostile).stdout.decode("utf-8")


def test_a_terminal_shows_progress_over_many_documents(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(30)]
    for name in names:
        (tmp_path / name).write_bytes(DIRTY)
    shown = on_a_terminal("audit", *names, stream="stderr", cwd=tmp_path)
    assert "30/30" in shown
    assert "documents per second" in shown
    assert "per second" not in run("audit", *names, cwd=tmp_path).stderr.decode()
