"""A site whose files ``linkfix mv`` moves, for tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


__all__ = ["HEAD", "links", "make", "make_site", "mv", "text", "tree"]


def mv(root: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["mv", "--root", str(root), *map(str, arguments)])


def make(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, body in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body.encode() if isinstance(body, str) else body)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {
        os.path.relpath(path, folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def text(folder: Path) -> dict[str, str]:
    return {name: body.decode() for name, body in tree(folder).items()}


HEAD = "<!doctype html><meta charset=utf-8><title>t</title>"


def links(*values: str) -> str:
    return HEAD + "".join(f'<a href="{value}">x</a>' for value in values)


def make_site(folder: Path) -> Path:
    return make(
        folder,
        {
            "index.html": links("docs/a.html", "/docs/a.html?q=%e4#x&amp;y", "docs/", "docs", "b c.html", "é.html"),
            "b c.html": links("docs/sub/deep.html"),
            "é.html": links("."),
            "docs/index.html": links("a.html", "../index.html", "/"),
            "docs/a.html": links("sub/deep.html", "#here", "", "?q", "missing.html", "../pic.png"),
            "docs/sub/deep.html": links("../a.html", "../../b%20c.html", "/docs/a.html"),
            "docs/style.css": "a { background: url(../pic.png) } b { background: url(sub/x.png) }",
            "docs/sub/x.png": b"x",
            "pic.png": b"p",
        },
    )  # fmt: skip
