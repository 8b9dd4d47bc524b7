"""The packages of the list are what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from .packages import Missing, Package, packages, unpack
from .sites import FULL

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.acceptance

_LABEL = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w-]+)""")


def declared(folder: Path) -> set[str]:
    """The labels that the pages of a folder and its .htaccess say, in lower case."""
    labels = {
        label.decode().lower()
        for page in folder.rglob("*.html")
        if page.is_file()
        for label in _LABEL.findall(page.read_bytes()[:4096])
    }
    server = folder / ".htaccess"
    return labels | ({server.read_text().split()[-1].lower()} if server.exists() else set())


@pytest.mark.parametrize("package", packages(full=FULL), ids=lambda package: package.name)
def test_a_package_is_what_the_list_says(
    package: Package, debian: tuple[Path, dict[str, str]]
) -> None:
    site, missing = debian
    if package.name in missing:
        pytest.skip(missing[package.name])
    folder = site / package.name
    assert sum(path.is_file() for path in folder.rglob("*")) > 20
    assert (folder / ".htaccess").exists() == (package.declare == "server")
    if package.charset:
        labels = set() if package.declare == "nobody" else {package.charset.lower()}
        assert declared(folder) == labels
        pages = [page.read_bytes() for page in folder.rglob("*.html")]
        assert any(not page.isascii() or b"\x1b$" in page for page in pages)


def test_there_are_a_dozen_charsets(debian: tuple[Path, dict[str, str]]) -> None:
    site, missing = debian
    if missing:
        pytest.skip("; ".join(missing.values()))
    labels = set[str]().union(*map(declared, site.iterdir()))
    assert len(labels) >= 12, labels


def test_what_cannot_be_had_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKFIX_ACCEPTANCE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(Missing, match="no-such-package-of-debian: "):
        unpack(Package("no-such-package-of-debian", ""), tmp_path)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Missing, match="not on the PATH: apt-get"):
        unpack(Package("analog", ""), tmp_path)
