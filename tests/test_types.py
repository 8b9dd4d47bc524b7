"""What a type checker knows of the public names: all of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import linkfix


@pytest.fixture(scope="module")
def pyright() -> None:
    """Skip the tests where pyright does not start."""
    pytest.importorskip("pyright", reason="pyright is not installed")
    asked = [sys.executable, "-m", "pyright", "--version"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("pyright does not start: it needs Node.js, and brings itself from npm")


@pytest.mark.nightly
@pytest.mark.usefixtures("pyright")
def test_pyright_knows_every_public_type(tmp_path: Path) -> None:
    # An editable install has no folder `linkfix` beside other packages, where types of these are looked for.
    shutil.copytree(Path(linkfix.__file__).parent, tmp_path / "linkfix")
    for package in ("pyspark", "lsprotocol", "mkdocs", "pygls", "sphinx"):
        other = pytest.importorskip(package, reason=f"types of linkfix are those of {package}")
        (tmp_path / package).symlink_to(Path(other.__file__).parent)
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "--verifytypes", "linkfix", "--ignoreexternal", "--outputjson"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    found = json.loads(done.stdout)["typeCompleteness"]
    unknown = [
        (each["name"], [fault["message"] for fault in each["diagnostics"]])
        for each in found["symbols"]
        if each["isExported"] and not each["isTypeKnown"]
    ]
    assert unknown == []
    assert found["completenessScore"] == 1
    assert found["exportedSymbolCounts"]["withKnownType"] > 5000


@pytest.mark.nightly
@pytest.mark.usefixtures("pyright")
def test_pyright_accepts_the_cookbook() -> None:
    programs = Path(__file__).parents[1] / "docs" / "cookbook"
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run([*command, programs], capture_output=True, encoding="utf-8", check=False)
    assert json.loads(done.stdout)["generalDiagnostics"] == []
