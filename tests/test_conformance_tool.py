"""The tool that brings the public suites: from packages and repositories, whole and right or not at all."""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import os
import runpy
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conformance_data import BESIDE, conformance

if TYPE_CHECKING:
    from collections.abc import Mapping

TOOL = Path(__file__).parents[1] / "tools" / "conformance.py"
MODULE: dict[str, Any] = runpy.run_path(str(TOOL))
PROOF: dict[str, Any] = runpy.run_path(str(TOOL.with_name("proof.py")))
serving, zipped = PROOF["serving"], PROOF["zipped"]
REVISION = "0" * 40
PAGES = {"a.txt": b"one\r\n", "of it/\u00fc.txt": b"\xff two"}


def sums(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}


def packed(files: Mapping[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for path, data in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return archive.getvalue()


def manifest(folder: Path, **row: str) -> Path:
    """A manifest with one suite, `suite`, of `PAGES`."""
    lines = ["[[suite]]", 'folder = "suite"', 'what = "pages"', f'revision = "{REVISION}"']
    lines += [f"{name} = {json.dumps(value)}" for name, value in row.items()]
    if "tree" not in row:
        lines += ["[suite.files]"]
        lines += [f"{json.dumps(path)} = {json.dumps(each)}" for path, each in sums(PAGES).items()]
    folder.joinpath("manifest.toml").write_text("\n".join(lines), "utf-8")
    return folder / "manifest.toml"


def run(
    folder: Path, source: str, *more: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The tool with a cache folder and a server in place of the suites' own."""
    command = [sys.executable, TOOL, "--folder", folder / "cache", "--source", source, *more]
    here = os.environ | {"no_proxy": "*", "LINKFIX_CONFORMANCE": ""} | environment
    return subprocess.run(
        command, env=here, text=True, capture_output=True, check=False, timeout=300
    )


def brought(folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = MODULE["read_folder"](folder / "cache" / "suite")
    return found


@pytest.mark.system
def test_files_from_a_repository(tmp_path: Path) -> None:
    table = manifest(tmp_path, github="o/n", under="d")
    files = {f"o/n/raw/{REVISION}/d/{path}": data for path, data in PAGES.items()}
    with serving(files) as address:
        done = run(tmp_path, address, "--manifest", table)
        assert (done.returncode, done.stdout) == (0, f"suite: pages: {address}/o/n\n")
        assert brought(tmp_path) == PAGES
    # What is there needs no server; what was changed there is brought anew.
    assert run(tmp_path, "http://127.0.0.1:1", "--manifest", table).stdout == (
        "suite: pages: there already\n"
    )
    (tmp_path / "cache" / "suite" / "a.txt").write_bytes(b"other")
    with serving(files) as address:
        assert run(tmp_path, address, "--manifest", table).returncode == 0
    assert brought(tmp_path) == PAGES


@pytest.mark.system
@pytest.mark.parametrize("fault", ["other bytes", "a file less", "no archive", "a file more"])
def test_what_is_not_the_one_named_is_refused(tmp_path: Path, fault: str) -> None:
    pages = dict(PAGES)
    if fault == "other bytes":
        pages["a.txt"] = b"one\n"
    elif fault == "a file less":
        del pages["a.txt"]
    else:
        pages["more.txt"] = b""
    if fault.startswith(("no", "a file more")):
        tree = MODULE["digest"](sums(PAGES))
        table = manifest(tmp_path, github="o/n", archive="x.zip", under="d", tree=tree)
        data = zipped({f"d/{path}": data for path, data in pages.items()})
        files = {f"o/n/raw/{REVISION}/x.zip": data if fault == "a file more" else b"<html>"}
    else:
        table = manifest(tmp_path, github="o/n")
        files = {f"o/n/raw/{REVISION}/{path}": data for path, data in pages.items()}
    with serving(files) as address:
        done = run(tmp_path, address, "--manifest", table)
    assert done.returncode == 1
    assert "suite: pages: not brought: " in done.stderr
    assert not (tmp_path / "cache" / "suite").exists()


@pytest.mark.system
def test_an_archive_of_a_repository(tmp_path: Path) -> None:
    tree = MODULE["digest"](sums(PAGES))
    table = manifest(tmp_path, github="o/n", archive="x.zip", under="d", tree=tree)
    members = {f"d/{path}": data for path, data in PAGES.items()}
    data = zipped(members | {"../up.txt": b"", "d/../d/b.txt": b"", "other/c.txt": b""})
    with serving({f"o/n/raw/{REVISION}/x.zip": data}) as address:
        assert run(tmp_path, address, "--manifest", table).returncode == 0
    assert brought(tmp_path) == PAGES
    assert sorted(tmp_path.iterdir()) == [tmp_path / "cache", table]


@pytest.mark.system
def test_a_package_of_pip(tmp_path: Path) -> None:
    """A source package whose build needs no other package."""
    backend = "def prepare_metadata_for_build_wheel(to, *_):\n from pathlib import Path\n d = Path(to, 'p-1.dist-info')\n d.mkdir()\n"
    backend += " (d / 'METADATA').write_text('Metadata-Version: 2.1\\nName: p\\nVersion: 1\\n')\n return d.name\n"
    backend += "def build_wheel(*_): raise OSError\ndef build_sdist(*_): raise OSError\n"
    project = '[build-system]\nrequires = []\nbuild-backend = "made"\nbackend-path = ["."]\n'
    members = {f"p-1/{path}": data for path, data in PAGES.items()}
    members |= {"p-1/pyproject.toml": project.encode(), "p-1/made.py": backend.encode()}
    members |= {"p-1/PKG-INFO": b"Metadata-Version: 2.1\nName: p\nVersion: 1\n"}
    table = manifest(tmp_path, pip="p==1", packed="p-1", github="o/n")
    index = {"simple/p/": b'<a href="/p-1.tar.gz">p-1.tar.gz</a>', "p-1.tar.gz": packed(members)}
    with serving(index) as address:
        environment = {"PIP_INDEX_URL": f"{address}/simple", "PIP_CONFIG_FILE": os.devnull}
        environment |= {"PIP_NO_CACHE_DIR": "1", "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
        done = run(tmp_path, address, "--manifest", table, **environment)
    assert (done.returncode, done.stdout) == (0, "suite: pages: the package p==1\n"), done.stderr
    assert brought(tmp_path) == PAGES


@pytest.mark.system
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_a_package_of_npm(tmp_path: Path) -> None:
    about = {"name": "p", "version": "1.0.0"}
    members = {f"package/{path}": data for path, data in PAGES.items()}
    members |= {"package/package.json": json.dumps(about).encode()}
    data = packed(members)
    tree = MODULE["digest"](sums(PAGES | {"package.json": members["package/package.json"]}))
    table = manifest(tmp_path, npm="p@1.0.0", packed="package", tree=tree, github="o/n")
    index: dict[str, bytes] = {"p.tgz": data}
    with serving(index) as address:
        dist = {"tarball": f"{address}/p.tgz", "shasum": hashlib.sha1(data).hexdigest()}
        versions = {"1.0.0": about | {"dist": dist}}
        index["p"] = json.dumps({"name": "p", "versions": versions}).encode()
        environment = {"npm_config_registry": address, "npm_config_cache": str(tmp_path / "npm")}
        done = run(tmp_path, address, "--manifest", table, **environment)
    assert (done.returncode, done.stdout) == (0, "suite: pages: the package p@1.0.0\n"), done.stderr
    assert brought(tmp_path).items() >= PAGES.items()


def test_the_proof_takes_the_commands_of_the_readme() -> None:
    install, test = PROOF["commands"]()
    assert " && .venv/bin/linkfix audit " in install
    assert test.rpartition(" && ")[2].startswith(".venv-test/bin/pytest ")
    assert PROOF["MISSING"] in inspect.getsource(conformance)


def test_every_suite_is_pinned() -> None:
    for suite in MODULE["suites"](MODULE["MANIFEST"]):
        assert len(suite.revision) == 40
        assert bool(suite.files) != bool(suite.tree)
        assert all(len(each) == 64 for each in [*suite.files.values(), suite.tree or "0" * 64])


@pytest.mark.nightly
def test_every_suite_from_a_loopback_server(tmp_path: Path) -> None:
    """The folder beside the checkout is served as the repositories would serve it, and comes back byte for byte."""
    if not BESIDE.exists():
        pytest.skip("there is no folder with public test data beside the checkout")
    suites = MODULE["suites"](MODULE["MANIFEST"])
    expected = [suite for suite in suites if (BESIDE / suite.folder).exists()]
    assert len(expected) >= 8
    # Without the registries' clients it is the repositories that are asked.
    with serving(PROOF["mirror"](BESIDE)) as address:
        environment = {"PIP_INDEX_URL": f"{address}/none", "PIP_CONFIG_FILE": os.devnull}
        environment |= {"PIP_RETRIES": "0", "npm_config_registry": f"{address}/none"}
        done = run(tmp_path, address, *(each.folder for each in expected), **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(address) == len(expected)
    for suite in expected:
        found = MODULE["read_folder"](tmp_path / "cache" / suite.folder)
        there = MODULE["read_folder"](BESIDE / suite.folder)
        assert found == {path: there[path] for path in suite.files or there}
    catalog = Path("xml", "catalog.json")
    assert (tmp_path / "cache" / catalog).read_bytes() == (BESIDE / catalog).read_bytes()
