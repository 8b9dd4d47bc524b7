"""Plugins: sites of MkDocs and Sphinx built with and without linkfix, and a run of pytest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import linkfix

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.system


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a folder."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "NO_MKDOCS_2_WARNING": "1"},
    )


def pages(folder: Path) -> dict[str, bytes]:
    """Return the pages of a built site."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.html"))
    }


def compare(plain: Path, built: Path) -> int:
    """Check that no link of a page leads elsewhere and nothing beside links differs; return how many pages differ."""
    old, new = pages(plain), pages(built)
    assert old.keys() == new.keys()
    for name in old:
        assert linkfix.verify(old[name], new[name]) is None, name
    return sum(old[name] != new[name] for name in old)


def test_mkdocs(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="MkDocs is not installed")
    (tmp_path / "docs").mkdir()
    text = "# x\n\n[a](<http://example.org/中 b?q=é>) <a href='none.html'>gone</a>\n"
    (tmp_path / "docs" / "index.md").write_text(text)
    head = "site_name: x\nsite_url: https://example.org/docs/\nuse_directory_urls: false\n"
    for name, plugins in (("plain", ""), ("with", "plugins: [search, linkfix: {to: uri}]\n")):
        (tmp_path / f"{name}.yml").write_text(f"{head}site_dir: {name}\n{plugins}")
        done = run(tmp_path, "mkdocs", "build", "-f", f"{name}.yml")
        assert done.returncode == 0, done.stderr
    assert "index.html" in done.stderr
    assert "TGT001" in done.stderr
    assert (
        b"http://example.org/%E4%B8%AD%20b?q=%C3%A9" in (tmp_path / "with/index.html").read_bytes()
    )
    assert compare(tmp_path / "plain", tmp_path / "with") > 0
    assert run(tmp_path, "mkdocs", "build", "--strict", "-f", "with.yml").returncode == 1


def test_sphinx(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed")
    for name, more in (
        ("plain", ""),
        ("with", "extensions = ['linkfix.plugins.sphinx']\nlinkfix_to = 'uri'\n"),
    ):
        source = tmp_path / f"{name}-source"
        source.mkdir()
        (source / "conf.py").write_text(
            f"project = 'x'\nhtml_theme = 'basic'\nhtml_last_updated_fmt = ''\n{more}"
        )
        text = "x\n=\n\n`a <http://example.org/中\\ b?q=é>`_ `b <none.html>`_\n"
        (source / "index.rst").write_text(text)
        done = run(tmp_path, "sphinx", "-q", f"{name}-source", name)
        assert done.returncode == 0, done.stderr
    assert "TGT001" in done.stderr
    assert b"q=%C3%A9" in (tmp_path / "with/index.html").read_bytes()
    assert compare(tmp_path / "plain", tmp_path / "with") > 0
    assert run(tmp_path, "sphinx", "-q", "-W", "-E", "with-source", "again").returncode != 0


def test_pytest(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    page = tmp_path / "site" / "index.html"
    page.write_text("<!DOCTYPE html><meta charset=utf-8><a href=none.html>x</a>")
    command = ("pytest", "-p", "no:cacheprovider", "--linkfix", "site")
    done = run(tmp_path, *command)
    assert done.returncode == 1
    assert "index.html:1:" in done.stdout
    assert "TGT001 there is no such file (none.html)" in done.stdout
    assert "Traceback" not in done.stdout
    page.write_text("<!DOCTYPE html><meta charset=utf-8><a href=index.html>x</a>")
    done = run(tmp_path, *command)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_the_action_of_github(tmp_path: Path) -> None:
    """The second step runs as it stands, with inputs that a shell would take for commands."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    install, audit = action["runs"]["steps"]
    assert "${{" not in install["run"] + audit["run"]
    (tmp_path / "a $(touch x) b").mkdir()
    (tmp_path / "a $(touch x) b" / "index.html").write_text("<meta charset=utf-8><a href=none>")
    inputs = {name: each["default"] for name, each in action["inputs"].items()}
    inputs |= {"paths": "a $(touch x) b\n", "options": "--select=TGT\n--ignore=TGT004\n"}
    given = {
        name: inputs[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in audit["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", audit["run"]],
        cwd=tmp_path,
        env=os.environ | given | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "TGT001" in done.stdout
    (run,) = json.loads((tmp_path / "linkfix.sarif").read_text())["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["TGT001"]
    assert not (tmp_path / "x").exists()
