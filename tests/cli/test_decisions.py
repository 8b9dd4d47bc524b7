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
    assert "5 pages; guessed or declared: EUC-JP" in lines[0]
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
