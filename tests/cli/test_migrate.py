"""``linkfix migrate``, as its users meet it."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import processes
import pytest
import site_generator
from click.testing import CliRunner, Result
from movable_site import tree

from linkfix.cli.group import cli
from linkfix.files.journal import NAME

if TYPE_CHECKING:
    from pathlib import Path

PAGE = '<meta charset=shift_jis><a href="?q=表">表</a><a href="gone.html">'.encode("cp932")


def migrate(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["migrate", *map(str, arguments)])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "page.htm").write_bytes(PAGE)
    (folder / "picture.png").write_bytes(b"x")
    return folder


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_links_in_embedded_documents_follow_or_are_named(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    page = (
        "<meta charset=utf-8><noscript><a href='b.htm'></noscript><noframes><a href='b.htm'></noframes>"
        "<!--[if IE]><a href='b.htm'><![endif]-->"
    )
    (old / "a.htm").write_text(page)
    (old / "b.htm").write_text("<meta charset=utf-8>")
    done = migrate(old, new, "--rename", ".htm=.html", "--embedded", "noframes=list", "-j", "1")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "linkfix: a.htm:1:77: b.htm: this link may lead elsewhere from now on",
        "linkfix: 2 files: 2 documents written in UTF-8 (UTF-8 2), 0 copied, 0 failed",
        "linkfix: 3 links: 2 rewritten, 0 of them to mean the same in UTF-8; 3 lead to new addresses, 1 may lead elsewhere",
        "linkfix: 1 link in conditional-comment: followed",
        "linkfix: 1 link in noframes: not followed",
        "linkfix: 1 link in noscript: followed",
        "linkfix: new addresses of files and folders: 2",
    ]
    assert (new / "a.html").read_text().count("b.html") == 2


def test_a_site_is_migrated_and_summed_up(old: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    done = migrate(old, tmp_path / "new", "--rename", ".htm=.html", "--report", report, "-j", "1")
    assert done.exit_code == 1, "a link leads nowhere"
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "linkfix: page.htm:1:54: /gone.html: there is no such file",
        "linkfix: 2 files: 1 document written in UTF-8 (Shift_JIS 1), 1 copied, 0 failed",
        "linkfix: 2 links: 1 rewritten, 1 of them to mean the same in UTF-8; 1 lead to new addresses, 0 may lead elsewhere",
        "linkfix: new addresses of files and folders: 1",
        "linkfix: links that lead nowhere, there is no such file: 1",
    ]
    assert tree(tmp_path / "new") == {
        "page.html": '<meta charset=utf-8><a href="?q=%95%5C">表</a><a href="gone.html">'.encode(),
        "picture.png": b"x",
    }
    document, moved, broken = records(report)
    assert (document["record"], document["file"], document["new"]) == (
        "document",
        "page.htm",
        "page.html",
    )
    assert document["declarations"] == [{"place": "meta", "old": "shift_jis", "new": "utf-8"}]
    assert (moved["record"], moved["old"], moved["new"]) == ("moved", "/page.htm", "/page.html")
    assert (broken["record"], broken["reason"], broken["line"]) == ("broken", "missing", 1)
    assert broken["resolved"] == "/gone.html"
    assert "site.invalid" not in report.read_text("ascii")


def test_a_site_without_broken_links_is_status_0(old: Path, tmp_path: Path) -> None:
    (old / "gone.html").write_bytes(b"<meta charset=utf-8>")
    done = migrate(old, tmp_path / "new", "-q", "-j", "1")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_broken_link_that_is_corrected_leads_somewhere(old: Path, tmp_path: Path) -> None:
    """By an exact rule of the map, or by `--fix-case`; a prefix rule leads a missing file nowhere else."""
    (old / "b.htm").write_bytes(b"<meta charset=utf-8><a href=GONE.HTM>x</a><a href=Page.htm>y</a>")
    rules = tmp_path / "map.csv"
    rules.write_text("/gone.html,/page.htm\n/GONE.HTM,/page.htm\n")
    done = migrate(old, tmp_path / "new", "--map", rules, "--fix-case", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (tmp_path / "new/b.htm").read_bytes().count(b"page.htm") == 2
    rules.write_text("/,/x/,prefix\n")
    done = migrate(old, tmp_path / "new2", "--map", rules)
    assert done.exit_code == 1
    assert "there is no such file" in done.stderr
    assert "the name differs in case" in done.stderr


def test_a_document_that_cannot_be_processed_is_status_3(old: Path, tmp_path: Path) -> None:
    (old / "feed.xml").write_bytes(b"<a><b></a>")
    done = migrate(old, tmp_path / "new", "-q", "-j", "1")
    assert done.exit_code == 3
    assert "feed.xml:1" in done.stderr
    assert "copied as it is" in done.stderr
    assert (tmp_path / "new" / "page.htm").exists()
    done = migrate(old, tmp_path / "again", "-j", "1")
    assert (
        "linkfix: 3 files: 1 document written in UTF-8 (Shift_JIS 1), 2 copied, 1 failed"
        in done.stderr.splitlines()
    )


def test_links_that_may_lead_elsewhere_are_named(old: Path, tmp_path: Path) -> None:
    feed = "<rss><channel><item><description><![CDATA[<a href='/?q=мир'>x</a>]]></description>"
    text = f"<?xml version='1.0' encoding='koi8-r'?>\n{feed}</item></channel></rss>"
    (old / "feed.xml").write_bytes(text.encode("koi8-r"))
    done = migrate(old, tmp_path / "new", "-j", "1")
    assert done.exit_code == 1
    assert re.search(
        r"^linkfix: feed.xml:2:\d+: /\?q=мир: this link may lead elsewhere from now on$",
        done.stderr,
        re.MULTILINE,
    )
    assert ", 1 may lead elsewhere\n" in done.stderr


def test_octets_of_xml_that_readers_decode_differently_are_counted(tmp_path: Path) -> None:
    old, new, report = tmp_path / "old", tmp_path / "new", tmp_path / "report.jsonl"
    old.mkdir()
    feed = '<?xml version="1.0" encoding="Shift_JIS"?><rss version="2.0"><channel><title>OCTETS</title><link>http://e.example/OCTETS</link></channel></rss>'
    (old / "feed.xml").write_bytes(feed.encode("ascii").replace(b"OCTETS", b"\x81\x60"))
    done = migrate(old, new, "--report", report, "-j", "1")
    assert "characters of XML that its readers and browsers decoded differently: 2" in done.stderr
    assert [line["disputed"] for line in records(report) if line["record"] == "document"] == [2]
    # The readers of XML find what they found, in all places.
    written = (new / "feed.xml").read_text("utf-8")
    assert written == feed.replace("Shift_JIS", "UTF-8").replace("OCTETS", "\u301c")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("nginx", '"/docs/page.htm" "/docs/page.html";'),
        ("apache", "/docs/page.htm /docs/page.html"),
        ("csv", "/docs/page.htm,/docs/page.html"),
    ],
)
def test_redirects_are_written_for_servers(old: Path, tmp_path: Path, form: str, line: str) -> None:
    options = ("--rename", ".htm=.html", "--base", "http://www.old.example/docs")
    file = tmp_path / "redirects"
    migrate(old, tmp_path / "new", *options, "--redirects", file, "--redirect-format", form)
    lines = [each for each in file.read_text().splitlines() if not each.startswith("#")]
    assert lines[-1] == line
    assert "picture.png" not in file.read_text()


def test_no_address_of_another_file_is_redirected(old: Path, tmp_path: Path) -> None:
    (old / "other.htm").write_bytes(b"<meta charset=utf-8>")
    rules = tmp_path / "map.csv"
    rules.write_text("/page.htm,/other.htm\n/other.htm,/page.htm\n/picture.png,/image.png\n")
    redirects = ("--redirects", tmp_path / "redirects", "--redirect-format", "csv")
    migrate(old, tmp_path / "new", "--map", rules, *redirects, "-q", "-j", "1")
    assert b"%95%5C" in (tmp_path / "new" / "other.htm").read_bytes()
    assert (tmp_path / "redirects").read_text() == "old,new\n/picture.png,/image.png\n"


def test_the_index_of_a_folder_can_be_named(old: Path, tmp_path: Path) -> None:
    (old / "page.htm").write_bytes(b'<meta charset=utf-8><a href="docs/">')
    (old / "docs").mkdir()
    (old / "docs" / "start.htm").write_bytes(b"<meta charset=utf-8>")
    assert migrate(old, tmp_path / "one", "-q", "-j", "1").exit_code == 1
    assert migrate(old, tmp_path / "two", "-q", "--index", "start.htm", "-j", "1").exit_code == 0


def test_links_without_a_rule_and_rules_without_a_link_are_reported(
    old: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "map.csv"
    rules.write_text("/gone.html,/found.html\nhttp://a.example/,http://b.example/,prefix\n")
    unmatched = tmp_path / "unmatched"
    done = migrate(
        old, tmp_path / "new", "--map", rules, "--unmatched", unmatched, "--report", tmp_path / "r"
    )
    assert "linkfix: line 2 of the map: this rule was never used: http://a.example/" in done.stderr
    assert b'href="found.html"' in (tmp_path / "new" / "page.htm").read_bytes()
    assert [each["resolved"] for each in records(unmatched)] == ["/page.htm?q=%95%5C"]
    (unused,) = [each for each in records(tmp_path / "r") if each["record"] == "unused-rule"]
    assert unused["line"] == 2


def test_a_dry_run_says_the_same_and_writes_nothing(old: Path, tmp_path: Path) -> None:
    dry = migrate(old, tmp_path / "new", "--dry-run", "--rename", ".htm=.html", "-j", "1")
    assert not (tmp_path / "new").exists()
    wet = migrate(old, tmp_path / "new", "--rename", ".htm=.html", "-j", "1")
    assert dry.exit_code == wet.exit_code
    assert dry.stderr.replace("would be ", "") == wet.stderr


def test_one_script_read_in_two_charsets_is_reported(old: Path, tmp_path: Path) -> None:
    for name, label in (("a", "shift_jis"), ("b", "shift_jis"), ("c", "windows-1251")):
        (old / f"{name}.html").write_text(f"<meta charset={label}><script src=s.js></script>")
    (old / "s.js").write_bytes('alert("表")'.encode("cp932"))
    done = migrate(old, tmp_path / "new", "-j", "1")
    told = "s.js: pages read it in Shift_JIS (2), windows-1251 (1); it was taken for Shift_JIS"
    assert told in done.stderr
    assert (tmp_path / "new" / "s.js").read_text("utf-8") == 'alert("表")'


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--charset", "shift_jis"), "no charset to migrate to"),
        (("--charset", "utf-9"), "unknown charset"),
        (("--base", "docs/"), "no absolute IRI"),
        (("--absolute",), "--absolute needs --base"),
        (("--rename", "htm=html"), "is not like .htm=.html"),
        (("--rename", ".htm=./x"), "is not like .htm=.html"),
        (("--rename", ".htm=.a", "--rename", ".HTM=.b"), "renamed twice"),
        (("--rename-charset", "utf-9"), "unknown charset"),
        (("--source-charset", "/a/=utf-9"), "unknown charset"),
        (("--unmatched", "x"), "--unmatched needs --map"),
        (("--map", "none.csv"), "none.csv"),
        (("-j", "0"), "0 is not in the range"),
    ],
)
def test_wrong_usage_is_status_2(
    old: Path, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    done = migrate(old, tmp_path / "new", *options)
    assert done.exit_code == 2
    assert told in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("target", "options", "told"),
    [
        ("old/new", (), "may not be in each other"),
        ("full", (), "not empty"),
        ("full", ("--resume",), "no unfinished run"),
        ("new", ("--rename", ".png=.htm", "--rename-charset", "utf-8"), ""),
    ],
)
def test_folders_that_cannot_be_are_refused(
    old: Path, tmp_path: Path, target: str, options: tuple[str, ...], told: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    done = migrate(old, tmp_path / target, *options, "-q", "-j", "1")
    assert done.exit_code == (2 if told else 1)
    assert told in done.stderr
    assert tree(tmp_path / "full") == {"file": b""}


def test_a_script_that_resumes_until_nothing_is_left_ends(old: Path, tmp_path: Path) -> None:
    begun = migrate(old, tmp_path / "new", "--resume", "-j", "1")
    assert begun.exit_code == migrate(old, tmp_path / "other", "-j", "1").exit_code
    assert "no unfinished run is recorded here; this one begins" in begun.stderr
    assert tree(tmp_path / "new") == tree(tmp_path / "other")
    again = migrate(old, tmp_path / "new", "--resume", "-j", "1")
    assert again.exit_code == 0
    assert "an earlier run has written it; nothing is left to do" in again.stderr
    assert tree(tmp_path / "new") == tree(tmp_path / "other")


@pytest.mark.parametrize("target", ["file/new", "nowhere"])
def test_a_folder_that_cannot_be_created_is_reported(
    old: Path, tmp_path: Path, target: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "file" / "x")
    done = processes.run("migrate", old, tmp_path / target)
    assert done.returncode == 3
    assert b"cannot make this folder" in done.stderr


def test_names_that_would_become_one_are_refused_before_anything_is_written(
    old: Path, tmp_path: Path
) -> None:
    (old / "page.html").touch()
    done = migrate(old, tmp_path / "new", "--rename", ".htm=.html")
    assert done.exit_code == 2
    assert "page.htm and page.html would become page.html" in done.stderr
    assert not (tmp_path / "new").exists()


# --- stopped and killed ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_generator.generate(280).write(tmp_path_factory.mktemp("site") / "old")


def command(site: Path, new: Path, *options: str) -> list[str]:
    charsets = [
        part
        for option, values in (
            ("--source-charset", site_generator.SOURCE_CHARSETS),
            ("--rename-charset", site_generator.RENAME_CHARSETS),
        )
        for value in values
        for part in (option, value)
    ]
    asked = ["--base", site_generator.BASE, "--rename", ".htm=.html", "-j", "2", "-q"]
    return [
        sys.executable,
        "-m",
        "linkfix",
        "migrate",
        str(site),
        str(new),
        *asked,
        *charsets,
        *options,
    ]


@pytest.fixture(scope="module")
def undisturbed(site: Path) -> dict[str, bytes]:
    new = site.parent / "undisturbed"
    subprocess.run(command(site, new, "--report", str(site.parent / "report")), check=False)
    assert len(tree(new)) == 283
    return tree(new)


def begun(new: Path, process: subprocess.Popen[bytes], count: int) -> None:
    """Wait until some files are there, whole or not."""
    while process.poll() is None and sum(len(files) for *_, files in os.walk(new)) < count:
        time.sleep(0.005)


@pytest.mark.nightly
def test_a_killed_migration_goes_on_to_the_same_end(
    site: Path, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    new = tmp_path / "new"
    chance = random.Random(5)
    resume: tuple[str, ...] = ()
    for kill in range(4):
        process = subprocess.Popen(command(site, new, *resume), start_new_session=True)
        begun(new, process, 50 * kill + chance.randrange(2, 50))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        partial = {name: body for name, body in tree(new).items() if ".linkfix-" not in name}
        assert partial.items() <= undisturbed.items(), "each file is whole or not there"
        resume = ("--resume",) if (new / NAME).exists() else ()
    last = command(site, new, *resume, "--report", str(tmp_path / "report"))
    assert subprocess.run(last, check=False).returncode == 1
    assert tree(new) == undisturbed
    report = (site.parent / "report").read_bytes()
    assert (tmp_path / "report").read_bytes() == report, "it knows what was done before"


@pytest.mark.nightly
def test_a_migration_stops_when_it_is_asked_to(
    site: Path, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    new = tmp_path / "new"
    process = subprocess.Popen(command(site, new), stderr=subprocess.PIPE, start_new_session=True)
    begun(new, process, 20)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert b"of 283 files; go on with --resume" in told
    assert b"Traceback" not in told
    assert not [name for name in tree(new) if name.endswith(".tmp")]
    other = subprocess.run(
        command(site, new, "--resume", "--to", "iri"), capture_output=True, check=False
    )
    assert b"the unfinished run was asked for something else: to" in other.stderr
    subprocess.run(command(site, new, "--resume"), check=False)
    assert tree(new) == undisturbed


def test_a_full_disk_loses_nothing(old: Path, tmp_path: Path) -> None:
    (old / "large.png").write_bytes(b"x" * 300_000)
    (old / "large.html").write_bytes(PAGE + b"x" * 300_000)
    (old / "gone.html").write_bytes(b"<meta charset=utf-8>")

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    new = tmp_path / "new"
    arguments = [sys.executable, "-m", "linkfix", "migrate", str(old), str(new), "-q", "-j", "2"]
    done = subprocess.run(arguments, capture_output=True, check=False, preexec_fn=small_disk)
    assert done.returncode == 3
    assert done.stderr.count(b"cannot write it: File too large") == 2
    assert set(tree(new)) == {"page.htm", "picture.png", "gone.html", NAME}
    assert subprocess.run([*arguments, "--resume"], check=False).returncode == 0
    assert set(tree(new)) == set(tree(old))
    assert tree(new)["large.png"] == b"x" * 300_000


def test_rules_of_an_earlier_migration_go(tmp_path: Path) -> None:
    old, table, rules = tmp_path / "old", tmp_path / "moved", tmp_path / "moved.conf"
    old.mkdir()
    long = old.joinpath(*["d" * 200] * 5)
    long.mkdir(parents=True)
    (long / "a.htm").write_bytes(b"<meta charset=utf-8>")
    (old / "b.htm").write_bytes(b"<meta charset=utf-8>")

    def again(form: str) -> None:
        shutil.rmtree(tmp_path / "new", ignore_errors=True)
        done = migrate(
            old, tmp_path / "new", "--rename", ".htm=.html", "--redirects", table, "--redirect-format", form
        )  # fmt: skip
        assert done.exit_code == 0, done.stderr

    again("apache")
    assert rules.read_bytes().count(b"\nRewriteRule ") == 1
    shutil.rmtree(old / ("d" * 200))
    again("apache")
    assert b"RewriteRule" not in rules.read_bytes()
    for form in ("apache", "nginx"):
        rules.write_bytes(b"somebody else's")
        again(form)
        assert rules.read_bytes() == b"somebody else's"
        rules.unlink()
        again(form)
        assert not rules.exists()
