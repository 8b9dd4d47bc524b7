"""The charsets that the files of a server name in headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linkfix.server import apache
from linkfix.server.apache import Folders
from linkfix.server.headers import Directive, Headers, Labels

if TYPE_CHECKING:
    from pathlib import Path

FILE = b"""# AddDefaultCharset big5
AddDefaultCharset Shift_JIS
<IfModule mod_mime.c>\r
AddCharset EUC-JP .euc ja-euc\r
AddType "text/html; charset=koi8-r" .htm
</IfModule>
<Files a.html>
ForceType 'text/html; charset=big5'
</Files>
Header set Content-Type "text/html;charset=gbk"
CharsetSourceEnc windows-1251
AddCharset nonsense .x
AddType text/plain .y
RewriteRule ^a charset=b
"""


def directives(data: bytes, path: str) -> list[Directive]:
    """Return the charsets that a file names, for its folder."""
    folders = Folders({})
    folders.add(path.rpartition("/")[0], *_said(data, path))
    return [*folders.charsets]


def _said(data: bytes, path: str) -> tuple[apache.Folder, list[Directive]]:
    said = apache.read(data, path)
    return said.own, said.charsets


def test_each_directive_is_read_with_its_place() -> None:
    found = directives(FILE, "ru/.htaccess")
    assert [(each.line, each.label, each.scope, each.extensions) for each in found] == [
        (2, "Shift_JIS", "default", ()),
        (4, "EUC-JP", "extensions", ("euc", "ja-euc")),
        (5, "koi8-r", "extensions", ("htm",)),
        (8, "big5", "all", ()),
        (10, "gbk", "all", ()),
        (11, "windows-1251", "all", ()),
        (12, "nonsense", "extensions", ("x",)),
    ]
    assert [FILE[each.start : each.end].decode() for each in found] == [
        each.label for each in found
    ]
    assert [each.problem for each in found] == [
        "",
        "",
        "",
        "it is in <files>",
        "it sets a header",
        "mod_charset_lite converts what it serves",
        "no browser knows 'nonsense'",
    ]


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("a.html", None),
        ("ru/a.html", "Shift_JIS"),
        ("ru/deep/a.html", "Shift_JIS"),
        ("ru/A.HTML", "Shift_JIS"),
        ("ru/a.html.euc", "EUC-JP"),
        ("ru/a.ja-euc.html", "EUC-JP"),
        ("ru/a.htm", "koi8-r"),
        ("ru/a.xml", None),
        ("russia/a.html", None),
    ],
)
def test_a_header_names_the_charset_of_a_file(path: str, label: str | None) -> None:
    headers = Headers(Labels(), tuple(directives(FILE, "ru/.htaccess")))
    assert headers.header(path, None) == label


def test_the_deepest_folder_decides_and_the_user_before_it() -> None:
    rows = (
        *directives(b"AddDefaultCharset big5", ".htaccess"),
        *directives(b"AddDefaultCharset Off", "a/.htaccess"),
        *directives(b"AddDefaultCharset On", "a/b/.htaccess"),
    )
    headers = Headers(Labels.parse(["/c/=koi8-r"]), rows)
    names = ("x.html", "a/x.html", "a/b/x.html", "c/x.html")
    labels = [headers.header(path, "html") for path in names]
    assert labels == ["big5", None, "iso-8859-1", "koi8-r"]


def test_a_copied_text_that_is_no_ascii_is_affected(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\x93\xfa")
    (tmp_path / "b.txt").write_bytes(b"plain")
    (tmp_path / "c.php").write_bytes(b"<?php ?>")
    (tmp_path / "d.gif").write_bytes(b"\x93\xfa")
    (tmp_path / "utf").mkdir()
    (tmp_path / "utf/a.txt").write_bytes(b"\x93\xfa")
    (directive,) = directives(b"AddDefaultCharset Shift_JIS", ".htaccess")
    inner = directives(b"AddDefaultCharset utf-8", "utf/.htaccess")
    headers = Headers(Labels(), (directive, *inner))
    names = ["a.txt", "b.txt", "c.php", "d.gif", "utf/a.txt"]
    spoiled = [headers.spoiled(str(tmp_path), name) for name in names]
    assert spoiled == [directive, None, directive, None, None]


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".htaccess").write_bytes(b"#" * (1024 * 1024 + 1))
    (failure,) = Folders.read(str(tmp_path), [".htaccess"]).failures
    assert "too large" in str(failure)


def test_a_backslash_joins_a_line_with_the_next_one() -> None:
    for end in (b"\n", b"\r\n"):
        data = end.join(
            [b"AddCharset \\", b" windows-1251 \\", b".html", b"AddDefaultCharset big5", b""]
        )
        found = [*directives(data, ".htaccess")]
        assert [(each.line, each.label, each.extensions) for each in found] == [
            (1, "windows-1251", ("html",)),
            (4, "big5", ()),
        ]
        assert data[found[0].start : found[0].end] == b"windows-1251"
