"""An audit with a cache says what an audit without one says, whatever has changed since the last one."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from io import BytesIO
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import processes
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli
from linkfix.errors import LinkfixError
from linkfix.files.cache import (
    Cache,
    Row,
    kept,
    packed,
    recalled,
    state_of,
    unpacked,
)
from linkfix.jobs.wire import value

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from linkfix.jobs.wire import Event

HEAD = "<!doctype html><meta charset=utf-8>"
#: One document for each kind of link: ordinary, dirty, into the folder, to fragments, and spelled in two ways.
PAGES = {
    "a.html": f"{HEAD}<p id=top><a href='b.html#here'><a href='b.html#gone'><a href='c%zz'><a href='no.html'>",
    "b.html": f"{HEAD}<h1 id=here><a href='http://example.org/x'><a href='/a.html'>",
    "sub/c.html": f"{HEAD}<a href='https://example.org/x'><a href='../A.html'><a href='../b.html#here'>",
    "sub/d.html": f"{HEAD}<a href='http://example.org/X'><a href=' x '>",
    "index.htm": f"{HEAD}<a href='e/'><link rel=canonical href=a.html>",
    "e/index.htm": f"{HEAD}<link rel=canonical href='../sub/d.html'>",
    "feed.xml": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='a.html'/><link href='nowhere'/></feed>",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name, text in PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1e9, 1e9))
    return folder


def audit(site: Path, *arguments: str) -> tuple[int, str, str]:
    """Audit the site; return the status, the findings and what is said."""
    done = processes.run("audit", "--format=jsonl", *arguments, ".", cwd=site)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def moved_fragment(site: Path) -> None:
    path = site / "b.html"
    path.write_text(PAGES["b.html"].replace("id=here", "id=gone"))


def new_file(site: Path) -> None:
    (site / "no.html").write_text(HEAD)


def removed_file(site: Path) -> None:
    (site / "b.html").unlink()


def same_times(site: Path) -> None:
    """Other octets, as many as before, with the same time of the last change."""
    path = site / "sub/d.html"
    path.write_text(PAGES["sub/d.html"].replace("/X", "/Y"))
    os.utime(path, (1e9, 1e9))


def touched(site: Path) -> None:
    os.utime(site / "a.html")


def other_index(site: Path) -> None:
    """The server shows another file for a folder, to which links lead as before."""
    (site / "index.html").write_text(HEAD)
    (site / "e" / "index.html").write_text(HEAD)


CHANGES = [other_index, moved_fragment, new_file, removed_file, same_times, touched]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_seen(site: Path, change: Callable[[Path], None]) -> None:
    cache = ["--cache", str(site.parent / "cache")]
    cold = audit(site, *cache)
    assert cold == audit(site)
    assert cold[0] == 1
    change(site)
    assert audit(site, *cache) == audit(site)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_documents_that_have_not_changed_are_not_read(site: Path, jobs: str) -> None:
    cache = ["-j", jobs, "--cache", str(site.parent / "cache")]
    cold = audit(site, *cache)
    for path in site.rglob("*.*"):  # what the cache says is taken, as its state did not change
        if path.is_file():
            path.write_bytes(b"?" * path.stat().st_size)
            os.utime(path, (1e9, 1e9))
    place = str(site.parent / "cache")
    connection = sqlite3.connect(place)
    rows = connection.execute("SELECT path, settings FROM documents").fetchall()
    connection.close()
    known = Cache(place)
    for name, settings in rows:
        row = Cache(place).find(settings, os.fsdecode(name))
        assert row is not None
        state, _ = state_of(str(site / os.fsdecode(name)))
        known.add(settings, os.fsdecode(name), row._replace(state=state))
    known.commit()
    assert len({name for name, _ in rows}) == len(PAGES)
    assert audit(site, *cache) == cold


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_document_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    """Neither for its links, nor for what it includes; and no process is started."""
    later = time.time_ns() + 10_000_000_000
    (tmp_path / "a.html").write_text(f"{HEAD}<a href=no.html>")
    (tmp_path / "b.html").write_text(f"{HEAD}<a href=a.html>")
    monkeypatch.setattr(time, "time_ns", lambda: later)
    told = ["audit", "-j", jobs, "--cache", str(tmp_path / "kept"), str(tmp_path)]
    cold = CliRunner().invoke(cli, told)

    def never(*_: object) -> None:
        raise AssertionError

    for name in ("linkfix.files.access.open_file", "linkfix.files.cache.digest_of", "os.fork"):
        monkeypatch.setattr(name, never)
    warm = CliRunner().invoke(cli, told)
    assert (warm.exit_code, warm.stdout) == (cold.exit_code, cold.stdout)
    assert "no.html" in cold.stdout


def test_documents_in_containers_are_known_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container that is in another one too."""
    outer = tmp_path / "b.zip"

    def write(text: str) -> None:
        inner = BytesIO()
        with ZipFile(inner, "w") as book:
            book.writestr("a.html", f"{HEAD}{text}")
        with ZipFile(outer, "w") as container:
            container.writestr("c.epub", inner.getvalue())

    def said(*more: str) -> str:
        told = ["audit", "--select", "DEL", "--format", "jsonl", "-j1", *more, str(outer)]
        return CliRunner().invoke(cli, told).stdout

    write("<a href=' x'><a href=' y'>")
    kept = ["--cache", str(tmp_path / "kept")]
    cold = said(*kept)
    assert cold.count("c.epub!/a.html") == 2
    with monkeypatch.context() as patched:
        patched.setattr("linkfix.sites.documents.open_document", None)
        assert said(*kept) == cold
    write("<a href=' z'>")
    assert said(*kept) == said() != cold


