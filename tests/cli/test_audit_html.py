"""The HTML report in headless Chromium: it can be searched and filtered, and nothing in it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import processes
import pytest
from browser.harness import Browser, missing_programs

from linkfix.auditing import Finding, rule
from linkfix.cli.formats.html import Writer
from linkfix.links import LinkStream
from linkfix.sites.auditing import AuditTotals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser

#: More than the report waits after a key before it filters.
PAUSE = "await new Promise(done => setTimeout(done, 250));"


class Report:
    """A report that is open in the browser."""

    def __init__(self, browser: Browser) -> None:
        self._driver = browser._driver

    def open(self, path: Path) -> None:
        self._driver.open(path.as_uri())

    def run(self, script: str) -> Any:
        """Run the body of an asynchronous function in the page; return its result."""
        wrapped = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{ {script} }})().then(done, error => done('failed: ' + error));"
        )
        answer = self._driver.run(wrapped, [])
        assert not str(answer).startswith("failed: "), answer
        return answer

    def filter(self, name: str, value: str) -> str:
        """Set a filter; return the report's text about the number of findings."""
        answer: str = self.run(
            f"const field = document.getElementById({name!r}); field.value = {value!r};"
            "field.dispatchEvent(new Event('input', {bubbles: true}));"
            f"{PAUSE} return document.getElementById('count').textContent;"
        )
        return answer

    def press(self, key: str, target: str = "list") -> None:
        self.run(
            f"document.getElementById({target!r}).dispatchEvent("
            f"new KeyboardEvent('keydown', {{key: {key!r}, bubbles: true, cancelable: true}}));"
        )

    def pages(self) -> str:
        """Return which findings the page of the list has."""
        answer: str = self.run("return document.getElementById('which').textContent;")
        return answer

    def chosen_is_visible(self) -> bool:
        """Return whether the list shows the row of the chosen finding."""
        answer: bool = self.run(
            "const list = document.getElementById('list'), box = list.getBoundingClientRect();"
            "const row = document.getElementById(list.getAttribute('aria-activedescendant'));"
            "const {top, bottom} = row.getBoundingClientRect();"
            "return top >= box.top - 1 && bottom <= box.bottom + 1;"
        )
        return answer

    def detail(self) -> str:
        answer: str = self.run("return document.getElementById('detail').innerText;")
        return answer


@pytest.fixture(scope="module")
def report() -> Iterator[Report]:
    if missing := missing_programs():
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with Browser() as browser:
        yield Report(browser)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on two small documents, one of them hostile."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "one.html").write_text(
        "<meta charset=utf-8><a href='/a b'><a href='http://Example.org/%zz'><img src=''>"
    )
    (folder / "two <img src=x onerror=pwn()>.html").write_text(
        "<meta charset=utf-8><a href='/</script><img src=x onerror=pwn()>'>"
        "<a href='/\u202egnp.exe'><a href='/ü&#x1b;[31m'>"
    )
    documents = sorted(folder.glob("*.html"))
    out = folder / "report.html"
    options = ["audit", "--format", "html", "-o", str(out), *map(str, documents)]
    done = processes.run(*options)
    assert done.returncode == 1, done.stderr
    return out


def test_it_shows_counts_charts_and_findings(report: Report, site: Path) -> None:
    report.open(site)
    assert "2 documents, 6 links" in report.run("return document.body.innerText;")
    assert report.run("return document.querySelectorAll('#charts svg').length;") > 5
    total = report.run("return document.querySelectorAll('[role=option]').length;")
    assert total > 5
    assert report.run("return document.getElementById('count').textContent;") == f"{total} of {total} findings"  # fmt: skip


@pytest.mark.parametrize("width", [320, 1280])
def test_no_part_is_beside_the_window(report: Report, tmp_path: Path, width: int) -> None:
    """A page reflows in 320 pixels (WCAG 2.2, 1.4.10)."""
    name = "a-file-that-has-quite-a-long-name-and-no-place-to-break-it-anywhere.html"
    (tmp_path / name).write_text("<meta charset=utf-8><a href=/gone.html><a href='/a b'>" * 3)
    out = tmp_path / "report.html"
    processes.run("audit", "--format", "html", "-o", str(out), "--base", "http://h/", str(tmp_path))
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    tools: Any = report._driver
    tools._tools("Emulation.setDeviceMetricsOverride", size)
    try:
        report.open(out)
        beside = report.run(
            "return [...document.body.querySelectorAll(':not(.hidden, #list *)')].filter(each =>"
            "each.getBoundingClientRect().right > innerWidth).map(each => each.outerHTML.slice(0, 80));"
        )
    finally:
        tools._tools("Emulation.clearDeviceMetricsOverride", {})
    assert beside == []


