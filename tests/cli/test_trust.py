"""Found files never make a command write, delete, import or run anything (docs/security.md)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click.utils
import pytest
from archives import Archive
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processes import run
from terminals import on_a_terminal

import linkfix as linkfix_package
from linkfix.cli.group import cli
from linkfix.errors import LinkfixError
from linkfix.files.journal import NAME
from linkfix.jobs.failures import to_plain
from linkfix.migration.destination import PROBE

DIRTY = b"<meta charset=utf-8><a href='/a b'>"
TEMPORARY = ".linkfix-0123456789abcdef.tmp"
if TYPE_CHECKING:
    from collections.abc import Mapping

#: What a terminal could act on: controls without the line feed, and bidi formatting.
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def unfinished(folder: Path) -> Path:
    """Make a tree with the journal of a run that could not do one document."""
    site = folder / "site"
    site.mkdir()
    for name in ("a.html", "b.html"):
        (site / name).write_bytes(DIRTY)
    (site / "b.html").chmod(0o444)
    assert run("rewrite", "-i", site).returncode == 3
    (site / "b.html").chmod(0o644)
    return site


def on_terminal(*arguments: str | Path, cwd: Path) -> str:
    """What a command writes to standard error, a terminal."""
    return on_a_terminal(*arguments, stream="stderr", cwd=cwd).replace("\r\n", "\n")


def add(site: Path, *records: Mapping[str, object]) -> None:
    with (site / NAME).open("a") as journal:
        journal.writelines(f"\n{json.dumps(record)}\n" for record in records)


# --- journals -------------------------------------------------------------------------------------


def test_a_journal_cannot_delete_another_file(tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("the work of years")
    site = unfinished(tmp_path)
    for record in (
        {"begin": str(site / "b.html"), "temporary": str(thesis)},
        {"begin": str(site / "b.html"), "target": str(site / "b.html"), "temporary": str(thesis)},
        {"begin": str(site / "b.html"), "target": str(thesis), "temporary": thesis.name},
    ):
        before = (site / NAME).read_bytes()
        add(site, record)
        done = run("rewrite", "-i", "--resume", site)
        assert done.returncode == 2, done.stderr
        assert b"did not write this journal for these folders" in done.stderr
        assert thesis.exists()
        assert (site / "b.html").read_bytes() == DIRTY
        (site / NAME).write_bytes(before)
    assert run("rewrite", "-i", "--resume", site).returncode == 0


def test_a_journal_is_not_written_through_a_symbolic_link(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("a.html", "b.html"):
        (site / name).write_bytes(DIRTY)
    for target in (tmp_path / "new", Path("/dev/zero")):
        (site / NAME).symlink_to(target)
        for command in (("rewrite", "-i", site), ("rewrite", "-i", "--resume", site)):
            done = run(*command)
            assert done.returncode == 2
            assert b"no journal but a link" in done.stderr
        (site / NAME).unlink()
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("command", "place", "hint"),
    [
        ("rewrite -i site", NAME, "move it away, or name another place with --journal"),
        ("mv --root site a.html c.html", NAME, "move it away"),
        ("migrate --base http://h.example/ --resume site new", NAME, "move it away"),
    ],
)
def test_a_file_in_the_place_of_a_journal_stays(
    tmp_path: Path, command: str, place: str, hint: str
) -> None:
    site = tmp_path / "site"
    (tmp_path / "new").mkdir()
    site.mkdir()
    for name in ("a.html", "b.html"):
        (site / name).write_bytes(DIRTY)
    journal = (tmp_path / "new" if "migrate" in command else site) / place
    journal.write_bytes(b"the work of years")
    done = run(*command.split(), cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.decode().rstrip().endswith(f"this is no journal; {hint}")
    assert journal.read_bytes() == b"the work of years"


def test_what_a_journal_says_is_harmless_on_a_terminal(tmp_path: Path) -> None:
    site = unfinished(tmp_path)
    result = {
        "sums": [1, 1, 0, 1, 0, 0, 0],
        "charset": "\x1b[2J",
        "problems": [[False, to_plain(LinkfixError("one\n\x1b]0;gone\x07\x9b2J\u202e"))]],
    }
    add(site, {"done": str(site / "a.html"), "result": result})
    said = on_terminal("rewrite", "-i", "--resume", site, cwd=tmp_path)
    assert "linkfix: one\\x0a\\x1b]0;gone\\x07\\x9b2J\\u{202E}\n" in said
    assert not HARMFUL.search(said)


def test_a_usage_error_is_harmless_on_a_terminal(tmp_path: Path) -> None:
    site = unfinished(tmp_path)
    header, *rest = (site / NAME).read_text().splitlines()[1:]
    fields = json.loads(header)
    fields["started"] = "\x1b[2J"
    fields["asked"] |= {"to": "\x1b[2J"}
    (site / NAME).write_text("\n".join([json.dumps(fields), *rest]))
    for command in (
        ("rewrite", "-i", site),
        ("rewrite", "-i", "--resume", site),
        ("rewrite", "-i", "--map", "\x1b[2J.csv", tmp_path),
        ("\x1b[2J",),
        ("--\x1b[2J",),
        ("audit", "--\x1b[2J"),
    ):
        said = on_terminal(*command, cwd=tmp_path)
        assert "x1b[2J" in said
        assert not HARMFUL.search(said), said


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=6) | st.just("\x1b[2J\x9b\u202e"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
results = st.fixed_dictionaries(
    {"sums": st.lists(st.integers(), min_size=6, max_size=8) | values},
    optional=dict.fromkeys(
        ("charset", "problems", "archive", "used", "changed", "unmatched"), values
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results | values)
def test_no_result_in_a_journal_is_a_traceback_or_harmful(
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    result: object,
) -> None:
    folder = tmp_path_factory.getbasetemp() / "results"
    if not folder.exists():
        folder.mkdir()
        site = unfinished(folder)
        (folder / "journal").write_bytes((site / NAME).read_bytes())
    site = folder / "site"
    (site / "b.html").write_bytes(DIRTY)
    (site / NAME).write_bytes((folder / "journal").read_bytes())
    add(site, {"done": str(site / "a.html"), "result": result})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click.utils, "should_strip_ansi", lambda *_, **__: False)
        with pytest.raises(SystemExit) as ended:
            cli(["rewrite", "-i", "--resume", str(site)], prog_name="linkfix")
    assert ended.value.code in {0, 2, 3}
    said = capsys.readouterr()
    assert not HARMFUL.search(said.err + said.out)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NAME, TEMPORARY, ".LINKFIX-journal", ".linkfix-x/page.html"])
def test_no_file_becomes_one_of_linkfix(tmp_path: Path, name: str) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / "a.html").write_bytes(DIRTY)
    (tmp_path / "map.csv").write_text(f"http://a.example/a.html,http://a.example/{name}\n")
    done = run("migrate", old, new, "--base", "http://a.example/", "--map", tmp_path / "map.csv")
    assert done.returncode == 2, done.stderr
    assert b"a name that linkfix keeps for its own files" in done.stderr
    assert not new.exists()


def test_a_document_does_not_replace_the_journal(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(DIRTY)
    (tmp_path / "a.html").write_bytes(DIRTY)
    done = run("rewrite", "-o", "out", NAME, "a.html", cwd=tmp_path)
    assert done.returncode == 3
    assert b"keeps names that begin with .linkfix-" in done.stderr
    assert (tmp_path / "out" / "a.html").exists()


def test_a_probe_that_was_left_does_not_stop_a_migration(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    (old / "a.html").write_bytes(DIRTY)
    (new / PROBE).touch()
    done = run("migrate", old, new)
    assert done.returncode == 1, done.stderr  # its link is broken
    assert [path.name for path in new.iterdir()] == ["a.html"]


# --- system calls ---------------------------------------------------------------------------------

_CALL = re.compile(r'\b(open|openat|socket|execve)\((?:AT_FDCWD, )?(?:"((?:[^"\\]|\\.)*)"|(\w+))')
#: What the interpreter and its packages read, and what is no file of anybody.
_PACKAGES = [path for path in sys.path if path.endswith("site-packages")]
_OWN = (
    sys.prefix,
    sys.base_prefix,
    *_PACKAGES,
    "/usr/",
    "/lib",
    "/etc/",
    "/dev/",
    "/proc/",
    "/sys/",
)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize(
    "command",
    [
        "extract --catalog catalog.xml .",
        "audit --fail-on never --catalog catalog.xml .",
        "rewrite -i --catalog catalog.xml .",
        "rewrite -o ../new --map map.csv .",
        "migrate . ../new",
        "rewrite -i --resume .",
        "extract crawl.warc.gz .",
        "audit --fail-on never --baseline baseline.json crawl.warc .",
        "rewrite -i --map hostile.csv crawl.warc crawl.warc.gz",
        "rewrite -o ../new --map hostile.csv .",
        "migrate --base http://a.example/ --map hostile.csv . ../new",
    ],
)
def test_no_command_opens_a_socket_or_another_file(tmp_path: Path, command: str) -> None:
    site, home = tmp_path / "site", tmp_path / "home"
    for folder in (site, home, site / "linkfix"):
        folder.mkdir()
    (home / "secret.xsd").write_text("<x/>")
    (site / "linkfix" / "__init__.py").write_text("open('pwned', 'w')")
    (site / "json.py").write_text("open('pwned', 'w')")
    (site / "out.html").symlink_to(home / "secret.xsd")
    (site / "map.csv").write_text("http://a.example/,http://b.example/,prefix\n")
    (site / "catalog.xml").write_text(
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
        "<rewriteURI uriStartString='http://s.example/' rewritePrefix='./'/></catalog>"
    )
    for number, location in enumerate(["../home/secret.xsd", "%2e%2e/home/secret.xsd", "x.xsd"]):
        (site / f"{number}.xml").write_text(
            f"<!DOCTYPE r [<!ENTITY e SYSTEM 'file://{home}/secret.xsd'>]>"
            "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
            f"xsi:noNamespaceSchemaLocation='http://s.example/{location}'>&e;</r>"
        )
    for number in range(30):
        (site / f"{number}.html").write_bytes(
            b"<base href='http://192.0.2.1/'><script src='file:///etc/passwd'></script>" + DIRTY
        )
    archive, compressed = Archive(compressed=False), Archive(compressed=True)
    for each in (archive, compressed):
        each.info()
        for uri in (f"file://{home}/secret.xsd", "../../home/secret.xsd", "http://192.0.2.1/a"):
            each.add(uri, (site / "0.xml").read_bytes() + DIRTY, "application/xml")
            each.add(uri, b"<base href='file:///etc/'><a href='passwd#x y'>" + DIRTY, "text/html")
    (site / "crawl.warc").write_bytes(archive.data)
    (site / "crawl.warc.gz").write_bytes(compressed.data)
    (site / "hostile.csv").write_text(
        f"http://192.0.2.1/,file://{home}/,prefix\n"
        f"file:///etc/passwd,http://192.0.2.1/{home}/secret.xsd\n"
        "http://a.example/1.html,http://a.example/%2e%2e/home/x.html\n"
        "http://a.example/2.html,http://a.example//etc/passwd\n"
    )
    (site / "baseline.json").write_text(
        json.dumps({"linkfix-baseline": 1, "findings": {f"{home}/secret.xsd": 1, "/etc/passwd": 2}})
    )
    (site / "pyproject.toml").write_text(
        "[tool.linkfix.site]\nbase = 'http://192.0.2.1/'\n"
        f"[tool.linkfix.audit.per-file-ignores]\n'{home}/*' = ['ENC']\n"
    )
    if "--resume" in command:
        (site / NAME).write_text(
            json.dumps({"linkfix-journal": 2, "asked": {}, "started": ""})
            + "\n"
            + json.dumps({"begin": "/a", "target": f"{home}/a", "temporary": TEMPORARY})
        )
    log = tmp_path / "calls"
    linkfix = Path(sys.executable).with_name("linkfix")
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "4096", "-e", "trace=open,openat,socket,execve", "-o", log,
         linkfix, *command.split()],
        stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=site, timeout=300,
    )  # fmt: skip
    assert not (site / "pwned").exists()
    # Only what is refused as a whole is not looked into.
    assert (done.returncode == 2) == ("--resume" in command), done.stderr
    seen = set()
    package = str(Path(linkfix_package.__file__).parents[1])  # its folder is searched for modules
    for line in log.read_text(errors="replace").splitlines():
        if (match := _CALL.search(line)) is None:
            continue
        call, name, word = match.groups()
        seen.add(call)
        if call == "socket":
            assert word == "AF_UNIX", line
            continue
        path = os.path.normpath(site / (name or ""))
        if path in {str(parent / "pyproject.toml") for parent in (site, *site.parents)}:
            continue
        assert not path.startswith(str(home)), line
        assert path.startswith((*_OWN, str(site), str(tmp_path / "new"), tempfile.gettempdir(), package)), line  # fmt: skip
        if call == "execve":
            assert path.startswith((sys.prefix, sys.base_prefix)), line
        assert path != "/etc/passwd", line
    assert {"openat", "execve"} <= seen