def test_what_pages_include_is_kept_by_its_names(tmp_path: Path) -> None:
    """A file of that name may come and go."""
    page, part = tmp_path / "a.html", tmp_path / "sub" / "part.html"
    page.write_text(f"{HEAD}<!--#include virtual='sub/part.html' -->")
    part.parent.mkdir()

    def said(*more: str) -> str:
        told = ["audit", "--select", "TGT001", "--format", "jsonl", *more, str(tmp_path)]
        return CliRunner().invoke(cli, told).stdout

    kept = ["--cache", str(tmp_path / "kept")]
    assert said(*kept) == ""
    part.write_text("<a href=a.html><a href=gone.html>")
    assert said(*kept) == said(*kept) == said()
    assert said().count("gone.html") == said().count("\n") == 1
    page.write_text(HEAD)
    assert said(*kept) == said()
    assert "a.html" in said()


def test_a_cache_of_many_rows_has_them_all(tmp_path: Path) -> None:
    """What SQLite may do for one row does not count for the next."""
    cache = Cache(str(tmp_path / "c"))
    cache.add(b"key", "a", Row("1", b"d", b"", packed([])))
    cache.commit()
    assert None not in {cache.find(b"key", "a") for _ in range(20_000)}


def test_other_settings_have_other_results(site: Path) -> None:
    cache = ["--cache", str(site.parent / "cache")]
    settings = [
        ["--select", "TGT"],
        ["--normalize", "syntax"],
        ["--format=csv"],
        ["--base=http://example.org/"],
    ]
    expected = [audit(site, *some) for some in settings]
    assert len({one[1] for one in expected}) == len(settings)
    for _ in range(2):
        assert [audit(site, *some, *cache) for some in settings] == expected
    (site / "linkfix.toml").write_text('[audit.per-file-ignores]\n"a.html" = ["TGT"]\n')
    ignoring = audit(site, *cache)
    assert ignoring == audit(site)
    assert '"a.html"' in ignoring[1].replace("./", "")


def test_a_damaged_cache_costs_nothing_but_time(site: Path) -> None:
    cache = site.parent / "cache"
    plain = audit(site, "--cache", str(cache))
    with contextlib.closing(sqlite3.connect(cache)) as connection, connection:
        connection.execute("UPDATE documents SET record = x'00'")
    assert audit(site, "--cache", str(cache)) == plain


@pytest.mark.parametrize("content", [b"the work of years", b"SQLite format 3\0" + b"x" * 100])
def test_what_is_no_cache_is_left_as_it_is(site: Path, content: bytes) -> None:
    other = site.parent / "other"
    other.write_bytes(content)
    status, out, said = audit(site, "--cache", str(other))
    assert (status, out) == (2, "")
    assert "no cache" in said
    assert other.read_bytes() == content


def test_another_database_is_left_as_it_is(site: Path) -> None:
    other = site.parent / "other"
    with contextlib.closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    before = other.read_bytes()
    assert audit(site, "--cache", str(other))[0] == 2
    assert other.read_bytes() == before


