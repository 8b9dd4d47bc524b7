"""``linkfix audit --changed``: what differs from a revision of a real repository."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, Any

import processes
import pytest
from click.testing import CliRunner, Result

from linkfix.cli.group import cli
from linkfix.errors import UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("dulwich", reason="the extra git is not installed")

HEAD = "<!doctype html><meta charset=utf-8><title>t</title>"
#: Five lines that make a page recognisable after an edit.
TEXT = "".join(f"<p>line {number} of this page\n" for number in range(9))


def git(folder: Path, *arguments: str) -> None:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.example", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.example"}  # fmt: skip
    subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-C", folder, *arguments],
        check=True,
        capture_output=True,
        env=os.environ | names | {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)},
    )


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")


def put(folder: Path, name: str, body: str) -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(HEAD + body, "utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "repo" / "site"
    folder.mkdir(parents=True)
    git(tmp_path / "repo", "init", "-q")
    put(
        folder,
        "index.html",
        '<a href="d/a.html">1</a><a href="d/">2</a><a href="nope.html">3</a><a href="/a b">4</a>',
    )
    put(folder, "d/index.html", f"{TEXT}<a href='a.html'>")
    put(folder, "d/a.html", "<a href='/a b'>bad</a><p id=x>")
    put(folder, "other.html", "<a href='/c d'>bad</a><a href='d/a.html#x'>")
    commit(tmp_path / "repo")
    return folder


def audit(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["audit", "--format", "jsonl", *arguments, str(folder)])


def findings(folder: Path, *arguments: str) -> list[tuple[str, str, str]]:
    done = audit(folder, *(arguments or ("--changed",)))
    assert done.exit_code in {0, 1}, done.output
    rows: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return [(os.path.relpath(row["file"], folder), row["rule"], row["value"]) for row in rows]


def test_nothing_has_changed(site: Path) -> None:
    done = audit(site, "--changed")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "0 documents" in done.stderr


def test_changed_and_new_documents_are_audited_whole(site: Path) -> None:
    put(site, "other.html", "<a href='/c d'>bad</a><a href='d/a.html#y'>")
    put(site, "new.html", "<a href='gone.html'>")
    assert findings(site) == [
        ("other.html", "DEL002", "/c d"),
        ("new.html", "TGT001", "gone.html"),
        ("other.html", "TGT001", "/c d"),
        ("other.html", "TGT005", "d/a.html#y"),
    ]


def test_links_to_a_deleted_file(site: Path) -> None:
    (site / "d" / "a.html").unlink()
    assert findings(site) == [
        ("d/index.html", "TGT001", "a.html"),
        ("index.html", "TGT001", "d/a.html"),
        ("other.html", "TGT001", "d/a.html#x"),
    ]


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_renamed_file_is_named(site: Path, is_edited: bool) -> None:
    (site / "d" / "index.html").rename(site / "start.html")
    if is_edited:
        put(site, "start.html", f"{TEXT.replace('line 3', 'row 3')}<a href='d/a.html'>")
    done = audit(site, "--changed", "-q", "--select", "TGT")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(os.path.relpath(row["file"], site), row["value"]) for row in rows]
    messages = [row["message"] for row in rows]
    assert ("index.html", "d/") in found
    assert all("near: start.html" in message for message in messages if "folder" in message)
    assert any("near: start.html" in message for message in messages)


def test_the_command_that_rewrites_the_links_is_named(site: Path) -> None:
    (site / "d").rename(site / "e f")
    (site / "other.html").rename(site / "also.html")
    done = audit(site, "--changed")
    said = [line.partition("links: ")[2] for line in done.stderr.splitlines() if "renamed" in line]
    assert said == [
        f"linkfix mv --after --root {site} d 'e f'",
        f"linkfix mv --after --root {site} other.html also.html",
    ]
    for line in said:
        assert CliRunner().invoke(cli, shlex.split(line)[1:]).exit_code == 0
    assert [
        row for row in findings(site, "--changed", "--select", "TGT001") if "/" not in row[2][:1]
    ] == [("index.html", "TGT001", "nope.html")]


def test_another_revision(site: Path) -> None:
    put(site, "new.html", "<a href='/e f'>")
    commit(site.parent)
    git(site.parent, "tag", "one")
    put(site, "other.html", "<a href='/g h'>")
    commit(site.parent)
    assert findings(site) == []
    assert findings(site, "--changed=HEAD~1") == findings(site, "--changed=one")
    assert findings(site, "--changed=one")[0] == ("other.html", "DEL002", "/g h")
    names = {row[0] for row in findings(site, "--changed=main^^")}
    assert names == {"new.html", "other.html"}


def test_rules_that_need_the_whole_site_are_not_in_force(site: Path) -> None:
    put(site, "other.html", "<a href='http://a.example/X'>1</a><a href='http://a.example/x'>2</a>")
    assert not [row for row in findings(site) if row[1].startswith("SIT")]


def test_line_ends_of_windows_are_no_change(site: Path) -> None:
    body = (site / "other.html").read_bytes()
    put(site, "lines.html", "a\nb\n")
    commit(site.parent)
    place = site / "lines.html"
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    assert findings(site) == []
    (site / "other.html").write_bytes(body + b"\r\n")
    assert {row[0] for row in findings(site)} == {"other.html"}


def test_several_processes_find_the_same(site: Path) -> None:
    (site / "d" / "a.html").unlink()
    put(site, "new.html", "<a href='gone.html'>")
    assert findings(site, "--changed", "-j", "2") == findings(site, "--changed", "-j", "1")


def test_a_file_that_is_named(site: Path) -> None:
    assert audit(site / "other.html", "--changed").stdout == ""
    put(site, "other.html", "<a href='/c d'>")
    assert audit(site / "other.html", "--changed").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--changed=nope",), "has no revision 'nope'"),
        (("--changed=HEAD~99",), "has no revision"),
        (("--changed=HEAD:site/index.html",), "has no revision"),
        (("--changed=HEAD^{tree}",), "has no revision"),
    ],
)
def test_a_revision_that_is_not_there(site: Path, arguments: tuple[str, ...], said: str) -> None:
    done = audit(site, *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_no_repository(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("x")
    done = audit(tmp_path, "--changed")
    assert done.exit_code == 2
    assert "in no git repository" in done.stderr
    assert CliRunner().invoke(cli, ["audit", "--changed"]).exit_code == 2


def test_a_repository_without_commits(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.html").write_text("x")
    done = audit(tmp_path, "--changed")
    assert done.exit_code == 2
    assert "has no revision 'HEAD'" in done.stderr


def test_a_damaged_repository(site: Path) -> None:
    for path in (site.parent / ".git" / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(b"x")
    done = audit(site, "--changed")
    assert isinstance(done.exception, UnreadableError), done.output
    assert "cannot read the git repository" in str(done.exception)


def test_the_package_is_not_there(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dulwich.repo", None)
    done = audit(site, "--changed")
    assert done.exit_code == 2
    assert "pip install 'linkfix[git]'" in done.stderr


def test_a_hostile_repository_runs_nothing(site: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy", "diff.external", "diff.x.textconv",
                "diff.x.command", "filter.x.clean", "filter.x.smudge", "filter.x.process", "merge.x.driver",
                "credential.helper", "uploadpack.packObjectsHook", "core.alternateRefsCommand"):  # fmt: skip
        git(site.parent, "config", key, str(script))
    git(site.parent, "config", "filter.x.required", "true")
    git(site.parent, "config", "remote.origin.url", f"ext::{script}")
    git(site.parent, "config", "remote.origin.promisor", "true")
    (site.parent / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    hooks = site.parent / ".git" / "hooks"
    for name in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"):
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    mark.unlink(missing_ok=True)
    put(site, "other.html", "<a href='/c d'>")
    (site / "d" / "a.html").rename(site / "b.html")
    assert findings(site)
    assert not mark.exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_links_to_renamed_files_are_fixed(site: Path, jobs: str) -> None:
    put(
        site,
        "other.html",
        "<a href='d/a.html?q#x'>1</a><a href='/d/'>2</a><a href='nope.html'>3</a>",
    )
    commit(site.parent)
    (site / "e").mkdir()
    (site / "d" / "a.html").rename(site / "e" / "one.html")
    (site / "d" / "index.html").rename(site / "start.html")
    done = audit(site, "--changed", "--fix", "--select", "TGT", "-j", jobs)
    assert done.exit_code == 1, done.output
    assert (
        (site / "index.html")
        .read_text("utf-8")
        .startswith(
            f'{HEAD}<a href="e/one.html">1</a><a href="start.html">2</a><a href="nope.html">3</a>'
        )
    )
    assert (
        (site / "other.html")
        .read_text("utf-8")
        .startswith(
            f"{HEAD}<a href='e/one.html?q#x'>1</a><a href='/start.html'>2</a><a href='nope.html'>3</a>"
        )
    )
    assert "mv --after" in done.stderr


def test_links_to_a_folder_whose_files_went_to_two_places(site: Path) -> None:
    (site / "e").mkdir()
    (site / "f").mkdir()
    (site / "d" / "a.html").rename(site / "e" / "a.html")
    (site / "d" / "index.html").rename(site / "f" / "index.html")
    (site / "d").rmdir()
    audit(site, "--changed", "--fix", "--select", "TGT")
    assert (
        (site / "index.html")
        .read_text("utf-8")
        .startswith(f'{HEAD}<a href="e/a.html">1</a><a href="f/">2</a>')
    )


@pytest.mark.parametrize(
    "name",
    ["HEAD", "config", "packed-refs", "commondir", "refs/heads/main", "objects/info/alternates", "objects/pack/x.idx", "OBJECT"],
)  # fmt: skip
def test_a_repository_with_a_pipe_is_not_waited_for(site: Path, name: str) -> None:
    repository = site.parent / ".git"
    path = tree_of(site) if name == "OBJECT" else repository / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    # What is read of it decides: a repository may have none of these files but a few.
    assert run(site).returncode in {0, 3}


def test_a_configuration_that_includes_other_files(site: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (site.parent / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path / 'pipe'}\n[includeIf \"gitdir:/\"]\n\tpath = {tmp_path / 'pipe'}\n")  # fmt: skip
        config.write("[core] fsmonitor = x\n[extensions]\n")
    assert run(site).returncode == 0


@pytest.mark.nightly
def test_an_object_that_inflates_to_a_lot(site: Path) -> None:
    packer = zlib.compressobj(9)
    data = packer.compress(b"tree 600000000\0") + b"".join(
        packer.compress(bytes(1_000_000)) for _ in range(600)
    )
    tree = tree_of(site)
    tree.unlink()
    tree.write_bytes(data + packer.flush())
    done = run(site, "--memory", "100")
    assert done.returncode == 3
    assert b"does not fit into memory" in done.stderr, done.stderr


def test_folders_with_more_files_than_can_be_counted(site: Path) -> None:
    """Each folder has the one below twice: 2^50 files."""
    objects = site.parent / ".git" / "objects"
    mode, content = b"100644", b"blob 1\0x"
    for _ in range(50):
        name = hashlib.sha1(content, usedforsecurity=False)
        path = objects / name.hexdigest()[:2] / name.hexdigest()[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(content))
        rows = b"".join(b"%b %b\0%b" % (mode, each, name.digest()) for each in (b"a", b"b"))
        mode, content = b"40000", b"tree %d\0%b" % (len(rows), rows)
    git(site.parent, "update-ref", "HEAD", commit_of(site, f"{name.hexdigest()}"))
    done = run(site, "--timeout", "2")
    assert done.returncode == 3
    assert b"seconds of processor time" in done.stderr


def commit_of(site: Path, tree: str) -> str:
    """Make a commit of a folder."""
    text = f"tree {tree}\nauthor a <a@b.example> 0 +0000\ncommitter a <a@b.example> 0 +0000\n\nx\n"
    done = subprocess.run(
        ["git", "-C", site.parent, "hash-object", "-w", "-t", "commit", "--stdin"],
        input=text.encode(), check=True, capture_output=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


def tree_of(site: Path) -> Path:
    """Return the file of the object of the folder that HEAD has."""
    done = subprocess.run(
        ["git", "-C", site.parent, "rev-parse", "HEAD^{tree}"], check=True, capture_output=True
    )
    name = done.stdout.decode().strip()
    return site.parent / ".git" / "objects" / name[:2] / name[2:]


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return processes.run(
        "audit", "-q", "--exit-zero", "--changed", *arguments, site, timeout=60, group=True
    )
