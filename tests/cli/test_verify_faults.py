"""`linkfix verify --urls` among 5,000 pages: it finds 200 planted faults, and says nothing of what is right."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import processes
import pytest

pytestmark = pytest.mark.nightly

BASE = "http://old.example/"
PAGES, FAULTS, FOLDERS = 5000, 200, 25
TEXTS = {
    "shift_jis": "日本語の案内です。検索と表示の一覧を見てください。",
    "euc-jp": "文字の符号化について説明する。",
    "windows-1251": "Список страниц сайта и поиск по нему.",
    "koi8-r": "Привет, мир, это старая страница.",
    "iso-8859-2": "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "windows-1253": "Καλημέρα κόσμε και καλή όρεξη.",
    "gb2312": "欢迎来到我们的网站,请阅读说明。",
    "euc-kr": "한국어 안내 페이지입니다.",
    "utf-8": "Œuvre – déjà vu ☃",
}
FORM = (
    '<form action="/s?c={c}"><input name=q value="{c}"><input type=hidden name=n value={n}></form>'
)
WXR = '<wp:comment_content xmlns:wp="http://wordpress.org/export/1.2/">see {link}</wp:comment_content>'


def name(number: int) -> str:
    kind = "xml" if number % 12 == 7 else "htm"
    return f"f{number % FOLDERS}/p{number}.{kind}"


def label_of(folder: int) -> str:
    return [*TEXTS][folder % len(TEXTS)]


def page(number: int) -> bytes:
    """A page with links, a form and a query; every twelfth is a feed or an export with pages in it."""
    label = label_of(number % FOLDERS)
    text, link = TEXTS[label], f"{BASE}{name((number * 7 + 1) % PAGES)}"
    body = f"<p>{text} {number}</p><a href='/{name((number + 1) % PAGES)}?q={text[0]}#x'>a</a><a href='../{name((number * 3) % PAGES)}'>b</a>"
    if name(number).endswith("htm"):
        # In some folders the server says it for pages that do not.
        meta = "" if label == "shift_jis" and number % 9 == 5 else f"<meta charset={label}>"
        form = FORM.format(c="é" if label == "utf-8" else "c", n=number)
        return f"<!DOCTYPE html>{meta}<title>{number}</title>{body}{form}".encode(label)
    html = f"<!-- wp:x {{'u':'{link}'}} --><p>See {link}</p>{body}<a href='{link}'>{link}</a>"
    if number % 24 == 7:
        head = f'<?xml version="1.0" encoding="{label}"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{link}"/>'
        html = html.replace("&", "&amp;").replace("<", "&lt;")
        return f'{head}<content type="html">{html}</content></entry></feed>'.encode(label)
    content = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    head = (
        f'<?xml version="1.0" encoding="{label}"?><rss {content}><channel><item><link>{link}</link>'
    )
    return f"{head}<content:encoded><![CDATA[{html}]]></content:encoded>{WXR.format(link=link)}</item></channel></rss>".encode(label)  # fmt: skip


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


#: Faults of a page in UTF-8, by what is wrong.
CHANGES: dict[str, Callable[[int], Callable[[str], str]]] = {
    "moved link": lambda n: replaced(f"../{new_name((n * 3) % PAGES)}", f"../{new_name((n * 3 + 2) % PAGES)}"),
    "lost text": lambda n: replaced(f" {n}</p>", "</p>"),
    "form field": lambda _: replaced("name=q", "name=p"),
    "value of a field": lambda n: replaced(f"value={n}>", f"value={n}0>"),
}  # fmt: skip


def new_name(number: int) -> str:
    return name(number).replace(".htm", ".html")


def plant(root: Path, chance: random.Random) -> dict[str, str]:
    """Plant faults; return what is wrong by the addresses at which it shows."""
    new, table = root / "new", root / "moved.csv"
    rows = dict(line.split(",") for line in table.read_text().splitlines())
    numbers = chance.sample([n for n in range(PAGES) if n % FOLDERS > 1], FAULTS - 2)
    kinds = [*CHANGES, "lost file", "wrong redirect", "no redirect", "other charset"]
    found = {}
    for place, number in enumerate(numbers):
        kind, path, old = kinds[place % len(kinds)], new / new_name(number), f"/{name(number)}"
        is_page = path.suffix == ".html"
        if kind in CHANGES and not is_page:
            kind = "moved link" if place % 2 else "lost text"
        if kind in CHANGES:
            text = path.read_text("utf-8")
            if not is_page and kind == "lost text":
                text = re.sub(f" {number}(?:</p>|&lt;/p>)", "", text, count=1)
            elif not is_page:
                text = re.sub(
                    r"(<link(?: href=\"|>))[^<\"]*",
                    rf"\g<1>{BASE}{new_name((number * 7 + 2) % PAGES)}",
                    text,
                    count=1,
                )
            else:
                text = CHANGES[kind](number)(text)
            assert text != path.read_text("utf-8")
            path.write_text(text, "utf-8")
        elif kind == "lost file" or not is_page:
            path.unlink()
        elif kind == "other charset":
            label, text = label_of(number % FOLDERS), path.read_text("utf-8")
            octets = text.encode().decode("latin-1").encode() if label == "utf-8" else text.encode(label)  # fmt: skip
            path.write_bytes(octets)
        elif kind == "wrong redirect":
            rows[old] = rows[f"/{name((number // 12 * 12 + 8) % PAGES or 8)}"]
            if rows[old] == f"/{new_name(number)}":
                rows[old] = "/f0/p0.html"
        else:
            del rows[old]
        found[old] = kind
    table.write_text("".join(f"{old},{there}\n" for old, there in rows.items()))
    for folder, line in enumerate(("AddDefaultCharset Shift_JIS\nDirectoryIndex home.html\n", "AddDefaultCharset utf-8\nDirectoryIndex home.htm\n")):  # fmt: skip
        (new / f"f{folder}/.htaccess").write_text(line)
    return found


def said(done: CompletedProcess[bytes]) -> set[str]:
    lines = done.stdout.decode().splitlines()
    return {line.split(": ")[0].removeprefix(BASE[:-1]) for line in lines}


def test_every_fault_is_found_and_nothing_else(tmp_path: Path) -> None:
    for number in range(PAGES):
        path = tmp_path / "old" / name(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page(number))
    for folder in range(FOLDERS):
        place = tmp_path / f"old/f{folder}"
        says = "AddDefaultCharset Shift_JIS\n" * (label_of(folder) == "shift_jis")
        (place / ".htaccess").write_text(f"{says}DirectoryIndex home.htm\n")
        (place / "home.htm").write_bytes(page(folder))
    table = ["--redirects", "moved.csv", "--redirect-format", "csv"]
    options = ["--base", BASE, "--rename", ".htm=.html", "--served", "/s", *table]
    done = processes.run("migrate", "-q", *options, "old", "new", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    asking = [
        "verify",
        "--urls",
        "old",
        "--base",
        BASE,
        "--server-config",
        "moved.csv",
        "old",
        "new",
    ]
    right = processes.run(*asking, cwd=tmp_path)
    assert (right.returncode, right.stdout) == (0, b""), right.stdout[:2000]
    faults = plant(tmp_path, random.Random(24))
    wrong = processes.run(*asking, cwd=tmp_path)
    found = said(wrong)
    in_folders = {f"/f{n}/" for n in (0, 1)}
    others = {each for each in found - faults.keys() if not any(map(each.startswith, in_folders))}
    missed = {address: kind for address, kind in faults.items() if address not in found}
    assert (missed, others) == ({}, set())
    # The charset of the server spoils every page of a folder that declares UTF-8; the stale index loses the folder only.
    assert in_folders <= found
    assert not {each for each in found if each.startswith("/f1/")} - faults.keys() - {"/f1/"}
