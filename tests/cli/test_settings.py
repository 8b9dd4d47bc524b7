"""Found settings set how documents are read, never what is written, and every mistake in them is reported."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import processes
import pytest

from linkfix.cli.group import COMMANDS, cli
from linkfix.cli.options.settings import find, known_keys, read
from linkfix.cli.options.table import Setting, Where

if TYPE_CHECKING:
    import subprocess

#: Options that a file can set: how links are read, compared and written, and what is reported.
READING = frozenset(
    ["absolute", "baseline", "broken", "by", "catalog", "changed", "charset", "conventions", "copy",
     "default-charset", "dtd", "embedded", "environment", "exclude", "exit-zero", "fail-on", "fix-case", "fix-temporary", "format", "forms", "group-by", "hidden",
     "idna", "ignore", "include", "jobs", "largest", "link", "local-name", "map", "map-level", "max-attributes", "max-depth",
     "max-name", "max-token", "memory", "nfc", "no-nfc", "no-scripting", "normalize", "only", "orphans", "page", "part",
     "query-charset", "quiet", "readable", "recover", "redirect-format", "relative", "rename", "rename-charset",
     "root-relative", "schema", "scripting", "select", "severity", "skip", "source-charset", "split", "statistics", "syntax",
     "template", "templates", "timeout", "to", "transcoded", "type", "unescape", "unknown", "vocabulary"]
)  # fmt: skip
#: Options that only the command line can set: whether and where something is written, and what needs consent.
WRITING = frozenset(
    ["accept", "accept-guesses", "accept-losses", "after", "ask", "backup", "cache", "config", "decisions", "diff", "dry-run", "files-from", "fix", "hard-link", "in-place", "journal", "master",
     "no-verify", "output", "rate", "redirects", "report", "resume", "rules", "signed", "stdin-filename", "unmatched", "urls", "verify", "write-baseline"]
)  # fmt: skip
#: Options that bound what a document may cost. 0 is no limit, where it is allowed.
LIMITS = frozenset(
    ["jobs", "largest", "max-attributes", "max-depth", "max-name", "max-token", "memory", "timeout"]
)
#: The keys of the table of the site.
SITE = frozenset(
    ["aliases", "base", "case-insensitive", "clean-urls", "hosts", "index", "multiviews", "server-config", "root", "served", "trailing-slashes"]
)  # fmt: skip

DIRTY = b"<meta charset=utf-8><a href='/a b'>"


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.html").write_bytes(DIRTY)
    (tmp_path / "home.txt").write_text("the work of years")
    return tmp_path / "work"


def refused(folder: Path, text: str, *command: str) -> str:
    """Run a command under settings that are wrong; return what it says."""
    (folder / "pyproject.toml").write_text(text)
    before = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()}
    done = run(*(command or ("audit", "a.html")), cwd=folder)
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert b"Traceback" not in done.stderr
    assert "pyproject.toml" in said
    assert before == {path: path.read_bytes() for path in before}
    assert {path for path in folder.parent.rglob("*") if path.is_file()} == before.keys()
    return said


def options_of(command: str) -> list[click.Option]:
    made = cli.get_command(click.Context(cli), command)
    assert made is not None
    return [each for each in made.params if isinstance(each, click.Option)]


def test_every_option_is_set_where_it_may_be() -> None:
    """An option that is new must be in one of these lists as well: what files set is a matter of trust."""

    def of(*places: Where) -> set[str]:
        return {key for key, where in known_keys().items() if where in places}

    assert of(Where.FILE, Where.LIMIT) == READING
    assert of(Where.LIMIT) == LIMITS
    assert of(Where.LINE) == WRITING
    assert of(Where.SITE) == {f"site.{key}" for key in SITE}
    for command in COMMANDS:
        for option in options_of(command):
            assert option.name in {"color", "config", "help_all", "verbose"} or isinstance(
                option, Setting
            ), option.name
            if isinstance(option, Setting):
                assert {known_keys()[key] for key in option.keys} == {option.where}, option.keys


@pytest.mark.parametrize(
    ("table", "setting", "command"),
    [
        ("audit", 'output = "../home.txt"', "audit a.html"),
        ("audit", "fix = true", "audit a.html"),
        ("audit", "diff = true", "audit a.html"),
        ("audit", "write-baseline = true", "audit a.html"),
        ("rewrite", "in-place = true", "rewrite a.html"),
        ("rewrite", 'output = "../out"', "rewrite a.html"),
        ("rewrite", 'report = "../home.txt"', "rewrite a.html"),
        ("rewrite", 'unmatched = "../home.txt"', "rewrite a.html"),
        ("rewrite", 'backup = ".orig"', "rewrite -i a.html"),
        ("rewrite", 'journal = "../home.txt"', "rewrite -i a.html"),
        ("rewrite", "signed = true", "rewrite -i a.html"),
        ("migrate", 'redirects = "../home.txt"', "migrate . ../new"),
        ("migrate", 'report = "../home.txt"', "migrate . ../new"),
        ("migrate", "hard-link = true", "migrate . ../new"),
        ("migrate", 'output = "../home.txt"', "extract a.html"),
    ],
)
def test_a_file_that_is_found_does_not_say_what_is_written(
    folder: Path, table: str, setting: str, command: str
) -> None:
    for text in (f"[tool.linkfix.{table}]\n{setting}\n", f"[tool.linkfix]\n{setting}\n"):
        said = refused(folder, text, *command.split())
        key = setting.split(" ", maxsplit=1)[0]
        assert f"{key} would say what is written or executed" in said
        assert f"use --{key} on the command line" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.linkfix]\nlinks = ['x']", "links is no option of linkfix; did you mean link?"),
        ("[tool.linkfix.adit]\nignore = ['x']", "adit is no option of linkfix; did you mean audit?"),
        ("[tool.linkfix]\naudit = 3", "tool.linkfix.audit is no table"),
        ("[tool.linkfix.audit]\nfailon = 'never'", "failon is no option of linkfix audit; did you mean fail-on?"),
        ("[tool.linkfix.extract]\nfailon = 'never'", "extract.failon is no option of linkfix extract"),
        ("[tool.linkfix.audit]\nredirect-format = 'csv'", "is no option of linkfix audit"),
        ("[tool.linkfix.site]\nbase = 3", "tool.linkfix.site.base is not a string"),
        ("[tool.linkfix.site]\nbase = ['x']", "tool.linkfix.site.base is not a string"),
        ("[tool.linkfix]\nlink = 3", "link is not a string, or a list of them"),
        ("[tool.linkfix]\nlink = [['x']]", "link is not a string, or a list of them"),
        ("[tool.linkfix]\nscripting = 'no'", "scripting is not true or false"),
        ("[tool.linkfix]\njobs = '2'", "jobs is not a whole number"),
        ("[tool.linkfix]\ntimeout = '1'", "timeout is not a number"),
        ("[tool.linkfix]\ntimeout = -1", "timeout is wrong: "),
        ("[tool.linkfix]\njobs = true", "jobs is not a whole number"),
        ("[tool.linkfix]\njobs = 0", "jobs is wrong: 0 is not in the range"),
        ("[tool.linkfix.audit]\nfail-on = 'x'", "audit.fail-on is wrong: 'x' is not one of"),
        ("[tool.linkfix]\ncharset = 'x'", "charset is wrong: "),
        ("[tool.linkfix.audit.per-file-ignores]\nx = 3", "is no table of lists of rules"),
        ("[tool.linkfix]\nx = [", "Invalid value"),
        ("tool.linkfix = 3", "tool.linkfix is no table"),
        ("[tool.linkfix]\nx = " + "[" * 100_000, "it is nested too deeply"),
        ("#linkfix" + " " * 5_000_000, "it has more than 4 MiB"),
        ("[tool.linkfix.audit]\nbaseline = '../home.txt'", "which is no file in the folder of the settings"),
        ("[tool.linkfix.audit]\nbaseline = '/etc/passwd'", "which is no file in the folder of the settings"),
        ("[tool.linkfix]\nschema = 'link.xsd'", "which is no file in the folder of the settings"),
        ("[tool.linkfix]\nbase = 'http://h.example/'", "base belongs into the table site; move it there"),
        ("[tool.linkfix.audit]\nserved = ['/x']", "served belongs into the table site"),
        ("[tool.linkfix.site]\nclean = true", "site.clean is no option of the site; did you mean clean-urls?"),
        ("[tool.linkfix.site]\nexclude = ['x']", "exclude is no option of the site"),
        ("[tool.linkfix.site]\nroot = '..'", "site.root names '..', which is no folder in the folder of the settings"),
        ("[tool.linkfix.site]\nroot = 'none'", "which is no folder in the folder of the settings"),
        ("[tool.linkfix.site]\naliases = { '/x/' = 'up' }", "names 'up', which is no folder in the folder of the settings"),
        ("[tool.linkfix.site]\naliases = { 'x' = '.' }", "is wrong: "),
        ("[tool.linkfix.site]\naliases = ['/x/=.']", "is no table of paths"),
        ("[tool.linkfix.site]\nhosts = ['a/b']", "is wrong: "),
        ("[tool.linkfix]\ncatalog = 'pipe'", "which is no file in the folder of the settings"),
        ("[tool.linkfix]\ncatalog = 'none'", "or use --catalog on the command line"),
        (f"[tool.linkfix]\ncatalog = '{'a' * 300}'", "which is no file in the folder of the settings"),
        ("[tool.linkfix]\ncatalog = \"\\u0000\"", "which is no file in the folder of the settings"),
    ],
)  # fmt: skip
def test_a_mistake_in_settings_is_a_usage_error(folder: Path, text: str, said: str) -> None:
    (folder / "link.xsd").symlink_to("/etc/passwd")
    (folder / "up").symlink_to("..")
    os.mkfifo(folder / "pipe")
    assert said in refused(folder, text)


def test_a_pipe_that_is_called_as_settings_are_is_passed_over(folder: Path) -> None:
    os.mkfifo(folder / "pyproject.toml")
    assert run("audit", "--fail-on", "never", "a.html", cwd=folder).returncode == 0


def test_a_folder_that_is_called_as_settings_are_is_passed_over(folder: Path) -> None:
    (folder / "linkfix.toml").mkdir()
    assert run("extract", "a.html", cwd=folder).returncode == 0


def test_a_path_is_taken_from_the_folder_of_the_settings(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.html").write_bytes(b"<a href='http://a.example/'>")
    (folder / "map.csv").write_text("http://a.example/,http://b.example/\n")
    (folder / "pyproject.toml").write_text("[tool.linkfix]\nmap = 'map.csv'\n")
    done = run("rewrite", "a.html", cwd=folder / "sub")
    assert b"http://b.example/" in done.stdout, done.stderr


def test_numbers(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.linkfix]\ntimeout = 30\njobs = 2\n")
    assert run("audit", "--fail-on", "never", "a.html", cwd=folder).returncode == 0


def test_flags(folder: Path) -> None:
    (folder / "b.html").write_bytes(b"<noscript><p title='</noscript><a href=/x>'></noscript>")
    for setting, links in (
        ("scripting = true", 1),
        ("scripting = false", 0),
        ("no-scripting = true", 0),
        ("no-scripting = false", 1),
    ):
        (folder / "pyproject.toml").write_text(f"[tool.linkfix]\n{setting}\n")
        done = run("extract", "--format", "jsonl", "b.html", cwd=folder)
        assert done.stdout.count(b"\n") == links, (setting, done.stderr)


def test_a_baseline_that_settings_name_is_read_and_not_written(folder: Path) -> None:
    baseline = folder / "known.json"
    assert run("audit", "--write-baseline", "--baseline", "known.json", "a.html", cwd=folder).returncode == 0  # fmt: skip
    before = baseline.read_bytes()
    (folder / "pyproject.toml").write_text("[tool.linkfix.audit]\nbaseline = 'known.json'\n")
    assert run("audit", "a.html", cwd=folder).returncode == 0
    done = run("audit", "--write-baseline", "a.html", cwd=folder)
    assert done.returncode == 2
    assert b"use --baseline FILE as well" in done.stderr
    assert baseline.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.toml", "[exact]\nx = " + "[" * 100_000),
        ("deep.json", "[" * 100_000),
        ("large.json", '{"linkfix-baseline": 1, "findings": {"a": 1e999}}'),
    ],
)
def test_files_that_are_nested_deeply_are_a_clear_error(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    option = "--map" if name.endswith("toml") else "--baseline"
    command = "rewrite" if option == "--map" else "audit"
    done = run(command, option, name, "a.html", cwd=folder)
    assert done.returncode == 2, done.stderr
    assert b"Traceback" not in done.stderr
    assert name.encode() in done.stderr


@pytest.mark.parametrize(
    "text", ["[tool.linkfix", "[tool.linkfix.audit]\nfix = true\n", "[tool]\nlinkfix = 1\n"]
)
def test_wrong_settings_do_not_stop_help(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    for command in (
        ["--help"],
        ["-h"],
        ["audit", "--help"],
        ["audit", "-h", "a.html"],
        ["iri", "convert", "-h"],
    ):
        done = run(*command, cwd=folder)
        assert (done.returncode, done.stderr) == (0, b""), command
        assert done.stdout.startswith(b"Usage: linkfix ")
    assert b"pyproject.toml" in run("audit", "--", "-h", cwd=folder).stderr


SETTINGS = '[audit]\nselect = ["DEL"]\nfail-on = "never"\n'


def test_a_file_of_its_own_goes_before_pyproject(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.linkfix.audit]\nfail-on = "error"\n')
    assert run("audit", "a.html", cwd=folder).returncode == 1
    (folder / "linkfix.toml").write_text(SETTINGS)
    assert run("audit", "a.html", cwd=folder).returncode == 0
    below = folder / "below"
    below.mkdir()
    assert run("audit", "../a.html", cwd=below).returncode == 0


def test_an_empty_file_of_its_own_is_passed_over(folder: Path) -> None:
    (folder / "linkfix.toml").write_text("# nothing yet\n")
    (folder / "pyproject.toml").write_text('[tool.linkfix.audit]\nfail-on = "never"\n')
    assert run("audit", "a.html", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.toml", SETTINGS),
        ("pyproject.toml", SETTINGS.replace("[audit]", "[tool.linkfix.audit]")),
    ],
)
def test_a_file_that_is_named_is_read_instead_of_a_found_one(
    folder: Path, name: str, text: str
) -> None:
    (folder / "linkfix.toml").write_text('[audit]\nunheard-of = "x"\n')
    other = folder.parent / "settings"
    other.mkdir()
    (other / name).write_text(text)
    assert run("audit", "a.html", cwd=folder).returncode == 2
    assert run("audit", "--config", other / name, "a.html", cwd=folder).returncode == 0
    assert run("audit", "a.html", "--config", other / name, cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is no file"),
        ("[audit\n", "Expected"),
        (
            "[tool.linkfix.audit]\n",
            "mine.toml: tool is no option of linkfix; only pyproject.toml has [tool.linkfix.audit]",
        ),
        ("[audit]\nunheard-of = 1\n", "mine.toml: audit.unheard-of is no option of linkfix audit"),
        ("output = 'x'\n", "mine.toml: output would say what is written or executed"),
        ("audit = 1\n", "mine.toml: audit is no table"),
    ],
)
def test_a_mistake_in_a_named_file_is_a_usage_error(
    folder: Path, text: str | None, said: str
) -> None:
    if text is not None:
        (folder / "mine.toml").write_text(text)
    done = run("audit", "--config", "mine.toml", "a.html", cwd=folder)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.decode().split())


#: Many stars: each of them multiplies the steps of a matcher that goes back.
STARS = "*a" * 14 + "*b"


@pytest.mark.parametrize(
    ("setting", "command"),
    [
        (f"exclude = ['{STARS}']", "audit s"),
        (f"include = ['{STARS}']", "extract s"),
        (f"copy = ['{STARS}']", "migrate s new"),
        (f"part = ['{STARS}']", "migrate s new"),
        (f"source-charset = ['{STARS}=utf-8']", "migrate s new"),
        (f"rename-charset = ['{STARS}=utf-8']", "migrate s new"),
        (f"site.served = ['{STARS}']", "audit --base http://a.example/ s"),
        (f"[audit.per-file-ignores]\n'{STARS}' = ['TGT']", "audit s"),
    ],
)
def test_a_pattern_that_is_found_costs_little(folder: Path, setting: str, command: str) -> None:
    name = "a" * 80 + ".html"
    (folder / "s").mkdir()
    (folder / "s" / name).write_text(f"<meta charset=utf-8><a href='{'a' * 70}'>")
    (folder / "linkfix.toml").write_text(setting)
    done = processes.run(*command.split(), cwd=folder, timeout=60, group=True)
    assert done.returncode in {0, 1}, done.stderr


@pytest.mark.parametrize(
    ("setting", "more"),
    [
        ("timeout", "0"),
        ("timeout", "61"),
        ("memory", "0"),
        ("memory", "5000"),
        ("max-depth", "10000000"),
        ("max-attributes", "10000000"),
        ("max-name", "1000000000"),
        ("max-token", "10000000000"),
    ],
)
def test_a_file_that_is_found_can_only_lower_limits(folder: Path, setting: str, more: str) -> None:
    text = f"[tool.linkfix]\n{setting} = {more}\n"
    said = refused(folder, text)
    assert f"{setting} is more than " in said
    assert f"use --{setting} on the command line" in said
    done = run("audit", "--exit-zero", "--config", "pyproject.toml", "a.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "pyproject.toml").write_text(f"[tool.linkfix]\n{setting} = 20\n")
    assert run("audit", "--exit-zero", "a.html", cwd=folder).returncode == 0


def test_every_option_that_bounds_work_is_a_limit() -> None:
    """Those with a number, but for what divides work: they bound it in a file that was found too."""
    numbers = {
        name.removeprefix("--")
        for command in COMMANDS
        for option in options_of(command)
        if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
        for name in option.opts
        if name.startswith("--")
    }
    assert numbers & READING == LIMITS | {"split"}


def test_lists_that_are_found_have_an_end(folder: Path) -> None:
    for text in (f"exclude = {['x'] * 1001}", f"exclude = ['{'x' * 4097}']"):
        assert "has more than 1,000 values" in refused(folder, f"[tool.linkfix]\n{text}\n")
        done = run("audit", "--exit-zero", "--config", "pyproject.toml", "a.html", cwd=folder)
        assert done.returncode == 0, done.stderr
    rows = "\n".join(f"'{number}' = ['TGT']" for number in range(1001))
    said = refused(folder, f"[tool.linkfix.audit.per-file-ignores]\n{rows}\n")
    assert "has more than 1,000 values" in said


@pytest.mark.parametrize("owned", ["folder", "file"])
def test_settings_of_another_user_are_said_and_not_used(
    folder: Path, owned: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "linkfix.toml"
    file.write_text("quiet = true\n")
    (folder.parent / "linkfix.toml").write_text("hidden = true\n")
    other = folder if owned == "folder" else file
    stat = Path.stat

    def of_another(path: Path, **options: bool) -> os.stat_result:
        found = [*stat(path, **options)]
        found[4] = 12345 if path == other else 0
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", of_another)
    assert find(folder).tables == {"hidden": True}
    said = " ".join(capsys.readouterr().err.split())
    assert f"{file}: these settings are not used: another user owns the file or its folder" in said
    assert read(file).tables == {"quiet": True}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_UID", "12345")
    assert find(folder).tables == {"quiet": True}


def test_settings_that_cannot_be_read_are_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "linkfix.toml"
    file.write_text("quiet = true\n")
    (folder.parent / "linkfix.toml").write_text("hidden = true\n")
    opens = os.open

    def closed(path: Any, *arguments: Any) -> int:
        if path == file:
            raise PermissionError(13, "Permission denied")
        return opens(path, *arguments)

    monkeypatch.setattr(os, "open", closed)
    monkeypatch.setattr(os, "access", lambda path, _: path != file)
    assert find(folder).tables == {"hidden": True}
    said = " ".join(capsys.readouterr().err.split())
    assert f"{file}: these settings are not used: Permission denied" in said
