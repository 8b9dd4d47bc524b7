"""Whole jobs as functions: they do what the commands do, print nothing, and can be stopped."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from movable_site import make, make_site, tree

import linkfix
from linkfix.auditing import Subject, select
from linkfix.auditing.finding import fields_of
from linkfix.cli.group import cli
from linkfix.errors import ArgumentError, JournalError, UnreadableError
from linkfix.files.cache import Cache
from linkfix.files.tree import Selection
from linkfix.jobs.stopping import Stop
from linkfix.migration.settings import Settings as MigrateSettings
from linkfix.server.addresses import Serving
from linkfix.sites.audit_job import AuditSettings
from linkfix.sites.auditing import Audited, AuditTotals, Findings, Rendered
from linkfix.sites.batch import Workers
from linkfix.sites.comparing import Compared, VerifySettings
from linkfix.sites.documents import Sources
from linkfix.sites.events import Began, Diff, Done, Failed, Problem, Stopped
from linkfix.sites.graphs import GraphLink, GraphSettings, GraphTotals, Node
from linkfix.sites.migrating import Transferred
from linkfix.sites.moving import Moved, MoveSettings
from linkfix.sites.redirects import RedirectTable
from linkfix.sites.results import Rewritten
from linkfix.sites.rewriting import Totals
from linkfix.sites.writing import RewriteSettings
from linkfix.verifying import is_available

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.system

DIRTY = '<meta charset="utf-8"><a href="/a b">'
CLEAN = '<meta charset="utf-8"><a href="/a%20b">'
URIS = linkfix.Policy(to="uri")


def pages(folder: Path, count: int = 5) -> Path:
    return make(folder, {f"{number}.html": DIRTY for number in range(count)})


def run(*arguments: str | Path) -> None:
    done = CliRunner().invoke(cli, [*map(str, arguments)])
    assert done.exit_code in {0, 1}, done.output


def of(kind: type[Any], events: Iterable[object]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.fixture(autouse=True)
def nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    assert capfd.readouterr() == ("", "")


def test_a_rewrite_yields_typed_events_in_the_order_of_the_documents(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"a.html": DIRTY, "b.html": CLEAN, "c.xml": "<a"})
    settings = RewriteSettings(policy=URIS, mode="folder", output=str(tmp_path / "new"))
    events = [*linkfix.rewrite_site([site], settings)]
    assert all(map(is_dataclass, events))
    assert [type(event) for event in events] == [
        *(Began, Rewritten, Done, Rewritten, Done, Failed, Done, Totals)
    ]
    assert [event.sums.changed for event in of(Rewritten, events)] == [1, 0]
    (failed,) = of(Failed, events)
    assert failed.path.endswith("c.xml")
    assert "not well-formed" in str(failed.error)
    (totals,) = of(Totals, events)
    assert (totals.sums.documents, totals.sums.changed, totals.failed) == (2, 1, 1)
    assert tree(tmp_path / "new") == {"a.html": CLEAN.encode(), "b.html": CLEAN.encode()}


def test_an_empty_path_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"a.html": DIRTY})
    monkeypatch.chdir(tmp_path)
    settings = RewriteSettings(policy=URIS, mode="in-place")
    (problem,) = of(Problem, [*linkfix.rewrite_site([""], settings)])
    assert problem.is_failure
    assert tree(tmp_path) == {"a.html": DIRTY.encode()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_rewrite_writes_what_the_command_writes(tmp_path: Path, jobs: int) -> None:
    site = pages(tmp_path / "site")
    run("rewrite", "-q", "-o", tmp_path / "one", site)
    settings = RewriteSettings(
        policy=URIS, mode="folder", output=str(tmp_path / "two"), workers=Workers(jobs)
    )
    [*linkfix.rewrite_site([site], settings)]
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_of_the_users_is_named_where_it_fails_and_is_asked_about_no_sample(
    tmp_path: Path, jobs: int
) -> None:
    """The samples are read in this process, the pages in another one where it can be forked."""
    site, asked = pages(tmp_path / "site", 2), list[str]()

    def each(link: linkfix.Link) -> None:
        asked.append(link.value)
        raise KeyError(link.value)

    @linkfix.rule("ACME001")
    def house(subject: Subject) -> Iterator[str]:
        """Refuse everything."""
        asked.append(subject.value)
        yield f"met {subject.value}"

    workers, here = Workers(jobs), each.__code__
    moved = RewriteSettings(policy=replace(URIS, each=each), workers=workers)
    errors = [str(failed.error) for failed in of(Failed, linkfix.rewrite_site([site], moved))]
    said = f"{here.co_qualname} failed: KeyError: '/a b', in {__file__}:{here.co_firstlineno + 2}"
    assert len(errors) == 2
    assert all(error.endswith(said) for error in errors), errors
    audited = of(Audited, linkfix.audit_site([site], AuditSettings(rules=[house], workers=workers)))
    assert [dict(event.tally.counts) for event in audited] == [{"ACME001": 1}] * 2
    assert {*asked} <= {"/a b", "/a%20b"}, "the link, and how it would be rewritten"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_rule_of_the_users_that_fails_costs_its_documents_alone(
    tmp_path: Path, jobs: int
) -> None:
    @linkfix.rule("ACME001")
    def house(subject: Subject) -> Iterator[str]:
        """Fail."""
        raise KeyError(subject.value)

    settings = AuditSettings(rules=[house], workers=Workers(jobs))
    events = [*linkfix.audit_site([pages(tmp_path / "site", 2)], settings)]
    errors = [str(event.error) for event in of(Failed, events)]
    assert len(errors) == 2
    assert all("the rule ACME001 failed: KeyError: '/a b'" in error for error in errors)


def test_a_diff_and_a_dry_run_write_nothing(tmp_path: Path) -> None:
    site = pages(tmp_path / "site", 2)
    before = tree(site)
    shown = RewriteSettings(policy=URIS)
    names = [name for event in of(Rewritten, linkfix.rewrite_site([site], shown)) for name, _ in event.would]  # fmt: skip
    assert names == [str(site / "0.html"), str(site / "1.html")]
    diffs = of(Diff, linkfix.rewrite_site([site], replace(shown, mode="diff")))
    assert all(b"+" + CLEAN.encode() in diff.data for diff in diffs)
    assert len(diffs) == 2
    assert tree(site) == before


def test_a_stopped_rewrite_goes_on_where_it_ended(tmp_path: Path) -> None:
    site, stop = pages(tmp_path / "site"), Stop()
    settings = RewriteSettings(policy=URIS, mode="in-place", workers=Workers(1))
    events = []
    for event in linkfix.rewrite_site([site], settings, stop=stop):
        events.append(event)
        if isinstance(event, Done):
            stop.ask()
    (stopped,) = of(Stopped, events)
    assert 1 <= stopped.done <= stopped.documents == 5
    assert not of(Totals, events)
    with pytest.raises(JournalError, match="go on with it with --resume"):
        next(linkfix.rewrite_site([site], settings))
    rest = [*linkfix.rewrite_site([site], replace(settings, resume=True))]
    assert len(of(Done, rest)) == 5 - stopped.done
    assert [event.sums.changed for event in of(Rewritten, rest)] == [1] * 5
    assert {*tree(site).values()} == {CLEAN.encode()}


def test_a_rewrite_that_is_closed_leaves_nothing_half_written(tmp_path: Path) -> None:
    site = pages(tmp_path / "site", 40)
    settings = RewriteSettings(policy=URIS, mode="in-place", workers=Workers(2))
    events = linkfix.rewrite_site([site], settings)
    assert isinstance(next(events), Began)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert {*(body for name, body in tree(site).items() if name.endswith(".html"))} <= {
        *(DIRTY.encode(), CLEAN.encode())
    }
    [*linkfix.rewrite_site([site], replace(settings, resume=True))]
    assert {*tree(site).values()} == {CLEAN.encode()}


def test_errors_of_whole_jobs_are_caught_by_public_names(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"a.html": DIRTY, "b.html": DIRTY})
    settings = RewriteSettings(policy=URIS, mode="in-place")
    for event in linkfix.rewrite_site([site], settings):
        if isinstance(event, Done):
            break
    with pytest.raises(linkfix.JournalError, match="is not finished"):
        [*linkfix.rewrite_site([site], settings)]
    with pytest.raises(linkfix.MoveError, match="no such file or folder"):
        [*linkfix.move("c.html", "d.html", MoveSettings(sources=Sources(root=str(site))))]


def test_problems_that_cost_no_document_are_events(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"a.xml": "<rss><channel><link>http://a.example/a b"})
    xml = linkfix.Policy().xml._replace(recover=True)
    settings = RewriteSettings(policy=replace(URIS, xml=xml))
    (problem,) = of(Problem, linkfix.rewrite_site([site], settings))
    assert "it was read leniently from there on" in str(problem.error)
    assert not problem.is_failure


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    site = pages(tmp_path / "site")
    with pytest.raises(ArgumentError, match="put it into a list"):
        next(linkfix.rewrite_site(str(site), RewriteSettings()))
    with pytest.raises(ArgumentError, match="output is a folder"):
        RewriteSettings(mode="folder")
    with pytest.raises(ArgumentError, match="mode='copy'"):
        RewriteSettings(mode="copy")  # type: ignore[arg-type]
    inside = RewriteSettings(mode="folder", output=str(site / "new"))
    with pytest.raises(ArgumentError, match="whose documents are read"):
        next(linkfix.rewrite_site([site], inside))
    with pytest.raises(ArgumentError, match="one folder"):
        next(
            linkfix.graph(
                [site, tmp_path], GraphSettings(sources=Sources(base="http://a.example/"))
            )
        )


def test_a_move_does_what_the_command_does(tmp_path: Path) -> None:
    one, two = make_site(tmp_path / "one"), make_site(tmp_path / "two")
    old = next(name for name in sorted(tree(one)) if name.endswith(".html") and "/" not in name)
    run("mv", "-q", "--root", one, old, "moved/page.html")
    events = [
        *linkfix.move(
            old, "moved/page.html", MoveSettings(mode="in-place", sources=Sources(root=str(two)))
        )
    ]
    (moved,) = of(Moved, events)
    assert (moved.state, moved.old, moved.new) == ("moved", old, "moved/page.html")
    assert tree(one) == tree(two)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_audit_finds_what_the_command_finds(tmp_path: Path, jobs: int) -> None:
    site = make_site(tmp_path / "site")
    make(site, {"dirty.html": DIRTY + "<a href='none.html'><a href='INDEX.html'>", "c.xml": "<a"})
    done = CliRunner().invoke(cli, ["audit", "--format", "jsonl", str(site)])
    rows = [json.loads(each) for each in done.stdout.splitlines()]
    settings = AuditSettings(policy=URIS, workers=Workers(jobs))
    events = [*linkfix.audit_site([site], settings)]
    assert all(map(is_dataclass, events))
    found = [(event.path, each) for event in of(Findings, events) for each in event.findings]
    assert [{"file": path, **fields_of(each)} for path, each in found] == rows
    assert {row["rule"] for row in rows} >= {"DEL002", "TGT001"}
    (failed,) = of(Failed, events)
    assert failed.path.endswith("c.xml")
    (totals,) = of(AuditTotals, events)
    assert totals.counts.total() == len(rows)
    assert totals.failed == 1
    audited = of(Audited, events)
    assert sum(event.tally.counts.total() for event in audited) == len(rows)
    assert len({event.path for event in audited}) == totals.documents + 1
    of_command = CliRunner().invoke(cli, ["audit", "--format", "csv", str(site)]).stdout_bytes
    rendered = replace(settings, render=lambda path, some: f"{path} {len(some)}\n".encode())
    pieces = of(Rendered, linkfix.audit_site([site], rendered))
    assert sum(int(piece.data.split()[-1]) for piece in pieces) == of_command.count(b"\n") - 1


def test_an_audit_that_fixes_does_what_the_command_does(tmp_path: Path) -> None:
    one, two = pages(tmp_path / "one"), pages(tmp_path / "two")
    diffs = of(Diff, linkfix.audit_site([two], AuditSettings(policy=URIS, mode="diff")))
    assert len(diffs) == 5
    assert all(b"+" + CLEAN.encode() in diff.data for diff in diffs)
    CliRunner().invoke(cli, ["audit", "-q", "--fix", str(one)])
    events = [*linkfix.audit_site([two], AuditSettings(policy=URIS, mode="fix", verify=False))]
    assert tree(one) == tree(two)
    assert {*tree(two).values()} == {CLEAN.encode()}
    (totals,) = of(AuditTotals, events)
    assert totals.fixed >= 5


def test_documents_are_fixed_in_their_order(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {f"{n}.xml": "<a/>" if n in {1, 8} else "<a" for n in range(9)})
    settings = AuditSettings(mode="fix", workers=Workers(1))
    done = [x.path for x in of(Audited, linkfix.audit_site([site], settings)) if x.error is None]
    assert done == [str(site / "1.xml"), str(site / "8.xml")]


def test_a_stopped_audit_has_no_totals(tmp_path: Path) -> None:
    site, stop, events = pages(tmp_path / "site"), Stop(), []
    for event in linkfix.audit_site([site], AuditSettings(workers=Workers(1)), stop=stop):
        events.append(event)
        if isinstance(event, Done):
            stop.ask()
    assert len(of(Stopped, events)) == 1
    assert not of(AuditTotals, events)


def test_a_cache_for_the_audit_changes_no_finding(tmp_path: Path) -> None:
    site = pages(tmp_path / "site")
    cached = AuditSettings(cache=Cache(str(tmp_path / "cache")))
    cold, warm = ([*linkfix.audit_site([site], cached)] for _ in range(2))
    assert (
        of(Findings, cold)
        == of(Findings, warm)
        == of(Findings, linkfix.audit_site([site], AuditSettings()))
    )
    with pytest.raises(ArgumentError, match="cache is for reports"):
        replace(cached, mode="fix")
    with pytest.raises(ArgumentError, match="render is for findings"):
        AuditSettings(mode="diff", render=lambda *_: b"")


def test_a_graph_is_that_of_the_command(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    run("graph", "-q", "-o", tmp_path / "graph", site)
    records = [json.loads(line) for line in (tmp_path / "graph").read_text().splitlines()]
    events = [*linkfix.graph([site], GraphSettings())]
    assert len(of(Node, events)) == sum(record["record"] == "node" for record in records)
    links = [record for record in records if record["record"] == "link"]
    assert [(x.source, x.target, x.line) for x in of(GraphLink, events)] == [
        (record["source"], record["target"], record["line"]) for record in links
    ]
    (totals,) = of(GraphTotals, events)
    assert totals.links == len(links) > 0


@pytest.mark.skipif(not is_available(), reason="the extra verify is not installed")
def test_each_document_is_compared(tmp_path: Path) -> None:
    old = pages(tmp_path / "old", 3)
    new = make(tmp_path / "new", {"0.html": CLEAN, "1.html": DIRTY.replace("a b", "c")})
    same, other, missing = of(Compared, linkfix.verify_site(old, new, VerifySettings()))
    assert same.is_same
    assert other.difference is not None
    assert other.difference.what == "link"
    assert not missing.exists


def test_a_migration_writes_what_the_command_writes(tmp_path: Path) -> None:
    page = '<meta charset="shift_jis"><a href="?q=空">空</a>'.encode("shift_jis")
    old = make(tmp_path / "old", {"a.html": page, "b.txt": b"text", "sub/c.html": page})
    run("migrate", "-q", old, tmp_path / "one")
    settings = MigrateSettings(str(old), str(tmp_path / "two"), linkfix.Policy())
    done = {x.task.path: x.result.pinned for x in of(Transferred, linkfix.migrate(settings))}
    assert done == {"a.html": 1, "b.txt": 0, "sub/c.html": 1}
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_a_stopped_migration_goes_on(tmp_path: Path) -> None:
    old, stop = pages(tmp_path / "old"), Stop()
    settings = MigrateSettings(str(old), str(tmp_path / "new"), linkfix.Policy())
    events = []
    for event in linkfix.migrate(settings, workers=Workers(1), stop=stop):
        events.append(event)
        if isinstance(event, Transferred):
            stop.ask()
    assert len(of(Stopped, events)) == 1
    rest = [*linkfix.migrate(settings, resume=True)]
    assert len(of(Transferred, rest)) == 5
    assert len(tree(tmp_path / "new")) == 5


JOBS = (RewriteSettings, AuditSettings, GraphSettings, VerifySettings)
#: What is wrong with settings of a job, and what is said.
REFUSED: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    *((kind, {name: None}, f"{name}=None is no {name.capitalize()}") for kind in JOBS for name in ("policy", "sources", "selection", "workers")),
    (RewriteSettings, {"workers": 2}, "workers=2 is no Workers"),
    (RewriteSettings, {"selection": Selection(exclude="*.html")}, "exclude='*.html' is no tuple"),  # type: ignore[arg-type]
    (RewriteSettings, {"mode": "folder", "output": 7}, "output=7 is no path"),
    (RewriteSettings, {"mode": "stream", "sink": "new.html"}, "sink='new.html' is a path and no binary file"),
    (RewriteSettings, {"mode": "stream", "sink": io.StringIO()}, "sink is a file of text"),
    (RewriteSettings, {"mode": "in-place", "backup": "/old"}, "backup='/old' is no suffix"),
    (AuditSettings, {"cache": "file"}, "cache='file' is no Cache"),
    (AuditSettings, {"baseline": "file"}, "baseline='file' is no Baseline"),
    (AuditSettings, {"ignored": {}}, "ignored={} is no function"),
    (AuditSettings, {"serving": None}, "serving=None is no Serving"),
    (GraphSettings, {"only": "broke"}, "only='broke' is none of 'broken', 'orphans', None"),
    (MoveSettings, {"serving": "x"}, "serving='x' is no Serving"),
    (Sources, {"type": "HTML"}, "type='HTML' is none of"),
    (Sources, {"base": b"http://a.example/"}, "is no IRI"),
    (Sources, {"index": "index.html"}, "index='index.html' is no tuple"),
    (RewriteSettings, {"link_map": "map.csv"}, "link_map='map.csv' is no LinkMap"),
    (VerifySettings, {"link_map": "map.csv"}, "link_map='map.csv' is no LinkMap"),
    (MoveSettings, {"redirects": "moved.map"}, "redirects='moved.map' is no RedirectTable"),
    (RedirectTable, {"path": "moved", "format": "ngnix"}, "format='ngnix' is none of"),
    *((Serving, {name: "/a"}, f"{name}='/a' is no tuple") for name in ("index", "served", "hosts", "configuration")),
    *((partial(MigrateSettings, "old", "new", linkfix.Policy()), {name: "x"}, f"{name}='x' is no ") for name in ("links", "extensions", "names", "headers", "undeclared")),
    (Workers, {"jobs": "2"}, "jobs='2' is no number of processes"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "wrong", "said"), REFUSED)
def test_wrong_settings_are_refused_by_name(
    kind: Callable[..., Any], wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentError, match=re.escape(said)):
        kind(**wrong)


@pytest.mark.parametrize("job", [linkfix.rewrite_site, linkfix.audit_site, linkfix.graph])
def test_a_job_refuses_what_is_not_its_own(job: Any, tmp_path: Path) -> None:
    settings = {
        linkfix.rewrite_site: RewriteSettings,
        linkfix.audit_site: AuditSettings,
        linkfix.graph: GraphSettings,
    }[job]()
    site = pages(tmp_path / "site", 1)
    for paths, chosen, stop, said in (
        ([site], None, None, "settings=None is no"),
        ([site], VerifySettings(), None, "is no"),
        ([site], settings, True, "stop=True is no Stop"),
        ([None], settings, None, "paths=None is no path"),
        (None, settings, None, "paths=None is no list of paths"),
        (b"site", settings, None, "is one path; put it into a list"),
    ):
        with pytest.raises(ArgumentError, match=said):
            next(job(paths, chosen, stop=stop))
    with pytest.raises(ArgumentError, match="settings=None is no Settings"):
        next(linkfix.migrate(None))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="old=7 is no path"):
        next(linkfix.move(7, "x", MoveSettings()))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="new=7 is no path"):
        next(linkfix.verify_site(site, 7, VerifySettings()))  # type: ignore[arg-type]


def test_the_graph_is_of_folders(tmp_path: Path) -> None:
    site = pages(tmp_path / "site", 1)
    for path in (site / "0.html", tmp_path / "none"):
        with pytest.raises(UnreadableError, match="this is no folder"):
            next(linkfix.graph([path, site], GraphSettings()))


def test_the_graph_of_a_container_is_that_of_its_folder(tmp_path: Path) -> None:
    site = pages(tmp_path / "site", 2)
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as file:
        for path in site.iterdir():
            file.write(path, path.name)
    of_folder, of_container = (
        of(GraphTotals, linkfix.graph([path], GraphSettings()))[0] for path in (site, f"{site}.zip")
    )
    assert (of_container.links, of_container.broken) == (2, of_folder.broken)
    assert of_container.orphans == [
        name.replace(f"{site}/", f"{site}.zip!/") for name in of_folder.orphans
    ]


def test_paths_in_settings_may_be_objects(tmp_path: Path) -> None:
    site = pages(tmp_path / "site", 1)
    sources = Sources(root=site)  # type: ignore[arg-type]
    assert of(AuditTotals, linkfix.audit_site([site], AuditSettings(sources=sources)))
    new = RewriteSettings(policy=URIS, mode="folder", output=tmp_path / "new")  # type: ignore[arg-type]
    assert of(Rewritten, linkfix.rewrite_site([site], new))
    moved = MigrateSettings(site, tmp_path / "utf-8", linkfix.Policy())  # type: ignore[arg-type]
    assert of(Transferred, linkfix.migrate(moved))
    assert {*tree(tmp_path / "new")} == {*tree(tmp_path / "utf-8")} == {"0.html"}


def test_a_selector_that_matches_no_rule_is_refused() -> None:
    for wanted in (["DEL0099"], ["XXX"], "DEL002"):
        with pytest.raises(ArgumentError, match=r"no rule|one selector"):
            select(wanted)
