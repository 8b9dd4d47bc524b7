"""``linkfix demo`` writes the sample site."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import run

SAMPLES = Path(__file__).parents[2] / "samples"


def test_the_sample_site_is_written(tmp_path: Path) -> None:
    done = run("demo", tmp_path / "new" / "shop")
    assert done.returncode == 0, done.stderr
    assert done.stderr.decode().startswith("linkfix: 10 documents in ")
    expected = {each.name: each.read_bytes() for each in SAMPLES.iterdir() if each.suffix != ".md"}
    written = {each.name: each.read_bytes() for each in (tmp_path / "new" / "shop").iterdir()}
    assert written == expected
    again = run("demo", tmp_path / "new" / "shop")
    assert again.returncode == 0


@pytest.mark.parametrize("name", ["mine.html", "map.svg"])
def test_what_is_no_sample_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine")
    done = run("demo", tmp_path)
    assert done.returncode == 2
    assert f"holds {name}, which is no sample; name a new folder".encode() in done.stderr
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"mine"]


def test_an_empty_folder_is_used_and_a_file_is_not(tmp_path: Path) -> None:
    assert run("demo", tmp_path).returncode == 0
    assert run("demo", tmp_path / "map.svg").returncode == 2