@pytest.mark.parametrize("wrong", [["--fix"], ["--diff"], ["--schema", "x.xsd"]])
def test_a_cache_has_findings_only(site: Path, wrong: list[str]) -> None:
    (site / "x.xsd").write_text("<x/>")
    assert audit(site, "--cache", "../cache", *wrong)[0] == 2
    assert not (site.parent / "cache").exists()


def test_a_file_that_has_just_changed_is_known_by_its_octets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x")
    found = path.stat()
    newest = max(found.st_mtime_ns, found.st_ctime_ns)
    monkeypatch.setattr(time, "time_ns", lambda: newest + 1)
    assert state_of(str(path))[1]
    cache = Cache(str(tmp_path / "c"))

    def remember() -> list[Event]:
        done: list[Event] = [["document", str(path)], ["done", str(path), [path.read_text()], None]]
        key = str(path), 1, b"", b""
        if (known := recalled(cache, *key)) is not None:
            return [*starmap(value, known)]
        events = [*kept(*key, iter(done))]
        for kind, *about in events:
            if kind == "cached":
                assert about[1] == ""
                cache.store(about)
        cache.commit()
        return events

    assert len(remember()) == 3
    assert len(remember()) == 2
    path.write_bytes(b"y")
    assert remember()[-1] == ["done", str(path), ["y"], None]
    monkeypatch.setattr(time, "time_ns", lambda: newest + 10_000_000_000)
    assert not state_of(str(path))[1]


def test_records_survive(tmp_path: Path) -> None:
    events: list[Event] = [["document", "\udce9"], "\ud800 text".encode("utf-8", "surrogatepass")]
    cache = Cache(str(tmp_path / "c"))
    cache.add(b"key", "\udce9.html", Row("1", b"d", b"a", packed(events)))
    cache.commit()
    row = Cache(str(tmp_path / "c")).find(b"key", "\udce9.html")
    assert row is not None
    assert [*starmap(value, unpacked(row.record))] == events
    assert Cache(str(tmp_path / "c")).find(b"other", "\udce9.html") is None
    with pytest.raises(LinkfixError):
        Cache(str(tmp_path / "none" / "c"))


def test_a_record_that_is_damaged_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(HEAD)
    cache = Cache(str(tmp_path / "c"))
    cache.add(b"key", str(path), Row(state_of(str(path))[0], b"", b"", b"?"))
    cache.commit()
    assert recalled(cache, str(path), 1, b"key", b"") is None


def test_links_lead_to_all_variants_of_a_page_with_a_cache_too(tmp_path: Path) -> None:
    for name in ("b.html.de", "b.html.en", "c.html"):
        (tmp_path / name).write_text(HEAD)
    (tmp_path / "index.html").write_text(f"{HEAD}<a href=b.html>")
    told = ["audit", "--select", "TGT014", "--multiviews", "--format", "jsonl", str(tmp_path)]
    said = [
        CliRunner().invoke(cli, [*told, *more]).stdout
        for more in ([], *[["--cache", str(tmp_path / "c")]] * 2)
    ]
    assert [json.loads(line)["file"][-6:] for line in said[0].splitlines()] == ["c.html"]
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_pages_say_of_each_other_is_known_from_the_cache(tmp_path: Path, jobs: str) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name, text in (
        ("a", "<a href=b.html><a href=a.html><a href=c.html>"),
        ("b", "<link rel=canonical href=c.html><a href=c.html>"),
        ("c", "<link rel=canonical href=d.html>"),
        ("d", "<a href=c.html>"),
    ):
        (site / f"{name}.html").write_text(f"<meta charset=utf-8>{text}")
    told = ["audit", "--select", "TGT", "--format", "jsonl", "-j", jobs, "--cache"]

    def said(cache: str) -> set[tuple[str, str]]:
        done = CliRunner().invoke(cli, [*told, str(tmp_path / cache), str(site)])
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        return {(row["file"][-6], row["rule"]) for row in rows}

    wanted = {("a", "TGT014"), ("b", "TGT009")}
    assert said("kept") == said("kept") == wanted
    # b.html is linked by a.html only, and c.html by another page too.
    (site / "a.html").write_text("<meta charset=utf-8><a href=a.html>")
    assert said("kept") == said("new") == wanted | {("b", "TGT014")}


ESCAPES = "\x1b]0;PWNED\x07\x1b[2J\n::error file=x::boo\n"
NOTHING_FOUND = [
    ["document", "a.html"],
    ["done", "a.html", [4, 0, 0, 0, {}], None],
]


