"""The sites that the acceptance run reads: a generated one, and one of Debian packages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import generated
from .packages import Missing, packages, unpack
from .sites import FULL

if TYPE_CHECKING:
    from collections.abc import Iterator


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


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site: "generated" (the default) or "debian"."""
    if getattr(request, "param", "generated") == "generated":
        return generated.write(tmp_path_factory.mktemp("generated") / "site")
    folder, missing = request.getfixturevalue("debian")
    if missing:
        pytest.skip("; ".join(missing.values()))
    return Path(folder)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """Return a folder for the output of commands, which is removed afterwards."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)
