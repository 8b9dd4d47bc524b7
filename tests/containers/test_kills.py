"""A container is the old one or the new one at every moment, whole, when the command that changes it is killed."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import packages
import processes
import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nightly]

#: Pages with links that change, and that a move changes.
PAGES = {
    f"d/{number}.html": f'<!doctype html><meta charset=utf-8><a href="../x y.html">é</a><a href="{number + 1}.html?é">y</a>\n'.encode()
    for number in range(400)
} | {"x y.html": b"<!doctype html><meta charset=utf-8><title>x</title>"}
COMMANDS = [
    ["rewrite", "-i"],
    ["audit", "--fix", "--exit-zero"],
    ["mv", "--root", "{}", "d", "e/f"],
]


@pytest.mark.parametrize("name", ["s.zip", "s.tar.gz"])
def test_a_migration_killed_at_random_moments(name: str, tmp_path: Path) -> None:
    old = packages.as_zip(PAGES) if name == "s.zip" else packages.as_tar_gz(PAGES)
    path, new = tmp_path / name, tmp_path / f"new-{name}"
    path.write_bytes(old)
    arguments = ["migrate", "-q", "--to", "uri", path]
    status = processes.run(*arguments, new).returncode
    whole = new.read_bytes()
    assert whole != old
    chance, kills, wait = random.Random(35), 0, 0.3
    while kills < 10:
        new.unlink(missing_ok=True)
        options: list[str] = []
        while True:
            try:
                done = processes.run(
                    *arguments, new, *options, timeout=wait * chance.uniform(0.2, 1.5), group=True
                )
            except subprocess.TimeoutExpired:
                kills += 1
                wait *= 1.2
                options = ["--resume"]
                assert not new.exists() or new.read_bytes() == whole
            else:
                wait *= 0.7
                break
        assert done.returncode in {0, status}, done.stderr
        assert new.read_bytes() == whole
        assert path.read_bytes() == old


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
@pytest.mark.parametrize("name", ["s.zip", "s.tar.gz"])
def test_killed_at_random_moments(command: list[str], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    old = packages.as_zip(PAGES) if name == "s.zip" else packages.as_tar_gz(PAGES)
    arguments = [each.format(path) for each in command] + [str(path)] * ("mv" not in command)
    path.write_bytes(old)
    assert processes.run(*arguments, "-q").returncode == 0
    new = path.read_bytes()
    assert new != old
    chance, kills, wait, states = random.Random(34), 0, 0.05, set[bool]()
    while kills < 12 or len(states) < 2:
        path.write_bytes(old)
        try:
            processes.run(*arguments, "-q", timeout=wait * chance.uniform(0.2, 2), group=True)
        except subprocess.TimeoutExpired:
            kills += 1
            wait *= 1.2
        else:
            wait *= 0.8
        assert path.read_bytes() in {old, new}
        states.add(path.read_bytes() == new)
        assert all(
            each.name == name or each.name.startswith(".linkfix-") for each in tmp_path.iterdir()
        )
    path.write_bytes(old)
    assert processes.run(*arguments, "-q").returncode == 0
    assert path.read_bytes() == new
