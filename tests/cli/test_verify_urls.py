"""`linkfix verify --urls`: each planted fault is found, and nothing is said of right addresses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import apache
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from click.testing import Result

BASE = "http://old.example/"
TEXT = "日本語の案内です。検索と表示の一覧を見てください。"
FORM = "<form action=/s><input name=q value=x><select name=k><option value=1>y</select></form>"
PAGES = 24


def page(number: int, label: str) -> bytes:
    links = "".join(f'<a href="/p{(number + n) % PAGES}.htm">{n}</a>' for n in range(1, 4))
    text = f"<!DOCTYPE html><meta charset={label}><title>{number}</title><p>{TEXT} {number}{links}{FORM}"
    return text.encode(label)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The old site, the new one as it was migrated, and its table of redirects."""
    top = tmp_path_factory.mktemp("sites")
    old = top / "old"
    (old / "sub").mkdir(parents=True)
    for number in range(PAGES):
        (old / f"p{number}.htm").write_bytes(page(number, ("shift_jis", "euc-jp")[number % 2]))
    undeclared = page(99, "shift_jis").replace(b"<meta charset=shift_jis>", b"")
    (old / "sub/.htaccess").write_text("AddDefaultCharset Shift_JIS\nDirectoryIndex home.htm\n")
    (old / "sub/home.htm").write_bytes(undeclared)
    (old / "image.gif").write_bytes(b"GIF89a")
    (old / "feed.xml").write_text(
        '<rss xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel><item><link>http://old.example/p1.htm</link><c:encoded>'
        "<![CDATA[<p>See http://old.example/p2.htm <a href='http://old.example/p2.htm'>x</a>]]></c:encoded></item></channel></rss>"
    )
    (old / "a.css").write_text(f"/* {TEXT} */ p {{ background: url(image.gif) }} @import 'p1.htm';")
    (old / "sjis.css").write_bytes(f'@charset "shift_jis"; /* {TEXT} */'.encode("shift_jis"))
    (old / "app.webmanifest").write_text(f'{{"name": "{TEXT}", "start_url": "/p1.htm"}}')
    (old / "page.html.ja").write_bytes(page(98, "euc-jp"))
    (old / "p0.htm").write_bytes(
        page(0, "shift_jis")
        + b"<link rel=stylesheet href=a.css><link rel=manifest href=app.webmanifest>"
    )
    options = [
        "--base",
        BASE,
        "--rename",
        ".htm=.html",
        "--redirects",
        str(top / "moved.csv"),
        "--redirect-format",
        "csv",
        "--served",
        "/s",
    ]
    done = CliRunner().invoke(cli, ["migrate", *options, str(old), str(top / "new")])
    assert done.exit_code == 0, done.output
    return top


def verify(top: Path, urls: Path, *options: str, new: str = "new") -> Result:
    arguments = [
        "verify",
        "--urls",
        str(urls),
        "--base",
        BASE,
        "--server-config",
        str(top / "moved.csv"),
    ]
    return CliRunner().invoke(cli, [*arguments, *options, str(top / "old"), str(top / new)])


def test_nothing_is_said_of_a_right_site(sites: Path) -> None:
    done = verify(sites, sites / "old")
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"redirected {PAGES + 1}, lost 0, other 0, unknown 0" in done.stderr


def test_addresses_are_read_from_a_sitemap_a_log_and_a_list(sites: Path, tmp_path: Path) -> None:
    log = "".join(
        f'1.2.3.4 - - [24/Nov/2026:10:00:00 +0000] "GET {path} HTTP/1.1" {status} 12 "-" "x"\n'
        for path, status in (
            ("/p1.htm", 200),
            ("/p2.htm", 404),
            ("/sub/", 304),
            ("/nothing", 200),
        )
    )
    sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://old.example/p1.htm</loc></url><url><loc>http://old.example/sub/</loc></url></urlset>'
    for name, text in {
        "log": log,
        "sitemap.xml": sitemap,
        "list": "/p1.htm\n\nhttp://old.example/sub/\n",
    }.items():
        (tmp_path / name).write_text(text)
        done = verify(sites, tmp_path / name)
        assert (done.exit_code, done.stdout) == (0, ""), name
        assert "2 old addresses: same 1, redirected 1, lost 0" in done.stderr, name


def plant(new: Path, moved: Path) -> set[str]:
    """Plant faults, one for each address, and return the addresses."""
    found = set()
    rows = moved.read_text().splitlines()
    for number in range(PAGES):
        address, path = f"/p{number}.htm", new / f"p{number}.html"
        row = f"{address},/p{number}.html"
        fault = number % 7
        if fault == 0:
            path.unlink()
        elif fault == 1:
            rows[rows.index(row)] = f"{address},/p{number + 1}.html"
        elif fault == 2:
            rows.remove(row)
        elif fault == 3:
            path.write_bytes(path.read_text("utf-8").encode("shift_jis"))
        elif fault == 4:
            path.write_text(path.read_text("utf-8").replace("name=q", "name=r"), "utf-8")
        elif fault == 5:
            path.write_text(path.read_text("utf-8").replace("検索", "検査"), "utf-8")
        else:
            there = f"/p{(number + 2) % PAGES}.html"
            path.write_text(path.read_text("utf-8").replace(there, f"/p{number}.html"), "utf-8")
        found.add(address)
    moved.write_text("\n".join(rows) + "\n")
    (new / "sub/.htaccess").write_text("AddDefaultCharset Shift_JIS\nDirectoryIndex home.html\n")
    faults = {"a.css": ("background", "list-style"), "app.webmanifest": ("/p1.html", "/p9.html"), "sjis.css": ("検索", "検査")}  # fmt: skip
    for name, (right, wrong) in faults.items():
        (new / name).write_text((new / name).read_text("utf-8").replace(right, wrong), "utf-8")
    return found | {"/sub/", "/sub/home.htm"} | {f"/{name}" for name in faults}


@pytest.fixture
def spoiled(sites: Path, tmp_path: Path) -> tuple[Path, set[str]]:
    import shutil

    top = tmp_path / "top"
    shutil.copytree(sites, top)
    return top, plant(top / "new", top / "moved.csv")


def said(done: Result) -> set[str]:
    return {line.split(": ")[0].removeprefix(BASE[:-1]) for line in done.stdout.splitlines()}


def test_every_planted_fault_is_found(spoiled: tuple[Path, set[str]]) -> None:
    top, faults = spoiled
    done = verify(top, top / "old")
    assert done.exit_code == 1
    assert said(done) == faults


def test_the_server_is_asked_over_http(
    sites: Path, spoiled: tuple[Path, set[str]], tmp_path: Path
) -> None:
    if why := apache.missing():
        pytest.skip(why)
    for top, faults in ((sites, set[str]()), spoiled):
        rows = (top / "moved.csv").read_text().splitlines()[1:]
        more = f"LoadModule alias_module {apache.MODULES}/mod_alias.so\n" + "".join(
            'RedirectMatch 301 "^{}$" "{}"\n'.format(*row.split(",")) for row in rows
        )
        with apache.serving(top / "new", tmp_path / "state", more) as origin:
            done = verify(top, top / "old", "--ask", origin)
            assert said(done) == faults
            assert done.exit_code == bool(faults)
            assert "unknown 0" in done.stderr


def test_another_machine_is_asked_only_at_a_rate(sites: Path) -> None:
    done = verify(sites, sites / "old", "--ask", "http://www.example.org/")
    assert done.exit_code == 2
    assert (
        "www.example.org is another machine; say how often it may be asked: --rate 2" in done.stderr
    )
