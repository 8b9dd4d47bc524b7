"""Commands over folders: the same output whatever the number of processes, nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import processes
import pytest

from linkfix.files.journal import NAME, Journal

DIRTY = b"<meta charset=utf-8><a href='/a b'>"
CLEAN = b"<meta charset=utf-8><a href='/a%20b'>"
#: Applied twice, it would move links twice.
MAP = "http://a.example/,http://b.example/,prefix\nhttp://b.example/,http://c.example/,prefix\n"


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "linkfix", *map(str, arguments)]


def make(root: Path, *names: str, content: bytes = DIRTY) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Every file of a folder that is one; the journal's name may vary."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def own_files(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".linkfix*")]


@pytest.fixture
def varied(tmp_path: Path) -> Path:
    """A site in which documents are compared with each other, and some fail."""
    site = tmp_path / "site"
    chance = random.Random(1)
    for number in range(24):
        links = "".join(
            f"<a href='{chance.choice(['x', 'X', '%78', 'y z', '/é', 'http://h.example', 'HTTP://h.example/', '../x'])}'>\n"
            for _ in range(chance.randrange(12))
        )
        page = f"<meta charset=utf-8>{links}<base href='http://e.example/'>"
        make(site, f"{number % 7}/{number}.html", content=page.encode() * chance.choice([1, 1, 10]))
    make(site, "3/bad.xml", "bad.svg", content=b"<svg xmlns='http://www.w3.org/2000/svg'><a href='x y'/>")  # fmt: skip
    return site


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract"],
        ["extract", "--format", "csv", "--base", "http://e.example/d/"],
        ["audit"],
        ["audit", "--format", "sarif"],
        ["audit", "--diff"],
        ["rewrite", "--diff", "--to", "iri"],
        ["rewrite", "--dry-run", "-q"],
    ],
)
def test_output_is_the_same_whatever_the_number_of_processes(
    varied: Path, arguments: list[str]
) -> None:
    one, three = (
        processes.run(*arguments, "-j", jobs, "site", cwd=varied.parent) for jobs in ("1", "3")
    )
    assert one.returncode == 3
    assert one.stdout
    assert b"bad.svg:1:" in one.stderr
    if "rewrite" not in arguments or "-q" in arguments:  # a summary has the seconds
        assert three.stderr == one.stderr
    assert (three.stdout, three.returncode) == (one.stdout, one.returncode)


def test_an_audit_compares_documents_of_different_processes(varied: Path) -> None:
    done = processes.run("audit", "-j", "2", "--select", "SIT", "--format", "jsonl", varied)
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert {finding["rule"] for finding in findings} >= {"SIT001", "SIT003"}


@pytest.mark.parametrize("arguments", [["rewrite", "-i"], ["audit", "--fix"]])
def test_files_are_the_same_whatever_the_number_of_processes(
    varied: Path, arguments: list[str]
) -> None:
    results = []
    for jobs in ("1", "3"):
        copy = varied.with_name(f"copy{jobs}")
        shutil.copytree(varied, copy)
        assert processes.run(*arguments, "-j", jobs, copy).returncode == 3
        results.append(contents(copy))
    assert results[0] == results[1] != contents(varied)
    assert own_files(varied.parent) == []


def test_a_folder_is_rewritten_in_place(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "b/c.htm", ".git/d.html", "drafts/e.html")
    make(site, "clean.html", content=CLEAN)
    make(site, "photo.jpg", content=b"\xff\xd8" + DIRTY)
    before = {path: path.stat() for path in (site, site / "clean.html", site / "photo.jpg")}
    done = processes.run("rewrite", "-i", site, "--exclude", "drafts/")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"linkfix: 3 documents: 2 links rewritten in 2 documents; passed over: 1 other file, 1 excluded path, 1 hidden path; " in done.stderr  # fmt: skip
    assert contents(site) == {
        ".git/d.html": DIRTY,
        "a.html": CLEAN,
        "b/c.htm": CLEAN,
        "clean.html": CLEAN,
        "drafts/e.html": DIRTY,
        "photo.jpg": b"\xff\xd8" + DIRTY,
    }
    for path in (site / "clean.html", site / "photo.jpg"):
        assert (path.stat().st_ino, path.stat().st_mtime_ns) == (
            before[path].st_ino,
            before[path].st_mtime_ns,
        )
    assert processes.run("rewrite", "-i", "-q", site).stderr == b""


def test_a_diff_of_one_document_does_not_say_that_it_was_rewritten(tmp_path: Path) -> None:
    make(tmp_path, "x.html", content=DIRTY)
    done = processes.run("rewrite", "--diff", tmp_path / "x.html")
    assert b"x.html: 1 link to be rewritten" in done.stderr


def test_dry_run_and_diff_write_nothing(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "b.html")
    make(site, "clean.html", content=CLEAN)
    before = contents(tmp_path)
    done = processes.run("rewrite", "--dry-run", "-i", "site", cwd=tmp_path)
    assert (
        done.stdout == b"site/a.html: 1 link to be rewritten\nsite/b.html: 1 link to be rewritten\n"
    )
    assert b"3 documents: 2 links to be rewritten in 2 documents" in done.stderr
    diff = processes.run("rewrite", "--diff", "-o", "out", "site", cwd=tmp_path).stdout
    assert diff.startswith(b"--- site/a.html\n+++ site/a.html\n@@ -1 +1 @@\n-<meta")
    assert contents(tmp_path) == before
    assert processes.run("rewrite", site).returncode == 2
    assert processes.run("rewrite", "-i", "-o", "out", site).returncode == 2
    assert processes.run("rewrite", "--resume", site / "a.html").returncode == 2


def test_a_folder_is_mirrored_in_another(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "b/c/d.html")
    make(site, "photo.jpg", content=b"\xff\xd8")
    (site / "a.html").chmod(0o640)
    outside = make(tmp_path / "outside", "kept.html", content=b"kept")
    out = make(tmp_path / "out", "b/c/d.html", content=b"old")
    (out / "a.html").symlink_to(outside / "kept.html")
    for _ in range(2):
        done = processes.run("rewrite", "-o", "out", "site", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert contents(out) == {"a.html": CLEAN, "b/c/d.html": CLEAN}
    assert not (out / "a.html").is_symlink()
    assert (out / "a.html").stat().st_mode & 0o777 == 0o640
    assert contents(outside) == {"kept.html": b"kept"}
    assert (site / "a.html").read_bytes() == DIRTY
    assert own_files(tmp_path) == []


def test_nothing_is_written_outside_of_the_folder(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a/x.html", "b/x.html", "c.html")
    outside = make(tmp_path / "outside", "x.html", content=b"kept")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").symlink_to(outside)
    done = processes.run("rewrite", "-o", out, site)
    assert done.returncode == 3
    assert b"a symbolic link leads out of" in done.stderr
    assert contents(outside) == {"x.html": b"kept"}
    assert (out / "b/x.html").read_bytes() == CLEAN
    refused = processes.run("rewrite", "-o", out, site / "a/x.html", site / "b/x.html")
    assert refused.returncode == 2
    assert b"would both become x.html" in refused.stderr
    for place in (site, site / "../site/a/..", site / "new", site / "a"):
        refused = processes.run("rewrite", "-o", place, site)
        assert refused.returncode == 2
        assert (
            b"whose documents are read; name a folder beside it, or use --in-place"
            in refused.stderr
        )
    assert not (site / "new").exists()
    same = processes.run("rewrite", "-o", site, site / "c.html")
    assert same.returncode == 3
    assert b"would take the place of the old one" in same.stderr
    assert (site / "c.html").read_bytes() == DIRTY


def test_backups(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "b.html", "c.html")
    make(site, "clean.html", content=CLEAN)
    make(site, "b.html.orig", content=b"an earlier one")
    inode = (site / "a.html").stat().st_ino
    done = processes.run("rewrite", "-i", "--backup", ".orig", site)
    assert done.returncode == 3
    assert b"an earlier backup is in the way, b.html.orig; the file was left as it is" in done.stderr  # fmt: skip
    assert contents(site) | {NAME: b""} == {
        NAME: b"",  # since trying again can do better
        "a.html": CLEAN,
        "a.html.orig": DIRTY,
        "b.html": DIRTY,
        "b.html.orig": b"an earlier one",
        "c.html": CLEAN,
        "c.html.orig": DIRTY,
        "clean.html": CLEAN,
    }
    assert (site / "a.html.orig").stat().st_ino == inode
    (site / "b.html.orig").unlink()
    assert processes.run("rewrite", "-i", "--backup", ".orig", "--resume", site).returncode == 0
    assert (site / "b.html.orig").read_bytes() == DIRTY
    assert own_files(site) == []
    assert processes.run("rewrite", "-i", "--backup", "/x", site).returncode == 2


def test_failures_cost_one_document_each_and_can_be_gone_on_with(tmp_path: Path) -> None:
    site = make(tmp_path / "site", *(f"{number}.html" for number in range(30)))
    make(site, "large.html", content=DIRTY * 2_000)
    make(site, "bad.xml", content=b"<a>")
    (site / "read-only.html").write_bytes(DIRTY)
    (site / "read-only.html").chmod(0o444)

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    line = command("rewrite", "-i", "-j", "2", site, site / "gone.html")
    # Byte code that does not fit would be written in part.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        line, capture_output=True, check=False, preexec_fn=small_disk, env=environment
    )
    assert done.returncode == 3
    assert b"large.html: cannot write it: File too large" in done.stderr
    assert b"read-only.html: the file is read-only; it was left as it is; make it writable" in done.stderr  # fmt: skip
    assert b"gone.html: cannot read it: No such file or directory; check the name" in done.stderr
    assert b"bad.xml:1:4: not well-formed XML" in done.stderr
    assert b"30 documents: 30 links rewritten in 30 documents; besides, 4 documents could not be processed" in done.stderr  # fmt: skip
    assert (site / "large.html").read_bytes() == DIRTY * 2_000
    assert (site / "read-only.html").read_bytes() == DIRTY
    assert all((site / f"{number}.html").read_bytes() == CLEAN for number in range(30))
    (journal,) = own_files(site)
    again = processes.run("rewrite", "-i", site, site / "gone.html")
    assert again.returncode == 2
    assert (
        b"is not finished; documents that are done: 30; go on with it with --resume" in again.stderr
    )
    (site / "read-only.html").chmod(0o644)
    (site / "bad.xml").write_bytes(b"<a/>")
    make(site, "gone.html")
    last = processes.run("rewrite", "-i", "--resume", site, site / "gone.html")
    assert last.returncode == 0, last.stderr
    assert own_files(site) == []
    assert journal.startswith(NAME)
    assert (site / "large.html").read_bytes() == CLEAN * 2_000


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    first = make(tmp_path / "first", "a.html", "b.html")
    script = f"""
