"""The sample site: what its README says is so."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
README = (SAMPLES / "README.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(r"```console\n\$ (.*)\n([^`]*)```", README)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == README.count("```console") > 0


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_example(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=SAMPLES,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.stdout.decode() == output
    assert done.returncode == 0


def test_every_file_is_described() -> None:
    described = set(re.findall(r"^\| `(.+?)` \|", README, re.MULTILINE))
    assert described == {path.name for path in SAMPLES.iterdir()} - {"README.md"}


def test_the_pages_are_what_the_generator_writes() -> None:
    pages = runpy.run_path(str(ROOT / "tools" / "samples" / "make.py"))["pages"]()
    assert pages == {path.name: path.read_bytes() for path in SAMPLES.glob("page-*")}
