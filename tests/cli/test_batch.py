"""Commands over many documents: whatever one document does, it costs no other, and it runs nothing."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

import packages
import processes
import pytest

import linkfix
from linkfix.cli.options.documents import JobOptions
from linkfix.files.tree import Selection
from linkfix.jobs.pool import WRITING, cores
from linkfix.sites.batch import Workers, gather

DIRTY = b"<meta charset=utf-8><a href='/a b'>"
CLEAN = b"<meta charset=utf-8><a href='/a%20b'>"
BOOM = b"<meta charset=utf-8><a href='/boom boom'>"

#: Runs linkfix with a fault in one function: it strikes where an argument speaks of "boom".
PLANTED = """
import importlib, os, signal, sys
module, kind, name, fault = sys.argv[1].split(":")
sys.argv[1:2] = []
owner = importlib.import_module(module)
owner = getattr(owner, kind) if kind else owner
real = getattr(owner, name)
def speaks(x):
    return "boom" in (x.decode("latin-1") if isinstance(x, bytes) else repr(x))
def planted(*arguments, **options):
    if any(map(speaks, arguments)):
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "memory":
            bytearray(1 << 50)
        if fault == "depth":
            return planted(*arguments, **options)
        if fault == "loop":
            while True:
                pass
        raise ZeroDivisionError(f"planted in {name}")
    return real(*arguments, **options)
for each in speaks, planted:  # the fault is linkfix's own
    each.__code__ = each.__code__.replace(co_filename=real.__code__.co_filename)