import os, sys
from linkfix.cli.group import cli
def rewrite(*arguments):
    try:
        cli.main(["rewrite", "-i", *arguments], standalone_mode=False)
    except SystemExit as end:
        return end.code
for first in {[str(first / "a.html"), str(first)]!r}:  # so that this process imports everything
    rewrite("-j", "1", first) if os.path.isdir(first) else rewrite(first)
if os.geteuid() == 0:  # whom nothing is forbidden
    os.seteuid(65534)
sys.exit(rewrite("-j", "1", "."))
"""
    with tempfile.TemporaryDirectory() as name:
        site = make(Path(name), "open/a.html", "shut/b.html")
        if os.geteuid() == 0:
            for path in (site, *site.rglob("*")):
                os.chown(path, 65534, 65534)
        (site / "shut").chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=site, capture_output=True, check=False, timeout=60
        )
        (site / "shut").chmod(0o755)
        assert b"./shut/b.html: cannot write it: Permission denied; check its permissions" in done.stderr  # fmt: skip
        assert b"1 document could not be processed" in done.stderr
        assert (site / "open/a.html").read_bytes() == CLEAN
        assert (site / "shut/b.html").read_bytes() == DIRTY


def test_odd_paths_neither_escape_nor_hang(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "x" * 250 + ".html", "line\nfeed.html", "--help.html")
    odd = os.fsencode(site) + b"/\x83\x5c\xff.html"
    shutil.copyfile(site / "a.html", odd)
    outside = make(tmp_path / "outside", "secret.html")
    (site / "out.html").symlink_to(outside / "secret.html")
    (site / "outside").symlink_to(outside)
    (site / "loop").symlink_to(".")
    (site / "self.html").symlink_to("self.html")
    os.mkfifo(site / "pipe.html")
    out = tmp_path / "out"
    audit = ["audit", "--ignore", "TGT"]
    for arguments in (["rewrite", "-o", out], ["rewrite", "-i", "-j", "2"], ["extract"], audit):
        done = processes.run(*arguments, site)
        assert done.returncode == 0, done.stderr
    assert contents(outside) == {"secret.html": DIRTY}
    assert set(contents(site).values()) == {CLEAN}
    assert contents(site).keys() == contents(out).keys()
    assert len(contents(out)) == 5
    assert b"\\x83\\\\xff.html" in processes.run("extract", site).stdout.replace(b"\\x5c", b"\\")


def test_a_named_pipe_is_a_stream(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen(command("extract", tmp_path / "pipe"), stdout=subprocess.PIPE)
    with (tmp_path / "pipe").open("wb") as pipe:
        pipe.write(DIRTY)
    out, _ = process.communicate(timeout=60)
    assert b"/a b" in out


def test_a_named_pipe_is_read_once_though_its_links_are_like_those_of_others(
    tmp_path: Path,
) -> None:
    make(tmp_path, "page.html", content=b"<meta charset=utf-8><a href='a'>")
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    arguments = ("audit", "-j", "2", "--format", "jsonl", tmp_path / "page.html", pipe)
    with subprocess.Popen(command(*arguments), stdout=subprocess.PIPE) as process:
        pipe.write_bytes(b"<meta charset=utf-8><a href='A'>")
        out, _ = process.communicate(timeout=60)
    assert [json.loads(line)["rule"] for line in out.splitlines()] == ["SIT003"]


def test_an_audit_is_written_to_a_named_pipe_and_leaves_it_there(tmp_path: Path) -> None:
    make(tmp_path, "a.html")
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen(
        command("audit", "a.html", "--fail-on", "never", "-o", "pipe"), cwd=tmp_path
    )
    assert b"DEL002" in (tmp_path / "pipe").read_bytes()
    assert process.wait(60) == 0
    assert (tmp_path / "pipe").is_fifo()


def test_one_run_at_a_time_and_the_same_options(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html", "b.html")
    journal = Journal(site / NAME, {})
    refused = processes.run("rewrite", "-i", site)
    assert refused.returncode == 2
    assert b"another run of linkfix is at work here" in refused.stderr
    journal.close(whole=False)
    refused = processes.run("rewrite", "-i", "--resume", site)
    assert refused.returncode == 2
    assert b"the unfinished run was asked for something else" in refused.stderr
    (site / NAME).unlink()
    assert contents(site) == {"a.html": DIRTY, "b.html": DIRTY}


def test_a_run_that_resumes_nothing_begins_unless_its_map_would_be_applied_twice(
    tmp_path: Path,
) -> None:
    site = make(tmp_path / "site", "a.html", "b.html")
    for place in (["-o", tmp_path / "out"], ["-i"]):
        begun = processes.run("rewrite", *place, "--resume", site)
        assert begun.returncode == 0
        assert b"no unfinished run is recorded here; this one begins" in begun.stderr
        assert contents(site if place == ["-i"] else tmp_path / "out") == {
            "a.html": CLEAN,
            "b.html": CLEAN,
        }
    (tmp_path / "map.csv").write_text("http://e.example/,http://f.example/\n")
    options = ["rewrite", "-i", "--map", tmp_path / "map.csv"]
    make(site, "a.html")
    done = processes.run(*options, "--resume", site)
    assert (done.returncode, contents(site)) == (0, {"a.html": DIRTY, "b.html": CLEAN})
    assert b"no unfinished run is recorded here; if the last run gave its summary" in done.stderr
    assert own_files(tmp_path) == []


def test_a_run_over_nothing_leaves_nothing_in_the_way_of_the_next(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "a.html")
    make(site, "broken.xml", content=b"<rss><link>")
    for nothing in (site / "*.foo", site / "*.xml"):
        assert processes.run("rewrite", "-o", tmp_path / "out", nothing).returncode == 3
        assert own_files(tmp_path) == []
    assert processes.run("rewrite", "-o", tmp_path / "out", site).returncode == 3
    assert contents(tmp_path / "out") == {"a.html": CLEAN}


OLD = b"<meta charset=utf-8><a href='http://a.example/%d'><a href='http://b.example/%d'>"
NEW = b"<meta charset=utf-8><a href='http://b.example/%d'><a href='http://c.example/%d'>"


def mapped_site(folder: Path, count: int) -> list[tuple[Path, bytes, bytes]]:
    """Create pages; return each with its bytes before and after the map was applied once."""
    pages = []
    for number in range(count):
        path = folder / f"{number % 50}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        old, new = (text % (number, number) for text in (OLD, NEW))
        path.write_bytes(old)
        pages.append((path, old, new))
    return pages


@pytest.mark.parametrize(
    ("jobs", "number"),
    [("1", signal.SIGINT), ("2", signal.SIGTERM), ("1", signal.SIGHUP), ("2", signal.SIGHUP)],
)
def test_a_run_that_is_stopped_says_so_and_goes_on(
    tmp_path: Path, jobs: str, number: signal.Signals
) -> None:
    site = tmp_path / "site"
    pages = mapped_site(site, 600)
    (tmp_path / "map.csv").write_text(MAP)
    report = tmp_path / "report.jsonl"
    arguments: list[str | Path] = ["rewrite", "-i", "-j", jobs, "--map", tmp_path / "map.csv", "--report", report, site]  # fmt: skip
    process = subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, start_new_session=True)
    journal = site / NAME
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > 10_000):
        time.sleep(0.01)
    os.killpg(process.pid, number)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert b"Traceback" not in said
    assert b" of 600 documents; go on with --resume" in said
    assert own_files(site) == [NAME]
    states = {path: path.read_bytes() for path, _, _ in pages}
    assert all(states[path] in (old, new) for path, old, new in pages)
    last = processes.run(*arguments, "--resume")
    assert last.returncode == 0, last.stderr
    assert b"600 documents: 1,200 links rewritten in 600 documents" in last.stderr
    assert b"0 of 2 rules were never used" in last.stderr
    assert all(path.read_bytes() == new for path, _, new in pages)
    assert own_files(site) == []
    # The report is that of one run, in the order of the documents.
    lines = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert len(lines) == 1200
    assert [line["file"] for line in lines] == sorted(line["file"] for line in lines)


@pytest.mark.nightly
def test_killed_at_fifty_random_moments(tmp_path: Path) -> None:
    """Each file is at every moment the old bytes or the new, and each link moves once."""
    site = tmp_path / "site"
    pages = mapped_site(site, 5000)
    (tmp_path / "map.csv").write_text(MAP)
    arguments: list[str | Path] = ["rewrite", "-i", "-j", "2", "--map", tmp_path / "map.csv", site]
    chance = random.Random(50)
    kills = 0
    waits = 0.25
    done: set[Path] = set()
    while True:
        resume = ["--resume"] if (site / NAME).exists() else []
        try:
            seconds = waits * chance.uniform(0.5, 1.5) if kills < 50 else 100
            # The parent alone is killed, or every process at once.
            run = processes.run(*arguments, *resume, timeout=seconds, group=chance.random() < 0.5)
            status, said = run.returncode, run.stderr
        except subprocess.TimeoutExpired as killed:
            status, said = -signal.SIGKILL, killed.stderr or b""
            kills += 1
        new = set()
        for path, before, after in pages:
            now = path.read_bytes()
            assert now in (before, after)
            if now == after:
                new.add(path)
        assert new >= done
        waits *= 1.02 if new == done else 1.0  # a busy machine needs time for its work
        done = new
        if b" documents: " in said:
            assert status in (0, -signal.SIGKILL), said
            break
    assert len(done) == 5000
    assert kills >= 20
    assert set(own_files(site)) <= {NAME}
    print(f"{kills} kills")