@pytest.mark.parametrize(
    "events",
    [
        NOTHING_FOUND,
        [["document", "a.html"], ESCAPES.encode(), ["done", "a.html", [0, 0, 0, 0, {}], None]],
        [["facts", 1, 2]],
        [["done"]],
        [3],
        [[]],
    ],
    ids=["hides", "escapes", "malformed", "short", "number", "empty"],
)
def test_a_cache_of_another_user_says_nothing(site: Path, events: list[Any]) -> None:
    path = site.parent / "cache"
    cold = audit(site, "--cache", str(path))
    record = packed([event if isinstance(event, list | bytes) else [event] for event in events])
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET record = ?", (record,))
    assert audit(site, "--cache", str(path)) == cold
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET record = ?, signature = 'x'", (record,))
    assert audit(site, "--cache", str(path)) == cold


def test_a_row_of_another_document_says_nothing(site: Path) -> None:
    path = site.parent / "cache"
    cold = audit(site, "--cache", str(path))
    columns = "state, digest, about, record, signature"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"UPDATE documents SET ({columns}) = (SELECT {columns} FROM documents AS other "
            "WHERE other.path > documents.path LIMIT 1)"
        )
    assert audit(site, "--cache", str(path)) == cold


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"


@pytest.mark.parametrize(
    "hostile",
    [
        f"DROP TABLE documents; CREATE VIEW documents AS SELECT x AS settings, x AS path, x AS state, x AS digest, x AS about, x AS record, x AS signature FROM ({ENDLESS})",
        f"CREATE VIEW other AS {ENDLESS}",
        "CREATE TRIGGER late AFTER INSERT ON documents BEGIN DELETE FROM documents; END",
        "CREATE INDEX more ON documents (state)",
        "ALTER TABLE documents ADD COLUMN more GENERATED ALWAYS AS (zeroblob(1000000000))",
    ],
    ids=["view", "beside", "trigger", "index", "column"],
)
def test_a_database_with_a_view_or_a_trigger_is_no_cache(site: Path, hostile: str) -> None:
    path = site.parent / "cache"
    audit(site, "--cache", str(path))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(hostile)
    status, out, said = audit(site, "--cache", str(path))
    assert (status, out) == (2, "")
    assert "no cache" in said


def test_a_pipe_is_no_cache(site: Path) -> None:
    os.mkfifo(site.parent / "cache")
    status, _, said = audit(site, "--cache", str(site.parent / "cache"))
    assert status == 2
    assert "no cache" in said


def test_the_key_is_for_this_user_only(site: Path, tmp_path: Path) -> None:
    path, state = str(site.parent / "cache"), tmp_path / "state"
    key = state / "linkfix" / "cache.key"

    def run(**variables: str) -> subprocess.CompletedProcess[bytes]:
        environment = os.environ | {"XDG_STATE_HOME": str(state), "LINKFIX_CACHE_KEY": ""}
        return processes.run("audit", "--cache", path, ".", cwd=site, env=environment | variables)

    time.sleep(2.1)  # a file that was changed just before is read again
    first = run()
    assert first.returncode == 1
    assert len(key.read_bytes()) == 32
    assert key.stat().st_mode & 0o777 == 0o600
    before = Path(path).read_bytes()
    again = run()
    assert (again.returncode, again.stdout) == (1, first.stdout)
    assert Path(path).read_bytes() == before
    assert run(LINKFIX_CACHE_KEY="other").stdout == first.stdout
    assert Path(path).read_bytes() != before
    for spoil in (lambda: key.chmod(0o644), lambda: key.write_bytes(b"short")):
        spoil()
        done = run()
        assert done.returncode == 2
        assert b"no key that only you can read" in done.stderr
        assert run(LINKFIX_CACHE_KEY="other").returncode == 1
    done = run(XDG_STATE_HOME="/dev/null/none")
    assert done.returncode == 2
    assert b"there is no key for the cache" in done.stderr


def test_a_cache_where_this_user_may_not_write_or_enter_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as something else that is in the way, and with the way out."""
    cache = Cache(str(tmp_path / "cache"))
    cache.add(b"", "a", Row("", b"", b"", b""))
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path or mode != os.W_OK)
    with pytest.raises(LinkfixError, match="cannot be written: Permission denied; name another"):
        cache.commit()
    assert not (tmp_path / "cache").exists()

    def closed(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(LinkfixError, match="cannot read it: Permission denied; check its perm"):
        Cache(str(tmp_path / "closed" / "cache"))