setattr(owner, name, planted)
"""
#: The function that converts the links of a document, by command.
CONVERTS = {
    "audit": "linkfix.iri.converter::plain_edits",
    "rewrite": "linkfix.rewriting.rewriter::plain_uris",
}
#: A function of each layer that a document passes, by command.
LAYERS = {
    "extract": ["linkfix.links.stream:LinkStream:read", "linkfix.extracting.extractor:Extractor:whole", "linkfix.cli.output::disarm"],
    "audit": ["linkfix.links.stream:LinkStream:read", "linkfix.auditing.auditor:Auditor:_read_link", CONVERTS["audit"], "linkfix.cli.formats.lines:Text:render"],
    "rewrite": ["linkfix.links.stream:LinkStream:read", "linkfix.rewriting.rewriter:Rewriter:whole", CONVERTS["rewrite"]],
    "migrate": ["linkfix.links.stream:LinkStream:read", "linkfix.migration.index:_Look:_record", "linkfix.transcoding.transcoder:Transcoder:feed"],
}  # fmt: skip


def planted(
    fault: str,
    *arguments: str | Path,
    stdin: BinaryIO | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return processes.run(fault, *arguments, stdin=stdin, cwd=cwd, before=PLANTED)


def site(root: Path, count: int = 6) -> Path:
    """Pages of which the one in the middle speaks of "boom"."""
    root.mkdir(parents=True)
    for number in range(count):
        (root / f"{number}.html").write_bytes(BOOM if number == count // 2 else DIRTY)
    return root


def arguments(command: str) -> list[str | Path]:
    """A command line; the folder of documents follows it."""
    return {
        "extract": ["extract"],
        "audit": ["audit", "--fail-on", "never"],
        "rewrite": ["rewrite", "-i"],
        "migrate": ["migrate", "--to", "uri"],
    }[command]  # type: ignore[return-value]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("command", "layer"), [(command, layer) for command in LAYERS for layer in LAYERS[command]]
)
def test_an_exception_costs_one_document(
    tmp_path: Path, command: str, layer: str, jobs: str
) -> None:
    pages = site(tmp_path / "site")
    place: list[str | Path] = [pages, tmp_path / "new"] if command == "migrate" else [pages]
    line = [*arguments(command), "-j", jobs, *place]
    done = planted(f"{layer}:raise", "--debug", *line)
    assert done.returncode == 3, done.stderr
    assert done.stderr.count(b"3.html: unexpected ZeroDivisionError: planted in") == 1
    assert b"please report it" in done.stderr
    assert b"Traceback (most recent call last)" in done.stderr
    if command == "rewrite":
        assert (pages / "3.html").read_bytes() == BOOM
        assert [path.read_bytes() for path in sorted(pages.glob("*.html"))].count(CLEAN) == 5
    elif command == "migrate":
        is_copied = layer != "linkfix.migration.index:_Look:_record"  # which only examines it
        assert ((tmp_path / "new" / "3.html").read_bytes() == BOOM) is is_copied
        assert (tmp_path / "new" / "4.html").read_bytes() == CLEAN
    else:
        assert all(b"%d.html:" % number in done.stdout for number in (0, 1, 2, 4, 5))
        assert b"3.html:" not in done.stdout


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("kill", b"the process that worked on it was killed (SIGKILL)"),
        ("memory", b"there is not enough memory for it; raise --memory"),
        ("depth", b"unexpected RecursionError: maximum recursion depth exceeded"),
        ("loop", b"it took more than 2 seconds of processor time; raise --timeout"),
    ],
)
@pytest.mark.parametrize("command", ["audit", "rewrite"])
def test_a_fault_costs_one_document(tmp_path: Path, command: str, fault: str, said: bytes) -> None:
    pages = site(tmp_path / "site", 40)
    line = [*arguments(command), "-j", "2", "--timeout", "2", pages]
    done = planted(f"{CONVERTS[command]}:{fault}", *line)
    assert done.returncode == 3, done.stderr
    assert b"20.html: " + said in done.stderr
    assert b"Traceback" not in done.stderr
    if command == "rewrite":
        assert [path.read_bytes() for path in pages.glob("*.html")].count(CLEAN) == 39
    else:
        assert b"39 documents, 39 links" in done.stderr
        assert b"1 document could not be processed" in done.stderr


@pytest.mark.parametrize("command", ["extract", "audit", "rewrite"])
def test_an_exception_in_a_single_document(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.html").write_bytes(BOOM)
    layer = LAYERS[command][1]
    for paths in (["a.html"], []):
        with (tmp_path / "a.html").open("rb") as file:
            done = planted(f"{layer}:raise", command, *paths, stdin=file, cwd=tmp_path)
        if paths or command != "rewrite":  # standard input is fed in chunks, not as a whole
            assert done.returncode == 3, done.stderr
            assert b"unexpected ZeroDivisionError: planted in" in done.stderr
            assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["extract", "audit", "rewrite"])
def test_an_exception_costs_one_record_of_an_archive(tmp_path: Path, command: str) -> None:
    pytest.importorskip("warcio")
    from archives import Archive

    archive = Archive(compressed=False)
    for number in range(3):
        archive.add(f"http://e.example/{number}", BOOM if number == 1 else DIRTY)
    (tmp_path / "a.warc").write_bytes(archive.file.getvalue())
    options = {"rewrite": ["-i"], "audit": ["--fail-on", "never"]}.get(command, [])
    layer = "linkfix.links.stream:LinkStream:read"
    done = planted(f"{layer}:raise", command, *options, "a.warc", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert b"#http://e.example/1: unexpected ZeroDivisionError: planted in read" in done.stderr
    if command == "rewrite":
        now = (tmp_path / "a.warc").read_bytes()
        assert (now.count(b"/a%20b"), now.count(b"/boom boom"), now.count(b"/a b")) == (2, 1, 0)
    else:
        assert done.stdout.count(b"/a b") == 2


def test_nothing_of_the_current_folder_is_imported(tmp_path: Path) -> None:
    pages = site(tmp_path / "site", 30)
    trap = f"open({str(tmp_path / 'sprung')!r}, 'a').write(__name__)\n"
    for name in ("linkfix/__init__.py", "linkfix/site/__init__.py", *(f"{module}.py" for module in ("json", "pickle", "click", "signal", "resource", "tempfile", "concurrent", "rich", "idna"))):  # fmt: skip
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(trap)
    script = str(Path(sys.executable).with_name("linkfix"))
    for line in (["extract"], ["audit"], ["rewrite", "-i"], ["migrate", ".", tmp_path / "new"]):
        paths = [] if line[0] == "migrate" else ["."]
        done = subprocess.run(
            [script, *line, "-j", "2", *paths], cwd=pages, capture_output=True, check=False
        )
        assert b"Traceback" not in done.stderr
    assert not (tmp_path / "sprung").exists()


def test_no_module_can_run_what_a_document_says() -> None:
    """Pickle, marshal and the like are no part of linkfix, nor is multiprocessing, which pickles."""
    root = Path(linkfix.__file__).parent
    unsafe = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "multiprocessing"}
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not {name.partition(".")[0] for name in names} & unsafe, path


def test_a_program_for_an_unpickler_is_not_run(tmp_path: Path) -> None:
    for number in range(24):
        page = b"<meta charset=utf-8>" + b"".join(
            b"<a href=\"http://[/%d-%d%scos\nsystem\n(S'touch %s'\ntR.\">\n"
            % (number, link, b"N" * (link % 50), os.fsencode(tmp_path / "run"))
            for link in range(100)
        )
        (tmp_path / f"{number}.html").write_bytes(page)
    done = processes.run(
        "audit", "-q", "-j", "2", "--fail-on", "never", "--format", "jsonl", tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert len({json.loads(line)["file"] for line in done.stdout.splitlines()}) == 24
    assert not (tmp_path / "run").exists()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of which every line is a finding, one of them much larger than the others."""
    root = tmp_path_factory.mktemp("large")
    for number in range(12):
        links = b"".join(
            b'<a href="/a b%d-%d%b">\n' % (number, link, b"-" * 150)
            for link in range(1000 if number == 3 else 130)
        )
        (root / f"{number}.html").write_bytes(b"<meta charset=utf-8>" + links)
    return root


