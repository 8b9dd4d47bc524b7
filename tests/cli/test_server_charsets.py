"""The charsets that the server of a site sends, in the commands that read its documents where they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from movable_site import mv

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

PAGE = '<title>日本</title><a href="b.html?q=日本">b</a>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    (root / "ja").mkdir(parents=True)
    (root / "de").mkdir()
    (root / ".htaccess").write_text("AddDefaultCharset Shift_JIS\nAddCharset EUC-JP .euc\n")
    (root / "de/.htaccess").write_text("AddDefaultCharset Off\n")
    (root / "ja/a.html").write_bytes(PAGE.encode("shift_jis"))
    (root / "ja/b.html").write_bytes(PAGE.encode("shift_jis"))
    (root / "ja/c.html.euc").write_bytes(PAGE.encode("euc-jp"))
    return root


def records(*arguments: str) -> list[dict[str, str]]:
    done = CliRunner().invoke(cli, [*arguments, "--format", "jsonl"])
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_graph_has_the_queries_that_browsers_send(site: Path) -> None:
    uris = {each["uri"] for each in records("graph", str(site)) if each["record"] == "link"}
    assert uris == {"/ja/b.html?q=%93%FA%96%7B", "/ja/b.html?q=%C6%FC%CB%DC"}
    (site / ".htaccess").write_text("AddDefaultCharset big5\n")
    uris = {each["uri"] for each in records("graph", str(site)) if each["record"] == "link"}
    assert uris != {"/ja/b.html?q=%93%FA%96%7B", "/ja/b.html?q=%C6%FC%CB%DC"}


@pytest.mark.parametrize("options", [(), ("--ignore", "TGT"), ("--cache", "cache")])
def test_an_audit_reads_pages_as_they_are_sent(
    site: Path, tmp_path: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for label in ("Shift_JIS", "windows-31j", "big5"):
        (site / ".htaccess").write_text(f"AddDefaultCharset {label}\n")
        found = records("audit", "--select", "DOC,ENC,TGT", *options, str(site / "ja"), "--root", str(site), "--base", "http://a.example/")  # fmt: skip
        said = {each["message"] for each in found if each["rule"] == "DOC004"}
        name = "Big5" if label == "big5" else "Shift_JIS"
        assert said == {f"the document is in {name}"}
        assert not [each for each in found if each["rule"] == "DOC001"]


def test_a_label_that_the_user_names_counts_more(site: Path) -> None:
    found = records("audit", "--charset", "euc-jp", str(site))
    said = {each["message"] for each in found if each["rule"] == "DOC004"}
    assert said == {"the document is in EUC-JP"}


def test_a_page_moves_only_where_the_server_says_the_same_charset(site: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    done = mv(site, "ja/a.html", "de/a.html")
    assert done.exit_code == 3, done.output
    assert "ja/a.html" in done.stderr
    assert (
        "it is read in Shift_JIS since the server says so by its folder, and after the move"
        in done.stderr
    )
    assert "AddDefaultCharset Shift_JIS" in done.stderr
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    (site / "de/.htaccess").write_text("AddDefaultCharset Shift_JIS\n")
    assert mv(site, "ja/a.html", "de/a.html").exit_code == 0
    moved = (site / "de/a.html").read_bytes().decode("shift_jis")
    assert 'href="../ja/b.html?q=日本"' in moved


def test_a_folder_takes_its_directives_along(site: Path) -> None:
    (site / "ja/.htaccess").write_text("AddDefaultCharset windows-31j\n")
    assert mv(site, "ja", "de/ja").exit_code == 0
    (site / "de/ja/.htaccess").unlink()
    assert mv(site, "de/ja/a.html", "ja.html").exit_code == 3


def test_a_move_names_the_addresses_in_scripts_that_are_old(site: Path) -> None:
    (site / "ja/d.html").write_bytes("<title>日</title>\n<script>location.href = 'a.html'</script>".encode("shift_jis"))  # fmt: skip
    (site / "go.js").write_text("x();\nwindow.open('/ja/a.html');location.replace('/ja/b.html')")
    done = mv(site, "ja/a.html", "ja/z.html")
    assert done.exit_code == 0
    assert "ja/d.html:2: location.href = 'a.html': this has another name now" in done.stderr
    assert "go.js:2: window.open('/ja/a.html': this has another name now" in done.stderr
    assert "replace" not in done.stderr


def test_a_move_writes_type_maps(site: Path) -> None:
    (site / "ja/i.html.var").write_text("URI: i.html\n\nURI: a.html\nContent-language: ja\n")
    assert mv(site, "ja/a.html", "ja/z.html").exit_code == 0
    assert (site / "ja/i.html.var").read_text() == "URI: i.html\n\nURI: z.html\nContent-language: ja\n"  # fmt: skip
