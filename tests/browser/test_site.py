"""The documentation site: it is whole, linkfix finds nothing in it, a browser runs its playground, and people can use it."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import tarfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import processes
import pytest

import linkfix
from linkfix.cli.options.table import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness import Browser

pytest.importorskip("material", reason="the extra docs is not installed")
pytest.importorskip("mkdocstrings", reason="the extra docs is not installed")
pytestmark = [pytest.mark.nightly, pytest.mark.browser]

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "docs_site.py"
AXE = "axe-core@4.14.1"
NPM = shutil.which("npm")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; with the playground where there is npm."""
    out = tmp_path_factory.mktemp("docs") / "site"
    command: list[str | Path] = [
        sys.executable,
        TOOL,
        "--out",
        out,
        *(["--playground"] if NPM else []),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return out


@pytest.fixture(scope="module")
def origin(site: Path) -> Iterator[str]:
    """The address of the site on a loopback server."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012 - that of the base
            **http.server.SimpleHTTPRequestHandler.extensions_map,
            ".mjs": "text/javascript",
            ".wasm": "application/wasm",
        }

        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Handler, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, from its package of npm."""
    if NPM is None:
        pytest.skip("there is no npm, which brings axe-core")
    folder = tmp_path_factory.mktemp("axe")
    command: list[str | Path] = [
        NPM,
        "pack",
        "--silent",
        "--ignore-scripts",
        "--pack-destination",
        folder,
        AXE,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot bring axe-core: {done.stderr}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def run(browser: Browser, address: str, script: str) -> Any:
    """The result of the body of an asynchronous function in a page."""
    answer = browser.run(
        address,
        "const done = arguments[arguments.length - 1];"
        f"(async () => {{ {script} }})().then(done, error => done('failed: ' + error));",
    )
    assert not str(answer).startswith("failed: "), answer
    return answer


def test_the_audit_finds_nothing(site: Path) -> None:
    command: list[str | Path] = [sys.executable, "-m", "linkfix", "audit", site]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert "0 errors, 0 warnings, 0 pieces of advice" in done.stderr


def test_every_page_is_reached_from_the_index(site: Path) -> None:
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    reached, left = set[str](), ["index.html"]
    while left:
        page = left.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in linkfix.extract((site / page).read_bytes(), base=f"http://site/{page}"):
            parts = urlsplit(link.resolved or "")
            if parts.netloc == "site":
                path = unquote(parts.path).removeprefix("/")
                path += "index.html" if path.endswith("/") or not path else ""
                if path in pages:
                    left.append(path)
    assert pages - reached == set()
    assert len(pages) > 150


def test_every_rule_and_every_option_has_its_place(site: Path) -> None:
    from linkfix.auditing import rules
    from linkfix.cli.group import COMMANDS, cli

    for rule in rules():
        assert (site / "rules" / rule.code / "index.html").exists(), rule.code
    for name in COMMANDS:
        page = (site / "cli" / f"linkfix-{name}" / "index.html").read_text("utf-8")
        manual = (site / "man" / f"linkfix-{name}.1").read_text("utf-8").replace("\\-", "-")
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        for option in command.params:
            if isinstance(option, Setting) and not option.hidden:
                assert option.opts[0] in page
                assert option.opts[0] in manual


def test_the_playground_runs_the_wheel(site: Path, browser: Browser, origin: str) -> None:
    if not (site / "playground" / "wheels.json").exists():
        pytest.skip("npm and pip cannot bring Pyodide and its wheels")
    found = run(
        browser,
        f"{origin}/playground/index.html",
        """
        const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
        const field = (name) => document.getElementById(name);
        while (field("run").disabled && !field("state").textContent.startsWith("This site")) await wait();
        const about = field("state").textContent;
        const texts = (table) => [...field(table).tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
        field("run").click();
        const first = [texts("links"), texts("findings"), field("diff").textContent, field("state").textContent];
        field("to").value = "iri";
        field("charset").value = "UTF-8";
        field("document").value = "<meta charset=utf-8><a href='/%E6%A4%9C'>x</a><img src='<b>'>";
        field("run").click();
        const second = [texts("links"), texts("findings"), field("diff").textContent, document.querySelectorAll("main b").length];
        const foreign = performance.getEntriesByType("resource").map((each) => each.name).filter((name) => !name.startsWith(origin));
        return [about, first, second, foreign];
        """,
    )
    about, first, second, foreign = found
    assert about.startswith(f"linkfix {linkfix.__version__} on Python 3."), about
    assert "Unicode" in about
    links, findings, diff, state = first
    assert [row[2] for row in links] == [
        "/検索?q=空 港",
        "img\\logo 1.png",
        "http://例え.jp/%zz",
    ]
    assert links[0][3] == "http://www.example.jp/%E6%A4%9C%E7%B4%A2?q=%8B%F3%20%8D%60"
    assert {"DEL002 inner-whitespace", "DEL003 backslash", "ENC001 stray-percent"} <= {
        row[1] for row in findings
    }
    assert '+<img src="img/logo%201.png" alt="">' in diff
    assert "3 links" in state
    links, _, diff, injected = second
    assert "+<meta charset=utf-8><a href='/\\xe6\\xa4\\x9c'>" in diff
    assert links[1][2] == "<b>"
    assert injected == 0
    assert foreign == []


PAGES = ("index.html", "tutorials/webmaster/", "cli/linkfix-rewrite/", "api/linkfix/", "playground/index.html")  # fmt: skip


def faults(browser: Browser, address: str, axe: str) -> Any:
    """The serious and critical faults of a page, each with elements that have it."""
    script = (
        axe
        + ";const found = await axe.run(document, {resultTypes: ['violations']});"
        + "return found.violations.filter(each => ['serious', 'critical'].includes(each.impact))"
        + ".map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]);"
    )
    return run(browser, address, script)


@pytest.mark.parametrize("page", PAGES)
def test_it_has_no_serious_fault_of_accessibility(
    browser: Browser, origin: str, axe: str, page: str
) -> None:
    assert faults(browser, f"{origin}/{page}", axe) == []


def test_the_report_of_an_audit_has_none(browser: Browser, axe: str, tmp_path: Path) -> None:
    """That of the samples, which has every part: findings, broken targets and pages that nothing links to."""
    options = ("--format", "html", "--base", "http://www.example.jp/", "--exit-zero")
    done = processes.run("audit", *options, ROOT / "samples")
    assert b"TGT001" in done.stdout
    report = tmp_path / "report.html"
    report.write_bytes(done.stdout)
    assert faults(browser, report.as_uri(), axe) == []
    bad = tmp_path / "bad.html"
    bad.write_text("<!doctype html><title>x</title><img src=x><a href=y></a>")
    assert {fault for fault, _ in faults(browser, bad.as_uri(), axe)} >= {"image-alt", "link-name"}