def test_a_file_is_counted_once_with_its_findings_across_documents(
    report: Report, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href='/a b'><a href=gone.html>")
    (tmp_path / "b.html").write_text("<meta charset=utf-8><a href=gone.html><a href=a.html>")
    out = tmp_path / "report.html"
    processes.run("audit", "--format", "html", "-o", str(out), "--base", "http://h/", str(tmp_path))
    report.open(out)
    charts = report.run("return document.getElementById('charts').innerText;")
    assert f"By file in {tmp_path}/\na.html" in charts.replace("\n\n", "\n")
    assert charts.count("a.html\n") == charts.count("b.html\n") == 1
    assert "a.html\n3\n" in charts.replace("\t", "\n") + "\n"


def test_nothing_of_a_document_acts_and_nothing_is_loaded(report: Report, site: Path) -> None:
    report.open(site)
    assert report.run("return document.images.length;") == 0
    assert report.run("return performance.getEntriesByType('resource').length;") == 0
    text = report.run("return document.body.textContent;")
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\\u{202E}gnp.exe" in text
    blocked = report.run(
        "const seen = []; addEventListener('securitypolicyviolation', e => seen.push(e.violatedDirective));"
        "const image = new Image(); image.src = 'data:image/gif;base64,R0lGOD'; document.body.append(image);"
        "const script = document.createElement('script'); script.textContent = 'window.pwned = 1';"
        f"document.body.append(script); {PAUSE} return [window.pwned === undefined, seen];"
    )
    assert blocked[0] is True
    assert len(blocked[1]) == 2


def test_it_can_be_searched_and_filtered(report: Report, site: Path) -> None:
    report.open(site)
    everything = report.filter("search", "")
    total = int(everything.split()[-2])
    assert report.filter("search", "GNP.exe") == f"1 of {total} findings"
    assert "bidi-formatting" in report.detail()
    assert report.filter("search", "no such thing") == f"0 of {total} findings"
    assert "No finding is like that" in report.detail()
    report.filter("search", "")
    assert report.filter("host", report.run(
        "return [...document.getElementById('host').options].find(o => o.text.startsWith('example.org')).value;"
    )).startswith("2 of")  # fmt: skip
    report.run(f"document.querySelector('[type=reset]').click(); {PAUSE}")
    assert report.filter("severity", "advice").startswith("2 of")
    report.filter("severity", "")
    assert report.filter("file", "ONE.html").split()[0] != everything.split()[0]
    report.filter("file", "")
    report.run(f"document.querySelector('#charts button').click(); {PAUSE}")
    assert report.run("return document.getElementById('rule').value;") != ""


def test_a_target_shows_all_places_that_lead_there(report: Report, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    head = "<!doctype html><meta charset=utf-8>"
    (folder / "index.html").write_text(
        f"{head}<a href=no.html><a href=/no.html><a href=sub/a.html>"
    )
    (folder / "sub" / "a.html").write_text(f"{head}<a href='../no.html'><a href='gone.html'>")
    out = tmp_path / "report.html"
    options = ["audit", "--format", "html", "--select", "TGT", "-o", str(out), str(folder)]
    done = processes.run(*options)
    assert done.returncode == 1, done.stderr
    report.open(out)
    assert report.run(
        "return [...document.getElementById('target').options].map(o => o.text);"
    ) == ["all", "/no.html (3)", "/sub/gone.html (1)"]
    report.run(
        "[...document.querySelectorAll('#charts button')].find(b => b.title === '/no.html').click();"
    )
    assert report.run("return document.getElementById('count').textContent;") == "3 of 4 findings"
    assert "leads to /no.html" in report.detail()
    table = "const rows = [...document.querySelectorAll('#broken tr')];"
    assert report.run(f"{table} return rows.map(r => [...r.cells].map(c => c.innerText.trim()));") == [
        ["3", "2", "/no.html missing-file"], ["1", "1", "/sub/gone.html missing-file"],
    ]  # fmt: skip
    places = report.run(
        f"{table} rows[0].querySelector('summary').click(); {PAUSE}"
        "return [...rows[0].querySelectorAll('li')].map(each => each.innerText);"
    )
    assert [place.rpartition("folder/")[2] for place in places] == ["index.html:1:44", "index.html:1:60", "sub/a.html:1:45"]  # fmt: skip
    report.run(f"{table} rows[0].querySelectorAll('li button')[2].click(); {PAUSE}")
    assert report.run("return document.activeElement.id;") == "list"
    assert "a.html, line 1, column 45" in report.detail()
    assert report.run("return document.getElementById('orphans').hidden;") is True


def test_twenty_thousand_broken_targets_and_orphans_are_shown_in_parts(
    report: Report, tmp_path: Path
) -> None:
    stream = LinkStream(type="html")
    stream.feed(b"<meta charset=utf-8><a href='no'>")
    (link,) = stream.close()
    missing, orphan = rule("TGT001"), rule("TGT014")
    assert missing is not None
    assert orphan is not None
    path = tmp_path / "large.html"
    with path.open("w", encoding="utf-8") as out:
        writer = Writer(out)
        writer.begin()
        for number in range(20_000):
            about = (missing.code, missing.name, missing.severity, "gone", missing.section)
            found = [Finding(*about, 1, 1, 0, 9, link, 0, 2, target=f"/{number // 2}")]
            if number % 2:
                found.append(Finding(orphan.code, orphan.name, orphan.severity, "alone", orphan.section, 1, 1, 0, 0))  # fmt: skip
            writer.put(f"site/{number}.html", writer.rendered("", found))
        writer.end(AuditTotals(documents=20_000, links=20_000))
    report.open(path)
    assert report.run("return document.querySelectorAll('#broken tr').length;") == 26
    assert report.run("return document.getElementById('orphans-title').innerText;") == "Pages that nothing links to (10,000)"  # fmt: skip
    report.run("document.querySelector('#broken td[colspan] button').click();")
    focus = (
        "return [document.querySelectorAll('#broken tr').length, document.activeElement.innerText];"
    )
    assert report.run(focus) == [51, "/25 missing-file"]
    report.run(f"document.querySelector('#unlinked button').click(); {PAUSE}")
    assert "TGT014" in report.detail()


def test_a_finding_shows_before_and_after(report: Report, site: Path) -> None:
    report.open(site)
    report.filter("search", "/a b")
    shown = report.detail()
    assert "DEL002" in shown
    assert "/a%20b" in shown
    assert "WHAT IT DOES" in shown.upper()
    assert report.run("return document.querySelector('#detail mark').textContent;") == " "


def test_the_keyboard_and_screen_readers_get_everywhere(report: Report, site: Path) -> None:
    report.open(site)
    report.run("document.getElementById('list').focus();")
    first = report.detail()
    for key in ("End", "ArrowUp", "PageUp", "Home", "ArrowDown"):
        report.press(key)
    chosen = report.run(
        "const list = document.getElementById('list');"
        "const row = document.getElementById(list.getAttribute('aria-activedescendant'));"
        "return [row.getAttribute('aria-selected'), row.getAttribute('aria-posinset'),"
        "document.querySelectorAll('[aria-selected=true]').length];"
    )
    assert chosen == ["true", "2", 1]
    assert report.detail() != first
    report.press("Enter")
    assert report.run("return document.activeElement.id;") == "detail"
    report.press("Escape", "detail")
    assert report.run("return document.activeElement.id;") == "list"
    report.press("/")
    assert report.run("return document.activeElement.id;") == "search"
    unlabelled = report.run(
        "return [...document.querySelectorAll('input, select')].filter(f => !f.labels.length).length;"
    )
    assert unlabelled == 0


def test_a_hundred_thousand_findings_do_not_freeze_it(report: Report, tmp_path: Path) -> None:
    stream = LinkStream(type="html")
    stream.feed(b"<meta charset=utf-8><a href='http://example.org/a b'>")
    (link,) = stream.close()
    spaces = rule("DEL002")
    assert spaces is not None
    path = tmp_path / "large.html"
    with path.open("w", encoding="utf-8") as out:
        writer = Writer(out)
        writer.begin()
        for number in range(100_000):
            finding = Finding(spaces.code, spaces.name, spaces.severity, f"number {number}",
                        spaces.section, number, 1, 0, 9, link, 20, 21, "http://example.org/a%20b")  # fmt: skip
            writer.put(f"site/{number // 100}.html", writer.rendered("", [finding]))
        writer.end(AuditTotals(documents=1000, links=100_000))
    report.open(path)
    assert report.filter("search", "number 99999") == "1 of 100,000 findings"
    assert report.filter("search", "") == "100,000 of 100,000 findings"
    report.press("End")
    assert "number 99999" in report.detail()
    assert report.run("return document.querySelectorAll('[role=option]').length;") < 60
    assert report.pages() == "90,001 to 100,000 of 100,000"
    assert report.chosen_is_visible()
    report.run("document.getElementById('back').click();")
    assert report.pages() == "80,001 to 90,000 of 100,000"
    assert "number 80000" in report.detail()
    report.press("ArrowUp")
    assert report.pages() == "70,001 to 80,000 of 100,000"
    assert report.chosen_is_visible()
    assert report.run("return document.getElementById('rows').offsetHeight;") == 560_000
    assert report.filter("search", "number 1234").startswith("11 of")
    assert report.run("return document.getElementById('pages').hidden;")
    assert report.filter("search", "") == "100,000 of 100,000 findings"
