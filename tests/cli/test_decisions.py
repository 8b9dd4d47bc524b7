"""`linkfix migrate --decisions`: the charsets of pages that declare none are one decision for a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TEXT = "日本語の案内です。検索と表示の一覧を見てください。"
#: Texts so short that their frequencies mislead.
SHORT = ("表示", "é 表")


def migrate(old: Path, new: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["migrate", *options, str(old), str(new)])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    root = tmp_path / "old"
    (root / "ja").mkdir(parents=True)
    for number in range(4):
        (root / f"ja/{number}.html").write_bytes(
            f"<title>{number}</title>{TEXT * 3}".encode("euc-jp")
        )
    (root / "ja/short.html").write_bytes(f"<title>{SHORT[0]}</title>".encode("euc-jp"))
    (root / "ja/other.html").write_bytes(
        f"<meta charset=shift_jis><title>{TEXT}</title>".encode("shift_jis")
    )
    (root / "ru.htm").write_bytes(
        ("<title>" + "Привет, мир. Это страница о сайте. " * 4).encode("koi8-r")
    )
    return root


def test_the_pages_of_a_folder_are_one_decision_that_is_read_back(
    old: Path, tmp_path: Path
) -> None:
    file = tmp_path / "decisions"
    first = migrate(old, tmp_path / "dry", "--dry-run", "--decisions", str(file))
    assert first.exit_code == 1
    lines = file.read_text().splitlines()
    assert [line.partition("  #")[0] for line in lines] == ["/ja/*.html=EUC-JP", "/*.htm=KOI8-R"]
    assert "5 pages, 5 are valid in it; guessed EUC-JP" in lines[0]
    done = migrate(old, tmp_path / "new", "--decisions", str(file))
    assert done.exit_code == 0, done.output
    assert f"<title>{SHORT[0]}</title>" in (tmp_path / "new/ja/short.html").read_text("utf-8")
    assert "Привет" in (tmp_path / "new/ru.htm").read_text("utf-8")
    # A page that declares its charset is none of these.
    assert TEXT in (tmp_path / "new/ja/other.html").read_text("utf-8")
    assert file.read_text().splitlines() == lines


def test_a_line_that_the_user_corrects_counts(old: Path, tmp_path: Path) -> None:
    file = tmp_path / "decisions"
    file.write_text("# mine\n/ja/*.html=EUC-JP\n/ru.htm=windows-1251 # no\n")
    done = migrate(old, tmp_path / "new", "--decisions", str(file))
    assert done.exit_code == 0, done.output
    assert "рТЙЧЕФ" in (tmp_path / "new/ru.htm").read_text("utf-8")
    file.write_text("/ja/*.html=nonsense\n")
    wrong = migrate(old, tmp_path / "new2", "--decisions", str(file))
    assert wrong.exit_code == 2
    assert "nonsense" in wrong.output


def test_pages_that_no_charset_fits_are_decided_one_by_one(tmp_path: Path) -> None:
    root = tmp_path / "old"
    root.mkdir()
    (root / "a.html").write_bytes((TEXT * 3).encode("euc-jp") + b"<p>")
    (root / "b.html").write_bytes((TEXT * 3).encode("shift_jis") + b"<p>")
    file = tmp_path / "decisions"
    migrate(root, tmp_path / "new", "--decisions", str(file))
    patterns = [line.partition("=")[0] for line in file.read_text().splitlines()]
    assert patterns == ["/a.html", "/b.html"]


def test_links_and_linked_pages_decide_where_frequencies_do_not(tmp_path: Path) -> None:
    """What links say counts for a page, what linked pages declare for those of a folder."""
    root = tmp_path / "old"
    (root / "a").mkdir(parents=True)
    (root / "b").mkdir()
    (root / "a/1.html").write_bytes("<title>表示</title>".encode("euc-jp"))
    (root / "b/1.html").write_bytes("<title>表示</title><a href='../ja.html'>".encode("euc-jp"))
    (root / "ja.html").write_bytes(f"<meta charset=euc-jp>{TEXT}".encode("euc-jp"))
    (root / "index.html").write_text(
        "<meta charset=utf-8><a href=a/1.html hreflang=ja>1</a><a href=a/1.html charset=x-euc-jp>1</a>"
    )
    file = tmp_path / "decisions"
    migrate(root, tmp_path / "new", "--dry-run", "--decisions", str(file))
    first, second = file.read_text().splitlines()
    assert first.startswith("/a/*.html=EUC-JP  # 1 pages")
    assert "said by links EUC-JP 2" in first
    assert second.startswith("/b/*.html=EUC-JP  # 1 pages")
    assert "declared by linked pages EUC-JP 1" in second


def test_a_page_in_another_charset_than_its_folder_is_a_decision_of_its_own(tmp_path: Path) -> None:
    root = tmp_path / "old"
    root.mkdir()
    for number in range(5):
        (root / f"{number}.html").write_bytes((TEXT * 3).encode("euc-jp") + b"<p>")
    (root / "x.html").write_bytes((TEXT * 3).encode("shift_jis") + b"<p>")
    (root / "y.html").write_bytes(("Привет, мир. Это страница о сайте. " * 9).encode("koi8-r"))
    file = tmp_path / "decisions"
    migrate(root, tmp_path / "dry", "--dry-run", "--decisions", str(file))
    lines = [line.partition("  #")[0] for line in file.read_text().splitlines()]
    assert lines == ["/*.html=EUC-JP", "/x.html=Shift_JIS", "/y.html=KOI8-R"]
    done = migrate(root, tmp_path / "new", "--decisions", str(file))
    assert done.exit_code == 0, done.output
    assert TEXT in (tmp_path / "new/x.html").read_text("utf-8")


def test_folders_of_one_page_are_one_decision_if_they_agree(tmp_path: Path) -> None:
    root = tmp_path / "old"
    pages = {f"{number:02}": f"<title>{TEXT * 3}</title>".encode("euc-jp") for number in range(5)}
    pages |= {f"short{number}": f"<title>{SHORT[1]}</title>".replace("é ", "").encode("euc-jp") for number in range(2)}  # fmt: skip
    pages["ru"] = ("<title>" + "Привет, мир. Это страница о сайте. " * 4).encode("koi8-r")
    for name, page in pages.items():
        (root / "docs" / name).mkdir(parents=True)
        (root / "docs" / name / "index.html").write_bytes(page)
    file = tmp_path / "decisions"
    migrate(root, tmp_path / "dry", "--dry-run", "--decisions", str(file))
    lines = [line.partition("  #")[0] for line in file.read_text().splitlines()]
    assert lines == ["/docs/*/*.html=EUC-JP", "/docs/ru/index.html=KOI8-R"]
    assert migrate(root, tmp_path / "new", "--decisions", str(file)).exit_code == 0
    assert "<title>表</title>" in (tmp_path / "new/docs/short1/index.html").read_text("utf-8")
    # Folders in several languages do not decide for each other.
    for name, charset in (("ko", "euc-kr"), ("ja", "shift_jis")):
        text = {"ko": "한국어 안내 페이지입니다. ", "ja": TEXT}[name]
        (root / name).mkdir()
        (root / name / "a.html").write_bytes(f"<title>{text * 4}</title>".encode(charset))
    file.unlink()
    migrate(root, tmp_path / "dry", "--dry-run", "--decisions", str(file))
    more = {line.partition("  #")[0] for line in file.read_text().splitlines()} - {*lines}
    assert more == {"/ko/*.html=EUC-KR", "/ja/*.html=Shift_JIS"}
