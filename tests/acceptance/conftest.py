"""The sites that the acceptance run reads: a generated one, always, and one of Debian packages."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import generated
from .packages import Missing, packages, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Whether every command reads the packages as well, and more of them.
FULL = os.environ.get("LINKFIX_ACCEPTANCE") == "full"


@pytest.fixture(scope="session")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """Return the site of all packages that can be had, and why each of the others cannot."""
    site = tmp_path_factory.mktemp("debian") / "site"
    missing: dict[str, str] = {}
    for package in packages(full=FULL):
        try:
            unpack(package, site)
        except Missing as reason:
            missing[package.name] = str(reason)
    yield site, missing
    shutil.rmtree(site, ignore_errors=True)


@pytest.fixture(scope="session", params=["generated", "debian"] if FULL else ["generated"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of one site after the other."""
    if request.param == "generated":
        return generated.write(tmp_path_factory.mktemp("generated") / "site")
    folder, missing = request.getfixturevalue("debian")
    if not folder.is_dir():
        pytest.skip("; ".join(missing.values()))
    return Path(folder)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """Return a folder for what commands write, which takes no room afterwards."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)
