"""What is released: reproducible packages, their metadata, their list of parts, and what says their version."""

from __future__ import annotations

import email
import json
import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import linkfix

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_every_file_that_names_the_version_names_this_one() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"(?m)^version: (.+)$", citation) == [linkfix.__version__]
    changes = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert linkfix.__version__ in changes
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    assert f"| {linkfix.__version__.rpartition('.')[0]} | yes |" in policy


def test_the_lock_has_what_is_needed_with_hashes() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = set(re.findall(r"(?m)^([\w-]+)==", lock))
    assert {re.split(r"[^\w-]", each)[0] for each in PROJECT["dependencies"]} <= locked
    for entry in re.split(r"(?m)^(?=[\w-]+==)", lock):
        assert not entry.strip() or re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


def test_what_cannot_be_judged_ends_a_release(tmp_path: Path) -> None:
    """pip-audit calls it a success if it found no dependency in its source of advisories."""
    stub = "import sys\nsys.exit('not judged' if '--strict' in sys.argv else 0)\n"
    (tmp_path / "pip_audit.py").write_text(stub)
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "release.py", "--advisories", "--out", tmp_path / "out"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "not judged" in done.stderr
    assert not (tmp_path / "out").exists()


def test_two_builds_are_the_same_and_pass_the_checks(tmp_path: Path) -> None:
    """In different folders, with different dates, umasks and time zones; twine and check-wheel-contents read them."""
    if not (ROOT / ".git").exists():
        pytest.skip("what is built is what git tracks, and this is no checkout")
    tool = ROOT / "tools" / "release.py"
    done = subprocess.run(
        [sys.executable, tool, "--out", tmp_path, "--site", "https://docs.test/linkfix"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("two builds are the same") == 2
    assert done.stdout.count("PASSED") == 2
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    about = f"linkfix-{linkfix.__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = email.message_from_bytes(archive.read(f"{about}/METADATA"))
        parts = archive.read(f"{about}/sboms/linkfix.cdx.json")
    maker = runpy.run_path(str(ROOT / "tools" / "sbom.py"))
    assert parts.decode() == maker["sbom"]()
    needed = {part["name"] for part in json.loads(parts)["components"] if part["type"] == "library"}
    assert needed == {re.split(r"[^\w-]", each)[0] for each in PROJECT["dependencies"]}
    assert {name.split("/")[0] for name in names} == {"linkfix", about}
    assert metadata["License-Expression"] == PROJECT["license"]
    assert "Documentation, https://docs.test/linkfix/docs/" in metadata.get_all("Project-URL", [])
    assert "linkfix.example" not in metadata.as_string()
    # PyPI shows the README without the files beside it.
    page = metadata.get_payload()
    assert isinstance(page, str)
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert len(targets) > 20
    assert [each for each in targets if not each.startswith(("http://", "https://", "#"))] == []
    with tarfile.open(source) as archive:
        members = {name.partition("/")[2] for name in archive.getnames()}
    assert {"SECURITY.md", "CITATION.cff", "tests/conftest.py", "tools/conformance.toml"} <= members