@pytest.mark.nightly
@pytest.mark.parametrize(
    "line",
    [
        *(["audit", "--fail-on", "never", "-q", "--format", form] for form in ("text", "jsonl", "sarif", "github", "junit", "csv", "html")),
        ["audit", "-q", "--fail-on", "never", "--diff"],
        *(["extract", "--format", form] for form in ("text", "jsonl", "csv")),
        ["rewrite", "-q", "--diff"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_large_outputs_are_the_same_whatever_the_number_of_processes(
    large: Path, line: list[str]
) -> None:
    one, two = (processes.run(*line, "-j", jobs, large) for jobs in ("1", "2"))
    assert (one.returncode, one.stderr) == (0, b"")
    assert len(one.stdout) > 300_000
    assert (two.returncode, two.stdout == one.stdout) == (0, True)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site(tmp_path_factory.mktemp("many") / "site", 3000)


@pytest.mark.parametrize("command", ["audit", "extract"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_no_process(
    many: Path, tmp_path: Path, command: str, number: signal.Signals
) -> None:
    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "linkfix", command, "-j", "2", str(many)],
            stdout=out,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        while process.poll() is None and (tmp_path / "out").stat().st_size < 10_000:
            time.sleep(0.01)
        os.killpg(process.pid, number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert b"Traceback" not in said
    assert b"stopped after " in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(("mebibytes", "cost"), [(128, 1), (32, WRITING)])
@pytest.mark.parametrize(("more", "jobs"), [(0, 1), (1, cores())])
def test_several_processes_start_where_there_is_much_to_do(
    mebibytes: int, cost: int, more: int, jobs: int, tmp_path: Path
) -> None:
    size = (mebibytes << 20) + more
    for name, length in (("a.html", size - 1), ("b.html", 1)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(length)
    paths = [str(tmp_path)]
    assert gather(paths, Selection(), Workers(), cost=cost).jobs == jobs
    assert gather(paths, Selection(), Workers(), cost=0).jobs == 1
    assert gather(paths, Selection(), JobOptions(jobs=3).workers(), cost=cost).jobs == 3


@pytest.mark.parametrize("options", [("rewrite", "-i"), ("audit", "--fix", "--ignore", "TGT")])
def test_a_name_that_leaves_other_hard_links_behind_is_said(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("a.html", "b.html"):
        (site / name).write_bytes(DIRTY)
    (tmp_path / "other.html").hardlink_to(site / "a.html")
    done = packages.run(*options, site)
    assert done.stderr.count("hard link") == 1
    assert f"{site}/a.html: it was one of several hard links; the others keep" in done.stderr
    assert (site / "a.html").read_bytes() == CLEAN
    assert (tmp_path / "other.html").read_bytes() == DIRTY


@pytest.mark.parametrize("line", [["rewrite", "-i"], ["audit", "--fix"]], ids=" ".join)
def test_a_named_pipe_is_not_replaced(tmp_path: Path, line: list[str]) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    done = processes.run(*line, tmp_path / "pipe.html", timeout=60)
    assert done.returncode == 3
    assert b"pipe.html: it is not a regular file, so it cannot be replaced" in done.stderr
